"""Offer in the status bar: a sentence with buttons, in place of the status."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QPushButton

from workbench.ui import kit
from workbench.ui.base.theme import Theme


class OfferBar(QFrame):
    """A sentence, followed by buttons that ``offer`` adds."""

    def __init__(self, key: str, accessible: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(key)
        self.setAccessibleName(accessible)
        self._icon = kit.label()
        self.text = kit.with_role(kit.ElidedLabel(), "", f"{key}.text")
        self._row = kit.row(self._icon, kit.stretch(self.text))
        kit.fill(self, self._row)
        theme.changed.connect(self._retheme)
        self._retheme()

    def offer(
        self, local: str, text: str, accessible: str, slot: Callable[[], None]
    ) -> QPushButton:
        """Add a button."""
        button = kit.button(text, name=f"{self.objectName()}.{local}", pressed=slot)
        button.setAccessibleName(accessible)
        kit.add(self._row, button)
        return button

    def _retheme(self) -> None:
        self._icon.setPixmap(self._theme.icon("info", "muted").pixmap(16, 16))
