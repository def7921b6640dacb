"""Fit of a model to a target: over observed pairs, by their count, and over unobserved pairs.

With target t, score m and weight f of a pair,

    R² = 1 − Σ f (m − t)² / Σ f (t − t̄)²,   t̄ = Σ f t / Σ f

is 1 where m = t, and below 0 if the model does worse than the mean of the target: unlike a
correlation it sees a missing log k. The slope is that of the weighted least squares line of m on t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.targets import TargetSettings, target_values, weight_values
from workbench.core.arrays import Doubles, Ints
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.models.base import TheoryTarget

# Boundaries of the bands, in counts of a pair, and in occurrences of its rarer word.
BANDS = {"pair": (1.0, 10.0, 100.0, 1000.0), "word": (20.0, 100.0, 1000.0, 10000.0)}
_CELLS = 1 << 19  # scores computed at a time
_LOOK = 64  # rows that determine the axes


@dataclass(frozen=True)
class Figures:
    """r2, slope : see above; mean_difference : Σ f (m − t) / Σ f; rms : √(Σ f (m − t)² / Σ f);
    nats.

    pearson : weighted correlation. NaN if all values are equal, or there are no pairs.
    """

    r2: float
    slope: float
    pearson: float
    mean_difference: float
    rms: float


@dataclass(frozen=True)
class Band:
    """Pairs observed at least ``low`` and fewer than ``high`` times. ``weight`` is their share of
    the total weight.
    """

    low: float
    high: float
    pairs: int
    weight: float
    weighted: Figures
    plain: Figures


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of a model to a target.

    pairs : number of observed pairs; weighted : with the algorithm's weights; plain : unweighted
    low, high : range of both axes of ``histogram``; values outside are in its border cells
    histogram : int64[b, b], observed pairs, first axis score, second target
    unseen : int64[b], scores of unobserved pairs on the axis of scores; unseen_mean,
    unseen_deviation of them
    targets, scores, rows, columns : [p], observed pairs drawn at random, the same ones for a seed
    """

    words: tuple[str, ...]
    pairs: int
    weighted: Figures
    plain: Figures
    bands: tuple[Band, ...]
    low: float
    high: float
    histogram: Ints
    unseen_pairs: int
    unseen: Ints
    unseen_mean: float
    unseen_deviation: float
    targets: Doubles
    scores: Doubles
    rows: Ints
    columns: Ints


@dataclass(frozen=True)
class FitOptions:
    """Options of a fit. by : "pair" or "word", see BANDS; bins : number per axis; sample : number
    of individual pairs that are kept, drawn with ``seed``
    span : range of both axes; None: whole nats around nearly all targets and scores
    """

    by: str = "pair"
    bins: int = 96
    sample: int = 2000
    seed: int = 0
    span: tuple[float, float] | None = None


