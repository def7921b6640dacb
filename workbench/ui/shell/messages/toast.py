"""Brief messages in the corner of the window that disappear by themselves, with one button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QMainWindow,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import SPACE_2, SPACE_3, SPACE_4, scaled_length
from workbench.ui.base.theme import Theme
from workbench.ui.shell.dock import PanelDock

# Milliseconds that a toast is shown while the window is active and the pointer is not over it.
STAY_MS = 8000
_WIDTH = 340


class FloatingCard(QFrame):
    """Rounded card that floats over the window. ``changed`` is emitted when its height changes, and
    when it disappears.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.theme = theme

    @property
    def is_pointed_at(self) -> bool:
        """Whether the pointer is over the card. Qt's own ``underMouse`` uses the card's position
        when it was first shown.
        """
        return self.rect().contains(self.mapFromGlobal(QCursor.pos()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self.theme.palette.edge))
        painter.setBrush(QColor(self.theme.palette.surface))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 8, 8)
        painter.end()


class Toast(FloatingCard):
    """A card with ``text``; ``button`` runs ``action``, the cross closes it; then ``left`` is
    emitted. It takes no focus by itself.
    """

    left = Signal()

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        title: str,
        text: str,
        button: str,
        action: Callable[[], object],
    ) -> None:
        super().__init__(theme, window)
        self.setObjectName("toast")
        self.setAccessibleName(f"{title}. {text}")
        head, below = kit.label(title, wrap=True), kit.label(text, role="muted", wrap=True)
        if not text:
            below.hide()
        self._action = action
        self.show_button = kit.button(button, role="link", name="toast.show", pressed=self._show)
        self.show_button.setAccessibleName(f"{button}: {title}")
        self.close_button = kit.icon_button(
            theme, "close", "muted", role="quiet", pressed=self.leave
        )
        self.close_button.setObjectName("toast.close")
        self.close_button.setAccessibleName(tr("Close the notification"))
        self.close_button.setToolTip(tr("Close"))
        kit.set_scaled_size(self.close_button, width=24, height=24, icon=13)
        texts = kit.stretch(kit.column(head, below, gap=0))
        parts = (texts, self.show_button, kit.at_top(self.close_button))
        kit.fill(self, kit.row(*parts, margins=(SPACE_3, SPACE_2, SPACE_2, SPACE_2)))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(STAY_MS)
        self._timer.timeout.connect(self.leave)

    def count_down(self, going: bool) -> None:
        """Start or stop the countdown until the toast disappears."""
        if going and not self.is_pointed_at:
            self._timer.start()
        else:
            self._timer.stop()

    @property
    def counting(self) -> bool:
        return self._timer.isActive()

    def leave(self) -> None:
        self._timer.stop()
        self.hide()
        self.left.emit()
        self.deleteLater()

    def _show(self) -> None:
        self.leave()
        self._action()

    def enterEvent(self, event: object) -> None:
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if self.window().isActiveWindow():
            self._timer.start()


class Toasts(QObject):
    """Messages of a window, over the picture in its centre and not over the lists beside it, above
    the panels at the bottom, such as the analogy; the latest is the lowest, above the pinned
    message. They wait until the window is active.
    """

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self.shown: list[Toast] = []
        self._pinned: FloatingCard | None = None
        window.installEventFilter(self)
        theme.changed.connect(self._lay_out)

    def show_toast(self, title: str, text: str, button: str, action: Callable[[], object]) -> Toast:
        """Show a message. Its countdown starts when the window is active."""
        toast = Toast(self._window, self._theme, title, text, button, action)
        toast.left.connect(lambda: self._remove_toast(toast))
        self.shown.append(toast)
        for older in self.shown[:-3]:
            older.leave()
        toast.show()
        # The height of its text is only known once it has the fonts of the style sheet.
        self._lay_out()
        toast.raise_()
        toast.count_down(self._window.isActiveWindow())
        return toast

    def pin(self, message: FloatingCard) -> None:
        """Show a card below all others, for as long as it is visible."""
        self._pinned = message
        message.setParent(self._window)
        message.changed.connect(self._lay_out)

    def _cards(self) -> list[QWidget]:
        """All floating cards, the lowest last."""
        cards: list[QWidget] = [*self.shown]
        if self._pinned is not None and not self._pinned.isHidden():
            cards.append(self._pinned)
        return cards

    def lift(self) -> None:
        """Keep messages in front of a panel that has come to the front."""
        for card in self._cards():
            card.raise_()

    def _remove_toast(self, toast: Toast) -> None:
        if toast in self.shown:
            self.shown.remove(toast)
            self._lay_out()

    def _lay_out(self) -> None:
        bottom = self._floor() - SPACE_2
        width = min(scaled_length(_WIDTH), self._window.width() * 2 // 5)
        right = self._right_end(width)
        for card in reversed(self._cards()):
            layout = card.layout()
            height = 80
            if layout is not None:
                layout.activate()
                height = layout.totalHeightForWidth(width)
            bottom -= height
            card.setGeometry(right - width, bottom, width, height)
            card.raise_()
            bottom -= SPACE_2

    def _right_end(self, width: int) -> int:
        """Right end of the messages: before the right column of panels, if the centre has room for
        them.
        """
        columns = [
            dock.geometry().left()
            for dock in self._docks()
            if dock.kind.area == "right"
            and not dock.isFloating()
            and not dock.visibleRegion().isEmpty()
        ]
        roomy = [left for left in columns if left >= width + 2 * SPACE_4]
        return min([self._window.width(), *roomy]) - SPACE_4

    def _docks(self) -> list[PanelDock]:
        return self._window.findChildren(
            PanelDock, options=Qt.FindChildOption.FindDirectChildrenOnly
        )

    def _floor(self) -> int:
        """The top of the panels at the bottom, or else of the status bar, if it is shown."""
        bar = self._window.statusBar()
        floor = self._window.height()
        if bar is not None and not bar.isHidden():
            floor = bar.geometry().top()
        strips = [
            tab.geometry().top()
            for dock in self._docks()
            if dock.kind.area == "bottom"
            for tab in (dock, *self._window.tabifiedDockWidgets(dock))
            if not tab.isFloating() and not tab.visibleRegion().isEmpty()
        ]
        # A panel that was moved to the top leaves the bottom free.
        return min([floor, *(top for top in strips if top > self._window.height() // 2)])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if self._cards():
            if kind == QEvent.Type.Resize:
                self._lay_out()
            elif kind == QEvent.Type.LayoutRequest:
                # A line or panel below appeared or disappeared; its place follows from the layout.
                QTimer.singleShot(0, self, self._lay_out)
            elif kind in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
                for toast in self.shown:
                    toast.count_down(kind == QEvent.Type.WindowActivate)
        return False
