"""Selection of the highest scores, and cosines against a query."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Singles
from workbench.vectors.embeddings import Embeddings

_DIGITS = 13
# Maximum number of float64 values at a time.
_NUMBERS = 1 << 21


def best_rows(
    scores: npt.NDArray[np.floating], n: int, exclude: Collection[int] = ()
) -> npt.NDArray[np.intp]:
    """Rows of the ``n`` highest scores without ``exclude``, best first, equal ones in order of row;
    scores of −∞ never count.
    """
    scores = scores.copy()
    scores[list(exclude)] = -np.inf
    return _rows_above(scores, n, 0.0)[:n]


def exactly_best(
    scores: npt.NDArray[np.floating],
    n: int,
    exclude: Collection[int],
    slack: float,
    exact: Callable[[npt.NDArray[np.intp]], Doubles],
) -> tuple[npt.NDArray[np.intp], Doubles]:
    """Rows and scores of the ``n`` best, like ``best_rows``, by the scores that ``exact`` computes
    for rows. The error of ``scores`` is less than half of ``slack``, so ``exact`` is called for all
    rows that could be among the best.
    """
    scores = scores.copy()
    scores[list(exclude)] = -np.inf
    return best_among(np.sort(_rows_above(scores, n, slack)), n, exact)


def best_among(
    rows: npt.NDArray[np.intp], n: int, exact: Callable[[npt.NDArray[np.intp]], Doubles]
) -> tuple[npt.NDArray[np.intp], Doubles]:
    """Rows and scores of the ``n`` best of some ascending rows, by the scores that ``exact``
    computes; equal ones in order of row.
    """
    values = exact(rows)
    # Differences in the last digits of a sum count as equal.
    order = np.argsort(-np.round(values, _DIGITS), kind="stable")[:n]
    return rows[order], values[order]


def _rows_above(scores: npt.NDArray[np.floating], n: int, slack: float) -> npt.NDArray[np.intp]:
    """Rows of all scores above, or within ``slack`` of, the ``n``th highest, best first; scores of
    −∞ never count.
    """
    n = min(n, int(np.count_nonzero(scores > -np.inf)))
    if n <= 0:
        return np.empty(0, dtype=np.intp)
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    candidates = np.flatnonzero((scores >= least - slack) & (scores > -np.inf))
    order = np.argsort(-scores[candidates], kind="stable")
    return candidates[order]


def slack_of(embeddings: Embeddings) -> float:
    """More than twice the maximum error of a cosine of these vectors in float32."""
    return float(1e-6 + 8 * np.finfo(np.float32).eps * np.sqrt(embeddings.dim))


def unit_rows(embeddings: Embeddings, rows: npt.ArrayLike) -> Singles:
    """float32[len(rows), d], these unit vectors, dense."""
    return _dense(embeddings.unit_of(np.asarray(rows, dtype=np.intp)))


def dense_rows(matrix: Singles | sp.csr_matrix, rows: npt.ArrayLike) -> Singles:
    """float32[len(rows), d], these rows of a dense or CSR table, dense."""
    return _dense(matrix[np.asarray(rows, dtype=np.intp)])


def _dense(chosen: Singles | sp.csr_matrix) -> Singles:
    if isinstance(chosen, np.ndarray):
        return chosen
    return np.asarray(chosen.toarray(), dtype=np.float32)


def unit_doubles(embeddings: Embeddings, rows: npt.ArrayLike) -> Doubles:
    """float64[len(rows), d], these vectors at length 1 (0 for a word without a vector), not
    rounded to float32.
    """
    rows = np.asarray(rows, dtype=np.intp)
    norms = embeddings.norms[rows]
    return (
        dense_rows(embeddings.vectors, rows).astype(np.float64)
        / np.where(norms > 0, norms, np.inf)[:, None]
    )


def cosines(embeddings: Embeddings, queries: npt.NDArray[np.floating]) -> Singles:
    """float32[V, q], products of every unit vector with unit queries [q, d]; −∞ for words
    without a vector.
    """
    found = np.asarray(embeddings.unit @ queries.T.astype(np.float32), dtype=np.float32)
    found[~embeddings.has_vector] = -np.inf
    return found


def exact_cosines(embeddings: Embeddings, rows: npt.NDArray[np.intp], queries: Doubles) -> Doubles:
    """float64[len(rows), q], cosines of some rows in float64; equal vectors have equal cosines."""
    found = np.empty((len(rows), len(queries)))
    step = max(1, _NUMBERS // max(embeddings.dim, 1))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        # A BLAS product may depend on the position of a row.
        found[part] = np.einsum("ij,kj->ik", unit_doubles(embeddings, rows[part]), queries)
    return found
