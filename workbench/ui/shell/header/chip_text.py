"""Names on the header's buttons that have a menu: those of the corpus and of the run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench.ui.base.plain_text import menu_text, paintable_text

# Extra pixels, because a text that fits exactly may be rounded.
_ROUNDING = 2
# Room for the arrow that indicates a menu.
_ARROW = "   "


def chip_name_width(chip: QPushButton, name: str) -> int:
    """Width of the complete name."""
    return chip.fontMetrics().horizontalAdvance(paintable_text(name)) + _ROUNDING


def put_chip_name(chip: QPushButton, name: str, room: int, short: str = "") -> None:
    """Show a name in at most ``room`` pixels; if it is longer, ``short`` instead (if any), elided
    in the middle if that is too long as well.
    """
    if short and chip_name_width(chip, name) > room + _ROUNDING:
        name = short
    shown = chip.fontMetrics().elidedText(paintable_text(name), Qt.TextElideMode.ElideMiddle, room)
    chip.setText(menu_text(shown) + _ARROW)
