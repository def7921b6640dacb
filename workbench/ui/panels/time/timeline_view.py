"""The timeline widget: curves over one training with a marker that can be dragged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from workbench.ui.panels.time.painting import Reel, StripLayout, draw_marker, draw_reel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import Theme


class TimeStrips(QWidget):
    """``moved`` tells the state that the marker was dragged or walked to; ``held`` that a hand has
    taken it.

    Press or drag: the nearest state. Left, Right: one state; Page up, Page down: five; Home, End:
    the first, the last.
    """

    moved = Signal(int)
    held = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.reel = Reel()
        self.current = 0
        self._still = QPixmap()
        self._layout: StripLayout | None = None
        self._keyboard_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        set_scaled_size(self, least_width=220, least_height=150)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(380, 340)

    def put(self, reel: Reel, current: int) -> None:
        """Draw others, with the marker at this state."""
        self.reel = reel
        self.current = current
        self._redraw()

    def set_current(self, current: int) -> None:
        """Move the marker to a state, without a signal."""
        if current != self.current:
            self.current = current
            self.update()

    def x_of(self, state: int) -> float:
        """The x coordinate of a state, in pixels."""
        return float(StripLayout(self.reel, QRectF(self.rect())).x(self.reel.states[state]))

    def _nearest_state(self, across: float) -> int:
        layout = self._layout or StripLayout(self.reel, QRectF(self.rect()))
        return int(np.abs(layout.x(self.reel.states) - across).argmin())

    def _go_to_state(self, state: int) -> None:
        state = min(max(state, 0), len(self.reel.states) - 1)
        if self.reel.states and state != self.current:
            self.current = state
            self.update()
            self.moved.emit(state)

    # -- hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.reel.states:
            self.held.emit()
            self._go_to_state(self._nearest_state(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.reel.states:
            self._go_to_state(self._nearest_state(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_PageUp: -5,
            Qt.Key.Key_PageDown: 5,
            Qt.Key.Key_Home: -len(self.reel.states),
            Qt.Key.Key_End: len(self.reel.states),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self.held.emit()
        self._go_to_state(self.current + step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keyboard_focus = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._keyboard_focus = False
        self.update()

    # -- drawing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def _redraw(self) -> None:
        self._still = QPixmap()
        self._layout = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.reel.strips:
            return
        ratio = self.devicePixelRatioF()
        if self._layout is None or self._still.devicePixelRatioF() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            still = QPainter(self._still)
            self._layout = draw_reel(still, self.reel, QRectF(self.rect()), self._theme.palette)
            still.end()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._still)
        if 0 <= self.current < len(self.reel.states):
            draw_marker(painter, self._layout, self.current, self._theme.palette)
        if self._keyboard_focus:
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()
