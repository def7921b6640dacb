"""Patterns of words, against a plain search in every sentence."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from corpora import make_corpus

from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.concordance import concordance, sort_lines
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.word_pattern import find_pattern, is_pattern

SENTENCES = [
    "the king of the north saw the kings of the south".split(),
    "the queen sings of the undoing of the king".split(),
    "a b* [c] d? of the".split(),
    "unseen singing the of the queen".split(),
]
CORPUS = make_corpus(SENTENCES)


def expected(pattern: str) -> list[int]:
    parts, found, begin = pattern.split(), [], 0
    for words in SENTENCES:
        for at in range(len(words) - len(parts) + 1):
            if all(
                any(fnmatchcase(words[at + step], choice) for choice in part.split("|"))
                for step, part in enumerate(parts)
            ):
                found.append(begin + at)
        begin += len(words)
    return found


@pytest.mark.parametrize(
    "pattern",
    [
        *("king*", "k?ng", "*ing*", "un*ing", "king|queen", "the *", "the * of", "of the *"),
        *("* *", "the king|queen", "s*|un* of|the", "*", "the of the", "k**s"),
    ],
)
def test_matches_are_those_of_a_plain_search(pattern: str) -> None:
    positions, length = find_pattern(CORPUS, pattern)
    assert positions.tolist() == expected(pattern)
    assert length == len(pattern.split())


def test_matches_in_later_blocks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.corpus.word_pattern._BLOCK", 3)
    for pattern in ("the * of", "*"):
        assert find_pattern(CORPUS, pattern)[0].tolist() == expected(pattern)


def test_brackets_are_plain_and_capitals_count_only_where_they_were_kept() -> None:
    begin = len(SENTENCES[0]) + len(SENTENCES[1])
    assert find_pattern(CORPUS, "[c]|x")[0].tolist() == [begin + 2]
    assert find_pattern(CORPUS, "KING*")[0].tolist() == expected("king*")
    kept = replace(CORPUS, options=CorpusOptions(lowercase=False))
    with pytest.raises(UserError, match="No word of by hand matches “KING\\*”"):
        find_pattern(kept, "KING*")


def test_a_hostile_pattern_takes_no_time() -> None:
    corpus = make_corpus([["a" * 5000, "b"]])
    with pytest.raises(UserError, match="No word"):
        find_pattern(corpus, "*a" * 30 + "b")


def test_patterns_are_told_from_words() -> None:
    assert all(map(is_pattern, ("a*", "a|b", "a b", "wh?t")))
    assert not any(map(is_pattern, ("a", "?", "king", "")))


def test_mistakes() -> None:
    for pattern in ("", " ", "a " * 21):
        with pytest.raises(UserError, match="1 to 20 words"):
            find_pattern(CORPUS, pattern)
    with pytest.raises(UserError, match="matches “zebra”"):
        find_pattern(CORPUS, "the zebra")
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        find_pattern(CORPUS, "the *", run)


# -- lines


def test_lines_of_a_pattern_show_all_its_words() -> None:
    found = concordance(CORPUS, "the * of", width=2)
    assert [(line.left, line.word, line.right) for line in found] == [
        ("", "the king of", "the north"),
        ("north saw", "the kings of", "the south"),
        ("sings of", "the undoing of", "the king"),
    ]
    assert (found.total, found.length) == (3, 3)


def test_lines_are_sorted_by_the_words_beside_the_pattern() -> None:
    right = concordance(CORPUS, "of the", "right", width=3)
    nearest = [line.right.split()[:1] for line in right]
    assert nearest == sorted(nearest)
    assert nearest[0] == []
    left = sort_lines(right, "left")
    nearest = [line.left.split()[-1:] for line in left]
    assert nearest == sorted(nearest)
    assert [line.position for line in sort_lines(left, "text")] == expected("of the")


def test_a_token_that_looks_like_a_pattern_is_a_word() -> None:
    found = concordance(CORPUS, "b*")
    assert [line.word for line in found] == ["b*"]


def test_patterns_of_one_word_combine_with_a_second_word() -> None:
    found = concordance(CORPUS, "k*ng*", near="north", window=5)
    assert [line.word for line in found] == ["king", "kings"]
    with pytest.raises(UserError, match="several words"):
        concordance(CORPUS, "the king", near="north")
    with pytest.raises(UnknownWord):
        concordance(CORPUS, "zebra")
