"""Sums and portions of large tables of counts, and values of rows spread over their cells.

scipy and numpy hold the GIL for the whole operation, which blocks the window: for 0.3 s with the
eleven million cells of fourteen million tokens. Here it is done in blocks of cells. Kernels would
take a quarter of the time, but the compiler 120 MB of the window’s memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ints

_CELLS = 1 << 17


def sums(table: sp.csr_matrix) -> tuple[Doubles, Doubles]:
    """float64[V] of the rows and float64[U] of the columns of a table [V, U]."""
    rows, columns = np.zeros(table.shape[0]), np.zeros(table.shape[1])
    for part, row in blocks(table.indptr):
        values = table.data[part]
        np.add.at(rows, row, values)
        np.add.at(columns, table.indices[part], values)
    return rows, columns


def portion(table: sp.csr_matrix, ids: Ints) -> sp.csr_matrix:
    """table[ids][:, ids] of a square table, as CSR float64[n, n] with sorted columns; ids are
    unique.
    """
    place = np.full(table.shape[1], -1, dtype=np.int32)
    place[ids] = np.arange(len(ids), dtype=np.int32)
    begins = table.indptr[:-1][ids].astype(np.int64)
    # Where the cells of each row would begin without removing any.
    ends = np.zeros(len(ids) + 1, dtype=np.int64)
    np.cumsum(table.indptr[1:][ids] - begins, out=ends[1:])
    starts = np.zeros(len(ids) + 1, dtype=np.int64)
    columns = [np.empty(0, dtype=np.int32)]
    values = [np.empty(0)]
    for part, row in blocks(ends):
        at = np.arange(part.start, part.stop) + (begins - ends[:-1])[row]
        column = place[table.indices[at]]
        kept = column >= 0
        columns.append(column[kept])
        values.append(table.data[at[kept]].astype(np.float64, copy=False))
        np.add.at(starts, row[kept] + 1, 1)
    np.cumsum(starts, out=starts)
    cells = (np.concatenate(values), np.concatenate(columns), starts)
    matrix = sp.csr_matrix(cells, shape=(len(ids), len(ids)))
    matrix.sort_indices()
    return matrix


def spread(values: npt.NDArray[Any], starts: npt.NDArray[np.integer]) -> Doubles:
    """float64[cells]: for every cell, the value of its row; ``starts`` [n + 1] are the starts of
    the rows.
    """
    spread_values = np.empty(int(starts[-1]))
    for part, row in blocks(starts):
        spread_values[part] = values[row]
    return spread_values


def blocks(starts: npt.NDArray[np.integer]) -> Iterator[tuple[slice, Ints]]:
    """Cells of a CSR matrix in blocks, with the row of each cell, int64; ``starts`` is its indptr.

    A row may continue in the next block.
    """
    cells = int(starts[-1])
    for begin in range(0, cells, _CELLS):
        end = min(begin + _CELLS, cells)
        first, last = np.searchsorted(starts, [begin, end - 1], side="right") - 1
        borders = np.clip(starts[first : last + 2], begin, end)
        yield slice(begin, end), np.repeat(np.arange(first, last + 1), np.diff(borders))
