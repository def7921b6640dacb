"""The parts of a score against brute force and against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from ngram_toy import ngram_model
from reference import naive_analysis as naive

from workbench.analysis.analogy.decomposition import decompose_analogy
from workbench.analysis.analogy.solver import METHODS, solve
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

SIZE = 30
WORDS = [f"w{row}" for row in range(SIZE)]
TABLE = np.random.default_rng(9).normal(size=(SIZE, 5)).astype(np.float32)
EMBEDDINGS = {"dense": Embeddings(WORDS, TABLE), "sparse": Embeddings(WORDS, sp.csr_matrix(TABLE))}

both = pytest.mark.parametrize("kind", ["dense", "sparse"])
methods = pytest.mark.parametrize("method", METHODS)


@both
@methods
def test_the_answers_are_those_of_solve_and_the_parts_sum_to_their_scores(
    kind: str, method: str
) -> None:
    found = decompose_analogy(EMBEDDINGS[kind], "w2", "w7", "w11", method, n=SIZE, restrict=25)
    answers = solve(EMBEDDINGS[kind], "w2", "w7", "w11", method, n=SIZE, restrict=25)
    assert [(x.word, x.row, x.score) for x in found.candidates] == [
        (y.word, y.row, y.score) for y in answers
    ]
    for one in found.candidates:
        shown = one.score if method == "3cosadd" else math.log(one.score)
        assert one.total == pytest.approx(shown, abs=1e-6)
        assert sum(one.parts) == pytest.approx(one.total, abs=1e-12)


@both
@methods
def test_cosines_and_parts_equal_brute_force(kind: str, method: str) -> None:
    table = TABLE.tolist()
    query = (2, 7, 11)
    found = decompose_analogy(EMBEDDINGS[kind], *(f"w{row}" for row in query), method, n=SIZE)
    a, b, c = (naive.unit(table[row]) for row in query)
    length = math.sqrt(sum((x - y + z) ** 2 for x, y, z in zip(a, b, c, strict=True)))
    assert found.length == pytest.approx(length, rel=1e-6)
    for one in found.candidates:
        near = [naive.cosine(table[one.row], table[row]) for row in query]
        np.testing.assert_allclose(one.cosines, near, atol=1e-6)
        if method == "3cosadd":
            expected = [near[0] / length, -near[1] / length, near[2] / length]
        else:
            half = [(cosine + 1) / 2 for cosine in near]
            expected = [math.log(half[0]), -math.log(half[1] + 0.001), math.log(half[2])]
        np.testing.assert_allclose(one.parts, expected, atol=2e-6)


def test_numbers_worked_out_by_hand() -> None:
    words = ["king", "man", "woman", "queen"]
    table = np.array([[3, 4, 0], [0, 1, 0], [0, 0, 1], [3, 0, 4]], dtype=np.float32)
    # Unit vectors: king (.6, .8, 0), queen (.6, 0, .8); king − man + woman = (.6, −.2, 1) of length
    # √1.4.
    one = decompose_analogy(Embeddings(words, table), "king", "man", "woman").candidates[0]
    assert one.word == "queen"
    np.testing.assert_allclose(one.cosines, (0.36, 0, 0.8), atol=1e-7)
    np.testing.assert_allclose(one.parts, np.array([0.36, 0, 0.8]) / math.sqrt(1.4), atol=1e-7)
    one = decompose_analogy(Embeddings(words, table), "king", "man", "woman", "3cosmul").candidates[
        0
    ]
    np.testing.assert_allclose(np.exp(one.parts), (0.68, 1 / 0.501, 0.9), rtol=1e-6)
    assert one.score == pytest.approx(0.68 * 0.9 / 0.501, rel=1e-6)


def test_a_word_opposite_to_one_that_is_added_has_no_product() -> None:
    words = ["a", "b", "c", "against"]
    table = np.array([[0.6, 0.8], [0, 1], [1, 0], [-0.6, -0.8]], dtype=np.float32)
    one = decompose_analogy(Embeddings(words, table), "a", "b", "c", "3cosmul").candidates[0]
    assert one.word == "against"
    assert one.parts[0] == -math.inf
    assert one.total == -math.inf


@both
@pytest.mark.parametrize("exclude", [True, False])
def test_baselines_equal_brute_force(kind: str, exclude: bool) -> None:
    table = TABLE.tolist()
    found = decompose_analogy(
        EMBEDDINGS[kind], "w2", "w7", "w11", n=6, exclude_query=exclude, restrict=26
    )
    a, c = naive.unit(table[2]), naive.unit(table[11])
    targets = {"only-c": c, "only-a": a, "ignore-b": [x + y for x, y in zip(a, c, strict=True)]}
    assert [baseline.key for baseline in found.baselines] == list(targets)
    for baseline in found.baselines:
        scores = [naive.cosine(x, targets[baseline.key]) for x in table[:26]]
        order = naive.ranking(scores, [2, 7, 11] if exclude else [])
        assert [answer.row for answer in baseline.answers] == order[:6]
        np.testing.assert_allclose(
            [a.score for a in baseline.answers], [scores[r] for r in order[:6]], atol=2e-6
        )
        assert baseline.rank == order.index(found.candidates[0].row) + 1


def test_what_cannot_be_taken_apart() -> None:
    with pytest.raises(UnknownWord):
        decompose_analogy(EMBEDDINGS["dense"], "w1", "nobody", "w2")
    zero = Embeddings(["a", "b", "c"], np.array([[1, 0], [1, 0], [0, 0]], dtype=np.float32))
    with pytest.raises(UserError, match="The vector of “c” is zero"):
        decompose_analogy(zero, "a", "b", "c")
    alone = decompose_analogy(EMBEDDINGS["dense"], "w0", "w1", "w2", restrict=3)
    assert alone.candidates == ()
    assert [baseline.rank for baseline in alone.baselines] == [0, 0, 0]


@methods
def test_words_made_of_their_n_grams_are_taken_apart_too(method: str) -> None:
    model = ngram_model()
    found = decompose_analogy(model, "happy", "kindish", "unkindish", method)
    answers = solve(model, "happy", "kindish", "unkindish", method)
    assert [one.row for one in found.candidates] == [answer.row for answer in answers]
    assert found.query == ("happy", "kindish", "unkindish")
    for one in found.candidates:
        assert one.total == pytest.approx(
            one.score if method == "3cosadd" else math.log(one.score), abs=1e-6
        )
