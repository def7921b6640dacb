"""Marks on a map of words: selection, links, arrows and a marker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from workbench.core.arrays import Singles
from workbench.ui.theme import Palette
from workbench.ui.widgets.map.label_placement import LEFT, RIGHT

# So many of the selected words get labels before all others.
_NAMED_MOST = 60
# More rings than these are drawn as points are.
MANY = 120


@dataclass(frozen=True)
class Arrow:
    """An arrow from a word to a word; both are always written."""

    start: str
    end: str


@dataclass(frozen=True)
class Ghost:
    """A marker where no word is, such as where an analogy points."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Marks:
    """Words that are emphasised, by name, so that they outlive a change of points.

    links : words to which lines go from ``source``, with strengths in 0..1
    """

    selection: tuple[str, ...] = ()
    source: str = ""
    links: tuple[tuple[str, float], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    ghost: Ghost | None = None

    @cached_property
    def selected_words(self) -> frozenset[str]:
        return frozenset(self.selection)

    @cached_property
    def ends(self) -> frozenset[str]:
        return frozenset(word for arrow in self.arrows for word in (arrow.start, arrow.end))

    @cached_property
    def linked_words(self) -> frozenset[str]:
        return frozenset((self.source, *(word for word, _ in self.links))) - {""}

    def rows(self, rows: Mapping[str, int]) -> list[int]:
        """The rows of the selected words that are there."""
        return [rows[word] for word in self.selection if word in rows]

    def first(self) -> list[str]:
        """The words to be written before all others, the most wanted first."""
        words = [word for arrow in self.arrows for word in (arrow.start, arrow.end)]
        words += reversed(self.selection[-_NAMED_MOST:])
        words += [self.source, *(word for word, _ in self.links)]
        return list(dict.fromkeys(words))

    def sides(self, rows: Mapping[str, int], screen: Singles) -> dict[int, int]:
        """By row, the side for a label: an arrow's ends are written away from the arrow."""
        sides: dict[int, int] = {}
        for arrow in self.arrows:
            start, end = rows[arrow.start], rows[arrow.end]
            rightwards = bool(screen[end, 0] >= screen[start, 0])
            if rightwards:
                sides[start], sides[end] = (LEFT, RIGHT)
            else:
                sides[start], sides[end] = (RIGHT, LEFT)
        return sides

    def arrow_pixels(self, rows: Mapping[str, int], screen: Singles) -> Singles:
        """float32[k, 2], pixels along the arrows."""
        parts = [np.empty((0, 2), dtype=np.float32)]
        for arrow in self.arrows:
            start, end = screen[rows[arrow.start]], screen[rows[arrow.end]]
            steps = int(min(float(np.hypot(*(end - start))) / 3, 2000.0)) + 2
            parts.append(
                start + np.linspace(0, 1, steps, dtype=np.float32)[:, None] * (end - start)
            )
        return np.concatenate(parts)


def draw_links(
    painter: QPainter, marks: Marks, rows: Mapping[str, int], screen: Singles, colours: Palette
) -> None:
    """Lines from the source to its links, the stronger the more visible."""
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
    """The arrows, in one colour since they show one relation, with a halo of the ground."""
    halo = QColor(colours.ground)
    halo.setAlphaF(0.8)
    for arrow in marks.arrows:
        start, end = point(screen, rows[arrow.start]), point(screen, rows[arrow.end])
        _draw_arrow(painter, start, end, radius + 4.0, halo, 6.0)
        _draw_arrow(painter, start, end, radius + 4.0, QColor(colours.runs[1]), 2.25)


def _draw_arrow(
    painter: QPainter, start: QPointF, end: QPointF, free: float, colour: QColor, width: float
) -> None:
    length = math.hypot(end.x() - start.x(), end.y() - start.y())
    if length < 2 * free + 4:
        return
    along = (end - start) / length
    across = QPointF(-along.y(), along.x())
    tail, tip = start + along * free, end - along * free
    head = min(12.0, length / 3)
    neck = tip - along * head
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawLine(tail, neck)
    pen.setWidthF(max(width - 1.5, 1.0))
    painter.setPen(pen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, neck + across * head * 0.42, neck - across * head * 0.42]))


def draw_ghost(painter: QPainter, at: QPointF, colours: Palette) -> None:
    """An open, dotted circle."""
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
    """Arrows' ends in the arrows' colour; the selection in the accent, with a ring."""
    painter.setPen(Qt.PenStyle.NoPen)
    for word in marks.ends:
        painter.setBrush(QColor(colours.runs[1]))
        painter.drawEllipse(point(screen, rows[word]), radius + 0.5, radius + 0.5)
    chosen = marks.rows(rows)
    if not chosen or len(chosen) > MANY:
        return
    # All rings are three calls: dots of accent, of ground, and of accent again.
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
