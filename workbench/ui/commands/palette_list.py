"""The list of the palette: each action with its keys, and one sentence that describes it or says
why it isn't available.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from workbench.ui.base.scaling import TYPE_SMALL, body_font, scaled_length
from workbench.ui.base.theme import Theme
from workbench.ui.commands.palette_entries import Offer
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_ground, paint_text
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

_HEIGHT = 46


class OfferList(DataTable):
    """The offers that match the typed text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True, rows=_HEIGHT)
        self.offers: tuple[Offer, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def put(self, offers: Sequence[Offer]) -> None:
        """Show other offers, and make the first one current."""
        self.offers = tuple(offers)
        column = TableColumn(
            "",
            self.offers,
            text=lambda offer: offer.text,
            spoken=lambda row: _spoken_text(self.offers[row]),
            paint=_paint_offer,
            number=False,
        )
        self.set_columns([column])
        self.setCurrentIndex(self.table.index(0, 0))

    @property
    def current(self) -> Offer | None:
        """The action that Return would run."""
        if self.current_row < 0:
            return None
        return self.offers[self.current_row]


def _spoken_text(offer: Offer) -> str:
    parts = (offer.text, offer.home, offer.keys, offer.why_not or offer.description)
    return ", ".join(part for part in parts if part)


def _paint_offer(cell: PaintedCell) -> None:
    """Paint the text at the top, its group and keys beside it, and the sentence below."""
    offer: Offer = cell.value
    colours = cell.theme.palette
    paint_ground(cell)
    margin = scaled_length(12)
    inner = cell.area.adjusted(margin, scaled_length(5), -margin, -scaled_length(5))
    top = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
    low = top.translated(0, inner.height() / 2)
    small, right = body_font(TYPE_SMALL), Qt.AlignmentFlag.AlignRight
    aside = "   ".join(part for part in (offer.home, offer.keys) if part)
    taken = paint_text(cell, top, aside, small, colours.muted, right)
    below, colour = offer.description, colours.muted
    if offer.why_not:
        below, colour = offer.why_not, colours.warning
    paint_text(cell, low, below, small, colour)
    _paint_matches(cell, offer, top.adjusted(0, 0, -taken - scaled_length(16), 0))


def _paint_matches(cell: PaintedCell, offer: Offer, room: QRectF) -> None:
    """Paint the text with the typed letters in bold, cut off where there isn't enough room."""
    colours = cell.theme.palette
    colour = colours.muted if offer.why_not else colours.text
    for part, fits in _parts(offer.text, offer.places):
        font = body_font(bold=fits)
        wide = paint_text(cell, room, part, font, colour)
        if wide < QFontMetricsF(font).horizontalAdvance(part):
            return
        room = room.adjusted(wide, 0, 0, 0)


def _parts(text: str, places: tuple[int, ...]) -> list[tuple[str, bool]]:
    """Pieces of a text: typed letters alternate with other letters."""
    chosen, parts = set(places), list[tuple[str, bool]]()
    for at, letter in enumerate(text):
        fits = at in chosen
        if parts and parts[-1][1] == fits:
            parts[-1] = (parts[-1][0] + letter, fits)
        else:
            parts.append((letter, fits))
    return parts
