"""A line around the widget that a lesson speaks of."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from workbench.ui.theme import Theme
from workbench.ui.widgets.bubble import Ring, seen_part

_AROUND = 4


class LessonMarker:
    """``keep_place`` is called at every tick: it compares first, and moves only what has moved."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.ring = self._new()
        self._target: QWidget | None = None
        self._at: tuple[object, ...] = ()

    def _new(self) -> Ring:
        ring = Ring(self._theme)
        ring.setObjectName("lessons.ring")
        return ring

    @property
    def target(self) -> QWidget | None:
        return self._target

    def mark(self, target: QWidget) -> None:
        """Draw the line around another widget."""
        self._target = target
        self._at = ()
        if self.ring.parentWidget() is not target.window():
            self.ring.setParent(target.window())
        self.keep_place()

    def leave(self) -> None:
        """Mark nothing any more."""
        if self._target is None:
            return
        self._target = None
        if not isValid(self.ring):
            # Its window was closed, and took it along.
            self.ring = self._new()
            return
        self.ring.hide()
        self.ring.setParent(None)

    def keep_place(self) -> None:
        """Follow the widget; where it is out of sight, so is the line."""
        target = self._target
        if target is None:
            return
        if not isValid(target) or not isValid(self.ring):
            self.leave()
            return
        visible, host = target.isVisible(), target.window()
        seen = seen_part(target, host) if visible else None
        now = (visible, seen.getRect() if seen is not None else None, host.size())
        if now == self._at:
            return
        self._at = now
        if seen is None or seen.isEmpty():
            self.ring.hide()
            return
        self.ring.setGeometry(seen.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & host.rect())
        self.ring.show()
        self.ring.raise_()

    def release(self) -> None:
        """The panel that marks is closed."""
        self.leave()
        self.ring.deleteLater()
