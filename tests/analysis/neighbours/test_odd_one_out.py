"""The odd word out, computed by hand, and by gensim where it is installed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_analysis as naive

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.neighbours.odd_one_out import odd_one_out, odd_questions
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

TABLE = np.random.default_rng(4).normal(size=(60, 8)).astype(np.float32)
WORDS = [f"w{row}" for row in range(60)]


def test_by_hand() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 2], [0, 0]], dtype=np.float32)
    found = odd_one_out(Embeddings(["a", "b", "c", "zero"], vectors), ["a", "C", "b", "a"])
    assert found.words == ("a", "c", "b")
    assert found.scores == pytest.approx((0.5, 0, 0.5))
    assert (found.word, found.margin) == ("c", pytest.approx(0.5))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_mean_cosines_in_plain_python(kind: str) -> None:
    model = Embeddings(WORDS, TABLE if kind == "dense" else sp.csr_matrix(TABLE))
    found = odd_one_out(model, WORDS[:6])
    expected = [
        sum(naive.cosine(TABLE[i], TABLE[j]) for j in range(6) if j != i) / 5 for i in range(6)
    ]
    assert found.scores == pytest.approx(expected, abs=1e-6)
    assert found.odd == expected.index(min(expected))


def test_gensim_finds_the_same() -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors")
    vectors = keyedvectors.KeyedVectors(8)
    vectors.add_vectors(WORDS, TABLE)
    random = np.random.default_rng(9)
    for _ in range(30):
        words = [WORDS[row] for row in random.choice(60, 5, replace=False)]
        assert odd_one_out(Embeddings(WORDS, TABLE), words).word == vectors.doesnt_match(words)


def test_what_cannot_be_asked() -> None:
    model = Embeddings(["a", "b", "zero"], np.array([[1, 0], [0, 1], [0, 0]], dtype=np.float32))
    with pytest.raises(UserError, match="The odd one out needs at least three different"):
        odd_one_out(model, ["a", "b", "A"])
    with pytest.raises(UserError, match="zero"):
        odd_one_out(model, ["a", "b", "zero"])
    with pytest.raises(UnknownWord, match="nobody"):
        odd_one_out(model, ["a", "b", "nobody"])


def test_unknown_words_are_left_out_where_three_are_left() -> None:
    model = Embeddings(["a", "b", "c"], np.array([[1, 0], [0.9, 0.1], [0, 1]], dtype=np.float32))
    found = odd_one_out(model, ["a", "nobody", "b", "c", "nothing"])
    assert (found.words, found.word, found.left_out) == (
        ("a", "b", "c"),
        "c",
        ("nobody", "nothing"),
    )
    assert found.scores == odd_one_out(model, ["a", "b", "c"]).scores


def test_sets_are_made_of_a_section_and_one_stranger() -> None:
    capitals = [(f"city{i}", f"land{i}") for i in range(6)]
    words = [(*capitals[i], *capitals[j]) for i in range(6) for j in range(6) if i != j]
    words += [("go", "going", "city1", "sing")]
    questions = Questions("q", tuple(words), (0,) * 30 + (1,), ("capital", "gram"))
    odd_sets = odd_questions(questions, "capital", 12)
    assert odd_sets == odd_questions(questions, "capital", 12)
    assert len(odd_sets) == 12
    for one in odd_sets:
        assert one.intruder in ("go", "going", "sing")
        others = [word for word in one.words if word != one.intruder]
        assert len(set(others)) == 4
        assert len({word[:4] for word in others}) == 1
    assert odd_questions(questions, "gram") == ()
