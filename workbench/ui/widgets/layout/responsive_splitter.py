"""Splitter that stacks its parts if they don't fit side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from workbench.ui.base.scaling import scaled_length

_Way = Qt.Orientation


class TurningSplitter(QSplitter):
    """Horizontal as long as every part has its minimum width, vertical below that.

    comfort : when stacked, each part keeps its preferred height up to this number of pixels, and a
    scroll area must contain the splitter; 0: each part may shrink to its minimum height
    """

    def __init__(self, comfort: int = 0) -> None:
        super().__init__(_Way.Horizontal)
        self._comfort = comfort
        # Of stacked parts: their own minimum height, and the height set here.
        self._kept: dict[QWidget, tuple[int, int]] = {}
        self.setChildrenCollapsible(False)
        # Division of the room in each direction, for when the splitter turns back.
        self._shares: dict[_Way, list[int]] = {}

    def minimumSizeHint(self) -> QSize:
        needed = self._minimum_sizes()
        width = max((size.width() for size in needed), default=0)
        heights = [size.height() for size in needed]
        if self.orientation() == _Way.Horizontal:
            return QSize(width, max(heights, default=0))
        return QSize(width, sum(heights) + self._handles(needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.isVisible():
            self._update_orientation()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        self._update_orientation()
        super().showEvent(event)

    def _update_orientation(self) -> None:
        needed = self._minimum_sizes()
        narrow = self.width() < sum(size.width() for size in needed) + self._handles(needed)
        wanted = _Way.Vertical if narrow else _Way.Horizontal
        if wanted == self.orientation():
            if wanted == _Way.Vertical:
                self._keep_heights()
            return
        self._shares[self.orientation()] = self.sizes()
        self.setOrientation(wanted)
        self._keep_heights()
        if wanted in self._shares:
            self.setSizes(self._shares[wanted])
        self.updateGeometry()

    def _keep_heights(self) -> None:
        """Set the heights again, as minimum and preferred heights may have changed with the text
        size.
        """
        for part in self._parts() if self._comfort else ():
            own, kept = self._kept.pop(part, (0, -1))
            if part.minimumHeight() != kept:
                own = part.minimumHeight()
            if self.orientation() == _Way.Vertical:
                kept = max(own, min(part.sizeHint().height(), scaled_length(self._comfort)))
                self._kept[part] = own, kept
            else:
                kept = own
            part.setMinimumHeight(kept)

    def _parts(self) -> list[QWidget]:
        return [part for at in range(self.count()) if (part := self.widget(at)) is not None]

    def _handles(self, needed: list[QSize]) -> int:
        return self.handleWidth() * max(len(needed) - 1, 0)

    def _minimum_sizes(self) -> list[QSize]:
        """The minimum size of every visible part."""
        shown = [part for part in self._parts() if not part.isHidden()]
        return [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in shown]
