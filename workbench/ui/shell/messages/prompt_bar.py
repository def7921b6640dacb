"""Offer in the status bar: a sentence with buttons, in place of the status."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from workbench.ui.base.plain_text import PlainLabel, menu_text
from workbench.ui.base.theme import SPACE_2, Theme
from workbench.ui.widgets.layout.elided import ElidedLabel


class OfferBar(QFrame):
    """A sentence, followed by buttons that ``offer`` adds."""

    def __init__(self, key: str, accessible: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(key)
        self.setAccessibleName(accessible)
        self._icon = PlainLabel()
        self.text = ElidedLabel()
        self.text.setObjectName(f"{key}.text")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE_2)
        self._row.addWidget(self._icon)
        self._row.addWidget(self.text, 1)
        theme.changed.connect(self._retheme)
        self._retheme()

    def offer(
        self, local: str, text: str, accessible: str, slot: Callable[[], None]
    ) -> QPushButton:
        """Add a button."""
        button = QPushButton(menu_text(text))
        button.setObjectName(f"{self.objectName()}.{local}")
        button.setAccessibleName(accessible)
        button.clicked.connect(slot)
        self._row.addWidget(button)
        return button

    def _retheme(self) -> None:
        self._icon.setPixmap(self._theme.icon("info", "muted").pixmap(16, 16))
