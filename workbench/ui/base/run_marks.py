"""Marks of runs: a colour and, for more runs than colours, another shape and pattern.

A run with the index i has the colour i mod n of the n in ``Palette.runs``; ⌊i / n⌋ chooses the
shape and the pattern, so that the first n runs have discs and solid lines.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPixmap, QPolygonF

from workbench.ui.base.theme import Palette

# Patterns of lines, and the corners of the shapes in a box from 0 to 1; a disc has none.
_PATTERNS = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_SHAPES = (
    (),
    ((0.5, 0.0), (1.0, 1.0), (0.0, 1.0)),
    ((0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)),
    ((0.5, -0.1), (1.1, 0.5), (0.5, 1.1), (-0.1, 0.5)),
)
# Size of a mark in an icon, and of the icon, in pixels.
_MARK, _ICON = 8, 12


def run_colour(index: int, palette: Palette) -> QColor:
    return QColor(palette.runs[index % len(palette.runs)])


def run_cycle(index: int, palette: Palette) -> int:
    """Number of times that all colours were used before this index."""
    return index // len(palette.runs)


def line_pattern(cycle: int) -> Qt.PenStyle:
    return _PATTERNS[cycle % len(_PATTERNS)]


def draw_mark(painter: QPainter, cycle: int, box: QRectF, brush: QBrush | QColor) -> None:
    """Draw a shape without an outline; the painter's pen and brush change."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(brush)
    corners = _SHAPES[cycle % len(_SHAPES)]
    if not corners:
        painter.drawEllipse(box)
        return
    painter.drawPolygon(
        QPolygonF(
            [
                QPointF(box.left() + across * box.width(), box.top() + down * box.height())
                for across, down in corners
            ]
        )
    )


def draw_run_mark(painter: QPainter, index: int, box: QRectF, palette: Palette) -> None:
    """Draw the mark of a run in ``box``."""
    draw_mark(painter, run_cycle(index, palette), box, run_colour(index, palette))


def run_icon(index: int, palette: Palette, gap: int = 0) -> QIcon:
    """The mark as an icon, with ``gap`` pixels after it."""
    icon = QIcon()
    for ratio in (1, 2):
        pixmap = QPixmap((_ICON + gap) * ratio, _ICON * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        edge = (_ICON - _MARK) / 2
        draw_run_mark(painter, index, QRectF(edge, edge, _MARK, _MARK), palette)
        painter.end()
        icon.addPixmap(pixmap)
    return icon
