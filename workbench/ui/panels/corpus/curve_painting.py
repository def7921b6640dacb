"""Figures of curves over the words of a corpus, painted on screen or into a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.ui.plain_text import paintable_text, visible_text
from workbench.ui.scaling import scaled_length
from workbench.ui.text import decimal, power_of_ten, short_number
from workbench.ui.theme import TYPE_SMALL, Palette, body_font

Floats = npt.NDArray[np.float64]

# A line needs no more points than there are pixels.
_POINTS = 500
# Of 255: what covers the lines behind a legend that has no room of its own.
_PLATE = 225
_LEFT, _TOP, _RIGHT, _BOTTOM = 62.0, 10.0, 16.0, 40.0


@dataclass(frozen=True)
class Axis:
    """``low`` and ``high`` in the unit of the data; both above 0 where ``log``. ``unit`` goes
    behind the numbers; ``scale`` is what they are multiplied by to be shown.
    """

    label: str
    low: float
    high: float
    log: bool = True
    scale: float = 1.0
    unit: str = ""

    def position_of(self, value: Floats | float) -> Floats:
        """Relative positions of values, from 0 at ``low`` to 1 at ``high``."""
        if not self.log:
            return np.asarray((np.asarray(value) - self.low) / (self.high - self.low))
        with np.errstate(divide="ignore"):
            span = math.log(self.high / self.low)
            return np.asarray(np.log(np.maximum(value, self.low * 1e-3) / self.low) / span)

    def ticks(self, most: int) -> list[float]:
        """Values to label on the axis, at most about ``most``."""
        if self.log:
            first, last = (
                math.ceil(math.log10(self.low) - 1e-9),
                math.floor(math.log10(self.high) + 1e-9),
            )
            step = max(1, -(-(last - first + 1) // max(most, 1)))
            return [10.0**power for power in range(first, last + 1, step)]
        return [float(v) for v in np.linspace(self.low, self.high, 6 if most >= 6 else 3)]

    def format_value(self, value: float) -> str:
        shown = value * self.scale
        if self.log and shown < 0.9e-3:
            return f"{power_of_ten(round(math.log10(shown)))}{self.unit}"
        if shown >= 1e3:
            return f"{short_number(shown).replace('.00', '').replace('.0', '')}{self.unit}"
        return f"{decimal(shown, 3)}{self.unit}"


@dataclass(frozen=True, eq=False)
class CurveSeries:
    """One line. x, y : float64[n]; ``role`` is the palette's name of its colour. ``legend`` says
    what it is.
    """

    x: Floats
    y: Floats
    role: str = "accent"
    dashed: bool = False
    legend: str = ""


@dataclass(frozen=True, eq=False)
class CurveFigureData:
    """What is drawn.

    words, x, y : every word with its point, x rising or falling; the pointer reads them
    labelled : numbers of the words that are written beside their points
    tell : what the readout says of a word by its number
    chosen : the selected word's number, or −1
    """

    across: Axis
    up: Axis
    series: tuple[CurveSeries, ...]
    words: Sequence[str]
    x: Floats
    y: Floats
    tell: Callable[[int], str]
    labelled: tuple[int, ...] = ()
    chosen: int = -1
    title: str = ""

    def nearest_words(self, value: float) -> tuple[int, int]:
        """Numbers of the two words between which a value of x lies."""
        last = len(self.x) - 1
        falling = bool(self.x[0] > self.x[-1])
        place = int(np.searchsorted(self.x[::-1] if falling else self.x, value))
        low, high = min(max(place - 1, 0), last), min(place, last)
        if falling:
            return (last - low, last - high)
        return (low, high)


def plot_area(size: QSize) -> QRectF:
    """Area of the curves in a figure of some size, without axes and labels."""
    return QRectF(0, 0, size.width(), size.height()).adjusted(
        scaled_length(_LEFT), scaled_length(_TOP), -scaled_length(_RIGHT), -scaled_length(_BOTTOM)
    )


def draw_figure(
    painter: QPainter,
    figure: CurveFigureData,
    size: QSize,
    colours: Palette,
    pointed: int = -1,
    ground: str = "",
) -> None:
    """Paint a figure on ``size`` device-independent pixels, with a readout at the word pointed at.

    ground : the colour that it lies on; "" for the window's
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area = plot_area(size)
    _draw_axes(painter, figure, area, colours)
    painter.save()
    painter.setClipRect(area.adjusted(-3, -3, 3, 3))
    for series in figure.series:
        if series.dashed:
            style = Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(getattr(colours, series.role)), 1.4, style))
        else:
            style = Qt.PenStyle.SolidLine
            painter.setPen(QPen(QColor(getattr(colours, series.role)), 2, style))
        # Frequent words lie far apart on a logarithmic axis, rare ones on one another.
        picked = np.unique(np.geomspace(1, max(len(series.x), 1), _POINTS).astype(np.int64) - 1)
        x = area.left() + area.width() * figure.across.position_of(series.x[picked])
        y = area.bottom() - area.height() * figure.up.position_of(series.y[picked])
        painter.drawPolyline(
            QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
        )
    painter.restore()
    taken = _draw_legend(painter, figure, area, colours, ground or colours.ground)
    _draw_words(painter, figure, area, colours, taken)
    if pointed >= 0:
        _draw_readout(painter, figure, pointed, area, size, colours)


