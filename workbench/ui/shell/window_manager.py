"""Windows of one session, and the keys, notifications and usage counts that they share.

All windows of a desk are views of the same session, in one process. A new window with a session of
its own is another process (``start_program``): settings, runs and the cache on disk are made for
any number of processes.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.errors import UserError, error_text
from workbench.core.events import Signal
from workbench.core.language import tr
from workbench.core.processes.child_process import child_environment, program_command
from workbench.session.session import Session
from workbench.ui.base.theme import Theme
from workbench.ui.base.tooltips import TOOLTIPS, show_tooltips
from workbench.ui.commands.registry import PanelKind
from workbench.ui.commands.shortcuts import Shortcuts
from workbench.ui.commands.usage_counts import Uses
from workbench.ui.shell.messages.notifications import Notices, NotifiedWindow

_log = logging.getLogger(__name__)


class PanelKinds(Protocol):
    """The registry of panels: their classes, and whether a key exists."""

    def __iter__(self) -> Iterator[PanelKind]: ...
    def __contains__(self, key: object, /) -> bool: ...


class Desk:
    """Objects shared by all windows. ``changed()``: a window was opened or closed. When the last
    one closes, the session is closed.
    """

    def __init__(self, session: Session, theme: Theme, panels: PanelKinds) -> None:
        self.changed = Signal[()]()
        self.windows: list[NotifiedWindow] = []
        # Number of the first window, in the titles; another process has opened those before it.
        self.number = 1
        self.notices: Notices | None = None
        self._last: NotifiedWindow | None = None
        self._started: list[subprocess.Popen[bytes]] = []
        self._restarting = False
        self._session = session
        theme.follow_settings(session.settings)
        session.settings.changes(TOOLTIPS).connect(show_tooltips)
        self._panels = panels

    @cached_property
    def shortcuts(self) -> Shortcuts:
        return Shortcuts(self._session.settings, self._panels)

    @cached_property
    def uses(self) -> Uses:
        return Uses(self._session.settings)

    def is_front(self, context: object) -> bool:
        """Whether the window with this context is the one that was used last: it carries out what
        is asked of the session. Panels without a window always do.
        """
        self.window_used(QApplication.activeWindow())
        return self._last is None or self._last.context is context

    def window_used(self, widget: QWidget | None) -> None:
        """Note the window that a widget, such as a dialog or a floating panel, belongs to."""
        while widget is not None:
            for window in self.windows:
                if window is widget:
                    self._last = window
                    return
            widget = widget.parentWidget()

    @property
    def next_number(self) -> int:
        """The number of a window that ``start_program`` opens."""
        running = sum(process.poll() is None for process in self._started)
        return self.number + len(self.windows) + running

    def start_program(self, *arguments: str) -> None:
        """Start the program once more, with a window and a session of its own. Raises UserError."""
        # Those that have ended are no longer waited for.
        self._started = [process for process in self._started if process.poll() is None]
        try:
            process = subprocess.Popen(
                program_command(*arguments), env=child_environment(), stdin=subprocess.DEVNULL
            )
        except OSError as error:
            raise UserError(
                tr("Couldn’t open a new window: {reason}.", reason=error_text(error)),
                tr("Start the program again."),
            ) from error
        self._started.append(process)

    def window_opened(self, window: NotifiedWindow) -> None:
        self.windows.append(window)
        self._last = window
        if self.notices is None:
            self.notices = Notices(self.windows, self._panels, self._session)
        self.changed.emit()

    def close_all(self) -> None:
        """Close every window, and with the last one the session."""
        for window in tuple(self.windows):
            window.close()

    def restart(self) -> None:
        """Close every window as *Quit* does, then start the program again, which restores the
        session.
        """
        self._restarting = True
        # The button that was pressed closes, too.
        QTimer.singleShot(0, self.close_all)

    def window_closed(self, window: NotifiedWindow) -> None:
        self.windows.remove(window)
        self._last = self.windows[-1] if self.windows else None
        self.changed.emit()
        if not self.windows:
            if self.notices is not None:
                self.notices.release()
                self.notices = None
            self._session.close()
            self._session.settings.disconnect_all()
            if self._restarting:
                # The session is saved and its locks are free, and no window can show an error.
                try:
                    self.start_program()
                except UserError as error:
                    _log.error("%s", error)
