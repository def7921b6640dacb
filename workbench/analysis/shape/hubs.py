"""Hubs: words that are among the nearest neighbours of very many others (Radovanović, Nanopoulos &
Ivanović 2010, Hubs in Space, section 2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.shape.directions import unit_length
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.core.language import tr

_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class Hubs:
    """k-occurrences of n words.

    occurrences : int64[n], the number N_k of words that have this one among their k nearest
    skewness : third standardised moment of N_k; 0 without hubs, NaN if all N_k are equal
    largest : the largest N_k
    never : share of words that are nobody's neighbour
    """

    occurrences: Ints
    skewness: float
    largest: int
    never: float


def find_hubs(vectors: Doubles, k: int, run: JobControl | None = None) -> Hubs:
    """Count for float64[n, d] vectors, by cosine, how often each is among the k nearest of another.
    Of equal cosines at the border, any may count. k is at most n − 1. Raises Cancelled.
    """
    unit = unit_length(vectors).astype(np.float32)
    size = len(unit)
    k = min(k, size - 1)
    counts = np.zeros(size, dtype=np.int64)
    for begin in range(0, size if k > 0 else 0, _AT_ONCE):
        if run is not None:
            run.check()
            run.advance(begin / size, tr("Searching neighbours"))
        cosines = unit[begin : begin + _AT_ONCE] @ unit.T
        rows = np.arange(len(cosines))
        cosines[rows, begin + rows] = -np.inf
        nearest = np.argpartition(-cosines, k - 1, axis=1)[:, :k]
        counts += np.bincount(nearest.ravel(), minlength=size)
    centred = counts - counts.mean()
    spread = float(counts.std())
    skewness = float((centred**3).mean()) / spread**3 if spread else math.nan
    return Hubs(counts, skewness, int(counts.max(initial=0)), float((counts == 0).mean()))
