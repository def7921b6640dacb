"""Whether letters take the same room, measured: what a font says of itself is not to be relied
on.
"""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QApplication


def equally_wide(font: QFont) -> bool:
    """Lines of ten narrow letters, wide ones and figures are equally long, as they are drawn."""
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setFont(font)
    rooms = [
        painter.boundingRect(0, 0, 9000, 900, 0, 10 * letter + "|").width() for letter in "iWM0."
    ]
    painter.end()
    return max(rooms) - min(rooms) <= 1


def as_equal_as_can_be(font: QFont) -> bool:
    """Letters of equal width, or no family that the machine has is any better."""
    assert QApplication.instance() is not None
    return equally_wide(font) or not any(
        equally_wide(QFont(family, 15)) for family in QFontDatabase.families()
    )
