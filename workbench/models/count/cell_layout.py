"""Layout of the cells of a table in blocks and buckets, for training on single cells.

Every step touches one row of W and one of C. In random order, the rows of a large vocabulary come
from memory each time; in sorted order, successive steps would all update the same row. So the table
is cut into blocks whose rows fit into a processor's L2 cache, the cells of a block are shuffled and
cut into chunks, and the chunks of all blocks are visited in an order drawn again for every epoch,
in which each fortieth of an epoch contains its share of every block
(:func:`workbench.models.tally.fair_order`): frequent words, whose cells have the largest weights
and errors, are together in few blocks.

For cells on disk, chunks are distributed at random over buckets, and an epoch visits the buckets,
and the chunks in each bucket, in an order drawn again: chunks that are read together are then next
to each other, as in GloVe's program (its ``shuffle`` distributes cells over temporary files). Every
bucket is a random sample of the table, so the only difference is that chunks of one bucket always
stay neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ids, Ints, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.counts.cell_source import CellBlock, CellSource
from workbench.counts.temp_arrays import prefetch_pages
from workbench.models.predict.stream_trainer import random64
from workbench.models.tally import fair_order

_PIECE = 1 << 20  # cells per step of the layout
_BUCKET = 1 << 22  # cells of a bucket: 64 MB
_GROUP = 1 << 19  # cells on disk that are sorted in memory at a time: 8 to 16 MB
_ACROSS = 2048  # maximum number of stripes: every block has a counter


class CellArrays(NamedTuple):
    """Cells of a table, chunk by chunk. rows, columns : int32[n]; weights, targets : float32[n];
    chunks : int64[chunks + 1], start of each chunk
    """

    rows: Ids
    columns: Ids
    weights: Singles
    targets: Singles
    chunks: Ints


# Function of rows, columns (int32) and values (float64) of cells: their weights and targets.
Weighing = Callable[[Ids, Ids, Doubles], tuple[Doubles, Doubles]]


class CellLayout:
    """Cells, and the order in which their chunks are visited.

    buckets : int64[K + 1], the first chunk of each bucket, and the number of chunks
    """

    def __init__(self, cells: CellArrays, buckets: Ints) -> None:
        self.cells = cells
        self.buckets = buckets
        self._asked = -1

    def transpose(self) -> CellLayout:
        """The same cells with rows and columns exchanged."""
        return CellLayout(
            self.cells._replace(rows=self.cells.columns, columns=self.cells.rows), self.buckets
        )

    def order(self, random: np.random.Generator) -> Ints:
        """The chunks of one pass, int64: bucket by bucket, with each block's chunks spread over the
        bucket.
        """
        if len(self.buckets) == 2:
            return fair_order(len(self.cells.chunks) - 1, random)
        edges = list(pairwise(self.buckets.tolist()))
        return np.concatenate(
            [
                edges[at][0] + fair_order(edges[at][1] - edges[at][0], random)
                for at in random.permutation(len(edges))
            ]
        )

    def look_ahead(self, order: Ints, place: int) -> None:
        """Start reading the next bucket from disk, while the bucket at ``place`` of ``order`` is
        visited.
        """
        edges = self.buckets
        if len(edges) == 2:
            return
        here = int(np.searchsorted(edges, order[place], side="right")) - 1
        soon = min(place + int(edges[here + 1] - edges[here]), len(order) - 1)
        bucket = int(np.searchsorted(edges, order[soon], side="right")) - 1
        if bucket == self._asked:
            return
        self._asked = bucket
        first, last = (int(self.cells.chunks[edge]) for edge in edges[bucket : bucket + 2])
        for array in self.cells[:4]:
            prefetch_pages(array[first:last])


class Grid(NamedTuple):
    """Blocks of ``stripe`` × ``stripe`` words, ``across`` of them per row."""

    stripe: int
    across: int


class _Plan(NamedTuple):
    """Sources and destinations of chunks. begins : int64[n + 1], starts of chunks in the order of
    blocks; places : int64[n], final start of each; chunks, buckets : those of the layout
    """

    begins: Ints
    places: Ints
    chunks: Ints
    buckets: Ints


def arrange_cells(
    source: CellSource, weigh: Weighing, stripe: int, chunk: int, seed: int, run: JobControl
) -> CellLayout:
    """The cells of ``source`` in blocks of ``stripe`` × ``stripe`` words, shuffled, in chunks.

    Cells in memory form one bucket. Raises UserError if the disk is full, and Cancelled.
    """
    longer = max(source.size, source.width)
    stripe = max(stripe, -(-longer // _ACROSS))
    across = -(-longer // stripe)
    grid = Grid(stripe, across)
    tally = np.zeros(across * across, dtype=np.int64)
    for piece in source.pieces(cells=_PIECE):
        run.check()
        tally_blocks(piece, grid, tally)
    starts = np.concatenate(([0], np.cumsum(tally)))
    buckets = 1 if source.held else max(1, -(-source.nnz // _BUCKET))
    plan = _plan_chunks(tally, starts, chunk, buckets, seed)
    cells = CellArrays(
        source.room(source.nnz, np.int32),
        source.room(source.nnz, np.int32),
        source.room(source.nnz, np.float32),
        source.room(source.nnz, np.float32),
        plan.chunks,
    )
    state = np.zeros(8, dtype=np.uint64)
    state[0] = np.random.SeedSequence([seed, 1]).generate_state(1, np.uint64)[0]
    filler = _StripeFiller(source, weigh, grid, state, run)
    if buckets == 1:
        filler.fill((0, across), starts, cells)
        return CellLayout(cells, plan.buckets)
    for first, last in _group_blocks(starts[::across], _GROUP):
        blocks = slice(first * across, last * across + 1)
        begin, end = int(starts[blocks.start]), int(starts[blocks.stop - 1])
        size = end - begin
        # The rows of a few very frequent words may have more cells than fit into memory.
        room = np.empty if size <= 2 * _GROUP else source.room
        part = CellArrays(
            room(size, np.int32),
            room(size, np.int32),
            room(size, np.float32),
            room(size, np.float32),
            plan.chunks,
        )
        filler.fill((first, last), starts[blocks] - begin, part)
        low, high = (int(place) for place in np.searchsorted(plan.begins[:-1], [begin, end]))
        for one, two in pairwise([*range(low, high, 256), high]):
            run.check()
            for array, out in zip(part[:4], cells[:4], strict=True):
                deal_chunks(plan.begins[one : two + 1] - begin, plan.places[one:two], array, out)
        run.advance(end / source.nnz)
    return CellLayout(cells, plan.buckets)


def _plan_chunks(tally: Ints, starts: Ints, chunk: int, buckets: int, seed: int) -> _Plan:
    """Cut each block into chunks, and distribute the chunks evenly over the buckets, in the order
    of blocks within a bucket.
    """
    each = -(-tally // chunk)
    first = np.cumsum(each) - each
    begins = np.repeat(starts[:-1], each) + chunk * (
        np.arange(int(each.sum())) - np.repeat(first, each)
    )
    begins = np.concatenate((begins, starts[-1:]))
    count = len(begins) - 1
    if buckets == 1:
        return _Plan(begins, begins[:-1], begins, np.array([0, count]))
    random = np.random.default_rng(np.random.SeedSequence([seed, 4]))
    dealt = np.tile(np.arange(buckets), (-(-count // buckets), 1))
    # Of each K neighbouring chunks, one goes to each of the K buckets.
    bucket = random.permuted(dealt, axis=1).ravel()[:count]
    order = np.argsort(bucket, kind="stable")
    chunks = np.concatenate(([0], np.cumsum(np.diff(begins)[order])))
    places = np.empty(count, dtype=np.int64)
    places[order] = chunks[:-1]
    edges = np.concatenate(([0], np.cumsum(np.bincount(bucket, minlength=buckets))))
    return _Plan(begins, places, chunks, edges)


@dataclass(frozen=True)
class _StripeFiller:
    """Lays out cells block by block, and weights them. state : uint64[8], the random numbers"""

    source: CellSource
    weigh: Weighing
    grid: Grid
    state: npt.NDArray[np.uint64]
    run: JobControl

    def fill(self, stripes: tuple[int, int], starts: Ints, out: CellArrays) -> None:
        """Lay out the cells of some stripes in ``out``, block by block at ``starts``, and shuffle
        each block.
        """
        places = starts[:-1].copy()
        first, last = (min(stripe * self.grid.stripe, self.source.size) for stripe in stripes)
        origin = stripes[0] * self.grid.across
        # Counts are stored in place of the weights: precise enough, because weights and
        # logarithms are also float32.
        for piece in self.source.pieces(first, last, _PIECE):
            self.run.check()
            file_cells(piece, self.grid, origin, places, out)
        for at in _group_blocks(starts, _PIECE // 2):
            self.run.check()
            shuffle_blocks(starts, out.rows, out.columns, out.weights, self.state, *at)
        for begin in range(0, len(out.rows), _PIECE // 4):
            self.run.check()
            part = slice(begin, begin + _PIECE // 4)
            counts = out.weights[part].astype(np.float64)
            out.weights[part], out.targets[part] = self.weigh(
                out.rows[part], out.columns[part], counts
            )


def _group_blocks(starts: Ints, cells: int) -> list[tuple[int, int]]:
    """Groups of blocks, or stripes, with about ``cells`` cells each."""
    marks = np.searchsorted(starts, np.arange(cells, int(starts[-1]), cells))
    bounds = np.unique(np.concatenate(([0], marks, [len(starts) - 1]))).tolist()
    return list(pairwise(bounds))


@kernel
def tally_blocks(piece: CellBlock, grid: Grid, tally: Ints) -> None:
    """Count the cells of a piece by block."""
    indptr, columns = piece.indptr, piece.columns
    for row in range(len(indptr) - 1):
        base = (piece.first + row) // grid.stripe * grid.across
        for at in range(indptr[row], indptr[row + 1]):
            tally[base + columns[at] // grid.stripe] += 1


@kernel
def file_cells(piece: CellBlock, grid: Grid, origin: int, places: Ints, out: CellArrays) -> None:
    """Copy the cells of a piece, with their counts as weights, to the next free place in their
    blocks, which are numbered from ``origin``.
    """
    first, indptr, columns, counts = piece
    rows_out, columns_out, counts_out = out.rows, out.columns, out.weights
    for row in range(len(indptr) - 1):
        base = (first + row) // grid.stripe * grid.across - origin
        for at in range(indptr[row], indptr[row + 1]):
            column = columns[at]
            block = base + column // grid.stripe
            place = places[block]
            places[block] = place + 1
            rows_out[place] = first + row
            columns_out[place] = column
            counts_out[place] = counts[at]


@kernel
def shuffle_blocks(
    starts: Ints,
    rows: Ids,
    columns: Ids,
    counts: Singles,
    state: npt.NDArray[np.uint64],
    first: int,
    last: int,
) -> None:
    """Shuffle the cells within each of the blocks from ``first`` up to ``last`` (Fisher &
    Yates).
    """
    for block in range(first, last):
        begin = starts[block]
        for i in range(starts[block + 1] - begin - 1, 0, -1):
            draw = random64(state) >> np.uint64(32)
            a, b = begin + i, begin + np.int64((draw * np.uint64(i + 1)) >> np.uint64(32))
            rows[a], rows[b] = rows[b], rows[a]
            columns[a], columns[b] = columns[b], columns[a]
            counts[a], counts[b] = counts[b], counts[a]


@kernel
def deal_chunks(
    begins: Ints, places: Ints, values: npt.NDArray[np.generic], out: npt.NDArray[np.generic]
) -> None:
    """Copy each chunk, from its start in ``values`` by ``begins``, to its place in ``out``."""
    for number in range(len(places)):
        begin, place = begins[number], places[number]
        for i in range(begins[number + 1] - begin):
            out[place + i] = values[begin + i]
