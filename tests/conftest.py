"""Setup for every test: folders and variables of its own, Qt offscreen, and nothing left behind.

- Whole folders of tests run in several processes (pytest-xdist), at most one per core; named files
  run in one. ``-n`` overrides this.
- Each process has its own home, temporary folder and ``WORKBENCH_HOME`` (``surroundings.py``). A
  test that writes elsewhere, or reads the user’s files, fails (``site/own_folders.py``).
- All processes share compiled kernels and the texts of samples; ``WORKBENCH_TEST_CACHE`` names a
  folder that keeps these between test runs. Corpora are not shared, because tests damage and remove
  them.
- A test that leaves a thread, a child process or a temporary file behind fails.
- Tests marked ``slow`` run where files are named, with ``-m`` and with ``WORKBENCH_CI``.
- Where Qt cannot start, modules that need it are skipped, with one line that says what to install;
  modules under ``window/`` also need a real X server. With ``WORKBENCH_CI`` set, such a skip fails
  the test run.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import own_folders
import surroundings

# pytest-xdist sets it in each worker. A worker’s folder is inside that of the process that started
# it, and is removed with it.
_WORKER = "PYTEST_XDIST_WORKER" in os.environ
_FOLDER = Path(tempfile.mkdtemp(prefix="workbench-tests-"))
# Removes the folder however the process ends: pytest calls no hook if an argument is wrong.
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
# Workers, and the programs that tests start, read the folder from the environment.
_SHARED = Path(os.environ.get("WORKBENCH_TEST_CACHE") or _FOLDER / "shared").resolve()
os.environ["WORKBENCH_TEST_CACHE"] = str(_SHARED)
surroundings.move_in(_FOLDER, _SHARED)
own_folders.set_up()
own_folders.GUARD.active = False
_CACHE = Path(os.environ["WORKBENCH_HOME"]) / "cache"
_CACHE.mkdir()
for _part in ("kernels", "samples"):
    (_SHARED / _part).mkdir(parents=True, exist_ok=True)
    (_CACHE / _part).symlink_to(_SHARED / _part, target_is_directory=True)
# Many tests start the workbench again. If Python were set not to write bytecode, each of them would
# compile the whole workbench, and each worker all tests: half a minute of processor time.
sys.dont_write_bytecode = False

import psutil  # noqa: E402 - the lines above must come before the first import of the workbench
import pytest  # noqa: E402
from core import as_windows  # noqa: E402
from corpora import markov_corpus  # noqa: E402
from durations import Recorder, arrange, load  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402
from session.fakes import Gate, scripted  # noqa: E402
from waiting import children, keep_priorities  # noqa: E402

from workbench.core import operating_system  # noqa: E402
from workbench.core.machine.threads import usable_threads  # noqa: E402
from workbench.core.operating_system import OperatingSystem, Windows  # noqa: E402
from workbench.core.processes import child_task  # noqa: E402
from workbench.corpus.corpus import Corpus  # noqa: E402
from workbench.launch import diagnose_display, diagnose_libraries, qt_folder  # noqa: E402

keep_priorities()
# Tests don’t fail because the machine is slow, and every run tries the same examples, so that a
# run fails for its own change. `pytest --hypothesis-profile explore` tries new ones.
always = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", always, derandomize=True)
settings.register_profile("explore", always)
settings.load_profile("tests")

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from workbench.session.session import Session
    from workbench.ui.base.panel import PanelContext

_TESTS = Path(__file__).parent
_NEEDS_QT = re.compile(
    r"^\s*(from|import) +(PySide6|pyqtgraph|workbench\.ui|pytestqt)", re.MULTILINE
)
_PROGRAMS = {"Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool"}
# A skip here is due to the version of Python, not to a missing library.
_MAY_SKIP = ("tests/ui/test_none_guard.py",)


def _qt_problem() -> str:
    problem = diagnose_display()
    return f"Qt cannot start: {problem}" if problem else ""


def _window_problem() -> str:
    if not sys.platform.startswith("linux"):
        return "Tests in a real window need an X server."
    missing = [package for program, package in _PROGRAMS.items() if shutil.which(program) is None]
    if missing:
        return f"Tests in a real window need these packages: {' '.join(missing)}"
    qt = qt_folder()
    problem = diagnose_libraries(qt, "xcb") if qt else None
    return f"Qt cannot open a real window: {problem}" if problem else ""


QT_PROBLEM = _qt_problem()
WINDOW_PROBLEM = QT_PROBLEM or _window_problem()

# pyproject.toml keeps pytest-qt from loading by itself, because it would end the whole test run
# where Qt cannot be imported.
pytest_plugins = [] if QT_PROBLEM else ["pytestqt.plugin"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker per core, up to four; 0, meaning this process alone, if files are named or there
    is one core.
    """
    workers = min(usable_threads(), 4)
    return 0 if _names_files(config) or workers == 1 else workers


