"""Counts of neighbouring words, in memory that grows with the number of distinct pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Bools, Ints
from workbench.core.job_control import JobControl

# Tokens processed between two checks for cancel.
CHUNK = 1 << 18


@dataclass(frozen=True)
class Chunk:
    """The pairs that begin at the positions ``begin``..``begin`` + n − 1 of a corpus.

    left : int64[n], ids of the first words
    right : int64[n], ids of the second; 0 at the corpus's last position
    inside : bool[n], whether both are in the same sentence
    ends : int64[m], the ends of sentences in ``begin`` + 1..``begin`` + n
    """

    begin: int
    left: Ints
    right: Ints
    inside: Bools
    ends: Ints


def chunks(ids: npt.NDArray[np.int32], sentences: Ints) -> Iterator[Chunk]:
    """All positions of a corpus, in order, CHUNK at a time.

    ids : int32[tokens]; sentences : int64[S + 1], offsets in ids, the last one ``tokens``
    """
    for begin in range(0, len(ids), CHUNK):
        window = ids[begin : begin + CHUNK + 1].astype(np.int64)
        size = min(CHUNK, len(ids) - begin)
        if len(window) == size:
            window = np.append(window, 0)
        first, last = np.searchsorted(sentences, np.array([begin + 1, begin + size + 1]))
        ends = np.asarray(sentences[first:last], dtype=np.int64)
        inside = np.ones(size, dtype=np.bool_)
        inside[ends - 1 - begin] = False
        yield Chunk(begin, window[:-1], window[1:], inside, ends)


def count_pairs(
    ids: npt.NDArray[np.int32],
    sentences: Ints,
    eligible: Bools,
    run: JobControl,
    report_tokens: Callable[[int], None],
) -> tuple[Ints, Ints]:
    """Counts of neighbouring pairs within sentences, overlapping ones included.

    eligible : bool[types], the words that may be part of a pair
    report_tokens : called with the tokens read so far

    Returns int64[P] left · types + right, increasing, and int64[P] their counts. Raises Cancelled.
    """
    types = len(eligible)
    tally = _Tally(run)
    for chunk in chunks(ids, sentences):
        run.check()
        used = chunk.inside & eligible[chunk.left] & eligible[chunk.right]
        tally.add(chunk.left[used] * types + chunk.right[used])
        report_tokens(chunk.begin + len(chunk.left))
    return tally.result()


class _Tally:
    """Counts keys: added keys wait in sorted runs, which are merged when they outgrow the rest."""

    def __init__(self, run: JobControl) -> None:
        self._run = run
        self._runs: list[tuple[Ints, Ints]] = []
        self._merged = 0
        self._waiting = 0

    def add(self, keys: Ints) -> None:
        keys = np.sort(keys)
        self._runs.append(_sum_equal_keys(keys, np.ones(len(keys), dtype=np.int64)))
        self._waiting += len(self._runs[-1][0])
        if self._waiting > max(8 * CHUNK, self._merged):
            self._merge()

    def result(self) -> tuple[Ints, Ints]:
        if len(self._runs) != 1:
            self._merge()
        return self._runs[0]

    def _merge(self) -> None:
        """Merge all runs into one, in slices of the range of keys, so that cancelling need not wait
        for the whole merge.
        """
        if not self._runs:
            self._runs = [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))]
            return
        longest = max((keys for keys, _ in self._runs), key=len)
        slices = sum(len(keys) for keys, _ in self._runs) // CHUNK + 1
        cuts = longest[np.arange(1, slices) * len(longest) // slices]
        bounds = [
            np.concatenate([[0], np.searchsorted(keys, cuts), [len(keys)]])
            for keys, _ in self._runs
        ]
        parts = []
        for number in range(slices):
            self._run.check()
            here = [slice(bound[number], bound[number + 1]) for bound in bounds]
            keys = np.concatenate(
                [run[0][part] for run, part in zip(self._runs, here, strict=True)]
            )
            counts = np.concatenate(
                [run[1][part] for run, part in zip(self._runs, here, strict=True)]
            )
            # Stable sorting is a merge, because the runs are sorted already.
            order = np.argsort(keys, kind="stable")
            parts.append(_sum_equal_keys(keys[order], counts[order]))
        self._runs = [
            (
                np.concatenate([part[0] for part in parts]),
                np.concatenate([part[1] for part in parts]),
            )
        ]
        self._merged, self._waiting = len(self._runs[0][0]), 0


def _sum_equal_keys(keys: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The distinct sorted keys, and the sums of their counts."""
    if not len(keys):
        return keys, counts
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.add.reduceat(counts, first)
