"""Random words of like frequency in place of target words: what a test shows without meaning."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.weat import effect_size
from workbench.core.arrays import Doubles, Places
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.row_order import ALPHABETICAL, order_of

SETS, SEED = 200, 1
# A word of like frequency occurs at most this many times as often or as rarely; if fewer words do,
# this many with the nearest frequencies are used.
_FACTOR, _FEWEST = 2.0, 20


@dataclass(frozen=True)
class ControlEffects:
    """Effect sizes of random sets.

    mean, low, high : mean and 2.5th and 97.5th percentile; NaN without random words
    beyond : share of the sets whose effect is at least as far from 0 as that of the test
    sets : number of random sets
    """

    mean: float
    low: float
    high: float
    beyond: float
    sets: int


NO_CONTROLS = ControlEffects(math.nan, math.nan, math.nan, math.nan, 0)


def draw_controls(
    embeddings: Embeddings,
    targets: Places,
    excluded: Places,
    sets: int = SETS,
    seed: int = SEED,
) -> Places:
    """intp[sets, len(targets)], for each target random words of like frequency with vectors that
    aren't ``excluded``; no columns if there are too few words. The same for the same ``seed``.

    Without counts, the order of the rows stands for frequency; in alphabetical order, any word.
    """
    usable = np.array(embeddings.has_vector)
    usable[excluded] = False
    rows = np.flatnonzero(usable)
    if len(rows) < _FEWEST:
        return np.empty((sets, 0), dtype=np.intp)
    frequency = _log_frequencies(embeddings)
    rows = rows[np.argsort(frequency[rows], kind="stable")]
    levels = frequency[rows]
    random = np.random.default_rng(seed)
    columns = []
    for level in frequency[targets].tolist():
        low = int(np.searchsorted(levels, level - math.log(_FACTOR), side="left"))
        high = int(np.searchsorted(levels, level + math.log(_FACTOR), side="right"))
        if high - low < _FEWEST:
            middle = int(np.searchsorted(levels, level))
            low = min(max(middle - _FEWEST // 2, 0), len(rows) - _FEWEST)
            high = low + _FEWEST
        columns.append(rows[random.integers(low, high, size=sets)])
    return np.stack(columns, axis=1)


def control_effects(values: Doubles, first: int, size: float) -> ControlEffects:
    """Effects of sets whose numbers are the rows of float64[sets, targets], the ``first`` columns
    against the others; ``size`` is the effect of the test. Rows with NaN are left out.
    """
    kept = values[np.isfinite(values).all(axis=1)] if values.size else values[:0]
    sizes = np.array([effect_size(row[:first], row[first:]) for row in kept])
    sizes = sizes[np.isfinite(sizes)]
    if not len(sizes):
        return NO_CONTROLS
    low, high = np.percentile(sizes, (2.5, 97.5))
    beyond = math.nan
    if math.isfinite(size):
        beyond = float(np.mean(np.abs(sizes) >= abs(size)))
    return ControlEffects(float(sizes.mean()), float(low), float(high), beyond, len(sizes))


def _log_frequencies(embeddings: Embeddings) -> Doubles:
    """float64[V], logarithms of frequencies, or of what stands for them."""
    if embeddings.counts is not None:
        return np.asarray(np.log(np.maximum(embeddings.counts, 1)), dtype=np.float64)
    if order_of(embeddings) == ALPHABETICAL:
        return np.zeros(len(embeddings))
    # Zipf: frequencies are about inversely proportional to ranks.
    return np.asarray(-np.log(np.arange(1.0, len(embeddings) + 1)))
