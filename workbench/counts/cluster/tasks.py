"""Tasks of the workers. Each is a pure function of its arguments, so that any worker can repeat
it.
"""

from __future__ import annotations

import errno
import functools
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.line_tokeniser import Piece as Numbers
from workbench.counts.cluster.count_part import PartCounting, counts_by_range, ranked_corpus
from workbench.counts.cluster.partial_counts import (
    PartialCount,
    Receipt,
    pack,
    read_piece,
    sum_matrices,
    unpack,
    write_pieces,
)
from workbench.counts.cluster.splits import TextSplit, number_part
from workbench.counts.cluster.vocabulary import (
    Ranked,
    WordTable,
    merge_tables,
    rank_table,
    table_of,
)
from workbench.counts.shards import ShardRecord, write_shard

P = ParamSpec("P")
T = TypeVar("T")

# A piece in memory, or the path of its file.
Sent = tuple[PartialCount, bytes | str]

_WATCH_SECONDS = 0.2
_ATTEMPTS = 3
_FOR_GOOD = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ENOENT,
    errno.ENOMEM,
)


class Refused(Exception):
    """Message and hint of a UserError, which pickling would lose."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message, self.hint = message, hint


class _Watched(JobControl):
    """The job control of a task: cancelled once nobody needs its result."""

    def __init__(self) -> None:
        super().__init__()
        self._worker, self._key = _here()
        self._looked = time.monotonic()

    def check(self) -> None:
        now = time.monotonic()
        if self._worker is not None and now - self._looked > _WATCH_SECONDS:
            self._looked = now
            state = self._worker.state.tasks.get(self._key)
            # dask lets a running task finish and only notes that it was cancelled.
            if state is None or state.state == "cancelled":
                self.cancel()
        super().check()


def _here() -> tuple[Any, str]:
    """The current worker, None outside of workers, and the key of the task."""
    from distributed import get_worker

    try:
        worker = get_worker()
        return worker, str(worker.get_current_task())
    except ValueError:
        return None, ""


def task(work: Callable[Concatenate[JobControl, P], T]) -> Callable[P, T]:
    """Make a function for workers, which supplies the ``run``. Operations that the system refuses
    temporarily are tried again.
    """

    @functools.wraps(work)
    def run_task(*arguments: P.args, **keywords: P.kwargs) -> T:
        run = _Watched()
        attempt = 1
        while True:
            run.check()
            try:
                return work(run, *arguments, **keywords)
            except UserError as error:
                raise Refused(error.message, error.hint) from None
            except OSError as error:
                if attempt == _ATTEMPTS or error.errno in _FOR_GOOD:
                    raise Refused(
                        tr("A worker couldn’t read or write ({error}).", error=error_text(error)),
                        tr("Free some space, or check the connection."),
                    ) from None
                attempt += 1
                time.sleep(0.5)

    return run_task


@task
def table_of_part(run: JobControl, part: TextSplit, options: CorpusOptions) -> WordTable:
    """The types of a part."""

    def forget(numbers: Numbers) -> None:
        """Ignore numbers, because the numbering keeps the types."""

    numbering = number_part(part, options, run, forget, lambda: None)
    return table_of(numbering, options, run)


@task
def added_tables(run: JobControl, tables: Sequence[WordTable]) -> WordTable:
    """The merged types of consecutive parts."""
    return merge_tables(tables)


@task
def ranked_words(run: JobControl, table: WordTable, min_count: int, max_vocab: int) -> Ranked:
    """The vocabulary."""
    return rank_table(table, min_count, max_vocab)


@task
def hold_words(run: JobControl, words: bytes) -> bytes:
    """Vocabulary for all workers. As a task, it is computed again if it is lost."""
    return words


@task
def spilled_part(
    run: JobControl,
    part: TextSplit,
    options: CorpusOptions,
    words: bytes,
    counting: PartCounting,
    folder: str,
) -> Receipt:
    """Count a part into a file of ``folder``, by range."""
    with _scratch() as scratch:
        corpus, seen = ranked_corpus(part, options, words, Path(scratch), run)
        matrices = counts_by_range(corpus, seen, counting, run)
        return write_pieces(Path(folder) / f"{part.number:07d}.cells", matrices, int(seen.sum()))


@task
def carried_part(
    run: JobControl, part: TextSplit, options: CorpusOptions, words: bytes, counting: PartCounting
) -> tuple[Sent, ...]:
    """Count a part into memory; Dask keeps the pieces, writes them to the worker's disk if needed,
    and sends them to other workers.
    """
    with _scratch() as scratch:
        corpus, seen = ranked_corpus(part, options, words, Path(scratch), run)
        return tuple(pack(matrix) for matrix in counts_by_range(corpus, seen, counting, run))


@task
def take_piece(run: JobControl, pieces: Sequence[Sent], number: int) -> Sent:
    """The piece of one range."""
    return pieces[number]


@task
def added_range(
    run: JobControl, pieces: Sequence[Sent], shape: tuple[int, int], divisor: float
) -> sp.csr_matrix:
    """Add up the rows of a range: one piece of every part, in the order of the parts."""
    return _sum(run, pieces, shape, divisor)


@task
def added_shard(
    run: JobControl,
    pieces: Sequence[Sent],
    shape: tuple[int, int],
    divisor: float,
    folder: str,
    number: int,
    first: int,
) -> ShardRecord:
    """Add up the rows of a range and write them as a shard of the result; the cells never leave the
    worker.
    """
    return write_shard(Path(folder), number, first, _sum(run, pieces, shape, divisor))


def _sum(
    run: JobControl, pieces: Sequence[Sent], shape: tuple[int, int], divisor: float
) -> sp.csr_matrix:
    def each() -> Iterator[sp.csr_matrix]:
        for piece, data in pieces:
            run.check()
            if isinstance(data, str):
                yield read_piece(data, piece, *shape)
            else:
                yield unpack(piece, data, *shape)

    total = sum_matrices(each())
    np.divide(total.data, divisor, out=total.data)
    return total


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder on the worker's own disk."""
    worker, _ = _here()
    return tempfile.TemporaryDirectory(
        prefix="counting-", dir=None if worker is None else worker.local_directory
    )
