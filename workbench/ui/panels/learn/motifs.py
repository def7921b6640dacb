"""Small pictures on the cards of lessons: each sketches the panel that the lesson is about."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from workbench.session.lessons.actions import FigureAction, Put
from workbench.session.lessons.lesson import Lesson

Random = np.random.Generator
Draw = Callable[[QPainter, QRectF, QColor, Random], None]


def panel_of(lesson: Lesson) -> str:
    """The key of the panel that most figures of a lesson show; "umap" for a map by UMAP."""
    actions = [action for step in lesson.steps for action in step.actions]
    shown = [
        action.widget.partition(".")[0] for action in actions if isinstance(action, FigureAction)
    ]
    if not shown:
        return ""
    # Nearly every lesson looks at neighbours.
    panels = dict.fromkeys(panel for panel in shown if panel != "neighbours")
    panel = max(panels or shown, key=shown.count)
    methods = [a.value for a in actions if isinstance(a, Put) and a.widget == "map.method"]
    return "umap" if panel == "map" and methods[:1] == ["umap"] else panel


def paint_motif(painter: QPainter, area: QRectF, lesson: Lesson, colour: QColor) -> None:
    """Paint the picture of a lesson; the same lesson always gets the same picture."""
    random = np.random.default_rng(zlib.crc32(lesson.key.encode()))
    painter.save()
    painter.setClipRect(area)
    painter.setPen(Qt.PenStyle.NoPen)
    _MOTIFS.get(panel_of(lesson), _words)(painter, area, colour, random)
    painter.restore()


def _faded(colour: QColor, share: float) -> QColor:
    faded = QColor(colour)
    faded.setAlphaF(share)
    return faded


def _dot(painter: QPainter, x: float, y: float, radius: float, colour: QColor) -> None:
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(x, y), radius, radius)


def _islands(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Clusters of points."""
    for at in range(6):
        x = area.left() + area.width() * (at + 0.5) / 6
        y = area.top() + area.height() * random.uniform(0.3, 0.7)
        spread = area.height() * 0.13
        for dx, dy in random.normal(0, spread, (14, 2)):
            _dot(painter, x + dx, y + dy, 2.2, _faded(colour, random.uniform(0.35, 0.95)))


def _axis(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Points between two ends of an axis."""
    middle = area.center().y()
    painter.setPen(QPen(_faded(colour, 0.5), 1.5))
    painter.drawLine(QPointF(area.left() + 24, middle), QPointF(area.right() - 24, middle))
    painter.setPen(Qt.PenStyle.NoPen)
    for share in (0.2, 0.5, 0.8):
        for dx, dy in random.normal(0, area.height() * 0.16, (9, 2)):
            x = area.left() + share * area.width() + 1.6 * dx
            _dot(painter, x, middle + dy, 2.4, _faded(colour, 0.4 + 0.5 * abs(share - 0.5) / 0.3))


def _cells(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """A heatmap with blocks along its diagonal."""
    side = area.height() / 7
    columns = int(area.width() / side) + 1
    for row in range(7):
        for column in range(columns):
            near = np.exp(-(((column / columns * 7 - row) / 1.6) ** 2))
            strength = 0.06 + 0.75 * near * random.uniform(0.5, 1) + random.uniform(0, 0.12)
            cell = QRectF(area.left() + column * side, area.top() + row * side, side - 1, side - 1)
            painter.fillRect(cell, _faded(colour, min(strength, 0.95)))


def _diagonal(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Points around a line: a model against its target."""
    low, high = area.bottomLeft(), area.topRight()
    painter.setPen(QPen(_faded(colour, 0.55), 1.5))
    painter.drawLine(low + QPointF(30, -8), high + QPointF(-30, 8))
    painter.setPen(Qt.PenStyle.NoPen)
    for share in random.uniform(0.08, 0.92, 70):
        x = low.x() + share * area.width()
        y = low.y() - share * area.height() + random.normal(0, area.height() * 0.1)
        _dot(painter, x, y, 2.0, _faded(colour, random.uniform(0.3, 0.9)))


def _bars(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Scores, from high to low."""
    number, gap = 5, 5.0
    decline = random.uniform(0.62, 0.9)
    tall = (area.height() - 16 - gap * (number - 1)) / number
    for at in range(number):
        share = 0.86 * decline**at + random.uniform(0, 0.08)
        bar = QRectF(area.left() + 24, area.top() + 8 + at * (tall + gap), 0, tall)
        bar.setWidth((area.width() - 48) * share)
        painter.setBrush(_faded(colour, 0.9 - 0.11 * at))
        painter.drawRoundedRect(bar, tall / 2, tall / 2)


def _columns(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Frequencies by rank."""
    number = 34
    wide = (area.width() - 48) / number
    for at in range(number):
        tall = (area.height() - 20) * (1 / (at + 1)) ** 0.62
        bar = QRectF(
            area.left() + 24 + at * wide, area.bottom() - 10 - tall, max(wide - 2, 1), tall
        )
        painter.fillRect(bar, _faded(colour, 0.9 - 0.5 * at / number))


def _steps(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Two parallel steps: an analogy."""
    pen = QPen(_faded(colour, 0.9), 2)
    up, right = QPointF(area.width() * 0.24, -area.height() * 0.42), area.width() * 0.26
    start = QPointF(area.left() + area.width() * 0.24, area.bottom() - area.height() * 0.26)
    for at in range(2):
        foot = start + QPointF(at * right, at * 6)
        painter.setPen(pen)
        painter.drawLine(foot, foot + up)
        painter.setPen(Qt.PenStyle.NoPen)
        _dot(painter, foot.x(), foot.y(), 5, _faded(colour, 0.5))
        _dot(painter, (foot + up).x(), (foot + up).y(), 5, colour)


def _curve(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Curves of several settings."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x = np.linspace(0, 1, 40)
    for at, steep in enumerate((2.0, 4.0, 9.0)):
        y = 1 - np.exp(-steep * x)
        painter.setPen(QPen(_faded(colour, 0.35 + 0.28 * at), 2))
        points = [
            QPointF(
                area.left() + 24 + a * (area.width() - 48),
                area.bottom() - 12 - b * (area.height() - 24),
            )
            for a, b in zip(x, y, strict=True)
        ]
        painter.drawPolyline(QPolygonF(points))


def _words(painter: QPainter, area: QRectF, colour: QColor, random: Random) -> None:
    """Lines of a text, with some words marked."""
    line, tall = area.height() / 6, area.height() / 13
    for row in range(5):
        x = area.left() + 24
        while x < area.right() - 40:
            wide = float(random.uniform(14, 52))
            strength = 0.9 if random.uniform() < 0.16 else 0.22
            painter.setBrush(_faded(colour, strength))
            painter.drawRoundedRect(
                QRectF(x, area.top() + (row + 0.7) * line, wide, tall), tall / 2, tall / 2
            )
            x += wide + 7


_MOTIFS: Mapping[str, Draw] = {
    "umap": _islands,
    "map": _axis,
    "matrix": _cells,
    "theory": _diagonal,
    "pair": _diagonal,
    "evaluate": _bars,
    "neighbours": _bars,
    "compare": _bars,
    "analogy": _steps,
    "relations": _steps,
    "weights": _curve,
    "loss": _curve,
    "corpus": _columns,
    "inspector": _words,
    "inside": _words,
}
