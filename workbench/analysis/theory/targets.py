"""Targets that products of vectors are compared with; each algorithm declares its own.

LG14 derive the optimum of skip-gram with negative sampling; the papers on all other algorithms
state their targets. With A = #(w, c) counted as the algorithm counts, every target is a number for
an observed pair:

    xstar   log A − log(k · #(w) · P_n(c)),  P_n(c) = n(c)^α / Σ n^α      (LG14, section 3.1)
    pmi     log A − log(k · #(w) · P_α(c)),  P_α(c) = #(c)^α / Σ #^α      (LGD15; k = α = 1 is PMI)
    sppmi   max(pmi, 0)                                                   (LG14, section 4.1)
    logp    log(A / #(w))                                           (M13b, eq. 2, at its optimum)
    logx    log A                                                         (P14, eq. 8)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.chunked_ops import spread
from workbench.counts.sampling import noise_distribution
from workbench.models.base import MODELS, TheoryTarget
from workbench.models.count.swivel import SwivelParams
from workbench.models.params import SharedParams, glove_weight


@dataclass(frozen=True)
class TargetSettings:
    """Settings of targets and weights besides the counts, by the names of the algorithms'
    parameters.
    """

    negative: float = SharedParams.negative
    ns_exponent: float = SharedParams.ns_exponent
    shift: float = SharedParams.shift
    context_smoothing: float = 1.0  # plain PMI
    weighting: str = ""
    x_max: float = SharedParams.x_max
    alpha: float = SharedParams.alpha
    confidence_base: float = SwivelParams.confidence_base
    confidence_scale: float = SwivelParams.confidence_scale
    confidence_exponent: float = SwivelParams.confidence_exponent

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> TargetSettings:
        known = {field.name for field in fields(cls)}
        return replace(
            cls(), **{name: value for name, value in parameters.items() if name in known}
        )


@dataclass(frozen=True)
class Target:
    """A target: ``formula`` in symbols, ``words`` as spoken."""

    title: str
    formula: str
    words: str


TARGETS: Mapping[str, Target] = {
    "xstar": Target(
        "x*",
        "log #(w,c) − log(k·#(w)·Pₙ(c))",
        tr("optimum of skip-gram with negative sampling: PMI − log k"),
    ),
    "pmi": Target(
        "PMI",
        "log #(w,c) − log(k·#(w)·P_α(c))",
        tr("log of how much more often the pair co-occurs than by chance"),
    ),
    "sppmi": Target(
        "SPPMI",
        "max(PMI_α − log k, 0)",
        tr("shifted positive PMI: values below 0 are set to 0"),
    ),
    "logp": Target(
        "log P(c|w)",
        "log #(w,c) − log #(w)",
        tr("log of the share of this context among all contexts of the word"),
    ),
    "logx": Target(
        "log X",
        "log #(w,c)",
        tr("log of the co-occurrence count; biases account for word frequencies"),
    ),
}


FROM_FILE = TheoryTarget(
    note=tr("Vectors from a file: compared with the target of skip-gram under its usual settings.")
)

SCORES: Mapping[str, str] = {
    "product": "w·c",
    "biased": "w·c + b_w + b_c",
    "softmax": "log Q(c|w)",
    "tree": "log Q(c|w)",
}


def declared_target(algorithm: str) -> TheoryTarget:
    """Target that an algorithm declares; for an unknown algorithm, that of vectors from a file."""
    if algorithm in MODELS:
        return MODELS[algorithm].theory_target
    return FROM_FILE


def theory_target(algorithm: str) -> TheoryTarget:
    """Target that an algorithm is compared with. Raises UserError if it has none."""
    target = declared_target(algorithm)
    if target.missing:
        raise UserError(
            target.missing, tr("Choose a run of SGNS, SVD, GloVe or another factorisation.")
        )
    return target


def expected_probabilities(
    pairs: PairCounts, setting: TargetSettings, kind: str, columns: Ints
) -> Doubles:
    """P(c) at ``columns``, indices among the n words: P_n for "xstar", else P_α of the column
    sums.
    """
    ids = pairs.ids[columns]
    if kind == "xstar":
        return noise_distribution(pairs.counts, setting.ns_exponent)[ids]
    smoothed = pairs.column_sums**setting.context_smoothing
    return np.asarray(smoothed[ids] / smoothed.sum())


def target_values(pairs: PairCounts, setting: TargetSettings, key: str) -> Doubles:
    """The target of every cell, in nats: float64[cells], in storage order."""
    logs = np.log(pairs.cells.data)
    if key == "logx":
        return np.asarray(logs)
    with np.errstate(divide="ignore"):  # rows without a cell are never used
        totals = np.log(pairs.row_sums[pairs.ids])
        values = logs - spread(totals, pairs.cells.indptr)
        if key == "logp":
            return np.asarray(values)
        k = setting.negative if key == "xstar" else setting.shift
        everywhere = np.arange(len(pairs.words))
        values -= np.log(k * expected_probabilities(pairs, setting, key, everywhere)).take(
            pairs.cells.indices
        )
    if key == "sppmi":
        return np.asarray(np.maximum(values, 0.0))
    return np.asarray(values)


def _quadratic(pairs: PairCounts, setting: TargetSettings, target: str) -> Doubles:
    """AB/(A + B), A = #(w, c), B = k·#(w)·P(c): the weight in the loss of SGNS around its optimum,
    to second order.
    """
    k = setting.negative if target == "xstar" else setting.shift
    chance = expected_probabilities(pairs, setting, target, np.arange(len(pairs.words)))
    met = pairs.cells.data
    b = k * spread(pairs.row_sums[pairs.ids], pairs.cells.indptr) * chance.take(pairs.cells.indices)
    return np.asarray(met * b / (met + b))


def swivel_weight(counts: Doubles, setting: TargetSettings) -> Doubles:
    """f(x) = base + scale·x^exponent (S16, eq. 3)."""
    return np.asarray(
        setting.confidence_base + setting.confidence_scale * counts**setting.confidence_exponent
    )


WEIGHTS: Mapping[str, Callable[[PairCounts, TargetSettings, str], Doubles]] = {
    "AB/(A+B)": _quadratic,
    "glove": lambda pairs, setting, _: glove_weight(pairs.cells.data, setting.x_max, setting.alpha),
    "swivel": lambda pairs, setting, _: swivel_weight(pairs.cells.data, setting),
    "count": lambda pairs, setting, _: np.asarray(pairs.cells.data),
    "constant": lambda pairs, setting, _: np.ones(pairs.cells.nnz),
}


def weight_values(pairs: PairCounts, setting: TargetSettings, own: TheoryTarget) -> Doubles:
    """Weight of each cell in the algorithm's own loss, to second order: float64[cells]."""
    return WEIGHTS[own.weight or setting.weighting or "constant"](pairs, setting, own.target)
