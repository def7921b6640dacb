"""A place whose content is laid out by itself."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QWidget


class Apart(QWidget):
    """Holds a row that changes all the time in a place of fixed size: Qt would lay the whole window out anew with every
    text of it, which takes longer than a frame.
    """

    def __init__(self, row: QLayout) -> None:
        super().__init__()
        self._inner = QWidget(self)
        self._inner.setLayout(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._inner.setGeometry(self.rect())
