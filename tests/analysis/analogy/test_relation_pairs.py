from __future__ import annotations

import pytest

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.relation_pairs import parse_pairs, section_pairs
from workbench.core.errors import UserError

EXPECTED = (("man", "king"), ("woman", "queen"))


@pytest.mark.parametrize(
    "text",
    [
        "man king, woman queen",
        "man king woman queen",
        "man: king; woman :queen;",
        "man king\nwoman queen\r\nman king",
        " man → king,,woman->queen\n",
        "man king\u2028woman queen",
    ],
)
def test_typed_pairs(text: str) -> None:
    assert parse_pairs(text) == EXPECTED


@pytest.mark.parametrize(
    ("text", "piece"),
    [("man king queen", "man king queen"), ("man king, woman", "woman"), ("a b, c d e", "c d e")],
)
def test_what_is_not_a_pair_is_named(text: str, piece: str) -> None:
    with pytest.raises(UserError, match=f"“{piece}” isn’t a pair"):
        parse_pairs(text)


def test_a_word_is_no_pair_with_itself() -> None:
    with pytest.raises(UserError, match="“man” is paired with itself"):
        parse_pairs("king queen, man man")


def test_nothing_typed_is_no_pair() -> None:
    assert parse_pairs(" \n, ") == ()


def test_a_section_has_each_pair_once_in_order() -> None:
    words = (("a", "b", "c", "d"), ("x", "y", "z", "u"), ("c", "d", "a", "b"), ("c", "d", "e", "f"))
    questions = Questions("made", words, (0, 1, 0, 0), ("one", "two"))
    assert section_pairs(questions, "one") == (("a", "b"), ("c", "d"), ("e", "f"))
    assert section_pairs(questions, "two") == (("x", "y"), ("z", "u"))
