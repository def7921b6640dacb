"""Whether all letters of a font have the same width, by measuring: what a font declares is
unreliable.
"""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QApplication


def equally_wide(font: QFont) -> bool:
    """Whether lines of ten narrow letters, wide letters, digits or full stops are equally long."""
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setFont(font)
    rooms = [
        painter.boundingRect(0, 0, 9000, 900, 0, 10 * letter + "|").width() for letter in "iWM0."
    ]
    painter.end()
    return max(rooms) - min(rooms) <= 1


def as_equal_as_can_be(font: QFont) -> bool:
    """Whether a font is monospaced, or no font family on this machine is."""
    assert QApplication.instance() is not None
    return equally_wide(font) or not any(
        equally_wide(QFont(family, 15)) for family in QFontDatabase.families()
    )
