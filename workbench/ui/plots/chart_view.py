"""The widget of a chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QMarginsF, QRectF
from PySide6.QtGui import QColor, QPainter

from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import Palette, Theme
from workbench.ui.plots.chart import (
    Chart,
    ChartSeries,
    chart_csv,
    colour_of,
    cycle_of,
    describe_chart,
    draw_series,
)
from workbench.ui.plots.frame import Extent, Frame, interval
from workbench.ui.plots.painting import LegendEntry, draw_legend
from workbench.ui.plots.pane import Pane, X, Y
from workbench.ui.plots.point_view import PointView

_LEGEND = 20.0


class ChartView(PointView):
    """Dots and curves on two axes, or with ``is_map`` on a map: without axes, and with equally long
    units.
    """

    chart: Chart | None = None

    def __init__(self, theme: Theme, *, is_map: bool = False) -> None:
        super().__init__(theme, (Pane(left=False, bottom=False, locked=True),) if is_map else ())
        set_scaled_size(self, least_width=200, least_height=140)
        self._owner: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)

    @property
    def series(self) -> tuple[ChartSeries, ...]:
        return self.chart.series if self.chart is not None else ()

    def set_chart(self, chart: Chart | None) -> None:
        """Draw another chart; the ring stays if its key still exists."""
        self.chart = chart
        self.setAccessibleDescription(describe_chart(chart) if chart is not None else "")
        texts: list[str] = []
        keys: list[str] = []
        for one in self.series:
            texts += one.texts or [""] * len(one.x)
            keys += one.keys or [""] * len(one.x)
        sizes = [len(one.x) for one in self.series]
        self._owner = np.repeat(np.arange(len(sizes)), sizes)
        x, y = (
            np.concatenate([np.empty(0), *parts])
            for parts in ([one.x for one in self.series], [one.y for one in self.series])
        )
        self.set_points(x, y, texts, keys)
        kind = None
        if chart is not None:
            if self.pane.axes:
                self._set_axes(chart)
            kind = (chart.x_label, chart.y_label)
        self.update_figure(kind)

    def _set_axes(self, chart: Chart) -> None:
        left, bottom = self.pane.left, self.pane.bottom
        assert left is not None
        assert bottom is not None
        left.title, left.percent = chart.y_label, chart.percent_y
        bottom.title, bottom.percent = chart.x_label, chart.percent_x
        bottom.names = chart.x_names
        for axis, default in ((X, chart.log_x), (Y, chart.log_y)):
            possible = default or _all_positive(chart.values(axis))
            self.offer_log(axis, possible=possible, default=default)
        whole = all(bool(np.all(one.x == np.round(one.x))) for one in chart.series)
        bottom.whole = whole and not self.is_log(X)

    def extent(self, pane: Pane) -> Extent | None:
        if self.chart is None:
            return None
        x = interval(self.chart.values(X), pane.log[X], self.chart.x_range)
        at_least = self.chart.y_range
        if pane.log[Y]:
            # Most of these ranges begin at 0, which a logarithmic axis can't show.
            at_least = None
        return x, interval(self.chart.values(Y), pane.log[Y], at_least)

    def point_colour(self, at: int, colours: Palette) -> QColor:
        series = self.series[int(self._owner[at])]
        if series.colour is None:
            return QColor(colours.accent)
        return colour_of(series, colours)

    def table(self) -> str:
        """All points as CSV."""
        return chart_csv(self.chart)

    # -- painting

    def margins(self) -> QMarginsF:
        margins = super().margins()
        if any(one.name for one in self.series):
            margins.setTop(margins.top() + scaled_length(_LEGEND))
        return margins

    def drawn_series(self, frame: Frame) -> Sequence[ChartSeries]:
        """The series to paint; a subclass may leave out points that can't be distinguished."""
        return self.series

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        named = [one for one in self.series if one.name]
        legend = [
            LegendEntry(one.name, colour_of(one, colours), one.dashed, cycle_of(one, colours))
            for one in named
        ]
        top = frame.room.top() + 2
        box = QRectF(frame.area.left(), top, frame.area.width(), scaled_length(_LEGEND))
        draw_legend(painter, legend, box, colours)
        painter.setClipRect(frame.area.adjusted(-4, -4, 4, 4))
        for one in self.drawn_series(frame):
            draw_series(painter, one, frame, colours)


def _all_positive(parts: Sequence[npt.NDArray[np.float64]]) -> bool:
    """Whether there are values, and all are positive."""
    values = np.concatenate([np.empty(0), *(np.ravel(part) for part in parts)])
    values = values[np.isfinite(values)]
    return bool(len(values)) and bool(np.all(values > 0))
