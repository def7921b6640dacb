"""Axes: pyqtgraph's handling of wheel and drags, painted with the project's ticks and texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from workbench.core.language import percent
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.plots.frame import Frame
from workbench.ui.plots.ticks import log_ticks, nice_ticks, tick_texts

LEFT, BOTTOM = "left", "bottom"
_NUMBERS, _TITLE = {LEFT: 52.0, BOTTOM: 24.0}, {LEFT: 20.0, BOTTOM: 18.0}
# Minimum distance between ticks, of linear and of logarithmic axes.
_APART, _LOG_APART = {LEFT: 34.0, BOTTOM: 60.0}, {LEFT: 26.0, BOTTOM: 60.0}
# Maximum room of a name below an axis, and the distance between two.
_LONGEST_NAME, _NAME_GAP = 120.0, 10.0
_CENTRE = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
_SIDE = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis of numbers to the left of a pane or below it.

    percent : whether 0.5 is written as 50%; whole : whether ticks are only whole numbers
    has_grid : whether the pane has grid lines at the ticks
    gap : pixels between pane and axis, for a figure that draws something between them
    last : maximum value of a tick, or None
    names : texts of the values 0, 1, … of an axis of names in place of numbers
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.side = side
        self.title = ""
        self.percent = False
        self.whole = False
        self.has_grid = side == LEFT
        self.gap = 0.0
        self.last: float | None = None
        self.names: Sequence[str] = ()
        self.enableAutoSIPrefix(False)

    def thickness(self) -> float:
        """Width or height of the axis beside its pane, in pixels."""
        title = _TITLE[self.side] if self.title else 0.0
        return scaled_length(_NUMBERS[self.side] + title) + self.gap

    def place_beside(self, area: QRectF) -> None:
        """Take the room beside a pane; there, the wheel and drags change only this axis."""
        if self.side == LEFT:
            self.setWidth(self.thickness())
            self.setGeometry(
                QRectF(area.left() - self.thickness(), area.top(), self.thickness(), area.height())
            )
        else:
            self.setHeight(self.thickness())
            self.setGeometry(QRectF(area.left(), area.bottom(), area.width(), self.thickness()))

    # -- ticks

    def ticks(self, frame: Frame) -> list[float]:
        """Values with a label."""
        log, (low, high), length = self._span(frame)
        if self.names:
            first, last = max(math.ceil(low), 0), min(math.floor(high), len(self.names) - 1)
            return [float(at) for at in range(first, last + 1, self._name_step(frame))]
        number = int(length / scaled_length((_LOG_APART if log else _APART)[self.side]))
        values = self._shown_ticks(low, high, number, log)
        while self.side == BOTTOM and number > 1 and self._overlap(values, frame):
            number -= 1
            values = self._shown_ticks(low, high, number, log)
        return values

    def _shown_ticks(self, low: float, high: float, number: int, log: bool) -> list[float]:
        values = (log_ticks if log else nice_ticks)(low, high, number)
        if self.whole:
            # Between two window sizes, or two numbers of epochs, there are no values.
            values = [value for value in values if abs(value - round(value)) < 1e-9]
        if self.last is not None:
            values = [value for value in values if value <= self.last * (1 + 1e-9)]
        return values

    def texts(self, values: list[float], frame: Frame) -> list[str]:
        """Labels of ticks."""
        log, _, _ = self._span(frame)
        if self.names:
            metrics = QFontMetricsF(body_font(TYPE_SMALL, tabular=True))
            room = self._name_step(frame) * self._apart(frame) - _NAME_GAP
            shown = [paintable_text(self.names[round(value)]) for value in values]
            # Names often differ only at their ends: Dickens_Oliver_1839.
            return [metrics.elidedText(each, Qt.TextElideMode.ElideMiddle, room) for each in shown]
        if self.percent:
            return [percent(text) for text in tick_texts(values, log=log, scale=100.0)]
        return tick_texts(values, log=log)

    def _overlap(self, values: list[float], frame: Frame) -> bool:
        """Whether the labels of these ticks would touch."""
        metrics = QFontMetricsF(body_font(TYPE_SMALL, tabular=True))
        widths = [metrics.horizontalAdvance(text) for text in self.texts(values, frame)]
        places = frame.x(values).tolist()
        wanted = [(a + b) / 2 + _NAME_GAP for a, b in pairwise(widths)]
        return any(b - a < gap for (a, b), gap in zip(pairwise(places), wanted, strict=True))

    def _apart(self, frame: Frame) -> float:
        """Pixels from one name to the next."""
        _, (low, high), length = self._span(frame)
        return max(length / max(high - low, 1e-9), 1e-3)

    def _name_step(self, frame: Frame) -> int:
        """Every how manieth name has room."""
        metrics = QFontMetricsF(body_font(TYPE_SMALL, tabular=True))
        widest = max(metrics.horizontalAdvance(paintable_text(name)) for name in self.names)
        wanted = min(widest, scaled_length(_LONGEST_NAME)) + _NAME_GAP
        return max(1, math.ceil(wanted / self._apart(frame) - 1e-6))

    def _span(self, frame: Frame) -> tuple[bool, tuple[float, float], float]:
        if self.side == LEFT:
            return frame.log_y, frame.y_range, frame.area.height()
        return frame.log_x, frame.x_range, frame.area.width()

    # -- painting

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Paint ticks, labels and title, on the screen or in a file."""
        painter.setFont(body_font(TYPE_SMALL, tabular=True))
        values = self.ticks(frame)
        texts = self.texts(values, frame)
        if self.side == LEFT:
            self._draw_left(painter, frame, values, texts, colours)
        else:
            self._draw_bottom(painter, frame, values, texts, colours)

    def _draw_left(
        self,
        painter: QPainter,
        frame: Frame,
        values: list[float],
        texts: list[str],
        colours: Palette,
    ) -> None:
        area, line = frame.area, QPen(QColor(colours.line), 1)
        right = area.left() - self.gap
        left = area.left() - self.thickness()
        room = right - left - scaled_length(8)
        for y, text in zip(frame.y(values).tolist(), texts, strict=True):
            painter.setPen(line)
            if self.has_grid:
                painter.drawLine(QPointF(right, y), QPointF(area.right(), y))
            else:
                painter.drawLine(QPointF(right - 4, y), QPointF(right, y))
            painter.setPen(QColor(colours.muted))
            box = QRectF(left, y - scaled_length(9), room, scaled_length(18))
            painter.drawText(box, _SIDE, text)
        if not self.title:
            return
        painter.save()
        painter.setPen(QColor(colours.muted))
        painter.translate(left + 1, area.center().y())
        painter.rotate(-90)
        # Beside a low figure, the title may be longer than the axis.
        reach = min(area.center().y(), area.height() / 2 + scaled_length(32))
        box = QRectF(-reach, 0, 2 * reach, scaled_length(16))
        painter.drawText(box, _CENTRE, _elided(painter, self.title, box.width()))
        painter.restore()

    def _draw_bottom(
        self,
        painter: QPainter,
        frame: Frame,
        values: list[float],
        texts: list[str],
        colours: Palette,
    ) -> None:
        area, line, metrics = frame.area, QPen(QColor(colours.line), 1), painter.fontMetrics()
        bottom = area.bottom() + self.gap
        painter.setPen(line)
        painter.drawLine(QPointF(area.left(), bottom), QPointF(area.right(), bottom))
        top, high = bottom + scaled_length(5), scaled_length(16)
        for x, text in zip(frame.x(values).tolist(), texts, strict=True):
            painter.setPen(line)
            start = area.top() if self.has_grid else bottom
            painter.drawLine(QPointF(x, start), QPointF(x, bottom + 4))
            painter.setPen(QColor(colours.muted))
            wide = metrics.horizontalAdvance(text) + 2.0
            # The last label stays inside, however long it is.
            left = min(x - wide / 2, frame.room.right() - wide)
            painter.drawText(QRectF(left, top, wide, high), _CENTRE, text)
        if self.title:
            painter.setPen(QColor(colours.muted))
            box = QRectF(area.left(), bottom + scaled_length(22), area.width(), scaled_length(18))
            painter.drawText(box, _CENTRE, _elided(painter, self.title, box.width()))

    def boundingRect(self) -> QRectF:
        return QRectF(self.rect())

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint nothing: the figure paints its axes together with the rest."""


def _elided(painter: QPainter, text: str, width: float) -> str:
    metrics = QFontMetricsF(painter.font())
    return metrics.elidedText(paintable_text(text), Qt.TextElideMode.ElideRight, width)
