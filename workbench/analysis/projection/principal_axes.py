"""Words on the principal axes of their vectors (PCA)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Singles
from workbench.core.machine.threads import BLAS_ALONE

_BLOCK = 8192
# Beyond this the d × d covariance costs more than a randomised search for a few directions.
_WIDEST_EXACT = 1500
_OVERSAMPLING = 10
_POWER_ITERATIONS = 8


def pca(vectors: Singles | sp.csr_matrix, dims: int = 2) -> Singles:
    """The rows on their first principal axes: float32[V, dims], centred, in the vectors' units.

    vectors : [V, d], dense or CSR. Each axis points so that its largest coordinate (of d) is
    positive, which makes the result deterministic. Axes that do not exist are zero. Exact, from the
    eigenvectors of the covariance; for sparse or very wide tables by randomised subspace iteration
    (Halko, Martinsson & Tropp 2011, algorithm 4.4), without making them dense.
    """
    size, width = vectors.shape
    mean = np.asarray(vectors.mean(axis=0), dtype=np.float64).ravel()
    count = min(dims, size, width)
    result = np.zeros((size, dims), dtype=np.float32)
    with BLAS_ALONE:
        if isinstance(vectors, np.ndarray) and width <= _WIDEST_EXACT:
            axes = _exact_axes(vectors, mean, count)
        else:
            axes = _random_axes(vectors, mean, count)
        strongest = np.argmax(np.abs(axes), axis=0)
        axes = axes * np.where(axes[strongest, np.arange(count)] < 0, -1.0, 1.0)
        result[:, :count] = vectors @ axes - mean @ axes
    return result


def _exact_axes(vectors: Singles, mean: Doubles, count: int) -> Doubles:
    width = vectors.shape[1]
    covariance = np.zeros((width, width))
    for at in range(0, len(vectors), _BLOCK):
        block = vectors[at : at + _BLOCK] - mean
        covariance += block.T @ block
    _, axes = np.linalg.eigh(covariance)
    return np.ascontiguousarray(axes[:, ::-1][:, :count])


def _random_axes(vectors: Singles | sp.csr_matrix, mean: Doubles, count: int) -> Doubles:
    size, width = vectors.shape
    if not isinstance(vectors, np.ndarray):
        vectors = vectors.astype(np.float64)  # once, not for every product
    random = np.random.default_rng(0)
    basis = random.normal(size=(width, min(count + _OVERSAMPLING, size, width)))
    for _ in range(_POWER_ITERATIONS):
        image, _ = np.linalg.qr(vectors @ basis - mean @ basis)
        basis, _ = np.linalg.qr(vectors.T @ image - np.outer(mean, image.sum(axis=0)))
    _, _, inner = np.linalg.svd(vectors @ basis - mean @ basis, full_matrices=False)
    return np.asarray(basis @ inner[:count].T)
