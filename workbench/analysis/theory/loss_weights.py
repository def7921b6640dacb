"""Weight of a pair in the loss of each algorithm, by the pair's count.

    SGNS        A + B,  the weight of a logistic factorisation with target
                A/(A + B)   (LG14, section 3.1)
    AB/(A+B)    the same as least squares on x*, to second order
    GloVe       min(1, (A/x_max)^α)                                                    (P14, eq. 9)
    Swivel      base + scale·A^exponent                                                (S16, eq. 3)

with A = #(w, c) and B = k·#(w)·P_n(c). B differs from pair to pair, so that the first two are means
over the pairs of a bin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.targets import (
    TargetSettings,
    expected_probabilities,
    swivel_weight,
)
from workbench.core.arrays import Doubles
from workbench.counts.chunked_ops import spread
from workbench.models.params import glove_weight
from workbench.vectors.embeddings import Embeddings

_PER_DECADE = 4


@dataclass(frozen=True, eq=False)
class WeightCurve:
    """``weights`` : float64[b], mean over the pairs of each bin, divided by ``mean``, the mean over
    all pairs.
    """

    name: str
    weights: Doubles
    mean: float


@dataclass(frozen=True, eq=False)
class Weighing:
    """Observed pairs in bins of their count, without empty bins.

    counts : float64[b], mean #(w, c) of the bin; pairs : int64[b]
    shares : float64[b, curves], share of a curve's total weight in the bin
    """

    counts: Doubles
    pairs: npt.NDArray[np.int64]
    curves: tuple[WeightCurve, ...]

    @property
    def shares(self) -> Doubles:
        weights = np.stack([curve.weights * self.pairs for curve in self.curves], axis=1)
        return np.asarray(weights / weights.sum(axis=0))


def compare_weights(pairs: PairCounts, setting: TargetSettings) -> Weighing:
    """Means of every weight over observed pairs, with four bins per power of ten."""
    met = pairs.cells.data
    chance = expected_probabilities(pairs, setting, "xstar", np.arange(len(pairs.words)))
    rows = spread(pairs.row_sums[pairs.ids], pairs.cells.indptr)
    by_chance = setting.negative * rows * chance[pairs.cells.indices]
    bins = np.floor(np.log10(met) * _PER_DECADE).astype(np.int64)
    _, place, number = np.unique(bins, return_inverse=True, return_counts=True)

    def mean(values: Doubles) -> Doubles:
        return np.asarray(np.bincount(place, weights=values) / number)

    curves = []
    for name, values in (
        ("SGNS A + B", met + by_chance),
        ("AB/(A+B)", met * by_chance / (met + by_chance)),
        ("GloVe", glove_weight(met, setting.x_max, setting.alpha)),
        ("Swivel", swivel_weight(met, setting)),
    ):
        overall = float(values.mean())
        curves.append(WeightCurve(name, mean(values) / overall, overall))
    return Weighing(mean(met), number.astype(np.int64), tuple(curves))


@dataclass(frozen=True, eq=False)
class BiasLook:
    """GloVe's b_i against log #(w).

    words ; logs, biases : float64[n]; slope, offset : of the least squares line; pearson :
    correlation
    """

    words: tuple[str, ...]
    logs: Doubles
    biases: Doubles
    slope: float
    offset: float
    pearson: float


def bias_look(pairs: PairCounts, embeddings: Embeddings) -> BiasLook | None:
    """Compare biases with log #(w); None for a model without biases. SGNS has no bias to learn: its
    x* subtracts log #(w) exactly, slope 1.
    """
    if embeddings.biases is None:
        return None
    rows = [embeddings.index[word] for word in pairs.words]
    totals = pairs.row_sums[pairs.ids]
    met = totals > 0
    logs, biases = np.log(totals[met]), embeddings.biases[rows].astype(np.float64)[met]
    words = tuple(word for word, kept in zip(pairs.words, met.tolist(), strict=True) if kept)
    x, y = logs - logs.mean(), biases - biases.mean()
    slope = float("nan")
    if x.any():
        slope = float(x @ y / (x @ x))
    spread = float(np.sqrt((x @ x) * (y @ y)))
    pearson = float("nan")
    if spread:
        pearson = float(x @ y) / spread
    return BiasLook(words, logs, biases, slope, float(biases.mean() - slope * logs.mean()), pearson)
