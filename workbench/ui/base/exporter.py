"""What can be saved of a panel: a figure, the numbers behind it, or a copy of these."""

from __future__ import annotations

from typing import Literal, Protocol

from PySide6.QtWidgets import QWidget

What = Literal["figure", "data", "copy"]


class Exporter(Protocol):
    """Saves a view. ``owner`` is the widget that shows it, or contains the widget that does."""

    @property
    def owner(self) -> QWidget: ...

    def offers(self, what: What) -> bool:
        """Whether the view can be saved in this way at all."""

    def ask(self, what: What) -> None:
        """Ask for a path, save the view there, and report it; report what is missing if the view is
        empty.
        """
