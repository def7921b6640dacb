"""What the windows of one session share: which there are, and what keys mean in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from workbench.core.events import Signal
from workbench.session.session import Session
from workbench.ui.theme import Theme
from workbench.ui.tooltips import TOOLTIPS, show_tooltips

if TYPE_CHECKING:
    from workbench.ui.commands.shortcuts import Shortcuts
    from workbench.ui.commands.usage_counts import Uses
    from workbench.ui.shell.notifications import Notices
    from workbench.ui.shell.window import Window


class Desk:
    """``changed()``: a window was opened or closed. With the last one the session is closed."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.changed = Signal[()]()
        self.windows: list[Window] = []
        self.notices: Notices | None = None
        self._session = session
        theme.follow_settings(session.settings)
        session.settings.changes(TOOLTIPS).connect(show_tooltips)

    @cached_property
    def shortcuts(self) -> Shortcuts:
        from workbench.ui.commands.shortcuts import Shortcuts

        return Shortcuts(self._session.settings)

    @cached_property
    def uses(self) -> Uses:
        from workbench.ui.commands.usage_counts import Uses

        return Uses(self._session.settings)

    def window_opened(self, window: Window) -> None:
        self.windows.append(window)
        if self.notices is None:
            from workbench.ui.shell.notifications import Notices

            self.notices = Notices(self, self._session)
        self.changed.emit()

    def close_all(self) -> None:
        """Close every window, and with the last the session."""
        for window in tuple(self.windows):
            window.close()

    def window_closed(self, window: Window) -> None:
        self.windows.remove(window)
        self.changed.emit()
        if not self.windows:
            if self.notices is not None:
                self.notices.release()
                self.notices = None
            self._session.close()
            self._session.settings.disconnect_all()
