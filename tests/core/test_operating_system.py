"""Behaviour of other systems, with substitutes for their own functions, and a whole run as on
Windows.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import plistlib
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pytest
from core import as_windows

from workbench.core import locks, operating_system
from workbench.core.atomic import (
    prove_folder,
    prove_writable,
    remove_abandoned_parts,
    replacing,
)
from workbench.core.errors import UserError
from workbench.core.language import language, tr
from workbench.core.operating_system import Linux, MacOs, OperatingSystem, Windows, system_of
from workbench.corpus.readahead import Readahead
from workbench.counts.temp_arrays import create_temp_array

ROOT = Path(__file__).resolve().parents[2]


def test_each_platform_has_its_class() -> None:
    keys = {
        name: system_of(name).key for name in ("linux", "darwin", "win32", "freebsd14", "cygwin")
    }
    assert keys == {
        "linux": "linux",
        "darwin": "darwin",
        "win32": "win32",
        "freebsd14": "posix",
        "cygwin": "posix",
    }


def test_a_lock_of_windows_refuses_a_second_holder(windows: Windows, tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    first, second = (os.open(path, os.O_CREAT | os.O_RDWR) for _ in range(2))
    try:
        windows.lock(first)
        with pytest.raises(BlockingIOError):
            windows.lock(second)
        with pytest.raises(BlockingIOError):
            windows.lock(second, shared=True)
        os.close(first)
        windows.lock(second)
    finally:
        os.close(second)


def test_a_check_by_another_process_is_not_a_holder(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.lock"
    looking, second = (os.open(path, os.O_CREAT | os.O_RDWR) for _ in range(2))
    windows.lock(looking)
    # The other process has finished its check by the second attempt.
    monkeypatch.setattr(
        "workbench.core.operating_system.time.sleep", lambda seconds: os.close(looking)
    )
    windows.lock(second, shared=True)
    os.close(second)


def test_a_lock_of_windows_waits_until_it_is_free(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sleeps = tmp_path / "a.lock", []
    holder, waiting = (os.open(path, os.O_CREAT | os.O_RDWR) for _ in range(2))
    windows.lock(holder)

    def sleep(seconds: float) -> None:
        sleeps.append(seconds)
        if len(sleeps) == 700:
            os.close(holder)

    monkeypatch.setattr("workbench.core.operating_system.time.sleep", sleep)
    windows.lock(waiting, wait=True)
    assert len(sleeps) == 700
    os.close(waiting)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EDEADLK, 36])
def test_each_answer_that_means_held_refuses_the_lock(
    number: int, windows: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int, mode: int, size: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(sys.modules["msvcrt"], "locking", refuse)
    with pytest.raises(BlockingIOError):
        windows.lock(0)


def test_other_errors_of_a_lock_are_reported(windows: Windows, tmp_path: Path) -> None:
    handle = os.open(tmp_path / "a", os.O_CREAT | os.O_RDWR)
    os.close(handle)
    with pytest.raises(OSError, match="Bad file descriptor"):
        windows.lock(handle, wait=True)


def test_windows_replaces_a_file_once_its_reader_has_closed_it(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []
    replace = os.replace

    def refuse_twice(source: Path, target: Path) -> None:
        attempts.append(target)
        if len(attempts) < 3:
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse_twice)
    monkeypatch.setattr("workbench.core.operating_system.time.sleep", lambda seconds: None)
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    windows.replace(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "new"
    assert len(attempts) == 3


def test_windows_gives_up_replacing_a_file_that_stays_open(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    clock = iter(range(100))
    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr("workbench.core.operating_system.time.sleep", lambda seconds: None)
    monkeypatch.setattr(
        "workbench.core.operating_system.time.monotonic", lambda: float(next(clock))
    )
    with pytest.raises(PermissionError):
        windows.replace(tmp_path / "new", tmp_path / "old")


def test_files_are_whole_or_absent_where_open_files_cannot_be_renamed(
    windows: Windows, run_as: Callable[[OperatingSystem], None], tmp_path: Path
) -> None:
    run_as(windows)
    path = tmp_path / "figures.csv"
    path.write_text("before")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_text("half")
        _ = 1 / 0
    assert path.read_text() == "before"
    with replacing(path) as temporary:
        temporary.write_text("after")
    assert path.read_text() == "after"
    assert [file.name for file in tmp_path.iterdir()] == ["figures.csv"]
    young, old = tmp_path / ".a.aaaaaaaa.new.part", tmp_path / ".b.bbbbbbbb.new.part"
    for part in (young, old):
        part.write_text("left behind")
    os.utime(old, (0, 0))
    remove_abandoned_parts(tmp_path)
    assert (young.exists(), old.exists()) == (True, False)


def test_a_lock_is_taken_seen_and_released_on_windows(
    windows: Windows, run_as: Callable[[OperatingSystem], None], tmp_path: Path
) -> None:
    run_as(windows)
    path = tmp_path / "a.lock"
    lock = locks.Lock.take(path)
    assert lock is not None
    assert locks.is_held(path)
    lock.release()
    assert not path.exists()
    with locks.exclusive_lock(tmp_path / "b.lock"):
        assert locks.is_held(tmp_path / "b.lock")


def test_temporary_arrays_and_readahead_need_no_hints(
    run_as: Callable[[OperatingSystem], None], tmp_path: Path
) -> None:
    run_as(OperatingSystem())
    array = create_temp_array(300_000, np.float64)
    array[-1] = 1.0
    assert array.sum() == 1.0
    np.arange(10_000, dtype="<i4").tofile(tmp_path / "ids")
    pages = np.memmap(tmp_path / "ids", dtype="<i4", mode="r")
    ahead = Readahead(pages)
    ahead.ask(0, 5000)
    ahead.let_go(0, 5000)
    assert pages.sum() == 49_995_000


@pytest.mark.skipif(os.name == "nt", reason="as on POSIX")
def test_own_files_are_opened_on_posix_without_following_links_or_waiting(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    file.touch()
    link.symlink_to(file)
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="link"):
        Linux().open_own(link)
    for path in (file, pipe, tmp_path):
        os.close(Linux().open_own(path))


def test_posix_hints_keep_the_contents_of_mapped_pages(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"ab" * mmap.PAGESIZE)
    with (tmp_path / "bytes").open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for is_needed in (True, False):
            Linux().advise(pages, 0, mmap.PAGESIZE, needed=is_needed)
        assert pages[:4] == b"abab"


@pytest.mark.parametrize(("niceness", "priority"), [(10, -1), (15, -2)])
def test_windows_lowers_a_thread(
    niceness: int, priority: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[object, int]] = []

    def set_priority(thread: object, value: int) -> None:
        calls.append((thread, value))

    kernel = SimpleNamespace(GetCurrentThread=lambda: "own", SetThreadPriority=set_priority)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    Windows().set_thread_niceness(niceness)
    assert calls == [("own", priority)]


@pytest.mark.parametrize(("niceness", "quality"), [(10, 0x15), (15, 0x11)])
def test_macos_lowers_a_thread(
    niceness: int, quality: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[int, int]] = []

    def set_quality(kind: int, relative: int) -> None:
        calls.append((kind, relative))

    library = SimpleNamespace(pthread_set_qos_class_self_np=set_quality)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    MacOs().set_thread_niceness(niceness)
    assert calls == [(quality, 0)]


def test_macos_without_qualities_of_service_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    MacOs().set_thread_niceness(15)


@pytest.mark.parametrize(
    "name",
    [
        "con",
        "CON.txt",
        "nul.tar.gz",
        "Com1",
        "lpt9.csv",
        "com0",
        "LPT².txt",
        "conin$",
        "aux .txt",
        "a:b",
        "what?",
        "a.",
        "b ",
        "x\ty",
    ],
)
def test_names_that_windows_refuses_are_refused_with_a_sentence(
    name: str,
    run_as: Callable[[OperatingSystem], None],
    windows: Windows,
    tmp_path: Path,
) -> None:
    with replacing(tmp_path / name) as part:
        part.write_text("whole")
    (tmp_path / name).unlink()
    run_as(windows)
    for prove in (prove_writable, lambda path: prove_folder(path, ()), _write_text):
        with pytest.raises(UserError, match="Windows doesn’t allow files with the name"):
            prove(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["console.txt", "my con.txt", "com10", ".hidden", "größe …", "a.b.c"]
)
def test_other_names_are_allowed(name: str, windows: Windows) -> None:
    assert windows.allows_name(name)


def _write_text(path: Path) -> None:
    with replacing(path) as part:
        part.write_text("whole")


def test_units_of_the_peak_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = ModuleType("resource")
    usage = SimpleNamespace(ru_maxrss=2048)
    vars(resource).update(RUSAGE_SELF=0, getrusage=lambda who: usage)
    monkeypatch.setitem(sys.modules, "resource", resource)
    assert MacOs().peak_memory() == 2048
    assert operating_system.Posix().peak_memory() == 2048 * 1024
    memory = SimpleNamespace(peak_wset=4096)
    monkeypatch.setattr(psutil, "Process", lambda: SimpleNamespace(memory_info=lambda: memory))
    assert Windows().peak_memory() == 4096


def test_windows_lowers_a_process_once(monkeypatch: pytest.MonkeyPatch) -> None:
    classes: list[int] = []
    monkeypatch.setattr(psutil, "Process", lambda: SimpleNamespace(nice=classes.append))
    Windows().raise_niceness(0)
    Windows().raise_niceness(10)
    assert classes == [0x4000]


def test_helpers_of_windows_open_no_console() -> None:
    assert Windows().child_options() == {"creationflags": 0x08004000}
    assert Windows().child_options(own_session=True) == {"creationflags": 0x08004200}


def test_helpers_of_posix_have_a_session_of_their_own_where_signals_must_not_reach_them() -> None:
    assert Linux().child_options() == {"start_new_session": False}
    assert MacOs().child_options(own_session=True) == {"start_new_session": True}


@pytest.mark.parametrize(("before", "expected"), [(0, 10), (4, 6), (12, 0)])
def test_a_posix_process_is_lowered_to_a_niceness(
    before: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def nice(more: int) -> int:
        calls.append(more)
        return before

    monkeypatch.setattr(os, "nice", nice)
    Linux().raise_niceness(10)
    assert calls == [0, expected]


def test_a_process_ends_on_the_signals_of_its_system() -> None:
    assert Linux().exit_signals == MacOs().exit_signals == ("SIGINT", "SIGTERM", "SIGHUP")
    # Ctrl+Break, or closing the console, on Windows, which has no SIGHUP.
    assert Windows().exit_signals == ("SIGINT", "SIGTERM", "SIGBREAK")


def test_commands_are_quoted_as_each_shell_reads_them() -> None:
    words = ["C:\\My Programs\\python.exe", "-m", "pip", "it's"]
    assert Windows().join_command(words) == '"C:\\My Programs\\python.exe" -m pip it\'s'
    assert Linux().join_command(["my python", "it's"]) == "'my python' 'it'\"'\"'s'"
    environment = Path("project") / ".venv"
    assert Windows().environment_python(environment).parts[-2:] == ("Scripts", "python.exe")
    assert MacOs().environment_python(environment).parts[-2:] == ("bin", "python")


@pytest.mark.parametrize(
    ("number", "expected"), [(0x0407, "de"), (0x0C07, "de"), (0x0409, "en"), (0xFFFF, "")]
)
def test_the_language_of_a_user_of_windows(
    number: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert Windows().user_language() == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (plistlib.dumps({"AppleLanguages": ["de-AT", "en-GB"]}), "de"),
        (plistlib.dumps({"AppleLanguages": ["fr"]}, fmt=plistlib.FMT_BINARY), "fr"),
        (plistlib.dumps({"AppleLanguages": []}), ""),
        (plistlib.dumps({"AppleLocale": "de_AT"}), ""),
        (b"<?xml broken", ""),
        (b"", ""),
        (None, ""),
    ],
)
def test_the_language_of_a_user_of_macos(
    content: bytes | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "Library" / "Preferences"
    folder.mkdir(parents=True)
    if content is not None:
        (folder / ".GlobalPreferences.plist").write_bytes(content)
    assert MacOs().user_language() == expected


@pytest.mark.parametrize(("variable", "expected"), [("", "de"), ("en_GB.UTF-8", "en")])
def test_the_language_of_the_account_counts_where_the_environment_names_none(
    variable: str,
    expected: str,
    run_as: Callable[[OperatingSystem], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    class German(MacOs):
        def user_language(self) -> str:
            return "de"

    for name in ("WORKBENCH_LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", variable)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    run_as(German())
    assert language.__wrapped__() == expected


def test_texts_name_keys_as_they_are_on_the_keyboard(
    run_as: Callable[[OperatingSystem], None],
) -> None:
    texts = [tr("Open text or vectors. (Ctrl+O)"), tr("Alt+Page up"), tr("Ctrl-C stops it.")]
    assert texts == ["Open text or vectors. (Ctrl+O)", "Alt+Page up", "Ctrl-C stops it."]
    run_as(MacOs())
    texts = [tr("Open text or vectors. (Ctrl+O)"), tr("Alt+Page up"), tr("Ctrl-C stops it.")]
    assert texts == ["Open text or vectors. (⌘O)", "⌥Page up", "Ctrl-C stops it."]
    assert MacOs().write_keys("100 Schritte machen (Alt+Umschalt+Rechts)").endswith("(⌥⇧Rechts)")
    assert MacOs().write_keys("Text öffnen (Strg+O)") == "Text öffnen (⌘O)"


def test_a_program_without_a_console_runs_to_its_end(tmp_path: Path) -> None:
    """sys.stdout and sys.stderr are None there."""
    script = """
        import sys
        sys.stdout = sys.stderr = None
        sys.argv = ["workbench", "runs"]
        from workbench.__main__ import main
        raise SystemExit(main())
    """
    child = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=ROOT,
        env={**os.environ, "WORKBENCH_HOME": str(tmp_path)},
    )
    assert child.returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_the_substitute_of_windows_refuses_what_is_open(tmp_path: Path) -> None:
    script = """
        import os, shutil, sys
        from pathlib import Path
        import numpy as np
        from tests.core.as_windows import refuse_what_is_open
        refuse_what_is_open()
        file = Path(sys.argv[1]) / "folder" / "file"
        file.parent.mkdir()
        file.write_bytes(bytes(8))
        def refused(call):
            try:
                call()
            except PermissionError:
                return True
            return False
        mapped = np.memmap(file, mode="r")
        print(refused(file.unlink), refused(lambda: file.parent.rename(file.parents[1] / "other")))
        del mapped
        with file.open("rb"):
            print(refused(lambda: os.replace(file, file.with_name("b"))))
        shutil.rmtree(file.parent)
        print(file.exists())
    """
    child = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.split() == ["True", "True", "True", "False"]


@pytest.mark.parametrize("other", ["win32", "darwin"])
def test_all_but_the_window_runs_with_the_branches_of_another_system(
    other: str, tmp_path: Path, move_home: Callable[[], None]
) -> None:
    """Train, write and convert vectors, find neighbours and list runs in a process that simulates
    the other system.
    """
    vectors, report = tmp_path / "vectors.vec", tmp_path / "report.json"
    train = ["train", "small-world", "--algorithm", "svd", "--dim", "4"]
    steps: list[list[str]] = [
        ["counts", "small-world", "--window", "2", "--output", str(tmp_path / "counts.npz")],
        [*train, "--output", str(vectors), "--report", str(report)],
        # Joining phrases writes a copy of the corpus, which is mapped meanwhile.
        [*train, "--phrases", "1", "--output", str(vectors), "--report", str(report)],
        ["neighbours", str(vectors), "king"],
        ["convert", str(vectors), str(tmp_path / "vectors.npz")],
        ["runs"],
    ]
    move_home()
    environment = dict(os.environ)
    if other == "win32":
        # Kernels are compiled, too, and saved as on Windows.
        environment["WORKBENCH_HOME"] = str(tmp_path / "empty")
    child = subprocess.run(
        [sys.executable, "-m", "tests.core.as_windows", other, json.dumps(steps)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stderr
    figures = json.loads(child.stdout.splitlines()[-1])
    assert figures["system"] == other
    assert figures["codes"] == [0] * len(steps)
    assert figures["locks"] > 0
    assert json.loads(report.read_text())["peak_rss_bytes"] > 1 << 20
    assert (tmp_path / "vectors.npz").is_file()


def test_the_substitute_of_msvcrt_locks_as_the_c_runtime_does(tmp_path: Path) -> None:
    module: Any = as_windows.msvcrt()
    first, second = (os.open(tmp_path / "a", os.O_CREAT | os.O_RDWR) for _ in range(2))
    module.locking(first, module.LK_NBLCK, 1)
    with pytest.raises(OSError, match=os.strerror(errno.EACCES)):
        module.locking(second, module.LK_NBLCK, 1)
    os.close(first)
    os.close(second)
