"""Words of another model in the space of a map, so that they can be placed among its words.

Two trainings choose their directions freely, so their vectors aren't comparable. The other model's
vectors are rotated so that the words that both contain come closest together (Schönemann 1966). How
well that works is measured on shared words that the rotation wasn't fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.projection.placing import unit_rows
from workbench.analysis.projection.procrustes import align, rotation_between
from workbench.core.arrays import Doubles, Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

# Number of nearest words among which a shared word should find itself.
NEAREST = 10
# Shared words for the rotation and for its quality: the most frequent ones, whose vectors are best.
_MOST, _MOST_JUDGED = 20_000, 5_000
# Below this, a tenth of the words would find themselves by chance.
_FEWEST = 100
_PARTS = 5


@dataclass(frozen=True, eq=False)
class RotatedWords:
    """Words of another model.

    rows : float32[m, d], their unit vectors in the space of the map
    shared : number of words of both models to which the rotation was fitted
    found : share of these words that, left out of the fit, have their own vector among the ten
    nearest; by chance, it is ten in as many words as are compared
    """

    rows: Singles
    shared: int
    found: float


def rotated_words(other: Embeddings, words: Sequence[str], model: Embeddings) -> RotatedWords:
    """Words of another model, rotated into the space of ``model``; unseen ones are composed of
    n-grams.

    Raises UserError for an unknown word, for sparse vectors, and if the models share too few words:
    fewer than 100, or fewer than there are dimensions.
    """
    rows = unit_rows(other, words)
    shared = [word for word in model.words if word in other.index]
    found = align(other, model, shared[:_MOST])
    fewest = max(_FEWEST, min(other.dim, model.dim))
    if len(found.words) < fewest:
        raise UserError(
            tr(
                "Too few words to align the two models: they share {number} words, but at least "
                "{fewest} are needed.",
                number=len(found.words),
                fewest=fewest,
            ),
            tr("Choose models of the same language."),
        )
    source = np.asarray(other.unit_of(found.source_rows), dtype=np.float64)
    target = np.asarray(model.unit_of(found.target_rows), dtype=np.float64)
    turned = rows @ found.rotation
    # A rotation into fewer dimensions shortens vectors.
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    placed = np.asarray(turned / np.maximum(lengths, 1e-12), dtype=np.float32)
    return RotatedWords(placed, len(source), _found_share(source, target))


def _found_share(source: Doubles, target: Doubles) -> float:
    """Share of the first words that are among the nearest of their own rotated vector, if each
    fifth of all words is left out of the fit in turn.
    """
    part = np.arange(len(source)) % _PARTS
    judged = target[:_MOST_JUDGED]
    found = 0
    for number in range(_PARTS):
        rotation = rotation_between(source[part != number], target[part != number])
        rows = np.flatnonzero(part[: len(judged)] == number)
        cosines = (source[rows] @ rotation) @ judged.T
        own = cosines[np.arange(len(rows)), rows]
        found += int(((cosines > own[:, None]).sum(axis=1) < NEAREST).sum())
    return found / len(judged)
