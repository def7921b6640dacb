"""What is expected of a row before its counts are known: the vectors of words of like frequency."""

from __future__ import annotations

import numpy as np

from workbench.analysis.rows.build import CONTEXTS, WORDS, free_biases
from workbench.analysis.rows.newton import Prior
from workbench.analysis.rows.still_model import StillModel
from workbench.core.arrays import Doubles, Ints

# Number of words of like frequency whose mean and variance are the prior's.
_ALIKE = 200
# Share of the inverse variance: at one line, the whole of it would leave a word among those that
# are near the mean. Measured on Small World (tests/benchmarks/teach.py).
_PULL = 0.3
_LEAST = 1e-12


def like_frequency(still: StillModel, occurrences: float, without: int | None = None) -> Ints:
    """int64[n], the words whose frequency is nearest to ``occurrences`` in ratio, without one."""
    apart = np.abs(np.log(np.maximum(still.counts, 1)) - np.log(max(occurrences, 1.0)))
    if without is not None:
        apart[without] = np.inf
    number = min(_ALIKE, len(apart) - (without is not None))
    return np.argsort(apart, kind="stable")[:number].astype(np.int64)


def row_prior(
    still: StillModel, side: str, occurrences: float, without: int | None = None
) -> Prior:
    """Mean of a side's rows of words of like frequency, and a share of the inverse of their mean
    variance in any direction (a bias has its own).
    """
    alike = like_frequency(still, occurrences, without)
    rows = _side_rows(still, side)[alike]
    mean = rows.mean(axis=0)
    variance = np.full(rows.shape[1], float(rows.var(axis=0).mean()))
    if free_biases(still):
        biases = still.embeddings.biases if side == WORDS else still.embeddings.context_biases
        assert biases is not None
        own = biases[alike].astype(np.float64)
        mean, variance = np.append(mean, own.mean()), np.append(variance, own.var())
    return Prior(mean, np.diag(_PULL / np.maximum(variance, _LEAST)))


def _side_rows(still: StillModel, side: str) -> Doubles:
    assert side in (WORDS, CONTEXTS)
    return still.words if side == WORDS else still.contexts
