"""Names beside the ends of curves, in place of a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from workbench.core.arrays import Doubles
from workbench.ui.colours import readable_colour
from workbench.ui.plain_text import paintable_text
from workbench.ui.plots.frame import Frame
from workbench.ui.scaling import scaled_length
from workbench.ui.theme import TYPE_SMALL, body_font

# Pixels between the end of a curve and its name, from the name to what stands at the right of the
# plot, and from one name to the next.
_GAP, _MARGIN, _HEIGHT = 8.0, 8.0, 15.0
_MOST_STEPS = 24


@dataclass(frozen=True, eq=False)
class NamedCurve:
    """A curve that ends in its name. x, y : float64[n], x rising; colour as #RRGGBB."""

    name: str
    colour: str
    x: Doubles
    y: Doubles


@dataclass(frozen=True)
class EndName:
    """A name that found a place, as far as there is room for it. left, middle, width in pixels;
    curve is the index of its curve.
    """

    curve: int
    text: str
    left: float
    middle: float
    width: float


def name_font() -> QFont:
    return body_font(TYPE_SMALL, bold=True)


def room_for_names(names: Sequence[str]) -> float:
    """Pixels that whole names take at the right of their curves."""
    metrics = QFontMetricsF(name_font())
    widest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
    return widest + scaled_length(_GAP) + scaled_length(_MARGIN)


def place_end_names(curves: Sequence[NamedCurve], frame: Frame) -> tuple[EndName, ...]:
    """Names beside the ends of their curves, moved up or down where they would overlap; at the
    right edge for curves that go on beyond it.

    The latest curves come first; a name for which no place is left is not written.
    """
    metrics = QFontMetricsF(name_font())
    area, high = frame.area, scaled_length(_HEIGHT)
    names: list[EndName] = []
    for index in range(len(curves) - 1, -1, -1):
        end = _end_in_view(curves[index], frame)
        if end is None:
            continue
        text = curves[index].name
        room = area.right() - scaled_length(_MARGIN) - end.x() - scaled_length(_GAP)
        if end.x() >= area.right():
            room = metrics.horizontalAdvance(text)
        if metrics.horizontalAdvance(text) > room + 0.5:
            # What tells names of one beginning apart stands at their ends.
            text = metrics.elidedText(paintable_text(text), Qt.TextElideMode.ElideMiddle, room)
        width = metrics.horizontalAdvance(text)
        left = min(end.x() + scaled_length(_GAP), area.right() - scaled_length(_MARGIN) - width)
        near = [
            name.middle
            for name in names
            if name.left < left + width and left < name.left + name.width
        ]
        for step in range(2 * _MOST_STEPS):
            middle = end.y() + (step + 1) // 2 * (-1) ** step * high / 2
            inside = area.top() + high / 2 <= middle <= area.bottom() - high / 2
            if inside and all(abs(middle - other) >= high * 0.999 for other in near):
                names.append(EndName(index, text, left, middle, width))
                break
    return tuple(names)


def _end_in_view(curve: NamedCurve, frame: Frame) -> QPointF | None:
    """The last point of a curve, or where it crosses the right edge; None if that is not in
    view.
    """
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
    """Write names in the colours of their curves, on a ground on which no curve strikes them
    out.
    """
    painter.setFont(name_font())
    metrics = QFontMetricsF(painter.font())
    base = (metrics.ascent() - metrics.descent()) / 2
    high = scaled_length(_HEIGHT)
    for name in names:
        plate = QRectF(name.left - 2, name.middle - high / 2, name.width + 4, high)
        painter.fillRect(plate, QColor(ground))
        painter.setPen(QColor(readable_colour(curves[name.curve].colour, ground)))
        painter.drawText(QPointF(name.left, name.middle + base), name.text)
