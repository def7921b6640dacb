"""Sums and portions of large tables of counts, and values of rows spread over their cells.

scipy and numpy do these under the interpreter's lock, which stops the window for as long: 0.3 s for
the eleven million cells of fourteen million tokens.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.jit import kernel


def sums(table: sp.csr_matrix) -> tuple[Doubles, Doubles]:
    """float64[V] of the rows and float64[U] of the columns of a table [V, U]."""
    rows, columns = np.zeros(table.shape[0]), np.zeros(table.shape[1])
    _sum(*_parts(table), rows, columns)
    return rows, columns


def portion(table: sp.csr_matrix, ids: Ints) -> sp.csr_matrix:
    """table[ids][:, ids] of a square table, as CSR float64[n, n] with sorted columns; ids are
    unique.
    """
    parts = _parts(table)
    place = np.full(table.shape[1], -1, dtype=np.int32)
    place[ids] = np.arange(len(ids), dtype=np.int32)
    starts = np.zeros(len(ids) + 1, dtype=np.int64)
    _count(parts.starts, parts.columns, ids, place, starts)
    np.cumsum(starts, out=starts)
    out = _Parts(starts, np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1]))
    _copy(parts, ids, place, out)
    matrix = sp.csr_matrix((out.values, out.columns, starts), shape=(len(ids), len(ids)))
    matrix.sort_indices()
    return matrix


def spread(values: npt.NDArray[Any], starts: npt.NDArray[np.integer]) -> Doubles:
    """float64[cells]: the value of its row for every cell; ``starts`` [n + 1] is where the rows
    begin.
    """
    spread_values = np.empty(int(starts[-1]))
    _spread(np.ascontiguousarray(values, dtype=np.float64), starts.astype(np.int64), spread_values)
    return spread_values


class _Parts(NamedTuple):
    """Arrays of a CSR matrix."""

    starts: Ints
    columns: Ids
    values: Doubles


def _parts(table: sp.csr_matrix) -> _Parts:
    """Arrays for the kernels, with uniform dtypes and flags."""
    parts = (table.indptr.astype(np.int64), table.indices.astype(np.int32, copy=False).view())
    values = table.data.astype(np.float64, copy=False).view()
    for part in (*parts, values):
        part.flags.writeable = False
    return _Parts(*parts, values)


@kernel
def _sum(starts: Ints, columns: Ids, values: Doubles, rows: Doubles, below: Doubles) -> None:
    for row in range(len(starts) - 1):
        total = 0.0
        for at in range(starts[row], starts[row + 1]):
            total += values[at]
            below[columns[at]] += values[at]
        rows[row] = total


@kernel
def _spread(values: Doubles, starts: Ints, out: Doubles) -> None:
    for row in range(len(starts) - 1):
        for at in range(starts[row], starts[row + 1]):
            out[at] = values[row]


@kernel
def _count(starts: Ints, columns: Ids, ids: Ints, place: Ids, sizes: Ints) -> None:
    for row in range(len(ids)):
        for at in range(starts[ids[row]], starts[ids[row] + 1]):
            if place[columns[at]] >= 0:
                sizes[row + 1] += 1


@kernel
def _copy(cells: _Parts, ids: Ints, place: Ids, out: _Parts) -> None:
    """Copy the cells of rows and columns ``ids`` to the rows of ``out``."""
    starts, columns, values = cells
    begins, kept, amounts = out
    for row in range(len(ids)):
        to = begins[row]
        for at in range(starts[ids[row]], starts[ids[row] + 1]):
            here = place[columns[at]]
            if here >= 0:
                kept[to] = here
                amounts[to] = values[at]
                to += 1
