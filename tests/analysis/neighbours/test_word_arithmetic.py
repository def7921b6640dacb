"""Neighbours of sums and differences of words."""

from __future__ import annotations

import numpy as np
import pytest
from ngram_toy import ngram_model

from workbench.analysis.neighbours.word_arithmetic import (
    Term,
    format_terms,
    nearest_to_sum,
    terms_of,
)
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

# Features: royal, male, female.
WORDS = {
    "man": (0, 3, 0.1),
    "woman": (0.2, 0, 3),
    "king": (3, 3, 0),
    "queen": (3, 0.1, 3),
    "prince": (2, 3, 0.5),
    "apple": (-1, 0.5, 0.4),
}


def toy_model() -> Embeddings:
    return Embeddings(list(WORDS), np.array(list(WORDS.values()), dtype=np.float32))


def test_signs_stand_before_words() -> None:
    assert terms_of(["king", "-", "man", "+", "woman"]) == (
        Term("king"),
        Term("man", -1),
        Term("woman"),
    )
    assert terms_of(["−", "king", "queen"]) == (Term("king", -1), Term("queen"))
    assert terms_of(["+"]) == ()
    assert format_terms(terms_of(["–", "king", "queen"])) == "− king + queen"


def test_the_nearest_to_a_sum_are_those_of_unit_vectors_added() -> None:
    unit = {word: np.array(row) / np.linalg.norm(row) for word, row in WORDS.items()}
    total = unit["king"] - unit["man"] + unit["woman"]
    found = nearest_to_sum(toy_model(), terms_of(["king", "-", "man", "woman"]), 3)
    wanted = sorted(
        (word for word in WORDS if word not in ("king", "man", "woman")),
        key=lambda w: -(unit[w] @ total),
    )
    assert [one.word for one in found] == wanted[:3]
    assert found[0].cosine == pytest.approx(
        unit[wanted[0]] @ total / np.linalg.norm(total), abs=1e-6
    )


def test_words_made_of_n_grams_take_part() -> None:
    model = ngram_model()
    assert nearest_to_sum(model, terms_of([model.words[0], f"{model.words[1]}{model.words[1]}"]), 2)


def test_what_has_no_direction_is_told() -> None:
    with pytest.raises(UserError, match="no direction"):
        nearest_to_sum(toy_model(), terms_of(["king", "-", "king"]), 3)
