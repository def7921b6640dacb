"""A heatmap of words against words that can be zoomed, walked and read cell by cell."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from workbench.analysis.matrix import MatrixResult
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_4, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.matrix_scale import Scale, number

# Room for names at the left and above, and for the scale at the right.
_MOST_LEFT, _MOST_TOP, _SCALE = 150.0, 110.0, 84.0
_LARGEST_CELL = 44.0
# Cells may be wider than tall, so that a wide panel shows more names.
_WIDEST = 2.0
# Names lean by 60°; closer lines than this cannot be read.
_LEAN, _LINE = 60, 11.5
_GRID_FROM, _CRISP_FROM = 9.0, 3.0
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MatrixView(QWidget):
    """Values as colours; NaN, a pair never seen, is hatched and never a value.

    Wheel zooms at the pointer, drag pans, Home shows everything; arrows walk the cells, Return or a
    click picks the pair.
    """

    picked = Signal(str, str)
    hovered = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: MatrixResult | None = None
        self._image: QImage | None = None
        self._scale: Scale | None = None
        self._margins = QSizeF(0, 0)
        # What zooming asks for; what is drawn keeps to whole pixels of the screen.
        self._wanted = QSizeF(10, 10)
        self._origin = QPointF(0, 0)
        self._fitted = True
        self._here: tuple[int, int] | None = None
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 160)
        theme.changed.connect(self._recolour)

    def sizeHint(self) -> QSize:
        return QSize(640, 520)

    @property
    def result(self) -> MatrixResult | None:
        return self._result

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and column under the pointer or the keys."""
        return self._here

    def set_result(self, result: MatrixResult | None) -> None:
        """Show other numbers, or none; the view stays where it is if the words are the same."""
        old, self._result = self._result, result
        if result is None:
            self._image, self._scale, self._here = None, None, None
            self.setAccessibleDescription("")
            self.update()
            return
        self._scale = Scale(result)
        self._recolour()
        if old is None or (old.words, old.columns) != (result.words, result.columns):
            self._here = None
            self._measure(result)
            self.fit()
        self._tell()

    def _recolour(self) -> None:
        result, scale = self._result, self._scale
        if result is None or scale is None:
            return
        share = scale.share(result.values)
        seen = np.isfinite(share)
        places = np.clip(np.where(seen, share, 0) * 255, 0, 255).round().astype(np.uint8)
        pixels = np.empty((*share.shape, 4), dtype=np.uint8)
        pixels[..., :3] = scale.colours(self._theme.palette)[places]
        pixels[..., 3] = np.where(seen, 255, 0)
        rows, columns = share.shape
        # The copy owns its pixels; the array may go.
        self._image = QImage(pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888).copy()
        self.update()

    # -- geometry

    def _measure(self, result: MatrixResult) -> None:
        metrics = QFontMetricsF(body_font(TYPE_SMALL, bold=True))
        longest = max((metrics.horizontalAdvance(word) for word in result.words), default=40.0)
        tallest = max((metrics.horizontalAdvance(word) for word in result.columns), default=40.0)
        lean = math.radians(_LEAN)
        top = min(tallest, _MOST_TOP) * math.sin(lean) + metrics.height() * math.cos(lean)
        self._margins = QSizeF(math.ceil(min(longest, _MOST_LEFT)) + SPACE_4, math.ceil(top) + SPACE_2)

    def _plot(self) -> QRectF:
        """Where cells may be drawn: the widget without names and scale."""
        left, top = self._margins.width(), self._margins.height()
        return QRectF(left, top, max(self.width() - left - _SCALE, 20), max(self.height() - top - SPACE_2, 20))

    def _cell(self) -> QSizeF:
        """Width and height of a cell as drawn."""
        return QSizeF(self._snapped(self._wanted.width()), self._snapped(self._wanted.height()))

    def _snapped(self, length: float) -> float:
        ratio = self.devicePixelRatioF()
        return math.floor(length * ratio) / ratio if length >= _CRISP_FROM else length

    def _least(self) -> QSizeF:
        """The size of cells that shows everything."""
        assert self._result is not None
        rows, columns = self._result.values.shape
        plot = self._plot()
        height = min(plot.height() / rows, _LARGEST_CELL)
        width = min(plot.width() / columns, _LARGEST_CELL)
        return QSizeF(min(width, height * _WIDEST), min(height, width * _WIDEST))

    def fit(self) -> None:
        """Show the whole matrix."""
        if self._result is None:
            return
        self._wanted = self._least()
        self._origin = QPointF(0, 0)
        self._fitted = True
        self.update()

    def _whole(self) -> QRectF:
        """Where all cells are on the widget, seen or not."""
        assert self._result is not None
        cell, plot = self._cell(), self._plot()
        rows, columns = self._result.values.shape
        ratio = self.devicePixelRatioF()
        left = plot.left() - round(self._origin.x() * ratio) / ratio
        top = plot.top() - round(self._origin.y() * ratio) / ratio
        return QRectF(left, top, columns * cell.width(), rows * cell.height())

    def _cell_at(self, position: QPointF) -> tuple[int, int] | None:
        if self._result is None or not self._plot().contains(position):
            return None
        cell, whole = self._cell(), self._whole()
        column = math.floor((position.x() - whole.left()) / cell.width())
        row = math.floor((position.y() - whole.top()) / cell.height())
        rows, columns = self._result.values.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Where a cell is on the widget."""
        cell, whole = self._cell(), self._whole()
        return QRectF(
            QPointF(whole.left() + column * cell.width(), whole.top() + row * cell.height()),
            cell,
        )

    def _clamp(self) -> None:
        if self._result is None:
            return
        plot, whole = self._plot(), self._whole()
        right, down = max(whole.width() - plot.width(), 0), max(whole.height() - plot.height(), 0)
        self._origin = QPointF(min(max(self._origin.x(), 0), right), min(max(self._origin.y(), 0), down))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Make cells larger or smaller, keeping the one at ``at`` in its place."""
        if self._result is None:
            return
        least, before = self._least(), self._cell()
        most = max(2 * _LARGEST_CELL / least.height(), 1.0)
        level = min(max(self._wanted.height() * factor / least.height(), 1.0), most)
        self._wanted = least * level
        self._fitted = level <= 1.0
        after, plot = self._cell(), self._plot()
        pivot = (at or plot.center()) - plot.topLeft()
        self._origin = QPointF(
            (self._origin.x() + pivot.x()) * after.width() / before.width() - pivot.x(),
            (self._origin.y() + pivot.y()) * after.height() / before.height() - pivot.y(),
        )
        self._clamp()
        self.update()

    # -- events

    def resizeEvent(self, event: object) -> None:
        if self._fitted:
            self.fit()
        else:
            self._clamp()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y(), event.position())
        self._move_to(self._cell_at(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position() - self._pressed
            if self._dragged or moved.manhattanLength() > 4:
                self._dragged = True
                self._origin -= moved
                self._pressed = event.position()
                self._clamp()
                self.update()
            return
        self._move_to(self._cell_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            self._move_to(self._cell_at(event.position()))
            self._pick()
        self._pressed = None

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            self._move_to(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._result is not None and key in _STEPS:
            rows, columns = self._result.values.shape
            row, column = self._here or (0, 0)
            down, right = _STEPS[key] if self._here is not None else (0, 0)
            self._move_to((min(max(row + down, 0), rows - 1), min(max(column + right, 0), columns - 1)))
            self._show_here()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick()
        elif key == Qt.Key.Key_Home:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25, self._at_here())
        elif key == Qt.Key.Key_Minus:
            self.zoom(0.8, self._at_here())
        else:
            super().keyPressEvent(event)

    def _at_here(self) -> QPointF | None:
        return self.cell_rect(*self._here).center() if self._here is not None else None

    def _move_to(self, cell: tuple[int, int] | None) -> None:
        if cell == self._here:
            return
        self._here = cell
        self.hovered.emit(*(cell or (-1, -1)))
        self._tell()
        self.update()

    def _show_here(self) -> None:
        """Pan so that the cell under the keys is in sight."""
        if self._here is None:
            return
        cell, plot = self.cell_rect(*self._here), self._plot()
        right = max(cell.right() - plot.right(), 0) + min(cell.left() - plot.left(), 0)
        down = max(cell.bottom() - plot.bottom(), 0) + min(cell.top() - plot.top(), 0)
        self._origin += QPointF(right, down)
        self._clamp()

    def _pick(self) -> None:
        if self._here is not None and self._result is not None:
            row, column = self._here
            self.picked.emit(self._result.words[row], self._result.columns[column])

    def describe(self, cell: tuple[int, int] | None) -> str:
        """The numbers of a cell in words; "" outside."""
        result = self._result
        if result is None or cell is None:
            return ""
        row, column = cell
        pair = f"{result.words[row]} · {result.columns[column]}"
        value = float(result.values[row, column])
        if math.isnan(value):
            return f"{pair}: never seen together"
        text = f"{pair}: {number(value)}"
        if result.counts is not None and result.kind != "count":
            text += f"   #(w, c) {number(float(result.counts[row, column]))}"
        return text

    def _tell(self) -> None:
        if self._result is not None:
            rows, columns = self._result.values.shape
            here = self.describe(self._here)
            self.setAccessibleDescription(f"{self._result.label}, {rows} × {columns} words. {here}".strip())

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter, self._here)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def picture(self, scale: float = 2.0) -> QImage:
        """What is seen, without the pointer's cell, at ``scale`` pixels per unit of length."""
        image = QImage((QSizeF(self.size()) * scale).toSize(), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        painter = QPainter(image)
        self._paint(painter, None)
        painter.end()
        return image

    def _paint(self, painter: QPainter, here: tuple[int, int] | None) -> None:
        colours = self._theme.palette
        painter.fillRect(self.rect(), QColor(colours.surface))
        if self._result is None or self._image is None:
            return
        plot, whole, cell = self._plot(), self._whole(), self._cell()
        seen = whole.intersected(plot)
        painter.save()
        painter.setClipRect(seen)
        self._paint_hatching(painter, seen, whole.topLeft())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, min(cell.width(), cell.height()) < 1)
        painter.drawImage(whole, self._image)
        if min(cell.width(), cell.height()) >= _GRID_FROM:
            self._paint_grid(painter, seen, whole)
        if here is not None:
            # Two rings: one of them stands out from whatever colour lies under it.
            ring = self.cell_rect(*here)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, inset in ((colours.text, -1), (colours.surface, 1)):
                painter.setPen(QPen(QColor(colour), 2, j=Qt.PenJoinStyle.MiterJoin))
                painter.drawRect(ring.adjusted(inset, inset, -inset - 1, -inset - 1))
        painter.restore()
        self._paint_names(painter, plot, here or (-1, -1))
        self._paint_scale(painter, plot, seen.bottom(), seen.right())

    def _paint_hatching(self, painter: QPainter, seen: QRectF, anchor: QPointF) -> None:
        """The ground of pairs never seen: thin lines through all of them, moving with the cells."""
        painter.fillRect(seen, QColor(self._theme.palette.unobserved))
        ink = QColor(self._theme.palette.muted)
        ink.setAlpha(55)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1))
        pitch, height = 6.0, seen.height()
        # Lines rise to the right: x + y is the same along each.
        first = anchor.x() + anchor.y()
        at = first + math.ceil((seen.left() + seen.top() - first) / pitch) * pitch
        while at < seen.right() + seen.bottom():
            painter.drawLine(QPointF(at - seen.top(), seen.top()), QPointF(at - seen.top() - height, seen.bottom()))
            at += pitch
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_grid(self, painter: QPainter, seen: QRectF, whole: QRectF) -> None:
        line, cell = QColor(self._theme.palette.surface), self._cell()
        for column in range(1, round(whole.width() / cell.width())):
            x = whole.left() + column * cell.width()
            painter.fillRect(QRectF(x - 1, seen.top(), 1, seen.height()), line)
        for row in range(1, round(whole.height() / cell.height())):
            y = whole.top() + row * cell.height()
            painter.fillRect(QRectF(seen.left(), y - 1, seen.width(), 1), line)

    def _paint_names(self, painter: QPainter, plot: QRectF, here: tuple[int, int]) -> None:
        assert self._result is not None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(body_font(TYPE_SMALL))
        cell, whole = self._cell(), self._whole()
        for row in _named(len(self._result.words), cell.height(), here[0]):
            y = whole.top() + (row + 0.5) * cell.height()
            if not plot.top() <= y <= plot.bottom():
                continue
            self._pen(painter, row == here[0])
            text = metrics.elidedText(self._result.words[row], Qt.TextElideMode.ElideRight, _MOST_LEFT)
            area = QRectF(0, y - 10, plot.left() - SPACE_2, 20)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        pitch = cell.width() * math.sin(math.radians(_LEAN))
        for column in _named(len(self._result.columns), pitch, here[1]):
            x = whole.left() + (column + 0.5) * cell.width()
            if not plot.left() <= x <= plot.right():
                continue
            self._pen(painter, column == here[1])
            text = metrics.elidedText(self._result.columns[column], Qt.TextElideMode.ElideRight, _MOST_TOP)
            painter.save()
            painter.translate(x, plot.top() - SPACE_1)
            painter.rotate(-_LEAN)
            painter.drawText(QPointF(0, metrics.ascent() / 2 - 1), text)
            painter.restore()

    def _pen(self, painter: QPainter, chosen: bool) -> None:
        colours = self._theme.palette
        painter.setFont(body_font(TYPE_SMALL, bold=chosen))
        painter.setPen(QColor(colours.text if chosen else colours.muted))

    def _paint_scale(self, painter: QPainter, plot: QRectF, bottom: float, right: float) -> None:
        assert self._result is not None
        assert self._scale is not None
        colours = self._theme.palette
        unseen = bool(np.isnan(self._result.values).any())
        height = math.floor(min(bottom - plot.top() - (28 if unseen else 0), 220.0))
        if height < 60:
            return
        table = self._scale.colours(colours)
        strip = QImage(np.ascontiguousarray(table[::-1]).tobytes(), 1, 256, 3, QImage.Format.Format_RGB888).copy()
        area = QRectF(round(min(right + SPACE_4, self.width() - _SCALE + SPACE_4)), plot.top(), 12, height)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, strip)
        painter.setFont(body_font(TYPE_SMALL, tabular=True))
        for share, text in self._scale.ticks():
            y = area.bottom() - share * area.height()
            painter.fillRect(QRectF(area.right(), y - 0.5, 3, 1), QColor(colours.muted))
            painter.setPen(QColor(colours.muted))
            painter.drawText(QRectF(area.right() + 6, y - 8, 60, 16), Qt.AlignmentFlag.AlignVCenter, text)
        if unseen:
            box = QRectF(area.left(), area.bottom() + SPACE_4, 12, 12)
            painter.save()
            painter.setClipRect(box)
            self._paint_hatching(painter, box, box.topLeft())
            painter.restore()
            painter.drawText(QRectF(box.right() + 6, box.top() - 3, 60, 18), Qt.AlignmentFlag.AlignVCenter, "unseen")


def _named(length: int, pitch: float, here: int) -> list[int]:
    """Which of ``length`` lines ``pitch`` apart are named: as many as can be read, and always ``here``."""
    stride = max(1, math.ceil(_LINE / pitch))
    return [n for n in range(length) if n == here or (n % stride == 0 and (here < 0 or abs(n - here) >= stride))]
