"""Marks on a map of words: selection, links, arrows and a marker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from workbench.core.arrays import Singles
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.label_placement import LEFT, RIGHT

# Number of selected words that get labels before all others.
_NAMED_MOST = 60
# More rings than this are drawn like points.
MANY = 120


@dataclass(frozen=True)
class Arrow:
    """An arrow between two words, which always have labels."""

    start: str
    end: str


@dataclass(frozen=True)
class Ghost:
    """A marker at a position without a word, such as the target of an analogy."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Marks:
    """Marked words, stored by name, so that they survive a change of points.

    links : words with lines from ``source``, with strengths in 0..1
    guide : word that is marked as if selected, for the eye to follow while all words move
    """

    selection: tuple[str, ...] = ()
    source: str = ""
    links: tuple[tuple[str, float], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    ghost: Ghost | None = None
    guide: str = ""

    @cached_property
    def selected_words(self) -> frozenset[str]:
        return frozenset((*self.selection, self.guide)) - {""}

    @cached_property
    def ends(self) -> frozenset[str]:
        return frozenset(word for arrow in self.arrows for word in (arrow.start, arrow.end))

    @cached_property
    def linked_words(self) -> frozenset[str]:
        return frozenset((self.source, *(word for word, _ in self.links))) - {""}

    def rows(self, rows: Mapping[str, int]) -> list[int]:
        """The rows of the selected words that are on the map, and of the guide."""
        return [rows[word] for word in (*self.selection, self.guide) if word in rows]

    def first(self) -> list[str]:
        """The words to label before all others, most important first."""
        words = [self.guide] if self.guide else []
        words += [word for arrow in self.arrows for word in (arrow.start, arrow.end)]
        words += reversed(self.selection[-_NAMED_MOST:])
        words += [self.source, *(word for word, _ in self.links)]
        return list(dict.fromkeys(words))

    def sides(self, rows: Mapping[str, int], screen: Singles) -> dict[int, int]:
        """Side of a label, by row: labels at an arrow's ends are on the side away from the
        arrow.
        """
        sides: dict[int, int] = {}
        for arrow in self.arrows:
            start, end = rows[arrow.start], rows[arrow.end]
            rightwards = bool(screen[end, 0] >= screen[start, 0])
            if rightwards:
                sides[start], sides[end] = (LEFT, RIGHT)
            else:
                sides[start], sides[end] = (RIGHT, LEFT)
        return sides

    def arrow_lines(self, rows: Mapping[str, int], screen: Singles) -> list[Singles]:
        """The arrows from dot to dot, each float32[2, 2] in pixels."""
        return [screen[[rows[arrow.start], rows[arrow.end]]] for arrow in self.arrows]

    def arrow_pixels(self, rows: Mapping[str, int], screen: Singles) -> Singles:
        """float32[k, 2], pixels along the arrows."""
        parts = [np.empty((0, 2), dtype=np.float32)]
        for line in self.arrow_lines(rows, screen):
            for start, end in pairwise(line):
                steps = int(min(float(np.hypot(*(end - start))) / 3, 2000.0)) + 2
                share = np.linspace(0, 1, steps, dtype=np.float32)[:, None]
                parts.append(start + share * (end - start))
        return np.concatenate(parts)


def draw_links(
    painter: QPainter, marks: Marks, rows: Mapping[str, int], screen: Singles, colours: Palette
) -> None:
    """Draw lines from the source to its links, stronger ones more visibly."""
    source = rows.get(marks.source)
    if source is None:
        return
    start = point(screen, source)
    for word, strength in marks.links:
        row = rows.get(word)
        if row is not None:
            colour = QColor(colours.accent)
            colour.setAlphaF(0.2 + 0.5 * min(max(strength, 0.0), 1.0))
            painter.setPen(QPen(colour, 1.25))
            painter.drawLine(start, point(screen, row))


def draw_arrows(
    painter: QPainter,
    marks: Marks,
    rows: Mapping[str, int],
    screen: Singles,
    colours: Palette,
    radius: float,
) -> None:
    """Draw the arrows, in one colour because they show one relation, with a halo in the ground's
    colour. Words that are too close together have only dots in this colour.
    """
    halo = QColor(colours.ground)
    halo.setAlphaF(0.8)
    for line in marks.arrow_lines(rows, screen):
        free = radius + 4.0
        _draw_arrow(painter, line, free, halo, 6.0)
        _draw_arrow(painter, line, free, QColor(colours.runs[1]), 2.25)


def _draw_arrow(
    painter: QPainter, line: Singles, free: float, colour: QColor, width: float
) -> None:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(*at) for at in line.tolist()]))
    length = path.length()
    if length < 2 * free + 4:
        return
    head = min(12.0, length / 3)
    neck, tip = (path.percentAtLength(length - free - back) for back in (head, 0.0))
    tail, steps = path.percentAtLength(free), max(len(line), 2)
    shaft = [
        path.pointAtPercent(tail + (neck - tail) * step / (steps - 1)) for step in range(steps)
    ]
    end = path.pointAtPercent(tip)
    along = end - shaft[-1]
    along /= max(math.hypot(along.x(), along.y()), 1e-9)
    across = QPointF(-along.y(), along.x())
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF(shaft))
    pen.setWidthF(max(width - 1.5, 1.0))
    painter.setPen(pen)
    painter.setBrush(colour)
    half = across * head * 0.42
    painter.drawPolygon(QPolygonF([end, shaft[-1] + half, shaft[-1] - half]))


def draw_ghost(painter: QPainter, at: QPointF, colours: Palette) -> None:
    """Draw an open, dotted circle."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colours.runs[1]), 1.75, Qt.PenStyle.DotLine))
    painter.drawEllipse(at, 9.0, 9.0)


def draw_rings(
    painter: QPainter,
    marks: Marks,
    rows: Mapping[str, int],
    screen: Singles,
    colours: Palette,
    radius: float,
) -> None:
    """Draw dots at arrows' ends in the arrows' colour; and the selection in the accent colour, with
    rings.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    for word in marks.ends:
        painter.setBrush(QColor(colours.runs[1]))
        painter.drawEllipse(point(screen, rows[word]), radius + 0.5, radius + 0.5)
    chosen = marks.rows(rows)
    if not chosen or len(chosen) > MANY:
        return
    # All rings take three calls: dots in the accent, the ground, and again the accent colour.
    dots = QPolygonF([point(screen, row) for row in chosen])
    for colour, extent in (
        (colours.accent, radius + 4.5),
        (colours.ground, radius + 2.5),
        (colours.accent, radius),
    ):
        pen = QPen(QColor(colour), 2 * extent)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints(dots)


def point(screen: Singles, row: int) -> QPointF:
    return QPointF(float(screen[row, 0]), float(screen[row, 1]))
