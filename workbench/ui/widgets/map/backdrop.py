"""Backdrop of a map: two word axes with their anchors at the ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.analysis.projection.word_axes import WordAxis
from workbench.ui.scaling import scaled_length
from workbench.ui.text import decimal
from workbench.ui.theme import TYPE_LARGE, TYPE_SMALL, Palette
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.viewport import Viewport

_EDGE = 10.0
# Maximum number of words at an end of an axis.
_NAMED = 3
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)
_APART = 70.0  # pixels between ticks


class Backdrop(Protocol):
    """Drawn before the points; labels don't cover the ``boxes``."""

    def draw(
        self, painter: QPainter, view: Viewport, colours: Palette, text: HaloText, vector: bool
    ) -> None: ...

    def boxes(self, view: Viewport, text: HaloText) -> list[QRectF]: ...


def ends_text(words: Sequence[str], most: int = _NAMED) -> str:
    """The words at one end of an axis, limited to the first few."""
    text = ", ".join(words[:most])
    if len(words) > most:
        text += ", …"
    return text


class AxesBackdrop:
    """Axis lines through cosine 0 with ticks; the anchors are at the edges of the window."""

    def __init__(self, across: WordAxis, up: WordAxis) -> None:
        self.across = across
        self.up = up

    def draw(
        self, painter: QPainter, view: Viewport, colours: Palette, text: HaloText, vector: bool
    ) -> None:
        x, y = _origin(view)
        width, height = view.width, view.height
        painter.setPen(QPen(QColor(colours.line), 1.25))
        painter.drawLines([QLineF(0, y, width, y), QLineF(x, 0, x, height)])
        quiet = TextStyle(TYPE_SMALL, False, colours.muted, colours.ground)
        lines = []
        for axis, pixel, label, box in self._ticks(view, text):
            lines.append(
                QLineF(pixel, y - 3, pixel, y + 3)
                if axis == 0
                else QLineF(x - 3, pixel, x + 3, pixel)
            )
            text.draw(painter, box.left(), box.top(), label, quiet, vector=vector)
        painter.setPen(QPen(QColor(colours.line), 1.25))
        painter.drawLines(lines)
        strong = TextStyle(TYPE_LARGE, True, colours.text, colours.ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for word, box in self._ends(view, text):
            painter.setPen(Qt.PenStyle.NoPen)
            plate = QColor(colours.ground)
            plate.setAlphaF(0.9)
            painter.setBrush(plate)
            painter.drawRoundedRect(box, 4, 4)
            text.draw(painter, box.left() + 4, box.top() + 1, word, strong, vector=vector)

    def boxes(self, view: Viewport, text: HaloText) -> list[QRectF]:
        ends = [box for _, box in self._ends(view, text)]
        return ends + [box for _, _, _, box in self._ticks(view, text)]

    def _ticks(self, view: Viewport, text: HaloText) -> list[tuple[int, float, str, QRectF]]:
        """Axis, position in pixels, label and box of each tick that overlaps nothing."""
        x, y = _origin(view)
        step = next(
            (step for step in _STEPS if step * view.scale >= scaled_length(_APART)), _STEPS[-1]
        )
        ends = [box for _, box in self._ends(view, text)]
        whole = QRectF(0, 0, view.width, view.height)
        found = []
        for axis in (0, 1):
            for value in _multiples(view, step, axis):
                pixel = float(view.to_screen(np.full((1, 2), value, dtype=np.float32))[0, axis])
                label = decimal(value, 2)
                wide, tall = text.size(label, TYPE_SMALL, False)
                if axis == 0:
                    corner = (pixel - wide / 2, y + 5)
                else:
                    corner = (x - wide - 7, pixel - tall / 2)
                box = QRectF(*corner, wide, tall)
                if whole.contains(box) and not any(end.intersects(box) for end in ends):
                    found.append((axis, pixel, label, box))
        return found

    def _ends(self, view: Viewport, text: HaloText) -> list[tuple[str, QRectF]]:
        x, y = _origin(view)
        words = (
            f"← {ends_text(self.across.low_words)}",
            f"{ends_text(self.across.high_words)} →",
            f"{ends_text(self.up.high_words)} ↑",
            f"{ends_text(self.up.low_words)} ↓",
        )
        sizes = [text.size(word, TYPE_LARGE, True) for word in words]
        widths, tall = [size[0] + 8 for size in sizes], sizes[0][1] + 2
        beside = min(
            max(y - tall - 4, scaled_length(_EDGE) + tall),
            view.height - 2 * tall - scaled_length(_EDGE),
        )
        # Labels of vertical ends are beside their line, so that the line continues to the edge.
        corners = (
            (scaled_length(_EDGE), beside),
            (view.width - widths[1] - scaled_length(_EDGE), beside),
            (
                min(
                    max(x + 8, scaled_length(_EDGE)), view.width - widths[2] - scaled_length(_EDGE)
                ),
                scaled_length(_EDGE),
            ),
            (
                min(
                    max(x + 8, scaled_length(_EDGE)), view.width - widths[3] - scaled_length(_EDGE)
                ),
                view.height - tall - scaled_length(_EDGE),
            ),
        )
        return [
            (word, QRectF(QPointF(*corner), QPointF(corner[0] + width, corner[1] + tall)))
            for word, corner, width in zip(words, corners, widths, strict=True)
        ]


def _origin(view: Viewport) -> tuple[float, float]:
    """The pixel of cosine 0 on both axes, which may be outside the window."""
    across, down = view.to_screen(np.zeros((1, 2), dtype=np.float32))[0].tolist()
    return across, down


def _multiples(view: Viewport, step: float, axis: int) -> list[float]:
    """Visible multiples of ``step`` within −1..1, without 0."""
    if axis == 0:
        middle, half = (view.x, view.width / 2)
    else:
        middle, half = (view.y, view.height / 2)
    low, high = max(middle - half / view.scale, -1.0), min(middle + half / view.scale, 1.0)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [number * step for number in range(first, last + 1) if number]
