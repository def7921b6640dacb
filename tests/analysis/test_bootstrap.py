"""Intervals against scipy's own bootstrap and the binomial distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from workbench.analysis.bootstrap import correlation_intervals, pearson, share_interval, spearman
from workbench.core.errors import Cancelled
from workbench.core.run import Run

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=80)
Y = np.round(X + RANDOM.normal(size=80), 1)


def test_correlations_are_scipys() -> None:
    assert spearman(X[None], Y[None])[0] == pytest.approx(stats.spearmanr(X, Y)[0], abs=1e-12)
    assert pearson(X[None], Y[None])[0] == pytest.approx(stats.pearsonr(X, Y)[0], abs=1e-12)
    assert math.isnan(pearson(np.ones((1, 5)), X[None, :5])[0])


def test_intervals_are_those_of_scipys_bootstrap() -> None:
    found = correlation_intervals(X, Y, resamples=4000)
    assert found == correlation_intervals(X, Y, resamples=4000)
    assert found != correlation_intervals(X, Y, resamples=4000, seed=2)
    for ours, statistic in zip(found, (stats.spearmanr, stats.pearsonr), strict=True):
        theirs = stats.bootstrap(
            (X, Y),
            lambda x, y, s=statistic: s(x, y)[0],
            paired=True,
            vectorized=False,
            n_resamples=1500,
            method="percentile",
            random_state=7,
        ).confidence_interval
        assert ours.low == pytest.approx(theirs.low, abs=0.03)
        assert ours.high == pytest.approx(theirs.high, abs=0.03)


def test_a_share_strays_as_the_binomial_does() -> None:
    low, high = share_interval(60, 200, resamples=20_000)
    assert (low, high) == pytest.approx(np.array(stats.binom.interval(0.95, 200, 0.3)) / 200, abs=0.006)
    assert share_interval(5, 5) == (1.0, 1.0)
    assert math.isnan(share_interval(0, 0).low)


def test_cancelled() -> None:
    run = Run()
    run.cancel()
    with pytest.raises(Cancelled):
        correlation_intervals(X, Y, run)
