"""Parts that figures share: legends, readouts beside a point, rings and the outline of the
focus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.core.arrays import Doubles
from workbench.ui.base.plain_text import paintable_text, visible_text
from workbench.ui.base.run_marks import draw_mark
from workbench.ui.base.theme import SPACE_2, SPACE_3, TYPE_LARGE, TYPE_SMALL, Palette, body_font

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_LONGEST_NAME = 180.0
_DOT = 12.0


@dataclass(frozen=True)
class LegendEntry:
    """A name with a sample of its line, or with the mark of a run whose colour others have, too.

    cycle : see ``draw_mark``
    """

    name: str
    colour: QColor
    dashed: bool = False
    cycle: int = 0


def polygon_of(x: Doubles, y: Doubles) -> QPolygonF:
    """The points float64[n] as a polygon of Qt; pyqtgraph can't make an empty one."""
    if not len(x):
        return QPolygonF()
    polygon: QPolygonF = pg.functions.arrayToQPolygonF(x, y)
    return polygon


def draw_legend(
    painter: QPainter, entries: Sequence[LegendEntry], box: QRectF, colours: Palette
) -> None:
    """Draw entries side by side, as many as fit."""
    painter.setFont(body_font(TYPE_SMALL))
    metrics = QFontMetricsF(painter.font())
    left, middle = box.left(), box.center().y()
    for entry in entries:
        room = box.right() - left - 18
        if room < 30:
            break
        text = metrics.elidedText(
            paintable_text(entry.name), Qt.TextElideMode.ElideRight, min(room, _LONGEST_NAME)
        )
        style = Qt.PenStyle.DotLine if entry.dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(entry.colour, 3, style, Qt.PenCapStyle.RoundCap))
        if entry.cycle:
            draw_mark(painter, entry.cycle, QRectF(left + 3, middle - 4, 8, 8), entry.colour)
        else:
            painter.drawLine(QPointF(left + 2, middle), QPointF(left + 12, middle))
        painter.setPen(QColor(colours.text))
        wide = metrics.horizontalAdvance(text) + 2
        painter.drawText(QRectF(left + 18, box.top(), wide, box.height()), _LEFT, text)
        left += 18 + wide + 16


def draw_readout(
    painter: QPainter,
    place: QPointF,
    lines: Sequence[tuple[str, str]],
    room: QRectF,
    colours: Palette,
) -> None:
    """Draw lines of text in a box beside a point, inside the figure.

    lines : the colour of the dot before each line, "" for none, and the text of the line
    """
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    metrics = QFontMetricsF(painter.font())
    indent = _DOT if any(colour for colour, _ in lines) else 0.0
    texts = [visible_text(text) for _, text in lines]
    wide = max(metrics.horizontalAdvance(text) for text in texts) + indent + 18
    high = metrics.lineSpacing() * len(texts) + 8
    left = place.x() + 12
    if left + wide > room.right():
        left = max(place.x() - 12 - wide, room.left() + 2)
    top = min(max(place.y() - high / 2, room.top() + 2), room.bottom() - high - 2)
    plate = QRectF(left, top, wide, high)
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(QColor(colours.raised))
    painter.drawRoundedRect(plate, 4, 4)
    row = QRectF(left + 8, top + 4, wide - 16, metrics.lineSpacing())
    for (colour, _), text in zip(lines, texts, strict=True):
        if colour:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawEllipse(QPointF(row.left() + 4, row.center().y()), 3.5, 3.5)
        painter.setPen(QColor(colours.text))
        start = indent if colour else 0.0
        painter.drawText(row.adjusted(start, 0, 0, 0), _LEFT, text)
        row.translate(0, metrics.lineSpacing())


def draw_ring(painter: QPainter, place: QPointF, colour: QColor, colours: Palette) -> None:
    """Draw a ring around a point."""
    painter.setPen(QPen(QColor(colours.surface), 4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(place, 5.5, 5.5)
    painter.setPen(QPen(colour, 2))
    painter.setBrush(QColor(colours.surface))
    painter.drawEllipse(place, 5, 5)


def draw_headings(
    painter: QPainter, lines: Sequence[str], room: QRectF, colours: Palette
) -> QRectF:
    """Draw lines above a figure, the first one large; returns the remaining room."""
    if not lines:
        return room
    left = room.adjusted(SPACE_3, SPACE_2, -SPACE_3, -SPACE_2)
    for number, text in enumerate(lines):
        painter.setFont(body_font(TYPE_SMALL))
        painter.setPen(QColor(colours.muted))
        if number == 0:
            painter.setFont(body_font(TYPE_LARGE, bold=True))
            painter.setPen(QColor(colours.text))
        metrics = QFontMetricsF(painter.font())
        line = QRectF(left.left(), left.top(), left.width(), metrics.height())
        shown = metrics.elidedText(paintable_text(text), Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, _LEFT, shown)
        left.setTop(line.bottom() + SPACE_2)
    return left


def draw_focus(painter: QPainter, room: QRectF, colours: Palette) -> None:
    """Outline a figure that has the focus."""
    painter.setPen(QPen(QColor(colours.accent), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
