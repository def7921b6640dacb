"""Widget that draws curves over the words of a corpus, with a readout and selection by click."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from workbench.ui.panels.corpus.curve_painting import (
    CurveFigureData,
    draw_figure,
    place_point,
    plot_area,
)
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import Theme


class CurveFigure(QWidget):
    """Widget of a figure. Pointing reads off the nearest word, a click picks it; so do the arrow
    keys and Return.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.figure: CurveFigureData | None = None
        self.pointed = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_height=150)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(360, 240)

    def set_figure(self, figure: CurveFigureData | None) -> None:
        if figure is None or (
            self.figure is not None and len(figure.words) != len(self.figure.words)
        ):
            self.pointed = -1
        self.figure = figure
        self.update()

    @property
    def readout(self) -> str:
        """Readout of the word under the pointer, or ""."""
        if self.figure is not None and self.pointed >= 0:
            return self.figure.tell(self.pointed)
        return ""

    # -- pointing

    def point(self, number: int) -> QPointF:
        """Position of a word’s point, in pixels."""
        assert self.figure is not None
        return place_point(
            self.figure,
            plot_area(self.size()),
            float(self.figure.x[number]),
            float(self.figure.y[number]),
        )

    def _nearest_word(self, at: QPointF) -> int:
        figure = self.figure
        area = plot_area(self.size())
        if figure is None or not len(figure.words) or not area.adjusted(-8, -8, 8, 8).contains(at):
            return -1
        share = (at.x() - area.left()) / max(area.width(), 1.0)
        across = figure.across
        if across.log:
            value = across.low * (across.high / across.low) ** share
        else:
            value = across.low + share * (across.high - across.low)
        # The chosen few have names on the figure: near one of them it is the one that is meant.
        for number in (*figure.labelled, figure.chosen):
            if number >= 0 and (self.point(number) - at).manhattanLength() < 12:
                return number
        candidates = figure.nearest_words(value)
        shares = across.position_of(figure.x[list(candidates)])
        return candidates[int(np.argmin(np.abs(shares - share)))]

    def _point_at(self, number: int) -> None:
        if number != self.pointed:
            self.pointed = number
            self.setAccessibleDescription(self.readout.replace("\n", ", "))
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._nearest_word(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        number = self._nearest_word(event.position())
        if self.figure is not None and number >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.picked.emit(self.figure.words[number])

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        figure = self.figure
        key = event.key()
        if figure is None or not len(figure.words):
            return super().keyPressEvent(event)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            # Some sixty steps from end to end, along the axis as it is drawn.
            side = -1
            if key == Qt.Key.Key_Right:
                side = 1
            area = plot_area(self.size())
            begin = figure.chosen
            if self.pointed >= 0:
                begin = self.pointed
            if begin >= 0:
                x = self.point(begin).x()
            elif side > 0:
                x = area.left()
            else:
                x = area.right()
            at = min(max(x + side * area.width() / 60, area.left()), area.right())
            self._point_at(self._nearest_word(QPointF(at, area.top())))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed >= 0:
            self.picked.emit(figure.words[self.pointed])
        else:
            super().keyPressEvent(event)
        return None

    # -- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.figure is not None:
            draw_figure(painter, self.figure, self.size(), self._theme.palette, self.pointed)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
