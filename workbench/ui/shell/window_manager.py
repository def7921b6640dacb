"""Windows of one session, and the keys, notifications and usage counts that they share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

from workbench.core.events import Signal
from workbench.session.session import Session
from workbench.ui.commands.registry import PanelKind
from workbench.ui.commands.shortcuts import Shortcuts
from workbench.ui.commands.usage_counts import Uses
from workbench.ui.shell.notifications import Notices, NotifiedWindow
from workbench.ui.theme import Theme
from workbench.ui.tooltips import TOOLTIPS, show_tooltips


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
        self.notices: Notices | None = None
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

    def window_opened(self, window: NotifiedWindow) -> None:
        self.windows.append(window)
        if self.notices is None:
            self.notices = Notices(self.windows, self._panels, self._session)
        self.changed.emit()

    def close_all(self) -> None:
        """Close every window, and with the last one the session."""
        for window in tuple(self.windows):
            window.close()

    def window_closed(self, window: NotifiedWindow) -> None:
        self.windows.remove(window)
        self.changed.emit()
        if not self.windows:
            if self.notices is not None:
                self.notices.release()
                self.notices = None
            self._session.close()
            self._session.settings.disconnect_all()
