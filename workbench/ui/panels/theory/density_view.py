"""Widget of the density of scores against targets, with a readout and selection of a pair."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.analysis.theory.fit_ceiling import FitCeiling
from workbench.analysis.theory.target_what_if import Look
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import mark_unknown, plural, true_minus
from workbench.ui.base.theme import Palette, Theme
from workbench.ui.panels.theory.density_painting import GAP, MARGINAL, STRIP, paint_density
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import ARROWS, FigureView

# Maximum zoom: this share of the axes, which is two cells of a hundred.
_CLOSEST = 0.02


class DensityView(FigureView):
    """Density of the pairs. ``picked`` carries the word and the context of a pair,
    ``readout_changed`` the text of the cell under the pointer.
    """

    picked = Signal(str, str)
    readout_changed = Signal(str)
    look: Look | None = None
    ceiling: FitCeiling | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.cell: tuple[int, int] | None = None
        self.pane.closest = _CLOSEST
        set_scaled_size(self, least_width=240, least_height=180)

    def sizeHint(self) -> QSize:
        return QSize(440, 400)

    def set_look(self, look: Look | None, labels: tuple[str, str] = ("", "")) -> None:
        """Draw another comparison; the labels are those of the target's axis and of the scores'
        axis.
        """
        self.look = look
        left, bottom = self.pane.left, self.pane.bottom
        assert left is not None
        assert bottom is not None
        bottom.title, left.title = labels
        bottom.has_grid = True
        if look is None:
            self.cell = None
        else:
            found = look.fit
            self.setAccessibleDescription(
                tr(
                    "{pairs}, R² {r2:.3f}, slope {slope:.2f}",
                    pairs=plural(found.pairs, "observed pair"),
                    r2=found.weighted.r2,
                    slope=found.weighted.slope,
                )
            )
        self.update_figure(labels)

    def set_ceiling(self, ceiling: FitCeiling | None) -> None:
        """Show around the diagonal how far the noise of the text alone moves targets."""
        if ceiling != self.ceiling:
            self.ceiling = ceiling
            self.redraw()

    def extent(self, pane: Pane) -> Extent | None:
        if self.look is None:
            return None
        ends = (self.look.fit.low, self.look.fit.high)
        return ends, ends

    def place_of(self, target: float, score: float) -> QPointF:
        """Position of a pair, at the end of an axis if it is beyond it."""
        assert self.look is not None
        ends = self.look.fit.low, self.look.fit.high
        return self.frame.place(*np.clip((target, score), *ends).tolist())

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """(column, row) of the histogram cell at a position, rows from the lowest score up."""
        frame = self.frame
        if self.look is None or not frame.area.contains(place):
            return None
        bins, low, size = self._grid(self.look)
        column, row = (math.floor((value - low) / size) for value in frame.values_at(place))
        if not (0 <= column < bins and 0 <= row < bins):
            return None
        return column, row

    @staticmethod
    def _grid(look: Look) -> tuple[int, float, float]:
        """Number of cells along an axis, start of the first, and size of each."""
        bins = look.fit.histogram.shape[0]
        return bins, look.fit.low, (look.fit.high - look.fit.low) / bins

    def _point_at(self, cell: tuple[int, int] | None) -> None:
        if cell != self.cell:
            self.cell = cell
            self.readout_changed.emit(self.describe_cell(cell))
            self.redraw_overlay()

    def describe_cell(self, cell: tuple[int, int] | None) -> str:
        """Describe a cell, "" for none."""
        if cell is None or self.look is None:
            return ""
        found = self.look.fit
        _, low, size = self._grid(self.look)
        column, row = cell
        target, score = (_format_number(low + (at + 0.5) * size) for at in cell)
        text = tr(
            "target {target}, model {score}: {pairs}",
            target=target,
            score=score,
            pairs=plural(int(found.histogram[row, column]), "pair"),
        )
        pair = self._nearest_pair(cell)
        if pair:
            return tr(
                "{curve}, for example {word} · {context}", curve=text, word=pair[0], context=pair[1]
            )
        return text

    def _nearest_pair(self, cell: tuple[int, int]) -> tuple[str, str] | None:
        """Nearest sampled pair to a cell, if it is within one cell."""
        assert self.look is not None
        found = self.look.fit
        if not len(found.targets):
            return None
        _, low, size = self._grid(self.look)
        x, y = ((values - low) / size - 0.5 for values in (found.targets, found.scores))
        away = np.maximum(np.abs(x - cell[0]), np.abs(y - cell[1]))
        at = int(np.argmin(away))
        if away[at] > 1.0:
            return None
        return found.words[int(found.rows[at])], found.words[int(found.columns[at])]

    # -- painting

    def margins(self) -> QMarginsF:
        if self.pane.left is not None:
            self.pane.left.gap = scaled_length(STRIP) + GAP
        margins = super().margins()
        margins.setTop(scaled_length(MARGINAL) + 10)
        return margins

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        if self.look is not None:
            noise = 0.0 if self.ceiling is None else self.ceiling.noise
            paint_density(painter, frame, self.look, colours, noise)

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        painter.save()
        painter.setClipRect(frame.area.adjusted(-8, -8, 8, 8))
        self._paint_pair(painter, colours)
        if self.cell is not None and self.look is not None:
            _, low, size = self._grid(self.look)
            x, y = (low + at * size for at in self.cell)
            box = QRectF(frame.place(x, y + size), frame.place(x + size, y))
            painter.setPen(QPen(QColor(colours.text), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(-1, -1, 1, 1))
        painter.restore()

    def _paint_pair(self, painter: QPainter, colours: Palette) -> None:
        """Paint the selected pair, and its position under the model’s own settings."""
        pair = None if self.look is None else self.look.pair
        if pair is None or not math.isfinite(pair.target):
            return
        now = self.place_of(pair.target, pair.score)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if math.isfinite(pair.own_target) and abs(pair.own_target - pair.target) > 1e-9:
            before = self.place_of(pair.own_target, pair.score)
            painter.setPen(QPen(QColor(colours.surface), 4))
            painter.drawLine(before, now)
            painter.setPen(QPen(QColor(colours.danger), 1.6))
            painter.drawLine(before, now)
            painter.drawEllipse(before, 3, 3)
        painter.setPen(QPen(QColor(colours.surface), 5))
        painter.drawEllipse(now, 6, 6)
        painter.setPen(QPen(QColor(colours.danger), 2))
        painter.drawEllipse(now, 6, 6)

    # -- input

    def point(self, place: QPointF | None) -> None:
        self._point_at(self._cell_at(place) if place is not None else None)

    def click(self, place: QPointF) -> None:
        self.point(place)
        self._pick_pair(self.cell)

    def _pick_pair(self, cell: tuple[int, int] | None) -> None:
        pair = None if cell is None else self._nearest_pair(cell)
        if pair is not None:
            self.picked.emit(*pair)

    def walk(self, key: Qt.Key) -> bool:
        if self.look is None:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick_pair(self.cell)
            return True
        if key not in ARROWS:
            return False
        step = ARROWS[key]
        histogram = self.look.fit.histogram
        last = histogram.shape[0] - 1
        fullest = np.unravel_index(int(np.argmax(histogram)), histogram.shape)
        column, row = self.cell or (int(fullest[1]) - step[0], int(fullest[0]) - step[1])
        self._point_at((min(max(column + step[0], 0), last), min(max(row + step[1], 0), last)))
        return True


@mark_unknown
def _format_number(value: float) -> str:
    return true_minus(f"{value:.2f}")
