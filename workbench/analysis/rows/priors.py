"""What is expected of a row: the vector that its contexts’ mean maps to, as words of like frequency
vary.
"""

from __future__ import annotations

import numpy as np

from workbench.analysis.rows.build import Row, free_biases
from workbench.analysis.rows.newton import Prior
from workbench.analysis.rows.still_model import CONTEXTS, WORDS, StillModel
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


def row_prior(still: StillModel, row: Row, without: int | None = None) -> Prior:
    """The vector that fits the mean of the row's contexts (:mod:`.mean_maps`), and a share of the
    inverse of the mean variance of words of like frequency in any direction (a bias has its own).

    With x = Σ_c #(w, c) w_c / #(w), a known word's row is normal about x A, so the mean is x A.
    Without the corpus, A is unknown, and the mean is that of words of like frequency. The variance
    is theirs, too: that of the residuals is smaller, but it holds for the means of frequent words,
    which have less noise. The counts are in x and in the objective, so few lines look more certain
    than they are.

    without : the row of the word itself, which isn't one of the others
    """
    alike = like_frequency(still, row.occurrences, without)
    rows = _side_rows(still, row.side)
    mean = rows[alike].mean(axis=0)
    variance = np.full(rows.shape[1], float(rows[alike].var(axis=0).mean()))
    known = still.mean_map(row.side)
    if known is not None and row.total:
        mean = row.counts @ rows / row.total @ known
    if free_biases(still):
        biases = still.embeddings.biases if row.side == WORDS else still.embeddings.context_biases
        assert biases is not None
        own = biases[alike].astype(np.float64)
        mean, variance = np.append(mean, own.mean()), np.append(variance, own.var())
    return Prior(mean, np.diag(_PULL / np.maximum(variance, _LEAST)))


def _side_rows(still: StillModel, side: str) -> Doubles:
    assert side in (WORDS, CONTEXTS)
    return still.words if side == WORDS else still.contexts
