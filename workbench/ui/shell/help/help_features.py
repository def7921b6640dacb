"""Welcome, tour, presentation and the dialogs of Help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMainWindow

from workbench.session.bug_reports import report
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.about import AboutDialog
from workbench.ui.dialogs.log import LogDialog
from workbench.ui.dialogs.text import open_one
from workbench.ui.dialogs.user_guide import Place, UserGuideDialog, place_of_panel
from workbench.ui.shell.dock import PanelDock
from workbench.ui.shell.help.tour import Tour
from workbench.ui.shell.help.welcome import Welcome
from workbench.ui.shell.presentation import Presentation


class Guide(QObject):
    """The help features of a window, one of each. ``guide_of`` creates it when first needed."""

    def __init__(
        self,
        window: QMainWindow,
        context: PanelContext,
        docks: Mapping[str, PanelDock],
        raise_panel: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._docks = docks
        window.installEventFilter(self)
        self.tour = Tour(window, context, raise_panel)
        self.presentation = Presentation(window, context, docks)
        self.welcome: Welcome | None = None

    def welcome_first(self) -> None:
        """Point at the button for the first training."""
        self.welcome = Welcome(self._window, self._context, self.start_tour, self._front)

    def _front(self) -> str:
        """The key of the visible panel in the centre, or ""."""
        for key, dock in self._docks.items():
            if dock.kind.area == "centre" and not dock.visibleRegion().isEmpty():
                return key
        return ""

    def start_tour(self) -> None:
        """Start the tour; this ends a presentation, because the tour needs the whole window."""
        self.presentation.end()
        if self.welcome is not None:
            self.welcome.release()
        self.tour.start()

    def toggle_presentation(self) -> None:
        """Present the panel in front, or end the presentation."""
        self.tour.end()
        if self.welcome is not None:
            self.welcome.release()
        self.presentation.toggle()

    def show_user_guide(self, panel: str, page: str = "") -> UserGuideDialog:
        """Show the user guide at a page, by its path in ``docs``; or else at the section on a
        panel, or with "" at its contents.
        """
        dialog = open_one(
            self._window,
            UserGuideDialog,
            lambda: UserGuideDialog(self._context.theme, self._window),
        )
        dialog.visit(Place(page) if page else place_of_panel(panel))
        return dialog

    def show_log(self) -> None:
        open_one(self._window, LogDialog, lambda: LogDialog(self._window))

    def show_about(self) -> None:
        open_one(self._window, AboutDialog, lambda: AboutDialog(self._context.theme, self._window))

    def report(self) -> str:
        """A report for the maintainers without an error."""
        return report(self._context.session, ())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the presentation before the window closes and saves its layout."""
        if watched is self._window and event.type() == QEvent.Type.Close:
            self._release()
        return False

    def _release(self) -> None:
        self.presentation.end()
        self.tour.release()
        if self.welcome is not None:
            self.welcome.release()


class _Window(Protocol):
    """Objects of the window that a guide needs."""

    docks: dict[str, PanelDock]

    def raise_panel(self, key: str) -> None: ...


def guide_of(window: QMainWindow, context: PanelContext) -> Guide:
    """The guide of a window with docks, created when first needed."""
    found = window.findChild(Guide)
    if found is None:
        panels: _Window = window  # type: ignore[assignment]
        found = Guide(window, context, panels.docks, panels.raise_panel)
    return found
