"""Frequency is known from counts only; an alphabetical list can't be in the order of frequency."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.solver import evaluate
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.row_order import ALPHABETICAL, BY_FREQUENCY, UNKNOWN, order_of

LETTERS = ["".join(letters) for letters in islice(product("klmn", repeat=4), 200)]


def model(words: list[str], counted: bool = False) -> Embeddings:
    table = np.random.default_rng(1).normal(scale=0.05, size=(len(words), 3)).astype(np.float32)
    known = {"uncle": [1, 0, -1], "aunt": [1, 0, 1], "sister": [0, 1, 1], "brother": [0, 1, -1]}
    for word, row in known.items():
        table[words.index(word)] = row
    counts = np.arange(len(words), 0, -1) if counted else None
    return Embeddings(words, table, counts)


WORDS = [*LETTERS, "uncle", "aunt", "sister", "brother"]
QUESTIONS = Questions("q", (("uncle", "aunt", "brother", "sister"),), (0,), ("s",))


@pytest.mark.parametrize("words", [sorted(WORDS), sorted(WORDS, reverse=True)])
def test_the_first_words_of_an_alphabetical_list_are_no_limit(words: list[str]) -> None:
    assert order_of(model(words)) == ALPHABETICAL
    report = evaluate(model(words), QUESTIONS, restrict=100)
    assert (report.asked, report.correct, report.restrict) == (1, 1, len(words))
    assert order_of(model(words, counted=True)) == BY_FREQUENCY
    assert evaluate(model(words, counted=True), QUESTIONS, restrict=100).asked == 0


def test_other_lists_without_counts_are_in_unknown_order() -> None:
    words = np.random.default_rng(2).permutation(WORDS).tolist()
    assert order_of(model(words)) == UNKNOWN
    assert evaluate(model(words), QUESTIONS, restrict=3).order == UNKNOWN
    cased = sorted([*LETTERS[:100], *(word.title() for word in LETTERS[100:])], key=str.casefold)
    assert order_of(Embeddings(cased, np.ones((200, 1), np.float32))) == ALPHABETICAL
    assert order_of(Embeddings(["a", "b"], np.ones((2, 1), np.float32))) == UNKNOWN
