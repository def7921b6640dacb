"""The ceiling of a fit to PMI: how well the PMI of one half of the text predicts that of the other.

PMI of counts is noisy, so not even the true PMI would fit the PMI of a text perfectly. For pairs
that both halves contain, with the PMI t₁ and t₂ there and t in the whole text, the variance of the
noise of t is about a quarter of that of t₁ − t₂, because each half has twice the noise variance of
the whole, and their noise is independent. So R² of a model can reach about

    1 − ¼ Σ f (t₁ − t₂ − m)² / Σ f (t − t̄)²,   m = Σ f (t₁ − t₂) / Σ f

with the weights f of the fit. A model above the ceiling fits the noise of this text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.evaluation.bootstrap import Interval
from workbench.analysis.resampling.intervals import quantile_interval
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase, Portion
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import with_short_sentences
from workbench.counts.association import associate
from workbench.counts.weighted_counts import WeightedCounter

# The weight of each observed pair in a fit: from rows, columns (int64[n]) and counts (float64[n]).
Weights = Callable[[Ints, Ints, Doubles], Doubles]


@dataclass(frozen=True)
class HalfAgreement:
    """PMI of one half of the text against that of the other, over pairs that both contain.

    pairs : their number; of_pairs : number of pairs in the whole text
    pearson : weighted correlation of the halves
    ceiling : R² that a model of the whole text can reach, at most 1; 0 if noise is all there is
    deviation : weighted standard deviation of the PMI of the whole text, in nats
    """

    pairs: int
    of_pairs: int
    pearson: float
    ceiling: float
    deviation: float


@dataclass(frozen=True, eq=False)
class SplitHalf:
    """lines : odd lines against even lines; ceilings : 95 % interval over random halves, NaN
    without any
    """

    lines: HalfAgreement
    ceilings: Interval


def split_half(
    corpus: Corpus,
    size: int,
    window: int = 5,
    weighting: str = "dynamic",
    context_smoothing: float = 1.0,
    weights: Weights | None = None,
    splits: int = 10,
    seed: int = 1,
    run: JobControl | None = None,
) -> SplitHalf:
    """The ceiling of a fit to PMI for the ``size`` most frequent words.

    weights : of the fit; None: the count of each pair in the whole text
    splits : number of further, random halves of the sentences

    Raises UserError for a text of one sentence or without pairs in both halves, and Cancelled.
    """
    run = run or JobControl()
    corpus = with_short_sentences(corpus)
    number = len(corpus.sentences) - 1
    if number < 2:
        raise UserError(
            tr("{corpus} is only one sentence, so it has no halves.", corpus=corpus.name),
            tr("Open more text."),
        )
    run.enter(Phase.COUNTING, tr("Comparing the halves of the text"))
    counter = WeightedCounter(corpus, size, np.arange(number), window, weighting, run=run)
    counts = counter.counts(np.ones(number), run)
    whole = _Cells.of(counts, context_smoothing)
    draw = np.random.default_rng(seed)
    first = np.arange(number) % 2 == 0
    found = []
    for at in range(splits + 1):
        part = Portion(run, at / (splits + 1), 1 / (splits + 1))
        half = counter.counts(first.astype(np.float64), part)
        halves = [
            _Cells.of(side, context_smoothing) for side in (half, _other_half(counts, half, window))
        ]
        found.append(_compare(whole, halves, weights))
        first = np.zeros(number, dtype=np.bool_)
        first[draw.permutation(number)[: number // 2]] = True
    if not found[0].pairs:
        raise UserError(
            tr("No pair of words is in both halves of {corpus}.", corpus=corpus.name),
            tr("Open more text."),
        )
    ceilings = np.array([one.ceiling for one in found[1:]])
    return SplitHalf(found[0], quantile_interval(ceilings))


def _other_half(whole: sp.csr_matrix, half: sp.csr_matrix, window: int) -> sp.csr_matrix:
    """The counts of all other sentences. A pair counts at least 1 / ``window``, so less is an error
    of rounding.
    """
    rest = sp.csr_matrix(whole - half)
    rest.data[rest.data < 0.5 / window] = 0.0
    rest.eliminate_zeros()
    return rest


@dataclass(frozen=True, eq=False)
class _Cells:
    """Observed pairs of V words. numbers : int64[n], ascending, row · V + column; pmi, counts :
    float64[n]
    """

    size: int
    numbers: Ints
    pmi: Doubles
    counts: Doubles

    @classmethod
    def of(cls, counts: sp.csr_matrix, context_smoothing: float) -> _Cells:
        size = counts.shape[0]
        rows = np.repeat(np.arange(size, dtype=np.int64), np.diff(counts.indptr))
        # A stored 0 means independence, so the pairs of the PMI are those of the counts.
        pmi = associate(counts, "pmi", 1.0, context_smoothing)
        return cls(size, rows * size + counts.indices, pmi.data, counts.data)


def _compare(whole: _Cells, halves: list[_Cells], weights: Weights | None) -> HalfAgreement:
    first, second = halves
    at = np.minimum(np.searchsorted(second.numbers, first.numbers), len(second.numbers) - 1)
    both = second.numbers[at] == first.numbers if len(second.numbers) else at < 0
    shared = first.numbers[both]
    if not len(shared):
        return HalfAgreement(0, len(whole.numbers), math.nan, math.nan, math.nan)
    place = np.searchsorted(whole.numbers, shared)
    t, seen, t1, t2 = whole.pmi[place], whole.counts[place], first.pmi[both], second.pmi[at[both]]
    f = seen if weights is None else weights(*np.divmod(shared, whole.size), seen)
    noise = _variance(t1 - t2, f) / 4
    variance = _variance(t, f)
    ceiling = float(np.clip(1 - noise / variance, 0.0, 1.0)) if variance > 0 else math.nan
    pearson, deviation = _pearson(t1, t2, f), math.sqrt(max(variance, 0.0))
    return HalfAgreement(len(shared), len(whole.numbers), pearson, ceiling, deviation)


def _variance(values: Doubles, f: Doubles) -> float:
    if not f.sum() > 0:
        return math.nan
    return float(np.average((values - np.average(values, weights=f)) ** 2, weights=f))


def _pearson(x: Doubles, y: Doubles, f: Doubles) -> float:
    if not f.sum() > 0:
        return math.nan
    lengths = math.sqrt(_variance(x, f) * _variance(y, f))
    mean = np.average(x, weights=f) * np.average(y, weights=f)
    return float((np.average(x * y, weights=f) - mean) / lengths) if lengths > 0 else math.nan
