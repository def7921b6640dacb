"""The figure of a taught word: its neighbours with their standard errors, and its contexts."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.analysis.teach.teaching import Taught
from workbench.core.language import tr
from workbench.ui.base.text import true_minus
from workbench.ui.base.theme import LIGHT
from workbench.ui.plots.paint_kit import LEFT, RIGHT, draw_text, figure_font, small_font

_WIDE, _ROW, _HEAD, _EDGE = 560, 24, 30, 16
_NAME, _NUMBER, _MOST = 120, 44, 10


def figure_size(taught: Taught | None) -> QSize:
    """Size in pixels of the figure."""
    rows = 0 if taught is None else max(len(taught.neighbours), len(taught.contexts[:_MOST]))
    return QSize(_WIDE, 2 * _EDGE + _HEAD + rows * _ROW)


def paint_figure(painter: QPainter, taught: Taught | None) -> None:
    """Paint it on white, whatever the theme: figures are for paper."""
    if taught is None:
        return
    size = figure_size(taught)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(LIGHT.surface))
    half = (_WIDE - 3 * _EDGE) / 2
    heading = tr("Neighbours of “{word}”, ± standard error", word=taught.word)
    errors = [error if math.isfinite(error) else 0.0 for error in taught.errors.tolist()]
    rows = [
        (one.word, one.cosine, error) for one, error in zip(taught.neighbours, errors, strict=True)
    ]
    _paint_list(painter, _EDGE, half, heading, rows, 1.0)
    contexts = taught.contexts[:_MOST]
    if contexts:
        most = max(max(one.pmi for one in contexts), 1e-9)
        pairs = [(one.word, one.pmi, 0.0) for one in contexts]
        _paint_list(painter, 2 * _EDGE + half, half, tr("Contexts by PMI, nats"), pairs, most)


def _paint_list(
    painter: QPainter,
    left: float,
    width: float,
    heading: str,
    rows: list[tuple[str, float, float]],
    most: float,
) -> None:
    """Names, numbers and dots with whiskers; most : value at the right edge."""
    draw_text(painter, QRectF(left, _EDGE, width, _HEAD), heading, small_font(), LIGHT.muted)
    room = width - _NAME - _NUMBER - 8
    start = left + _NAME + _NUMBER + 8

    def across(value: float) -> float:
        return start + room * min(max(value / most, 0.0), 1.0)

    for at, (name, value, error) in enumerate(rows):
        line = QRectF(left, _EDGE + _HEAD + at * _ROW, width, _ROW)
        names = QRectF(line.left(), line.top(), _NAME - 4, _ROW)
        numbers = QRectF(line.left() + _NAME, line.top(), _NUMBER, _ROW)
        draw_text(painter, names, name, figure_font(), LIGHT.text, LEFT)
        shown = true_minus(f"{value:.2f}")
        draw_text(painter, numbers, shown, figure_font(), LIGHT.text, RIGHT)
        middle = line.center().y()
        painter.setPen(QPen(QColor(LIGHT.line), 1))
        painter.drawLine(QPointF(start, middle), QPointF(start + room, middle))
        painter.setPen(QPen(QColor(LIGHT.accent), 2))
        painter.drawLine(
            QPointF(across(value - error), middle), QPointF(across(value + error), middle)
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LIGHT.accent))
        painter.drawEllipse(QPointF(across(value), middle), 3.5, 3.5)
