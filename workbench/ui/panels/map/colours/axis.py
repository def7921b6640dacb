"""A word axis as a colour mode: cosines on a scale with 0 in the middle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workbench.analysis.projection.word_axes import WordAxis, axis_cosines
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.panels.map.colours.base import ColourMenu, ColourMode
from workbench.ui.panels.map.colours.scales import known_words
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.panels.map.texts import axis_text
from workbench.ui.panels.map.word_axes import ACROSS, DIRECTIONS, UP
from workbench.ui.widgets.map.colour_scheme import Shading, diverging_shading
from workbench.vectors.embeddings import Embeddings


class AxisColours(ColourMode):
    key = "axis"
    title = tr("Word axis")
    order = 40

    def direction(self, detail: str) -> str | None:
        return detail if detail in DIRECTIONS else None

    def source(self, layout: MapLayout, detail: str) -> object:
        embeddings = layout.request.embeddings
        return embeddings, self._known_axis(embeddings, detail)

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        axis = self._known_axis(layout.request.embeddings, detail)
        return None if axis is None else lambda run: _shade(layout, axis)

    def _known_axis(self, embeddings: Embeddings, detail: str) -> WordAxis | None:
        """The axis of this direction, with the pairs that the model knows."""
        if detail not in DIRECTIONS:
            return None
        axis = self.host.axes.known_axis(detail, embeddings).axis
        if axis is None and self.host.in_axes_view:
            # A view with one axis is coloured by that.
            axis = self.host.axes.known_axis(UP if detail == ACROSS else ACROSS, embeddings).axis
        return axis

    def fill_menu(self, menu: ColourMenu) -> None:
        below = menu.below(self.title)
        for direction, name in zip(DIRECTIONS, (tr("Across"), tr("Up")), strict=True):
            axis = self.host.axes.typed_axis(direction)
            text = f"{name}: {axis_text(axis)}" if axis is not None else name
            below.offer(text, f"{self.key}:{direction}")


def _shade(layout: MapLayout, axis: WordAxis) -> Shading:
    places, rows = known_words(layout)
    values = np.full(len(layout.words), np.nan)
    values[places] = axis_cosines(layout.request.embeddings, axis, rows.tolist())
    texts = ["" if np.isnan(value) else f"{value:.4f}" for value in values.tolist()]
    title = tr("Cosine with {axis}", axis=axis_text(axis))
    return diverging_shading(title, values, texts)
