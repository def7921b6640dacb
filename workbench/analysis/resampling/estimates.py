"""Numbers of a training with their intervals over texts of drawn documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.word_sets import AssociationTest
from workbench.analysis.evaluation.bootstrap import Interval
from workbench.analysis.resampling.intervals import spread_interval
from workbench.analysis.resampling.statistics import association_of, cosine_of, pmi_of
from workbench.analysis.resampling.texts_drawn import (
    Refit,
    ResampleParams,
    Statistic,
    TextDraws,
    resample,
)
from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl, Portion

# Share of the time for counting, if texts are trained on, too.
_COUNTING = 0.1


@dataclass(frozen=True)
class Estimate:
    """A number of the text itself, and its 95 % interval; NaN where there is none."""

    value: float
    interval: Interval


def estimates(
    draws: TextDraws,
    statistic: Statistic,
    texts: int,
    run: JobControl | None = None,
    low: float = -math.inf,
    high: float = math.inf,
) -> tuple[Estimate, ...]:
    """Each number of a statistic with its interval from ``texts`` texts. low, high : its bounds.

    Raises as ``resample``.
    """
    found = resample(draws, statistic, texts, run)
    return tuple(
        Estimate(value, spread_interval(value, values, low, high))
        for value, values in zip(found.estimate.tolist(), found.values.T, strict=True)
    )


def effects(
    draws: TextDraws,
    tests: Sequence[AssociationTest],
    texts: int,
    run: JobControl | None = None,
) -> tuple[Estimate, ...]:
    """The effect size of each test of associations."""
    asked = [
        association_of((test.x.words, test.y.words), (test.a.words, test.b.words)) for test in tests
    ]

    def statistic(refit: Refit) -> Doubles:
        return np.concatenate([one(refit) for one in asked])

    return estimates(draws, statistic, texts, run)


@dataclass(frozen=True)
class PairEstimates:
    """PMI of a pair in nats, from plain counts, and its cosine."""

    pmi: Estimate
    cosine: Estimate


def pair_estimates(
    draws: TextDraws, word: str, context: str, texts: int, run: JobControl | None = None
) -> PairEstimates:
    """A pair in a training. For algorithms that don’t start with counts, the text is counted for
    the PMI, as often as for the others.
    """
    run = run or JobControl()
    pair = [(word, context)]
    if not draws.recounts:
        counting, training = Portion(run, 0.0, _COUNTING), Portion(run, _COUNTING, 1 - _COUNTING)
        pmi = estimates(draws.with_counts_alone(), pmi_of(pair), ResampleParams.resample, counting)
        cosine = estimates(draws, cosine_of(pair), texts, training, -1.0, 1.0)
        return PairEstimates(pmi[0], cosine[0])

    def statistic(refit: Refit) -> Doubles:
        return np.concatenate([pmi_of(pair)(refit), cosine_of(pair)(refit)])

    found = resample(draws, statistic, texts, run)
    pmi_value, cosine_value = found.estimate.tolist()
    return PairEstimates(
        Estimate(pmi_value, spread_interval(pmi_value, found.values[:, 0])),
        Estimate(cosine_value, spread_interval(cosine_value, found.values[:, 1], -1.0, 1.0)),
    )
