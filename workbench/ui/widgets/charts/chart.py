"""Dots and curves on two axes: what is drawn, and the drawing, the same on the screen and in a
file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.core.language import source_text, tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui.plain_text import paintable_text
from workbench.ui.scaling import scaled_length
from workbench.ui.text import MINUS, count, decimal, plural
from workbench.ui.theme import TYPE_SMALL, Palette, body_font

Doubles = npt.NDArray[np.float64]

_LEFT, _RIGHT, _TOP, _BOTTOM = 72.0, 14.0, 10.0, 42.0
_LEGEND = 20.0
_DOT, _MARK = 5.0, 7.0
_TICKS_APART = 60.0
# Beyond this many dots they are drawn smaller, so that they do not become one blot.
_MANY = 2000


@dataclass(frozen=True, eq=False)
class ChartSeries:
    """Points of one kind.

    x, y : float64[n]
    name : for the legend, "" for none
    colour : index of a run's colour; None: neutral dots, or a curve in the accent
    line : whether the points are joined; dots : whether each is drawn
    low, high : float64[n], ends of a bar through each point, or None
    texts : what hovering over each tells; keys : what a click on each picks; "" or none: nothing
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


@dataclass(frozen=True, eq=False)
class Chart:
    """Series on two axes. ``log_x`` puts x on a logarithmic axis; ``percent_y`` writes 0.5 as 50 %.

    x_range, y_range : the axes reach at least so far
    """

    x_label: str
    y_label: str
    series: tuple[ChartSeries, ...] = field(default=())
    log_x: bool = False
    percent_y: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None


def describe_chart(chart: Chart) -> str:
    """What a chart shows, in words: its axes and, of each series, its name, size and ends."""
    parts = [tr("{y_label} against {x_label}", y_label=chart.y_label, x_label=chart.x_label)]
    for one in chart.series:
        y = one.y[np.isfinite(one.y)]
        if len(y):
            name = ""
            if one.name:
                name = f"{one.name}: "
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


class ChartFrame:
    """Where a chart's values lie in a rectangle."""

    def __init__(self, chart: Chart, room: QRectF) -> None:
        legend = 0.0
        if any(one.name for one in chart.series):
            legend = scaled_length(_LEGEND)
        self.area = room.adjusted(
            scaled_length(_LEFT),
            scaled_length(_TOP) + legend,
            -scaled_length(_RIGHT),
            -scaled_length(_BOTTOM),
        )
        self.legend = QRectF(self.area.left(), room.top() + 2, self.area.width(), legend)
        self._log = chart.log_x
        self._whole = all(bool(np.all(one.x == np.round(one.x))) for one in chart.series)
        self.x_low, self.x_high = self._span(
            [self._axis_values(one.x) for one in chart.series], self._ends(chart.x_range)
        )
        ends = [
            part for one in chart.series for part in (one.y, one.low, one.high) if part is not None
        ]
        self.y_low, self.y_high = self._span(ends, chart.y_range)

    def _ends(self, ends: tuple[float, float] | None) -> tuple[float, float] | None:
        if ends is None:
            return None
        return (float(self._axis_values(ends[0])), float(self._axis_values(ends[1])))

    def _axis_values(self, values: npt.ArrayLike) -> Doubles:
        numbers = np.asarray(values, dtype=np.float64)
        if self._log:
            return np.log10(np.maximum(numbers, 1e-12))
        return numbers

    @staticmethod
    def _span(parts: Sequence[Doubles], least: tuple[float, float] | None) -> tuple[float, float]:
        together = np.concatenate([np.empty(0), *(np.ravel(part) for part in parts)])
        together = together[np.isfinite(together)]
        if len(together):
            low, high = (float(together.min()), float(together.max()))
        else:
            low, high = (0.0, 1.0)
        margin = 0.04 * (high - low) or 0.5
        if least is None:
            return low - margin, high + margin
        start, end = least
        if low < start:
            start = low - margin
        if high > end:
            end = high + margin
        return start, end

    def x(self, values: npt.ArrayLike) -> Doubles:
        """Pixels from the left."""
        share = (self._axis_values(values) - self.x_low) / (self.x_high - self.x_low or 1.0)
        return np.asarray(self.area.left() + share * self.area.width())

    def y(self, values: npt.ArrayLike) -> Doubles:
        """Pixels from the top."""
        share = (np.asarray(values, dtype=np.float64) - self.y_low) / (
            self.y_high - self.y_low or 1.0
        )
        return np.asarray(self.area.bottom() - share * self.area.height())

    def x_ticks(self) -> list[float]:
        if not self._log:
            ticks = nice_ticks(
                self.x_low, self.x_high, int(self.area.width() / scaled_length(_TICKS_APART))
            )
            # There is nothing between two windows, or two numbers of epochs.
            if self._whole:
                return [tick for tick in ticks if abs(tick - round(tick)) < 1e-9]
            return ticks
        if self.x_high - self.x_low < 0.5:
            # Less than a factor of three: round values as on a plain axis.
            return nice_ticks(
                10**self.x_low,
                10**self.x_high,
                int(self.area.width() / scaled_length(_TICKS_APART)),
            )
        powers = range(math.floor(self.x_low), math.ceil(self.x_high) + 1)
        room = max(self.area.width() / scaled_length(_TICKS_APART), 1.0)
        for steps in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
            values = [step * 10.0**power for power in powers for step in steps]
            found = [value for value in values if self.x_low <= math.log10(value) <= self.x_high]
            if len(found) <= room:
                return found
        return found[:: math.ceil(len(found) / room)]

    def y_ticks(self) -> list[float]:
        return nice_ticks(self.y_low, self.y_high, int(self.area.height() / 34))


