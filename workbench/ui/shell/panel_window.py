"""Main window with docks of panels: the part of the window that other modules use."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from workbench.core.language import tr
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PANELS, PanelKind
from workbench.ui.shell.dock import PanelDock
from workbench.ui.shell.messages.bubble import Bubble, Ring
from workbench.ui.shell.messages.notifications import NotifiedWindow
from workbench.ui.shell.messages.toast import Toasts
from workbench.ui.widgets.layout.whole_tabs import WholeTabs


class PanelWindow(NotifiedWindow):
    """Docks by the keys of their panels, and toasts."""

    context: PanelContext

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.context = context
        self.session = context.session
        self.closed = False
        self.docks: dict[str, PanelDock] = {}
        self.toasts = Toasts(self, context.theme)
        self._titles = QTimer(self)
        self._titles.setSingleShot(True)
        self._titles.setInterval(0)
        self._titles.timeout.connect(self._refresh_titles)

    def add_docks(self, kinds: Iterable[type[PanelKind]]) -> None:
        """Create a dock for each kind of panel; the panels are created when they are first
        shown.
        """
        self.docks = {kind.key: PanelDock(kind, self.context, self) for kind in kinds}
        for dock in self.docks.values():
            dock.panel_created.connect(self._take_panel)
            for changed in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                changed.connect(self.titles_later)

    @property
    def panels(self) -> list[Panel]:
        """All panels, created now if necessary, which takes up to half a second and 70 MB."""
        return [dock.panel for dock in self.docks.values()]

    @property
    def idle(self) -> bool:
        """Whether no panel has anything left to compute."""
        return all(dock.panel.idle for dock in self.docks.values() if dock.is_made)

    def panel_of(self, widget: QWidget | None) -> str:
        """The key of the panel of this window that contains a widget, or ""."""
        while widget is not None:
            if isinstance(widget, PanelDock):
                if self.docks.get(widget.kind.key) is widget:
                    return widget.kind.key
                return ""
            widget = widget.parentWidget()
        return ""

    def _take_panel(self, panel: Panel) -> None:
        panel.raise_requested.connect(partial(self.raise_panel, panel.key))

    def raise_panel(self, key: str) -> None:
        """Show a panel's dock and bring it to the front. Raises UserError that lists the known
        panels.
        """
        if key not in self.docks:
            PANELS[key]
            return
        self.show_panel(key)
        self.docks[key].panel.take_focus()

    def show_panel(self, key: str) -> None:
        """Bring a panel to the front, but leave the focus where it is."""
        dock = self.docks[key]
        dock.show()
        dock.raise_()
        dock.refresh_panel()
        self._lift_floating()

    def raise_page(self, key: str, page: str) -> None:
        """Bring a panel to the front with one of its pages. Raises UserError that lists the known
        panels.
        """
        if key in self.docks:
            self.docks[key].panel.show_page(page)
        self.raise_panel(key)

    # -- titles and layout

    def titles_later(self) -> None:
        """Refresh the titles of docks once the layout is complete."""
        self._titles.start()

    def _refresh_titles(self) -> None:
        for dock in self.docks.values():
            dock.refresh_title()
            dock.refresh_panel()
        # Qt creates these bars, and would shorten names to a single letter if there are many.
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            if WholeTabs.on(bar):
                bar.tabBarClicked.connect(partial(self._tab_clicked, bar))
        self._lift_floating()

    def _tab_clicked(self, bar: QTabBar, at: int) -> None:
        """Focus the panel of a clicked tab, so that actions are about it."""
        title = bar.tabText(at)
        for dock in self.docks.values():
            if dock.windowTitle() == title and not dock.isHidden() and not dock.isFloating():
                # Only then the panel is in front.
                focus = partial(dock.panel.setFocus, Qt.FocusReason.OtherFocusReason)
                QTimer.singleShot(0, dock.panel, focus)

    def _lift_floating(self) -> None:
        """Keep bubbles and messages in front of a panel that has come to the front."""
        for kind in (Ring, Bubble):
            for part in self.findChildren(kind, options=Qt.FindChildOption.FindDirectChildrenOnly):
                part.raise_()
        self.toasts.lift()

    # -- notices

    def notify(self, title: str, text: str, panel: str) -> None:
        def show() -> None:
            self.bring_to_front()
            if panel in self.docks:
                self.raise_panel(panel)

        self.toasts.show_toast(title, text, tr("Show"), show)
        QApplication.alert(self)
