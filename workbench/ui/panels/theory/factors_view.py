"""Widget of W × Cᵀ = M that marks the same cell in all four matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from workbench.analysis.theory.factors import Factors
from workbench.core.language import tr
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import signed
from workbench.ui.base.theme import Palette, Theme
from workbench.ui.panels.theory.factors_painting import (
    Heatmap,
    W,
    cell_box,
    factor_areas,
    factor_heatmaps,
    paint_captions,
    paint_heatmap,
    paint_marked_word,
    paint_words,
)
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import ARROWS, FigureView

_FILE = QSize(900, 560)
# Maximum zoom, as a number of words.
_CLOSEST = 2
_ROW, _COLUMN, _DIMENSION = range(3)
# For each pane, the part of a cell that varies along x, and the one along y.
_ACROSS = (_COLUMN, _COLUMN, _DIMENSION, _COLUMN)
_DOWN = (_ROW, _ROW, _ROW, _DIMENSION)


class FactorsView(FigureView):
    """``picked`` carries the word and the context of a cell; ``readout_changed`` the text of the
    readout.

    All panes show the same words and dimensions. Rows are counted downwards: row 2 is between −2
    and −3.
    """

    picked = Signal(str, str)
    readout_changed = Signal(str)
    factors: Factors | None = None
    cell: tuple[int, int, int] | None = None
    _heatmaps: Sequence[Heatmap] = ()
    _images: tuple[Palette, list[QImage]] | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, [Pane(number, left=False, bottom=False) for number in range(4)])
        self.leading = (self.pane,)
        for pane in self.panes:
            pane.beyond = 0.0
        set_scaled_size(self, least_width=320, least_height=220)

    def sizeHint(self) -> QSize:
        return QSize(760, 440)

    @property
    def file_size(self) -> QSize:
        return _FILE

    def set_factors(self, found: Factors | None, titles: tuple[str, str] = ("", "")) -> None:
        """Draw other matrices; the marked cell stays if it still exists."""
        if found is None or self.factors is None or found.words != self.factors.words:
            self.cell = None
        self.factors, self._images, self._heatmaps = found, None, ()
        words: tuple[str, ...] = ()
        if found is not None:
            words, self._heatmaps = found.words, factor_heatmaps(found, titles)
        for pane in self.panes:
            pane.closest = min(_CLOSEST / max(len(words), 1), 1.0)
        self.update_figure(words)
        self.readout_changed.emit(self.describe_cell())

    def extent(self, pane: Pane) -> Extent | None:
        if not self._heatmaps or not self._heatmaps[pane.number].values.size:
            return None
        down, across = self._heatmaps[pane.number].values.shape
        return (0.0, float(across)), (-float(down), 0.0)

    def areas(self, room: QRectF) -> list[QRectF]:
        contexts = self.factors is not None and self.factors.C.shape[1] > 0
        return factor_areas(room, contexts=contexts)

    def link(self, moved: Pane) -> None:
        """Show the same words and dimensions in the other panes."""
        x, (low, high) = moved.viewRange()
        shown = {_ACROSS[moved.number]: x, _DOWN[moved.number]: (-high, -low)}
        for pane in self.panes:
            x, y = pane.viewRange()
            first, last = shown.get(_DOWN[pane.number], (-y[1], -y[0]))
            pane.show_range(shown.get(_ACROSS[pane.number], x), (-last, -first))

    def describe_cell(self) -> str:
        """Describe the marked cell, "" for none."""
        found = self.factors
        if found is None or self.cell is None:
            return ""
        row, column, dimension = self.cell
        if row < 0:
            value = signed(found.C[column, dimension], 3)
            return tr(
                "dimension {dimension} of the context {context}: {value}",
                dimension=dimension + 1,
                context=found.words[column],
                value=value,
            )
        if column < 0:
            return tr(
                "dimension {dimension} of {word}: {value}",
                dimension=dimension + 1,
                word=found.words[row],
                value=signed(found.W[row, dimension], 3),
            )
        model, target, count = (m[row, column] for m in (found.model, found.target, found.counts))
        head = tr(
            "{word} · {context}: model {model}",
            word=found.words[row],
            context=found.words[column],
            model=signed(model),
        )
        if not math.isfinite(target):
            return tr("{head}, unobserved", head=head)
        return tr(
            "{head}, target {target}, residual {signed}, #(w,c) = {count:.4g}",
            head=head,
            target=signed(target),
            signed=signed(model - target),
            count=count,
        )

    # -- painting

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        if self._images is None or self._images[0] is not colours:
            self._images = colours, [heatmap.image(colours) for heatmap in self._heatmaps]
        paint_heatmap(painter, frame, self._images[1][frame.number], colours)
        if frame.number == W and self.factors is not None:
            paint_words(painter, frame, self.factors.words, colours)

    def draw_around(self, painter: QPainter, frames: Sequence[Frame], colours: Palette) -> None:
        if self._heatmaps:
            paint_captions(painter, frames, self._heatmaps, colours)

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Mark the row of the word in W, M and target, the column of the context in Cᵀ, M and
        target.
        """
        if self.cell is None or self.factors is None:
            return
        row, column = self.cell[_DOWN[frame.number]], self.cell[_ACROSS[frame.number]]
        down, across = self._heatmaps[frame.number].values.shape
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if frame.number == W and row >= 0:
            paint_marked_word(painter, frame, self.factors.words, row, colours)
        painter.setClipRect(frame.area.adjusted(-1, -1, 2, 2))
        painter.setPen(QPen(QColor(colours.text), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        boxes = []
        if row >= 0:
            boxes.append(cell_box(frame, 0, row, across, row + 1))
        if column >= 0:
            boxes.append(cell_box(frame, column, 0, column + 1, down))
        painter.drawRects([box for box in boxes if box.intersects(frame.area)])
        painter.restore()

    # -- input

    def look_at(self, cell: tuple[int, int, int] | None) -> None:
        """Mark a cell: row, column, dimension; −1 for those that it doesn't have."""
        if cell != self.cell:
            self.cell = cell
            self.readout_changed.emit(self.describe_cell())
            self.redraw_overlay()

    def point(self, place: QPointF | None) -> None:
        cell = None if place is None else self._cell_at(place)
        self.look_at(cell)

    def _cell_at(self, place: QPointF) -> tuple[int, int, int] | None:
        for frame, heatmap in zip(self.frames, self._heatmaps, strict=False):
            if heatmap.values.size and frame.area.contains(place):
                x, y = frame.values_at(place)
                down, across = heatmap.values.shape
                cell = [-1, -1, -1]
                cell[_ACROSS[frame.number]] = min(max(math.floor(x), 0), across - 1)
                cell[_DOWN[frame.number]] = min(max(math.floor(-y), 0), down - 1)
                return cell[_ROW], cell[_COLUMN], cell[_DIMENSION]
        return None

    def click(self, place: QPointF) -> None:
        self.point(place)
        self._pick_cell()

    def _pick_cell(self) -> None:
        if self.factors is not None and self.cell is not None:
            row, column, _ = self.cell
            words = [self.factors.words[at] for at in (row, column) if at >= 0]
            self.picked.emit(words[0], words[-1])

    def walk(self, key: Qt.Key) -> bool:
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick_cell()
            return True
        if self.factors is None or key not in ARROWS:
            return False
        row, column = 0, 0
        if self.cell is not None:
            last = len(self.factors.words) - 1
            right, up = ARROWS[key]
            row = min(max(max(self.cell[_ROW], 0) - up, 0), last)
            column = min(max(max(self.cell[_COLUMN], 0) + right, 0), last)
        self.show_place(column + 0.5, -row - 0.5)
        self.look_at((row, column, -1))
        return True
