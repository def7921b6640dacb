"""The losses of the steps made so far, as a line beside their mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.ui.measures import scaled, sized
from workbench.ui.text import count
from workbench.ui.theme import SPACE_2, Theme
from workbench.ui.widgets.step_part import LEFT, fixed, small, write

_TEXT = 262
# Of so many steps the mean is told: single ones differ by what they meet.
_RECENT = 100


class StepLosses(QWidget):
    """A dot a step, and what was lost on the average of the latest."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._losses: np.ndarray = np.empty(0)
        self.text = ""
        sized(self, height=34)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(400, 34)

    def put(self, number: int, losses: Sequence[float], what: str) -> None:
        """``number`` : of the last step; what : of which the loss is told, as "pair"."""
        self._losses = np.asarray(losses, dtype=np.float64)
        recent = self._losses[-_RECENT:]
        step = count(number)
        if not len(recent):
            self.text = tr("Step {step}: ", step=step)
        else:
            self.text = tr("Step {step}: loss {loss} a {what}", step=step, loss=fixed(float(recent.mean())), what=what)
        if len(recent) > 1:
            self.text = tr("{told}, mean of {number}", told=self.text, number=len(recent))
        self.setAccessibleDescription(self.text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self._theme.palette
        write(painter, QRectF(0, 0, scaled(_TEXT), self.height()), self.text, small(), palette.muted, LEFT)
        losses = self._losses
        plot = QRectF(scaled(_TEXT) + SPACE_2, 3, self.width() - scaled(_TEXT) - 2 * SPACE_2, self.height() - 6)
        if len(losses) > 1 and plot.width() > 20:
            high = float(losses.max()) or 1.0
            across = np.linspace(plot.left(), plot.right(), len(losses))
            down = plot.bottom() - plot.height() * losses / high
            points = QPolygonF([QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)])
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.drawLine(plot.bottomLeft(), plot.bottomRight())
            painter.setPen(QPen(QColor(palette.accent), 1.2))
            painter.drawPolyline(points)
        painter.end()
