"""Tests of two models on the same items: McNemar's on questions, a paired bootstrap on word
pairs.

Sources: McNemar 1947, Note on the Sampling Error of the Difference Between Correlated Proportions
or Percentages (Psychometrika 12); Efron & Tibshirani 1993, An Introduction to the Bootstrap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.analogy.solver import AnalogyReport
from workbench.analysis.evaluation.bootstrap import (
    FEWEST_PAIRS,
    NONE,
    RESAMPLES,
    SEED,
    Interval,
    percentile_interval,
    resampled_rows,
    spearman,
)
from workbench.analysis.evaluation.similarity import SimilarityReport
from workbench.core.arrays import Bools, Doubles
from workbench.core.job_control import JobControl


@dataclass(frozen=True)
class AnswerTest:
    """Answers of two models to the questions that both know.

    asked : number of these questions; first, second : share that each model answers correctly
    only_first, only_second : number of questions that only one model answers correctly
    p : p-value of McNemar's exact test, two-sided: the probability of a split at least as uneven of
    the questions that only one model answers correctly, if both were equally likely to; 1 without
    such questions
    """

    asked: int
    first: float
    second: float
    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True)
class CorrelationTest:
    """Spearman's ρ of two models on the pairs that both know.

    pairs : number of these pairs; first, second : ρ of each
    difference : 95 % interval of first − second, percentiles over samples of the pairs, the same
    pairs for both; NaN for fewer pairs than FEWEST_PAIRS or if all samples have the same difference
    """

    pairs: int
    first: float
    second: float
    difference: Interval


def compare_answers(first: AnalogyReport, second: AnalogyReport) -> AnswerTest:
    """Compare two models on the questions of one file that both know."""
    _, here, there = np.intersect1d(
        first.question, second.question, assume_unique=True, return_indices=True
    )
    right = (first.predicted == first.expected)[here]
    other_right = (second.predicted == second.expected)[there]
    only_first, only_second = int((right & ~other_right).sum()), int((other_right & ~right).sum())
    return AnswerTest(
        len(right),
        _share(right),
        _share(other_right),
        only_first,
        only_second,
        mcnemar(only_first, only_second),
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """The p-value of McNemar's exact test, two-sided: a sign test of the items on which two models
    differ.
    """
    from scipy.stats import binom

    number = only_first + only_second
    if not number:
        return 1.0
    return min(1.0, 2 * float(binom.cdf(min(only_first, only_second), number, 0.5)))


def compare_correlations(
    first: SimilarityReport,
    second: SimilarityReport,
    run: JobControl | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> CorrelationTest:
    """Compare two models on the pairs of one set that both know. Raises Cancelled."""
    _, here, there = np.intersect1d(
        first.known, second.known, assume_unique=True, return_indices=True
    )
    human = np.array(first.scores, dtype=np.float64)[here]
    ours = np.array(first.cosines, dtype=np.float64)[here]
    theirs = np.array(second.cosines, dtype=np.float64)[there]
    if len(human) < 3:
        return CorrelationTest(len(human), math.nan, math.nan, NONE)
    return CorrelationTest(
        len(human),
        float(spearman(ours[None], human[None])[0]),
        float(spearman(theirs[None], human[None])[0]),
        difference_interval(human, ours, theirs, run, seed, resamples),
    )


def difference_interval(
    human: Doubles,
    ours: Doubles,
    theirs: Doubles,
    run: JobControl | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Interval:
    """95 % interval of ρ(ours) − ρ(theirs), each against the scores ``human`` of float64[n] pairs.

    Samples in which a side is constant are left out. Raises Cancelled.
    """
    if len(human) < FEWEST_PAIRS:
        return NONE
    differences = [
        spearman(ours[drawn], human[drawn]) - spearman(theirs[drawn], human[drawn])
        for drawn in resampled_rows(len(human), run, seed, resamples)
    ]
    return percentile_interval(np.concatenate(differences))


def _share(right: Bools) -> float:
    if len(right):
        return float(right.mean())
    return math.nan
