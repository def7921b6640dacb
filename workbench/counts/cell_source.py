"""Sources of cells for algorithms: a matrix in memory or in shards on disk.

Readers iterate over pieces of limited size, in the order of rows, as often as needed, and ask the
source for arrays for their results: in memory, or mapped from disk, like the cells themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.job_control import JobControl
from workbench.counts.association import LogChance, SparseRows, associate, keep_positive, margins_of
from workbench.counts.shards import ShardedCounts
from workbench.counts.temp_arrays import create_temp_array

PIECE = 1 << 18  # cells processed at a time: 3 MB, and some 16 MB for derived values


class CellBlock(NamedTuple):
    """Rows from ``first`` on. indptr : int64[rows + 1], from 0; columns : int32[n], sorted within
    rows; values : float64[n]
    """

    first: int
    indptr: Ints
    columns: Ids
    values: Doubles

    @property
    def rows(self) -> Ids:
        """The row of every cell, int32[n]."""
        numbers = np.arange(self.first, self.first + len(self.indptr) - 1, dtype=np.int32)
        return np.repeat(numbers, np.diff(self.indptr))


class CellSource(ABC):
    """A table float64[V, V] of cells above 0. Pieces may be read in several threads.

    size : V; nnz : number of cells; held : whether it is in memory
    own_contexts : the contexts of the columns if they aren't the words of the rows: the table is
    then float64[V, C]
    """

    size: int
    nnz: int
    held: bool
    own_contexts: Sequence[str] | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.size if self.own_contexts is None else len(self.own_contexts)

    @abstractmethod
    def cuts(
        self, first: int = 0, last: int | None = None, cells: int = PIECE
    ) -> list[tuple[int, int]]:
        """Ranges of rows from ``first`` to ``last`` with about ``cells`` cells each; a row is never
        cut.
        """

    @abstractmethod
    def piece(self, first: int, last: int) -> CellBlock:
        """A range of rows from ``cuts``, read-only. Raises UserError if it cannot be read."""

    @abstractmethod
    def room(self, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array [size] for values derived from all cells. Raises UserError."""

    def pieces(
        self, first: int = 0, last: int | None = None, cells: int = PIECE
    ) -> Iterator[CellBlock]:
        for stretch in self.cuts(first, last, cells):
            yield self.piece(*stretch)

    def select_rows(self, rows: Ints, cells: int = PIECE) -> Iterator[CellBlock]:
        """Chosen rows, renumbered from row 0, in pieces of about ``cells`` cells.

        rows : in ascending order
        """
        parts: list[CellBlock] = []
        sizes: list[int] = []
        held = 0
        for number, row in enumerate(rows.tolist()):
            parts.append(self.piece(row, row + 1))
            sizes.append(len(parts[-1].columns))
            held += sizes[-1]
            if number + 1 == len(rows) or held >= cells:
                yield CellBlock(
                    number + 1 - len(parts),
                    np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
                    np.concatenate([part.columns for part in parts]),
                    np.concatenate([part.values for part in parts]),
                )
                parts, sizes, held = [], [], 0

    def where(self, run: JobControl) -> tuple[Ints, Ids]:
        """Pattern of the cells: indptr int64[V + 1] and columns int32[nnz], sorted within rows.
        Raises Cancelled.
        """
        indptr, columns = np.zeros(self.size + 1, dtype=np.int64), self.room(self.nnz, np.int32)
        for piece in self.pieces():
            run.check()
            begin = indptr[piece.first]
            columns[begin : begin + len(piece.columns)] = piece.columns
            indptr[piece.first + 1 : piece.first + len(piece.indptr)] = begin + piece.indptr[1:]
        return indptr, columns

    def csr(self) -> sp.csr_matrix:
        """The whole table in memory: CSR float64[V, V]."""
        parts = list(self.pieces())
        indptr = np.concatenate(
            [[0], np.cumsum(np.concatenate([np.diff(part.indptr) for part in parts]))]
        )
        columns = np.concatenate([part.columns for part in parts])
        values = np.concatenate([part.values for part in parts])
        return sp.csr_matrix((values, columns, indptr), shape=(self.size, self.size))


