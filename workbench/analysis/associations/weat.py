"""Word Embedding Association Test (Caliskan, Bryson & Narayanan 2017, Semantics Derived
Automatically from Language Corpora Contain Human-like Biases, Science 356).

With s(w) = mean over a of cos(w, a) − mean over b of cos(w, b), its equations, in the section
“Word Embedding Association Test” of the supplementary materials, are:

    statistic     Σ_x s(x) − Σ_y s(y)
    effect size   (mean_x s(x) − mean_y s(y)) / std of s(w) over all targets w
    p             share of the partitions of the targets into sets of these sizes whose statistic
                  is at least as large

The standard deviation is that of the population. The paper counts only larger statistics; here,
equal ones count too, so that p is never 0: the partition into x and y is one of them (Phipson &
Smyth 2010, Permutation P-values Should Never Be Zero).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, combinations, islice

import numpy as np

from workbench.analysis.neighbours.ranking import exact_cosines, unit_doubles
from workbench.core.arrays import Bools, Doubles, Places
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

# Up to this number of partitions, all are tried; above it, this many are drawn.
MOST_PARTITIONS, DRAWN = 200_000, 20_000
SEED = 1
# Numbers per block: some megabytes, a few milliseconds between two checks for cancellation.
_AT_ONCE = 400_000


@dataclass(frozen=True)
class Effect:
    """Difference between two sets of numbers, and its test.

    size : Caliskan's effect size, in standard deviations; NaN if all numbers are equal
    difference : mean of the first set − mean of the second
    p : one-sided p-value of the permutation test, small if the first set has higher numbers; NaN if
    all numbers are equal
    exact : whether all ``partitions`` were tried, not a sample of them
    """

    size: float
    difference: float
    p: float
    exact: bool
    partitions: int


def cosine_contrasts(embeddings: Embeddings, rows: Places, a: Places, b: Places) -> Doubles:
    """float64[len(rows)]: s(w) of these words, the mean cosine with the words ``a`` minus that with
    the words ``b``.
    """
    toward = unit_doubles(embeddings, a).mean(axis=0) - unit_doubles(embeddings, b).mean(axis=0)
    return exact_cosines(embeddings, rows, toward[None])[:, 0]


def effect_size(first: Doubles, second: Doubles) -> float:
    """(mean first − mean second) / population standard deviation of both, NaN if that is 0."""
    together = np.concatenate([first, second])
    spread = float(together.std())
    if spread <= 1e-12 * max(float(np.abs(together).max()), 1e-300):
        return math.nan
    return (float(first.mean()) - float(second.mean())) / spread


def compare_sets(
    first: Doubles,
    second: Doubles,
    run: JobControl | None = None,
    seed: int = SEED,
    most: int = MOST_PARTITIONS,
    drawn: int = DRAWN,
) -> Effect:
    """Effect size and permutation test of float64[m] against float64[n] numbers, m, n ≥ 1.

    All partitions are tried if there are at most ``most``, else ``drawn`` random ones; then p
    is (1 + k) / (1 + drawn), with k of them at least as large. The same for the same ``seed``.
    Raises Cancelled.
    """
    difference = float(first.mean()) - float(second.mean())
    size = effect_size(first, second)
    number = math.comb(len(first) + len(second), len(first))
    exact = number <= most
    if math.isnan(size):
        return Effect(size, difference, math.nan, exact, number)
    if exact:
        p = _exact_p(first, second, number, run)
    else:
        p = _sampled_p(first, second, drawn, seed, run)
    return Effect(size, difference, p, exact, number if exact else drawn)


def _exact_p(first: Doubles, second: Doubles, number: int, run: JobControl | None) -> float:
    together = np.concatenate([first, second])
    chosen = combinations(range(len(together)), len(first))
    at_once = max(1, _AT_ONCE // len(first))
    reached = 0
    for begin in range(0, number, at_once):
        _check(run, begin / number)
        size = min(at_once, number - begin)
        flat = chain.from_iterable(islice(chosen, size))
        rows = np.fromiter(flat, dtype=np.intp, count=size * len(first)).reshape(size, len(first))
        reached += int(_at_least(together[rows].sum(axis=1), first, together).sum())
    return reached / number


def _sampled_p(
    first: Doubles, second: Doubles, drawn: int, seed: int, run: JobControl | None
) -> float:
    together = np.concatenate([first, second])
    random = np.random.default_rng(seed)
    at_once = max(1, _AT_ONCE // len(together))
    reached = 0
    for begin in range(0, drawn, at_once):
        _check(run, begin / drawn)
        size = min(at_once, drawn - begin)
        mixed = random.permuted(np.broadcast_to(together, (size, len(together))), axis=1)
        reached += int(_at_least(mixed[:, : len(first)].sum(axis=1), first, together).sum())
    return (1 + reached) / (1 + drawn)


def _at_least(sums: Doubles, first: Doubles, together: Doubles) -> Bools:
    """Whether sums of a partition's first set reach that of ``first``; with fixed sizes, the
    statistic increases with this sum. Rounding must not hide that they are equal.
    """
    slack = 1e-12 * float(np.abs(together).sum())
    return np.asarray(sums >= float(first.sum()) - slack)


def _check(run: JobControl | None, fraction: float) -> None:
    if run is not None:
        run.check()
        run.advance(fraction, tr("Testing partitions of the words"))
