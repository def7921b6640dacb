"""Contiguous row ranges with a bounded number of cells each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ints

# Bytes of a cell while ranges are counted or added up: two sums and their result.
CELL_BYTES = 48


def row_cells(counts: npt.NDArray[np.number], tokens: float, neighbours: float) -> Doubles:
    """Expected cells in every row if tokens were placed at random: Σ_c 1 −
    exp(−neighbours·n(w)·n(c)/N), float64[V].

    Like ``cooccurrence.expected_cells``, by row. Text repeats itself, so this is usually too high.
    """
    counts = np.asarray(counts, dtype=np.float64)
    groups = np.floor(16 * np.log(np.maximum(counts, 1.0)))
    _, inverse, words = np.unique(groups, return_inverse=True, return_counts=True)
    mean = np.bincount(inverse, weights=counts) / words
    met = -np.expm1(-neighbours * np.outer(mean, mean) / max(tokens, 1.0)) @ words
    found: Doubles = np.minimum(met[inverse], neighbours * counts)
    return found


def ranges_of(cells: Doubles, most: float) -> Ints:
    """Bounds int64[R + 1] of ranges of at most ``most`` expected cells, unless a single row has
    more.
    """
    before = np.concatenate(([0.0], np.cumsum(cells)))
    bounds = [0]
    while bounds[-1] < len(cells):
        low = bounds[-1]
        high = int(np.searchsorted(before, before[low] + most, side="right")) - 1
        bounds.append(max(high, low + 1))
    return np.array(bounds, dtype=np.int64)
