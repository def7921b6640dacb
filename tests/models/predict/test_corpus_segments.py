"""Corpora on disk that are larger than memory, with more tokens than 32 bits can count."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.checkpointing import ResumeState
from workbench.models.predict import stream_trainer
from workbench.models.predict.sgns import SGNSParams
from workbench.models.predict.stream_trainer import (
    Segments,
    WindowChunk,
    Worker,
    open_stream,
    own_pieces,
    read_piece,
)
from workbench.models.predict.window_trainer import WindowTrainer, train_windows
from workbench.models.tally import fair_order
from workbench.vectors.embeddings import Embeddings

LONG = 2**31 + 100_000


class Skipping(WindowTrainer[None]):
    """A trainer without a kernel, which may process a whole segment in one call."""

    windows = 1 << 30

    def make_scratch(self, worker: int) -> None:
        return None

    def result(self) -> Embeddings:
        return Embeddings(self.vocabulary.words, np.zeros((1, 2), np.float32))


def map_corpus(path: Path, tokens: int, sentences: list[int]) -> Corpus:
    """A corpus in a sparse file, all zeros except for the last five tokens 1, 2, 3, 4, 5."""
    with path.open("wb") as file:
        file.truncate(4 * tokens)
        file.seek(4 * (tokens - 5))
        file.write(np.arange(1, 6, dtype="<i4").tobytes())
    counts = np.array([tokens - 5, 1, 1, 1, 1, 1])
    ids = np.asarray(np.memmap(path, dtype="<i4", mode="r"))
    return Corpus("long", ids, np.array(sentences), tuple("abcdef"), counts, "0" * 32)


@pytest.mark.skipif(sys.platform != "linux", reason="files with holes")
def test_more_tokens_than_32_bits_count(tmp_path: Path) -> None:
    corpus = map_corpus(tmp_path / "ids", LONG, [0, 2**31 - 7, 2**31 + 3, LONG - 3, LONG])
    params = SGNSParams(min_count=1, sample=0.0, threads=2, epochs=1, learning_rate=0.5)
    stream = open_stream(corpus, corpus.vocabulary(), params)
    worker = Worker(0, 1)
    pieces = own_pieces()
    # To the end of the sentence that crosses 2³¹, then the last two sentences.
    worker.begin(stream, 2**31 - 7, LONG)
    assert worker.cursor[1] == 1
    assert read_piece(stream, worker.cursor, LONG, worker.state, pieces, 0) == 10
    worker.begin(stream, LONG - 5, LONG)
    assert read_piece(stream, worker.cursor, LONG, worker.state, pieces, 0) == 2
    assert pieces.words[:2].tolist() == [1, 2]
    assert read_piece(stream, worker.cursor, LONG, worker.state, pieces, 0) == 3
    assert pieces.words[:3].tolist() == [3, 4, 5]
    assert worker.cursor[:2].tolist() == [LONG, 4]


def test_the_loop_goes_once_over_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_trainer, "_SEGMENT", 1 << 22)
    ids, counts = np.broadcast_to(np.int32(0), LONG), np.array([LONG])
    corpus = Corpus("long", ids, np.array([0, LONG]), ("a",), counts, "0" * 32)
    params = SGNSParams(min_count=1, sample=0.0, threads=1, epochs=1, learning_rate=0.5)
    spans: list[tuple[int, int]] = []
    rates: list[float] = []

    class Reader(Skipping):
        def train_chunk(self, chunk: WindowChunk, scratch: None) -> None:
            # Act as if the whole segment had been trained on. Stretches that are read again for
            # the error of the loss have the rate 0.
            if chunk.rate > 0:
                spans.append((int(chunk.cursor[0]), chunk.stop))
                rates.append(chunk.rate)
            chunk.totals[:2] += 1.0
            chunk.cursor[0] = chunk.stop

    run = JobControl()
    train_windows(Reader(corpus.vocabulary(), params, ResumeState()), corpus, run)
    spans.sort()
    assert spans[0][0] == 0
    assert spans[-1][1] == LONG
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    assert rates[0] == 0.5
    assert rates == sorted(rates, reverse=True)
    assert 0 < rates[-1] < 0.5 * (2 << 22) / LONG
    assert run.progress.fraction == pytest.approx(1.0)


def test_every_epoch_hands_out_every_segment_once() -> None:
    edges = np.array([0, 5, 9, 14, 20])
    segments = Segments(np.zeros(20, np.int32), edges, 3, np.random.default_rng(1), ahead=2)
    segment_order = [segments.next_segment(number % 2) for number in range(13)]
    assert segment_order[12] is None
    order = np.random.default_rng(1)
    expected = [(int(edges[i]), int(edges[i + 1])) for _ in range(3) for i in fair_order(4, order)]
    assert segment_order[:12] == expected
    assert set(Counter(segment_order[:12]).values()) == {3}


def test_continued_training_reads_in_another_order_with_other_draws() -> None:
    ids = np.zeros(60_000, np.int32)
    corpus = Corpus("even", ids, np.arange(0, 60_001, 50), ("a",), np.array([60_000]), "0" * 32)
    whole = Embeddings(words=corpus.words, vectors=np.zeros((1, 2), np.float32))

    def read_order(passes: float, seed: int = 1) -> tuple[list[int], list[int]]:
        """Starts of the segments in the order of an epoch, and the first random state."""
        params = SGNSParams(min_count=1, sample=0.0, threads=1, epochs=1, seed=seed)
        begins: list[int] = []
        states: list[int] = []

        class Reader(Skipping):
            def train_chunk(self, chunk: WindowChunk, scratch: None) -> None:
                if chunk.rate > 0:
                    begins.append(int(chunk.cursor[0]))
                    states.append(int(chunk.state[0]))
                chunk.totals[:2] += 1.0
                chunk.cursor[0] = chunk.stop

        start = (
            ResumeState(replace(whole, state={"passes": np.array(passes)}))
            if passes
            else ResumeState()
        )
        train_windows(Reader(corpus.vocabulary(), params, start), corpus, JobControl())
        return begins, states[:1]

    first, again, part, second, third, other = (
        read_order(0),
        read_order(0),
        read_order(0.4),
        read_order(1),
        read_order(2),
        read_order(0, seed=2),
    )
    assert len(first[0]) > 10
    assert first == again
    assert part == second
    for one, two in ((first, second), (second, third), (first, other)):
        assert sorted(one[0]) == sorted(two[0])
        assert one[0] != two[0]
        assert one[1] != two[1]


def of_files() -> int:
    """Bytes of mapped files that count towards this process’s memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("RssFile"))


@pytest.mark.skipif(sys.platform != "linux", reason="told by /proc")
def test_pages_that_were_read_leave_memory(tmp_path: Path) -> None:
    tokens = 16 << 20
    np.arange(tokens, dtype="<i4").tofile(tmp_path / "ids")
    ids = np.asarray(np.memmap(tmp_path / "ids", dtype="<i4", mode="r")).view()
    segments = Segments(
        ids, np.linspace(0, tokens, 65).astype(np.int64), 1, np.random.default_rng(1), ahead=1
    )
    before = of_files()
    total = 0
    while (segment := segments.next_segment(0)) is not None:
        total += int(ids[slice(*segment)].sum(dtype=np.int64))
    assert total == tokens * (tokens - 1) // 2
    assert of_files() - before < ids.nbytes / 4
