"""Handler of bugs in any thread: saves unsaved runs, then shows one dialog."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from workbench.core import crashes
from workbench.core.errors import UserError, as_user_error
from workbench.core.language import tr
from workbench.session.bug_reports import Defect, DefectTally, defect, report
from workbench.session.crash_save import Rescued, rescue, settle
from workbench.session.session import Session
from workbench.ui.base.theme import Theme
from workbench.ui.dialogs.defect import DefectDialog

_log = logging.getLogger("workbench.defects")
_TITLE = tr("Something went wrong in Embedding Workbench.")
_LAST_TIME = tr("Embedding Workbench quit unexpectedly last time")
# Milliseconds that saving may take before the dialog is shown anyway.
_PATIENCE = 4000
# A bug that repeats, as one in painting does, is logged only at these counts.
_LOGGED = frozenset((1, 10, 100, 1000, 10_000))


class Defects(QObject):
    """Counts bugs, saves, and shows a single dialog. ``take`` may be called in any thread.

    where : the parent window of the dialog; leave : function that closes everything
    """

    _defect_found = Signal(object)
    _user_error = Signal(object)
    _rescued = Signal(object)

    def __init__(
        self,
        where: Callable[[], QWidget],
        session: Session,
        theme: Theme,
        leave: Callable[[], object],
    ) -> None:
        super().__init__()
        self._where = where
        self._session = session
        self._theme = theme
        self._leave = leave
        self.tally = DefectTally()
        self._saving: threading.Thread | None = None
        self._dialog: DefectDialog | None = None
        self._said = ""
        # Whether the dialog should be shown once everything is saved.
        self._wanted = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE)
        self._patience.timeout.connect(self._show)
        self._defect_found.connect(self._count_defect)
        self._user_error.connect(session.message.report)
        self._rescued.connect(self._show_rescued)

    def take(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Handle an uncaught exception."""
        try:
            fixable = error if isinstance(error, UserError) else as_user_error(error)
            if fixable is not None:
                self._user_error.emit(fixable)
            else:
                self._defect_found.emit(defect(kind, error, trace))
        except RuntimeError:
            # The window is gone, so nobody could see a message.
            _log.error("after the end: %s", kind.__name__)

    def release(self) -> None:
        """Wait for saving, and close the dialog, when the window closes."""
        self._patience.stop()
        if self._saving is not None:
            self._saving.join()
            self._saving = None
        if self._dialog is not None:
            self._dialog.close()

    def _count_defect(self, found: Defect) -> None:
        known, new = self.tally.take(found)
        if known.times in _LOGGED:
            _log.error("%s at %s (%d)\n%s", known.kind, known.where, known.times, known.trace)
        if new:
            self._wanted = True
            self._save()
        if self._dialog is not None:
            self._count()

    def _save(self) -> None:
        if self._saving is not None:
            return
        work = rescue(self._session)

        def save_runs() -> None:
            rescued = work()
            with contextlib.suppress(RuntimeError):
                self._rescued.emit(rescued)

        self._saving = threading.Thread(target=save_runs, name="saving after a defect")
        self._saving.start()
        self._patience.start()

    def _show_rescued(self, rescued: Rescued) -> None:
        if self._saving is not None:
            self._saving.join()
            self._saving = None
        self._patience.stop()
        settle(self._session, rescued)
        _log.info(
            "saved after a defect: %d runs, %d trainings", len(rescued.runs), rescued.trainings
        )
        self._said = tr(
            "{rescued} You can continue. If something looks wrong, quit and restart.",
            rescued=rescued,
        )
        self._show()

    def _show(self) -> None:
        if not self._wanted:
            return
        self._wanted = False
        if self._dialog is None:
            self._dialog = DefectDialog(
                self._where(),
                self._theme,
                self._session.settings,
                _TITLE,
                self._report,
                self._leave,
            )
            self._dialog.finished.connect(self._dialog_closed)
            self._dialog.show()
        self._dialog.set_message(self._said or tr("Your work is still being saved."))
        self._count()

    def _count(self) -> None:
        if self._dialog is not None:
            defects = self.tally.defects
            self._dialog.count(sum(found.times for found in defects), len(defects))

    def _dialog_closed(self, _: int) -> None:
        self._dialog = None

    def _report(self) -> str:
        return report(self._session, self.tally.defects)


@contextlib.contextmanager
def defects_told(defects: Defects, interrupted: Callable[[], object]) -> Iterator[None]:
    """Pass uncaught exceptions in the block to ``defects``; Ctrl-C calls ``interrupted``."""
    hook, thread_hook = sys.excepthook, threading.excepthook

    def tell(
        kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            interrupted()
        else:
            defects.take(kind, error, trace)

    sys.excepthook = tell
    threading.excepthook = lambda args: tell(args.exc_type, args.exc_value, args.exc_traceback)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = hook, thread_hook
        defects.release()


def offer_crash_report(
    window: QWidget, session: Session, theme: Theme, say: Callable[..., Any]
) -> None:
    """Report that the previous process crashed, if it did. ``say`` shows a message."""
    found = crashes.new_reports()
    if not found:
        return
    text = crashes.read_report(found[-1])
    reason = crashes.crash_reason(text)
    _log.warning("an earlier process crashed: %s", reason)

    def show() -> None:
        dialog = DefectDialog(
            window,
            theme,
            session.settings,
            f"{_LAST_TIME}.",
            lambda: report(session, (), text),
            None,
        )
        dialog.set_message(
            tr(
                "Reason: {reason}. Finished runs are safe, and you can continue an "
                "interrupted training.",
                reason=reason,
            )
        )
        dialog.show()

    say(
        f"{_LAST_TIME} ({reason}).",
        tr("Finished runs are safe."),
        False,
        tr("Show the report"),
        show,
    )
