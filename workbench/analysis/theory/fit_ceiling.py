"""The ceiling of a fit to PMI, for the counts and weights of a model."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.evaluation.bootstrap import Interval
from workbench.analysis.resampling.split_half import split_half
from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings
from workbench.analysis.theory.targets import TargetSettings, weight_values
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.base import TheoryTarget

# Targets that are PMI with smoothed contexts, plus a number.
_PMI_LIKE = ("xstar", "pmi")


@dataclass(frozen=True)
class FitCeiling:
    """r2 : 95 % interval of the R² that a model can reach, over random halves of the text
    noise : root mean square of the noise of the target, in nats, at the middle of this interval
    """

    r2: Interval
    noise: float


def has_ceiling(target: str) -> bool:
    """Whether a target is PMI plus a number, whose noise the halves of a text show."""
    return target in _PMI_LIKE


def fit_ceiling(
    corpus: Corpus,
    counting: PairCountSettings,
    setting: TargetSettings,
    own: TheoryTarget,
    pairs: PairCounts,
    run: JobControl | None = None,
) -> FitCeiling:
    """The ceiling over the observed ``pairs``, weighted as in the loss. Every token is counted:
    subsampling changes PMI by a number and adds no noise to its expectation.

    Raises UserError, and Cancelled.
    """
    size = len(pairs.counts)
    ids = pairs.ids
    known = ids[pairs.rows] * size + ids[pairs.cells.indices]
    order = np.argsort(known, kind="stable")
    numbers, weights = known[order], weight_values(pairs, setting, own)[order]

    def weights_of(rows: Ints, columns: Ints, counts: Doubles) -> Doubles:
        wanted = rows * size + columns
        at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
        return np.where(numbers[at] == wanted, weights[at], 0.0)

    found = split_half(
        corpus,
        size,
        counting.window,
        counting.window_weighting,
        setting.ns_exponent if own.target == "xstar" else setting.context_smoothing,
        weights_of,
        run=run,
    )
    middle = (found.ceilings.low + found.ceilings.high) / 2
    return FitCeiling(found.ceilings, math.sqrt(max(1 - middle, 0.0)) * found.lines.deviation)
