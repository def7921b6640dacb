"""A list without frame whose rows are painted by hand, and the ground under a chosen or pointed-at
row.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem

from workbench.ui.theme import Palette

_RADIUS = 5


class PlainList(QListView):
    """Rows of one height, no editing, no frame, no scroll bar below; the pointer is followed.

    ``widened`` tells that rows have another width: the list's, or what a scroll bar leaves of it,
    which comes after the first painting. Whatever stands over the columns is painted by it.
    """

    widened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.widened.emit()


def paint_ground(
    painter: QPainter,
    option: QStyleOptionViewItem,
    colours: Palette,
    margin: int = 1,
    *,
    usable: bool = True,
) -> None:
    """The ground of a row as its state asks, and a ring around the one that has the keys.

    ``margin``: pixels free at the left and right; ``usable``: whether the row answers to a click.
    """
    state: QStyle.StateFlag = option.state
    rect: QRect = option.rect
    area = QRectF(rect).adjusted(margin, 1, -margin, -1)
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    if usable and (chosen or state & QStyle.StateFlag.State_MouseOver):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent_soft if chosen else colours.hover))
        painter.drawRoundedRect(area, _RADIUS, _RADIUS)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QColor(colours.accent))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