def _names_files(config: pytest.Config) -> bool:
    return all(Path(argument.split("::")[0]).is_file() for argument in config.args)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Workers must agree on the names of tests, and compressed bytes contain the time."""
    return argname if isinstance(val, bytes) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-durations", action="store_true", help="save how long modules take")
    if QT_PROBLEM:
        for key in ("qt_api", "qt_log_level_fail"):
            parser.addini(key, "read by pytest-qt, which is not loaded")
        parser.addini("qt_log_ignore", "read by pytest-qt, which is not loaded", type="linelist")


# -- tests that need Qt or an X server


@cache
def _place(path: Path) -> str:
    """What a test module needs: "window" (an X server), "gui" (Qt) or ""."""
    folder = path.relative_to(_TESTS).parts[0] if path.is_relative_to(_TESTS) else ""
    if folder == "window":
        return "window"
    return "gui" if folder == "ui" or _NEEDS_QT.search(path.read_text("utf-8")) else ""


class _SkippedModule(pytest.Module):
    """A test module that isn’t imported, because it can’t run here."""

    def collect(self) -> Iterator[pytest.Item]:
        reason = WINDOW_PROBLEM if _place(self.path) == "window" else QT_PROBLEM
        pytest.skip(reason, allow_module_level=True)


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    problem = {"window": WINDOW_PROBLEM, "gui": QT_PROBLEM}.get(_place(module_path), "")
    return _SkippedModule.from_parent(parent, path=module_path) if problem else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Delete widgets after their test, and collect garbage in the window’s thread only.

    pytest-qt schedules its widgets for deletion, which only an event loop would carry out; widgets
    left alive are styled again whenever a later test chooses a theme. Widgets must not be collected
    in a worker’s thread, where the destructor of a QObject waits for the window, which waits for
    the interpreter. The program collects in the window’s thread alone (``ui/shell/gc_control.py``),
    and so do its tests.
    """
    if QT_PROBLEM or _place(item.path) != "gui":
        return (yield)
    gc.disable()
    try:
        return (yield)
    finally:
        from PySide6.QtCore import QCoreApplication, QEvent

        if (application := QCoreApplication.instance()) is not None:
            _delete_windows(cast("QApplication", application))
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            _usual_text(cast("QApplication", application))
        # A test’s objects are young, because nothing was collected during it.
        gc.collect(1)
        gc.enable()


def _delete_windows(application: QApplication) -> None:
    """Schedule windows for deletion that a test closed but didn’t delete: each of them would make
    every later change of the theme slower.
    """
    from PySide6.QtWidgets import QMainWindow

    for widget in application.topLevelWidgets():
        if isinstance(widget, QMainWindow):
            widget.deleteLater()


