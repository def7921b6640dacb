"""Geometry of the matrix panes: shared zoom, pan, and cell positions."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSizeF

from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_2, TYPE_SMALL

# Above each matrix are its controls, below it the readout and the colour scale.
HEAD, GAP = 34.0, 14.0
_STRIP, _BAR = 20.0, 30.0
# In low panes there is no readout, as the panel has one, too, and the scale has its ends beside
# it.
_LOW, _COMPACT_BAR = 320.0, 18.0
_LARGEST_CELL = 120.0
# The cells of a file stay small, so that names and cells are in proportion.
_LARGEST_ON_PAPER = 44.0
# Room for scale and readout to the right of a single matrix that is as high as its pane.
_BESIDE, _LEAST_BESIDE = 280.0, 170.0
_CRISP_FROM = 6.0
# Width of a file in units of the drawing, number of panes in a row, and pixels per unit.
_PAPER_WIDTH, _PAPER_ACROSS, _PAPER_RATIO = 720.0, 2, 8.0
_LEAST_SIDE = 20.0


class GridFrame:
    """Layout of the panes: their ``plots`` and ``heads``. All plots have the same size and show the
    same cells.

    margins : room for names of font size ``name_size`` on the left, above and on the right
    strip, bar : room below each plot for the readout (0: none) and for the colour scale
    origin : position of the upper left corner of the plots in the picture of all cells
    beside : width of the room for both to the right of a single plot, 0 if they are below it
    """

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self.across = 1
        self.heads: list[QRectF] = []
        self.plots: list[QRectF] = []
        self.margins = (0.0, 0.0, 0.0)
        self.name_size = TYPE_SMALL
        self.strip, self.bar = scaled_length(_STRIP), scaled_length(_BAR)
        self.beside = 0.0
        self.ratio = 1.0
        self.fitted = True
        self._size = QSizeF(0, 0)
        # The requested cell size; the drawn one is rounded to whole pixels of the screen.
        self._wanted = QSizeF(10, 10)
        self.origin = QPointF(0, 0)

    def paper_frame(
        self, rows: int, columns: int, margins: tuple[float, float, float]
    ) -> tuple[QSizeF, GridFrame]:
        """Size and frame of a file with the same cells, whatever the size of this frame."""
        seen_rows, seen_columns = range(rows), range(columns)
        if not self.fitted:
            seen_rows, seen_columns = self.visible_rows(), self.visible_columns()
        panes = len(self.plots)
        frame = GridFrame()
        frame.set_cells(len(seen_rows), len(seen_columns), margins)
        frame.across = min(panes, _PAPER_ACROSS)
        if panes > _PAPER_ACROSS:
            frame.across = math.ceil(panes / 2)
        left, top, right = margins
        room = (_PAPER_WIDTH - left - right - GAP * (frame.across - 1)) / frame.across
        side = min(room / max(len(seen_columns), 1), _LARGEST_ON_PAPER)
        below = scaled_length(HEAD) + scaled_length(_STRIP) + scaled_length(_BAR)
        down = math.ceil(panes / frame.across)
        size = QSizeF(_PAPER_WIDTH, math.ceil(top + down * (below + side * len(seen_rows))))
        frame.arrange_panes(size, panes, _PAPER_RATIO, across=frame.across)
        frame.rows, frame.columns = rows, columns
        frame.origin = QPointF(
            seen_columns.start * frame.cell.width(), seen_rows.start * frame.cell.height()
        )
        frame.fitted = False
        frame.clamp()
        return size, frame

    def set_cells(self, rows: int, columns: int, margins: tuple[float, float, float]) -> None:
        self.rows, self.columns, self.margins = rows, columns, margins

    def set_names(self, size: int, margins: tuple[float, float, float]) -> None:
        """Set the font size of names and their margins; the panes then need to be arranged
        again.
        """
        self.name_size, self.margins = size, margins

    def arrange_panes(
        self, size: QSizeF, panes: int, ratio: float, *, in_row: bool = False, across: int = 0
    ) -> None:
        """Arrange the panes so that cells are as large as possible, or ``across`` in each row, or
        with ``in_row`` in one row without names.
        """
        self._size, self.ratio = size, ratio
        self.strip, self.bar = scaled_length(_STRIP), scaled_length(_BAR)
        if size.height() < scaled_length(_LOW):
            self.strip, self.bar = 0.0, scaled_length(_COMPACT_BAR)
        self.beside = 0.0
        if panes == 1 and not across and not in_row:
            self._place_scale()
        best = -1.0
        choices = range(panes if in_row else 1, panes + 1)
        if across:
            choices = range(across, across + 1)
        for number in choices:
            plot = self._plot_size(number, panes)
            least = self._fitting_cell(plot)
            worth = 0.0
            if min(plot.width(), plot.height()) > _LEAST_SIDE:
                worth = least.width() * least.height()
            if worth > best:
                best, self.across = worth, number
        plot = self._plot_size(self.across, panes)
        left, top = (0.0, 0.0) if in_row else self.margins[:2]
        self.heads, self.plots = [], []
        for pane in range(panes):
            row, column = divmod(pane, self.across)
            x = left + column * (plot.width() + GAP)
            y = row * (scaled_length(HEAD) + plot.height() + self.strip + self.bar) + (
                top if row else 0.0
            )
            # The first pane's controls may begin above the names of its rows.
            begin = 0.0 if column == 0 else x
            self.heads.append(QRectF(begin, y, x + plot.width() - begin, scaled_length(HEAD)))
            if row:
                self.plots.append(QRectF(QPointF(x, y + scaled_length(HEAD) + (0.0)), plot))
            else:
                self.plots.append(QRectF(QPointF(x, y + scaled_length(HEAD) + (top)), plot))
        if self.fitted:
            self.fit()
        else:
            self.clamp()

    def _place_scale(self) -> None:
        """Put the scale beside a single matrix whose cells are limited by the height."""
        left, top, right = self.margins
        height = self._size.height() - top - scaled_length(HEAD) - SPACE_2
        spare = self._size.width() - left - right - height * self.columns / max(self.rows, 1)
        if self.rows and height > _LEAST_SIDE and spare >= scaled_length(_LEAST_BESIDE):
            self.beside = min(spare, scaled_length(_BESIDE))
            self.strip, self.bar = scaled_length(_STRIP), scaled_length(_BAR)

    def scale_place(self, pane: int) -> QRectF:
        """Room for the colour scale of a pane."""
        plot, seen = self.plots[pane], self.visible_rect(pane)
        if self.beside:
            left = seen.right() + 2 * GAP
            return QRectF(left, plot.top(), self.beside - 2 * GAP, self.bar)
        return QRectF(plot.left(), seen.bottom() + self.strip + 2, plot.width(), self.bar)

    def strip_place(self, pane: int) -> QRectF:
        """Room for the numbers under the pointer."""
        if self.beside:
            return self.scale_place(pane).translated(0, 2 * self.bar)
        plot, seen = self.plots[pane], self.visible_rect(pane)
        return QRectF(plot.left(), seen.bottom() + 1, plot.width(), max(self.strip - 2, 0))

    def _plot_size(self, across: int, panes: int) -> QSizeF:
        down = math.ceil(panes / across)
        left, top, right = self.margins
        width = (self._size.width() - left - right - GAP * (across - 1)) / across
        height = (self._size.height() - top) / down - scaled_length(HEAD)
        if self.beside:
            width, height = width - self.beside, height - SPACE_2
        else:
            height -= self.strip + self.bar
        return QSizeF(max(math.floor(width), _LEAST_SIDE), max(math.floor(height), _LEAST_SIDE))

    def _fitting_cell(self, plot: QSizeF) -> QSizeF:
        """Size of square cells at which everything is visible."""
        side = min(
            plot.height() / max(self.rows, 1), plot.width() / max(self.columns, 1), _LARGEST_CELL
        )
        return QSizeF(side, side)

    # -- cells

    @property
    def cell(self) -> QSizeF:
        """Width and height of a cell as drawn."""
        return QSizeF(
            self._snap_to_pixels(self._wanted.width()), self._snap_to_pixels(self._wanted.height())
        )

    def _snap_to_pixels(self, length: float) -> float:
        if length >= _CRISP_FROM:
            return math.floor(length * self.ratio) / self.ratio
        return length

    def grid_rect(self, pane: int) -> QRectF:
        """Rectangle of all cells of a pane, visible or not."""
        cell, plot = self.cell, self.plots[pane]
        left = plot.left() - round(self.origin.x() * self.ratio) / self.ratio
        top = plot.top() - round(self.origin.y() * self.ratio) / self.ratio
        return QRectF(left, top, self.columns * cell.width(), self.rows * cell.height())

    def visible_rect(self, pane: int) -> QRectF:
        """Part of the pane’s plot that shows cells."""
        return self.grid_rect(pane).intersected(self.plots[pane])

    def cell_rect(self, row: int, column: int, pane: int = 0) -> QRectF:
        cell, whole = self.cell, self.grid_rect(pane)
        return QRectF(
            QPointF(whole.left() + column * cell.width(), whole.top() + row * cell.height()), cell
        )

    def cell_at(self, place: QPointF) -> tuple[int, int, int] | None:
        """(pane, row, column) at a place, or None."""
        for pane, plot in enumerate(self.plots):
            if not plot.contains(place):
                continue
            cell, whole = self.cell, self.grid_rect(pane)
            column = math.floor((place.x() - whole.left()) / cell.width())
            row = math.floor((place.y() - whole.top()) / cell.height())
            if 0 <= row < self.rows and 0 <= column < self.columns:
                return pane, row, column
        return None

    def visible_rows(self) -> range:
        """Rows that are at least partly visible."""
        return _visible_range(
            self.origin.y(), self.plots[0].height(), self.cell.height(), self.rows
        )

    def visible_columns(self) -> range:
        return _visible_range(
            self.origin.x(), self.plots[0].width(), self.cell.width(), self.columns
        )

    # -- zoom and pan

    def fit(self) -> None:
        """Show everything."""
        self._wanted = self._fitting_cell(self.plots[0].size())
        self.origin = QPointF(0, 0)
        self.fitted = True

    def pan(self, moved: QPointF) -> None:
        self.origin -= moved
        self.clamp()

    def clamp(self) -> None:
        plot, whole = self.plots[0], self.grid_rect(0)
        right, down = max(whole.width() - plot.width(), 0), max(whole.height() - plot.height(), 0)
        self.origin = QPointF(
            min(max(self.origin.x(), 0), right), min(max(self.origin.y(), 0), down)
        )

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Make cells larger or smaller, keeping the cell at ``at`` (None: the middle) in place."""
        least, before = self._fitting_cell(self.plots[0].size()), self.cell
        most = max(2 * _LARGEST_CELL / least.height(), 1.0)
        level = min(max(self._wanted.height() * factor / least.height(), 1.0), most)
        self._wanted = least * level
        self.fitted = level <= 1.0
        after = self.cell
        plot = next(
            (plot for plot in self.plots if at is not None and plot.contains(at)), self.plots[0]
        )
        pivot = (at or plot.center()) - plot.topLeft()
        self.origin = QPointF(
            (self.origin.x() + pivot.x()) * after.width() / before.width() - pivot.x(),
            (self.origin.y() + pivot.y()) * after.height() / before.height() - pivot.y(),
        )
        self.clamp()

    def zoom_to_box(self, box: QRectF) -> None:
        """Show a part of a pane as large as possible."""
        middle = box.center()
        plot = next((plot for plot in self.plots if plot.contains(middle)), self.plots[0])
        across = plot.width() / max(box.width(), 1.0)
        self.zoom(min(across, plot.height() / max(box.height(), 1.0)), middle)
        self.pan(plot.center() - middle)

    def bring_into_view(self, row: int | None, column: int | None, *, centre: bool = False) -> None:
        """Pan until a row, a column or both are visible, in the middle if they weren't before."""
        plot, cell = self.plots[0], self.cell_rect(row or 0, column or 0)
        across = 0.0
        if column is not None:
            across = _required_shift(cell.left(), cell.right(), plot.left(), plot.right(), centre)
        down = 0.0
        if row is not None:
            down = _required_shift(cell.top(), cell.bottom(), plot.top(), plot.bottom(), centre)
        self.origin += QPointF(across, down)
        self.clamp()

    def zoom_to_cell(self, row: int | None, column: int | None, least: float) -> None:
        """Show a row or column in cells of at least ``least`` pixels."""
        if min(self.cell.height(), self.cell.width()) < least:
            self.zoom(least / min(self.cell.height(), self.cell.width()))
        self.bring_into_view(row, column, centre=True)


def _visible_range(origin: float, length: float, cell: float, count: int) -> range:
    first = max(math.floor(origin / cell), 0)
    return range(first, min(math.ceil((origin + length) / cell) + 1, count))


def _required_shift(first: float, last: float, low: float, high: float, centre: bool) -> float:
    """Distance to pan along one axis."""
    if low <= first and last <= high:
        return 0.0
    if centre:
        return (first + last) / 2 - (low + high) / 2
    return max(last - high, 0) + min(first - low, 0)


def room_for_names(
    longest_row: float, longest_column: float, lean: float, line: float
) -> tuple[float, float, float]:
    """Margins on the left, above and on the right for names of these lengths; column names lean by
    ``lean``°.
    """
    up = math.radians(lean)
    top = longest_column * math.sin(up) + line * math.cos(up)
    return (
        math.ceil(longest_row) + 2 * SPACE_2,
        math.ceil(top) + SPACE_2,
        math.ceil(longest_column * math.cos(up)),
    )
