"""Pages in one place of which only the one that is seen asks for room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidgetItem


class PageStack(QStackedWidget):
    """Qt gives every page the room of the largest: a small one would have to be scrolled for
    nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        if page is None:
            return QSize()
        return QWidgetItem(page).minimumSize()
