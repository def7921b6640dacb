"""A map on paper: with a fixed size, whatever the panel's."""

from __future__ import annotations

import copy
from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from workbench.ui.base.scaling import figure_units
from workbench.ui.base.theme import LIGHT
from workbench.ui.export.figure_export import Draw
from workbench.ui.widgets.map.placed import PlacedMap
from workbench.ui.widgets.map.viewport import Viewport

PAPER = QSize(960, 640)


class _PaperMap(PlacedMap):
    """The drawing of another map, at paper size. Labels are placed again, so that the same layout
    and view always give the same drawing.
    """

    def __init__(self, shown: PlacedMap) -> None:
        super().__init__()
        self.motion = False
        self.resize(PAPER)
        self._colours = replace(LIGHT, ground=LIGHT.surface)
        self._words, self._rows = shown._words, shown._rows
        self._positions = shown.positions
        self._space = shown._space
        self._points = copy.copy(shown._points)
        self._points.forget()
        self._hidden = shown._hidden
        self._backdrop = shown._backdrop
        self._marks, self._arrows = shown._marks, shown._arrows
        self._regions, self._rank, self._nameless = shown._regions, shown._rank, shown._nameless
        self._far = shown._far
        self._follows, self._framed = shown._follows, shown._framed
        self._view = self._paper_view(shown)
        self.set_placed(shown.placed_words, shown.placed_positions, shown.meant_words)

    def _paper_view(self, shown: PlacedMap) -> Viewport:
        """The view of everything that is followed, or else one that contains at least the visible
        part.
        """
        before = shown._to[1] if shown._to is not None else shown._view
        view = before.resize_to(PAPER.width(), PAPER.height())
        self._whole = self._fit_view(view, self._positions).scale
        if self._follows:
            return self._followed_view(view, self._positions)
        ratio = min(view.width / before.width, view.height / before.height)
        return replace(view, scale=view.scale * ratio)


def paper_drawing(shown: PlacedMap, vector: bool) -> Draw:
    """Painting function for a map, with its size ``PAPER``; with ``vector`` only shapes and
    text.
    """
    with figure_units():
        paper = _PaperMap(shown)

    def draw(painter: QPainter) -> None:
        painter.setClipRect(paper.rect())
        paper.draw(painter, vector=vector)

    return draw
