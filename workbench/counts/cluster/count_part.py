"""Counting of a part of the corpus: its tokens as ranks, and its counts by ranges of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.tokenise.line_tokeniser import Piece as Numbers
from workbench.counts.cluster.row_ranges import CELL_BYTES, ranges_of, row_cells
from workbench.counts.cluster.splits import TextSplit, number_part
from workbench.counts.cluster.vocabulary import index_of, ranks_of
from workbench.counts.cooccurrence import scan_block, window_weights
from workbench.counts.cooccurrence_kernel import Block, Cells, Scanner, Work, add_pairs

_CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class PartCounting:
    """Parameters for counting parts.

    bounds : int64[R + 1], the ranges of rows; budget : maximum bytes of the cells of a part in
    memory
    """

    window: int
    weighting: str
    symmetric: bool
    bounds: npt.NDArray[np.int64]
    budget: int


def ranked_corpus(
    part: TextSplit, options: CorpusOptions, words: bytes, scratch: Path, run: JobControl
) -> tuple[Corpus, npt.NDArray[np.int64]]:
    """A part with ranks as ids, and int64[V], the occurrences of each word of the vocabulary in it.

    The ids are mapped from a file in ``scratch``; V marks left-out tokens. words : the packed
    vocabulary. Raises UserError, NotAsItBegan and Cancelled.
    """
    ends: list[npt.NDArray[np.int64]] = []
    path = scratch / "ids"
    with path.open("wb") as file:

        def take(numbers: Numbers) -> None:
            file.write(numbers[0].astype("<i4", copy=False).tobytes())
            ends.append(numbers[1])

        def again() -> None:
            file.seek(0)
            file.truncate()
            ends.clear()

        numbering = number_part(part, options, run, take, again)
    index = index_of(words)
    ranks = ranks_of(numbering, options, index, run)
    seen = np.zeros(len(index) + 1, dtype=np.int64)
    ids = (
        np.memmap(path, dtype="<i4", mode="r+") if numbering.tokens else np.empty(0, dtype=np.int32)
    )
    for at in range(0, len(ids), _CHUNK):
        run.check()
        found = ranks[ids[at : at + _CHUNK]]
        ids[at : at + _CHUNK] = found
        seen += np.bincount(found, minlength=len(seen))
    ends.append(np.array([len(ids)], dtype=np.int64))
    sentences = np.concatenate([np.zeros(1, dtype=np.int64), *ends])
    corpus = Corpus("", np.asarray(ids), sentences, (), np.empty(0, dtype=np.int64), "", options)
    return corpus, seen[:-1]


def counts_by_range(
    corpus: Corpus, seen: npt.NDArray[np.int64], counting: PartCounting, run: JobControl
) -> Iterator[sp.csr_matrix]:
    """CSR float64 [rows, V] of every range in turn, not yet divided, in as few passes as the budget
    allows.

    corpus, seen : results of ``ranked_corpus``. Raises Cancelled.
    """
    size, bounds = len(seen), counting.bounds
    weights, _ = window_weights(counting.window, counting.weighting)
    both = counting.symmetric
    neighbours = counting.window * (2 if both else 1)
    expected = np.add.reduceat(row_cells(seen, float(seen.sum()), neighbours), bounds[:-1])
    groups = ranges_of(expected, max(counting.budget / CELL_BYTES, 1.0))
    visits = max(1, 10_000_000 // neighbours)

    def scan(block: Block, before: Cells, work: Work, last: int, budget: int) -> None:
        scan_block(block, before, work, last, budget, weights, both)

    for low, high in zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True):
        wanted = np.zeros(size, dtype=np.bool_)
        wanted[bounds[low] : bounds[high]] = True
        scanner = Scanner(scan, counting.window, visits)
        matrix = add_pairs(corpus, size, scanner, threads=1, run=run, rows=wanted)
        for first, last in zip(
            bounds[low:high].tolist(), bounds[low + 1 : high + 1].tolist(), strict=True
        ):
            begin, end = int(matrix.indptr[first]), int(matrix.indptr[last])
            cells = (
                matrix.data[begin:end],
                matrix.indices[begin:end],
                matrix.indptr[first : last + 1] - begin,
            )
            rows = sp.csr_matrix(cells, shape=(last - first, size))
            rows.has_sorted_indices = True
            rows.has_canonical_format = True
            yield rows
