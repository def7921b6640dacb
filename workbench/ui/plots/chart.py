"""Dots and curves on two axes as data: described in words, as a table, and painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.core.arrays import Doubles
from workbench.core.language import source_text, tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui.base.run_marks import draw_mark, line_pattern, run_colour, run_cycle
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import decimal, plural
from workbench.ui.base.theme import Palette
from workbench.ui.plots.frame import Frame, Interval
from workbench.ui.plots.painting import polygon_of

_DOT, _MARK = 5.0, 7.0
# Beyond this number, dots are smaller, so that they remain distinguishable.
_MANY = 2000


@dataclass(frozen=True, eq=False)
class ChartSeries:
    """Points of one kind.

    x, y : float64[n]
    name : text for the legend, "" for none
    colour : index of a run's colour; None: the colour ``role`` of the palette, or with "" neutral
    dots and curves in the accent colour
    line : whether the points are joined; dots : whether dots are drawn
    low, high : float64[n], ends of a bar through each point, or None; ``fill``: they are the edges
    of an area along the points instead
    texts : tooltips of the points; keys : keys picked by a click on each point; "" or empty: no key
    """

    x: Doubles
    y: Doubles
    name: str = ""
    colour: int | None = None
    line: bool = False
    dots: bool = True
    low: Doubles | None = None
    high: Doubles | None = None
    texts: Sequence[str] = ()
    keys: Sequence[str] = ()
    role: str = ""
    dashed: bool = False
    fill: bool = False


@dataclass(frozen=True, eq=False)
class Chart:
    """Series on two axes. ``log_x`` makes the x axis logarithmic by default; ``percent_x`` writes
    0.5 as 50%.

    x_label, y_label : "" on a map, whose positions mean nothing by themselves
    x_range, y_range : minimum ranges of the axes
    x_names : texts of the values 0, 1, … of an x axis of names
    """

    x_label: str
    y_label: str
    series: tuple[ChartSeries, ...] = field(default=())
    log_x: bool = False
    log_y: bool = False
    percent_x: bool = False
    percent_y: bool = False
    x_range: Interval | None = None
    y_range: Interval | None = None
    x_names: tuple[str, ...] = ()

    def values(self, axis: str) -> list[Doubles]:
        """All values along "x" or "y", including the ends of bars."""
        if axis == "x":
            return [one.x for one in self.series]
        parts = [(one.y, one.low, one.high) for one in self.series]
        return [part for three in parts for part in three if part is not None]


def describe_chart(chart: Chart) -> str:
    """Description of a chart in words: its axes, and the name, size and ends of each series."""
    parts = []
    if chart.y_label:
        parts = [tr("{y_label} against {x_label}", y_label=chart.y_label, x_label=chart.x_label)]
    for one in chart.series:
        y = one.y[np.isfinite(one.y)]
        name = f"{one.name}: " if one.name else ""
        if not chart.y_label:
            parts.append(f"{name}{plural(len(y), 'point')}")
        elif len(y):
            parts.append(
                tr(
                    "{name}{points}, from {least} to {most}",
                    name=name,
                    points=plural(len(y), "point"),
                    least=decimal(float(y.min())),
                    most=decimal(float(y.max())),
                )
            )
    return "; ".join(parts)


def colour_of(series: ChartSeries, colours: Palette) -> QColor:
    """The colour of a run or a role; otherwise neutral for dots and the accent for curves."""
    if series.colour is not None:
        return run_colour(series.colour, colours)
    if series.role:
        return QColor(getattr(colours, series.role))
    return QColor(colours.accent if series.line else colours.point)


def cycle_of(series: ChartSeries, colours: Palette) -> int:
    """Number of runs before this one that have its colour, which chooses pattern and mark."""
    return 0 if series.colour is None else run_cycle(series.colour, colours)


def draw_series(painter: QPainter, one: ChartSeries, frame: Frame, colours: Palette) -> None:
    """Paint bars, line and dots."""
    x, y = frame.x(one.x), frame.y(one.y)
    known = np.isfinite(x) & np.isfinite(y)
    points = polygon_of(x[known], y[known])
    colour, cycle = colour_of(one, colours), cycle_of(one, colours)
    if one.low is not None and one.high is not None:
        draw = _draw_area if one.fill else _draw_bars
        draw(painter, x, frame.y(one.low), frame.y(one.high), colour)
    if one.line:
        painter.setPen(QPen(colour, 2, line_pattern(cycle)))
        if one.dashed:
            painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(points)
    if not one.dots:
        return
    size = _DOT
    if one.line:
        size = scaled_length(_MARK)
    elif len(x) >= _MANY:
        size = 3.0
    if not one.line:
        colour = QColor(colour)
        colour.setAlphaF(0.85 if len(x) < _MANY else 0.4)
    if cycle:
        for point in points.toList():
            draw_mark(painter, cycle, _square(point, size), colour)
        return
    painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPoints(points)


def _square(middle: QPointF, size: float) -> QRectF:
    return QRectF(middle.x() - size / 2, middle.y() - size / 2, size, size)


def _draw_bars(painter: QPainter, x: Doubles, low: Doubles, high: Doubles, colour: QColor) -> None:
    faint = QColor(colour)
    faint.setAlphaF(0.45)
    painter.setPen(QPen(faint, 1.5))
    ends = np.stack([x, low, high], axis=1)
    for at, start, end in ends[np.isfinite(ends).all(axis=1)].tolist():
        painter.drawLine(QPointF(at, start), QPointF(at, end))


def _draw_area(painter: QPainter, x: Doubles, low: Doubles, high: Doubles, colour: QColor) -> None:
    """Fill between two curves; a single point is drawn as a bar."""
    known = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
    if known.sum() < 2:
        _draw_bars(painter, x, low, high, colour)
        return
    faint = QColor(colour)
    faint.setAlphaF(0.18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint)
    across = np.concatenate([x[known], x[known][::-1]])
    painter.drawPolygon(polygon_of(across, np.concatenate([low[known], high[known][::-1]])))


def chart_csv(chart: Chart | None) -> str:
    """Every point with its tooltip, at full precision; without bars, their ends are empty."""
    if chart is not None:
        across, up = (source_text(chart.x_label), source_text(chart.y_label))
    else:
        across, up = ("", "")
    header = ["series", across or "x", up or "y", "low", "high", "point"]
    rows: list[list[Cell]] = []
    for one in chart.series if chart is not None else ():
        none = np.full(len(one.x), np.nan)
        low, high = (none if part is None else part for part in (one.low, one.high))
        texts = one.texts or [""] * len(one.x)
        values = zip(
            one.x.tolist(), one.y.tolist(), low.tolist(), high.tolist(), texts, strict=True
        )
        rows += [
            [source_text(one.name), x, y, a, b, text.split("\n")[0]] for x, y, a, b, text in values
        ]
    return to_csv(header, rows)
