"""Curves over the words of a corpus, read off along x, with some of the words labelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.core.arrays import Doubles
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import TYPE_SMALL, Palette, Theme, body_font
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.plots.chart_view import ChartView
from workbench.ui.plots.frame import Extent, Frame, axis_values
from workbench.ui.plots.painting import draw_readout, draw_ring
from workbench.ui.plots.pane import Pane, X, Y

# A line needs no more points than there are pixels.
_POINTS = 500
# Steps of the arrow keys from end to end, and the distance in pixels at which a word's name is hit.
_STEPS, _NEAR = 60, 12
_NAME = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, eq=False)
class WordCurves:
    """Curves, one of which has a point for each word.

    chart : both ranges, and series with a point for each word
    words, x, y : every word with its point, x ascending or descending; the pointer reads them off
    tell : returns the readout of a word by its index
    labelled : indices of the words written beside their points
    chosen : index of the selected word, or −1
    """

    chart: Chart
    words: Sequence[str]
    x: Doubles
    y: Doubles
    tell: Callable[[int], str]
    labelled: tuple[int, ...] = ()
    chosen: int = -1
    title: str = ""

    def nearest_words(self, value: float) -> tuple[int, int]:
        """Indices of the two words on either side of a value of x."""
        last = len(self.x) - 1
        low = _position(self.x, value)
        return min(max(low - 1, 0), last), min(low, last)


class WordCurvesView(ChartView):
    """Pointing reads off the nearest word along x, and a click picks it; arrow keys and Return do
    the same.
    """

    figure: WordCurves | None = None
    pointed = -1

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        set_scaled_size(self, least_width=0, least_height=150)

    def set_figure(self, figure: WordCurves | None) -> None:
        """Draw other curves."""
        before = self.figure
        if figure is None or before is None or len(figure.words) != len(before.words):
            self.pointed = -1
        self.figure = figure
        self.set_chart(figure.chart if figure is not None else None)

    @property
    def readout(self) -> str:
        """Readout of the word under the pointer, or ""."""
        if self.figure is not None and self.pointed >= 0:
            return self.figure.tell(self.pointed)
        return ""

    def extent(self, pane: Pane) -> Extent | None:
        if self.chart is None:
            return None
        x, y = (
            tuple(axis_values(ends or (), pane.log[axis]).tolist())
            for axis, ends in ((X, self.chart.x_range), (Y, self.chart.y_range))
        )
        return x, y

    # -- pointing

    def place_of_word(self, number: int) -> QPointF:
        """Position of a word’s point, in pixels."""
        assert self.figure is not None
        return self.frame.place(float(self.figure.x[number]), float(self.figure.y[number]))

    def _nearest_word(self, at: QPointF) -> int:
        figure, frame = self.figure, self.frame
        if figure is None or not len(figure.words):
            return -1
        if not frame.area.adjusted(-8, -8, 8, 8).contains(at):
            return -1
        # At the name of a labelled or selected word, that word is meant.
        for number in (*figure.labelled, figure.chosen):
            if number >= 0 and (self.place_of_word(number) - at).manhattanLength() < _NEAR:
                return number
        candidates = figure.nearest_words(frame.values_at(at)[0])
        away = np.abs(frame.x(figure.x[list(candidates)]) - at.x())
        return candidates[int(np.argmin(away))]

    def _point_at(self, number: int) -> None:
        if number != self.pointed:
            self.pointed = number
            self.setAccessibleDescription(self.readout.replace("\n", ", "))
            self.redraw_overlay()

    def point(self, place: QPointF | None) -> None:
        self._point_at(self._nearest_word(place) if place is not None else -1)

    def click(self, place: QPointF) -> None:
        number = self._nearest_word(place)
        if self.figure is not None and number >= 0:
            self.picked.emit(self.figure.words[number])

    def walk(self, key: Qt.Key) -> bool:
        figure = self.figure
        if figure is None or not len(figure.words):
            return False
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            side = 1 if key == Qt.Key.Key_Right else -1
            area = self.frame.area
            x = area.left() if side > 0 else area.right()
            begin = self.pointed if self.pointed >= 0 else figure.chosen
            if begin >= 0:
                x = self.place_of_word(begin).x()
            at = min(max(x + side * area.width() / _STEPS, area.left()), area.right())
            self._point_at(self._nearest_word(QPointF(at, area.top())))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed >= 0:
            self.picked.emit(figure.words[self.pointed])
        else:
            return False
        return True

    # -- painting

    def drawn_series(self, frame: Frame) -> Sequence[ChartSeries]:
        return [_thinned(one, frame) for one in self.series]

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        super().draw(painter, frame, colours)
        if self.figure is not None:
            _draw_words(painter, self.figure, frame, colours)

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        figure, area = self.figure, frame.area
        if figure is None or self.pointed < 0:
            return
        at = frame.place(float(figure.x[self.pointed]), float(figure.y[self.pointed]))
        if not area.adjusted(-2, -2, 2, 2).contains(at):
            return
        painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))
        draw_ring(painter, at, QColor(colours.accent), colours)
        lines = [("", line) for line in self.readout.split("\n")]
        draw_readout(painter, at, lines, frame.room, colours)


def _position(x: Doubles, value: float) -> int:
    """Index of the first word beyond a value, x ascending or descending."""
    if x[0] > x[-1]:
        return len(x) - int(np.searchsorted(x[::-1], value))
    return int(np.searchsorted(x, value))


def _thinned(series: ChartSeries, frame: Frame) -> ChartSeries:
    """Points in view; the rarer the words, the fewer points, as they overlap."""
    left, right = (
        frame.values_at(frame.area.topLeft())[0],
        frame.values_at(frame.area.topRight())[0],
    )
    ends = sorted((_position(series.x, left), _position(series.x, right)))
    first, last = max(ends[0] - 1, 0), min(ends[1] + 1, len(series.x))
    picked = np.unique(np.geomspace(first + 1, max(last, first + 1), _POINTS).astype(np.int64) - 1)
    return replace(series, x=series.x[picked], y=series.y[picked])


def _draw_words(painter: QPainter, figure: WordCurves, frame: Frame, colours: Palette) -> None:
    """Draw labelled points, the selected one first, without overlap."""
    area = frame.area
    taken: list[QRectF] = []
    painter.setClipping(False)
    numbers = [number for number in figure.labelled if number != figure.chosen]
    if figure.chosen >= 0:
        numbers.insert(0, figure.chosen)
    for number in numbers:
        chosen = number == figure.chosen
        at = frame.place(float(figure.x[number]), float(figure.y[number]))
        if not area.adjusted(-4, -4, 4, 4).contains(at):
            continue
        painter.setFont(body_font(TYPE_SMALL, bold=chosen))
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(
            paintable_text(figure.words[number]), Qt.TextElideMode.ElideRight, 120
        )
        wide = metrics.horizontalAdvance(text)
        free = [
            box
            for dx, dy in ((7, -17), (7, 3), (-wide - 7, -17), (-wide - 7, 3))
            if area.contains(box := QRectF(at.x() + dx, at.y() + dy, wide, scaled_length(15)))
            and not any(box.intersects(other) for other in taken)
        ]
        if free:
            taken.append(free[0].adjusted(-3, -1, 3, 1))
            painter.setPen(QColor(colours.accent if chosen else colours.text))
            painter.drawText(free[0], _NAME, text)
        if free or chosen:
            painter.setPen(QPen(QColor(colours.accent), 1.6))
            painter.setBrush(QColor(colours.accent if chosen else colours.surface))
            radius = 4.0 if chosen else 3.0
            painter.drawEllipse(at, radius, radius)
