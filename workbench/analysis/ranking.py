"""The best few of many scores, and cosines against a query: what every ranked answer shares."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.vectors.embeddings import Embeddings, Floats


def best(scores: npt.NDArray[np.floating], n: int, exclude: Collection[int] = ()) -> npt.NDArray[np.intp]:
    """Rows of the ``n`` greatest scores without ``exclude``, best first, equal ones in order of row."""
    scores = scores.copy()
    scores[list(exclude)] = -np.inf
    n = min(n, len(scores) - len(set(exclude)))
    if n <= 0:
        return np.empty(0, dtype=np.intp)
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    candidates = np.flatnonzero(scores >= least)
    order = np.argsort(-scores[candidates], kind="stable")
    return candidates[order[:n]]


def unit_rows(embeddings: Embeddings, rows: npt.ArrayLike) -> Floats:
    """float32[len(rows), d], those unit vectors, dense."""
    return dense_rows(embeddings.unit, rows)


def dense_rows(matrix: Floats | sp.csr_matrix, rows: npt.ArrayLike) -> Floats:
    """float32[len(rows), d], those rows of a dense or CSR table, dense."""
    chosen = matrix[np.asarray(rows, dtype=np.intp)]
    return chosen if isinstance(chosen, np.ndarray) else np.asarray(chosen.toarray(), dtype=np.float32)


def cosines(embeddings: Embeddings, queries: Floats) -> Floats:
    """float32[V, q], products of every unit vector with queries float32[q, d]."""
    return np.asarray(embeddings.unit @ queries.T, dtype=np.float32)
