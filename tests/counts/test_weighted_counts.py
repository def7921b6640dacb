"""Counts by unit and with weights of documents, beside counts of texts that repeat documents."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, planted_corpus
from reference.naive_counts import naive_counts

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import Documents, draw_text
from workbench.counts import weighted_counts
from workbench.counts.cooccurrence import WEIGHTINGS, cooccurrence
from workbench.counts.unit_contexts import contexts_by_unit, occurrences_by_unit
from workbench.counts.weighted_counts import WeightedCounter


def sentences_of(corpus: Corpus) -> list[list[int]]:
    return [corpus.ids[begin:end].tolist() for begin, end in pairwise(corpus.sentences)]


def random_corpus(seed: int, lines: int = 60) -> Corpus:
    random = np.random.default_rng(seed)
    return make_corpus(
        [
            [f"w{word}" for word in random.zipf(1.5, random.integers(1, 25)).clip(max=30)]
            for _ in range(lines)
        ]
    )


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("size", [8, 25])
def test_weighted_counts_equal_those_of_the_repeated_text(weighting: str, size: int) -> None:
    corpus = random_corpus(1)
    size = min(size, corpus.types)
    documents = Documents("files", np.array([0, 7, 8, 20, 35, 60]))
    times = np.array([2, 0, 1, 3, 1])
    counter = WeightedCounter(corpus, size, documents.of_sentences(), 3, weighting)
    found = counter.counts(times.astype(float))
    repeated = sentences_of(draw_text(corpus, documents, times))
    expected = naive_counts(repeated, size, 3, weighting)
    table = found.tocoo()
    cells = {
        (int(row), int(column)): value
        for row, column, value in zip(table.row, table.col, table.data, strict=True)
    }
    assert cells == pytest.approx(expected)
    assert found.has_sorted_indices
    plain = counter.counts(np.ones(5))
    assert (plain != cooccurrence(corpus, corpus.vocabulary(max_vocab=size), 3, weighting)).nnz == 0


def test_a_text_in_several_parts_has_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = random_corpus(2, 200)
    documents = np.arange(200) // 9
    weights = np.random.default_rng(3).integers(0, 3, 23).astype(float)
    whole = WeightedCounter(corpus, 20, documents, 4).counts(weights)
    monkeypatch.setattr(weighted_counts, "BLOCK_TOKENS", 300)
    parts = WeightedCounter(corpus, 20, documents, 4)
    assert len(parts._parts) > 3
    for threads in (1, 2):
        parts._threads = threads
        again = parts.counts(weights)
        assert np.array_equal(again.data, whole.data)
        assert np.array_equal(again.indices, whole.indices)


def test_counting_stops_when_it_is_cancelled() -> None:
    corpus = random_corpus(4)
    counter = WeightedCounter(corpus, 20, np.zeros(60, dtype=np.int64))
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        counter.counts(np.ones(1), run)
    with pytest.raises(UserError, match="window"):
        WeightedCounter(corpus, 20, np.zeros(60, dtype=np.int64), 0)


@pytest.mark.parametrize("weighting", ["dynamic", "harmonic"])
def test_contexts_by_unit_equal_a_count_of_each_unit(weighting: str) -> None:
    corpus = planted_corpus(groups=2, documents=2, sentences=15)
    units = np.arange(60) // 7 - 1
    size = 90
    row = list(corpus.words).index("mover")
    assert row < size
    found = contexts_by_unit(corpus, size, row, units, 9, 4, weighting).toarray()
    sentences = sentences_of(corpus)
    times = occurrences_by_unit(corpus, row, units, 9)
    for unit in range(9):
        own = [one for one, where in zip(sentences, units, strict=True) if where == unit]
        expected = np.zeros(size)
        for (word, context), value in naive_counts(own, size, 4, weighting).items():
            if word == row:
                expected[context] = value
        assert found[unit] == pytest.approx(expected)
        assert times[unit] == sum(one.count(row) for one in own)
