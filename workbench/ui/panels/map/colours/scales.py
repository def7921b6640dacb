"""What several colour modes need of the words of a layout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ints
from workbench.ui.panels.map.layout import MapLayout


def scale_to_unit(values: Doubles) -> Doubles:
    """0..1 from the lowest to the highest; NaN stays, equal values are in the middle."""
    known: Sequence[bool] | npt.NDArray[np.bool_] = np.isfinite(values)
    if not np.any(known):
        return values
    low, high = float(values[known].min()), float(values[known].max())
    return np.asarray((values - low) / (high - low) if high > low else np.where(known, 0.5, np.nan))


def known_words(layout: MapLayout) -> tuple[Ints, Ints]:
    """The words of the map that the model (of two, the first) contains: positions on the map, and
    rows of the model.
    """
    index = layout.request.embeddings.index
    pairs = [(place, index[word]) for place, word in enumerate(layout.words) if word in index]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]
