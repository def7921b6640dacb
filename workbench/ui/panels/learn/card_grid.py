"""Cards in columns of equal width that fill the room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_3
from workbench.ui.panels.learn.lesson_card import LessonCard

_NARROWEST = 244


class CardGrid(QWidget):
    """Rows of cards; all cards of a row are as high as the highest."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: tuple[LessonCard, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def put(self, cards: Sequence[LessonCard]) -> None:
        """Show these cards in place of the earlier ones."""
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = tuple(cards)
        for card in self.cards:
            card.setParent(self)
            card.show()
        self.arrange()

    def arrange(self) -> None:
        """Place the cards for the current width and text size."""
        gap, width = scaled_length(SPACE_3), max(self.width(), 1)
        columns = max((width + gap) // (scaled_length(_NARROWEST) + gap), 1)
        wide = (width - (columns - 1) * gap) // columns
        top = 0
        for start in range(0, len(self.cards), columns):
            row = self.cards[start : start + columns]
            tall = max(card.height_at(wide) for card in row)
            for at, card in enumerate(row):
                card.setGeometry(at * (wide + gap), top, wide, tall)
            top += tall + gap
        self.setFixedHeight(max(top - gap, 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled_length(_NARROWEST), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()
