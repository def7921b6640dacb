"""Stability of neighbours between trainings with different seeds.

Sources: Hellrich & Hahn 2016, Bad Company (COLING); Antoniak & Mimno 2018, Evaluating the Stability
of Embedding-based Word Similarities (TACL 6).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.model_changes import (
    common_counts,
    common_rows,
    cosines_with,
    pairwise_shared,
)
from workbench.analysis.neighbours.ranking import best_rows
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class Stability:
    """Overlap of the k nearest neighbours of common words between models that differ only in their
    seed.

    words : n words in the first model's order; counts : int64[n] or None
    overlap, jaccard : float64[n], means over all pairs of models of |A ∩ B| / k and |A ∩ B| / |A ∪
    B|
    lowest, highest : float64[n], the minimum and the maximum overlap of a pair
    everywhere : float64[n], share of the k nearest that all models list (Hellrich & Hahn's
    reliability)
    models, k : number of models and of neighbours
    """

    words: tuple[str, ...]
    counts: Ints | None
    overlap: Doubles
    jaccard: Doubles
    lowest: Doubles
    highest: Doubles
    everywhere: Doubles
    models: int
    k: int


def stability(
    models: Sequence[Embeddings], k: int = 10, top: int = 0, run: JobControl | None = None
) -> Stability:
    """Overlap of the k nearest neighbours among the ``top`` most frequent common words (0: all).

    Raises UserError for fewer than two models or fewer than three common words, and Cancelled.
    """
    chosen = list(models)
    if len(chosen) < 2:
        raise UserError(
            tr("The spread can’t be measured with only one model."),
            tr("Train more models with other seeds."),
        )
    words, rows = common_rows(chosen, top)
    pairs, everywhere = pairwise_shared(chosen, rows, k, run)
    k = min(k, len(words) - 1)
    shared = np.array(pairs, dtype=np.float64)
    return Stability(
        words,
        common_counts(chosen, rows),
        shared.mean(axis=0) / k,
        (shared / (2 * k - shared)).mean(axis=0),
        shared.min(axis=0) / k,
        shared.max(axis=0) / k,
        everywhere / k,
        len(chosen),
        k,
    )


@dataclass(frozen=True)
class NeighbourSpread:
    """One neighbour over several models: mean, minimum and maximum cosine and rank (1 is the
    nearest).

    among : number of models in which it is one of the n nearest; models : number of models with it
    """

    word: str
    cosine: float
    cosine_low: float
    cosine_high: float
    rank: float
    rank_low: int
    rank_high: int
    among: int
    models: int


def spread(models: Sequence[Embeddings], word: str, n: int = 10) -> tuple[NeighbourSpread, ...]:
    """Every word that is among the ``n`` nearest of ``word`` in any model, by descending mean
    cosine.

    Raises UnknownWord if a model does not know the word.
    """
    scores = [cosines_with(model, word) for model in models]
    lists = [
        {model.words[int(row)] for row in best_rows(own, n, [model.row(word)])}
        for model, own in zip(models, scores, strict=True)
    ]
    found = []
    for one in sorted(set().union(*lists)):
        known = [
            (own, model.index[one])
            for model, own in zip(models, scores, strict=True)
            if one in model.index
        ]
        places = [(own, row) for own, row in known if own[row] > -np.inf]
        cosine = [float(own[row]) for own, row in places]
        rank = [
            int((own > own[row]).sum() + (own[:row] == own[row]).sum()) + 1 for own, row in places
        ]
        found.append(
            NeighbourSpread(
                one,
                math.fsum(cosine) / len(cosine),
                min(cosine),
                max(cosine),
                sum(rank) / len(rank),
                min(rank),
                max(rank),
                sum(one in own for own in lists),
                len(places),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.cosine, one.word)))