def _usual_text(application: QApplication) -> None:
    """Reset the text size, which applies to the whole application and would affect later tests."""
    from workbench.ui.base.scaling import text_factor
    from workbench.ui.base.theme import Theme

    if text_factor() != 1.0:
        Theme(application, "light")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn garbage collection off: imported and collected objects live until the end anyway."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need Qt, leave out slow ones, and let each worker start with long tests, so
    that none is left with a long one while the others are idle.
    """
    wanted = "WORKBENCH_CI" in os.environ or config.option.markexpr or _names_files(config)
    if not wanted:
        slow = {item for item in items if item.get_closest_marker("slow")}
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    for item in items:
        if place := _place(item.path):
            item.add_marker(place)
    modules = [item.nodeid.partition("::")[0] for item in items]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [items[index] for index in arrange(modules, load(), workers)]


class _SkipsInCi:
    """Fail a test run in which a test of the window was skipped."""

    def __init__(self) -> None:
        self.skipped: list[str] = []

    def _look(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        marks = {"gui", "window"} & set(getattr(report, "keywords", ()))
        in_window_folder = report.nodeid.startswith(("tests/ui/", "tests/window/"))
        if (
            report.skipped
            and (marks or in_window_folder)
            and not report.nodeid.startswith(_MAY_SKIP)
        ):
            self.skipped.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._look(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._look(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped or WINDOW_PROBLEM:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.skipped or WINDOW_PROBLEM:
            terminalreporter.section("tests of the window must not be skipped here", red=True)
            for line in filter(None, [WINDOW_PROBLEM, *self.skipped]):
                terminalreporter.line(line)


def pytest_configure(config: pytest.Config) -> None:
    # Workers pass their reports on to the process that started them.
    if os.environ.get("WORKBENCH_CI") and not _WORKER:
        config.pluginmanager.register(_SkipsInCi())
    if config.getoption("record_durations") and not _WORKER:
        config.pluginmanager.register(Recorder())


if QT_PROBLEM:

    @pytest.fixture
    def qtbot() -> None:
        pytest.skip(QT_PROBLEM)

    @pytest.fixture
    def qapp() -> None:
        pytest.skip(QT_PROBLEM)

else:
    from pytestqt.exceptions import TimeoutError as QtTimeoutError
    from pytestqt.qtbot import QtBot, _WaitWidgetContextManager
    from pytestqt.wait_signal import MultiSignalBlocker, _AbstractSignalBlocker
    from waiting import wait_until

    # Waits last as long as any work is under way, which on a busy machine can be long, and end some
    # seconds after it stops.
    _LONG = 180_000
    _wait_briefly = _AbstractSignalBlocker.wait

    def _turn() -> None:
        """Run the event loop between two checks of pytest-qt’s waitUntil."""
        _wait_briefly(MultiSignalBlocker(timeout=10, raising=False))

    def _wait_until(
        self: QtBot, callback: Callable[[], bool | None], *, timeout: int = _LONG
    ) -> None:
        __tracebackhide__ = True
        last: list[AssertionError] = []

        def is_reached() -> bool:
            try:
                result = callback()
            except AssertionError as error:
                last[:] = [error]
                return False
            if result not in (None, True, False):
                raise ValueError(
                    f"waitUntil() callback must return None, True or False, returned {result!r}"
                )
            return result is not False

        try:
            wait_until(_turn, is_reached, timeout / 1000)
        except TimeoutError as error:
            raise QtTimeoutError(str(error)) from (last[0] if last else None)

    def _wait_signal(self: _AbstractSignalBlocker) -> None:
        """Wait for a signal. Short waits, which only run the event loop, are pytest-qt’s own."""
        __tracebackhide__ = True
        if self.timeout is None or self.timeout < 1000:
            _wait_briefly(self)
            return
        try:
            wait_until(_turn, lambda: self.signal_triggered, self.timeout / 1000)
        except TimeoutError as error:
            self._cleanup()
            if self.raising:
                raise QtTimeoutError(f"{error} {self._timeout_message}") from None

    def _wait_for_widget(self: _WaitWidgetContextManager, kind: object, *_: object) -> None:
        __tracebackhide__ = True
        from PySide6.QtTest import QTest

        ready = getattr(QTest, self._method_name)
        if kind is None:
            try:
                wait_until(
                    lambda: None, lambda: bool(ready(self._widget, 10)), self._timeout / 1000
                )
            except TimeoutError as error:
                raise QtTimeoutError(
                    f"{self._widget} was not {self._adjective_name}. {error}"
                ) from None

    QtBot.waitUntil = _wait_until  # type: ignore[method-assign]
    _AbstractSignalBlocker.wait = _wait_signal  # type: ignore[method-assign]
    _WaitWidgetContextManager.__exit__ = _wait_for_widget  # type: ignore[method-assign]
    for _wait in (QtBot.waitSignal, QtBot.waitExposed, QtBot.waitActive):
        assert _wait.__kwdefaults__ is not None
        _wait.__kwdefaults__["timeout"] = _LONG


# -- nothing left behind


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forbid tests to touch other folders than their own."""
    surroundings.allow(tmp_path_factory.getbasetemp())
    own_folders.GUARD.read_environment()
    own_folders.GUARD.active = True
    yield
    own_folders.GUARD.active = False


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """Fail a test that leaves threads, child processes or temporary files behind, after waiting for
    them to end, or that touches folders of others.
    """
    threads = set(threading.enumerate())
    earlier = set(children())
    files = surroundings.files()
    yield
    if set(children()) - earlier:
        # As the program does at its end: a helper waits a minute for its next task.
        child_task.end_waiting()
    deadline = time.monotonic() + 60.0
    left: list[str] = []
    for thread in set(threading.enumerate()) - threads:
        # Not ours to stop: threads that Qt made, and tqdm’s single monitor.
        if isinstance(thread, threading._DummyThread) or type(thread).__name__ == "TMonitor":
            continue
        thread.join(max(deadline - time.monotonic(), 0.0))
        if thread.is_alive():
            left.append(f"thread {thread.name}")
    for child in set(children()) - earlier:
        left.extend(_find_survivors(child, deadline))
    left += [f"file {path}" for path in sorted(surroundings.files() - files)]
    assert not left, f"left behind: {', '.join(left)}"
    touched = surroundings.pop_log()
    assert not touched, f"outside the folders of the tests:\n{touched}"


