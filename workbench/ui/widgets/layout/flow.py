"""A layout that places widgets side by side and starts a new row where the room ends."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Rows from the left; the height depends on the width. Hidden widgets take no room.

    gap : pixels between widgets of a row; row_gap : between rows
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int, row_gap: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._row_gap = gap, row_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        if 0 <= index < len(self._items):
            return self._items[index]
        return None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if 0 <= index < len(self._items):
            return self._items.pop(index)
        return None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, move=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self._gap * max(len(shown) - 1, 0)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((s.width() for s in shown), default=0), max((s.height() for s in shown), default=0)
        )

    def _place(self, area: QRect, *, move: bool) -> int:
        """Place the widgets in ``area``; returns their height."""
        rows: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if rows[-1] and used + self._gap + size.width() > area.width():
                rows.append([])
            used = used + self._gap + size.width() if rows[-1] else size.width()
            rows[-1].append((item, size))
        top = area.top()
        for row in rows:
            height = max((size.height() for _, size in row), default=0)
            left = area.left()
            for item, size in row:
                if move:
                    # Centred in the row, so that the captions of all widgets are aligned.
                    item.setGeometry(
                        QRect(
                            left, top + (height - size.height()) // 2, size.width(), size.height()
                        )
                    )
                left += size.width() + self._gap
            top += height + self._row_gap
        return top - self._row_gap - area.top()
