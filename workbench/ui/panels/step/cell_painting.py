"""Painting of a GloVe step: the cell, its weight, and its difference from log X."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from workbench.analysis.step.step import CellFit
from workbench.core.language import tr
from workbench.models.params import glove_weight
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import MINUS, count, decimal, short_number
from workbench.ui.base.theme import SPACE_4, TYPE_LARGE, Palette, body_font
from workbench.ui.plots.paint_kit import (
    LEFT,
    RIGHT,
    FigurePart,
    draw_text,
    figure_font,
    fixed_decimals,
    pull_together_colour,
    push_apart_colour,
    small_font,
)

_TOP, _CURVE, _ROW, _NAME, _VALUE = 30.0, 230.0, 24.0, 64.0, 72.0
_POINTS = 48


class CellPart(FigurePart):
    """On the left, the weight f over X with this cell marked; on the right, the sum that should be
    0.
    """

    def __init__(self, cell: CellFit, width: float) -> None:
        super().__init__(width)
        self.cell = cell
        self.title = tr(
            "CELL {count} OF {cells}", count=count(cell.number + 1), cells=count(cell.cells)
        )
        self.rows = [
            ("w·c", cell.product),
            ("+ b_w", cell.bias),
            ("+ b_c", cell.context_bias),
            (tr("{MINUS} log X", MINUS=MINUS), -cell.target),
            ("= Δ", cell.difference),
        ]
        self.height = scaled_length(_TOP) + scaled_length(_ROW) * len(self.rows)

    def paint(self, painter: QPainter, palette: Palette) -> None:
        cell = self.cell
        title = tr("“{word}” and “{context}”", word=cell.word, context=cell.context)
        draw_text(
            painter,
            QRectF(0, 0, self.width, scaled_length(24)),
            title,
            body_font(TYPE_LARGE, bold=True),
            palette.text,
        )
        equation = f"X = {decimal(cell.count, 5)},  f(X) = {fixed_decimals(cell.weight)}"
        draw_text(
            painter,
            QRectF(0, 0, self.width, scaled_length(24)),
            equation,
            figure_font(),
            palette.muted,
            RIGHT,
        )
        self._draw_curve(
            painter,
            QRectF(
                0, scaled_length(_TOP), scaled_length(_CURVE), self.height - scaled_length(_TOP)
            ),
            palette,
        )
        self._draw_sum(
            painter,
            QRectF(
                scaled_length(_CURVE) + SPACE_4,
                scaled_length(_TOP),
                self.width - scaled_length(_CURVE) - SPACE_4,
                0,
            ),
            palette,
        )

    def _draw_curve(self, painter: QPainter, area: QRectF, palette: Palette) -> None:
        plot = area.adjusted(scaled_length(38), 6, -8, -scaled_length(18))
        most = max(1.5 * self.cell.x_max, 1.1 * self.cell.count)

        def at(x: float) -> QPointF:
            weight = glove_weight(x, self.cell.x_max, self.cell.alpha)
            return QPointF(
                plot.left() + plot.width() * x / most, plot.bottom() - plot.height() * weight
            )

        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.drawLine(plot.bottomLeft(), plot.topLeft())
        path = QPainterPath(at(0.0))
        for number in range(1, _POINTS + 1):
            path.lineTo(at(self.cell.x_max * (number / _POINTS) ** 2))
        path.lineTo(at(most))
        painter.setPen(QPen(QColor(palette.accent), 2))
        painter.drawPath(path)
        painter.setBrush(QColor(palette.accent))
        painter.setPen(QPen(QColor(palette.surface), 1.5))
        painter.drawEllipse(at(self.cell.count), 5, 5)
        draw_text(
            painter,
            QRectF(
                area.left(), plot.top() - scaled_length(8), scaled_length(30), scaled_length(16)
            ),
            "f = 1",
            small_font(),
            palette.muted,
            elided=False,
        )
        below = QRectF(plot.left(), plot.bottom() + 2, plot.width(), scaled_length(16))
        draw_text(painter, below, "0", small_font(), palette.muted, LEFT)
        draw_text(painter, below, f"X = {short_number(most)}", small_font(), palette.muted, RIGHT)

    def _draw_sum(self, painter: QPainter, area: QRectF, palette: Palette) -> None:
        bars = QRectF(
            area.left() + scaled_length(_NAME),
            area.top(),
            area.width() - scaled_length(_NAME) - scaled_length(_VALUE),
            0,
        )
        ends, total = [0.0], 0.0
        for _, value in self.rows[:-1]:
            total += value
            ends.append(total)
        low, high = min(ends), max(*ends, min(ends) + 1e-9)

        def at(value: float) -> float:
            return bars.left() + bars.width() * (value - low) / (high - low)

        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawLine(
            QPointF(at(0.0), area.top()),
            QPointF(at(0.0), area.top() + scaled_length(_ROW) * len(self.rows)),
        )
        start = 0.0
        for row, (name, value) in enumerate(self.rows):
            top = area.top() + row * scaled_length(_ROW)
            last = row == len(self.rows) - 1
            begin = 0.0 if last else start
            left, right = sorted((at(begin), at(begin + value)))
            painter.setPen(Qt.PenStyle.NoPen)
            colour = QColor(palette.point)
            if last:
                colour = pull_together_colour(palette)
                if math.copysign(1, value) > 0:
                    colour = push_apart_colour(palette)
            painter.setBrush(colour)
            painter.drawRect(
                QRectF(left, top + 6, max(right - left, 1.0), scaled_length(_ROW) - 12)
            )
            font = figure_font(bold=last)
            draw_text(
                painter,
                QRectF(area.left(), top, scaled_length(_NAME), scaled_length(_ROW)),
                name,
                font,
                palette.text,
            )
            draw_text(
                painter,
                QRectF(bars.right(), top, scaled_length(_VALUE), scaled_length(_ROW)),
                fixed_decimals(value),
                font,
                palette.text,
                RIGHT,
            )
            start += value
