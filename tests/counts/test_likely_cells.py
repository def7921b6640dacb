"""The number of cells estimated from samples, compared with the number counted."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from corpora import make_corpus

from workbench.core.job_control import JobControl
from workbench.counts import likely_cells as module
from workbench.counts.cooccurrence import cooccurrence, expected_cells
from workbench.counts.likely_cells import likely_cells
from workbench.session.corpus.opening import open_bundled


@pytest.mark.parametrize("window", [2, 5, 10])
@pytest.mark.parametrize("min_count", [1, 50])
def test_small_world_has_far_fewer_than_independent_words(window: int, min_count: int) -> None:
    corpus = open_bundled("small-world", JobControl()).corpus
    assert corpus is not None
    vocabulary = corpus.vocabulary(min_count)
    cells = cooccurrence(corpus, vocabulary, window).nnz
    assert expected_cells(vocabulary, 2 * window) > 2 * cells
    assert cells / 1.25 < likely_cells(corpus, vocabulary, window) < cells * 1.25


def test_independent_words_have_as_many_as_expected() -> None:
    random = np.random.default_rng(1)
    share = 1.0 / np.arange(1, 2001)
    words = random.choice(2000, 300_000, p=share / share.sum())
    corpus = make_corpus([[f"w{word}" for word in words]])
    vocabulary = corpus.vocabulary()
    cells = cooccurrence(corpus, vocabulary, 3).nnz
    assert likely_cells(corpus, vocabulary, 3) == pytest.approx(cells, rel=0.1)
    one_sided = cooccurrence(corpus, vocabulary, 3, symmetric=False).nnz
    assert likely_cells(corpus, vocabulary, 3, False) == pytest.approx(one_sided, rel=0.1)


@pytest.mark.parametrize(
    "sentences", [[["a"]], [["a"], ["b"], ["a"]], [["a", "b"]], [["a"] * 30], [list("abc")] * 9]
)
def test_short_texts_have_a_number(sentences: list[list[str]]) -> None:
    corpus = make_corpus(sentences)
    estimate = likely_cells(corpus, corpus.vocabulary(), 5)
    assert 0 <= estimate <= len(corpus.words) ** 2


def test_a_deleted_corpus_is_not_cached() -> None:
    corpus = make_corpus([list("abcabd")])
    likely_cells(corpus, corpus.vocabulary(), 2)
    assert corpus in module._shares
    size = len(module._shares)
    del corpus
    gc.collect()
    assert len(module._shares) == size - 1
