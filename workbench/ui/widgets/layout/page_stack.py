"""Stacked pages, of which only the visible one determines the size."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget, QWidgetItem


class PageStack(QStackedWidget):
    """Stack whose size is that of the current page. In Qt's own, each page needs the room of the
    largest one, so that small pages would scroll needlessly.
    """

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        for page in pages:
            self.addWidget(page)
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        if page is None:
            return QSize()
        return QWidgetItem(page).minimumSize()
