"""A training over time as a figure for a file: the strips, and the map at the state that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent

from workbench.analysis.film import Film
from workbench.ui.measures import scaled
from workbench.ui.theme import LIGHT, SPACE_2, SPACE_4, TYPE_LARGE, body_font
from workbench.ui.widgets.time_map import TimeMap
from workbench.ui.widgets.time_paint import Reel, draw_marker, draw_reel

SIZE = QSize(1080, 540)
_TOP = 52


def draw_film(painter: QPainter, film: Film, reel: Reel, state: int, selection: Sequence[str], title: str) -> None:
    """On white, on device-independent pixels of SIZE."""
    wide, tall = SIZE.width(), SIZE.height()
    painter.fillRect(QRectF(0, 0, wide, tall), QColor(LIGHT.surface))
    painter.setPen(QColor(LIGHT.text))
    painter.setFont(body_font(TYPE_LARGE, bold=True))
    head = QRectF(SPACE_4, SPACE_4, wide - 2 * SPACE_4, 22)
    painter.drawText(head, int(Qt.AlignmentFlag.AlignVCenter), title)
    strips = QRectF(SPACE_2, scaled(_TOP), wide * 0.45, tall - scaled(_TOP) - SPACE_2)
    draw_marker(painter, draw_reel(painter, reel, strips, LIGHT), state, LIGHT)
    picture = TimeMap()
    picture.motion = False
    left = int(strips.right()) + SPACE_4
    picture.set_colours(replace(LIGHT, ground=LIGHT.surface))
    picture.resize(wide - left - SPACE_2, tall - scaled(_TOP) - SPACE_2)
    # A widget that is never shown hears of its size by hand.
    QCoreApplication.sendEvent(picture, QResizeEvent(picture.size(), QSize()))
    picture.put(film, state)
    picture.set_selection(selection)
    painter.save()
    painter.translate(left, scaled(_TOP))
    painter.setClipRect(QRectF(picture.rect()))
    picture.draw(painter, vector=True)
    painter.restore()
    picture.deleteLater()
