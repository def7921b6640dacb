"""The figure of the Time panel on white paper: the strips of a training beside its map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent

from workbench.analysis.history.replay import Film
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import LIGHT, SPACE_2, SPACE_4, TYPE_LARGE, body_font
from workbench.ui.panels.time.map import TimeMap
from workbench.ui.panels.time.timeline_view import TimeStrips

SIZE = QSize(1080, 540)
_TOP = 52


def draw_film(
    painter: QPainter, film: Film, strips: TimeStrips, selection: Sequence[str], title: str
) -> None:
    """Draw the film's figure on white, with SIZE in device-independent pixels."""
    wide, tall = SIZE.width(), SIZE.height()
    painter.fillRect(QRectF(0, 0, wide, tall), QColor(LIGHT.surface))
    painter.setPen(QColor(LIGHT.text))
    painter.setFont(body_font(TYPE_LARGE, bold=True))
    head = QRectF(SPACE_4, SPACE_4, wide - 2 * SPACE_4, 22)
    painter.drawText(head, int(Qt.AlignmentFlag.AlignVCenter), title)
    room = QRectF(SPACE_2, scaled_length(_TOP), wide * 0.45, tall - scaled_length(_TOP) - SPACE_2)
    strips.draw_on_paper(painter, room)
    picture = TimeMap()
    picture.motion = False
    left = int(room.right()) + SPACE_4
    picture.set_colours(replace(LIGHT, ground=LIGHT.surface))
    picture.resize(wide - left - SPACE_2, tall - scaled_length(_TOP) - SPACE_2)
    # A widget that is never shown isn't told its size by Qt.
    QCoreApplication.sendEvent(picture, QResizeEvent(picture.size(), QSize()))
    picture.put(film, strips.current)
    picture.set_selection(selection)
    painter.save()
    painter.translate(left, scaled_length(_TOP))
    painter.setClipRect(QRectF(picture.rect()))
    picture.draw(painter, vector=True)
    painter.restore()
    picture.deleteLater()
