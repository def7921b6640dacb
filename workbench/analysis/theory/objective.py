"""The global objective of skip-gram with a normalised output, and its floor (P14, eq. 12 and
13).

    Σ_i X_i · H(P_i, Q_i)   and   Σ_i X_i · H(P_i)

P_i is the distribution of observed contexts of word i, Q_i the model's. The first is never below
the second; their difference is Σ_i X_i · KL(P_i ‖ Q_i).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.pair_scores import PairScores
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.counts.chunked_ops import spread

_CELLS = 1 << 19


@dataclass(frozen=True)
class PairObjective:
    """Nats per pair: ``cross`` H(P, Q) and ``floor`` H(P), both weighted by X_i; ``even`` is log V,
    for a uniform Q.
    """

    cross: float
    floor: float
    even: float
    pairs: float


def objective(
    pairs: PairCounts, scores: PairScores, run: JobControl | None = None
) -> PairObjective:
    """The exact objective over all words: ``pairs`` must contain the whole vocabulary, and
    ``scores`` be log Q(c|w).

    Raises UserError if they don't, and Cancelled.
    """
    size = len(pairs.words)
    if size != len(pairs.row_sums):
        raise UserError(tr("The sum needs all words of the vocabulary."), tr("Include all words."))
    run = run or JobControl()
    run.enter(Phase.COUNTING, tr("Summing over all words"))
    data, indptr, indices = pairs.cells.data, pairs.cells.indptr, pairs.cells.indices
    floor = float(data @ (np.log(spread(pairs.row_sums[pairs.ids], indptr)) - np.log(data)))
    cross, step = 0.0, max(1, _CELLS // size)
    rows = pairs.rows
    for first in range(0, size, step):
        run.check()
        run.advance(first / size)
        places = np.arange(first, min(first + step, size))
        cells = slice(int(indptr[first]), int(indptr[places[-1] + 1]))
        block = scores.block(places)
        cross -= float(data[cells] @ block[rows[cells] - first, indices[cells]])
    total = pairs.total
    return PairObjective(cross / total, floor / total, float(np.log(size)), total)
