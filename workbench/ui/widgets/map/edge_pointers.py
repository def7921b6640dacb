"""Pointers at the edge of a map to the words outside of the view of everything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from workbench.core.arrays import Ints, Singles
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import count
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.viewport import Viewport

_TEXT = 12
_EDGE, _HEAD, _GAP = 8.0, 8.0, 5.0
# Number of directions distinguished before overlapping texts are merged.
_SECTORS = 48


@dataclass(frozen=True)
class EdgePointer:
    """A pointer to words beyond the edge.

    rows : rows of the words, most frequent first; tip : pixel at the edge; along : unit vector
    towards the words; box : box of the text, in pixels
    """

    rows: tuple[int, ...]
    tip: QPointF
    along: QPointF
    text: str
    box: QRectF

    @property
    def area(self) -> QRectF:
        """Text and triangle; a click there moves the view to the words."""
        around = QRectF(self.tip, self.tip).adjusted(-_HEAD, -_HEAD, _HEAD, _HEAD)
        return self.box.united(around)


def edge_pointers(
    far: Ints, screen: Singles, words: Sequence[str], view: Viewport, text: HaloText
) -> list[EdgePointer]:
    """Pointers to the words outside of the view, one for each direction.

    far : ascending rows of the words; screen : float32[n, 2], pixels of all words
    """
    pixels = screen[far].astype(np.float64)
    middle = np.array([view.width / 2, view.height / 2])
    outside = np.any(np.abs(pixels - middle) > middle, axis=1)
    rows, offsets = far[outside], pixels[outside] - middle
    turn = np.arctan2(offsets[:, 1], offsets[:, 0])
    sector = np.floor((turn + math.pi) / (2 * math.pi) * _SECTORS).astype(np.int64) % _SECTORS
    found = []
    for number in np.unique(sector).tolist():
        inside = sector == number
        found.append(_pointer(rows[inside], offsets[inside], words, view, text))
    return _joined(found, rows, offsets, words, view, text)


def _joined(
    found: list[EdgePointer],
    rows: Ints,
    offsets: Singles,
    words: Sequence[str],
    view: Viewport,
    text: HaloText,
) -> list[EdgePointer]:
    """The pointers; overlapping ones are merged."""
    place_of = {row: place for place, row in enumerate(rows.tolist())}
    joined: list[EdgePointer] = []
    waiting = list(reversed(found))
    while waiting:
        pointer = waiting.pop()
        other = next((kept for kept in joined if kept.area.intersects(pointer.area)), None)
        if other is None:
            joined.append(pointer)
            continue
        joined.remove(other)
        both = np.array(sorted((*pointer.rows, *other.rows)), dtype=np.int64)
        places = [place_of[row] for row in both.tolist()]
        waiting.append(_pointer(both, offsets[places], words, view, text))
    return joined


def _pointer(
    rows: Ints, offsets: Singles, words: Sequence[str], view: Viewport, text: HaloText
) -> EdgePointer:
    along = offsets.mean(axis=0)
    along = along / max(float(np.hypot(*along)), 1e-9)
    reach = np.array([view.width / 2 - _EDGE, view.height / 2 - _EDGE])
    tip = along * float(np.min(reach / np.maximum(np.abs(along), 1e-9))) + (
        view.width / 2,
        view.height / 2,
    )
    shown = words[int(rows[0])]
    if len(rows) > 1:
        shown = tr("{word} +{number}", word=shown, number=count(len(rows) - 1))
    width, height = text.size(shown, scaled_length(_TEXT), False)
    inwards = _HEAD + _GAP + abs(float(along[0])) * width / 2 + abs(float(along[1])) * height / 2
    x, y = (tip - along * inwards).tolist()
    left = min(max(x - width / 2, _EDGE), max(view.width - _EDGE - width, _EDGE))
    top = min(max(y - height / 2, _EDGE), max(view.height - _EDGE - height, _EDGE))
    return EdgePointer(
        tuple(rows.tolist()),
        QPointF(*tip.tolist()),
        QPointF(*along.tolist()),
        shown,
        QRectF(left, top, width, height),
    )


def draw_pointers(
    painter: QPainter,
    pointers: Sequence[EdgePointer],
    text: HaloText,
    colours: Palette,
    vector: bool,
) -> None:
    """Draw small triangles that point outwards, with their texts."""
    style = TextStyle(scaled_length(_TEXT), False, colours.muted, colours.ground)
    for pointer in pointers:
        across = QPointF(-pointer.along.y(), pointer.along.x())
        base = pointer.tip - pointer.along * _HEAD
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.muted))
        painter.drawPolygon(
            QPolygonF([pointer.tip, base + across * _HEAD * 0.6, base - across * _HEAD * 0.6])
        )
        text.draw(
            painter, pointer.box.left(), pointer.box.top(), pointer.text, style, vector=vector
        )
