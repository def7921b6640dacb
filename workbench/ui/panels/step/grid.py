"""The grid of all decisions of a training step: σ as bars, gradients as arrows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from workbench.analysis.step.step import NODES, Pair, TrainingStep
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import plural
from workbench.ui.base.theme import SPACE_2, Palette
from workbench.ui.plots.paint_kit import (
    LEFT,
    RIGHT,
    FigurePart,
    Hit,
    draw_text,
    figure_font,
    fixed_decimals,
    pull_together_colour,
    push_apart_colour,
    small_font,
)

_NAME, _TOTAL, _HEAD, _ROW = 104.0, 64.0, 36.0, 32.0
# A column’s head consists of two such lines.
_LINE = _HEAD / 2
_BAR = 6.0
# Below each of these column widths, a further detail is left out.
_ROOMY, _TIGHT = 84.0, 40.0


class GridPart(FigurePart):
    """Rows: the words of the window, or h. Columns: the centre word and negative samples, or the
    nodes on its path.
    """

    def __init__(self, step: TrainingStep, chosen: int, width: float) -> None:
        super().__init__(width)
        self.step = step
        self.chosen = chosen
        self.columns = step.columns
        self.rows = len(step.pairs) // max(step.columns, 1)
        self.tree = bool(step.pairs) and step.changes[step.pairs[0].output].table == NODES
        self.title = tr("OBSERVED AND NEGATIVE SAMPLES")
        if self.tree:
            self.title = tr("DECISIONS ON THE PATH")
        self._column = max(
            (width - scaled_length(_NAME) - scaled_length(_TOTAL)) / max(self.columns, 1), 8.0
        )
        self.height = scaled_length(_HEAD) + scaled_length(_ROW) * self.rows

    def _cell_area(self, number: int) -> QRectF:
        row, column = divmod(number, self.columns)
        return QRectF(
            scaled_length(_NAME) + column * self._column,
            scaled_length(_HEAD) + row * scaled_length(_ROW),
            self._column,
            scaled_length(_ROW),
        )

    def place(self, kind: str, number: int) -> QRectF | None:
        if kind != "pair" or not 0 <= number < len(self.step.pairs):
            return None
        return self._cell_area(number)

    def at(self, point: QPointF) -> Hit | None:
        column, row = (
            int((point.x() - scaled_length(_NAME)) // self._column),
            int((point.y() - scaled_length(_HEAD)) // scaled_length(_ROW)),
        )
        if 0 <= column < self.columns and 0 <= row < self.rows:
            number = row * self.columns + column
            return Hit("pair", number, decision_text(self.step, self.step.pairs[number]))
        return None

    def paint(self, painter: QPainter, palette: Palette) -> None:
        step = self.step
        self._draw_heads(painter, palette)
        for row in range(self.rows):
            pairs = step.pairs[row * self.columns : (row + 1) * self.columns]
            top = scaled_length(_HEAD) + row * scaled_length(_ROW)
            name = step.input_of(pairs[0]).name if pairs[0].input >= 0 else "h"
            draw_text(
                painter,
                QRectF(0, top, scaled_length(_NAME) - SPACE_2, scaled_length(_ROW)),
                name,
                figure_font(),
                palette.text,
            )
            total = sum(pair.loss for pair in pairs)
            draw_text(
                painter,
                QRectF(
                    self.width - scaled_length(_TOTAL),
                    top,
                    scaled_length(_TOTAL),
                    scaled_length(_ROW),
                ),
                fixed_decimals(total),
                figure_font(),
                palette.text,
                RIGHT,
            )
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(QPointF(0, top), QPointF(self.width, top))
        for number, pair in enumerate(step.pairs):
            self._draw_decision(painter, self._cell_area(number), pair, palette)
        if 0 <= self.chosen < len(step.pairs):
            painter.setPen(QPen(QColor(palette.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self._cell_area(self.chosen).adjusted(2, 2, -2, -2), 5, 5)

    def _draw_heads(self, painter: QPainter, palette: Palette) -> None:
        step = self.step
        corner, words = tr("input"), ""
        if step.window is not None:
            words = plural(len(step.window.inside), "word")
        if step.hidden is not None:
            corner = f"h: {words}"
        draw_text(
            painter,
            QRectF(0, scaled_length(_LINE), scaled_length(_NAME), scaled_length(_LINE)),
            corner,
            small_font(),
            palette.muted,
        )
        draw_text(
            painter,
            QRectF(
                self.width - scaled_length(_TOTAL),
                scaled_length(_LINE),
                scaled_length(_TOTAL),
                scaled_length(_LINE),
            ),
            tr("loss"),
            small_font(),
            palette.muted,
            RIGHT,
        )
        for column, pair in enumerate(step.pairs[: self.columns]):
            area = QRectF(
                scaled_length(_NAME) + column * self._column + 4,
                0,
                self._column - 6,
                scaled_length(_LINE),
            )
            name = step.changes[pair.output].name
            below, colour = tr("noise"), push_apart_colour(palette)
            if pair.label:
                below, colour = tr("observed"), pull_together_colour(palette)
            if self.tree:
                below = str(1 - pair.label)
                if self._column > 60:
                    below = tr("branch {value}", value=below)
                if self._column <= scaled_length(_ROOMY):
                    name = name.rpartition(" ")[2]
            draw_text(
                painter, area, name, figure_font(bold=column == 0 and not self.tree), palette.text
            )
            draw_text(
                painter,
                area.translated(0, scaled_length(_LINE)),
                below,
                small_font(),
                colour.name(),
            )

    def _draw_decision(self, painter: QPainter, cell: QRectF, pair: Pair, palette: Palette) -> None:
        """Draw σ as a bar; an arrow points from its end to the label, 0 or 1."""
        inner = cell.adjusted(6, 4, -6, -5)
        colour = push_apart_colour(palette)
        if pair.label:
            colour = pull_together_colour(palette)
        if self._column > scaled_length(_TIGHT):
            text = QRectF(inner.left(), inner.top(), inner.width(), scaled_length(14))
            draw_text(
                painter,
                text,
                fixed_decimals(pair.sigma, 2),
                small_font(),
                palette.text,
                LEFT,
                elided=False,
            )
            if self._column > scaled_length(_ROOMY):
                _draw_push(
                    painter, QPointF(inner.right() - 10, text.center().y()), pair.label == 1, colour
                )
        track = QRectF(
            inner.left(), inner.bottom() - scaled_length(_BAR), inner.width(), scaled_length(_BAR)
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.hover))
        painter.drawRect(track)
        painter.setBrush(QColor(palette.point))
        end = track.left() + track.width() * pair.sigma
        painter.drawRect(QRectF(track.left(), track.top(), end - track.left(), scaled_length(_BAR)))
        goal = track.left()
        if pair.label:
            goal = track.right()
        _draw_arrow(painter, end, goal, track.center().y(), colour)


def _draw_arrow(painter: QPainter, start: float, end: float, y: float, colour: QColor) -> None:
    if abs(end - start) < 2:
        return
    side = 1 if end > start else -1
    head = min(5.0, abs(end - start))
    painter.setPen(QPen(colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.drawLine(QPointF(start, y), QPointF(end - side * head, y))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    base = end - side * head
    painter.drawPolygon(
        QPolygonF([QPointF(end, y), QPointF(base, y - 3.5), QPointF(base, y + 3.5)])
    )


def _draw_push(painter: QPainter, middle: QPointF, closer: bool, colour: QColor) -> None:
    """Draw two arrows that point towards each other, or apart."""
    y, x = middle.y(), middle.x()
    for side in (-1, 1):
        start, end = x + side * 2, x + side * 10
        if closer:
            start, end = end, start
        _draw_arrow(painter, start, end, y, colour)


def decision_text(step: TrainingStep, pair: Pair) -> str:
    """Describe a decision: σ, gradient and loss."""
    side, other = step.input_of(pair).name, step.changes[pair.output].name
    values = {
        "side": side,
        "other": other,
        "x": fixed_decimals(pair.score, 4),
        "sigma": fixed_decimals(pair.sigma, 4),
        "push": fixed_decimals(abs(pair.slope), 4),
        "loss": fixed_decimals(pair.loss, 4),
    }
    if pair.label:
        return tr(
            "{side} and {other}: x = {x}, σ(x) = {sigma}, pushed together by {push}, loss {loss}",
            **values,
        )
    return tr(
        "{side} and {other}: x = {x}, σ(x) = {sigma}, pushed apart by {push}, loss {loss}", **values
    )


LEGEND = tr("Bar: σ(x). Green arrow: together, towards 1. Orange: apart, towards 0.")