def place_point(figure: CurveFigureData, area: QRectF, x: float, y: float) -> QPointF:
    """Position of a data point, in pixels."""
    return QPointF(
        area.left() + area.width() * float(figure.across.position_of(x)),
        area.bottom() - area.height() * float(figure.up.position_of(y)),
    )


def _draw_axes(painter: QPainter, figure: CurveFigureData, area: QRectF, colours: Palette) -> None:
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    line, muted = QColor(colours.line), QColor(colours.muted)
    right, centre = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
    for value in figure.up.ticks(int(area.height() // 26)):
        y = area.bottom() - area.height() * float(figure.up.position_of(value))
        painter.setPen(QPen(line, 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(muted)
        box = QRectF(0, y - scaled_length(9), area.left() - scaled_length(8), scaled_length(18))
        painter.drawText(box, right | Qt.AlignmentFlag.AlignVCenter, figure.up.format_value(value))
    for value in figure.across.ticks(int(area.width() // 64)):
        x = area.left() + area.width() * float(figure.across.position_of(value))
        painter.setPen(QPen(line, 1))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
        painter.setPen(muted)
        painter.drawText(
            QRectF(x - scaled_length(40), area.bottom() + 5, scaled_length(80), scaled_length(16)),
            centre,
            figure.across.format_value(value),
        )
    painter.setPen(muted)
    painter.drawText(
        QRectF(area.left(), area.bottom() + scaled_length(21), area.width(), scaled_length(17)),
        right,
        figure.across.label,
    )


def _draw_legend(
    painter: QPainter, figure: CurveFigureData, area: QRectF, colours: Palette, ground: str
) -> list[QRectF]:
    """Draw the legend in an empty corner; returns its rectangle."""
    entries = [(series, series.legend) for series in figure.series if series.legend]
    painter.setFont(body_font(TYPE_SMALL))
    metrics = QFontMetricsF(painter.font())
    wide = max((metrics.horizontalAdvance(text) for _, text in entries), default=0.0) + 26
    wide = max(wide, metrics.horizontalAdvance(figure.up.label))
    tall = 17.0 * (len(entries) + 1)
    corners = [
        QRectF(left, top, wide, tall)
        for left in (area.right() - wide - 4, area.left() + 8)
        for top in (area.top() + 2, area.bottom() - tall - 6)
    ]
    box = min(corners, key=lambda corner: _points_in_box(figure, area, corner))
    left = box.left()
    if _points_in_box(figure, area, box):
        # There is no corner that they all pass by: they stay faintly seen behind the words.
        plate = QColor(ground)
        plate.setAlpha(_PLATE)
        painter.fillRect(box.adjusted(-4, -2, 4, 2), plate)
    painter.setPen(QColor(colours.muted))
    painter.drawText(
        QRectF(left, box.top(), wide, scaled_length(16)),
        Qt.AlignmentFlag.AlignLeft,
        figure.up.label,
    )
    for row, (series, text) in enumerate(entries, start=1):
        y = box.top() + 17 * row + 8
        style = Qt.PenStyle.SolidLine
        if series.dashed:
            style = Qt.PenStyle.DashLine
        painter.setPen(QPen(QColor(getattr(colours, series.role)), 2, style))
        painter.drawLine(QPointF(left, y), QPointF(left + 18, y))
        painter.setPen(QColor(colours.text))
        painter.drawText(
            QRectF(left + scaled_length(24), y - scaled_length(8), wide, scaled_length(16)),
            Qt.AlignmentFlag.AlignLeft,
            text,
        )
    return [box]


def _points_in_box(figure: CurveFigureData, area: QRectF, box: QRectF) -> int:
    """Number of sampled points of the lines in a box."""
    found = 0
    for series in figure.series:
        if len(series.x) < 2:
            continue
        # Evenly spaced along the axis as it is drawn, not along the words.
        low, high = (
            float(figure.across.position_of(series.x).min()),
            float(figure.across.position_of(series.x).max()),
        )
        at = np.linspace(low, high, 100)
        places = figure.across.position_of(series.x)
        order = np.argsort(places, kind="stable")
        heights = np.interp(at, places[order], figure.up.position_of(series.y)[order])
        x, y = area.left() + area.width() * at, area.bottom() - area.height() * heights
        inside = (
            (x > box.left() - 6)
            & (x < box.right() + 6)
            & (y > box.top() - 6)
            & (y < box.bottom() + 6)
        )
        found += int(np.count_nonzero(inside))
    return found


def _draw_words(
    painter: QPainter, figure: CurveFigureData, area: QRectF, colours: Palette, taken: list[QRectF]
) -> None:
    """Draw labelled points, the selected one first, without overlap."""
    numbers = []
    if figure.chosen >= 0:
        numbers = [figure.chosen]
    numbers += [number for number in figure.labelled if number != figure.chosen]
    for number in numbers:
        chosen = number == figure.chosen
        at = place_point(figure, area, float(figure.x[number]), float(figure.y[number]))
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
            if chosen:
                painter.setPen(QColor(colours.accent))
            else:
                painter.setPen(QColor(colours.text))
            painter.drawText(
                free[0], Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text
            )
        if free or chosen:
            painter.setPen(QPen(QColor(colours.accent), 1.6))
            if chosen:
                painter.setBrush(QColor(colours.accent))
            else:
                painter.setBrush(QColor(colours.surface))
            radius = 3.0
            if chosen:
                radius = 4.0
            painter.drawEllipse(at, radius, radius)


def _draw_readout(
    painter: QPainter,
    figure: CurveFigureData,
    number: int,
    area: QRectF,
    size: QSize,
    colours: Palette,
) -> None:
    at = place_point(figure, area, float(figure.x[number]), float(figure.y[number]))
    painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))
    painter.setPen(QPen(QColor(colours.accent), 2))
    painter.setBrush(QColor(colours.surface))
    painter.drawEllipse(at, 4.5, 4.5)
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    metrics = QFontMetricsF(painter.font())
    text = visible_text(figure.tell(number))
    lines = text.split("\n")
    wide = max(metrics.horizontalAdvance(line) for line in lines) + 18
    tall = 17.0 * len(lines) + 8
    left = at.x() + 12 if at.x() + 12 + wide <= size.width() else max(at.x() - 12 - wide, 0.0)
    top = min(max(at.y() - tall - 8, 2.0), size.height() - tall - 2)
    box = QRectF(left, top, wide, tall)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(QColor(colours.raised))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QColor(colours.text))
    painter.drawText(box.adjusted(9, 4, -4, -4), Qt.AlignmentFlag.AlignLeft, text)
