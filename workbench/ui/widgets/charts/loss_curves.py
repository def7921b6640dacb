"""All curves of a plot as one item of its scene, in pixels of the view.

An item for each line, dot and name would cost the scene more than their drawing does: with ten runs
in the plot, that is the difference between 4 and 20 ms for a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from workbench.ui.colours import readable_colour
from workbench.ui.plain_text import paintable_text
from workbench.ui.scaling import scaled_length

Doubles = npt.NDArray[np.float64]

_LINE, _FAINT, _DOT = 2.0, 55, 3.5
# Pixels between the end of a curve and its name, from the name to what stands at the right of the
# plot, and from one name to the next.
_NAME_GAP, _NAME_MARGIN, _NAME_HEIGHT = 8.0, 8.0, 15.0
_MOST_STEPS = 24


@dataclass(frozen=True, eq=False)
class CurveLine:
    """One curve in units of the axes (logarithms where they are logarithmic).

    x, y : float64[n]; faint : float64[n] or None, the same curve before smoothing; colour as
    #RRGGBB
    """

    name: str
    colour: str
    x: Doubles
    y: Doubles
    faint: Doubles | None


@dataclass(frozen=True)
class Name:
    """A name that found a place, as far as there is room for it. left, middle, width in pixels;
    line is the index of its curve.
    """

    line: int
    text: str
    left: float
    middle: float
    width: float


class CurveLayer(QGraphicsItem):
    """Draws lines, the dots at their ends, and their names over a view box."""

    def __init__(self, box: pg.ViewBox, font: QFont) -> None:
        super().__init__(box)
        self._box = box
        self._font = font
        self._metrics = QFontMetricsF(font)
        self._ground = "#FFFFFF"
        self._lines: tuple[CurveLine, ...] = ()
        # What is painted: made of all lines by ``fit``, and until then of none, as a painting may
        # come between.
        self._paths: list[tuple[CurveLine, QPainterPath | None, QPainterPath, QPointF]] = []
        self._size = QRectF()
        self.names: tuple[Name, ...] = ()
        self.setZValue(10)

    def set_ground(self, colour: str) -> None:
        """The colour behind names, so that other curves do not strike them out."""
        self._ground = colour
        self.update()

    def set_font(self, font: QFont) -> None:
        """What names are written in, from the next ``fit`` on."""
        self._font, self._metrics = font, QFontMetricsF(font)

    def set_lines(self, lines: Sequence[CurveLine]) -> None:
        """Draw these from the next ``fit`` on."""
        self._lines = tuple(line for line in lines if len(line.y))
        self._paths = []
        self.names = ()
        self.update()

    def room_for_names(self) -> float:
        """Pixels that whole names take at the right of their curves."""
        widest = max(
            (self._metrics.horizontalAdvance(line.name) for line in self._lines), default=0.0
        )
        return widest + scaled_length(_NAME_GAP) + scaled_length(_NAME_MARGIN)

    def fit(self) -> None:
        """Take over the size and the range of the view box."""
        size = self._box.rect()
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size
        (left, right), (low, high) = self._box.viewRange()
        across, up = size.width() / ((right - left) or 1.0), size.height() / ((high - low) or 1.0)
        self._paths = []
        for line in self._lines:
            x = (line.x - left) * across
            y = (high - line.y) * up
            if line.faint is None:
                faint = None
            else:
                faint = pg.arrayToQPath(x, (high - line.faint) * up)
            self._paths.append(
                (line, faint, pg.arrayToQPath(x, y), QPointF(float(x[-1]), float(y[-1])))
            )
        self.names = self._place_names()
        self.update()

    def _place_names(self) -> tuple[Name, ...]:
        """Names beside the ends of their curves, moved up or down where they would overlap.

        The latest runs come first; a name for which no place is left is not written.
        """
        bottom = self._size.height()
        names: list[Name] = []
        for index in range(len(self._lines) - 1, -1, -1):
            end = self._paths[index][-1]
            left = end.x() + scaled_length(_NAME_GAP)
            room = self._size.width() - scaled_length(_NAME_MARGIN) - left
            text = self._lines[index].name
            if self._metrics.horizontalAdvance(text) > room + 0.5:
                # What tells names of one beginning apart stands at their ends.
                text = self._metrics.elidedText(
                    paintable_text(text), Qt.TextElideMode.ElideMiddle, room
                )
            width = self._metrics.horizontalAdvance(text)
            near = [
                name.middle
                for name in names
                if name.left < left + width and left < name.left + name.width
            ]
            for step in range(2 * _MOST_STEPS):
                middle = end.y() + (step + 1) // 2 * (-1) ** step * scaled_length(_NAME_HEIGHT) / 2
                inside = (
                    scaled_length(_NAME_HEIGHT) / 2
                    <= middle
                    <= bottom - scaled_length(_NAME_HEIGHT) / 2
                )
                if inside and all(
                    abs(middle - other) >= scaled_length(_NAME_HEIGHT) * 0.999 for other in near
                ):
                    names.append(Name(index, text, left, middle, width))
                    break
        return tuple(names)

    def boundingRect(self) -> QRectF:
        return self._size

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, faint, path, end in self._paths:
            colour = QColor(line.colour)
            if faint is not None:
                pale = QColor(colour)
                pale.setAlpha(_FAINT)
                painter.strokePath(faint, QPen(pale, scaled_length(1.0)))
            painter.strokePath(path, QPen(colour, scaled_length(_LINE)))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(end, _DOT, _DOT)
        painter.setFont(self._font)
        ground = QColor(self._ground)
        base = (self._metrics.ascent() - self._metrics.descent()) / 2
        for name in self.names:
            line = self._lines[name.line]
            plate = QRectF(
                name.left - 2,
                name.middle - scaled_length(_NAME_HEIGHT) / 2,
                name.width + 4,
                scaled_length(_NAME_HEIGHT),
            )
            painter.fillRect(plate, ground)
            painter.setPen(QColor(readable_colour(line.colour, self._ground)))
            painter.drawText(QPointF(name.left, name.middle + base), name.text)
