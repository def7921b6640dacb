"""Words with a halo in the ground's colour, rendered once and then only copied."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class TextStyle:
    """Style of a word: size in pixels, weight, and colours as #RRGGBB."""

    size: int
    bold: bool
    colour: str
    halo: str


class HaloText:
    """Measures and draws words; the pixmaps of recent words are cached."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._fonts: dict[tuple[int, bool], tuple[QFont, QFontMetricsF]] = {}
        self._letters: dict[tuple[int, bool], dict[str, float]] = {}
        self._widths: dict[tuple[int, bool], dict[str, float]] = {}
        self._pixmaps: OrderedDict[tuple[str, TextStyle, float], QPixmap] = OrderedDict()

    def size(self, text: str, size: int, bold: bool) -> tuple[float, float]:
        """Width and height of the text without its halo, in device-independent pixels."""
        metrics = self._metrics(size, bold)[1]
        return float(self.widths([text], size, bold)[0]), metrics.ascent() + metrics.descent()

    def widths(self, texts: Sequence[str], size: int, bold: bool) -> npt.NDArray[np.float32]:
        """float32[n], widths of many texts, which are cached."""
        known = self._widths.setdefault((size, bold), {})
        metrics = self._metrics(size, bold)[1]
        for text in texts:
            if text not in known:
                known[text] = self._text_width(_shorten_text(text), size, bold, metrics) + 1.0
        return np.array([known[text] for text in texts], dtype=np.float32)

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
        font, metrics = self._metrics(style.size, style.bold)
        shown, base = _shorten_text(text), QPointF(left, top + metrics.ascent())
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
        font, metrics = self._metrics(style.size, style.bold)
        shown = _shorten_text(text)
        width, height = self.size(text, style.size, style.bold)
        pixmap = QPixmap(
            int((width + 2 * _HALO) * ratio) + 2,
            int((height + 2 * _HALO) * ratio) + 2,
        )
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = QPointF(_HALO, _HALO + metrics.ascent())
        painter.setFont(font)
        # The word drawn several times around itself, which takes a tenth of the time of stroking
        # its outline.
        painter.setPen(QColor(style.halo))
        for across, down in _AROUND:
            painter.drawText(base + QPointF(across, down), shown)
        painter.setPen(QColor(style.colour))
        painter.drawText(base, shown)
        painter.end()
        return pixmap


def _shorten_text(text: str) -> str:
    return paintable_text(truncate_text(text, _LONGEST))
