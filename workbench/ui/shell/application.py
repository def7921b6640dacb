"""The window's process: Qt, the session, the window, and a clean exit."""

from __future__ import annotations

import contextlib
import logging
import signal
import string
import sys
from collections.abc import Iterator

from PySide6.QtCore import QLibraryInfo, QPoint, Qt, QTimer, QTranslator
from PySide6.QtGui import QFontMetrics, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from workbench.core.crashes import record_crashes
from workbench.core.folders import resources
from workbench.core.language import ENGLISH, PSEUDO, language
from workbench.core.logs import logging_to_files
from workbench.core.machine.memory import share_heaps
from workbench.core.param_labels import By, name_params_by
from workbench.core.processes.child_task import avoid_compiler, end_waiting
from workbench.core.processes.interrupts import SIGNALS
from workbench.core.version import __version__
from workbench.corpus.samples import first_sample
from workbench.launch import diagnose_display, missing_fonts
from workbench.session.session import Session
from workbench.session.session_log import Journal
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.theme import MOTION, TEXT_SIZE, THEME, Theme
from workbench.ui.base.tooltips import TOOLTIPS, show_tooltips
from workbench.ui.dialogs.open import open_paths
from workbench.ui.shell.defects import Defects, defects_told, offer_crash_report
from workbench.ui.shell.gc_control import collected_here
from workbench.ui.shell.help.help_features import guide_of
from workbench.ui.shell.help.welcome import is_first_start
from workbench.ui.shell.screenshot import Screenshot
from workbench.ui.shell.screenshot_options import ScreenshotOptions
from workbench.ui.shell.window import TITLE, Window

_NAME = "embedding-workbench"
_log = logging.getLogger("workbench")


def run_window(
    files: list[str],
    theme: str = "",
    screenshot: ScreenshotOptions | None = None,
    place: tuple[int, int, int] | None = None,
) -> int:
    """Open the window with ``files`` (or with the last session's) and return when it is closed.
    ``place`` is its position and its number, None for the last position.

    With ``screenshot``, nothing is restored or saved: the window has exactly that size, trains and
    shows what was requested, is saved as PNG once everything is idle, and closes. ``theme`` is
    "system", "light", "dark" or "" for the last choice. Returns the exit code: 0, or 2 with one
    line on stderr. That no fonts were found is a warning on stderr, but an error with
    ``screenshot``.
    """
    problem = diagnose_display()
    if problem is not None:
        print(problem, file=sys.stderr)
        return 2
    application = make_application()
    problem = None if _has_letters(application) else missing_fonts()
    if problem is not None:
        # On stderr, because the window couldn’t show it.
        print(problem, file=sys.stderr)
        if screenshot is not None:
            return 2
    avoid_compiler()
    with logging_to_files(), record_crashes(), name_params_by(By.LABEL):
        _log.info("start of %s %s", TITLE, __version__)
        if problem is not None:
            _log.warning("%s", problem)
        session = Session()
        try:
            return _run(application, session, files, theme, screenshot, place)
        finally:
            session.close()
            end_waiting()
            _log.info("end")


def _run(
    application: QApplication,
    session: Session,
    files: list[str],
    theme: str,
    screenshot: ScreenshotOptions | None,
    place: tuple[int, int, int] | None,
) -> int:
    bridge = Bridge(session)
    settings = session.settings
    look = Theme(application, theme or settings[THEME], settings[TEXT_SIZE], settings[MOTION])
    context = PanelContext(session, bridge, look)
    at = None if place is None else QPoint(*place[:2])
    if place is not None:
        context.desk.number = place[2]
    window = Window(context, remembering=screenshot is None, place=at)
    # The session ends first: its threads must have ended before any thread may collect garbage
    # again.
    collected = collected_here(lambda: bool(session.jobs.active))
    desk = context.desk
    defects = Defects(lambda: (desk.windows or [window])[0], session, context.theme, desk.close_all)
    defect_window = defects_told(defects, lambda: QTimer.singleShot(0, desk.close_all))
    with (
        _signals_close(window),
        defect_window,
        collected,
        contextlib.closing(session),
        _start_log(session),
    ):
        first = screenshot is None and not files and is_first_start(session)
        if files:
            open_paths(session, files)
        elif screenshot is not None:
            session.corpora.open_sample(first_sample())
        else:
            session.corpora.restore()
        if screenshot is None:
            show_tooltips(settings[TOOLTIPS])
            window.show()
            offer_crash_report(window, session, context.theme, window.activity.message.show_message)
            if first:
                guide_of(window, context).welcome_first()
            # The window should be on the screen before anything else uses the processor.
            QTimer.singleShot(0, window, session.warm)
            return application.exec()
        shot = Screenshot(window, context, screenshot)
        shot.begin()
        application.exec()
    if shot.error is not None:
        print(shot.error, file=sys.stderr)
        return 2
    return 0


# Seconds after which a thread releases Python's lock if another one waits for it. Python's own 5 ms
# are a third of a frame, and starting a thread waits for the new one for as long.
_SWITCH = 0.0005


def make_application() -> QApplication:
    """Create the QApplication with its names, fractional pixels, a short switch interval of
    Python's lock, and heaps shared by all threads.
    """
    sys.setswitchinterval(_SWITCH)
    share_heaps()
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication([_NAME])
    application.setApplicationName(_NAME)
    application.setApplicationDisplayName(TITLE)
    application.setDesktopFileName(_NAME)
    application.setWindowIcon(QIcon(str(resources() / "icons" / "workbench.svg")))
    _translate(application)
    return application


def _has_letters(application: QApplication) -> bool:
    """Whether a font has the letters of English. Without any font, Qt still names some families."""
    metrics = QFontMetrics(application.font())
    return all(metrics.inFontUcs4(ord(letter)) for letter in string.ascii_letters)


def _translate(application: QApplication) -> None:
    """Load translations of Qt's own texts: buttons of dialogs, menus of fields, names of keys."""
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language() not in (ENGLISH, PSEUDO) and translator.load(f"qtbase_{language()}", folder):
        application.installTranslator(translator)


@contextlib.contextmanager
def _start_log(session: Session) -> Iterator[None]:
    """Log the actions of the session."""
    journal = Journal(session)
    try:
        yield
    finally:
        journal.release()


@contextlib.contextmanager
def _signals_close(window: Window) -> Iterator[None]:
    """Close the window as a click would on Ctrl-C, a termination request, or when the terminal
    closes.
    """
    names = [name for name in SIGNALS if signal.getsignal(name) is not signal.SIG_IGN]
    desk = window.context.desk
    before = [signal.getsignal(name) for name in names]
    # Python handles signals between bytecodes; the bridge's timer makes sure that some are
    # executed.
    for name in names:
        signal.signal(name, lambda *_: QTimer.singleShot(0, desk.close_all))
    try:
        yield
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(name, handler)
