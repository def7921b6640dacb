"""Floor of a loss: the minimum over all products w·c, for any fixed vectors, from the expected
counts under the run's own settings.

With A = #(w, c) expected under subsampling and the window's weighting, every pair is at its own
minimum at the same time, which vectors can reach with as many dimensions as words:

    negative sampling   Σ [ A log(1 + B/A) + B log(1 + A/B) ] / Σ A,   B = k·#(w)·P_n(c)
                        the objective at x* = log A − log B                 (LG14, section 3.1)
    entropy             Σ A log( #(w)/A ) / Σ A = Σ_w #(w)·H(P_w) / Σ_w #(w)
                        the cross-entropy of Q_w = P_w           (M13b, eq. 2; P14, eq. 12 and 13)
    cells               Σ min_x [ ½ f (x − M)² + λ|x| ] / visited cells
                        since ‖w‖² + ‖c‖² is at least 2 |w·c|; 0 without λ
    zero                0: squared errors can all be 0, and log(1 + eˣ) comes arbitrarily close

Unobserved pairs contribute 0: their products may fall without bound.

The minimum is that of fixed vectors. "cells" with λ is only a lower bound, because each cell has
vectors of its own there, and drawn zero cells pay no penalty. The objective of a result can only be
below the floor by its sampling error (see ``models/tally.py``). The mean over the last epoch can be
further below: it is taken while learning, before each step, and vectors that adapt to what they
have just read predict a text that repeats itself better than any fixed vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.memory import free_memory
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.chunked_ops import sums
from workbench.counts.context_kinds import WORDS
from workbench.counts.cooccurrence import expected_cells
from workbench.counts.count_tables import effective_table
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.sampling import noise_distribution
from workbench.models.base import Model
from workbench.models.count.factorisation_base import counting_seconds
from workbench.models.params import ModelParams, glove_weight

# Cells per call of a kernel: some ten milliseconds.
_CELLS = 1 << 18
# Bytes of a cell while the table grows, and the share of free memory that the table may take.
_CELL_BYTES, _MEMORY_SHARE = 24, 0.25
# Seconds that counting may take during any training, and the share of a longer one.
_SECONDS, _SHARE = 2.0, 0.1


@dataclass(frozen=True)
class FloorCost:
    """Expected cost of a floor on one thread. ``affordable`` : whether a training may compute it by
    default: its table fits into a quarter of the free memory, and counting takes at most 2 s or a
    tenth of the training.
    """

    seconds: float
    affordable: bool


def floor_cost(corpus: Corpus, kind: type[Model], params: ModelParams) -> FloorCost:
    """Cost of :func:`loss_floor`; estimating it takes milliseconds. Raises UserError for an empty
    vocabulary.
    """
    if not _needs_counts(kind, params):
        return FloorCost(0.0, True)
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    settings = PairCountSettings.of(params.to_dict())
    if isinstance(corpus, CountedCorpus):
        cells = float(corpus.shards.nnz)
        seconds = cells * 6e-8
    else:
        cells = expected_cells(vocabulary, 2 * settings.window)
        seconds = counting_seconds(corpus, vocabulary, settings.window, settings.sample > 0)
    training = kind(params).estimate(corpus).seconds or 0.0
    fits = _CELL_BYTES * cells <= _MEMORY_SHARE * free_memory()
    return FloorCost(seconds, fits and seconds <= max(_SECONDS, _SHARE * training))


def loss_floor(
    corpus: Corpus, kind: type[Model], params: ModelParams, run: JobControl | None = None
) -> float:
    """Floor of the loss that an algorithm with these parameters shows on this corpus, in its unit.

    Raises ValueError if the algorithm declares no floor, UserError for an empty vocabulary or
    counts made with other settings, and Cancelled.
    """
    if not kind.loss_floor.formula:
        raise ValueError(f"{kind.key} has no floor")
    if not _needs_counts(kind, params):
        return 0.0
    run = run or JobControl()
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    values = params.to_dict()
    if values.get("contexts", WORDS) != WORDS:
        raise UserError(
            tr("The floor is computed only for words as contexts."),
            tr("Train with words as contexts to compare the loss with its floor."),
        )
    counts = effective_table(corpus, vocabulary, PairCountSettings.of(values), run, threads=1)
    return FORMULAS[kind.loss_floor.formula](counts, vocabulary, values, run)


def is_bound(kind: type[Model], params: ModelParams) -> bool:
    """Whether the floor is only a lower bound, which vectors can't reach."""
    return kind.loss_floor.formula == "cells" and getattr(params, "l2", 0.0) != 0


def _needs_counts(kind: type[Model], params: ModelParams) -> bool:
    formula = kind.loss_floor.formula
    return formula not in ("", "zero", "cells") or is_bound(kind, params)


def negative_sampling_floor(
    counts: sp.csr_matrix, vocabulary: Vocabulary, values: Mapping[str, Any], run: JobControl
) -> float:
    """Floor per pair, in nats. values : parameters by name, with ``negative`` and
    ``ns_exponent``.
    """
    rows, _ = sums(counts)
    noise = noise_distribution(vocabulary.counts, float(values["ns_exponent"]))
    expected = float(values["negative"]) * rows

    arrays = _arrays(counts)

    def part(first: int, last: int) -> Any:
        return _negative_sampling(first, last, *arrays, expected, noise)

    return _ratio(counts, part, run)


