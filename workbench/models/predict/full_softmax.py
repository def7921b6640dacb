"""Parameters and functions shared by trainers with an exact softmax over the vocabulary."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles

# Cells of a table of scores computed at a time: some 30 ms with 100 dimensions, and about the size
# of a cache.
TILE_CELLS = 1 << 21
# Measured floating-point operations per second of one thread, including exponentials.
SPEED = 3e10


def exponentiate(scores: Singles) -> tuple[npt.NDArray[np.float64], Singles]:
    """Turn rows of scores s into exp(s − max s), in place.

    scores : float32[b, V]
    Returns log Σ exp s, float64[b], and the sums of the new rows, float32[b, 1].
    """
    largest = scores.max(axis=1, keepdims=True)
    scores -= largest
    np.exp(scores, out=scores)
    sums = scores.sum(axis=1, keepdims=True)
    return largest.ravel() + np.log(sums.ravel().astype(np.float64)), sums
