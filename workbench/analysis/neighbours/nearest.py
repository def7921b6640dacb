"""Nearest words by cosine: of one query, and of every word at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.analysis.neighbours.ranking import (
    best_among,
    cosines,
    exact_cosines,
    exactly_best,
    slack_of,
)
from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import lengths

Ends = npt.NDArray[np.integer]

_ROWS = 256
_COLUMNS = 2048
# Number of sparse rows at a time: a frequent word co-occurs with nearly all words, and this number
# takes less than 50 ms.
_SPARSE_ROWS = 4


@dataclass(frozen=True)
class Neighbour:
    """A word near another one; ``row`` is its row in the embeddings."""

    word: str
    cosine: float
    row: int


def nearest(
    embeddings: Embeddings,
    query: str | npt.NDArray[np.floating],
    n: int = 10,
    exclude: Collection[str] = (),
) -> tuple[Neighbour, ...]:
    """The ``n`` words with the highest cosine with a word or a vector float[d], best first.

    A query word is never its own neighbour; if the model has n-grams, it may be any string.
    ``exclude`` names further words to leave out. Raises UnknownWord for an unknown query or
    exclusion, UserError for a vector without direction. Words with a zero vector are never
    neighbours.
    """
    left_out = {embeddings.row(word) for word in exclude}
    if isinstance(query, str):
        found = find_vector(embeddings, query)
        vector = found.unit
        if not found.unseen:
            left_out.add(found.row)
    else:
        wide = np.asarray(query, dtype=np.float64)
        length = float(np.linalg.norm(wide))
        if not length or not np.isfinite(length):
            raise UserError(
                tr("The query vector has no direction: it is zero or not finite."),
                tr("Choose other words."),
            )
        vector = wide / length

    def exact(rows: npt.NDArray[np.intp]) -> Doubles:
        return exact_cosines(embeddings, rows, vector[None])[:, 0]

    codes = embeddings.codes
    if codes is None:
        near = cosines(embeddings, vector[None])[:, 0]
        rows, scores = exactly_best(near, n, left_out, slack_of(embeddings), exact)
    else:
        rows, scores = best_among(codes.likely(vector, n, left_out), n, exact)
    return tuple(
        Neighbour(embeddings.words[row], score, row)
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
    )


def all_nearest(
    unit: Singles | sp.csr_matrix, k: int, run: JobControl | None = None, threads: int = 0
) -> tuple[Ids, Singles]:
    """The ``k`` nearest of every word, exactly: rows int32[V, k] and cosines float32[V, k], best
    first.

    unit : [V, d], unit (or zero) rows, dense or CSR; ``k`` is limited to V − 1. The word itself is
    left out. For equal cosines, the lower row comes first. Words with a zero vector come last, with
    −1. ``threads`` 0: the usable cores, at most 8. Blocks of the product are computed by BLAS, or
    for CSR by a kernel, and read once, so the V × V table never exists. Raises Cancelled.
    """
    size = unit.shape[0]
    k = max(min(k, size - 1), 0)
    rows = np.full((size, k), -1, dtype=np.int32)
    scores = np.full((size, k), -np.inf, dtype=np.float32)
    if k == 0:
        return rows, scores
    work = _Blocks(size, run)
    zero = np.flatnonzero(lengths(unit) == 0)
    columns = None if isinstance(unit, np.ndarray) else unit.tocsc()

    def serve() -> None:
        few = np.empty((_SPARSE_ROWS, size), dtype=np.float32)
        for start, stop in work:
            for begin, first in product(range(start, stop, tall), range(0, size, wide)):
                if run is not None:
                    run.check()
                end = min(begin + tall, stop)
                if columns is None:
                    block = np.asarray(unit[begin:end] @ unit[first : first + wide].T)
                else:
                    assert not isinstance(unit, np.ndarray)
                    block = few[: end - begin]
                    _sparse_products(_SparseRows.of(unit), _SparseRows.of(columns), begin, block)
                missing = (
                    zero[np.searchsorted(zero, first) : np.searchsorted(zero, first + wide)] - first
                )
                if len(missing):
                    block[:, missing] = -1
                _select(np.ascontiguousarray(block, dtype=np.float32), begin, first, rows, scores)

    tall, wide = (_SPARSE_ROWS, size)
    if columns is None:
        tall, wide = (_ROWS, _COLUMNS)
    with BLAS_ALONE:
        work.share(serve, usable_threads(threads))
    return rows, scores


class _SparseRows(NamedTuple):
    """Arrays of a CSR matrix, or of the transpose of a CSC matrix."""

    ends: Ends
    columns: Ends
    values: Singles

    @classmethod
    def of(cls, matrix: sp.csr_matrix | sp.csc_matrix) -> _SparseRows:
        return cls(matrix.indptr, matrix.indices, matrix.data)


@kernel
def _sparse_products(rows: _SparseRows, transpose: _SparseRows, first: int, block: Singles) -> None:
    """block[i] = row ``first`` + i of a matrix times its transpose."""
    row_ends, row_columns, row_values = rows
    column_ends, column_rows, column_values = transpose
    block[:] = 0
    for i in range(block.shape[0]):
        sums = block[i]
        for at in range(row_ends[first + i], row_ends[first + i + 1]):
            column, value = row_columns[at], row_values[at]
            for there in range(column_ends[column], column_ends[column + 1]):
                sums[column_rows[there]] += value * column_values[there]


@kernel
def _select(block: Singles, row0: int, column0: int, rows: Ids, scores: Singles) -> None:
    """Merge cosines block[i, j] of words row0 + i and column0 + j into the sorted lists of the
    best.

    Columns come in ascending order, so a strict comparison keeps the lower row for equal cosines.
    """
    k = rows.shape[1]
    for i in range(block.shape[0]):
        word = row0 + i
        threshold = scores[word, k - 1]
        for j in range(block.shape[1]):
            cosine = block[i, j]
            if cosine > threshold and column0 + j != word:
                place = k - 1
                while place > 0 and scores[word, place - 1] < cosine:
                    scores[word, place] = scores[word, place - 1]
                    rows[word, place] = rows[word, place - 1]
                    place -= 1
                scores[word, place] = cosine
                rows[word, place] = column0 + j
                threshold = scores[word, k - 1]


class _Blocks:
    """Ranges of rows for several threads, with progress; an error in one thread ends all."""

    def __init__(self, size: int, run: JobControl | None) -> None:
        self._size = size
        self._run = run
        self._next = 0
        self._lock = threading.Lock()
        self._error: BaseException | None = None

    def __iter__(self) -> _Blocks:
        return self

    def __next__(self) -> tuple[int, int]:
        with self._lock:
            start = self._next
            if start >= self._size or self._error is not None:
                raise StopIteration
            self._next = min(start + _ROWS, self._size)
            if self._run is not None:
                self._run.advance(start / self._size, tr("Finding the nearest words"))
            return start, self._next

    def share(self, serve: Callable[[], None], threads: int) -> None:
        """Run ``serve`` in ``threads`` threads, including this one, and raise the first error."""

        def serve_guarded() -> None:
            try:
                serve()
            except BaseException as error:
                with self._lock:
                    self._error = self._error or error

        helpers = [
            threading.Thread(target=serve_guarded, name="neighbours") for _ in range(threads - 1)
        ]
        for helper in helpers:
            helper.start()
        serve_guarded()
        for helper in helpers:
            helper.join()
        if self._error is not None:
            raise self._error
