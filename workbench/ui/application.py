"""The window's process: Qt, the session, the window, and an end that is always clean."""

from __future__ import annotations

import contextlib
import logging
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from workbench.core.errors import UserError
from workbench.core.paths import resources, store_folder
from workbench.launch import diagnose_display
from workbench.session.session import FIRST_SAMPLE, Session
from workbench.ui.actions.look import MOTION, TEXT_SIZE
from workbench.ui.bridge import Bridge
from workbench.ui.garbage import collected_here
from workbench.ui.panel import Context
from workbench.ui.screenshot import Screenshot
from workbench.ui.theme import Theme
from workbench.ui.widgets.open_actions import open_paths
from workbench.ui.window import TITLE, Window

_NAME = "embedding-workbench"
_log = logging.getLogger("workbench")


def run_window(
    files: list[str],
    screenshot: Path | None = None,
    size: tuple[int, int] = (1440, 900),
    theme: str = "",
    train: str = "",
    panel: str = "",
) -> int:
    """Open the window on ``files`` (or on what was open last) and return when it is closed.

    With ``screenshot`` nothing is restored or remembered: the window has exactly ``size``, trains
    ``train``'s classroom preset if named, raises ``panel``, is saved as PNG once everything is idle,
    and closes. ``theme`` is "system", "light", "dark" or "" for the one chosen last. Returns the exit
    code: 0, or 2 with one line on stderr.
    """
    problem = diagnose_display()
    if problem is not None:
        print(problem, file=sys.stderr)
        return 2
    application = make_application()
    session = Session()
    try:
        return _run(application, session, files, screenshot, QSize(*size), theme, train, panel)
    finally:
        session.close()


def _run(
    application: QApplication,
    session: Session,
    files: list[str],
    screenshot: Path | None,
    size: QSize,
    theme: str,
    train: str,
    panel: str,
) -> int:
    chosen = theme or str(session.settings.get("theme", "system"))
    bridge = Bridge(session)
    context = Context(session, bridge, Theme(application, chosen, *_text_and_motion(session)))
    with context.theme.undressed():
        window = Window(context, remembering=screenshot is None)
    # The session ends first: its threads must be gone before any thread may collect garbage again.
    collected = collected_here(lambda: session.training is not None)
    with _signals_close(window), _defects_told(window), collected, contextlib.closing(session):
        if files:
            open_paths(session, files)
        elif screenshot is not None:
            session.open_sample(FIRST_SAMPLE)
        else:
            session.restore()
            session.show(next((record for record in reversed(session.runs) if record.has_vectors), None))
        if screenshot is None:
            window.show()
            # The window is on the screen before anything else takes the processor.
            QTimer.singleShot(0, window, session.warm)
            return application.exec()
        shot = Screenshot(window, context, screenshot, size, train, panel)
        shot.begin()
        application.exec()
    if shot.error is not None:
        print(shot.error, file=sys.stderr)
        return 2
    return 0


# Seconds after which a thread hands over Python's lock that another waits for. Python's own 5 ms are a third of a
# frame, and the start of a thread waits for the new one as long.
_SWITCH = 0.0005


def _text_and_motion(session: Session) -> tuple[int, str]:
    """The size of text in percent, and whether things move, as chosen last."""
    size = session.settings.get(TEXT_SIZE, 100)
    return size if isinstance(size, int) else 100, str(session.settings.get(MOTION, "system"))


def make_application() -> QApplication:
    """The QApplication with its names, with fractions of pixels kept, and with Python's lock handed over soon."""
    sys.setswitchinterval(_SWITCH)
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication([_NAME])
    application.setApplicationName(_NAME)
    application.setApplicationDisplayName(TITLE)
    application.setDesktopFileName(_NAME)
    application.setWindowIcon(QIcon(str(resources() / "icons" / "workbench.svg")))
    return application


@contextlib.contextmanager
def _signals_close(window: Window) -> Iterator[None]:
    """Ctrl-C and a request to terminate close the window as a click does."""
    names = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(name) for name in names]
    # Python looks at signals between bytecodes; the bridge's timer sees to it that there are some.
    for name in names:
        signal.signal(name, lambda *_: QTimer.singleShot(0, window, window.close))
    try:
        yield
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(name, handler)


class _Defects(QObject):
    """Carries what went wrong, from whatever thread, into the window's."""

    told = Signal(str, str)


@contextlib.contextmanager
def _defects_told(window: Window) -> Iterator[None]:
    """An exception that nobody expected is logged and told in the window, which stays open."""
    defects = _Defects()
    defects.told.connect(
        lambda summary, details: window.activity.message.say(
            "Something went wrong inside the workbench.", summary, True, details=details
        )
    )
    log = logging.FileHandler(store_folder() / "defects.log", encoding="utf-8", delay=True)
    log.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    _log.addHandler(log)
    hook, thread_hook = sys.excepthook, threading.excepthook

    def tell(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QTimer.singleShot(0, window, window.close)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        _log.error(details)
        defects.told.emit(
            str(error) if isinstance(error, UserError) else f"Your runs are safe. ({kind.__name__}: {error})", details
        )

    sys.excepthook = tell
    threading.excepthook = lambda args: tell(args.exc_type, args.exc_value, args.exc_traceback)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = hook, thread_hook
        _log.removeHandler(log)
        log.close()