class Counts(CellSource):
    """A source of counts, with sums over all of them."""

    @cached_property
    def sums(self) -> tuple[Doubles, Doubles]:
        """#(w) and #(c), the sums of rows and columns: float64[V] each."""
        of_rows, of_columns = np.zeros(self.size), np.zeros(self.size)
        for piece in self.pieces():
            height = len(piece.indptr) - 1
            here = np.bincount(piece.rows - piece.first, piece.values, height)
            of_rows[piece.first : piece.first + height] = here
            of_columns += np.bincount(piece.columns, piece.values, self.size)
        return of_rows, of_columns

    @property
    def row_sums(self) -> Doubles:
        return self.sums[0]

    @property
    def column_sums(self) -> Doubles:
        return self.sums[1]

    @property
    def total(self) -> float:
        """|D|, the sum of all cells."""
        return float(self.row_sums.sum())

    @abstractmethod
    def positive(self, shift: float, context_smoothing: float, run: JobControl) -> CellSource:
        """max(PMI_α − log k, 0), positive cells only (``associate``'s sppmi). Raises Cancelled."""


class Held(Counts):
    """A CSR matrix in memory."""

    held = True

    def __init__(self, matrix: sp.csr_matrix, own_contexts: Sequence[str] | None = None) -> None:
        self.matrix = matrix
        self.own_contexts = own_contexts
        if not matrix.has_sorted_indices:
            self.matrix = matrix.sorted_indices()
        self.size, self.nnz = matrix.shape[0], int(matrix.nnz)
        self._indptr = self.matrix.indptr.astype(np.int64, copy=False)
        self._columns = self.matrix.indices.astype(np.int32, copy=False)
        self._values = self.matrix.data.astype(np.float64, copy=False)

    def cuts(
        self, first: int = 0, last: int | None = None, cells: int = PIECE
    ) -> list[tuple[int, int]]:
        return cut(self._indptr, first, self.size if last is None else last, cells)

    def piece(self, first: int, last: int) -> CellBlock:
        begin, end = int(self._indptr[first]), int(self._indptr[last])
        indptr = self._indptr[first : last + 1] - begin
        return CellBlock(first, indptr, self._columns[begin:end], self._values[begin:end])

    def room(self, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return np.empty(size, dtype)

    @cached_property
    def sums(self) -> tuple[Doubles, Doubles]:
        rows, columns = (
            np.asarray(self.matrix.sum(axis=axis), dtype=np.float64).ravel() for axis in (1, 0)
        )
        return rows, columns

    def positive(self, shift: float, context_smoothing: float, run: JobControl) -> CellSource:
        positive = associate(self.matrix, "sppmi", shift, context_smoothing, run)
        return Held(positive, self.own_contexts)

    def select_rows(self, rows: Ints, cells: int = PIECE) -> Iterator[CellBlock]:
        part = self.matrix[rows]
        yield CellBlock(
            0, part.indptr.astype(np.int64), part.indices.astype(np.int32, copy=False), part.data
        )

    def where(self, run: JobControl) -> tuple[Ints, Ids]:
        return self._indptr, self._columns

    def csr(self) -> sp.csr_matrix:
        return self.matrix


class Mapped(Counts):
    """The first ``size`` rows and columns of sharded counts. Cells are copied a piece at a time."""

    held = False

    def __init__(self, shards: ShardedCounts, size: int, run: JobControl) -> None:
        self.size = size
        self._shards = shards
        self._firsts = np.array([shard.first for shard in shards.shards if shard.first < size])
        self._parts = [shards.rows(number) for number in range(len(self._firsts))]
        self._whole = size == len(shards.vocabulary)
        self.nnz = shards.nnz
        if not self._whole:
            self.nnz = 0
            for piece in self.pieces():
                run.check()
                self.nnz += len(piece.columns)

    def cuts(
        self, first: int = 0, last: int | None = None, cells: int = PIECE
    ) -> list[tuple[int, int]]:
        if last is None:
            last = self.size
        found: list[tuple[int, int]] = []
        for begin, part in zip(self._firsts.tolist(), self._parts, strict=True):
            low, high = max(first, begin), min(last, begin + part.shape[0])
            if low < high:
                inner = cut(part.indptr, low - begin, high - begin, cells)
                found.extend((begin + one, begin + two) for one, two in inner)
        return found

    def piece(self, first: int, last: int) -> CellBlock:
        number = int(np.searchsorted(self._firsts, first, side="right")) - 1
        return piece_of(self._parts[number], int(self._firsts[number]), first, last, self.size)

    def room(self, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return create_temp_array(size, dtype)

    @cached_property
    def sums(self) -> tuple[Doubles, Doubles]:
        if self._whole:
            return (self._shards.row_sums(), self._shards.column_sums())
        return super().sums

    def positive(self, shift: float, context_smoothing: float, run: JobControl) -> CellSource:
        return Positive(self, shift, context_smoothing, run)


class Positive(CellSource):
    """max(PMI_α − log k, 0) of counts that aren’t in memory, computed again whenever a piece is
    read.
    """

    held = False

    def __init__(
        self, counts: Counts, shift: float, context_smoothing: float, run: JobControl
    ) -> None:
        self.size = counts.size
        self._counts = counts
        sums = margins_of(counts.row_sums, counts.column_sums, context_smoothing)
        self._chance = LogChance(sums.log_rows, sums.log_contexts, float(np.log(shift)))
        self._sizes = np.zeros(self.size, dtype=np.int64)
        for piece in self.pieces():
            run.check()
            self._sizes[piece.first : piece.first + len(piece.indptr) - 1] = np.diff(piece.indptr)
        self.nnz = int(self._sizes.sum())

    def cuts(
        self, first: int = 0, last: int | None = None, cells: int = PIECE
    ) -> list[tuple[int, int]]:
        return self._counts.cuts(first, last, cells)

    def piece(self, first: int, last: int) -> CellBlock:
        seen = self._counts.piece(first, last)
        return positive_piece(seen, self._chance)

    def room(self, size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return self._counts.room(size, dtype)


def piece_of(part: sp.csr_matrix, offset: int, first: int, last: int, size: int) -> CellBlock:
    """A copy of rows ``first`` to ``last`` and the first ``size`` columns of a table; ``part``
    contains the table's rows from ``offset`` on.
    """
    indptr = part.indptr[first - offset : last - offset + 1].astype(np.int64)
    cells = slice(int(indptr[0]), int(indptr[-1]))
    indptr -= indptr[0]
    columns, values = (
        np.array(part.indices[cells], np.int32),
        np.array(part.data[cells], np.float64),
    )
    if size < part.shape[1]:
        kept = columns < size
        indptr = np.concatenate(([0], np.cumsum(kept)))[indptr]
        columns, values = columns[kept], values[kept]
    return CellBlock(first, indptr, columns, values)


def positive_piece(seen: CellBlock, chance: LogChance) -> CellBlock:
    """max(PMI_α − log k, 0) of counts, positive cells only."""
    out = SparseRows(
        np.empty_like(seen.indptr), np.empty_like(seen.columns), np.empty_like(seen.values)
    )
    # numpy's logarithm is several times as fast as a kernel's.
    logs = SparseRows(seen.indptr, seen.columns, np.log(seen.values))
    keep_positive(seen.first, logs, chance, out)
    end = out.ends[-1]
    return CellBlock(seen.first, out.ends, out.columns[:end], out.values[:end])


def cut(indptr: npt.NDArray[Any], first: int, last: int, cells: int) -> list[tuple[int, int]]:
    """Rows ``first`` to ``last`` in ranges of at most ``cells`` cells, but at least one row."""
    if first >= last:
        return []
    marks = np.arange(int(indptr[first]) + cells, int(indptr[last]), cells)
    inner = np.searchsorted(indptr[first : last + 1], marks, side="right") - 1 + first
    return list(pairwise(np.unique(np.concatenate(([first], inner, [last]))).tolist()))
