from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UnknownWord, UserError
from workbench.corpus import context_iterator
from workbench.corpus.concordance import (
    ConcordanceLine,
    alphabetical,
    concordance,
    find,
    sort_lines,
)
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    path = tmp_path / "tale.txt"
    path.write_text(
        "The old king didn’t sleep\nA king, a king and the king\n"
        + "word\n" * 30
        + "the end is a king"
    )
    return open_corpus([path])


def test_lines_stay_within_their_sentence(corpus: Corpus) -> None:
    assert find(corpus, "king", width=2) == (
        ConcordanceLine("the old", "king", "didn't sleep", 2),
        ConcordanceLine("a", "king", "a king", 6),
        ConcordanceLine("king a", "king", "and the", 8),
        ConcordanceLine("and the", "king", "", 11),
        ConcordanceLine("is a", "king", "", 46),
    )


def test_evenly_spaced_where_there_are_many(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = [line.position for line in find(corpus, "word", n=100)]
    assert everywhere == list(range(12, 42))
    for block in (1, 7, 1000):
        monkeypatch.setattr(context_iterator, "_SCAN", block)
        assert [line.position for line in find(corpus, "word", n=3)] == [12, 26, 41]
        assert [line.position for line in find(corpus, "word", n=100)] == everywhere
    assert concordance(corpus, "word", most=3).total == 30


def test_lines_are_sorted_by_their_context(corpus: Corpus) -> None:
    lines = list(concordance(corpus, "king"))
    for order, key in (
        ("left", lambda line: line.left.split()[::-1][:4]),
        ("right", lambda line: line.right.split()[:4]),
    ):
        expected = sorted(lines, key=lambda line: (key(line), line.position))
        assert list(concordance(corpus, "king", order)) == expected
    again = sort_lines(concordance(corpus, "king", "left"), "text")
    assert list(again) == lines


def test_only_lines_with_another_word_near(corpus: Corpus) -> None:
    lines = concordance(corpus, "king", near="a", window=2)
    assert [(line.position, line.marks) for line in lines] == [
        (6, (-1, 1)),
        (8, (-1,)),
        (46, (-1,)),
    ]
    assert len(concordance(corpus, "king", near="sleep", window=1)) == 0
    # Without rare words, more distant words come within the window.
    word_id = corpus.words.index("didn't")
    assert [
        line.marks for line in concordance(corpus, "king", near="the", window=1, size=word_id)
    ] == [(2,), (-1,)]


def test_the_word_is_written_as_the_corpus_writes_it(corpus: Corpus) -> None:
    assert find(corpus, " Didn’t ")[0].word == "didn't"


def test_the_alphabet(corpus: Corpus) -> None:
    places = alphabetical(corpus)
    assert [corpus.words[row] for row in places.argsort()] == sorted(corpus.words)


def test_unknown_word_and_order(corpus: Corpus) -> None:
    with pytest.raises(UnknownWord, match="“queen” is not in the vocabulary"):
        find(corpus, "queen")
    with pytest.raises(UnknownWord, match="“queen” is not in the vocabulary"):
        concordance(corpus, "king", near="queen")
    with pytest.raises(UserError, match="sort order “length”"):
        concordance(corpus, "king", "length")
