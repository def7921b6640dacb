"""New words on a finished map, whose words stay where they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.projection.fuzzy_graph import new_weights
from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import compose, subwords_of

# Largest difference from a linear map, as a share of the largest coordinate.
_EXACT = 1e-3


def unit_rows(embeddings: Embeddings, words: Sequence[str]) -> Singles:
    """Vectors of words, scaled to length 1: float32[m, d]. Words that aren't in the vocabulary are
    composed of n-grams.

    Raises UserError for an unknown word without n-grams, and for a word whose vector is zero.
    """
    rows = np.empty((len(words), embeddings.dim), dtype=np.float32)
    for place, word in enumerate(words):
        row = embeddings.find(word)
        if row is not None:
            vector = dense_rows(embeddings.vectors, np.array([row]))[0].astype(np.float32)
        elif subwords_of(embeddings) is None:
            raise UserError(
                tr(
                    "“{word}” isn’t in the vocabulary, and these vectors aren’t built from "
                    "n-grams.",
                    word=word,
                ),
                tr("Train fasttext or open a fastText model."),
            )
        else:
            vector = compose(embeddings, word).vector
        length = float(np.linalg.norm(vector))
        if length == 0:
            raise UserError(
                tr("The vector of “{word}” is zero.", word=word), tr("Choose another word.")
            )
        rows[place] = vector / np.float32(length)
    return rows


def place_on_axes(unit: Singles | sp.csr_matrix, positions: Singles, new: Singles) -> Singles:
    """Positions of new words on a map by PCA: float32[m, dims], exact.

    unit : float32[n, d], unit rows of the words on the map, at ``positions`` float32[n, dims],
    which may be rotated or mirrored
    new : float32[m, d], unit rows of the new words

    With U the centred rows and A the axes, the positions are P = U A R with a rotation R, and
    UᵀU A = A Λ. So A R = UᵀP (PᵀP)⁻¹, without searching the axes again.
    """
    mean = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    middle = positions.mean(axis=0, dtype=np.float64)
    centred = positions - middle
    axes = (unit.T @ centred) @ np.linalg.pinv(centred.T @ centred)
    return np.asarray((new - mean) @ axes + middle, dtype=np.float32)


def place_linearly(
    unit: Singles | sp.csr_matrix, positions: Singles, new: Singles
) -> Singles | None:
    """Positions of new words on a map whose positions are linear functions of the vectors: float32
    [m, dims], exact. None if the positions aren't linear, or if the map has too few words to
    determine the functions.

    Arguments as for ``place_on_axes``.
    """
    if not isinstance(unit, np.ndarray) or len(unit) <= unit.shape[1] + 1:
        return None
    known = np.column_stack([unit, np.ones(len(unit))]).astype(np.float64)
    with BLAS_ALONE:
        axes = np.linalg.lstsq(known.T @ known, known.T @ positions, rcond=None)[0]
    if np.abs(known @ axes - positions).max() > _EXACT * np.abs(positions).max():
        return None
    return np.asarray(new @ axes[:-1] + axes[-1], dtype=np.float32)


def place_between(
    unit: Singles | sp.csr_matrix, positions: Singles, new: Singles, n_neighbors: int
) -> Singles:
    """Positions of new words on a map of neighbours, at once: float32[m, dims].

    Each is the mean of its nearest words' positions, weighted as UMAP weights edges: the place at
    which umap-learn's ``transform`` starts, before its epochs. Arguments as for ``place_on_axes``.
    """
    cosines = np.asarray((unit @ new.T).T, dtype=np.float32)
    count = min(n_neighbors, cosines.shape[1])
    near = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    near = np.take_along_axis(
        near, np.argsort(-np.take_along_axis(cosines, near, axis=1), axis=1, kind="stable"), axis=1
    )
    distances = np.maximum(1 - np.take_along_axis(cosines, near, axis=1), 0)
    weights = new_weights(distances)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((weights[:, :, None] * positions[near]).sum(axis=1), dtype=np.float32)
