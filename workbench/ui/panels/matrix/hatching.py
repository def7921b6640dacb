"""Hatched background of unobserved pairs."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap

from workbench.ui.base.theme import DARK, LIGHT, Palette

_PITCH = 6.0


def paint_hatching(painter: QPainter, seen: QRectF, anchor: QPointF, palette: Palette) -> None:
    """Paint the background of unobserved pairs: thin lines that move with the cells."""
    brush = QBrush(_hatching_tile(palette.dark, painter.device().devicePixelRatioF()))
    painter.save()
    painter.setBrushOrigin(anchor)
    painter.fillRect(seen, brush)
    painter.restore()


@cache
def _hatching_tile(dark: bool, ratio: float) -> QPixmap:
    """A tile of lines that rise to the right: tiling is ten times as fast as drawing the lines."""
    palette = DARK if dark else LIGHT
    tile = QPixmap(round(_PITCH * ratio), round(_PITCH * ratio))
    tile.setDevicePixelRatio(tile.width() / _PITCH)
    tile.fill(QColor(palette.unobserved))
    ink = QColor(palette.muted)
    # On dark grounds, equally faint lines would be invisible in small cells.
    if dark:
        ink.setAlpha(110)
    else:
        ink.setAlpha(70)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink, 1))
    for across in (-_PITCH, 0.0, _PITCH):
        painter.drawLine(
            QPointF(across - _PITCH, 2 * _PITCH), QPointF(across + 2 * _PITCH, -_PITCH)
        )
    painter.end()
    return tile
