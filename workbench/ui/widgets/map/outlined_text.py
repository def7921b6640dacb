"""Words with a halo in the ground's colour, rendered once and then only copied."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import category

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from workbench.ui.base.plain_text import paintable_text, truncate_text

_HALO = 2.5
_AROUND = tuple(
    (_HALO * 0.8 * math.cos(turn * math.pi / 5), _HALO * 0.8 * math.sin(turn * math.pi / 5))
    for turn in range(10)
)
_KEPT = 3000
_LONGEST = 28


class TextStyle(NamedTuple):
    """Style of a word: size in pixels, weight, and colours as #RRGGBB."""

    size: int
    bold: bool
    colour: str
    halo: str


class _Box(NamedTuple):
    """Size of a word in pixels; ``base`` is the distance from its top to its baseline."""

    width: float
    height: float
    base: float


class HaloText:
    """Measures and draws words; the pixmaps of recent words are cached."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._fonts: dict[tuple[int, bool], tuple[QFont, QFontMetricsF]] = {}
        self._letters: dict[tuple[int, bool], dict[str, float]] = {}
        self._boxes: dict[tuple[int, bool], dict[str, _Box]] = {}
        self._pixmaps: OrderedDict[tuple[str, TextStyle, float], QPixmap] = OrderedDict()

    def size(self, text: str, size: int, bold: bool) -> tuple[float, float]:
        """Width and height of the text without its halo, in device-independent pixels."""
        box = self._box(text, size, bold)
        return box.width, box.height

    def sizes(self, texts: Sequence[str], size: int, bold: bool) -> npt.NDArray[np.float32]:
        """float32[n, 2], widths and heights of many texts, which are cached."""
        found = [self._box(text, size, bold)[:2] for text in texts]
        return np.array(found, dtype=np.float32).reshape(-1, 2)

    def _box(self, text: str, size: int, bold: bool) -> _Box:
        known = self._boxes.setdefault((size, bold), {})
        box = known.get(text)
        if box is None:
            font, metrics = self._metrics(size, bold)
            shown = _shorten_text(text)
            width = self._text_width(shown, size, bold, metrics) + 1.0
            base, below = metrics.ascent(), metrics.descent()
            if not shown.isascii() and any(category(letter)[0] == "M" for letter in shown):
                # Signs above and below letters may need more room. The rectangles of QFontMetricsF
                # leave out how far signs are moved.
                outline = QPainterPath()
                outline.addText(QPointF(), font, shown)
                drawn = outline.boundingRect()
                base, below = max(base, -drawn.top()), max(below, drawn.bottom())
            box = known[text] = _Box(width, base + below, base)
        return box

    def _text_width(self, text: str, size: int, bold: bool, metrics: QFontMetricsF) -> float:
        """The advance of a text. Widths of Latin letters are added up, which saves shaping every
        word; kerning can only make the text narrower.
        """
        if not text.isascii():
            return metrics.horizontalAdvance(text)
        letters = self._letters.setdefault((size, bold), {})
        total = 0.0
        for letter in text:
            advance = letters.get(letter)
            if advance is None:
                advance = letters[letter] = metrics.horizontalAdvance(letter)
            total += advance
        return total

    def draw(
        self,
        painter: QPainter,
        left: float,
        top: float,
        text: str,
        style: TextStyle,
        *,
        vector: bool = False,
    ) -> None:
        """Draw with the upper left corner of the text (not of the halo) at a point; with ``vector``
        as letters.
        """
        if vector:
            self._write(painter, left, top, text, style)
            return
        ratio = painter.device().devicePixelRatioF()
        key = (text, style, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._render_text(text, style, ratio)
            self._pixmaps[key] = pixmap
            if len(self._pixmaps) > _KEPT:
                self._pixmaps.popitem(last=False)
        else:
            self._pixmaps.move_to_end(key)
        # Positions in whole device pixels keep the letters as crisp as they were rendered.
        painter.drawPixmap(
            QPointF(round((left - _HALO) * ratio) / ratio, round((top - _HALO) * ratio) / ratio),
            pixmap,
        )

    def _write(
        self, painter: QPainter, left: float, top: float, text: str, style: TextStyle
    ) -> None:
        """Draw the outline as a shape, and the word over it as text that stays text in the file."""
        font = self._metrics(style.size, style.bold)[0]
        down = self._box(text, style.size, style.bold).base
        shown, base = _shorten_text(text), QPointF(left, top + down)
        # Hinted outlines depend on the sizes at which the letters were drawn before.
        unhinted = QFont(font)
        unhinted.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        outline = QPainterPath()
        outline.addText(base, unhinted, shown)
        halo = QPen(QColor(style.halo), 2 * _HALO * 0.8)
        halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(halo)
        painter.drawPath(outline)
        painter.setFont(font)
        painter.setPen(QColor(style.colour))
        painter.drawText(base, shown)

    def _metrics(self, size: int, bold: bool) -> tuple[QFont, QFontMetricsF]:
        found = self._fonts.get((size, bold))
        if found is None:
            font = QFont(self._font)
            font.setPixelSize(size)
            font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            found = (font, QFontMetricsF(font))
            self._fonts[(size, bold)] = found
        return found

    def _render_text(self, text: str, style: TextStyle, ratio: float) -> QPixmap:
        font = self._metrics(style.size, style.bold)[0]
        shown = _shorten_text(text)
        width, height, down = self._box(text, style.size, style.bold)
        pixmap = QPixmap(
            int((width + 2 * _HALO) * ratio) + 2,
            int((height + 2 * _HALO) * ratio) + 2,
        )
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = QPointF(_HALO, _HALO + down)
        painter.setFont(font)
        # The word drawn several times around itself, which takes a tenth of the time of stroking
        # its outline.
        painter.setPen(QColor(style.halo))
        for x, y in _AROUND:
            painter.drawText(base + QPointF(x, y), shown)
        painter.setPen(QColor(style.colour))
        painter.drawText(base, shown)
        painter.end()
        return pixmap


def _shorten_text(text: str) -> str:
    return paintable_text(truncate_text(text, _LONGEST))
