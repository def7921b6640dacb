"""A whole table is the same, whether made from a corpus or from its counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.matrix.board import BoardRequest, Pane, compute_board
from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts import count_tables
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.count_tables import effective_table, plain_table
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.expected_counts import SampledWindow
from workbench.counts.shards import shard_csr, write_shards

CORPUS = markov_corpus(3000)


@pytest.fixture
def counted_corpus(tmp_path: Path) -> CountedCorpus:
    matrix = cooccurrence(CORPUS, CORPUS.vocabulary(), 3, "harmonic", threads=1)
    counting = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 6.0}
    write_shards(tmp_path / "few", shard_csr(matrix, 400), CORPUS.vocabulary(), counting)
    return open_counts(tmp_path / "few")


def test_plain_tables_are_read_from_counts(counted_corpus: CountedCorpus) -> None:
    expected = cooccurrence(CORPUS, CORPUS.vocabulary(), 3, "harmonic", threads=1)
    assert (
        plain_table(counted_corpus, counted_corpus.vocabulary(), 3, "harmonic") != expected
    ).nnz == 0
    assert (plain_table(CORPUS, CORPUS.vocabulary(), 3, "harmonic") != expected).nnz == 0
    assert (
        effective_table(
            counted_corpus, counted_corpus.vocabulary(), SampledWindow(3, "harmonic", 0.0)
        )
        != expected
    ).nnz == 0
    few = plain_table(counted_corpus, counted_corpus.vocabulary(1, 7), 3, "harmonic")
    np.testing.assert_array_equal(few.toarray(), expected.toarray()[:7, :7])


@pytest.mark.parametrize(
    "other", [(5, "harmonic", True), (3, "fixed", True), (3, "harmonic", False)]
)
def test_counts_of_another_kind_are_refused(
    counted_corpus: CountedCorpus, other: tuple[int, str, bool]
) -> None:
    with pytest.raises(UserError, match="Can’t use few with these settings"):
        plain_table(counted_corpus, counted_corpus.vocabulary(), *other)


def test_subsampling_needs_the_text(counted_corpus: CountedCorpus) -> None:
    with pytest.raises(UserError, match="with these settings: it was counted with others"):
        effective_table(
            counted_corpus, counted_corpus.vocabulary(), SampledWindow(3, "harmonic", 1e-3)
        )


def test_subsampled_counts_are_not_plain_counts(tmp_path: Path) -> None:
    matrix = cooccurrence(CORPUS, CORPUS.vocabulary(), 3, "harmonic", threads=1)
    counting = {
        "weighting": "harmonic",
        "window": 3,
        "symmetric": True,
        "divisor": 6.0,
        "sample": 1e-3,
    }
    write_shards(tmp_path / "few", shard_csr(matrix, 400), CORPUS.vocabulary(), counting)
    thinned_corpus = open_counts(tmp_path / "few")
    with pytest.raises(UserError, match="Can’t use few with these settings"):
        plain_table(thinned_corpus, thinned_corpus.vocabulary(), 3, "harmonic")


def test_a_table_that_memory_does_not_hold_is_refused(
    counted_corpus: CountedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_tables, "free_memory", lambda: 1000)
    with pytest.raises(UserError, match="cells, too many to show"):
        plain_table(counted_corpus, counted_corpus.vocabulary(), 3, "harmonic")


def test_matrices_and_pairs_are_those_of_the_text(counted_corpus: CountedCorpus) -> None:
    usual = {"sample": 0.0, **counted_corpus.counting}
    request = BoardRequest((Pane("count"), Pane("ppmi"), Pane("xstar")), top=8, counting=usual)
    ours, theirs = (
        compute_board(counted_corpus, request, JobControl()),
        compute_board(CORPUS, request, JobControl()),
    )
    assert ours.words == theirs.words
    for one, two in zip(ours.results, theirs.results, strict=True):
        np.testing.assert_allclose(one.values, two.values)
    counting = PairCountSettings.of(counted_corpus.counting)
    one, two = count_pairs(counted_corpus, counting, 10), count_pairs(CORPUS, counting, 10)
    np.testing.assert_array_equal(one.cells.toarray(), two.cells.toarray())
    np.testing.assert_array_equal(one.row_sums, two.row_sums)
