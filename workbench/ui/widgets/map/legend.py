"""The legend of a map's colours, in its lower left corner, on the screen and in every export."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF

from workbench.core.language import plural, tr
from workbench.ui.base.plain_text import truncate_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_2, SPACE_3, TYPE_SMALL, Palette
from workbench.ui.widgets.map.colour_scheme import (
    Categories,
    Graded,
    Shading,
    unknown_colour,
)
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle

_BAR = 148.0
_LINE = 18.0
_DOT = 4.5
_MARGIN = 10.0
_LONGEST = 21
# Kind of the line of the placed words, whose mark isn't a dot.
_PLACED = -1


class Legend:
    """Measures and draws the legend of a shading and of placed words."""

    def __init__(self, text: HaloText) -> None:
        self._text = text
        self.placed = 0  # number of words placed on the map

    def box(self, shading: Shading, size: QSizeF) -> QRectF | None:
        """The box of the legend on a map of this size; None without a legend, or without enough
        room.
        """
        lines = self._lines(shading)
        if not shading.meaningful and not lines:
            return None
        widest = self._width(shading.title, True) if shading.meaningful else 0.0
        if isinstance(shading, Graded):
            # The middle label stays centred, however long the labels of the ends are.
            ends = self._width(shading.low) + self._width(shading.high) + SPACE_3
            if shading.middle:
                longer = max(self._width(shading.low), self._width(shading.high))
                ends = 2 * (longer + SPACE_3) + self._width(shading.middle)
            widest = max(
                widest,
                scaled_length(_BAR),
                ends,
                *(self._width(text) + 16 for text, _ in lines),
                0.0,
            )
            height = (
                2 * SPACE_2
                + scaled_length(_LINE)
                + 10
                + scaled_length(_LINE)
                + scaled_length(_LINE) * len(lines)
            )
        else:
            widest = max(widest, *(16 + self._width(text) for text, _ in lines), 0.0)
            height = 2 * SPACE_2 + scaled_length(_LINE) * (shading.meaningful + len(lines))
        width = widest + 2 * SPACE_3
        if width > size.width() - 2 * scaled_length(
            _MARGIN
        ) or height > size.height() - 2 * scaled_length(_MARGIN):
            return None
        return QRectF(
            scaled_length(_MARGIN), size.height() - height - scaled_length(_MARGIN), width, height
        )

    def draw(
        self,
        painter: QPainter,
        shading: Shading,
        size: QSizeF,
        colours: Palette,
        vector: bool = False,
    ) -> None:
        box = self.box(shading, size)
        if box is None:
            return
        plate = QColor(colours.surface)
        plate.setAlphaF(0.93)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(plate)
        painter.drawRoundedRect(box.translated(0.5, 0.5), 6, 6)
        left, top = box.left() + SPACE_3, box.top() + SPACE_2
        if shading.meaningful:
            self._write(painter, left, top, shading.title, colours.text, colours, True, vector)
            top += scaled_length(_LINE)
        if isinstance(shading, Graded):
            bar = QRectF(left, top + 2, box.width() - 2 * SPACE_3, 8)
            gradient = QLinearGradient(bar.topLeft(), bar.topRight())
            steps = shading.scale(colours)
            for number, colour in enumerate(steps):
                gradient.setColorAt(number / (len(steps) - 1), colour)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(gradient)
            painter.drawRoundedRect(bar, 2, 2)
            top += 12
            right = bar.right() - self._width(shading.high)
            self._write(painter, left, top, shading.low, colours.muted, colours, False, vector)
            self._write(painter, right, top, shading.high, colours.muted, colours, False, vector)
            centre = bar.center().x() - self._width(shading.middle) / 2
            self._write(painter, centre, top, shading.middle, colours.muted, colours, False, vector)
            top += scaled_length(_LINE)
        known = shading.shades(colours)
        for text, kind in self._lines(shading):
            dot = scaled_length(_DOT)
            middle = QPointF(left + dot, top + scaled_length(_LINE) / 2 - 1)
            if kind == _PLACED:
                draw_diamond(painter, middle, dot, colours.runs[1], colours.surface)
            else:
                colour = unknown_colour(colours)
                if kind is not None:
                    colour = QColor.fromRgba(int(known[kind]))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawEllipse(middle, dot, dot)
            ink = colours.muted if kind is None else colours.text
            self._write(painter, left + 16, top, text, ink, colours, False, vector)
            top += scaled_length(_LINE)

    def _lines(self, shading: Shading) -> list[tuple[str, int | None]]:
        """Lines below the title: those of the shading and of the placed words."""
        lines = _entries(shading) if shading.meaningful else []
        if self.placed:
            words = plural(self.placed, "word")
            lines.append((tr("placed: {words}", words=words), _PLACED))
        return lines

    def _width(self, text: str, bold: bool = False) -> float:
        return self._text.size(text, TYPE_SMALL, bold)[0]

    def _write(
        self,
        painter: QPainter,
        left: float,
        top: float,
        text: str,
        ink: str,
        colours: Palette,
        bold: bool,
        vector: bool,
    ) -> None:
        style = TextStyle(TYPE_SMALL, bold, ink, colours.surface)
        self._text.draw(painter, left, top, text, style, vector=vector)


def draw_diamond(painter: QPainter, at: QPointF, half: float, ink: str, ground: str) -> None:
    """Draw the mark of a placed word: a diamond, with a dot at its position."""
    corners = [QPointF(0, -half), QPointF(half, 0), QPointF(0, half), QPointF(-half, 0)]
    painter.setPen(QPen(QColor(ink), 2))
    painter.setBrush(QColor(ground))
    painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ink))
    painter.drawEllipse(at, half / 4, half / 4)


def _entries(shading: Shading) -> list[tuple[str, int | None]]:
    """Lines below the title with the kind of their dot, None for the colour of unknown values."""
    if isinstance(shading, Graded):
        if shading.unknown:
            return [(tr("no value: {words}", words=plural(shading.unknown, "word")), None)]
        return []
    if isinstance(shading, Categories):
        sized = zip(shading.names, shading.sizes, strict=True)
        lines: list[tuple[str, int | None]] = [
            (f"{truncate_text(name, _LONGEST)}  {count(size)}", kind)
            for kind, (name, size) in enumerate(sized)
        ]
        if shading.rest:
            return [*lines, (shading.rest, None)]
        return lines
    return []
