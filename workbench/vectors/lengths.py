"""Lengths of vectors, and vectors of unit length, computed in float64.

In float32, the square of a number beyond 1.8·10¹⁹ is infinite, that of a number below 10⁻²³ is 0,
and a sum of millions of squares loses its last digits. So tables are converted to float64, a few
rows at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.machine.threads import share_rows

# Numbers per block: some megabytes of float64.
_NUMBERS = 1 << 20
# Bytes of a table from which threads share the work, and numbers that fit in a processor’s cache.
_SHARED_FROM, _SHARED = 64 << 20, 1 << 17
# Vectors that are shorter than this share of a long one are rounding errors. The quantile makes a
# few extremely long vectors harmless.
_DUST, _LONG = 1e-8, 0.95


def lengths(table: Any) -> Doubles:
    """float64[V], the Euclidean length of each row of a dense or CSR table."""
    if not isinstance(table, np.ndarray):
        squares = table.data.astype(np.float64) ** 2
        sums = np.bincount(
            np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)), squares, table.shape[0]
        )
        return np.sqrt(sums)
    found = np.empty(len(table))

    def work(first: int, end: int) -> None:
        rows = table[first:end].astype(np.float64)
        found[first:end] = np.sqrt(np.einsum("ij,ij->i", rows, rows))

    if table.nbytes >= _SHARED_FROM:
        share_rows(len(table), work, max(1, _SHARED // max(table.shape[1], 1)))
    else:
        for part in blocks(table.shape):
            work(part.start, part.stop)
    return found


def without_dust(found: Doubles) -> Doubles:
    """Lengths, with 0 for those that are rounding errors beside the others.

    A factorisation leaves such errors where a row of its matrix is empty, and at unit length they
    would look like vectors.
    """
    some = found[found > 0]
    if not len(some):
        return found
    long = np.quantile(some, _LONG, method="lower")
    return np.where(found > _DUST * long, found, 0.0)


def unit_rows(table: Any, known: Doubles | None = None) -> Any:
    """float32 rows at unit length, in the type and shape of ``table``; rows of length 0 are 0.
    ``known``: its lengths.
    """
    found = lengths(table) if known is None else known
    divisors = np.where(found > 0, found, np.inf)
    if not isinstance(table, np.ndarray):
        numbers = table.data / np.repeat(divisors, np.diff(table.indptr))
        return sp.csr_matrix((numbers.astype(np.float32), table.indices, table.indptr), table.shape)
    unit = np.empty(table.shape, dtype=np.float32)
    for part in blocks(table.shape):
        unit[part] = table[part] / divisors[part, None]
    return unit


def blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Ranges of rows with some megabytes of float64 each."""
    step = max(1, _NUMBERS // max(shape[1], 1))
    for start in range(0, shape[0], step):
        yield slice(start, min(start + step, shape[0]))
