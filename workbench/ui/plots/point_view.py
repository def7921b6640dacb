"""Figures of points: the pointer reads off the nearest, a click picks it, arrow keys move between
them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter

from workbench.core.arrays import Doubles
from workbench.ui.base.theme import Palette, Theme
from workbench.ui.plots.frame import Frame
from workbench.ui.plots.painting import draw_readout, draw_ring
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import FigureView

_REACH = 12.0
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class PointView(FigureView):
    """A figure whose points can be read off and picked. ``picked`` carries the key of a point that
    was clicked or reached by keys.

    texts : the readout of each point, "" for points to be skipped
    keys : the key of each point, "" if it can't be picked
    """

    picked = Signal(str)

    def __init__(self, theme: Theme, panes: Sequence[Pane] = ()) -> None:
        super().__init__(theme, panes)
        self.texts: Sequence[str] = ()
        self.keys: Sequence[str] = ()
        self._x: Doubles = np.empty(0)
        self._y: Doubles = np.empty(0)
        self._mute: npt.NDArray[np.bool_] = np.empty(0, dtype=bool)
        self._pointed = -1
        self._current = ""
        self._ringed: list[int] = []

    def set_points(self, x: Doubles, y: Doubles, texts: Sequence[str], keys: Sequence[str]) -> None:
        """Replace the points; the ring stays if its key still exists."""
        self._x, self._y, self.texts, self.keys = x, y, texts, keys
        self._mute = np.array([not text for text in texts], dtype=bool)
        self._pointed = -1
        self._find_ringed()

    def point_colour(self, at: int, colours: Palette) -> QColor:
        """Colour of the ring around a point."""
        return QColor(colours.accent)

    @property
    def current(self) -> str:
        """The key of the point with the ring, "" if there is no ring."""
        return self._current

    @property
    def tooltip_text(self) -> str:
        """The readout of the point under the pointer."""
        if self._pointed >= 0:
            return self.texts[self._pointed]
        return ""

    def set_current(self, key: str) -> None:
        """Put the ring around the points with a key, without a signal."""
        if key != self._current:
            self._current = key
            self._find_ringed()
            self.redraw_overlay()

    def _find_ringed(self) -> None:
        self._ringed = []
        if self._current:
            self._ringed = [at for at, key in enumerate(self.keys) if key == self._current]

    def positions(self) -> Doubles:
        """float64[n, 2], pixels of all points."""
        frame = self.frame
        return np.stack([frame.x(self._x), frame.y(self._y)], axis=1)

    def place_of(self, key: str) -> QPointF:
        """Position of the first point with a key."""
        return QPointF(*self.positions()[self.keys.index(key)].tolist())

    # -- input

    def _nearest(self, place: QPointF) -> int:
        area = self.frame.area.adjusted(-_REACH, -_REACH, _REACH, _REACH)
        if not len(self._x) or not area.contains(place):
            return -1
        away = np.hypot(*(self.positions() - (place.x(), place.y())).T)
        away[self._mute | ~np.isfinite(away)] = np.inf
        at = int(np.argmin(away))
        return at if away[at] <= _REACH else -1

    def point(self, place: QPointF | None) -> None:
        at = self._nearest(place) if place is not None else -1
        if at == self._pointed:
            return
        self._pointed = at
        shape = Qt.CursorShape.ArrowCursor
        if at >= 0 and self.keys[at]:
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)
        self.redraw_overlay()

    def click(self, place: QPointF) -> None:
        at = self._nearest(place)
        if at >= 0 and self.keys[at]:
            self._pick(self.keys[at])

    def walk(self, key: Qt.Key) -> bool:
        order = [at for at in np.argsort(self._x, kind="stable").tolist() if self.keys[at]]
        if key not in _STEPS or not order:
            return False
        keys = [self.keys[at] for at in order]
        step = _STEPS[key]
        if self._current in keys:
            now = keys.index(self._current) + step
        elif step > 0:
            now = 0
        else:
            now = len(keys) - 1
        now = min(max(now, 0), len(keys) - 1)
        self._pointed = -1
        self.show_place(self._x[order[now]], self._y[order[now]])
        self._pick(keys[now])
        return True

    def _pick(self, key: str) -> None:
        self.set_current(key)
        self.picked.emit(key)

    # -- painting

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        marked = list(self._ringed)
        if self._pointed >= 0:
            marked.append(self._pointed)
        area = frame.area.adjusted(-2, -2, 2, 2)
        for at in marked:
            place = frame.place(self._x[at], self._y[at])
            if not area.contains(place):
                continue
            draw_ring(painter, place, self.point_colour(at, colours), colours)
            read = self._pointed < 0 or at == self._pointed
            if read and self.texts[at]:
                lines = [("", line) for line in self.texts[at].split("\n")]
                draw_readout(painter, place, lines, frame.room, colours)
