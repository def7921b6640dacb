from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workbench.analysis.analogy.rare_words import FEW
from workbench.analysis.analogy.solved import solved_analogies
from workbench.analysis.analogy.solver import solve
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

# Each relation is an axis, and each pair has an axis of its own.
PAIRS = [
    ("man", "woman", 0),
    ("king", "queen", 0),
    ("good", "better", 1),
    ("warm", "warmer", 1),
    ("dog", "dogs", 2),
    ("cat", "cats", 2),
    ("paris", "france", 3),
    ("rome", "italy", 3),
]
WORDS = [word for first, second, _ in PAIRS for word in (first, second)]
TABLE = np.zeros((len(WORDS), 4 + len(PAIRS)), dtype=np.float32)
for _at, (_, _, _relation) in enumerate(PAIRS):
    TABLE[2 * _at : 2 * _at + 2, 4 + _at] = 1
    TABLE[2 * _at + 1, _relation] = 1
MODEL = Embeddings(WORDS, TABLE, counts=np.arange(100, 100 - len(WORDS), -1))


def test_examples_are_solved_and_of_different_sections() -> None:
    found = solved_analogies(MODEL)
    assert len(found) == 3
    assert len({one.section for one in found}) == 3
    for one in found:
        assert solve(MODEL, one.a, one.b, one.c, n=1)[0].word == one.answer
    # The most frequent words first.
    assert {found[0].a, found[0].b, found[0].c, found[0].answer} == {
        "man",
        "woman",
        "king",
        "queen",
    }


def test_one_section_gives_several_examples_for_different_words() -> None:
    found = solved_analogies(replace(MODEL, words=WORDS[:4], vectors=TABLE[:4], counts=None))
    assert [one.section for one in found] == ["family", "family"]
    assert len({one.answer for one in found}) == 2


def test_rare_words_are_left_out() -> None:
    counts = np.array([FEW] * 4 + [FEW - 1] * (len(WORDS) - 4))
    found = solved_analogies(replace(MODEL, counts=counts))
    assert {one.section for one in found} == {"family"}


def test_a_model_that_solves_none_has_no_examples() -> None:
    noise = np.random.default_rng(3).normal(size=TABLE.shape).astype(np.float32)
    found = solved_analogies(replace(MODEL, vectors=noise))
    for one in found:
        assert solve(replace(MODEL, vectors=noise), one.a, one.b, one.c, n=1)[0].word == one.answer
    assert solved_analogies(Embeddings(["left", "right"], TABLE[:2])) == ()


def test_the_search_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        solved_analogies(MODEL, run=run)
