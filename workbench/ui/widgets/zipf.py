"""Zipf's plot: the logarithm of the count against the logarithm of the rank."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.ui.text import count
from workbench.ui.theme import TYPE_SMALL, Theme, body_font

_POINTS = 400


class ZipfPlot(QWidget):
    """Counts by rank on logarithmic axes, with the line of slope −1 through the first word."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._ranks = self._counts = np.empty(0)
        self._mark: int | None = None
        self.setMinimumHeight(120)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, 190)

    def set_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """counts : int64[V], falling."""
        if len(counts):
            # Evenly spaced on the logarithmic axis: a few hundred points whatever the vocabulary.
            picked = np.unique(np.geomspace(1, len(counts), _POINTS).astype(np.int64))
            self._ranks, self._counts = picked.astype(float), counts[picked - 1].astype(float)
        else:
            self._ranks = self._counts = np.empty(0)
        self.update()

    def set_mark(self, rank: int | None) -> None:
        """Draw a ring at a rank (1 is the first)."""
        self._mark = rank
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self._ranks):
            return
        colours = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(body_font(TYPE_SMALL, tabular=True))
        across = max(math.log10(self._ranks[-1]), 0.1)
        top = max(math.log10(self._counts[0]), 0.1)
        area = QRectF(self.rect()).adjusted(64, 8, -12, -22)

        def place(rank: float, number: float) -> QPointF:
            x = area.left() + area.width() * math.log10(rank) / across
            return QPointF(x, area.bottom() - area.height() * math.log10(max(number, 1.0)) / top)

        muted, line = QColor(colours.muted), QColor(colours.line)
        for power in range(int(top) + 1):
            y = place(1, 10.0**power).y()
            painter.setPen(line)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(muted)
            label = QRectF(0, y - 9, area.left() - 8, 18)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count(10**power))
        for power in range(int(across) + 1):
            x = place(10.0**power, 1).x()
            label = QRectF(x - 40, area.bottom() + 4, 80, 16)
            painter.drawText(label, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, count(10**power))
        painter.setClipRect(area.adjusted(-2, -2, 2, 2))
        painter.setPen(QPen(line, 1, Qt.PenStyle.DashLine))
        first = self._counts[0]
        painter.drawLine(place(1, first), place(self._ranks[-1], first / self._ranks[-1]))
        painter.setPen(QPen(QColor(colours.accent), 2))
        points = [place(r, n) for r, n in zip(self._ranks, self._counts, strict=True)]
        painter.drawPolyline(QPolygonF(points))
        if self._mark is not None and self._mark <= self._ranks[-1]:
            number = float(np.interp(math.log(self._mark), np.log(self._ranks), self._counts))
            painter.setBrush(QColor(colours.surface))
            painter.drawEllipse(place(self._mark, number), 4.5, 4.5)
        painter.end()
