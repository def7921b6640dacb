"""Intervals against scipy's own bootstrap and the binomial distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from workbench.analysis.evaluation.bootstrap import (
    correlation_intervals,
    pearson,
    share_interval,
    spearman,
)
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl

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


def test_pairs_in_perfect_order_and_few_pairs_have_no_interval() -> None:
    """Resampling doesn’t show how other pairs could differ, so the interval is unknown."""
    for pairs in (3, 5, 9, 10, 40):
        of_rho, of_r = correlation_intervals(X[:pairs], np.exp(X[:pairs]), resamples=200)
        assert math.isnan(of_rho.low)
        assert math.isnan(of_rho.high)
        assert math.isnan(of_r.low) == (pairs < 10)
        of_rho, of_r = correlation_intervals(X[:pairs], -2 * X[:pairs], resamples=200)
        assert math.isnan(of_rho.low)
        assert math.isnan(of_r.low)


@pytest.mark.parametrize(("pairs", "true"), [(5, 0.95), (9, 0.5), (10, 0.8), (30, 0.5)])
def test_where_there_is_an_interval_of_a_correlation_it_holds_the_true_one(
    pairs: int, true: float
) -> None:
    random = np.random.default_rng(5)
    hits = []
    for _ in range(100):
        x = random.standard_normal(pairs)
        y = true * x + math.sqrt(1 - true**2) * random.standard_normal(pairs)
        found = correlation_intervals(x, y, resamples=200)[0]
        # Spearman’s correlation of a bivariate normal distribution.
        hits.append(
            not math.isnan(found.low)
            and found.low <= 6 / math.pi * math.asin(true / 2) <= found.high
        )
    # With fewer than 10 pairs no interval is shown.
    assert sum(hits) >= 88 if pairs >= 10 else not any(hits)


def test_an_interval_of_a_share_ends_where_so_many_right_are_as_rare_as_told() -> None:
    """Compare with the definition: each tail, up to the observed number, has 2.5%."""
    for correct, questions in ((1, 20), (60, 200), (19, 20), (2, 3), (500, 1000)):
        low, high = share_interval(correct, questions)
        assert stats.binom.sf(correct - 1, questions, low) == pytest.approx(0.025, rel=1e-6)
        assert stats.binom.cdf(correct, questions, high) == pytest.approx(0.025, rel=1e-6)
    for questions in (1, 5, 54):
        assert share_interval(0, questions) == (0.0, pytest.approx(1 - 0.025 ** (1 / questions)))
        assert share_interval(questions, questions) == (
            pytest.approx(0.025 ** (1 / questions)),
            1.0,
        )
    assert math.isnan(share_interval(0, 0).low)


@pytest.mark.parametrize("questions", [1, 2, 5, 10, 20, 54, 200])
def test_the_interval_of_a_share_holds_the_true_one_in_95_of_100_cases_at_least(
    questions: int,
) -> None:
    """Exact coverage, summed over all outcomes, at many shares; below 97.5% with 200 questions."""
    shares = np.concatenate(
        [np.linspace(0.001, 0.999, 333), 1 / (1 + np.exp(np.linspace(-9, 9, 101)))]
    )
    right = np.arange(questions + 1)
    ends = np.array([share_interval(int(number), questions) for number in right])
    hits = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    coverage = (stats.binom.pmf(right[:, None], questions, shares[None]) * hits).sum(axis=0)
    assert coverage.min() >= 0.95 - 1e-9
    if questions >= 200:
        assert coverage[100:233].max() < 0.975


def test_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        correlation_intervals(X, Y, run)
