"""A sample of text from all parts of a corpus, read and counted, as the basis of a plan."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, CorpusOptions, Vocabulary
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.counts.cluster.row_ranges import row_cells
from workbench.counts.cluster.splits import Stretch, TextSplit, blocks_of
from workbench.counts.cluster.vocabulary import (
    WordTable,
    merge_tables,
    rank_table,
    ranks_of,
    table_of,
)
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.params import CountWindowParams

_PLACES = 12
_PLACE_BYTES = 1 << 18
# Words with at least this count in the sample are assumed to be equally frequent everywhere.
_FREQUENT = 20


@dataclass(frozen=True, eq=False)
class ClusterSample:
    """A sample. tokens : number of tokens read; stored : bytes that they take in the files; half :
    types in the first half of the tokens
    seconds_read, seconds_counted : per token; share : cells of the sample relative to those of
    independent words
    """

    table: WordTable
    stored: int
    half: int
    seconds_read: float
    seconds_counted: float
    share: float
    whole: bool

    @property
    def tokens(self) -> int:
        return self.table.tokens


def sample_of(
    parts: Sequence[TextSplit], options: CorpusOptions, counting: CountWindowParams, run: JobControl
) -> ClusterSample:
    """Sample text at evenly spaced places of the corpus, and read and count it twice; the second
    time is measured.
    """
    places = np.unique(np.linspace(0, len(parts) - 1, _PLACES).astype(int)).tolist()
    stretches = [(stretch, parts[place]) for place in places for stretch in parts[place].stretches]
    every = max(1, len(stretches) // _PLACES)
    chosen = [stretch for stretch, _ in stretches[::every]][:_PLACES]
    room = _PLACE_BYTES * _PLACES // max(len(chosen), 1)
    tables: list[WordTable] = []
    seconds_read, half, stored, whole = (
        0.0,
        0,
        0,
        len(chosen) == sum(len(part.stretches) for part in parts),
    )
    ids, ends, numberings, bases = [], [], [], 0
    for number, stretch in enumerate(chosen):
        run.check()
        run.advance(number / len(chosen), tr("Reading a sample"))
        data, taken, all_of_it = _beginning(stretch, options, room)
        whole = whole and all_of_it
        stored += taken
        numbering, pieces, _ = _encode_sample(data, options)
        again, _, took = _encode_sample(data, options)
        del again
        seconds_read += took
        tables.append(table_of(numbering, options, run))
        numberings.append(numbering)
        ids.append([piece[0] for piece in pieces])
        ends.append([piece[1] for piece in pieces])
        bases += numbering.tokens
        if number <= (len(chosen) - 1) // 2:
            half = len(merge_tables(tables).words)
    table = merge_tables(tables) if tables else WordTable((), np.zeros(0, dtype=np.int64))
    if not table.tokens:
        raise UserError(
            tr("The text contains no words."),
            tr("Choose another text, or other options."),
        )
    chosen_words = rank_table(table, 1, 0).words
    index = {word: rank for rank, word in enumerate(chosen_words)}
    tokens, sentences, before = [], [np.zeros(1, dtype=np.int64)], 0
    for numbering, of_ids, of_ends in zip(numberings, ids, ends, strict=True):
        ranks = ranks_of(numbering, options, index, run)
        numbers = np.concatenate(of_ids) if of_ids else np.empty(0, dtype=np.int32)
        tokens.append(ranks[numbers])
        sentences.extend(before + each for each in of_ends)
        before += len(numbers)
        sentences.append(np.array([before], dtype=np.int64))
    seconds_counted, share = _time_counting(
        np.concatenate(tokens), np.concatenate(sentences), len(index), counting, run
    )
    if len(chosen) == 1:
        first = np.concatenate(tokens)
        half = len(np.unique(first[: len(first) // 2]))
    return ClusterSample(
        table, stored, half, seconds_read / table.tokens, seconds_counted, share, whole
    )


def _beginning(stretch: Stretch, options: CorpusOptions, room: int) -> tuple[bytes, int, bool]:
    """Up to ``room`` bytes of text, the number of bytes they take in the file, and whether that is
    all.
    """
    data, stored = b"", 0
    ended = True
    for block, at in blocks_of(stretch, options):
        data += block
        stored = at
        if len(data) >= room:
            # The rest of the block was read, but not used.
            ended = len(data) == room
            stored = max(round(stored * room / len(data)), 1)
            data = data[:room]
            break
    else:
        return data, max(stored, 1), True
    cut = data.rfind(b"\n") + 1 or data.rfind(b" ") + 1 or len(data)
    return data[:cut], max(round(stored * cut / room), 1), ended and cut == room


def _encode_sample(data: bytes, options: CorpusOptions) -> tuple[Numbering, list[Any], float]:
    """The result of numbering a text, and its duration in seconds."""
    for text in (data, data.decode(errors="replace").encode()):
        numbering = Numbering(options)
        began = time.perf_counter()
        try:
            pieces = [*numbering.feed(text), *numbering.feed(b"", final=True)]
        except NotUtf8:
            continue
        return numbering, pieces, time.perf_counter() - began
    raise UserError(tr("Couldn’t decode the text."), tr("Choose its encoding."))


def _time_counting(
    ids: npt.NDArray[np.int32],
    sentences: npt.NDArray[np.int64],
    size: int,
    counting: CountWindowParams,
    run: JobControl,
) -> tuple[float, float]:
    """Seconds to count one token, and the cells of the sample as a share of those of independent
    words.
    """
    counts = np.bincount(ids, minlength=size)[:size]
    corpus = Corpus("", ids.astype(np.int32), sentences, (), counts, "")
    vocabulary = Vocabulary(range(size), counts)  # type: ignore[arg-type]
    weighting = counting.window_weighting
    progress = run.progress
    took = 0.0
    for _ in range(2):
        began = time.perf_counter()
        matrix = cooccurrence(
            corpus, vocabulary, counting.window, weighting, counting.symmetric, 1, _Quiet(run)
        )
        took = time.perf_counter() - began
    run.progress = progress
    neighbours = counting.window * (2 if counting.symmetric else 1)
    expected = float(row_cells(counts, float(counts.sum()), neighbours).sum())
    return took / max(len(ids), 1), min(matrix.nnz / max(expected, 1.0), 1.0)


class _Quiet(JobControl):
    """A job control that can be cancelled with another one, and reports nothing."""

    def __init__(self, other: JobControl) -> None:
        super().__init__()
        self._other = other

    def check(self) -> None:
        self._other.check()


def frequencies(
    sample: ClusterSample, growth: float, counting: CountWindowParams
) -> tuple[float, npt.NDArray[np.float64]]:
    """Types of the whole text, and frequencies of the kept words, descending.

    Heaps: T(N) = T(n)·(N/n)^β, β from the two halves of the sample; T(N/m) types occur at least m
    times. Zipf: the corresponding rank-frequency exponent is 1/β (van Leijenhorst & van der Weide
    2005).
    """
    seen = np.sort(sample.table.counts)[::-1].astype(np.float64)
    least, most = counting.min_count, counting.max_vocab
    if growth <= 1.0:
        kept = seen[seen >= least]
        return float(len(seen)), kept[:most] if most else kept
    known = len(seen)
    beta = 0.6
    if sample.half:
        beta = float(np.clip(np.log2(known / max(sample.half, 1)), 0.2, 1.0))
    types = known * growth**beta
    size = max(int(known * (growth / least) ** beta), 1)
    head = seen[seen >= _FREQUENT] * growth
    head = head[head >= least]
    size = max(size, len(head))
    if len(head) and size > len(head):
        ranks = np.arange(len(head) + 1, size + 1, dtype=np.float64)
        # From the last frequent word to the last kept word, which occurs ``least`` times.
        slope = np.log(head[-1] / least) / np.log(size / len(head)) if head[-1] > least else 0.0
        tail = head[-1] * (ranks / len(head)) ** -slope
        head = np.concatenate((head, np.maximum(tail, least)))
    elif not len(head):
        head = np.maximum(seen[:size] * growth, least)
    return types, head[:most] if most else head