def nice_ticks(low: float, high: float, number: int) -> list[float]:
    """At most about ``number`` round values within low..high, evenly spaced by 1, 2 or 5 times a
    power of ten.
    """
    if not high > low:
        return [low]
    raw = (high - low) / max(number, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw * 0.8)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [at * step for at in range(first, last + 1)]


def draw_chart(painter: QPainter, chart: Chart, frame: ChartFrame, colours: Palette) -> None:
    """Axes, series and legend, in that order."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_axes(painter, chart, frame, colours)
    painter.save()
    painter.setClipRect(frame.area.adjusted(-4, -4, 4, 4))
    for one in chart.series:
        _draw_series(painter, one, frame, colours)
    painter.restore()
    _draw_legend(painter, chart, frame, colours)


def colour_of(series: ChartSeries, colours: Palette) -> QColor:
    """A run's colour; else neutral for dots and the accent for curves."""
    if series.colour is not None:
        return QColor(colours.runs[series.colour % len(colours.runs)])
    return QColor(colours.accent if series.line else colours.point)


def _draw_axes(painter: QPainter, chart: Chart, frame: ChartFrame, colours: Palette) -> None:
    area = frame.area
    font = body_font(TYPE_SMALL, tabular=True)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    muted, line = QColor(colours.muted), QColor(colours.line)
    ticks = frame.y_ticks()
    digits = _digits(ticks, 100.0 if chart.percent_y else 1.0)
    for value, y in zip(ticks, frame.y(ticks).tolist(), strict=True):
        painter.setPen(QPen(line, 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(muted)
        if chart.percent_y:
            text = f"{100 * value:.{digits}f} %"
        else:
            text = f"{value:.{digits}f}".replace("-", MINUS)
        box = QRectF(
            area.left() - scaled_length(_LEFT),
            y - scaled_length(9),
            scaled_length(_LEFT) - scaled_length(8),
            scaled_length(18),
        )
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text
        )
    ticks = frame.x_ticks()
    digits = _digits(ticks, 1.0)
    middle = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    for value, x in zip(ticks, frame.x(ticks).tolist(), strict=True):
        painter.setPen(QPen(line, 1))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
        painter.setPen(muted)
        if chart.log_x and value >= 1:
            if value >= 1000:
                text = count(round(value))
            else:
                text = f"{value:g}"
        else:
            text = f"{value:.{digits}f}".replace("-", MINUS)
        # The last one stays inside, however long.
        left = min(
            x - 40, area.right() + scaled_length(_RIGHT) - 40 - metrics.horizontalAdvance(text) / 2
        )
        painter.drawText(
            QRectF(left, area.bottom() + 5, scaled_length(80), scaled_length(16)), middle, text
        )
    painter.drawText(
        QRectF(area.left(), area.bottom() + scaled_length(22), area.width(), scaled_length(18)),
        middle,
        chart.x_label,
    )
    painter.save()
    painter.translate(area.left() - scaled_length(_LEFT) + 1, area.center().y())
    painter.rotate(-90)
    # Beside a low figure it may be longer than the axis.
    reach = min(area.center().y(), area.height() / 2 + scaled_length(32))
    box = QRectF(-reach, 0, 2 * reach, scaled_length(16))
    label = metrics.elidedText(
        paintable_text(chart.y_label), Qt.TextElideMode.ElideRight, box.width()
    )
    painter.drawText(box, middle, label)
    painter.restore()
    painter.setPen(QPen(line, 1))
    painter.drawLine(area.bottomLeft(), area.bottomRight())


def _digits(ticks: Sequence[float], scale: float) -> int:
    """Decimals that keep neighbouring ticks apart."""
    if len(ticks) < 2:
        return 1
    return min(max(-math.floor(math.log10(abs(ticks[1] - ticks[0]) * scale) + 1e-9), 0), 6)


def _draw_series(painter: QPainter, one: ChartSeries, frame: ChartFrame, colours: Palette) -> None:
    x, y = frame.x(one.x), frame.y(one.y)
    known = np.isfinite(x) & np.isfinite(y)
    points = QPolygonF(
        [QPointF(a, b) for a, b in zip(x[known].tolist(), y[known].tolist(), strict=True)]
    )
    colour = colour_of(one, colours)
    if one.low is not None and one.high is not None:
        faint = QColor(colour)
        faint.setAlphaF(0.45)
        painter.setPen(QPen(faint, 1.5))
        ends = zip(x.tolist(), frame.y(one.low).tolist(), frame.y(one.high).tolist(), strict=True)
        for at, low, high in ends:
            if math.isfinite(at) and math.isfinite(low) and math.isfinite(high):
                painter.drawLine(QPointF(at, low), QPointF(at, high))
    if one.line:
        painter.setPen(QPen(colour, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(points)
    if one.dots:
        if one.line:
            size = scaled_length(_MARK)
        elif len(x) < _MANY:
            size = _DOT
        else:
            size = 3.0
        if not one.line:
            colour = QColor(colour)
            colour.setAlphaF(0.85 if len(x) < _MANY else 0.4)
        painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(points)


def _draw_legend(painter: QPainter, chart: Chart, frame: ChartFrame, colours: Palette) -> None:
    font = body_font(TYPE_SMALL)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    left = frame.legend.left()
    for one in chart.series:
        if not one.name:
            continue
        room = frame.legend.right() - left - 18
        text = metrics.elidedText(
            paintable_text(one.name), Qt.TextElideMode.ElideRight, min(room, 180.0)
        )
        if room < 30:
            break
        middle = frame.legend.center().y()
        painter.setPen(
            QPen(colour_of(one, colours), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        painter.drawLine(QPointF(left + 2, middle), QPointF(left + 12, middle))
        painter.setPen(QColor(colours.text))
        wide = metrics.horizontalAdvance(text) + 2
        side = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(
            QRectF(left + 18, frame.legend.top(), wide, frame.legend.height()), side, text
        )
        left += 18 + wide + 16


def chart_csv(chart: Chart | None) -> str:
    """Every point with what is told of it, values in full; ends of bars are empty where there are
    none.
    """
    if chart is not None:
        across, up = (source_text(chart.x_label), source_text(chart.y_label))
    else:
        across, up = ("x", "y")
    header = ["series", across, up, "low", "high", "point"]
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
