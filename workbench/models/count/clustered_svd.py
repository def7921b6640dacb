"""Truncated SVD with the matrix on a Dask cluster: workers hold the matrix and multiply, this
machine iterates.

Each worker reads some rows of the counts from their shards, computes their PMI once and keeps it;
Dask writes data that exceeds the memory to the worker's disk. A step of the iteration sends each
worker a block of vectors and gets back its part of AᵀA X, summed on the way. If a worker is lost,
another reads its rows again and repeats its products: every task is a function of its arguments.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.counts.association import LogChance, margins_of
from workbench.counts.cell_source import PIECE, CellBlock, Mapped, cut, piece_of, positive_piece
from workbench.counts.cluster import Cluster, ClusterParams
from workbench.counts.cluster.scheduler import Waves
from workbench.counts.cluster.shard_plan import task_memory
from workbench.counts.cluster.tasks import hold_words, task
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.shards import ShardedCounts
from workbench.models.count.streamed_svd import WIDTH, add_gram, add_image, block_of, lines_of

# Placeholder address for workers that are started on this machine.
LOCAL = "local"

_FAN = 8
_CELL_BYTES = 12
_FEWEST_CELLS = 1 << 14
# Maximum float64 values of vectors in one message to or from a worker: 32 MB.
_MESSAGE = 1 << 22


@contextmanager
def open_cluster_matrix(
    corpus: CountedCorpus,
    size: int,
    shift: float,
    smoothing: float,
    scheduler: str,
    threads: int,
    run: JobControl,
) -> Iterator[Clustered]:
    """max(PMI_α − log k, 0) of the first ``size`` words, on the workers of a cluster, until the
    context ends.

    scheduler : an address, or ``LOCAL`` for ``threads`` worker processes on this machine (0: one
    for each core)

    Raises UserError, also for counts that not all workers see, and Cancelled.
    """
    run.enter(Phase.READING, tr("Starting workers") if scheduler == LOCAL else tr("Connecting"))
    params = (
        ClusterParams(workers=threads) if scheduler == LOCAL else ClusterParams(scheduler=scheduler)
    )
    with Cluster(params, run) as cluster:
        cluster.check_workers()
        _check_seen(cluster, corpus.shards)
        # The graph contains the vectors, so that Dask can send them again if a worker is lost.
        warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
        with Waves(cluster, run) as waves:
            yield Clustered(corpus.shards, size, shift, smoothing, cluster, waves, run)


class Clustered:
    """The matrix as an operator (``truncated_svd.Operator``). nnz : number of its cells"""

    width = WIDTH
    together = 4 * WIDTH

    def __init__(
        self,
        shards: ShardedCounts,
        size: int,
        shift: float,
        smoothing: float,
        cluster: Cluster,
        waves: Waves,
        run: JobControl,
    ) -> None:
        self.shape = (size, size)
        self._waves = waves
        self._step = 0
        run.enter(Phase.READING, tr("Scanning the counts"))
        counts = Mapped(shards, size, run)
        sums = margins_of(counts.row_sums, counts.column_sums, smoothing)
        self._counts = counts
        status = cluster.status()
        # Several blocks per thread, so that no thread waits long for the last one; and a block is
        # in memory twice while it is computed.
        most = min(
            task_memory(cluster.params, status) // (4 * _CELL_BYTES),
            counts.nnz // (2 * max(status.threads, 1)),
        )
        stretches = counts.cuts(cells=max(most, _FEWEST_CELLS))
        run.enter(Phase.COUNTING, tr("Computing the PMI on the cluster"))
        margins = waves.submit(
            "margins", hold_words, (sums.log_rows, sums.log_contexts, float(np.log(shift)))
        )
        waves.share(margins)
        where = str(shards.folder.absolute()), shards.digest, size
        self._blocks: list[Any] = []
        self.nnz = 0

        def looked_at() -> Iterator[tuple[Any, float]]:
            for first, last in stretches:
                block = waves.submit(f"rows-{first}", positive_rows, *where, first, last, margins)
                self._blocks.append(block)
                yield waves.submit(f"cells-{first}", cells_of, block), (last - first) / size

        def add(future: Any) -> float:
            cells = int(self._waves.result(future))
            self.nnz += cells
            return float(cells)

        waves.finish(
            looked_at(), tr("Computing the PMI on the cluster"), done=add, unit=tr("cells")
        )

    def toarray(self) -> Doubles:
        table = np.zeros(self.shape)
        for future in self._blocks:
            block: CellBlock = self._waves.result(future)
            table[block.rows, block.columns] = block.values
        return table

    def room(self, vectors: int) -> Doubles:
        basis: Doubles = self._counts.room(vectors * self.shape[1], np.float64).reshape(vectors, -1)
        return basis

    def gram(self, block: Doubles) -> Doubles:
        sums = [self._add_on_workers(products) for products in self._products(block, gram_of)]
        return block_of(np.concatenate([self._fetch(future) for future in sums]), block.shape[1])

    def image(self, block: Doubles) -> Doubles:
        products_of_blocks = [
            [self._fetch(future) for future in products]
            for products in self._products(block, image_of)
        ]
        return block_of(
            np.concatenate([np.concatenate(parts, axis=1) for parts in products_of_blocks]),
            block.shape[1],
        )

    def _fetch(self, future: Any) -> Doubles:
        found: Doubles = self._waves.result(future)
        self._waves.let_go(future)
        return found

    def _products(self, block: Doubles, multiply: Any) -> list[list[Any]]:
        """The futures of ``multiply`` for all rows, one list for each message of vectors."""
        self._step += 1
        lines = lines_of(block)
        groups = max(_MESSAGE // lines[0].size, 1)
        found = []
        for first in range(0, len(lines), groups):
            name = f"{self._step}-{first}"
            sent = self._waves.submit(f"vectors-{name}", hold_words, lines[first : first + groups])
            found.append(
                [
                    self._waves.submit(f"product-{name}-{number}", multiply, rows, sent)
                    for number, rows in enumerate(self._blocks)
                ]
            )
            self._waves.let_go(sent)
        return found

    def _add_on_workers(self, products: list[Any]) -> Any:
        """Sum of the parts, computed on the workers in an order that does not depend on which part
        arrives first.
        """
        level = 0
        for future in products:
            self._waves.let_go(future)
        while len(products) > 1:
            level += 1
            groups = [products[at : at + _FAN] for at in range(0, len(products), _FAN)]
            name = f"sum-{products[0].key}-{level}"
            products = [
                self._waves.submit(f"{name}-{at}", add_arrays, group)
                for at, group in enumerate(groups)
            ]
            for future in products:
                self._waves.let_go(future)
        return products[0]


# -- tasks of workers


@task
def positive_rows(
    run: JobControl,
    folder: str,
    digest: str,
    size: int,
    first: int,
    last: int,
    margins: tuple[Doubles, Doubles, float],
) -> CellBlock:
    """The PMI of rows ``first`` to ``last``, which are in one shard. margins : log #(w), log P(c),
    log k
    """
    shards = _open_shards(folder, digest)
    number = next(at for at, shard in enumerate(shards.shards) if shard.last > first)
    part, offset = shards.rows(number), shards.shards[number].first
    pieces = []
    for begin, end in cut(part.indptr, first - offset, last - offset, PIECE):
        run.check()
        pieces.append(
            positive_piece(
                piece_of(part, offset, offset + begin, offset + end, size), LogChance(*margins)
            )
        )
    lengths = np.concatenate([np.diff(piece.indptr) for piece in pieces])
    return CellBlock(
        first,
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        np.concatenate([piece.columns for piece in pieces]),
        np.concatenate([piece.values for piece in pieces]),
    )


@task
def cells_of(run: JobControl, block: CellBlock) -> int:
    """Number of cells above 0."""
    return len(block.values)


@task
def gram_of(run: JobControl, block: CellBlock, lines: Doubles) -> Doubles:
    """AᵀA X for the rows of a block. lines, and the result : float64[groups, V, 8]"""
    sums = np.zeros(lines.shape)
    for group in range(len(lines)):
        run.check()
        add_gram(*_block_arrays(block), _writable_copy(lines[group]), sums[group])
    return sums


@task
def image_of(run: JobControl, block: CellBlock, lines: Doubles) -> Doubles:
    """A X for the rows of a block: float64[groups, rows, 8]."""
    images = np.zeros((len(lines), len(block.indptr) - 1, lines.shape[2]))
    for group in range(len(lines)):
        run.check()
        add_image(*_block_arrays(block), _writable_copy(lines[group]), images[group])
    return images


@task
def add_arrays(run: JobControl, parts: list[Doubles]) -> Doubles:
    """The sum of arrays, added in their order."""
    total = parts[0].copy()
    for part in parts[1:]:
        run.check()
        total += part
    return total


@lru_cache(maxsize=2)
def _open_shards(folder: str, digest: str) -> ShardedCounts:
    """The counts with this digest. Raises UserError if the folder contains others."""
    shards = ShardedCounts.open(folder)
    if shards.digest != digest:
        raise UserError(
            tr("The counts in {folder} differ between workers.", folder=folder),
            tr("Share one folder with all workers, and don’t change it during training."),
        )
    return shards


def _block_arrays(block: CellBlock) -> tuple[npt.NDArray[Any], ...]:
    return _writable_copy(block.indptr), _writable_copy(block.columns), _writable_copy(block.values)


def _writable_copy(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, copied if it is read-only: kernels would be compiled again for read-only
    arrays.
    """
    return np.require(array, requirements=("C", "W"))


def _check_seen(cluster: Cluster, shards: ShardedCounts) -> None:
    """Raise UserError unless all workers see exactly these counts at the same path."""
    if cluster.local:
        return
    answers = cluster.done_by_workers(_shards_digest, str(shards.folder.absolute()))
    if not answers or any(answer != shards.digest for answer in answers.values()):
        raise UserError(
            tr("Some workers can’t read the counts in {folder}.", folder=shards.folder),
            tr(
                "Move the counts to a folder that this machine and all workers share under the "
                "same path."
            ),
        )


def _shards_digest(folder: str) -> str:
    """Task of a worker: the digest of the counts that it sees."""
    return ShardedCounts.open(folder).digest
