"""Frequency as a colour mode: counts, or ranks, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.base.text import count
from workbench.ui.panels.map.colours.base import ColourMode
from workbench.ui.panels.map.colours.scales import known_words, scale_to_unit
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import Shading, graded_shading


class FrequencyColours(ColourMode):
    key = "frequency"
    title = tr("Frequency")
    order = 30

    def source(self, layout: MapLayout, detail: str) -> object:
        embeddings = layout.request.embeddings
        return embeddings if embeddings.counts is None else embeddings.counts

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        return lambda run: _shade(layout)


def _shade(layout: MapLayout) -> Shading:
    """Counts on a logarithmic scale; ranks if counts are unknown, the first rank highest."""
    places, rows = known_words(layout)
    counts = layout.request.embeddings.counts
    numbers = rows + 1
    if counts is not None:
        numbers = np.maximum(counts[rows], 1)
    low, high = int(numbers.min()), int(numbers.max())
    values = np.full(len(layout.words), np.nan)
    texts = [""] * len(layout.words)
    values[places] = scale_to_unit(np.log(numbers) if counts is not None else -np.log(numbers))
    for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
        texts[place] = str(number)
    if counts is None:
        return graded_shading(tr("Rank (log scale)"), values, count(high), count(low), texts)
    return graded_shading(tr("Frequency (log scale)"), values, count(low), count(high), texts)
