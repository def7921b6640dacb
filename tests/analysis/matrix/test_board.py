"""Several matrices over the same words: choice, order, and messages where one isn’t available."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus

from workbench.analysis.matrix import board as matrix_board
from workbench.analysis.matrix.board import BoardRequest, Pane, compute_board, memory_needed
from workbench.analysis.matrix.values import MatrixRequest, MatrixResult, compute
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.vectors.embeddings import Embeddings

ROYAL, RURAL = ("crown", "king", "queen", "throne"), ("barn", "cow", "field", "hay")


@pytest.fixture
def corpus() -> Corpus:
    """Two groups of words that co-occur only within their group, with overlapping frequencies."""
    rng = np.random.default_rng(3)
    sentences = []
    for _ in range(60):
        for world in (ROYAL, RURAL):
            sentences.append([world[at] for at in rng.choice(4, size=5, p=[0.4, 0.3, 0.2, 0.1])])
    return make_corpus(sentences)


def vectors(words: tuple[str, ...], seed: int = 0) -> Embeddings:
    """Vectors whose first dimension separates the two groups."""
    rng = np.random.default_rng(seed)
    table = rng.normal(scale=0.1, size=(len(words), 3)).astype(np.float32)
    table[:, 0] = [2.0 if word in ROYAL else -2.0 for word in words]
    return Embeddings(
        list(words), table, contexts=-table, metadata={"parameters": {"min_count": 1}}
    )


def test_all_panes_show_the_same_words(corpus: Corpus) -> None:
    model = vectors(("king", "cow", "queen", "hay", "crown"))
    board = compute_board(
        corpus,
        BoardRequest((Pane("ppmi"), Pane("model", model), Pane("residual", model)), top=4),
        JobControl(),
    )
    known = [word for word in corpus.words if word in model.index][:4]
    assert board.words == board.columns == tuple(known)
    for result in board.results:
        assert result.words == board.words
        alone = compute(corpus, MatrixRequest(result.kind, board.words), model)
        np.testing.assert_array_equal(result.values, alone.values)
    assert [result.kind for result in board.results] == ["ppmi", "model", "residual"]


def test_a_pane_that_cannot_be_made_says_why(corpus: Corpus) -> None:
    bare = Embeddings(["king"], np.ones((1, 2), np.float32))
    board = compute_board(
        corpus, BoardRequest((Pane("ppmi"), Pane("model", bare)), ("king",)), JobControl()
    )
    first, second = board.panes
    assert isinstance(first, MatrixResult)
    assert isinstance(second, UserError)
    assert "no context vectors" in second.message
    with pytest.raises(UserError, match="no context vectors"):
        compute_board(corpus, BoardRequest((Pane("model", bare),), ("king",)), JobControl())


def test_words_that_nobody_knows_are_told(corpus: Corpus) -> None:
    board = compute_board(
        corpus, BoardRequest((Pane("ppmi"),), ("zebra", "king", "kinng", "queen")), JobControl()
    )
    assert board.words == board.columns == ("king", "queen")
    assert board.left_out == (
        "Left out (not in the vocabulary): “zebra”, “kinng”. Did you mean “king” for “kinng”?"
    )
    with pytest.raises(UnknownWord, match="“zebra”, “gnu” are") as failure:
        compute_board(corpus, BoardRequest((Pane("ppmi"),), ("zebra", "gnu")), JobControl())
    # The text doesn’t contain the word, so a lower minimum count can’t help.
    assert "lower" not in failure.value.hint
    model = vectors(("king", "zebra"))
    board = compute_board(
        corpus, BoardRequest((Pane("ppmi"), Pane("model", model)), ("King", "zebra")), JobControl()
    )
    assert board.words == ("king", "zebra")
    assert board.results[0].rows_known.tolist() == [True, False]
    assert np.isfinite(board.results[1].values).all()


def test_a_rare_word_is_left_out_with_what_admits_it(corpus: Corpus) -> None:
    rarest = corpus.words[-1]
    known = [
        word for word in corpus.words if corpus.counts[corpus.words.index(word)] > corpus.counts[-1]
    ]
    counting = {"min_count": int(corpus.counts[-1]) + 1}
    request = BoardRequest((Pane("ppmi"),), (rarest, *known[:2]), counting=counting)
    board = compute_board(corpus, request, JobControl())
    assert board.words == tuple(known[:2])
    assert "too rare" in board.left_out
    assert rarest in board.left_out


def test_products_of_pairs_never_met_can_be_left_out_beside_counts(corpus: Corpus) -> None:
    words = tuple(corpus.words[:6])
    panes = (Pane("pmi"), Pane("model", vectors((*words, "zebra"))))
    plain = compute_board(corpus, BoardRequest(panes, (*words, "zebra")), JobControl()).results
    met_results = compute_board(
        corpus, BoardRequest(panes, (*words, "zebra"), met_only=True), JobControl()
    ).results
    unmet = np.isnan(plain[0].values[:-1, :-1])
    assert unmet.any()
    assert not unmet.all()
    assert np.isfinite(plain[1].values).all()
    assert (np.isnan(met_results[1].values[:-1, :-1]) == unmet).all()
    # The corpus lacks this word, so its pairs aren’t unobserved.
    assert np.isfinite(met_results[1].values[-1]).all()
    kept = np.isfinite(met_results[1].values)
    assert (met_results[1].values[kept] == plain[1].values[kept]).all()
    np.testing.assert_array_equal(met_results[0].values, plain[0].values)
    alone = compute_board(
        corpus, BoardRequest(panes[1:], words, met_only=True), JobControl()
    ).results
    assert np.isfinite(alone[0].values).all()


def test_words_are_added_to_both_axes_of_a_square_and_to_one_of_another(corpus: Corpus) -> None:
    square = BoardRequest(
        (Pane("ppmi"),), ("king",), extra_rows=("cow",), extra_columns=("hay", "king")
    )
    assert compute_board(corpus, square, JobControl()).words == ("king", "cow", "hay")
    assert compute_board(corpus, square, JobControl()).columns == ("king", "cow", "hay")
    model = vectors((*ROYAL, *RURAL))
    near = BoardRequest((Pane("ppmi", model),), ("king",), near=True, extra_columns=("hay",))
    board = compute_board(corpus, near, JobControl())
    assert board.words[0] == "king"
    assert "hay" in board.columns
    assert board.columns != board.words


@pytest.mark.parametrize("order", ["rows", "vectors"])
def test_clusters_bring_the_worlds_together(order: str, corpus: Corpus) -> None:
    model = vectors((*ROYAL, *RURAL))
    mixed = tuple(word for pair in zip(ROYAL, RURAL, strict=True) for word in pair)
    board = compute_board(
        corpus,
        BoardRequest((Pane("ppmi", model), Pane("model", model)), mixed, order=order),
        JobControl(),
    )
    assert sorted(board.words) == sorted(mixed)
    assert board.columns == board.words
    sides = [word in ROYAL for word in board.words]
    assert sum(a != b for a, b in pairwise(sides)) == 1
    for result in board.results:
        alone = compute(corpus, MatrixRequest(result.kind, board.words), model)
        np.testing.assert_allclose(result.values, alone.values)


def test_frequency_and_alphabet(corpus: Corpus) -> None:
    mixed = ("throne", "barn", "crown", "hay")

    def ask(order: str) -> tuple[str, ...]:
        request = BoardRequest((Pane("ppmi"),), mixed, order=order)
        return compute_board(corpus, request, JobControl()).words

    assert ask("listed") == mixed
    assert ask("alphabet") == tuple(sorted(mixed))
    assert list(ask("frequency")) == [word for word in corpus.words if word in mixed]


def test_an_order_by_vectors_needs_some(corpus: Corpus) -> None:
    with pytest.raises(UserError, match="Ordering by vectors needs a model"):
        compute_board(corpus, BoardRequest((Pane("ppmi"),), order="vectors"), JobControl())


def test_too_many_words_are_ordered_by_the_tree_and_it_is_said(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = BoardRequest((Pane("ppmi"),), order="rows", top=8)
    assert compute_board(corpus, request, JobControl()).note == ""
    monkeypatch.setattr(matrix_board, "OPTIMAL_UP_TO", 5)
    board = compute_board(corpus, request, JobControl())
    assert "More than 5 words" in board.note
    assert len(board.words) == 8


@pytest.mark.parametrize("near", [False, True])
def test_of_words_without_end_the_first_are_shown_and_it_is_said(
    near: bool, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix_board, "MOST_WORDS", 3)
    words = ("cow", "king", "hay", "queen", "throne")
    board = compute_board(corpus, BoardRequest((Pane("ppmi"),), words, near=near), JobControl())
    assert board.words == words[:3]
    assert board.note == "The first 3 words; 2 more are left out."
    by_frequency = compute_board(
        corpus, BoardRequest((Pane("ppmi"),), words, near=near, order="frequency"), JobControl()
    )
    assert set(by_frequency.words) == set(words[:3])
    assert by_frequency.note.startswith("The first 3 words")
    assert (
        compute_board(
            corpus, BoardRequest((Pane("ppmi"),), words[:3], near=near), JobControl()
        ).note
        == ""
    )


def test_it_is_cancelled(corpus: Corpus) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        compute_board(corpus, BoardRequest((Pane("ppmi"),)), run)


def test_memory_is_that_of_the_arrays() -> None:
    assert memory_needed(2000, 2000, 2) == pytest.approx(2 * 2 * 32e6 + 112e6, rel=0.1)
