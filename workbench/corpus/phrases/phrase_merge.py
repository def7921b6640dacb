"""Joining pairs of neighbours in a text of ids, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Bools, Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.phrases.bigram_counts import chunks


@dataclass
class IdText:
    """The text between two passes: ids are numbers of ``words``, some of which may no longer
    occur.
    """

    ids: npt.NDArray[np.int32]
    sentences: Ints
    words: list[str]
    counts: Ints


@dataclass(frozen=True)
class PhrasePairs:
    """The pairs of a pass that are joined.

    keys : int64[n], left · types + right, increasing
    counts : int64[n]; scores : float64[n]
    numbers : int64[n], numbers of the resulting words
    """

    keys: Ints
    counts: Ints
    scores: Doubles
    numbers: Ints


def join(
    text: IdText,
    pairs: PhrasePairs,
    folder: Path,
    run: JobControl,
    report_tokens: Callable[[int], None],
) -> Ints:
    """Write the joined text's ``ids`` and ``sentences`` into a folder; return how often each pair
    was joined, int64[n].

    ``report_tokens`` is called with the tokens read so far. Raises Cancelled.
    """
    types = len(text.counts)
    first, second = np.zeros((2, types), dtype=np.bool_)
    first[pairs.keys // types] = True
    second[pairs.keys % types] = True
    joined = np.zeros(len(pairs.keys), dtype=np.int64)
    taken, before = False, 0
    with (folder / "ids").open("wb") as ids, (folder / "sentences").open("wb") as sentences:
        sentences.write(np.zeros(1, dtype="<i8").tobytes())
        for chunk in chunks(text.ids, text.sentences):
            run.check()
            marks = chunk.inside & first[chunk.left] & second[chunk.right]
            places = np.flatnonzero(marks)
            keys = chunk.left[places] * types + chunk.right[places]
            rows = np.minimum(np.searchsorted(pairs.keys, keys), len(pairs.keys) - 1)
            known = pairs.keys[rows] == keys
            marks[places] = known
            row = np.zeros(len(marks), dtype=np.int64)
            row[places[known]] = rows[known]
            begins = greedy(marks, taken)
            dropped = np.concatenate([[taken], begins[:-1]])
            taken = bool(begins[-1])
            joined_ids = chunk.left.astype("<i4")
            joined_ids[begins] = pairs.numbers[row[begins]]
            ids.write(joined_ids[~dropped].tobytes())
            joined += np.bincount(row[begins], minlength=len(joined))
            gone = before + np.cumsum(dropped)
            before = int(gone[-1])
            sentences.write(
                (chunk.ends - gone[chunk.ends - 1 - chunk.begin]).astype("<i8").tobytes()
            )
            report_tokens(chunk.begin + len(marks))
    return joined


def greedy(marks: Bools, taken: bool = False) -> Bools:
    """Positions at which a pair is joined, among those marked, from the left: bool[n].

    A token belongs to at most one pair, so every second one of adjacent positions is joined.
    ``taken``: the first token belongs to a pair already.
    """
    allowed = marks.copy()
    if taken:
        allowed[:1] = False
    place = np.arange(len(allowed))
    row_begins = allowed & ~np.concatenate([[False], allowed[:-1]])
    begin = np.maximum.accumulate(np.where(row_begins, place, 0))
    even: Bools = (place - begin) % 2 == 0
    return allowed & even


def joined_text(text: IdText, pairs: PhrasePairs, joined: Ints, folder: Path) -> IdText:
    """The text that ``join`` wrote."""
    types = len(text.counts)
    counts = np.zeros(len(text.words), dtype=np.int64)
    counts[:types] = text.counts
    np.add.at(counts, pairs.numbers, joined)
    np.subtract.at(counts, pairs.keys // types, joined)
    np.subtract.at(counts, pairs.keys % types, joined)
    return IdText(
        np.asarray(np.memmap(folder / "ids", dtype="<i4", mode="r")),
        np.asarray(np.memmap(folder / "sentences", dtype="<i8", mode="r")),
        text.words,
        counts,
    )


def first_places(text: IdText, run: JobControl) -> Ints:
    """First position of each word: int64[types]; ``tokens`` where it no longer occurs."""
    places = np.full(len(text.counts), len(text.ids), dtype=np.int64)
    for chunk in chunks(text.ids, text.sentences):
        run.check()
        fresh = np.flatnonzero(places[chunk.left] == len(text.ids))
        np.minimum.at(places, chunk.left[fresh], chunk.begin + fresh)
    return places
