"""Words with a halo of the ground's colour, rendered once and then only copied."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

_HALO = 2.5
_KEPT = 3000
_LONGEST = 28


@dataclass(frozen=True)
class TextStyle:
    """How a word is written: size in pixels, weight, and colours as #RRGGBB."""

    size: int
    bold: bool
    colour: str
    halo: str


class HaloText:
    """Measures and draws words; pixmaps of the words drawn last are kept."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._fonts: dict[tuple[int, bool], tuple[QFont, QFontMetricsF]] = {}
        self._sizes: dict[tuple[str, int, bool], QSizeF] = {}
        self._pixmaps: OrderedDict[tuple[str, TextStyle, float], QPixmap] = OrderedDict()

    def size(self, text: str, size: int, bold: bool) -> QSizeF:
        """Width and height of the text without its halo, in device-independent pixels."""
        key = (text, size, bold)
        found = self._sizes.get(key)
        if found is None:
            metrics = self._metrics(size, bold)[1]
            found = QSizeF(metrics.horizontalAdvance(_shortened(text)) + 1.0, metrics.ascent() + metrics.descent())
            self._sizes[key] = found
        return found

    def draw(self, painter: QPainter, left: float, top: float, text: str, style: TextStyle) -> None:
        """Draw with the upper left corner of the text (not of the halo) at a point."""
        ratio = painter.device().devicePixelRatioF()
        key = (text, style, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._rendered(text, style, ratio)
            self._pixmaps[key] = pixmap
            if len(self._pixmaps) > _KEPT:
                self._pixmaps.popitem(last=False)
        else:
            self._pixmaps.move_to_end(key)
        # Whole device pixels keep the letters as crisp as they were rendered.
        painter.drawPixmap(
            QPointF(round((left - _HALO) * ratio) / ratio, round((top - _HALO) * ratio) / ratio),
            pixmap,
        )

    def _metrics(self, size: int, bold: bool) -> tuple[QFont, QFontMetricsF]:
        found = self._fonts.get((size, bold))
        if found is None:
            font = QFont(self._font)
            font.setPixelSize(size)
            font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            found = (font, QFontMetricsF(font))
            self._fonts[(size, bold)] = found
        return found

    def _rendered(self, text: str, style: TextStyle, ratio: float) -> QPixmap:
        font, metrics = self._metrics(style.size, style.bold)
        shown = _shortened(text)
        extent = self.size(text, style.size, style.bold)
        pixmap = QPixmap(
            int((extent.width() + 2 * _HALO) * ratio) + 2,
            int((extent.height() + 2 * _HALO) * ratio) + 2,
        )
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = QPointF(_HALO, _HALO + metrics.ascent())
        path = QPainterPath()
        path.addText(base, font, shown)
        halo = QColor(style.halo)
        halo.setAlphaF(0.85)
        pen = QPen(halo, 2 * _HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.setFont(font)
        painter.setPen(QColor(style.colour))
        painter.drawText(base, shown)
        painter.end()
        return pixmap


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
