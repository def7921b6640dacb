"""A scroll area around content that otherwise is as large as the area."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QWidget, QWidgetItem

from workbench.ui.base.boxes import box

# Number of times that the content is resized in one pass before it may only grow, and at all.
_FREE, _MOST = 6, 12


class ScrollFrame(QScrollArea):
    """Resizes its content with itself; bars appear only if the content doesn't fit.

    A bar takes room from the content, whose minimum height may depend on its width, and even on its
    height. Qt's own resizable scroll area follows each such change at once: a bar that comes and
    goes keeps it busy for ever. Here, a *pass* lasts from a change until nothing is left to lay
    out, and after a few changes in the same pass the content only grows, so that every pass ends.
    """

    def __init__(self, content: QWidget | None = None) -> None:
        super().__init__()
        # The largest minimum size in this pass, once the content may only grow.
        self._kept = QSize()
        self._changes = 0
        self._fitting = self._stale = False
        # The minimum size that the content was last fitted to.
        self._fitted: QSize | None = None
        # A timer of 0 ms runs out when no event is left.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._end_pass)
        self.setFrameShape(QFrame.Shape.NoFrame)
        if content is not None:
            self.setWidget(content)

    def setWidget(self, widget: QWidget) -> None:
        super().setWidget(widget)
        self._start_pass()

    def sizeHint(self) -> QSize:
        """Preferred size of the content, limited as Qt does."""
        content, line = self.widget(), self.fontMetrics().height()
        if content is None:
            return super().sizeHint()
        frame = 2 * self.frameWidth()
        return (content.sizeHint() + QSize(frame, frame)).boundedTo(QSize(36 * line, 24 * line))

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        # Qt calls this before __init__ is done.
        if not hasattr(self, "_rest"):
            return handled
        if event.type() == QEvent.Type.StyleChange and not self.isVisible():
            # A change of the theme reaches some hundred frames, most of them in hidden panels.
            self._stale = True
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.StyleChange) or (
            event.type() == QEvent.Type.Show and self._stale
        ):
            self._start_pass()
        elif event.type() == QEvent.Type.LayoutRequest:
            if self._rest.isActive():
                self._fit()
            elif self._fitted is None or self._fitted != self._least_size():
                self._start_pass()
        return handled

    def _start_pass(self) -> None:
        self._stale = False
        self._changes, self._kept = 0, QSize()
        self._fit()

    def _end_pass(self) -> None:
        if self._changes >= _MOST:
            # The content never comes to rest: it waits for another change.
            self._fitted = self._least_size()
        self._changes, self._kept = 0, QSize()

    def _fit(self) -> None:
        """Resize the content until it no longer reacts with another minimum size."""
        content = self.widget()
        if content is None or self._fitting:
            return
        self._fitting = True
        try:
            while self._changes < _MOST and (size := self._wanted_size(content)) != content.size():
                self._changes += 1
                content.resize(size)
        finally:
            self._fitting = False
        # Not at the end of the pass: the minimum may change before that without a layout request.
        self._fitted = self._least_size()
        self._rest.start()

    def _least_size(self) -> QSize:
        content = self.widget()
        if content is None:
            return QSize()
        return QWidgetItem(content).minimumSize()

    def _wanted_size(self, content: QWidget) -> QSize:
        """Size of the content: that of the area, without bars that it needs, or its minimum."""
        least, room = self._least_size(), self.maximumViewportSize()
        if self._changes >= _FREE:
            self._kept = least = self._kept.expandedTo(least)
        size = self._fill(room, least)
        bars = QSize(0, 0)
        # A bar in one direction may leave too little room in the other.
        for _ in range(2):
            if size.height() > room.height():
                bars.setWidth(self.verticalScrollBar().sizeHint().width())
            if least.width() > room.width() and self._scrolls_across:
                bars.setHeight(self.horizontalScrollBar().sizeHint().height())
            room = self.maximumViewportSize() - bars
            size = self._fill(room, least)
        return size.boundedTo(content.maximumSize())

    @property
    def _scrolls_across(self) -> bool:
        return self.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff

    def _fill(self, room: QSize, least: QSize) -> QSize:
        """Size of the content in this room: its minimum, and the height for its width."""
        size = room.expandedTo(least)
        return size.expandedTo(QSize(0, self._height_at(size.width())))

    def _height_at(self, width: int) -> int:
        """Height that the content needs at a width, 0 if that doesn't depend on its width."""
        content = self.widget()
        if content is None or not content.hasHeightForWidth():
            return 0
        return content.heightForWidth(width)


def scroll(content: QWidget | QLayout) -> ScrollFrame:
    """Content that scrolls up and down if it is higher than its room."""
    frame = ScrollFrame(content if isinstance(content, QWidget) else box(content))
    frame.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return frame
