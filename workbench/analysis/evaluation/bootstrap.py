"""Confidence intervals of scores, by bootstrap over pairs (Efron 1979) or over questions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.core.language import tr

RESAMPLES = 1000
SEED = 1
LEVEL = 0.95


# With fewer pairs, percentiles contain the true correlation in far less than 95 % of cases: with
# five pairs in 65 % if it is 0.95.
FEWEST_PAIRS = 10

# Number of random numbers drawn at once: a few milliseconds between two checks for cancellation.
_AT_ONCE = 50_000


class Interval(NamedTuple):
    """The interval of a score; both ends are NaN if it has none."""

    low: float
    high: float


NONE = Interval(math.nan, math.nan)


def correlation_intervals(
    x: Doubles,
    y: Doubles,
    run: JobControl | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[Interval, Interval]:
    """95 % intervals of Spearman's ρ and of Pearson's r over pairs x, y float64[n].

    The 2.5th to 97.5th percentile over ``resamples`` samples of the n pairs with replacement, the
    same at every call with one ``seed``; samples in which a side is constant are left out. Fewer
    than FEWEST_PAIRS have no interval, nor have pairs in perfect order: their samples are in
    perfect order, too, and say nothing about other pairs. Raises Cancelled.
    """
    if len(x) < FEWEST_PAIRS:
        return NONE, NONE
    ranked, plain = [], []
    for drawn in resampled_rows(len(x), run, seed, resamples):
        ranked.append(spearman(x[drawn], y[drawn]))
        plain.append(pearson(x[drawn], y[drawn]))
    return percentile_interval(np.concatenate(ranked)), percentile_interval(np.concatenate(plain))


def resampled_rows(
    number: int, run: JobControl | None, seed: int, resamples: int
) -> Iterator[Ints]:
    """Samples of ``number`` rows with replacement, as blocks int64[s, number]; advances the
    progress of ``run``. Raises Cancelled.
    """
    random = np.random.default_rng(seed)
    at_once = max(1, _AT_ONCE // number)
    for start in range(0, resamples, at_once):
        if run is not None:
            run.check()
            run.advance(start / resamples, tr("Resampling word pairs"))
        yield random.integers(0, number, size=(min(at_once, resamples - start), number))


def share_interval(correct: int, questions: int) -> Interval:
    """95 % interval of the share ``correct / asked`` (Clopper & Pearson 1934), NaN if nothing
    was asked.

    Its ends are the shares at which this many correct answers or more, or this many or fewer, have
    a probability of 2.5 %. So it contains the true share in at least 95 % of cases, whatever that
    share is, if questions are independent. Questions that share a pair are not, so the true
    interval is wider.
    """
    if not questions:
        return NONE
    from scipy.special import betaincinv

    tail = (1 - LEVEL) / 2
    low = float(betaincinv(correct, questions - correct + 1, tail)) if correct else 0.0
    high = 1.0
    if correct < questions:
        high = float(betaincinv(correct + 1, questions - correct, 1 - tail))
    return Interval(low, high)


def spearman(x: Doubles, y: Doubles) -> Doubles:
    """float64[s]: Pearson's correlation of average ranks; each row of x, y float64[s, n] is a
    sample.
    """
    from scipy.stats import rankdata

    return pearson(rankdata(x, axis=1), rankdata(y, axis=1))


def percent_ranks(values: Doubles) -> Doubles:
    """float64[n]: average ranks of float64[n] values as percentages, 0 to 100; 0 for one value."""
    from scipy.stats import rankdata

    return np.asarray(100 * (rankdata(values) - 1) / max(len(values) - 1, 1), dtype=np.float64)


def pearson(x: Doubles, y: Doubles) -> Doubles:
    """float64[s]: the correlation of each row of x, y float64[s, n]; NaN if a side is
    constant.
    """
    a, b = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    constant = (np.ptp(x, axis=1) == 0) | (np.ptp(y, axis=1) == 0)
    spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(constant, math.nan, (a * b).sum(axis=1) / spread)


def percentile_interval(samples: Doubles) -> Interval:
    """The 95 % interval of float64[s] samples without NaN; NONE if all are equal."""
    samples = samples[np.isfinite(samples)]
    if not len(samples):
        return NONE
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(samples, (tail, 100 - tail))
    if high - low > 1e-9:
        return Interval(float(low), float(high))
    return NONE
