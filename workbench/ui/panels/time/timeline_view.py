"""The timeline widget: curves over one training with a marker that can be dragged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import LIGHT, Palette, Theme
from workbench.ui.panels.time.painting import LEFT_ROOM, Reel, StripLayout, draw_marker, draw_reel
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import FigureView

_RIGHT, _BOTTOM = 12.0, 38.0
# Maximum distance of a press that grabs the marker.
_REACH = 8.0
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -5,
    Qt.Key.Key_PageDown: 5,
}


class TimeStrips(FigureView):
    """``moved`` carries the state that the marker was moved to; ``held``: the user has grabbed it.

    A click or drag moves the marker to the nearest state, Left and Right by one state, Page up and
    Page down by five, Home and End to the first and the last.
    """

    moved = Signal(int)
    held = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, (Pane(left=False, bottom=False, fixed_y=True),))
        self.reel = Reel()
        self.current = 0
        self._dragging = False
        set_scaled_size(self, least_width=220, least_height=150)

    def sizeHint(self) -> QSize:
        return QSize(380, 340)

    def put(self, reel: Reel, current: int) -> None:
        """Draw other strips, with the marker at this state."""
        self.reel = reel
        self.current = current
        self.update_figure(reel.stretched)

    def set_current(self, current: int) -> None:
        """Move the marker to a state, without a signal."""
        if current != self.current:
            self.current = current
            self.redraw_overlay()

    def x_of(self, state: int) -> float:
        """The x coordinate of a state, in pixels."""
        return float(StripLayout(self.reel, self.frame).x(self.reel.states[state]))

    def _go_to_place(self, place: QPointF) -> None:
        """Move the marker to the nearest state."""
        away = StripLayout(self.reel, self.frame).x(self.reel.states) - place.x()
        self._go_to_state(int(np.abs(away).argmin()))

    def _go_to_state(self, state: int) -> None:
        state = min(max(state, 0), len(self.reel.states) - 1)
        if self.reel.states and state != self.current:
            self.set_current(state)
            self.moved.emit(state)

    # -- painting

    def extent(self, pane: Pane) -> Extent | None:
        if not self.reel.strips:
            return None
        return (0.0, 1.0), (0.0, 1.0)

    def margins(self) -> QMarginsF:
        return QMarginsF(scaled_length(LEFT_ROOM), 0, scaled_length(_RIGHT), scaled_length(_BOTTOM))

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        draw_reel(painter, self.reel, frame, colours)

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        if 0 <= self.current < len(self.reel.states):
            draw_marker(painter, StripLayout(self.reel, frame), self.current, colours)

    def draw_on_paper(self, painter: QPainter, room: QRectF) -> None:
        super().draw_on_paper(painter, room)
        self.draw_overlay(painter, self.paper_frames(room)[0], LIGHT)

    # -- input

    def _is_near_marker(self, place: QPointF) -> bool:
        return bool(self.reel.states) and abs(self.x_of(self.current) - place.x()) <= _REACH

    def point(self, place: QPointF | None) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if place is not None and self._is_near_marker(place):
            shape = Qt.CursorShape.SizeHorCursor
        self.viewport().setCursor(shape)

    def click(self, place: QPointF) -> None:
        if self.reel.states:
            self.held.emit()
            self._go_to_place(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        self._dragging = left and plain and self._is_near_marker(event.position())
        if self._dragging:
            self.held.emit()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._go_to_place(event.position())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._dragging = False
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Home:
            self.walk(Qt.Key.Key_Home)
        super().keyPressEvent(event)

    def walk(self, key: Qt.Key) -> bool:
        last = len(self.reel.states) - 1
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        if key not in ends and key not in _STEPS:
            return False
        self.held.emit()
        self._go_to_state(ends.get(key, self.current + _STEPS.get(key, 0)))
        return True
