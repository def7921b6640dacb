"""The figure of ranked lines: the push of each as a bar, and its words or its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.ui.base.text import count
from workbench.ui.base.theme import LIGHT
from workbench.ui.panels.influence.line_table import RankedLine
from workbench.ui.plots.paint_kit import RIGHT, draw_text, figure_font, small_font

# Pixels: the figure, its rows, heading and edges; the columns of numbers, bars and pushes.
_WIDE, _ROW, _HEAD, _EDGE = 900, 24, 30, 16
_NUMBER, _BAR, _PUSH, _GAP = 72, 150, 70, 12
# Rows in the figure.
MOST = 25


def figure_size(rows: Sequence[RankedLine]) -> QSize:
    """Size in pixels of the figure."""
    return QSize(_WIDE, 2 * _EDGE + _HEAD + len(rows[:MOST]) * _ROW)


def paint_figure(painter: QPainter, heading: str, rows: Sequence[RankedLine]) -> None:
    """Paint it on white, whatever the theme: figures are for paper."""
    size, shown = figure_size(rows), rows[:MOST]
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(LIGHT.surface))
    wide = size.width() - 2 * _EDGE
    draw_text(painter, QRectF(_EDGE, _EDGE, wide, _HEAD), heading, small_font(), LIGHT.muted)
    most = max((abs(row.push) for row in shown), default=0.0) or 1.0
    for at, row in enumerate(shown):
        _paint_row(painter, _EDGE + _HEAD + at * _ROW, row, row.push / most)


def _paint_row(painter: QPainter, top: float, row: RankedLine, share: float) -> None:
    """share : length of the bar and its side, −1 to 1."""
    font = figure_font()
    number = QRectF(_EDGE, top, _NUMBER, _ROW)
    draw_text(painter, number, count(row.line + 1), font, LIGHT.muted, RIGHT)
    bar = QRectF(number.right() + _GAP, top, _BAR, _ROW)
    middle = bar.center()
    end = middle.x() + share * _BAR / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(LIGHT.accent if share >= 0 else LIGHT.warning))
    left, right = min(middle.x(), end), max(middle.x(), end)
    painter.drawRect(QRectF(left, top + 5, right - left, _ROW - 10))
    painter.setPen(QPen(QColor(LIGHT.line), 1))
    painter.drawLine(QPointF(middle.x(), top + 2), QPointF(middle.x(), top + _ROW - 2))
    push = QRectF(bar.right() + _GAP, top, _PUSH, _ROW)
    draw_text(painter, push, row.format_push(row.push), font, LIGHT.text, RIGHT)
    left = push.right() + _GAP
    draw_text(painter, QRectF(left, top, _WIDE - _EDGE - left, _ROW), row.excerpt, font, LIGHT.text)
