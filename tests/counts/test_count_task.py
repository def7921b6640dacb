"""Counts made in a child process, compared with counts made in this process."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.paths import cache_folder
from workbench.core.processes import child_task
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus
from workbench.counts import cache
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import SampledWindow, effective_counts


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus in the cache that child processes share, removed after the test."""
    text = tmp_path / "text.txt"
    random = np.random.default_rng(5)
    lines = [" ".join(f"w{word}" for word in random.zipf(1.5, 12) % 40) for _ in range(80)]
    text.write_text("\n".join(lines))
    new_corpus = open_corpus([text])
    assert new_corpus.folder is not None
    yield new_corpus
    shutil.rmtree(new_corpus.folder, ignore_errors=True)
    child_task.end_waiting()


def in_child(monkeypatch: pytest.MonkeyPatch, corpus: Corpus, child: bool) -> None:
    assert corpus.folder is not None
    for file in corpus.folder.glob("counts-*"):
        file.unlink()
    monkeypatch.setattr(cache, "avoids_compiler", lambda: child)


def same(one: sp.csr_matrix, other: sp.csr_matrix) -> None:
    np.testing.assert_array_equal(one.indptr, other.indptr)
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.data, other.data)


@pytest.mark.parametrize(("weighting", "symmetric"), [("dynamic", True), ("harmonic", False)])
def test_a_child_counts_the_same_pairs(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, weighting: str, symmetric: bool
) -> None:
    tables = []
    for child in (True, False):
        in_child(monkeypatch, corpus, child)
        words = corpus.vocabulary(2)
        tables.append(cooccurrence(corpus, words, 3, weighting, symmetric, threads=1))
    same(*tables)


def test_a_child_computes_the_same_expected_counts(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = []
    for child in (True, False):
        in_child(monkeypatch, corpus, child)
        settings = SampledWindow(2, "fixed", 0.01)
        tables.append(effective_counts(corpus, corpus.vocabulary(), settings, threads=1))
    same(*tables)


def test_a_corpus_that_is_no_longer_in_the_cache_is_counted_here(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_child(monkeypatch, corpus, False)
    expected = cooccurrence(corpus, corpus.vocabulary(), 2)
    in_child(monkeypatch, corpus, True)
    (cache_folder("corpora") / corpus.digest / "meta.json").unlink()
    same(cooccurrence(corpus, corpus.vocabulary(), 2), expected)
