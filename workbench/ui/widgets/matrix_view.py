"""A heatmap of words against words that can be zoomed, walked and read cell by cell."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
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
from workbench.ui.text import MINUS, decimal
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_4, TYPE_SMALL, Palette, Theme, body_font

_Colours = npt.NDArray[np.uint8]

# Room for names at the left and above, and for the scale at the right.
_MOST_LEFT, _MOST_TOP, _SCALE = 150.0, 110.0, 74.0
_LARGEST_CELL = 44.0


@cache
def sequential_colours() -> _Colours:
    """uint8[256, 3], viridis: perceptually even, safe for the colour-blind."""
    import pyqtgraph

    return np.asarray(pyqtgraph.colormap.get("viridis").getLookupTable(0.0, 1.0, 256), dtype=np.uint8)[:, :3]


def diverging_colours(palette: Palette) -> _Colours:
    """uint8[256, 3] from below 0 over a neutral middle to above."""
    low, middle, high = (_channels(name) for name in palette.diverging)
    half = np.linspace(0, 1, 128)[:, None]
    lower, upper = low + (middle - low) * half, middle + (high - middle) * half
    return np.concatenate([lower, upper]).round().astype(np.uint8)


def _channels(colour: str) -> npt.NDArray[np.float64]:
    made = QColor(colour)
    return np.array([made.red(), made.green(), made.blue()], dtype=np.float64)


class Scale:
    """How values become colours: ``low``..``high``, evenly, or by logarithm for counts."""

    def __init__(self, result: MatrixResult) -> None:
        seen = result.values[np.isfinite(result.values)]
        self.logarithmic = result.kind == "count"
        largest = float(np.abs(seen).max()) if len(seen) else 1.0
        if result.centre0:
            self.low, self.high = -(largest or 1.0), largest or 1.0
        else:
            self.low, self.high = 0.0, float(seen.max()) if len(seen) and seen.max() > 0 else 1.0

    def share(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """0..1 along the scale; NaN stays NaN."""
        if self.logarithmic:
            return np.log1p(values) / math.log1p(self.high)
        return (values - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """(share, text) of a few values along the scale."""
        if self.logarithmic:
            top = int(math.log10(max(self.high, 1)))
            values = [0.0, *(10.0**power for power in range(0, top + 1, max(1, top // 4)))]
        else:
            values = list(np.linspace(self.low, self.high, 5))
        shares = self.share(np.array(values, dtype=float))
        return [(float(s), _tick(v)) for s, v in zip(shares, values, strict=True)]


def _tick(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else decimal(value + 0.0, 2)


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
        self._cell = 10.0
        self._origin = QPointF(0, 0)
        self._fitted = True
        self._here: tuple[int, int] | None = None
        self._pressed: QPointF | None = None
        self._dragged = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 200)
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

    def set_result(self, result: MatrixResult) -> None:
        """Show other numbers; the view stays where it is if the words are the same."""
        same = self._result is not None and (self._result.words, self._result.columns) == (result.words, result.columns)
        self._result = result
        self._scale = Scale(result)
        self._recolour()
        if not same:
            self._here = None
            self.fit()
        self._tell()

    def _recolour(self) -> None:
        result, scale = self._result, self._scale
        if result is None or scale is None:
            return
        colours = diverging_colours(self._theme.palette) if result.centre0 else sequential_colours()
        share = scale.share(result.values)
        seen = np.isfinite(share)
        places = np.clip(np.where(seen, share, 0) * 255, 0, 255).round().astype(np.uint8)
        pixels = np.empty((*share.shape, 4), dtype=np.uint8)
        pixels[..., :3] = colours[places]
        pixels[..., 3] = np.where(seen, 255, 0)
        rows, columns = share.shape
        # The copy owns its pixels; the array may go.
        self._image = QImage(pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888).copy()
        self.update()

    # -- geometry

    def _font(self) -> QFont:
        return body_font(TYPE_SMALL)

    def _plot(self) -> QRectF:
        """Where cells may be drawn: the widget without names and scale."""
        if self._result is None:
            return QRectF(self.rect())
        metrics = QFontMetricsF(self._font())
        longest = max((metrics.horizontalAdvance(word) for word in self._result.words), default=40.0)
        tallest = max((metrics.horizontalAdvance(word) for word in self._result.columns), default=40.0)
        left = min(longest, _MOST_LEFT) + SPACE_4
        # Column names lean by 60°, so they take up sin 60° of their length.
        top = min(tallest, _MOST_TOP) * 0.87 + SPACE_4
        return QRectF(left, top, max(self.width() - left - _SCALE, 20), max(self.height() - top - SPACE_2, 20))

    def fit(self) -> None:
        """Show the whole matrix."""
        if self._result is None:
            return
        plot = self._plot()
        rows, columns = self._result.values.shape
        self._cell = min(plot.width() / columns, plot.height() / rows, _LARGEST_CELL)
        self._origin = QPointF(0, 0)
        self._fitted = True
        self.update()

    def _cell_at(self, position: QPointF) -> tuple[int, int] | None:
        if self._result is None:
            return None
        plot = self._plot()
        if not plot.contains(position):
            return None
        column = math.floor((position.x() - plot.left() + self._origin.x()) / self._cell)
        row = math.floor((position.y() - plot.top() + self._origin.y()) / self._cell)
        rows, columns = self._result.values.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Where a cell is on the widget."""
        plot = self._plot()
        return QRectF(
            plot.left() - self._origin.x() + column * self._cell,
            plot.top() - self._origin.y() + row * self._cell,
            self._cell,
            self._cell,
        )

    def _clamp(self) -> None:
        if self._result is None:
            return
        plot = self._plot()
        rows, columns = self._result.values.shape
        room = QPointF(max(columns * self._cell - plot.width(), 0), max(rows * self._cell - plot.height(), 0))
        self._origin = QPointF(min(max(self._origin.x(), 0), room.x()), min(max(self._origin.y(), 0), room.y()))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Make cells larger or smaller, keeping the one at ``at`` in its place."""
        if self._result is None:
            return
        plot = self._plot()
        rows, columns = self._result.values.shape
        least = min(plot.width() / columns, plot.height() / rows, _LARGEST_CELL)
        cell = min(max(self._cell * factor, least), 2 * _LARGEST_CELL)
        pivot = (at or plot.center()) - plot.topLeft()
        self._origin = (self._origin + pivot) * (cell / self._cell) - pivot
        self._cell = cell
        self._fitted = cell <= least
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
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        key = Qt.Key(event.key())
        if self._result is not None and key in steps:
            rows, columns = self._result.values.shape
            row, column = self._here or (0, 0)
            down, right = steps[key] if self._here is not None else (0, 0)
            self._move_to((min(max(row + down, 0), rows - 1), min(max(column + right, 0), columns - 1)))
            self._show_here()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick()
        elif key == Qt.Key.Key_Home:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom(0.8)
        else:
            super().keyPressEvent(event)

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
        value = result.values[row, column]
        if math.isnan(value):
            return f"{pair}: never seen together"
        text = f"{pair}: {decimal(float(value), 4)}"
        if result.counts is not None and result.kind != "count":
            text += f"   #(w, c) {decimal(float(result.counts[row, column]), 4)}"
        return text

    def _tell(self) -> None:
        if self._result is not None:
            rows, columns = self._result.values.shape
            here = self.describe(self._here)
            self.setAccessibleDescription(f"{self._result.label}, {rows} × {columns} words. {here}".strip())

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = self._theme.palette
        painter.fillRect(self.rect(), QColor(colours.surface))
        if self._result is None or self._image is None:
            return
        plot = self._plot()
        rows, columns = self._result.values.shape
        whole = QRectF(plot.topLeft() - self._origin, plot.topLeft() - self._origin)
        whole = QRectF(whole.left(), whole.top(), columns * self._cell, rows * self._cell)
        painter.save()
        painter.setClipRect(plot)
        seen = whole.intersected(plot)
        painter.fillRect(seen, QColor(colours.unobserved))
        painter.fillRect(seen, QBrush(QColor(colours.line), Qt.BrushStyle.BDiagPattern))
        painter.drawImage(whole, self._image)
        if self._cell >= 9:
            self._paint_grid(painter, whole, rows, columns)
        if self._here is not None:
            painter.setPen(QPen(QColor(colours.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.cell_rect(*self._here))
        painter.restore()
        self._paint_names(painter, plot)
        self._paint_scale(painter, plot, min(whole.bottom(), plot.bottom()), min(whole.right(), plot.right()))
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_grid(self, painter: QPainter, whole: QRectF, rows: int, columns: int) -> None:
        painter.setPen(QPen(QColor(self._theme.palette.surface), 1))
        for row in range(1, rows):
            y = round(whole.top() + row * self._cell) + 0.5
            painter.drawLine(QPointF(whole.left(), y), QPointF(whole.right(), y))
        for column in range(1, columns):
            x = round(whole.left() + column * self._cell) + 0.5
            painter.drawLine(QPointF(x, whole.top()), QPointF(x, whole.bottom()))

    def _paint_names(self, painter: QPainter, plot: QRectF) -> None:
        assert self._result is not None
        colours = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self._font())
        # Names closer than a line's height would run into one another: leave some out.
        stride = max(1, math.ceil((metrics.height() - 1) / self._cell))
        here = self._here or (-1, -1)
        for row, word in enumerate(self._result.words):
            y = plot.top() - self._origin.y() + (row + 0.5) * self._cell
            chosen = row == here[0]
            near = 0 < abs(row - here[0]) < stride and here[0] >= 0
            if not plot.top() <= y <= plot.bottom() or (not chosen and (row % stride or near)):
                continue
            self._pen(painter, chosen)
            text = metrics.elidedText(word, Qt.TextElideMode.ElideRight, _MOST_LEFT)
            area = QRectF(0, y - 10, plot.left() - SPACE_2, 20)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        for column, word in enumerate(self._result.columns):
            x = plot.left() - self._origin.x() + (column + 0.5) * self._cell
            chosen = column == here[1]
            near = 0 < abs(column - here[1]) < stride and here[1] >= 0
            if not plot.left() <= x <= plot.right() or (not chosen and (column % stride or near)):
                continue
            self._pen(painter, chosen)
            text = metrics.elidedText(word, Qt.TextElideMode.ElideRight, _MOST_TOP)
            painter.save()
            painter.translate(x, plot.top() - SPACE_1)
            painter.rotate(-60)
            painter.drawText(QPointF(0, metrics.ascent() / 2 - 1), text)
            painter.restore()
        painter.setPen(QColor(colours.text))

    def _pen(self, painter: QPainter, chosen: bool) -> None:
        colours = self._theme.palette
        painter.setFont(body_font(TYPE_SMALL, bold=chosen))
        painter.setPen(QColor(colours.text if chosen else colours.muted))

    def _paint_scale(self, painter: QPainter, plot: QRectF, bottom: float, right: float) -> None:
        assert self._result is not None
        assert self._scale is not None
        colours = self._theme.palette
        table = diverging_colours(colours) if self._result.centre0 else sequential_colours()
        strip = QImage(np.ascontiguousarray(table[::-1]).tobytes(), 1, 256, 3, QImage.Format.Format_RGB888).copy()
        height = min(bottom - plot.top(), 220.0)
        if height < 60:
            return
        area = QRectF(min(right + SPACE_4, self.width() - _SCALE + SPACE_4), plot.top(), 12, height)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, strip)
        painter.setFont(body_font(TYPE_SMALL, tabular=True))
        painter.setPen(QColor(colours.muted))
        for share, text in self._scale.ticks():
            y = area.bottom() - share * area.height()
            painter.drawText(QRectF(area.right() + 6, y - 8, 60, 16), Qt.AlignmentFlag.AlignVCenter, text)
        if bool(np.isnan(self._result.values).any()) and bottom - area.bottom() > 40:
            box = QRectF(area.left(), area.bottom() + SPACE_4, 12, 12)
            painter.fillRect(box, QColor(colours.unobserved))
            painter.fillRect(box, QBrush(QColor(colours.line), Qt.BrushStyle.BDiagPattern))
            painter.drawText(QRectF(box.right() + 6, box.top() - 3, 60, 18), Qt.AlignmentFlag.AlignVCenter, "unseen")


def to_csv(result: MatrixResult) -> str:
    """The values as CSV: words down, columns across, empty where a pair was never seen.

    A name that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    import csv
    import io

    def safe(word: str) -> str:
        return "'" + word if word[:1] in ("=", "+", "-", "@", MINUS, "\t", "\r") else word

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["", *map(safe, result.columns)])
    for word, row in zip(result.words, result.values, strict=True):
        writer.writerow([safe(word), *("" if math.isnan(v) else repr(float(v)) for v in row)])
    return text.getvalue()
