"""Parts side by side that stand one below another where there is no room for them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter

_Way = Qt.Orientation


class TurningSplitter(QSplitter):
    """Horizontal as long as every part has the width that it needs at least, vertical below that."""

    def __init__(self) -> None:
        super().__init__(_Way.Horizontal)
        self.setChildrenCollapsible(False)
        # How the room was shared, for when it turns back.
        self._shares: dict[_Way, list[int]] = {}

    def minimumSizeHint(self) -> QSize:
        needed = self._needed()
        width = max((size.width() for size in needed), default=0)
        heights = [size.height() for size in needed]
        if self.orientation() == _Way.Horizontal:
            return QSize(width, max(heights, default=0))
        return QSize(width, sum(heights) + self._handles(needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.isVisible():
            self._turn()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        self._turn()
        super().showEvent(event)

    def _turn(self) -> None:
        needed = self._needed()
        narrow = self.width() < sum(size.width() for size in needed) + self._handles(needed)
        wanted = _Way.Vertical if narrow else _Way.Horizontal
        if wanted == self.orientation():
            return
        self._shares[self.orientation()] = self.sizes()
        self.setOrientation(wanted)
        if wanted in self._shares:
            self.setSizes(self._shares[wanted])
        self.updateGeometry()

    def _handles(self, needed: list[QSize]) -> int:
        return self.handleWidth() * max(len(needed) - 1, 0)

    def _needed(self) -> list[QSize]:
        """The least size of every part that is shown."""
        parts = [part for at in range(self.count()) if (part := self.widget(at)) is not None]
        return [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in parts if not part.isHidden()]
