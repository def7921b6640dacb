"""Dock of a panel: no frame, and a slim title only if no tab shows its name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolButton, QWidget

from workbench.core import plug_ins
from workbench.core.language import tr
from workbench.core.logs import LOG
from workbench.ui import kit
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PanelKind, PanelPage
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, Theme

_HEIGHT = 28
# Gap between a window and a panel beside it, and offset of a panel over the window.
_GAP, _OFFSET = 8, 48


def _empty_panel(kind: type[PanelKind]) -> type[Panel]:
    """A panel with the name and place of a kind, but without its content."""
    return type("EmptyPanel", (kind, Panel), {"requests": {}, "fixed_pages": ()})


class PanelDock(QDockWidget):
    """Dock of one panel, which is created when it is first requested or shown. The title bar is
    hidden while the dock is one of several tabs.
    """

    panel_created = Signal(Panel)

    def __init__(self, kind: type[PanelKind], context: PanelContext, window: QMainWindow) -> None:
        super().__init__(kind.title, window)
        self.kind = kind
        self._context = context
        self._panel: Panel | None = None
        self.setObjectName(f"dock.{kind.key}")
        self.setAccessibleName(kind.title)
        self._window = window
        self._theme = context.theme
        self._title = DockTitle(self, context.theme)
        self.setTitleBarWidget(self._title)
        # Before Qt asks for sizes: a title that is hidden later would still take its height.
        self.refresh_title()
        self.visibilityChanged.connect(self.refresh_panel)
        self._followed = [
            (getattr(context.session.requests, request), partial(self._answer, method))
            for request, method in kind.requests.items()
        ]
        for request, slot in self._followed:
            request.connect(slot)

    @property
    def panel(self) -> Panel:
        if self._panel is None:
            self._panel = panel = self._make_panel()
            # The panel keeps its place in the layout while it is hidden, so that no tab changes the
            # sizes of others.
            policy = panel.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            panel.setSizePolicy(policy)
            # Without a parent, the panel would be shown as a window, which takes the focus.
            panel.setParent(self)
            panel.setVisible(self._in_front())
            self.setWidget(panel)
            self._title.hold(panel)
            self.refresh_panel()
            self.panel_created.emit(panel)
        return self._panel

    def _make_panel(self) -> Panel:
        """The panel, or, if it belongs to another package and fails, one that says so."""
        try:
            panel: Panel = self.kind.panel_class()(self._context)
        except Exception as error:
            if not plug_ins.is_plug_in(self.kind.__module__):
                raise
            LOG.exception("the panel %s of %s", self.kind.key, self.kind.__module__)
            panel = _empty_panel(self.kind)(self._context)
            panel.show_error(
                tr(
                    "This panel isn’t available: {reason}.",
                    reason=f"{type(error).__name__}: {error}",
                ),
                tr("Update or uninstall the package that it is from."),
            )
        return panel

    @property
    def pages(self) -> Sequence[PanelPage]:
        """The pages of the panel; creates the panel only if its kind doesn't declare them."""
        if self.is_made or self.kind.fixed_pages is None:
            return self.panel.offered_pages()
        return self.kind.fixed_pages

    def _answer(self, method: str, *arguments: object) -> None:
        """Carry out a request that arrives before the panel exists; later requests reach the panel
        itself.
        """
        if not self.is_made and self._context.desk.is_front(self._context):
            getattr(self.panel, method)(*arguments)

    def release(self) -> None:
        """Release the panel; from now on, requests no longer create one."""
        for request, slot in self._followed:
            request.disconnect(slot)
        if self._panel is not None:
            self._panel.release()

    @property
    def is_made(self) -> bool:
        return self._panel is not None

    def _in_front(self) -> bool:
        place = self.geometry()
        return self.isVisible() and (
            self.isFloating() or (place.right() >= 0 and place.bottom() >= 0)
        )

    def refresh_panel(self) -> None:
        """Hide the panel of a tab that is not in front: Qt only moves its dock out of the window,
        where all its widgets would count as visible and continue computing.
        """
        in_front = self._in_front()
        if in_front or self.is_made:
            self.panel.setVisible(in_front)

    def toggle_floating(self) -> None:
        """Dock the panel, or undock it: beside the window if there is room, else over it, but away
        from the edges of its old place, where it would look like a part of the window.
        """
        if self.isFloating():
            self.setFloating(False)
            return
        place = QRect(self.mapToGlobal(QPoint()), self.size())
        self.setFloating(True)
        screen = self._window.screen().availableGeometry()
        self.setGeometry(place_beside(place, self._window.frameGeometry(), screen))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame of a floating panel, which has none of the system."""
        if self.isFloating():
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(self._theme.palette.ground))
            painter.setPen(QColor(self._theme.palette.edge))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()
        else:
            super().paintEvent(event)

    def refresh_title(self) -> None:
        """Show the title if the dock floats or is alone; a bar at the bottom has no room for a
        title.
        """
        beside = any(not dock.isHidden() for dock in self._window.tabifiedDockWidgets(self))
        needless = beside or self.kind.area == "bottom"
        self._title.collapse(needless and not self.isFloating())


class DockTitle(QWidget):
    """The panel's name in small capitals, a button that detaches it and one that closes it."""

    def __init__(self, dock: PanelDock, theme: Theme) -> None:
        super().__init__()
        self._dock = dock
        self._theme = theme
        self._collapsed = False
        self._label = kit.label(dock.windowTitle().upper(), role="heading")
        self._label.setAccessibleName(dock.windowTitle())
        self._float = self._button("float", tr("Undock or dock"))
        self._float.clicked.connect(dock.toggle_floating)
        self._close = self._button("close", tr("Close. Reopen it from the View menu."))
        self._close.clicked.connect(dock.close)
        title = (self._label, kit.stretch(), self._float, self._close)
        self._row = kit.row(*title, gap=0, margins=(dock.kind.indent, 0, SPACE_1, 0))
        kit.fill(self, self._row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._dock.toggle_floating()

    def collapse(self, collapsed: bool) -> None:
        if collapsed != self._collapsed:
            self._collapsed = collapsed
            for widget in (self._label, self._float, self._close):
                widget.setVisible(not collapsed)
            self.setMaximumHeight(0 if collapsed else scaled_length(_HEIGHT))
            self.updateGeometry()
            if self._dock.is_made:
                self.hold(self._dock.panel)

    def hold(self, panel: Panel) -> None:
        """Let the panel show in its title, if that is visible, which text its model is from: a flat
        panel has no room for another line.
        """
        if self._collapsed:
            panel.place_origin(None)
        else:
            panel.place_origin(self._row, 1)

    def sizeHint(self) -> QSize:
        return QSize(60, 0 if self._collapsed else scaled_length(_HEIGHT))

    # Not a method that calls the other: Qt asks thousands of times while a window is built.
    minimumSizeHint = sizeHint

    def _button(self, icon: str, tip: str) -> QToolButton:
        button = kit.icon_button(self._theme, icon, "muted", role="quiet")
        button.setObjectName(f"dock.{self._dock.kind.key}.{icon}")
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        button.setToolTip(safe_tip(tip))
        return kit.set_scaled_size(button, width=22, height=22, icon=13)


def place_beside(place: QRect, window: QRect, screen: QRect) -> QRect:
    """A rectangle as large as ``place``, to the right or left of the window if the screen has room,
    else at the right edge of the window, where it covers no first tab, or moved away from
    ``place``, within the screen. Where the screen has no room to move it, it becomes smaller.
    """
    size = place.size().boundedTo(screen.size())
    left = window.left() - _GAP - size.width()
    for x in (window.right() + 1 + _GAP, left):
        if screen.left() <= x and x + size.width() <= screen.left() + screen.width():
            top = min(place.top(), screen.bottom() + 1 - size.height())
            return QRect(QPoint(x, max(top, screen.top())), size)
    edge = min(window.right(), screen.right()) + 1 - _GAP - size.width()
    if edge - place.left() >= _OFFSET:
        return within(QRect(QPoint(edge, place.top()), size), screen)
    place = within(place, screen)
    x, width = _set_off(place.left(), place.width(), screen.left(), screen.width())
    y, height = _set_off(place.top(), place.height(), screen.top(), screen.height())
    return QRect(x, y, width, height)


def _set_off(start: int, length: int, low: int, room: int) -> tuple[int, int]:
    """Start and length of an interval within ``room`` pixels from ``low`` whose ends are away from
    those of another: later, earlier, or inside it.
    """
    if start + length + _OFFSET <= low + room:
        return start + _OFFSET, length
    if start - _OFFSET >= low:
        return start - _OFFSET, length
    return start + _OFFSET, length - 2 * _OFFSET


def within(place: QRect, screen: QRect) -> QRect:
    """The rectangle, made smaller if necessary and moved, so that it is within the screen."""
    size = place.size().boundedTo(screen.size())
    x = max(min(place.left(), screen.left() + screen.width() - size.width()), screen.left())
    y = max(min(place.top(), screen.top() + screen.height() - size.height()), screen.top())
    return QRect(QPoint(x, y), size)
