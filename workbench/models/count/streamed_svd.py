"""Products with a matrix that is read a piece at a time, for the singular value decomposition of a
matrix that doesn't fit into memory.

AᵀA X needs one pass over A, because it is Σ a aᵀX over the rows a of A. Reading is the main cost,
so blocks of vectors are wider than for a matrix in memory. Vectors are in groups of eight, a cache
line per row; each group belongs to one thread, so that sums are made in the order of the rows for
any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.counts.cell_source import CellBlock, CellSource
from workbench.models.count.truncated_svd import share_out
from workbench.models.kernels.sparse_rows import add_outer_product, add_row_product

_LINE = 8  # floats of a cache line
WIDTH = 4 * _LINE
_PIECE = 1 << 16  # cells that a thread computes at a time
_BATCH = 16  # pieces that are multiplied together


class Streamed:
    """The cells of a source as an operator. Raises UserError if they cannot be read."""

    width = WIDTH
    together = 4 * WIDTH

    def __init__(self, source: CellSource, threads: int, run: JobControl) -> None:
        self.shape = (source.size, source.size)
        self._source = source
        self._threads, self._run = threads, run
        self._cuts = source.cuts(cells=_PIECE)

    def toarray(self) -> Doubles:
        return np.asarray(self._source.csr().toarray())

    def room(self, vectors: int) -> Doubles:
        basis: Doubles = self._source.room(vectors * self.shape[1], np.float64).reshape(vectors, -1)
        return basis

    def gram(self, block: Doubles) -> Doubles:
        lines = lines_of(block)
        sums = np.zeros_like(lines)

        def multiply(pieces: list[CellBlock], group: int) -> None:
            for piece in pieces:
                add_gram(piece.indptr, piece.columns, piece.values, lines[group], sums[group])

        self._over_pieces(multiply, len(lines))
        return block_of(sums, block.shape[1])

    def image(self, block: Doubles) -> Doubles:
        lines = lines_of(block)
        images = np.zeros_like(lines)

        def multiply(pieces: list[CellBlock], group: int) -> None:
            for piece in pieces:
                rows = images[group, piece.first : piece.first + len(piece.indptr) - 1]
                add_image(piece.indptr, piece.columns, piece.values, lines[group], rows)

        self._over_pieces(multiply, len(lines))
        return block_of(images, block.shape[1])

    def _over_pieces(self, multiply: Callable[[list[CellBlock], int], None], groups: int) -> None:
        """Compute all pieces, a batch at a time, and multiply each with every group of vectors."""
        for begin in range(0, len(self._cuts), _BATCH):
            cuts = self._cuts[begin : begin + _BATCH]
            found: dict[int, CellBlock] = {}

            def read(
                number: int, cuts: list[tuple[int, int]] = cuts, found: dict[int, CellBlock] = found
            ) -> None:
                found[number] = self._source.piece(*cuts[number])

            share_out(read, len(cuts), self._threads, self._run)
            pieces = [found[number] for number in range(len(cuts))]
            share_out(partial(multiply, pieces), groups, self._threads, self._run)


def block_bytes(size: int) -> int:
    """Memory in bytes for the blocks of vectors during the multiplication of a matrix with ``size``
    rows and columns.
    """
    return 8 * size * (6 * WIDTH + 2 * 4 * WIDTH)


def lines_of(block: Doubles) -> Doubles:
    """float64[groups, n, 8] of float64[n, b], with zeros after the last vector."""
    groups = -(-block.shape[1] // _LINE)
    lines = np.zeros((groups, len(block), _LINE))
    for group in range(groups):
        part = block[:, group * _LINE : (group + 1) * _LINE]
        lines[group, :, : part.shape[1]] = part
    return lines


def block_of(lines: Doubles, width: int) -> Doubles:
    """The inverse of ``lines_of``: float64[n, width]."""
    block = np.empty((lines.shape[1], width))
    for group in range(len(lines)):
        part = block[:, group * _LINE : (group + 1) * _LINE]
        part[...] = lines[group, :, : part.shape[1]]
    return block


@kernel
def add_gram(indptr: Ints, columns: Ids, values: Doubles, block: Doubles, sums: Doubles) -> None:
    """sums += AᵀA block for the given rows of A. block, sums : float64[n, 8]"""
    product = np.zeros((1, block.shape[1]))
    for row in range(len(indptr) - 1):
        at, end = indptr[row], indptr[row + 1]
        product[0, :] = 0.0
        add_row_product(product, 0, block, columns, values, at, end)
        add_outer_product(sums, columns, values, at, end, product)


@kernel
def add_image(indptr: Ints, columns: Ids, values: Doubles, block: Doubles, images: Doubles) -> None:
    """images += A block for the given rows of A. images : float64[rows, 8]"""
    for row in range(len(indptr) - 1):
        add_row_product(images, row, block, columns, values, indptr[row], indptr[row + 1])


def warm_streaming() -> None:
    """Compile the kernels, or load them from the cache."""
    indptr, columns, values = np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
    for multiply in (add_gram, add_image):
        multiply(indptr, columns, values, np.zeros((1, _LINE)), np.zeros((1, _LINE)))
