from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus
from reference.naive_counts import naive_counts

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts import contexts
from workbench.counts.contexts import context_row, context_totals
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import open_counts
from workbench.counts.shards import shard_csr, write_shards


def sentences_of(corpus: Corpus) -> list[list[int]]:
    borders = corpus.sentences.tolist()
    return [corpus.ids[a:b].tolist() for a, b in itertools.pairwise(borders)]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    random = np.random.default_rng(5)
    return make_corpus(
        [
            [f"w{n}" for n in random.zipf(1.4, random.integers(0, 15)).clip(1, 20)]
            for _ in range(200)
        ]
    )


@pytest.mark.parametrize("weighting", ["dynamic", "fixed", "harmonic", "linear"])
@pytest.mark.parametrize("size", [20, 6])
def test_rows_and_totals_are_those_of_the_double_loop(
    corpus: Corpus, weighting: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = min(size, corpus.types)
    monkeypatch.setattr(contexts, "_BLOCK", 64)
    contexts._KEPT.clear()
    cells = naive_counts(sentences_of(corpus), size, 4, weighting)
    times = naive_counts(sentences_of(corpus), size, 4, "fixed")
    totals = context_totals(corpus, size, 4, weighting)
    for word in range(size):
        row_found = context_row(corpus, size, word, 4, weighting)
        expected = {c: value for (w, c), value in cells.items() if w == word}
        assert dict(
            zip(row_found.columns.tolist(), row_found.counts.tolist(), strict=True)
        ) == pytest.approx(expected)
        assert row_found.times.tolist() == [times[word, c] for c in row_found.columns.tolist()]
        assert totals[word] == pytest.approx(
            sum(value for (_, c), value in cells.items() if c == word)
        )


def test_cached_totals_are_those_requested(corpus: Corpus) -> None:
    contexts._KEPT.clear()
    other = make_corpus([["a", "b", "c", "b"]] * 3)
    for _ in range(2):
        for of, size, window, weighting in (
            (corpus, 8, 4, "dynamic"),
            (corpus, 8, 4, "fixed"),
            (corpus, 8, 2, "dynamic"),
            (corpus, 6, 4, "dynamic"),
            (other, 3, 4, "dynamic"),
        ):
            expected = np.zeros(size)
            for (_, column), value in naive_counts(
                sentences_of(of), size, window, weighting
            ).items():
                expected[column] += value
            np.testing.assert_allclose(
                context_totals(of, size, window, weighting), expected, rtol=1e-12
            )


@pytest.mark.parametrize("weighting", ["dynamic", "fixed", "harmonic", "linear"])
def test_contexts_from_counts_equal_those_from_the_text(
    corpus: Corpus, weighting: str, tmp_path: Path
) -> None:
    contexts._KEPT.clear()
    vocabulary, size = corpus.vocabulary(1), corpus.types
    counting = {"weighting": weighting, "window": 4, "symmetric": True}
    write_shards(
        tmp_path / "few",
        shard_csr(cooccurrence(corpus, vocabulary, 4, weighting), 60),
        vocabulary,
        counting,
    )
    counts = open_counts(tmp_path / "few")
    cells, times = np.zeros((size, size)), np.zeros((size, size))
    for table, how in ((cells, weighting), (times, "fixed")):
        for place, value in naive_counts(sentences_of(corpus), size, 4, how).items():
            table[place] = value
    np.testing.assert_allclose(
        context_totals(counts, size, 4, weighting), cells.sum(axis=0), rtol=1e-9
    )
    np.testing.assert_allclose(
        context_totals(counts, 6, 4, weighting), cells[:6, :6].sum(axis=0), rtol=1e-9
    )
    for word in range(size):
        row_found = context_row(counts, size, word, 4, weighting)
        np.testing.assert_array_equal(row_found.columns, np.flatnonzero(cells[word]))
        np.testing.assert_allclose(row_found.counts, cells[word][row_found.columns], rtol=1e-9)
        assert (row_found.times >= 1).all()
        assert (row_found.times <= times[word][row_found.columns]).all()
        assert weighting != "fixed" or (row_found.times == times[word][row_found.columns]).all()
        np.testing.assert_array_equal(
            context_row(counts, 6, word, 4, weighting).columns, np.flatnonzero(cells[word][:6])
        )
    with pytest.raises(UserError, match="with these settings: it was counted with others"):
        context_row(counts, size, 0, 3, weighting)
    with pytest.raises(UserError, match="with these settings: it was counted with others"):
        context_totals(counts, size, 3, weighting)


def test_wrong_requests_are_refused(corpus: Corpus) -> None:
    with pytest.raises(UserError, match="window weighting"):
        context_row(corpus, 5, 0, 4, "square")
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        context_totals(corpus, 5, 3, run=run)
