"""Expected counts under subsampling, and the matrix that negative sampling factorises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts import cache
from workbench.counts.chunked_ops import spread
from workbench.counts.cooccurrence import cooccurrence, window_weights
from workbench.counts.cooccurrence_kernel import (
    Block,
    Cells,
    Scanner,
    Work,
    add_pairs,
    begin_row,
    finish_row,
)
from workbench.counts.sampling import keep_probabilities, noise_distribution

_NEGLIGIBLE = 1e-15  # pairs with a lower probability of being within the window are left out
_MARGIN = 100_000  # kept tokens read beyond a block's border; those farther away are negligible


class WindowSettings(Protocol):
    """Settings for counting pairs, under the names of algorithms' parameters and panels'
    requests.
    """

    @property
    def window(self) -> int: ...

    @property
    def window_weighting(self) -> str: ...

    @property
    def sample(self) -> float: ...

    @property
    def sample_formula(self) -> str: ...


@dataclass(frozen=True)
class SampledWindow:
    """``WindowSettings`` with the defaults of word2vec.c."""

    window: int = 5
    window_weighting: str = "dynamic"
    sample: float = 1e-3
    sample_formula: str = "word2vec"


def effective_counts(
    corpus: Corpus,
    vocabulary: Vocabulary,
    settings: WindowSettings,
    run: JobControl | None = None,
    *,
    threads: int = 0,
    words: npt.NDArray[np.int64] | None = None,
    keep: Doubles | None = None,
) -> sp.csr_matrix:
    """#(w, c) as in negative sampling, in expectation over subsampling and the window.

    Gaps of dropped tokens close, so that words farther apart than the window co-occur:

        #(w, c) = Σ_{i≠j} keep_i · keep_j · Σ_m q_m · weight(m + 1)

    over positions i of w and j of c in one sentence, where q_m is the probability that m of the
    tokens strictly between them are kept. From each i, the distribution q is updated outwards token
    by token until the probability of fewer than ``window`` kept tokens in between is below 1e-15.
    Trainers cut sentences after 1,000 kept tokens; the pairs lost there (about window/1,000 of all)
    are ignored.

    words : requested rows, ids below V; all others stay empty (much faster for a few rare words).
    None: all
    keep : float64[V], the probability that a token of each word is kept, only with ``words``; None:
    from the frequencies of ``vocabulary``

    Returns CSR float64[V, V], columns sorted, both directions; with ``sample`` 0 the same as
    ``cooccurrence``. Cached with a corpus on disk. Enters phase COUNTING. Raises UserError for an
    invalid window or weighting, and Cancelled.
    """
    size = len(vocabulary)
    window, weighting = settings.window, settings.window_weighting
    sample, sample_formula = settings.sample, settings.sample_formula
    if keep is None or words is None:
        keep = keep_probabilities(vocabulary.counts, sample, sample_formula)
    if words is None and bool(np.all(keep == 1.0)):
        return cooccurrence(corpus, vocabulary, window, weighting, True, threads, run)
    whole, divisor = window_weights(window, weighting)
    # Reversed, like the array of the distribution of m: its last element is m = 0.
    weights = (whole / divisor)[::-1].copy()
    run = run or JobControl()
    run.enter(Phase.COUNTING, tr("Computing expected counts"))

    def scan(block: Block, before: Cells, work: Work, last: int, budget: int) -> None:
        _scan(block, before, work, last, budget, weights, keep)

    def count() -> sp.csr_matrix:
        rows = None
        if words is not None:
            rows = np.zeros(size, dtype=np.bool_)
            rows[words] = True
        # Each scan ends after a little more than ``window`` kept tokens.
        share = float(keep @ vocabulary.counts) / max(vocabulary.tokens, 1)
        reach = 4.0 * (window + 8) / max(share, 1e-3)
        budget = max(1, int(2_500_000 / (reach * (1 + window / 8))))
        scanner = Scanner(scan, _MARGIN, budget)
        return add_pairs(corpus, size, scanner, threads=threads, run=run, rows=rows)

    if words is not None:
        return count()
    key = ("effective", size, window, weighting, sample, sample_formula)
    return cache.load_or_count(corpus, key, count, run)


def target(
    effective: sp.csr_matrix, vocabulary: Vocabulary, negative: int, ns_exponent: float
) -> sp.csr_matrix:
    """x*(w, c) = log #(w, c) − log(k · #(w) · P_n(c)), the optimum of SGNS (LG14).

    effective : float64[V, V] from ``effective_counts``; #(w) is the sum of a row
    negative : k
    ns_exponent : α of P_n(c) = n(c)^α / Σ n^α, from raw frequencies

    Returns CSR float64[V, V] with the cells of ``effective``, in nats; cells that are not stored
    are −∞. A stored 0 is a value.
    """
    noise = noise_distribution(vocabulary.counts, ns_exponent)
    with np.errstate(divide="ignore"):
        offset = -np.log(float(negative) * noise)
        totals = np.log(np.asarray(effective.sum(axis=1)).ravel())
    values = np.log(effective.data)
    values += offset[effective.indices]
    values -= spread(totals, effective.indptr)
    result = sp.csr_matrix((values, effective.indices, effective.indptr), shape=effective.shape)
    result.has_sorted_indices = True
    return result


@kernel
def _reach(
    tokens: npt.NDArray[np.int32],
    at: int,
    step: int,
    weights: Doubles,
    keep: Doubles,
    share: float,
    between: Doubles,
    sums: Doubles,
    touched: npt.NDArray[np.int32],
    seen: int,
) -> int:
    """Add the words on one side of ``at``; ``between`` is scratch for q, float64[L]."""
    window = weights.size
    end_of_sentence = sums.size
    between[:] = 0.0
    between[window - 1] = 1.0
    inside = 1.0
    while inside >= _NEGLIGIBLE:
        at += step
        column = np.uint32(tokens[at])
        if column == end_of_sentence:
            break
        kept = keep[column]
        dropped = 1.0 - kept
        weight = 0.0
        inside = 0.0
        for m in range(window - 1):
            weight += between[m] * weights[m]
            between[m] = between[m] * dropped + between[m + 1] * kept
            inside += between[m]
        weight += between[window - 1] * weights[window - 1]
        between[window - 1] *= dropped
        inside += between[window - 1]
        amount = share * kept * weight
        if amount > 0.0:
            touched[seen] = column
            seen += sums[column] == 0.0
            sums[column] += amount
    return seen


@kernel
def _scan(
    block: Block, before: Cells, work: Work, last: int, budget: int, weights: Doubles, keep: Doubles
) -> None:
    positions, starts, state = block.positions, block.starts, work.state
    between = np.zeros(weights.size)
    row, place, seen = state[0], state[1], state[3]
    while row < last:
        if place == starts[row]:
            if work.columns.size - state[2] < work.sums.size:
                break
            seen = begin_row(row, before, work)
        stop = min(starts[row + 1], place + budget)
        budget -= stop - place + 1
        for at in positions[place:stop]:
            for step in (1, -1):
                seen = _reach(
                    block.tokens,
                    at,
                    step,
                    weights,
                    keep,
                    keep[row],
                    between,
                    work.sums,
                    work.touched,
                    seen,
                )
        place = stop
        if place < starts[row + 1]:
            break
        finish_row(row, seen, work)
        row += 1
        seen = 0
        if budget <= 0:
            break
    state[0], state[1], state[3] = row, place, seen
