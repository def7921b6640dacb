"""A grid of grey cells to draw on."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from workbench.core.arrays import Doubles
from workbench.corpus.pictures.picture import resize
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import Theme

_MOST_STEPS = 100
_KEYS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class PictureGrid(QWidget):
    """Grey values of a square picture, 0 to 1, changed by mouse or keys.

    Arrows move the focused cell, Space draws and Delete erases it. ``changed`` is emitted after
    each change.
    fine : the same picture in more cells; brush : width of the brush in cells
    """

    changed = Signal()

    def __init__(self, theme: Theme, grey: Doubles, fine: Doubles | None = None) -> None:
        super().__init__()
        self._theme = theme
        self.grey = grey.copy()
        self.erases = False
        self.brush = 1
        # Source of other sizes: the image in more cells, or the last drawing.
        self._fine = self.grey if fine is None else fine
        self._before: list[tuple[Doubles, Doubles]] = []
        self._cell = (0, 0)
        self._last = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=320, least_height=320)

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    def put(self, grey: Doubles, fine: Doubles | None = None) -> None:
        """Replace the values, as a step that can be undone. ``fine`` : the same picture in more
        cells.
        """
        self._remember()
        self.grey = grey.copy()
        self._fine = self.grey if fine is None else fine
        self._show_change()

    def put_image(self, fine: Doubles) -> None:
        """Show an image in the current number of cells."""
        self.put(resize(fine, len(self.grey)), fine)

    def set_size(self, size: int) -> None:
        """Show the picture in another number of cells."""
        if size != len(self.grey):
            self.put(resize(self._fine, size), self._fine)

    def clear(self) -> None:
        self.put(np.zeros_like(self.grey))

    def invert(self) -> None:
        self.put(1.0 - self.grey, 1.0 - self._fine)

    def undo(self) -> None:
        if self._before:
            self.grey, self._fine = self._before.pop()
            self._show_change()

    def cell_rect(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell on the widget."""
        whole = self._whole()
        side = whole.width() / len(self.grey)
        return QRectF(whole.left() + column * side, whole.top() + row * side, side, side)

    def _whole(self) -> QRectF:
        side = min(self.width(), self.height()) - 2
        return QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)

    def _remember(self) -> None:
        self._before = [*self._before[1 - _MOST_STEPS :], (self.grey.copy(), self._fine)]

    def _show_change(self) -> None:
        last = len(self.grey) - 1
        self._cell = (min(self._cell[0], last), min(self._cell[1], last))
        self.update()
        self.changed.emit()

    def _cell_at(self, place: QPointF) -> tuple[int, int]:
        whole, size = self._whole(), len(self.grey)
        row = int((place.y() - whole.top()) / whole.height() * size)
        column = int((place.x() - whole.left()) / whole.width() * size)
        return min(max(row, 0), size - 1), min(max(column, 0), size - 1)

    def _draw_line(self, start: tuple[int, int], end: tuple[int, int], erases: bool) -> None:
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1])) + 1
        rows = np.linspace(start[0], end[0], steps).round().astype(np.intp)
        columns = np.linspace(start[1], end[1], steps).round().astype(np.intp)
        # Values that an undo step, or other sizes, may need are never changed in place.
        self.grey = self._fine = self.grey.copy()
        value = 0.0 if erases else 1.0
        before = (self.brush - 1) // 2
        for row, column in zip(rows - before, columns - before, strict=True):
            above, left = max(row, 0), max(column, 0)
            self.grey[above : row + self.brush, left : column + self.brush] = value
        self._show_change()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return
        self._remember()
        self._cell = self._last = self._cell_at(event.position())
        self._draw_line(self._cell, self._cell, self._erasing(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & (Qt.MouseButton.LeftButton | Qt.MouseButton.RightButton):
            self._cell = self._cell_at(event.position())
            self._draw_line(self._last, self._cell, self._erasing(event))
            self._last = self._cell

    def _erasing(self, event: QMouseEvent) -> bool:
        right = Qt.MouseButton.RightButton
        return self.erases or event.button() == right or bool(event.buttons() & right)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        elif key in _KEYS:
            last = len(self.grey) - 1
            row, column = (at + step for at, step in zip(self._cell, _KEYS[key], strict=True))
            self._cell = (min(max(row, 0), last), min(max(column, 0), last))
            self.update()
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Delete):
            self._remember()
            erases = self.erases or key == Qt.Key.Key_Delete
            self._draw_line(self._cell, self._cell, erases)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self._theme.palette
        cells = np.ascontiguousarray((np.clip(self.grey, 0.0, 1.0) * 255).round(), dtype=np.uint8)
        size = len(cells)
        image = QImage(cells.data, size, size, size, QImage.Format.Format_Grayscale8)
        whole = self._whole()
        painter.drawImage(whole, image, QRectF(0, 0, size, size))
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.drawRect(whole)
        if self.hasFocus():
            painter.setPen(QPen(QColor(palette.accent), 2))
            painter.drawRect(self.cell_rect(*self._cell))
