"""Alignment of two spaces: vectors by an orthogonal map, layouts by rotation, scaling and
shift.

Source: Schönemann 1966, A generalized solution of the orthogonal Procrustes problem; for word
vectors Hamilton, Leskovec & Jurafsky 2016, Diachronic Word Embeddings, section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class Alignment:
    """The orthogonal map that brings one model's unit vectors closest to another's.

    rotation : float64[d_source, d_target]; ``source.unit @ rotation`` is in the space of the
    target. Between equal dimensions it is orthogonal (it may mirror), so that cosines within the
    source stay the same; into more dimensions its rows are orthonormal, into fewer its columns
    words : the n words it was fitted to, in the source's order
    source_rows, target_rows : int64[n], their rows in each model
    residual : float64[n], distance in 0..2 between a word's two unit vectors after the map
    """

    rotation: Doubles
    words: tuple[str, ...]
    source_rows: Ints
    target_rows: Ints
    residual: Doubles

    @property
    def rms(self) -> float:
        """Root mean square of the residuals."""
        return float(np.sqrt(np.mean(self.residual**2)))


def align(source: Embeddings, target: Embeddings, words: Iterable[str] | None = None) -> Alignment:
    """Fit the map to ``words``, or to all words that both models contain, except words without a
    vector.

    Unit vectors are compared without centring, as cosines do. Raises UserError if a model is sparse
    or fewer than two words are left.
    """
    if not isinstance(source.vectors, np.ndarray) or not isinstance(target.vectors, np.ndarray):
        raise UserError(
            tr(
                "Sparse vectors can’t be aligned with another model: the rotation matrix "
                "would have as many rows as the vocabulary has words."
            ),
            tr("Choose a model with dense vectors, such as svd."),
        )
    wanted = source.words if words is None else dict.fromkeys(words)
    pairs = [
        (word, source.index[word], target.index[word])
        for word in wanted
        if word in source.index and word in target.index
    ]
    pairs = [pair for pair in pairs if source.has_vector[pair[1]] and target.has_vector[pair[2]]]
    if len(pairs) < 2:
        raise UserError(
            tr(
                "Too few words to align the two models: they share only {number} of these words.",
                number=len(pairs),
            ),
            tr("Choose models of the same language."),
        )
    rows = np.array([pair[1:] for pair in pairs], dtype=np.int64)
    one = _unit(source.vectors[rows[:, 0]])
    other = _unit(target.vectors[rows[:, 1]])
    rotation = rotation_between(one, other)
    residual = np.sqrt(np.sum((one @ rotation - other) ** 2, axis=1))
    return Alignment(rotation, tuple(pair[0] for pair in pairs), rows[:, 0], rows[:, 1], residual)


def rotation_between(source: Doubles, target: Doubles) -> Doubles:
    """float64[d, e]: the R with orthonormal rows or columns that minimises ‖source·R − target‖.

    source : float64[n, d]; target : float64[n, e]. With U Σ Vᵀ = sourceᵀ·target, R = U Vᵀ.
    """
    u, _, vt = np.linalg.svd(source.T @ target, full_matrices=False)
    return np.asarray(u @ vt)


@dataclass(frozen=True, eq=False)
class Similarity:
    """Rotation (or reflection), scaling and shift of positions: x ↦ (x − centre)·turn·scale +
    place.

    centre, place : float64[k]; turn : float64[k, k], orthogonal
    """

    centre: Doubles
    turn: Doubles
    scale: float
    place: Doubles

    def __call__(self, positions: Singles) -> Singles:
        """float32[n, k], the transformed positions."""
        return np.asarray(
            (positions - self.centre) @ self.turn * self.scale + self.place, dtype=np.float32
        )


def similarity_between(source: Singles, target: Singles, scaled: bool = True) -> Similarity:
    """The similarity that brings positions ``source`` [n, k] closest to ``target`` [n, k], row by
    row.

    ``scaled`` false keeps distances. The scale of least squares is tr Σ / ‖source‖² (Schönemann &
    Carroll 1970). Fewer than two points, or points in one place, are only shifted.
    """
    k = source.shape[1]
    if not len(source):
        return Similarity(np.zeros(k), np.eye(k), 1.0, np.zeros(k))
    centre, place = source.mean(axis=0, dtype=np.float64), target.mean(axis=0, dtype=np.float64)
    one, other = source - centre, target - place
    size = float((one**2).sum())
    if size <= 0 or not other.any():
        return Similarity(centre, np.eye(k), 1.0, place)
    u, strengths, vt = np.linalg.svd(one.T @ other)
    return Similarity(
        centre, np.asarray(u @ vt), float(strengths.sum()) / size if scaled else 1.0, place
    )


def _unit(rows: Singles) -> Doubles:
    doubles = rows.astype(np.float64)
    return np.asarray(doubles / np.linalg.norm(doubles, axis=1, keepdims=True))
