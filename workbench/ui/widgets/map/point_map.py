"""A map of words with direct input: dragging, zooming, pointing, and keys."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from workbench.core.language import tr
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count
from workbench.ui.widgets.map.edge_pointers import EdgePointer
from workbench.ui.widgets.map.placed import PlacedMap
from workbench.ui.widgets.map.viewport import inside_polygon, nearest, nearest_towards

# Maximum distance of the pointer from a point that it hits, in pixels.
_REACH = 12.0
# Number of words beyond the edge listed in a tooltip.
_LISTED = 12
# Rotation of a 3D map in radians, for each pixel of a drag and for each key.
_TURN_DRAG, _TURN_KEY = 0.008, 0.12
_STEPS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class PointMap(PlacedMap):
    """Words as points in 2D or 3D, with input by pointer and keyboard.

    Drag pans, or turns a 3D map (Ctrl+drag pans it), the wheel zooms at the pointer, a click
    selects (on the name of a region its words), Ctrl+click adds, a drag with Shift or with the
    lasso selects the enclosed words (with Ctrl adds them), a double click activates, Esc clears.
    Keys: arrows pan or turn, Shift+arrows move from the selected word to the next, + and − zoom, 0
    or Home shows everything, L starts or leaves the lasso, T lets a 3D map turn until a press or a
    turn by hand, Enter activates.
    """

    selected = Signal(list, bool)  # the words, and whether they are added to the selection
    activated = Signal(str)
    hovered = Signal(str)  # "" if there is none
    lasso_changed = Signal(bool)  # started, or left
    walk_ended = Signal(str)  # at the last word in a direction

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._lasso: list[QPointF] | None = None
        self._lassoing = False
        self._turning = False  # a drag turns a 3D map
        self._keyboard_focus = False

    @property
    def lassoing(self) -> bool:
        """Whether a drag selects the enclosed words, without Shift."""
        return self._lassoing

    def take_lasso(self, taken: bool) -> None:
        if taken != self._lassoing:
            self._lassoing = taken
            self._point()
            self.lasso_changed.emit(taken)

    def _point(self) -> None:
        """The cursor that indicates the effect of a press."""
        shape = Qt.CursorShape
        free = shape.CrossCursor if self._lassoing else shape.ArrowCursor
        self.setCursor(
            shape.PointingHandCursor if self._hover >= 0 and not self._lassoing else free
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.draw(painter)
        accent = QColor(self._colours.accent)
        if self._lasso is not None:
            soft = QColor(accent)
            soft.setAlpha(28)
            painter.setPen(QPen(accent, 1.5))
            painter.setBrush(soft)
            painter.drawPolygon(QPolygonF(self._lasso))
        if self._keyboard_focus:
            painter.setPen(QPen(accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def word_at(self, pixel: QPointF) -> str | None:
        """The word under the pointer: that of its point, else of its label, else of the nearest
        point within reach.
        """
        row = self._row_at(pixel)
        if row < 0:
            return None
        return self._word_of(row)

    # -- pointer

    def _row_at(self, pixel: QPointF) -> int:
        placed = self._placed_at(pixel)
        if placed >= 0:
            return len(self._words) + placed
        screen = self._on_screen()
        row = nearest(screen, pixel.x(), pixel.y(), self.radius() + 3.0)
        if row >= 0:
            return row
        for labelled, left, top, width, height in self._placed_labels().boxes(screen):
            if left <= pixel.x() <= left + width and top <= pixel.y() <= top + height:
                return labelled
        if self.region_at(pixel) is not None:
            return -1
        return nearest(screen, pixel.x(), pixel.y(), _REACH)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.turn_slowly(False)
        self._pressed = self._last = event.position()
        self._dragging = False
        self._turning = self.solid and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if self._lassoing or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._lasso = [event.position()]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is None:
            self._hover_over(self._row_at(at))
            return
        if self._lasso is not None:
            self._lasso.append(at)
            self.update()
            return
        if not self._dragging:
            far = (at - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if not far:
                return
            self._dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        moved = at - self._last
        if self._turning:
            self.turn(moved.x() * _TURN_DRAG, moved.y() * _TURN_DRAG)
        else:
            self.pan(moved.x(), moved.y())
        self._last = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            event.ignore()
            return
        add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        lasso, dragged = self._lasso, self._dragging
        self._pressed, self._lasso, self._dragging = None, None, False
        self.update()
        self._point()
        if dragged:
            self._hover_over(self._row_at(event.position()))
            return
        if lasso is not None and len(lasso) > 2:
            corners = np.array([(point.x(), point.y()) for point in lasso], dtype=np.float32)
            inside = inside_polygon(self._all_on_screen(), corners)
            gone = self._points.faded_points
            if gone is not None:
                inside[: len(gone)] &= ~gone
            # Reversed: the most frequent word comes last and is the focused one.
            rows = np.flatnonzero(inside)[::-1]
            if len(rows):
                words = [self._meant_by(row) for row in rows.tolist()]
                self.selected.emit(list(dict.fromkeys(words)), add)
                return
        pointer = self.pointer_at(event.position())
        if pointer is not None:
            self.go_to([self._words[row] for row in pointer.rows])
            return
        row = self._row_at(event.position())
        region = self.region_at(event.position())
        if row >= 0:
            self.selected.emit([self._meant_by(row)], add)
        elif region is not None:
            # Reversed, as with the lasso.
            self.selected.emit(list(region.words[::-1]), add)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            word = self.word_at(event.position())
        else:
            word = None
        if word is not None:
            self.activated.emit(word)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120.0
        if steps:
            self.zoom(1.2**steps, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.zoom(1.0 + event.value(), event.position())
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = QPointF(event.pos())
            pointer = self.pointer_at(at)
            region = self.region_at(at)
            if region is None and self._row_at(at) < 0:
                region = self.region_under(at)
            tip, placed = "", self._placed_at(at)
            if placed >= 0:
                tip = tr("{word}: placed on the finished map", word=self.placed_words[placed])
            elif pointer is not None:
                tip = self._tip_of(pointer)
            elif region is not None:
                tip = region.tip
            QToolTip.showText(event.globalPos(), safe_tip(tip), self)
            return True
        return super().event(event)

    def _tip_of(self, pointer: EdgePointer) -> str:
        named = [self._words[row] for row in pointer.rows[:_LISTED]]
        rest = len(pointer.rows) - len(named)
        words = ", ".join(named)
        if rest:
            words = tr("{words} and {number} more", words=words, number=count(rest))
        return tr("Far outside: {words}. Click to go there.", words=words)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover_over(-1)

    def _hover_over(self, row: int) -> None:
        if row == self._hover:
            return
        self._hover = row
        self._point()
        self.hovered.emit(self.hovered_word or "")
        self.update()

    # -- keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in _STEPS and shift:
            self._walk(*_STEPS[key])
        elif key in _STEPS:
            across, down = _STEPS[key]
            if self.solid:
                self.turn_slowly(False)
                self.turn(across * _TURN_KEY, down * _TURN_KEY)
            else:
                self.pan(-across * self.width() / 10, -down * self.height() / 10)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(0.8)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_0):
            self.turn_slowly(False)
            self.fit()
        elif key == Qt.Key.Key_L and not event.modifiers():
            self.take_lasso(not self._lassoing)
        elif key == Qt.Key.Key_T and not event.modifiers() and self.solid:
            self.turn_slowly(not self.turns_slowly)
        elif key == Qt.Key.Key_Escape and self._marks.selection:
            self.selected.emit([], False)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._marks.selection:
            self.activated.emit(self._marks.selection[-1])
        else:
            super().keyPressEvent(event)

    def _walk(self, across: float, down: float) -> None:
        """Select the next word in a direction, or the first word if none is selected."""
        screen = self._all_on_screen()
        if not len(screen):
            return
        row, start = 0, None
        if self._marks.selection:
            start = self._row_of(self._marks.selection[-1])
        if start is not None:
            row = nearest_towards(screen, start, across, down)
        if row < 0:
            self.walk_ended.emit(self._marks.selection[-1])
            return
        # While the view is still moving, its final state counts.
        self.reveal(self._word_of(row))
        self.selected.emit([self._meant_by(row)], False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keyboard_focus = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._keyboard_focus = False
        self.update()
