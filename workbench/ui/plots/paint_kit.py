"""The parts of the picture of a training step, one below another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.text import MINUS, mark_unknown, true_minus
from workbench.ui.base.theme import TYPE_BODY, TYPE_SMALL, Palette, body_font

LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


class Hit(NamedTuple):
    """Object under the pointer: a "token", a "pair" or a "vector", its number, and its tooltip."""

    kind: str
    number: int
    tip: str


class FigurePart(ABC):
    """A heading and the content below it. Coordinates begin at the part's upper left corner."""

    title = ""

    def __init__(self, width: float) -> None:
        self.width = width
        self.height = 0.0

    @abstractmethod
    def paint(self, painter: QPainter, palette: Palette) -> None:
        """Draw the whole part."""

    def at(self, point: QPointF) -> Hit | None:
        """The object under a point."""
        return None

    def place(self, kind: str, number: int) -> QRectF | None:
        """The rectangle of an object that ``at`` can return."""
        return None


def small_font() -> QFont:
    return body_font(TYPE_SMALL, tabular=True)


def figure_font(bold: bool = False) -> QFont:
    return body_font(TYPE_BODY, bold=bold, tabular=True)


def draw_text(
    painter: QPainter,
    area: QRectF,
    text: str,
    font: QFont,
    colour: str,
    flags: int = LEFT,
    *,
    elided: bool = True,
) -> None:
    """Draw one line of text in an area, cut off at the end if there isn't enough room."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = text
    if elided:
        shown = QFontMetricsF(font).elidedText(
            paintable_text(text), Qt.TextElideMode.ElideRight, area.width()
        )
    painter.drawText(area, flags, shown)


@mark_unknown
def fixed_decimals(number: float, digits: int = 3) -> str:
    """A number with a fixed number of decimals and a true minus sign: "−0.412"."""
    text = f"{number:.{digits}f}"
    return true_minus(text if float(text) else text.replace("-", ""))


@mark_unknown
def sum_term(number: float, digits: int = 3) -> str:
    """The number after "+" or "−" and a space, for use in a sum."""
    return f"{'+' if number >= 0 else MINUS} {fixed_decimals(abs(number), digits)}"


def wrap_lines(text: str, font: QFont, width: float) -> list[str]:
    """Break text into lines of whole words that fit a width."""
    metrics = QFontMetricsF(font)
    lines: list[str] = []
    for word in text.split(" "):
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def stack_parts(
    parts: Sequence[FigurePart], gap: float, heading: float
) -> tuple[list[float], float]:
    """The top of each part, below its heading, and the total height."""
    tops, top = [], 0.0
    for part in parts:
        top += heading if part.title else 0.0
        tops.append(top)
        top += part.height + gap
    return tops, top


def pull_together_colour(palette: Palette) -> QColor:
    return QColor(palette.good)


def push_apart_colour(palette: Palette) -> QColor:
    return QColor(palette.runs[1])
