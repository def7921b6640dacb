"""The largest singular values of a sparse matrix to two digits, for the start of a training.

Subspace iteration with few steps in float32 (Halko, Martinsson & Tropp 2011, algorithm 4.4), of the
first rows and columns only; all others are folded in. ``count/truncated_svd.py`` finds all digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Singles
from workbench.core.job_control import JobControl
from workbench.models.count.truncated_svd import multiply, prepare_sparse

# Minimum number of columns beyond the rank, and multiplications with MᵀM after the first product.
_EXTRA, STEPS = 10, 3
# Numbers of a cache line: narrower columns would be filled up with zeros.
_LINE = 16
# Directions below this share of the largest are rounding errors of float32.
_NEGLIGIBLE = 1e-5


class Parts(NamedTuple):
    """A matrix M [V, V] in CSR float32, without the pairs of two rare words.

    block : M among the F first words; across : its transpose
    below : M of the others with them, [V − F, F]; beside : Mᵀ of the others with them, [V − F, F]
    """

    block: sp.csr_matrix
    across: sp.csr_matrix
    below: sp.csr_matrix
    beside: sp.csr_matrix


class Factors(NamedTuple):
    """W and C, float32[V, r], with W·Cᵀ ≈ M."""

    W: Singles
    C: Singles


def columns_of(rank: int) -> int:
    """Number of columns of the iteration for a rank."""
    return -(-(rank + _EXTRA) // _LINE) * _LINE


def factorise(
    parts: Parts, rank: int, draws: np.random.Generator, threads: int, run: JobControl
) -> Factors:
    """Factors of M with at most ``rank`` columns, the largest first: U √Σ and V √Σ with
    M ≈ U Σ Vᵀ among the first words. Another word's row is its row of M times V Σ^(−½), its
    least-squares solution; contexts likewise. The same for any number of ``threads``. Raises
    Cancelled.
    """

    size = parts.block.shape[0]
    width = min(columns_of(rank), size)
    block, across, below, beside = (prepare_sparse(part, np.float32, width) for part in parts)
    basis = draws.standard_normal((size, width), dtype=np.float32)
    basis = _orthonormal(multiply(block, basis, threads, run))
    for _ in range(STEPS):
        basis = _orthonormal(multiply(across, basis, threads, run))
        basis = _orthonormal(multiply(block, basis, threads, run))
    # Once leaves the square of the condition number as an error, which only matters at the end.
    basis = _orthonormal(basis)
    # block ≈ Q (Mᵀ Q)ᵀ; the small factor's singular vectors follow from its Gram matrix.
    small = multiply(across, basis, threads, run)
    squares, turned = np.linalg.eigh((small.T @ small).astype(np.float64))
    order = np.argsort(squares)[::-1][:rank]
    order = order[squares[order] > _NEGLIGIBLE**2 * max(squares.max(initial=0.0), 0.0)]
    values, turned = np.sqrt(squares[order]), turned[:, order]
    left = basis @ turned.astype(np.float32)
    right = small @ (turned / values).astype(np.float32)
    root, inverse = np.sqrt(values).astype(np.float32), (1 / np.sqrt(values)).astype(np.float32)
    return Factors(
        np.concatenate((left * root, multiply(below, right * inverse, threads, run))),
        np.concatenate((right * root, multiply(beside, left * inverse, threads, run))),
    )


def _orthonormal(block: Singles) -> Singles:
    """Orthonormal columns that span the columns of ``block``; fewer if these depend on each other.

    The Gram matrix’s eigenvectors take a twentieth of the time of Householder reflections.
    """
    squares, turned = np.linalg.eigh((block.T @ block).astype(np.float64))
    kept = squares > _NEGLIGIBLE**2 * squares.max(initial=np.finfo(np.float64).tiny)
    scaled: Singles = (turned[:, kept] / np.sqrt(squares[kept])).astype(np.float32)
    return np.asarray(block @ scaled)