def entropy_floor(
    counts: sp.csr_matrix, vocabulary: Vocabulary, values: Mapping[str, Any], run: JobControl
) -> float:
    """Conditional entropy of contexts given the word, per pair, in nats."""
    rows, _ = sums(counts)
    arrays = _arrays(counts)

    def part(first: int, last: int) -> Any:
        return _entropy(first, last, *arrays, rows)

    return _ratio(counts, part, run)


def cells_floor(
    counts: sp.csr_matrix, vocabulary: Vocabulary, values: Mapping[str, Any], run: JobControl
) -> float:
    """Floor per visited cell of a stochastic factorisation with L2 (``models/count/smf.py``): each
    cell above 0 at its own minimum, each drawn zero cell at 0.
    """
    if not counts.nnz:
        return 0.0
    rows, columns = sums(counts)
    smoothed = columns ** float(values["context_smoothing"])
    chance = float(values["shift"]) * smoothed / smoothed.sum()
    drawn = noise_distribution(vocabulary.counts, float(values["ns_exponent"]))
    total, visited = 0.0, 0.0
    for row in range(counts.shape[0]):
        if row % 256 == 0:
            run.check()
        here = slice(int(counts.indptr[row]), int(counts.indptr[row + 1]))
        met, contexts = counts.data[here], counts.indices[here]
        targets = np.log(met) - np.log(rows[row] * chance[contexts])
        above = targets > 0
        met, contexts, targets = met[above], contexts[above], targets[above]
        weights = np.ones(len(met))
        if values["weighting"] == "glove":
            weights = glove_weight(met, float(values["x_max"]), float(values["alpha"]))
        total += float(cell_minimum(weights, targets, float(values["l2"])).sum())
        # Draws that hit a cell above 0 are dropped.
        dropped = float(drawn[contexts].sum())
        visited += len(met) * (1 + int(values["negative"]) * (1 - dropped))
    if not visited:
        return 0.0
    return total / visited


def cell_minimum(weights: Doubles, targets: Doubles, l2: float) -> Doubles:
    """min over x of ½ f (x − M)² + λ|x| for M >= 0: x = max(M − λ/f, 0)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shrunk = l2 * targets - 0.5 * l2 * l2 / weights
    return np.asarray(np.where(weights * targets > l2, shrunk, 0.5 * weights * targets**2))


Formula = Callable[[sp.csr_matrix, Vocabulary, Mapping[str, Any], JobControl], float]
FORMULAS: Mapping[str, Formula] = {
    "negative sampling": negative_sampling_floor,
    "entropy": entropy_floor,
    "cells": cells_floor,
    "zero": lambda *_: 0.0,
}

# Formulas of floors, with A = #(w, c) expected under the run's settings.
TITLES: Mapping[str, str] = {
    "negative sampling": "Σ [A log(1 + B/A) + B log(1 + A/B)] / Σ A, B = k·#(w)·Pₙ(c)",
    "entropy": "Σ A log(#(w)/A) / Σ A, the entropy of contexts, given the word",
    "cells": "each visited cell at the minimum of ½ f (x − M)² + λ|x|; 0 without L2",
    "zero": "0",
}


def _arrays(counts: sp.csr_matrix) -> tuple[Ints, Ids, Doubles]:
    return (
        counts.indptr.astype(np.int64, copy=False),
        counts.indices.astype(np.int32, copy=False),
        counts.data,
    )


def _ratio(counts: sp.csr_matrix, part: Callable[[int, int], Any], run: JobControl) -> float:
    """Sum of a kernel's losses over that of its pairs, some rows at a time; 0 without pairs."""
    marks = np.arange(_CELLS, counts.nnz + _CELLS, _CELLS)
    edges = np.unique(np.append(0, np.searchsorted(counts.indptr, marks, side="left")))
    edges = np.unique(np.minimum(edges, counts.shape[0]))
    totals = np.zeros(2)
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        run.check()
        totals += part(first, last)
    if not totals[1]:
        return 0.0
    return float(totals[0] / totals[1])


@kernel
def _negative_sampling(
    first: int,
    last: int,
    starts: Ints,
    columns: Ids,
    values: Doubles,
    expected: Doubles,
    noise: Doubles,
) -> Doubles:
    """float64[2]: Σ A log(1 + B/A) + B log(1 + A/B) over some rows, and Σ A.

    expected : float64[V], k·#(w); noise : float64[V], P_n
    """
    totals = np.zeros(2)
    for row in range(first, last):
        for at in range(starts[row], starts[row + 1]):
            a, b = values[at], expected[row] * noise[columns[at]]
            if a > 0.0:
                totals[1] += a
                if b > 0.0:
                    totals[0] += a * np.log1p(b / a) + b * np.log1p(a / b)
    return totals


@kernel
def _entropy(
    first: int, last: int, starts: Ints, columns: Ids, values: Doubles, rows: Doubles
) -> Doubles:
    """float64[2]: Σ A log(#(w)/A) over some rows, and Σ A."""
    totals = np.zeros(2)
    for row in range(first, last):
        for at in range(starts[row], starts[row + 1]):
            a = values[at]
            if a > 0.0:
                totals[0] += a * np.log(rows[row] / a)
                totals[1] += a
    return totals


def warm() -> None:
    """Compile the kernels, or load them from the cache."""
    counts = sp.csr_matrix(np.ones((2, 2)))
    ones = np.ones(2)
    _negative_sampling(0, 2, *_arrays(counts), ones, ones)
    _entropy(0, 2, *_arrays(counts), ones)
