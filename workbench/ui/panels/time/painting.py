"""The strips of a timeline, curves over one training with a shared axis and a marker: data and
drawing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.core.arrays import Doubles
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.run_marks import run_colour
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_BODY, TYPE_SMALL, Palette, body_font
from workbench.ui.plots.frame import Frame

# Room for numbers to the left of the strips.
LEFT_ROOM = 48.0
_HEAD, _GAP = 20.0, 6.0
# The knob of the marker, which is on the axis: numbers start below it.
_KNOB = 5.5
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
# The stretched axis is log(1 + 200 p): the first two-hundredth of the training takes as much room
# as a doubling later.
_STRETCH = 200.0


@dataclass(frozen=True, eq=False)
class TimeStrip:
    """One curve over the training.

    x : float64[n], share of the training; y : float64[n], NaN if unknown
    at : float64[F], y at the states, drawn as dots; values : text for each state, and an addition
    that is shown if there is room
    low, high : ends of the axis, the lower end at the bottom unless ``high`` is less; log :
    logarithmic
    ticks : values of y with their texts; note : text in place of the curve
    """

    title: str
    x: Doubles
    y: Doubles
    at: Doubles
    values: tuple[tuple[str, str], ...]
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    note: str = ""

    def level(self, y: npt.ArrayLike) -> Doubles:
        """0 at the bottom to 1 at the top; values beyond are clipped."""
        values, low, high = np.asarray(y, dtype=np.float64), self.low, self.high
        if self.log:
            values, low, high = np.log(np.maximum(values, 1e-12)), math.log(low), math.log(high)
        return np.asarray(np.clip((values - low) / (high - low or 1.0), 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Reel:
    """The content of a timeline: strips, states as shares of the training, and the label of the
    axis.

    ticks : shares within an interval with their texts
    colour : index of a run's colour
    """

    strips: tuple[TimeStrip, ...] = ()
    states: tuple[float, ...] = ()
    ticks: Callable[[float, float], Sequence[tuple[float, str]]] = lambda low, high: ()
    label: str = ""
    colour: int = 0
    stretched: bool = True


def stretch(progress: npt.ArrayLike, stretched: bool) -> Doubles:
    """0..1 along the axis for shares of the training."""
    shares = np.asarray(progress, dtype=np.float64)
    if not stretched:
        return shares
    return np.asarray(np.log1p(_STRETCH * shares) / math.log1p(_STRETCH))


def unstretch(places: tuple[float, float], stretched: bool) -> tuple[float, float]:
    """Inverse of ``stretch`` for two positions, limited to the training."""
    low, high = np.clip(places, 0.0, 1.0)
    if stretched:
        low, high = np.expm1(np.array([low, high]) * math.log1p(_STRETCH)) / _STRETCH
    return float(low), float(high)


class StripLayout:
    """The layout of strips in a pane, one below another."""

    def __init__(self, reel: Reel, frame: Frame) -> None:
        self.reel = reel
        self._frame = frame
        self.area = frame.area
        count = max(len(reel.strips), 1)
        tall = (self.area.height() - _GAP * (count - 1)) / count
        head = scaled_length(_HEAD)
        self.boxes = [
            QRectF(
                self.area.left(),
                self.area.top() + number * (tall + _GAP) + head,
                self.area.width(),
                max(tall - head, 4.0),
            )
            for number in range(count)
        ]
        self.bottom = self.boxes[-1].bottom()

    def x(self, progress: npt.ArrayLike) -> Doubles:
        return self._frame.x(stretch(progress, self.reel.stretched))

    def shows(self, across: float) -> bool:
        """Whether a position is visible."""
        return self.area.left() - 1 <= across <= self.area.right() + 1

    def points(self, number: int, x: npt.ArrayLike, y: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """float64[n, 2], pixels."""
        box = self.boxes[number]
        down = box.bottom() - self.reel.strips[number].level(y) * box.height()
        return np.stack([self.x(x), down], axis=1)


def draw_reel(painter: QPainter, reel: Reel, frame: Frame, colours: Palette) -> None:
    """Draw the strips and their axis, without the marker."""
    layout = StripLayout(reel, frame)
    small = body_font(TYPE_SMALL, tabular=True)
    line, muted = QColor(colours.line), QColor(colours.muted)
    for number, strip in enumerate(reel.strips):
        box = layout.boxes[number]
        painter.setFont(body_font(TYPE_SMALL, bold=True))
        painter.setPen(muted)
        head = QRectF(
            box.left(), box.top() - scaled_length(_HEAD), box.width(), scaled_length(_HEAD) - 3
        )
        painter.drawText(head, _MIDDLE | int(Qt.AlignmentFlag.AlignLeft), strip.title)
        painter.setPen(QPen(line, 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.setFont(small)
        if strip.note:
            painter.setPen(muted)
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(box.adjusted(8, 2, -8, -2), flags, strip.note)
            continue
        _draw_ticks(painter, strip, box, line, muted)
        painter.save()
        painter.setClipRect(box.adjusted(-4, -4, 4, 4))
        _draw_curve(painter, layout, number, run_colour(reel.colour, colours))
        painter.restore()
    painter.setFont(small)
    painter.setPen(muted)
    middle = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    top, wide, high = layout.bottom + _KNOB + 2, scaled_length(80), scaled_length(14)
    for at, text in reel.ticks(*unstretch(frame.x_range, reel.stretched)):
        box = QRectF(float(layout.x(at)) - wide / 2, top, wide, high)
        painter.drawText(box, middle, text)
    box = QRectF(frame.area.left(), top + high, frame.area.width(), scaled_length(16))
    painter.drawText(box, middle, reel.label)


def _draw_ticks(
    painter: QPainter, strip: TimeStrip, box: QRectF, line: QColor, muted: QColor
) -> None:
    below = math.inf
    for value, text in strip.ticks:
        y = box.bottom() - float(strip.level(value)) * box.height()
        if abs(y - below) < 13:
            continue
        below = y
        painter.setPen(QPen(line, 1))
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        painter.setPen(muted)
        beside = QRectF(
            box.left() - scaled_length(LEFT_ROOM),
            y - scaled_length(8),
            scaled_length(LEFT_ROOM) - 6,
            scaled_length(16),
        )
        painter.drawText(beside, _MIDDLE | int(Qt.AlignmentFlag.AlignRight), text)


def _draw_curve(painter: QPainter, layout: StripLayout, number: int, colour: QColor) -> None:
    strip = layout.reel.strips[number]
    known = np.isfinite(strip.y)
    points = layout.points(number, strip.x[known], strip.y[known])
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points.tolist()]))
    known = np.isfinite(strip.at)
    dots = layout.points(number, np.array(layout.reel.states)[known], strip.at[known])
    painter.setPen(QPen(colour, 5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in dots.tolist()]))


def draw_marker(painter: QPainter, layout: StripLayout, current: int, colours: Palette) -> None:
    """Draw the line through all strips at one state, with its points and values."""
    reel = layout.reel
    across = float(layout.x(reel.states[current]))
    accent = QColor(colours.accent)
    seen = layout.shows(across)
    if seen:
        painter.setPen(QPen(accent, 1.5))
        for box in layout.boxes:
            painter.drawLine(QPointF(across, box.top() - 1), QPointF(across, box.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(QPointF(across, layout.bottom), _KNOB, _KNOB)
    for number, strip in enumerate(reel.strips):
        if strip.note:
            continue
        box, here = layout.boxes[number], float(strip.at[current])
        if seen and math.isfinite(here):
            place = QPointF(*layout.points(number, [reel.states[current]], [here])[0].tolist())
            painter.setPen(QPen(accent, 2))
            painter.setBrush(QColor(colours.surface))
            painter.drawEllipse(place, 4.5, 4.5)
        titled = QFontMetricsF(body_font(TYPE_SMALL, bold=True)).horizontalAdvance(strip.title) + 12
        head = QRectF(
            box.left() + titled,
            box.top() - scaled_length(_HEAD) - 1,
            box.width() - titled,
            scaled_length(_HEAD) - 2,
        )
        _draw_value(painter, head, *strip.values[current], colours)


def _draw_value(painter: QPainter, head: QRectF, value: str, more: str, colours: Palette) -> None:
    """Draw a value, followed by its addition if there is room, aligned to the right."""
    strong, plain = (
        body_font(TYPE_BODY, bold=True, tabular=True),
        body_font(TYPE_SMALL, tabular=True),
    )
    wide = QFontMetricsF(strong).horizontalAdvance(value)
    further = QFontMetricsF(plain).horizontalAdvance(f" {more}") + 1 if more else 0.0
    side = _MIDDLE | int(Qt.AlignmentFlag.AlignRight)
    if further and wide + further <= head.width():
        painter.setFont(plain)
        painter.setPen(QColor(colours.muted))
        painter.drawText(head, side, more)
        head = head.adjusted(0, 0, -further, 0)
    painter.setFont(strong)
    painter.setPen(QColor(colours.text))
    text, end = paintable_text(value), Qt.TextElideMode.ElideRight
    painter.drawText(head, side, QFontMetricsF(strong).elidedText(text, end, head.width()))


def strips_description(reel: Reel, current: int) -> str:
    """Describe the strips at one state."""
    return "; ".join(
        f"{strip.title}: {strip.note or ' '.join(strip.values[current])}" for strip in reel.strips
    )
