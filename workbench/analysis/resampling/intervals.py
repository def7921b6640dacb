"""Intervals of a number from its values in resampled texts."""

from __future__ import annotations

import math

import numpy as np

from workbench.analysis.evaluation.bootstrap import LEVEL, NONE, Interval
from workbench.core.arrays import Doubles

# Fewer values say too little about their spread.
FEWEST_VALUES = 2


def spread_interval(
    estimate: float, values: Doubles, low: float = -math.inf, high: float = math.inf
) -> Interval:
    """The 95 % interval estimate ± t·s of a number that is about normally distributed, such as a
    cosine.

    values : float64[B], the number in resampled texts; NaN, where a text has none, is left out
    s : their standard deviation; t : the quantile of Student’s distribution with B − 1 degrees of
    freedom. The interval is around the estimate of the text itself, not around the values: drawn
    with replacement, texts have fewer different pairs, which shifts all values. In simulated texts,
    it contained the expected cosine, PMI or effect in 91 to 95 % of cases, percentiles of 25 values
    in 50 to 88 % (``tests/analysis/resampling/test_coverage.py``)
    low, high : bounds of the number

    Without an estimate, or with fewer than FEWEST_VALUES values, NONE.
    """
    from scipy.stats import t as student

    known = values[np.isfinite(values)]
    if not math.isfinite(estimate) or len(known) < FEWEST_VALUES:
        return NONE
    reach = float(student.ppf(0.5 + LEVEL / 2, len(known) - 1) * known.std(ddof=1))
    return Interval(max(estimate - reach, low), min(estimate + reach, high))


def quantile_interval(values: Doubles) -> Interval:
    """The 2.5th to 97.5th percentile of float64[B] values, for numbers such as a rank; NaN is left
    out.
    """
    known = values[np.isfinite(values)]
    if len(known) < FEWEST_VALUES:
        return NONE
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(known, (tail, 100 - tail))
    return Interval(float(low), float(high))
