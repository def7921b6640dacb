"""Names beside the ends of curves, in place of a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from workbench.core.arrays import Doubles
from workbench.ui.base.colours import readable_colour
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.run_marks import line_pattern
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_SMALL, body_font
from workbench.ui.plots.frame import Frame

# Pixels between the end of a curve and its name, between the name and the widgets to the right of
# the plot, and between two names.
_GAP, _MARGIN, _HEIGHT = 8.0, 8.0, 15.0
_MOST_STEPS = 24
# Colour of the lines to names, on any ground.
_LEADER = "#8a919c"
MOST_NAMES = 8


@dataclass(frozen=True, eq=False)
class NamedCurve:
    """A curve that ends in its name. x, y : float64[n], x ascending; colour as #RRGGBB; pattern
    distinguishes curves of the same colour, 0 for a solid line; main is whether the curve is always
    labelled.
    """

    name: str
    colour: str
    x: Doubles
    y: Doubles
    pattern: int = 0
    main: bool = False


@dataclass(frozen=True)
class EndName:
    """A placed name, shortened to the room available. left, middle, width in pixels; curve is the
    index of its curve, end the end of the curve.
    """

    curve: int
    text: str
    left: float
    middle: float
    width: float
    end: QPointF


def name_font() -> QFont:
    return body_font(TYPE_SMALL, bold=True)


def pattern_of(curve: NamedCurve) -> Qt.PenStyle:
    """The line style of a curve."""
    return line_pattern(curve.pattern)


def room_for_names(names: Sequence[str]) -> float:
    """Width of complete names to the right of their curves, in pixels."""
    metrics = QFontMetricsF(name_font())
    widest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
    return widest + scaled_length(_GAP) + scaled_length(_MARGIN)


def place_end_names(curves: Sequence[NamedCurve], frame: Frame) -> tuple[EndName, ...]:
    """Names to the right of all curves, moved up or down to avoid overlaps; for curves that
    continue beyond the right edge, at that edge, between curves.

    At most ``MOST_NAMES`` are placed: that of the main curve, then those of the latest. Names
    without room are left out.
    """
    metrics = QFontMetricsF(name_font())
    area, high = frame.area, scaled_length(_HEIGHT)
    ends = [_end_in_view(curve, frame) for curve in curves]
    lines = [(frame.x(curve.x), frame.y(curve.y)) for curve in curves]
    seen = [end.x() for end in ends if end is not None]
    order = sorted(range(len(curves)), key=lambda index: (curves[index].main, index), reverse=True)
    names: list[EndName] = []
    for index in order:
        end = ends[index]
        if end is None or len(names) == MOST_NAMES:
            continue
        text = curves[index].name
        room = area.right() - scaled_length(_MARGIN) - max(seen) - scaled_length(_GAP)
        if max(seen) >= area.right():
            room = metrics.horizontalAdvance(text)
        if metrics.horizontalAdvance(text) > room + 0.5:
            # Names with a common prefix differ in their last part.
            text = metrics.elidedText(paintable_text(text), Qt.TextElideMode.ElideLeft, room)
        width = metrics.horizontalAdvance(text)
        left = min(max(seen) + scaled_length(_GAP), area.right() - scaled_length(_MARGIN) - width)
        others = [name.middle for name in names]
        for step in range(2 * _MOST_STEPS):
            middle = end.y() + (step + 1) // 2 * (-1) ** step * high / 2
            inside = area.top() + high / 2 <= middle <= area.bottom() - high / 2
            apart = all(abs(middle - other) >= high * 0.999 for other in others)
            plate = QRectF(left - 2, middle - high / 2, width + 4, high)
            if inside and apart and not any(_crosses(line, plate) for line in lines):
                names.append(EndName(index, text, left, middle, width, end))
                break
    if seen and max(seen) < area.right():
        names = _in_order(names)
    return tuple(names)


def _in_order(names: Sequence[EndName]) -> list[EndName]:
    """The same names in the same places, but in the order of the ends of their curves, so that
    their lines don't cross. No curve may pass through the places.
    """
    middles = sorted(name.middle for name in names)
    order = sorted(range(len(names)), key=lambda index: names[index].end.y())
    places = dict(zip(order, middles, strict=True))
    return [replace(name, middle=places[index]) for index, name in enumerate(names)]


def _crosses(line: tuple[Doubles, Doubles], plate: QRectF) -> bool:
    """Whether a curve passes through the area of a name. line : x, y in pixels"""
    x, y = line
    if not len(x) or x[-1] < plate.left() or x[0] > plate.right():
        return False
    at = np.arange(max(plate.left(), x[0]), min(plate.right(), x[-1]) + 1.0, 2.0)
    heights = np.interp(at, x, y)
    inside = y[(x >= plate.left()) & (x <= plate.right())]
    low, high = plate.top(), plate.bottom()
    every = np.concatenate([heights, inside])
    return bool(((every >= low) & (every <= high)).any())


def _end_in_view(curve: NamedCurve, frame: Frame) -> QPointF | None:
    """The last point of a curve, or where it crosses the right edge; None if that isn't visible."""
    if not len(curve.x):
        return None
    x, y = frame.x(curve.x), frame.y(curve.y)
    right = frame.area.right()
    end = QPointF(float(x[-1]), float(y[-1]))
    if end.x() > right:
        end = QPointF(right, float(np.interp(right, x, y)))
    if end.x() < frame.area.left() or not -1 <= end.y() - frame.area.top() <= (
        frame.area.height() + 1
    ):
        return None
    return end


def draw_end_names(
    painter: QPainter, names: Sequence[EndName], curves: Sequence[NamedCurve], ground: str
) -> None:
    """Write names in the colours of their curves, each at the end of a fine dotted line. The line
    is grey, as a line in the colour of the curve would look like its continuation.
    """
    painter.setFont(name_font())
    metrics = QFontMetricsF(painter.font())
    base = (metrics.ascent() - metrics.descent()) / 2
    high = scaled_length(_HEIGHT)
    for name in names:
        curve = curves[name.curve]
        plain = curve.pattern == 0
        moved = QPointF(name.left - 3, name.middle) - name.end
        if name.end.x() < name.left - 3 and (not plain or moved.manhattanLength() > high):
            painter.setPen(QPen(QColor(_LEADER), scaled_length(1.0), Qt.PenStyle.DotLine))
            painter.drawLine(name.end, QPointF(name.left - 3, name.middle))
        painter.setPen(QColor(readable_colour(curve.colour, ground)))
        painter.drawText(QPointF(name.left, name.middle + base), name.text)