def fit(
    pairs: PairCounts,
    setting: TargetSettings,
    key: str,
    own: TheoryTarget,
    scores: PairScores,
    options: FitOptions = FitOptions(),
    run: JobControl | None = None,
) -> Fit:
    """Fit over all pairs of the words, with exact sums in float64, a block of rows at a time.

    key : the target, which need not be the algorithm's ``own``

    Raises Cancelled.
    """
    run = run or JobControl()
    bins = options.bins
    run.enter(Phase.COUNTING, tr("Comparing all pairs with their targets"))
    target, weight = target_values(pairs, setting, key), weight_values(pairs, setting, own)
    size, indices, rows = len(pairs.words), pairs.cells.indices, pairs.rows
    low, high = options.span or axes(pairs, target, scores)
    borders = np.array(BANDS[options.by])
    frequency = pairs.counts[pairs.ids]
    measure = (
        pairs.cells.data
        if options.by == "pair"
        else np.minimum(frequency[rows], frequency[indices])
    )
    band = np.searchsorted(borders, measure, side="right")
    cells = _Cells(pairs.cells.indptr.astype(np.int64), indices, target, weight, band)
    order = np.random.default_rng(options.seed).permutation(pairs.cells.nnz)
    picked = np.sort(order[: options.sample])
    sums = _Sums.zeros(bins, len(borders) + 1, len(picked))
    axis = _Axis(low, bins / (high - low))
    step = max(1, _CELLS // size)
    done = 0
    for first in range(0, size, step):
        run.check()
        run.advance(first / size)
        block = scores.block(np.arange(first, min(first + step, size)))
        done = _add_block(np.ascontiguousarray(block), first, cells, axis, sums, picked, done)
    apart, squares = sums.others.tolist()
    many = size * size - pairs.cells.nnz
    mean = apart / many if many else float("nan")
    terms = sums.terms
    return Fit(
        words=pairs.words,
        pairs=pairs.cells.nnz,
        weighted=_fit_figures(terms[0].sum(axis=1)),
        plain=_fit_figures(terms[1].sum(axis=1)),
        bands=_bands(terms, BANDS[options.by]),
        low=low,
        high=high,
        histogram=sums.histogram,
        unseen_pairs=many,
        unseen=sums.unseen,
        unseen_mean=mean,
        unseen_deviation=float(np.sqrt(max(squares / many - mean * mean, 0.0)))
        if many
        else float("nan"),
        targets=target[picked],
        scores=sums.found,
        rows=rows[picked],
        columns=indices[picked].astype(np.int64),
    )


def _bands(terms: Doubles, borders: Sequence[float]) -> tuple[Band, ...]:
    """The bands that contain pairs."""
    edges = (0.0, *borders, float("inf"))
    number = terms[1, 0]
    return tuple(
        Band(
            edges[at],
            edges[at + 1],
            int(number[at]),
            float(terms[0, 0, at] / terms[0, 0].sum()),
            _fit_figures(terms[0, :, at]),
            _fit_figures(terms[1, :, at]),
        )
        for at in range(len(number))
        if number[at]
    )


def figures_of(scores: Doubles, targets: Doubles, weights: Doubles) -> Figures:
    """The figures of observed pairs alone, from float64[p] each, with sums in float64."""
    m, t, f = scores, targets, weights
    terms = (f, f * t, f * m, f * t * t, f * m * m, f * t * m, f * (m - t) ** 2)
    return _fit_figures(np.array([term.sum() for term in terms]))


def axes(pairs: PairCounts, target: Doubles, scores: PairScores) -> tuple[float, float]:
    """Whole nats around 99.8 % of the targets and of the scores of a sample of words."""
    places = np.unique(np.linspace(0, len(pairs.words) - 1, _LOOK).astype(np.int64))
    block = scores.block(places)
    indptr, indices = pairs.cells.indptr, pairs.cells.indices
    seen = [block[at, indices[indptr[row] : indptr[row + 1]]] for at, row in enumerate(places)]
    ends = np.concatenate(
        [np.quantile(part, (0.001, 0.999)) for part in (target, np.concatenate(seen)) if len(part)]
    )
    return float(np.floor(ends.min())), float(max(np.ceil(ends.max()), np.floor(ends.min()) + 1))


_TERMS = 7  # Σ f, f t, f m, f t², f m², f t m, f (m − t)²


@kernel(inline=True)
def _cell(value: float, low: float, scale: float, bins: int) -> int:
    """The cell of an axis; values outside, and NaN, are in its first or last cell."""
    place = (value - low) * scale
    if not place > 0:
        return 0
    return min(int(min(place, 1e9)), bins - 1)


class _Cells(NamedTuple):
    """Observed pairs, sorted by row and column. starts : int64[n + 1], starts of the rows; band :
    int64[p], the column of ``_Sums.terms``
    """

    starts: Ints
    columns: npt.NDArray[np.int32]
    target: Doubles
    weight: Doubles
    band: Ints


class _Axis(NamedTuple):
    """Left end of both axes, and bins per nat."""

    low: float
    scale: float


class _Sums(NamedTuple):
    """terms : float64[2, 7, bands], weighted and plain; histogram : int64[bins, bins]; unseen :
    int64[bins]; others : Σ m and Σ m² of the unobserved pairs; found : the scores of picked cells
    """

    terms: Doubles
    histogram: Ints
    unseen: Ints
    others: Doubles
    found: Doubles

    @classmethod
    def zeros(cls, bins: int, bands: int, picked: int) -> _Sums:
        return cls(
            np.zeros((2, _TERMS, bands)),
            np.zeros((bins, bins), dtype=np.int64),
            np.zeros(bins, dtype=np.int64),
            np.zeros(2),
            np.empty(picked),
        )


@kernel
def _add_block(
    block: Doubles,
    first: int,
    cells: _Cells,
    axis: _Axis,
    sums: _Sums,
    picked: Ints,
    done: int,
) -> int:
    """Add the scores float64[b, n] of the rows from ``first`` on to all sums, and store those of
    the cells ``picked``, of which ``done`` are stored already; return the new number.
    """
    starts, columns, target, weight, band = cells
    terms, histogram, unseen, others, found = sums
    low, scale = axis
    bins = len(unseen)
    for r in range(len(block)):
        at, end = starts[first + r], starts[first + r + 1]
        for column in range(block.shape[1]):
            m = block[r, column]
            y = _cell(m, low, scale, bins)
            if at < end and columns[at] == column:
                t, f, b = target[at], weight[at], band[at]
                squared = (m - t) * (m - t)
                for side in range(2):
                    w = f if side == 0 else 1.0
                    terms[side, 0, b] += w
                    terms[side, 1, b] += w * t
                    terms[side, 2, b] += w * m
                    terms[side, 3, b] += w * t * t
                    terms[side, 4, b] += w * m * m
                    terms[side, 5, b] += w * t * m
                    terms[side, 6, b] += w * squared
                histogram[y, _cell(t, low, scale, bins)] += 1
                if done < len(picked) and picked[done] == at:
                    found[done] = m
                    done += 1
                at += 1
            else:
                others[0] += m
                others[1] += m * m
                unseen[y] += 1
    return done


def warm() -> None:
    """Compile the kernel, or load it from the cache."""
    one, zeros = np.ones((1, 1)), np.zeros(2, dtype=np.int64)
    cells = _Cells(zeros, np.zeros(0, dtype=np.int32), one[0], one[0], zeros)
    _add_block(one, 0, cells, _Axis(0.0, 1.0), _Sums.zeros(1, 1, 1), zeros, 0)


def _fit_figures(sums: Doubles) -> Figures:
    total, t, m, tt, mm, tm, squared = (float(value) for value in sums)
    if not total > 0:
        return Figures(*[float("nan")] * 5)
    spread_t, spread_m, both = tt - t * t / total, mm - m * m / total, tm - t * m / total
    varies = spread_t > 1e-12 * max(tt, 1e-300)
    correlated = varies and spread_m > 1e-12 * max(mm, 1e-300)
    return Figures(
        r2=1 - squared / spread_t if varies else float("nan"),
        slope=both / spread_t if varies else float("nan"),
        pearson=both / float(np.sqrt(spread_t * spread_m)) if correlated else float("nan"),
        mean_difference=(m - t) / total,
        rms=float(np.sqrt(squared / total)),
    )
