"""Sparse V × V sums over pairs of tokens, one row of the result at a time.

The positions of a block of the corpus are sorted by word; the row of a word is then computed by
visiting its positions and adding the words around them into one dense row of V sums, which stays in
the processor's cache. Rows are independent of each other, so threads share them without merging,
and the result is the same to the last bit for any number of threads. A corpus longer than a block
is read block by block, and each block starts its rows with the sums of the previous ones.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Bools, Doubles, Ids, Ints
from workbench.core.errors import Cancelled
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.machine.threads import usable_threads
from workbench.corpus.corpus import Corpus

BLOCK_TOKENS = 1 << 25
_CHUNK = 1 << 21  # tokens or cells per call of a kernel: some ten milliseconds
_RANGES_PER_THREAD = 48

# Which bit of a word is set: the powers of two below 2⁶⁴ leave different remainders by 67.
_PLACE = np.zeros(67, dtype=np.int64)
_PLACE[[(1 << bit) % 67 for bit in range(64)]] = np.arange(64)


class Block(NamedTuple):
    """A stretch of the corpus, without words outside the vocabulary.

    tokens : int32[n], ids below V; V itself is at both ends and at the end of each sentence
    positions : int32[m], indices in ``tokens`` of the block's own tokens, word by word
    starts : int64[V + 1], start of each word's indices in ``positions``
    """

    tokens: Ids
    positions: Ids
    starts: Ints


class Cells(NamedTuple):
    """A CSR matrix as bare arrays: indptr int64[V + 1], columns int32[nnz], values float64[nnz]."""

    indptr: Ints
    columns: Ids
    values: Doubles


class Work(NamedTuple):
    """Output arrays of one thread.

    sums : float64[V], the current row; all zero between rows
    touched : int32[V], the columns of ``sums`` that are not zero
    bits, groups : uint64[V / 64] and uint64[V / 4096], scratch for sorting ``touched``
    columns, values : int32, float64 [at least V], finished rows
    sizes : int64[V], cells of finished rows, by row
    state : int64[5]: row, next index into ``positions``, cells finished, columns touched, and an
    unused sum
    """

    sums: Doubles
    touched: Ids
    bits: npt.NDArray[np.uint64]
    groups: npt.NDArray[np.uint64]
    columns: Ids
    values: Doubles
    sizes: Ints
    state: Ints


# Adds to the rows from work.state[0] up to ``last`` (exclusive), about ``budget`` positions per
# call; returns early when ``columns`` is full. Arguments: block, cells before, work, last, budget.
Scan = Callable[[Block, Cells, Work, int, int], None]


class Finished(NamedTuple):
    """Rows whose sums are complete, for the time of a call: their arrays are used again.

    first : the first of the rows; sizes : int64[rows], their cells; columns : int32[n], in
    ascending order within rows; values : float64[n], sums that aren't divided yet
    """

    first: int
    sizes: Ints
    columns: Ids
    values: Doubles


# Is called with rows by the thread that finished them, in any order.
Take = Callable[[Finished], None]


class Scanner(NamedTuple):
    """A ``scan`` function, with its call parameters.

    margin : number of kept tokens that it may read on each side of a position
    budget : number of positions per call, for about 20 ms
    divisor : divisor of its sums
    """

    scan: Scan
    margin: int
    budget: int
    divisor: float = 1.0


def add_pairs(
    corpus: Corpus,
    size: int,
    scanner: Scanner,
    *,
    threads: int = 0,
    run: JobControl | None = None,
    rows: Bools | None = None,
    block_tokens: int = BLOCK_TOKENS,
) -> sp.csr_matrix:
    """The sums that ``scanner`` makes over all kept tokens: float64[V, V].

    size : V; tokens with ids from V on are removed first, so that gaps close
    threads : 0 for the usable cores, at most 8
    rows : bool[V], the requested rows; all others stay empty. None: all

    Columns are sorted within rows. Raises Cancelled.
    """
    run = run or JobControl()
    wanted = np.ones(size, dtype=np.bool_) if rows is None else rows
    cells = _no_cells(size)
    blocks = block_count(corpus, block_tokens)
    for number in range(blocks):
        block = _read_block(
            corpus, size, number * block_tokens, block_tokens, scanner.margin, wanted, run
        )
        cells = _add_block(block, cells, scanner, threads, run, (number, blocks))
    return _as_matrix(cells, size)


def pass_rows(
    corpus: Corpus,
    size: int,
    scanner: Scanner,
    take: Take,
    *,
    threads: int,
    run: JobControl,
    rows: Bools,
    block_tokens: int = BLOCK_TOKENS,
) -> None:
    """Pass the sums of ``add_pairs``, undivided, to ``take`` instead of collecting them: some rows
    at a time. The sums of all blocks but the last are in memory meanwhile. Raises Cancelled.
    """
    cells = _no_cells(size)
    blocks = block_count(corpus, block_tokens)
    for number in range(blocks):
        place = number, blocks
        block = _read_block(
            corpus, size, number * block_tokens, block_tokens, scanner.margin, rows, run
        )
        if number < blocks - 1:
            cells = _add_block(block, cells, scanner, threads, run, place)
        else:
            _scan_rows(block, cells, scanner, threads, run, place, take)


def read_whole(corpus: Corpus, size: int, margin: int, run: JobControl) -> Block:
    """A whole text of at most BLOCK_TOKENS tokens as one block, with the ``size`` first words.
    Raises Cancelled.
    """
    wanted = np.ones(size, dtype=np.bool_)
    return _read_block(corpus, size, 0, max(corpus.tokens, 1), margin, wanted, run)


def add_blocks(
    blocks: Sequence[Block],
    scanners: Sequence[Scanner],
    size: int,
    *,
    threads: int = 0,
    run: JobControl,
) -> sp.csr_matrix:
    """The sums of ``add_pairs`` over blocks that were read before, each with its own scanner:
    float64[size, size]. Raises Cancelled.
    """
    cells = _no_cells(size)
    for number, (block, scanner) in enumerate(zip(blocks, scanners, strict=True)):
        cells = _add_block(block, cells, scanner, threads, run, (number, len(blocks)))
    return _as_matrix(cells, size)


def _as_matrix(cells: Cells, size: int) -> sp.csr_matrix:
    matrix = sp.csr_matrix((cells.values, cells.columns, cells.indptr), shape=(size, size))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def block_count(corpus: Corpus, block_tokens: int = BLOCK_TOKENS) -> int:
    """Number of blocks in which a text is read."""
    return max(1, -(-corpus.tokens // block_tokens))


def _no_cells(size: int) -> Cells:
    return Cells(np.zeros(size + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0))


# -- a block


def _read_block(
    corpus: Corpus, size: int, first: int, length: int, margin: int, wanted: Bools, run: JobControl
) -> Block:
    ids = _read_only(corpus.ids)
    sentences = _read_only(corpus.sentences)
    last = min(first + length, corpus.tokens)
    # The block includes up to ``margin`` kept tokens of the sentence on each side as context.
    here = int(np.searchsorted(sentences, first, side="right"))
    low = _walk(ids, size, first, int(sentences[here - 1]), -1, margin)
    high = _walk(
        ids, size, last, int(sentences[np.searchsorted(sentences, last, side="left")]), 1, margin
    )

    ends = max(int(np.searchsorted(sentences, high, side="left")) - here, 0)
    tokens = np.empty(high - low + ends + 2, dtype=np.int32)
    tokens[0] = size
    filled, sentence, borders = 1, here, []
    for begin, end in ((low, first), (first, last), (last, high)):
        borders.append(filled)
        for at in range(begin, end, _CHUNK):
            run.check()
            filled, sentence = _keep(
                ids, sentences, sentence, at, min(at + _CHUNK, end), size, tokens, filled
            )
    tokens[filled] = size
    tokens = tokens[: filled + 1]

    own = [(at, min(at + _CHUNK, borders[2])) for at in range(borders[1], borders[2], _CHUNK)]
    seen = np.zeros(size, dtype=np.int64)
    for begin, end in own:
        run.check()
        _tally(tokens, begin, end, size, wanted, seen)
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(seen, out=starts[1:])
    positions = np.empty(int(starts[-1]), dtype=np.int32)
    next_place = starts[:-1].copy()
    for begin, end in own:
        run.check()
        _file(tokens, begin, end, size, wanted, next_place, positions)
    return Block(tokens, positions, starts)


def _read_only(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    # Plain read-only views, mapped from a file or not: one type, one compilation.
    view = np.asarray(array).view(np.ndarray)
    view.flags.writeable = False
    return view


@kernel
def _walk(ids: Ids, size: int, start: int, border: int, step: int, kept: int) -> int:
    """Walk from ``start`` towards ``border`` past ``kept`` tokens of the vocabulary."""
    at = start
    while at != border and kept > 0:
        token = ids[at - 1] if step < 0 else ids[at]
        at += step
        if token < size:
            kept -= 1
    return at


@kernel
def _keep(
    ids: Ids,
    sentences: Ints,
    sentence: int,
    begin: int,
    end: int,
    size: int,
    tokens: Ids,
    filled: int,
) -> tuple[int, int]:
    """Copy kept tokens of [begin, end) to ``tokens``, with ``size`` between sentences."""
    for at in range(begin, end):
        while sentence < sentences.size and sentences[sentence] <= at:
            if tokens[filled - 1] != size:
                tokens[filled] = size
                filled += 1
            sentence += 1
        if ids[at] < size:
            tokens[filled] = ids[at]
            filled += 1
    return filled, sentence


@kernel
def _tally(tokens: Ids, begin: int, end: int, size: int, wanted: Bools, seen: Ints) -> None:
    for at in range(begin, end):
        word = tokens[at]
        if word < size and wanted[word]:
            seen[word] += 1


@kernel
def _file(
    tokens: Ids, begin: int, end: int, size: int, wanted: Bools, next_place: Ints, positions: Ids
) -> None:
    for at in range(begin, end):
        word = tokens[at]
        if word < size and wanted[word]:
            positions[next_place[word]] = at
            next_place[word] += 1


# -- its rows


class _Part(NamedTuple):
    """Some finished rows, one after another; first : the first of them."""

    first: int
    columns: Ids
    values: Doubles


def _add_block(
    block: Block,
    before: Cells,
    scanner: Scanner,
    threads: int,
    run: JobControl,
    place: tuple[int, int],
) -> Cells:
    """Add block ``place[0]`` of ``place[1]``; the last block divides the sums."""
    parts: list[_Part] = []

    def take(rows: Finished) -> None:
        parts.append(_Part(rows.first, rows.columns.copy(), rows.values.copy()))

    sizes = _scan_rows(block, before, scanner, threads, run, place, take)
    divisor = scanner.divisor if place[0] == place[1] - 1 else 1.0
    return _join(parts, sizes, divisor, run)


def _scan_rows(
    block: Block,
    before: Cells,
    scanner: Scanner,
    threads: int,
    run: JobControl,
    place: tuple[int, int],
    take: Take,
) -> Ints:
    """Pass the sums of ``before`` and of block ``place[0]`` of ``place[1]`` to ``take``; returns
    the number of cells of each row, int64[V].
    """
    size = len(block.starts) - 1
    threads = usable_threads(threads)
    # Cost of a row: its positions, its cells from earlier blocks, and a small constant.
    cost = block.starts + before.indptr // 16 + np.arange(size + 1)
    marks = np.linspace(0, float(cost[-1]), threads * _RANGES_PER_THREAD + 1)[1:-1]
    bounds = np.unique(np.concatenate(([0], np.searchsorted(cost, marks), [size])))
    ranges = deque(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
    sizes = np.zeros(size, dtype=np.int64)
    finished = [0.0] * threads

    def work(thread: int, pause: Callable[[], None]) -> None:
        mine = _make_work(size, sizes)
        while True:
            try:
                first, last = ranges.popleft()
            except IndexError:
                return
            state = mine.state
            state[:4] = first, block.starts[first], 0, 0
            while state[0] < last:
                pause()
                row = int(state[0])
                scanner.scan(block, before, mine, last, scanner.budget)
                finished[thread] += float(cost[state[0]] - cost[row])
                if state[0] == last or len(mine.columns) - state[2] < size:
                    end, filled = int(state[0]), int(state[2])
                    columns, values = mine.columns[:filled], mine.values[:filled]
                    take(Finished(first, sizes[first:end], columns, values))
                    first, state[2] = end, 0

    def report() -> None:
        share = sum(finished) / max(float(cost[-1]), 1.0)
        run.advance((place[0] + share) / place[1])

    in_threads(work, threads, run, report)
    return sizes


def _make_work(size: int, sizes: Ints) -> Work:
    room = max(size, _CHUNK)
    return Work(
        sums=np.zeros(size),
        touched=np.empty(size + 1, dtype=np.int32),
        bits=np.zeros(size // 64 + 1, dtype=np.uint64),
        groups=np.zeros(size // 4096 + 1, dtype=np.uint64),
        columns=np.empty(room, dtype=np.int32),
        values=np.empty(room),
        sizes=sizes,
        state=np.zeros(5, dtype=np.int64),
    )


def _join(parts: list[_Part], sizes: Ints, divisor: float, run: JobControl) -> Cells:
    indptr = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=indptr[1:])
    columns = np.empty(int(indptr[-1]), dtype=np.int32)
    values = np.empty(int(indptr[-1]))
    while parts:
        run.check()
        part = parts.pop()  # so that the cells are never in memory twice
        here = slice(int(indptr[part.first]), int(indptr[part.first]) + len(part.columns))
        columns[here] = part.columns
        np.divide(part.values, divisor, out=values[here])
    return Cells(indptr, columns, values)


def in_threads(
    work: Callable[[int, Callable[[], None]], None],
    threads: int,
    run: JobControl,
    report: Callable[[], None],
) -> None:
    """Run ``work(thread, pause)`` in ``threads`` threads; they must call ``pause`` every 20 to 50
    ms.

    The calling thread handles pause and cancel and calls ``report``. An exception in a thread ends
    all others at their next ``pause`` and is raised here; no thread is left running.
    """
    go, halt = threading.Event(), threading.Event()
    go.set()

    def pause() -> None:
        go.wait()
        if halt.is_set():
            raise Cancelled

    with ThreadPoolExecutor(threads, thread_name_prefix="counts") as pool:
        futures = [pool.submit(work, thread, pause) for thread in range(threads)]
        try:
            running = set(futures)
            while running:
                done, running = wait(running, timeout=0.03, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if run.is_paused:
                    go.clear()
                run.check()
                go.set()
                report()
        finally:
            halt.set()
            go.set()


@kernel
def begin_row(row: int, before: Cells, work: Work) -> int:
    """Add the sums of earlier blocks to the row; return the number of non-zero columns."""
    touched = 0
    for at in range(before.indptr[row], before.indptr[row + 1]):
        column = before.columns[at]
        work.sums[column] = before.values[at]
        work.touched[touched] = column
        touched += 1
    return touched


@kernel
def finish_row(row: int, touched: int, work: Work) -> None:
    """Append the row's cells to the finished ones, in ascending order of columns, and clear the
    row.
    """
    filled = work.state[2]
    work.sizes[row] = touched
    # Bits sort in linear time; a row with few columns only visits the groups that it uses.
    for at in range(touched):
        column = work.touched[at]
        word = column >> 6
        work.bits[word] |= np.uint64(1) << np.uint64(column & 63)
        work.groups[word >> 6] |= np.uint64(1) << np.uint64(word & 63)
    for group in range(work.groups.size):
        used = work.groups[group]
        while used != 0:
            later = used & (used - np.uint64(1))
            word = (group << 6) + _PLACE[(used ^ later) % np.uint64(67)]
            left = work.bits[word]
            while left != 0:
                others = left & (left - np.uint64(1))
                column = (word << 6) + _PLACE[(left ^ others) % np.uint64(67)]
                work.columns[filled] = column
                work.values[filled] = work.sums[column]
                work.sums[column] = 0.0
                filled += 1
                left = others
            work.bits[word] = np.uint64(0)
            used = later
        work.groups[group] = np.uint64(0)
    work.state[2] = filled
