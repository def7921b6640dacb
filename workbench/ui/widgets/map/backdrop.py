"""Backdrop of a map: one or two word axes with their anchors at the ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.analysis.projection.word_axes import WordAxis
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import decimal
from workbench.ui.base.theme import TYPE_LARGE, TYPE_SMALL, Palette
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.viewport import Viewport

_EDGE = 10.0
# Maximum number of words at an end of an axis.
_NAMED = 3
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)
_APART = 70.0  # pixels between ticks
_MARGIN = 26.0  # pixels from the edge to the scale of a single axis


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
    """Axis lines through cosine 0 with ticks; the anchors are at the edges of the window.

    The scale of a single axis is at the edge; in the other direction, words are sorted by
    frequency.
    """

    def __init__(self, across: WordAxis | None, up: WordAxis | None) -> None:
        self.across = across
        self.up = up

    def draw(
        self, painter: QPainter, view: Viewport, colours: Palette, text: HaloText, vector: bool
    ) -> None:
        x, y = self._origin(view)
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
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for word, is_axis, box in self._ends(view, text):
            colour = colours.text if is_axis else colours.muted
            style = TextStyle(*_font(is_axis), colour, colours.ground)
            painter.setPen(Qt.PenStyle.NoPen)
            plate = QColor(colours.ground)
            plate.setAlphaF(0.9)
            painter.setBrush(plate)
            painter.drawRoundedRect(box, 4, 4)
            text.draw(painter, box.left() + 4, box.top() + 1, word, style, vector=vector)

    def boxes(self, view: Viewport, text: HaloText) -> list[QRectF]:
        ends = [box for _, _, box in self._ends(view, text)]
        return ends + [box for _, _, _, box in self._ticks(view, text)]

    def _ticks(self, view: Viewport, text: HaloText) -> list[tuple[int, float, str, QRectF]]:
        """Axis, position in pixels, label and box of each tick that overlaps nothing."""
        x, y = self._origin(view)
        step = next(
            (step for step in _STEPS if step * view.scale >= scaled_length(_APART)), _STEPS[-1]
        )
        ends = [box for _, _, box in self._ends(view, text)]
        whole = QRectF(0, 0, view.width, view.height)
        found = []
        for axis, drawn in enumerate((self.across, self.up)):
            for value in _multiples(view, step, axis) if drawn is not None else ():
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

    def _ends(self, view: Viewport, text: HaloText) -> list[tuple[str, bool, QRectF]]:
        """The label of each end, whether it is one of an axis, and its box."""
        x, y = self._origin(view)
        edge = scaled_length(_EDGE)
        labels = []
        if self.across is not None:
            labels += [
                (f"← {ends_text(self.across.low_words)}", True, "left"),
                (f"{ends_text(self.across.high_words)} →", True, "right"),
            ]
        else:
            labels.append((f"{tr('more frequent')} →", False, "right"))
        if self.up is not None:
            labels += [
                (f"{ends_text(self.up.high_words)} ↑", True, "top"),
                (f"{ends_text(self.up.low_words)} ↓", True, "bottom"),
            ]
        else:
            labels.append((f"{tr('more frequent')} ↑", False, "top"))
        found = []
        for label, is_axis, end in labels:
            width, tall = text.size(label, *_font(is_axis))
            width, tall = width + 8, tall + 2
            left = min(max(x + 8, edge), view.width - width - edge)
            top = min(max(y - tall - 4, edge + tall), view.height - 2 * tall - edge)
            if self.up is None:
                # The legend may cover the lower corner.
                top = edge
            # Labels of vertical ends are beside their line, so that the line continues to the edge.
            corner = {
                "left": (edge, top),
                "right": (view.width - width - edge, top),
                "top": (left, edge),
                "bottom": (left, view.height - tall - edge),
            }[end]
            box = QRectF(QPointF(*corner), QPointF(corner[0] + width, corner[1] + tall))
            found.append((label, is_axis, box))
        return found

    def _origin(self, view: Viewport) -> tuple[float, float]:
        """The pixel of cosine 0 on both axes, which may be outside the window; the scale of a
        single axis is at the edge.
        """
        across, down = view.to_screen(np.zeros((1, 2), dtype=np.float32))[0].tolist()
        if self.up is None:
            down = view.height - scaled_length(_MARGIN)
        if self.across is None:
            across = 2 * scaled_length(_MARGIN)
        return across, down


def _font(is_axis: bool) -> tuple[int, bool]:
    """Size of a label’s text, and whether it is bold."""
    return (TYPE_LARGE, True) if is_axis else (TYPE_SMALL, False)


def _multiples(view: Viewport, step: float, axis: int) -> list[float]:
    """Visible multiples of ``step`` within −1..1, without 0."""
    if axis == 0:
        middle, half = (view.x, view.width / 2)
    else:
        middle, half = (view.y, view.height / 2)
    low, high = max(middle - half / view.scale, -1.0), min(middle + half / view.scale, 1.0)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [number * step for number in range(first, last + 1) if number]
