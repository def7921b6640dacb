"""W × Cᵀ = M for a few words: both factors, their product, and the target beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.targets import TargetSettings, target_values
from workbench.core.arrays import Doubles
from workbench.counts.association import submatrix


@dataclass(frozen=True, eq=False)
class Factors:
    """r words against themselves.

    W, C : float64[r, d], word and context vectors
    model : float64[r, r], W·Cᵀ, with biases where the algorithm has them, or log-probabilities
    target, counts : float64[r, r], NaN if the pair is unobserved
    """

    words: tuple[str, ...]
    W: Doubles
    C: Doubles
    model: Doubles
    target: Doubles
    counts: Doubles


def factors(
    pairs: PairCounts, setting: TargetSettings, key: str, scores: PairScores, words: Sequence[str]
) -> Factors:
    """The four matrices of these words, without words that ``pairs`` lacks.

    A model with a tree has no context vectors: its C has no columns.
    """
    kept = tuple(dict.fromkeys(word for word in words if word in pairs.index))
    places = np.array([pairs.index[word] for word in kept], dtype=np.int64)
    values = pairs.cells.copy()
    values.data = target_values(pairs, setting, key)
    contexts = scores.contexts
    right = contexts[places] if len(contexts) else np.empty((len(places), 0))
    return Factors(
        kept,
        scores.inputs(places),
        right,
        scores.block(places)[:, places],
        submatrix(values, places, places),
        submatrix(pairs.cells, places, places),
    )
