"""The lines of the palette: what it is, the keys for it, one sentence about it, or why it cannot be
done now.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.ui.commands.palette_entries import Offer
from workbench.ui.plain_text import paintable_text
from workbench.ui.scaling import TYPE_SMALL, body_font, scaled_length
from workbench.ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
OFFER = Qt.ItemDataRole.UserRole
_HEIGHT = 46
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class OfferModel(QAbstractListModel):
    """The offers that fit what was typed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._offers: list[Offer] = []

    def set_offers(self, offers: list[Offer]) -> None:
        self.beginResetModel()
        self._offers = offers
        self.endResetModel()

    def offer(self, row: int) -> Offer | None:
        if 0 <= row < len(self._offers):
            return self._offers[row]
        return None

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._offers)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        offer = self.offer(index.row())
        if offer is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return offer.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (offer.text, offer.home, offer.keys, offer.why_not or offer.description)
            return ", ".join(part for part in parts if part)
        if role == OFFER:
            return offer
        return None


class OfferDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, scaled_length(_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        offer: Offer = index.data(OFFER)
        colours = self._theme.palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(1, 1, -1, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent_soft if chosen else colours.hover))
            painter.drawRoundedRect(box, 6, 6)
        inner = box.adjusted(
            scaled_length(12), scaled_length(4), -scaled_length(12), -scaled_length(4)
        )
        top = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
        low = top.translated(0, inner.height() / 2)
        painter.setFont(body_font(TYPE_SMALL))
        painter.setPen(QColor(colours.muted))
        aside = "   ".join(part for part in (offer.home, offer.keys) if part)
        painter.drawText(top, _RIGHT, aside)
        room = (
            top.width() - QFontMetricsF(painter.font()).horizontalAdvance(aside) - scaled_length(16)
        )
        small = QFontMetricsF(painter.font())
        if offer.why_not:
            painter.setPen(QColor(colours.warning))
        below = small.elidedText(
            paintable_text(offer.why_not or offer.description),
            Qt.TextElideMode.ElideRight,
            low.width(),
        )
        painter.drawText(low, _LEFT, below)
        self._draw_text(painter, offer, QRectF(top.left(), top.top(), room, top.height()))
        painter.restore()

    def _draw_text(self, painter: QPainter, offer: Offer, room: QRectF) -> None:
        """The text with the typed letters bold, cut off where there is no room for more."""
        colours = self._theme.palette
        painter.setPen(QColor(colours.muted if offer.why_not else colours.text))
        plain, bold = body_font(), body_font(bold=True)
        left = room.left()
        for part, fits in _parts(offer.text, offer.places):
            font: QFont = plain
            if fits:
                font = bold
            painter.setFont(font)
            metrics = QFontMetricsF(font)
            rest = room.right() - left
            shown = metrics.elidedText(paintable_text(part), Qt.TextElideMode.ElideRight, rest)
            painter.drawText(QRectF(left, room.top(), rest, room.height()), _LEFT, shown)
            left += metrics.horizontalAdvance(shown)
            if shown != part:
                return


def _parts(text: str, places: tuple[int, ...]) -> list[tuple[str, bool]]:
    """A text in pieces, those typed and those between."""
    chosen, parts = set(places), list[tuple[str, bool]]()
    for at, letter in enumerate(text):
        fits = at in chosen
        if parts and parts[-1][1] == fits:
            parts[-1] = (parts[-1][0] + letter, fits)
        else:
            parts.append((letter, fits))
    return parts
