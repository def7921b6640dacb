"""Modes of W·Cᵀ: its singular values and vectors, and vectors rebuilt from the first of them.

With W = Q_W R_W and C = Q_C R_C, both by QR, and R_W R_Cᵀ = X Σ Yᵀ, a d×d product,

    W·Cᵀ = (Q_W X) Σ (Q_C Y)ᵀ

so that the V×V product is never formed. The factors of the first r modes are projections of the
trained ones, W_r = U_r U_rᵀ W and C_r = V_r V_rᵀ C: their product is U_r Σ_r V_rᵀ, and all modes
together restore W and C.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import blocks
from workbench.vectors.own_contexts import no_product_of_words
from workbench.vectors.postprocessing import apply_postprocessing, choice_of

# Key in the provenance of rebuilt vectors: {"kept": r, "of": d}.
MODES = "modes"

Table = npt.NDArray[np.floating]


class Modes(NamedTuple):
    """U Σ Vᵀ, the largest singular value first; signs make the largest entry of each left singular
    vector positive.

    left : float64[n, r]; values : float64[r]; right : float64[n, r]
    """

    left: Doubles
    values: Doubles
    right: Doubles


def missing_modes(embeddings: Embeddings) -> UserError | None:
    """Why W·Cᵀ has no modes here, or None."""
    if embeddings.sparse:
        return UserError(
            tr("Sparse vectors have no product W·Cᵀ of few dimensions."),
            tr("Train svd to see the modes of the same matrix."),
        )
    if embeddings.own_contexts is not None:
        return no_product_of_words(embeddings)
    if embeddings.contexts is None:
        return UserError(
            tr("These vectors have no context vectors, so W·Cᵀ is unknown."),
            tr("Train sgns, glove or svd, or open an .npz file that contains “contexts”."),
        )
    return None


def kept_modes(embeddings: Embeddings) -> tuple[int, int] | None:
    """(r, d) of vectors that ``keep_modes`` rebuilt, else None."""
    numbers = embeddings.metadata.get(MODES)
    if not isinstance(numbers, dict):
        return None
    return int(numbers["kept"]), int(numbers["of"])


def product_values(embeddings: Embeddings) -> Doubles:
    """float64[d], all singular values of W·Cᵀ. Raises UserError without context vectors."""
    W, C = _factors(embeddings)
    core = _triangle(W) @ _triangle(C).T
    return np.asarray(np.linalg.svd(core, compute_uv=False))


def product_modes(embeddings: Embeddings, most: int) -> Modes:
    """The first modes of W·Cᵀ with non-zero values. Raises UserError without context vectors."""
    W, C = _factors(embeddings)
    triangles = _triangle(W), _triangle(C)
    X, values, Y = np.linalg.svd(triangles[0] @ triangles[1].T)
    rank = int((values > values[0] * len(values) * np.finfo(np.float64).eps).sum())
    kept = min(most, rank)
    left = _times(W, np.linalg.pinv(triangles[0]) @ X[:, :kept])
    right = _times(C, np.linalg.pinv(triangles[1]) @ Y[:kept].T)
    largest = np.abs(left).argmax(axis=0)
    sign = np.where(left[largest, np.arange(kept)] < 0, -1.0, 1.0)
    return Modes(left * sign, values[:kept], right * sign)


def keep_modes(embeddings: Embeddings, number: int, run: JobControl | None = None) -> Embeddings:
    """The same words with vectors rebuilt from the first ``number`` modes of W·Cᵀ, post-processed
    as before, but without n-grams and training state. Raises UserError without context vectors, and
    Cancelled.
    """
    W, C = _factors(embeddings)
    triangles = _triangle(W), _triangle(C)
    X, _, Y = np.linalg.svd(triangles[0] @ triangles[1].T)
    sides = []
    for table, triangle, axes in zip((W, C), triangles, (X, Y.T), strict=True):
        if run is not None:
            run.check()
        first = axes[:, :number]
        sides.append(_times(table, np.linalg.pinv(triangle) @ first @ (first.T @ triangle)))
    dim = int(W.shape[1])
    metadata = {name: value for name, value in embeddings.metadata.items() if name != "vectors"}
    rebuilt = Embeddings(
        embeddings.words,
        sides[0].astype(np.float32),
        embeddings.counts,
        contexts=sides[1].astype(np.float32),
        biases=embeddings.biases,
        context_biases=embeddings.context_biases,
        metadata={**metadata, MODES: {"kept": min(number, dim), "of": dim}},
    )
    return apply_postprocessing(rebuilt, choice_of(embeddings), run)


def _factors(embeddings: Embeddings) -> tuple[Table, Table]:
    problem = missing_modes(embeddings)
    if problem is not None:
        raise problem
    assert embeddings.contexts is not None
    assert isinstance(embeddings.inputs, np.ndarray)
    return embeddings.inputs, embeddings.contexts


def _triangle(table: Table) -> Doubles:
    """R of the table's QR, float64[d, d], a few rows at a time, so that Q is never needed."""
    size = table.shape[1]
    triangle: Doubles = np.zeros((size, size))
    for part in blocks(table.shape):
        stacked = np.concatenate([triangle, table[part].astype(np.float64)])
        triangle = np.asarray(np.linalg.qr(stacked, mode="r"))
    return triangle


def _times(table: Table, matrix: Doubles) -> Doubles:
    """float64[V, r], a table times a small matrix, a few rows at a time."""
    found = np.empty((len(table), matrix.shape[1]))
    for part in blocks(table.shape):
        found[part] = table[part].astype(np.float64) @ matrix
    return found