def _find_survivors(child: psutil.Process, deadline: float) -> list[str]:
    """Wait for a child process until ``deadline``; kill and report one that is still running."""
    try:
        command = " ".join(child.cmdline())
        if "resource_tracker" in command or child.status() == psutil.STATUS_ZOMBIE:
            return []
        child.wait(max(deadline - time.monotonic(), 0.0))
    except psutil.NoSuchProcess:
        return []
    except psutil.TimeoutExpired:
        child.kill()
        return [f"process {command}"]
    return []


# -- homes and corpora


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate ``WORKBENCH_HOME`` for this test: settings and store are empty, caches are shared
    with the other tests of its process.
    """
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "cache").symlink_to(_CACHE, target_is_directory=True)
    monkeypatch.setenv("WORKBENCH_HOME", str(folder))
    return folder


@pytest.fixture
def no_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes on Linux find no fonts."""
    (tmp_path / "fonts").mkdir()
    configuration = tmp_path / "fonts.conf"
    configuration.write_text(
        f"<fontconfig><dir>{tmp_path / 'fonts'}</dir><cachedir>{tmp_path}</cachedir></fontconfig>"
    )
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration))


@pytest.fixture
def run_as(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[OperatingSystem], None]]:
    """Simulate another operating system until the test ends."""

    def choose(other: OperatingSystem) -> None:
        monkeypatch.setattr(operating_system, "system_of", lambda platform: other)
        operating_system.system.cache_clear()

    yield choose
    operating_system.system.cache_clear()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Windows:
    """The Windows variant of the operating system, with a substitute for its C runtime."""
    monkeypatch.setitem(sys.modules, "msvcrt", as_windows.msvcrt())
    return Windows()


@pytest.fixture
def move_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Switch to a ``WORKBENCH_HOME`` with nothing but compiled kernels, as on another computer."""

    def move() -> None:
        cache = tmp_path / "elsewhere" / "cache"
        cache.mkdir(parents=True)
        (cache / "kernels").symlink_to(_SHARED / "kernels", target_is_directory=True)
        monkeypatch.setenv("WORKBENCH_HOME", str(cache.parent))

    return move


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Register two scripted algorithms in place of all others; the gate that holds them is open."""
    return scripted(monkeypatch)


@pytest.fixture
def session(home: Path, gate: Gate) -> Iterator[Session]:
    """A session on an empty store that computes no maps, closed at the end."""

    from workbench.session.session import Session

    new_session = Session()
    yield new_session
    new_session.close()


@pytest.fixture
def context(qapp: QApplication, session: Session) -> Iterator[PanelContext]:
    """Services of a panel under test; the timer pumps the session as in the window."""
    from workbench.ui.base.panel import PanelContext
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme

    bridge = Bridge(session)
    theme = Theme(qapp, "light")
    yield PanelContext(session, bridge, theme)
    bridge.stop()
    # The application would keep the theme, which would then style every window of later tests.
    theme.deleteLater()


@pytest.fixture(scope="session")
def tiny_corpus() -> Corpus:
    """20,000 tokens of a Markov chain over 40 words, in sentences of 50."""
    return markov_corpus(20_000)
