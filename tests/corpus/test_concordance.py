from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import UnknownWord
from workbench.corpus import concordance
from workbench.corpus.concordance import Line, find
from workbench.corpus.corpus import Corpus
from workbench.corpus.store import open_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    path = tmp_path / "tale.txt"
    path.write_text("The old king didn’t sleep\nA king, a king and the king\n" + "word\n" * 30 + "the end is a king")
    return open_corpus([path])


def test_lines_stay_within_their_sentence(corpus: Corpus) -> None:
    assert find(corpus, "king", width=2) == (
        Line("the old", "king", "didn't sleep", 2),
        Line("a", "king", "a king", 6),
        Line("king a", "king", "and the", 8),
        Line("and the", "king", "", 11),
        Line("is a", "king", "", 46),
    )


def test_evenly_spaced_where_there_are_many(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = [line.position for line in find(corpus, "word", n=100)]
    assert everywhere == list(range(12, 42))
    for block in (1, 7, 1000):
        monkeypatch.setattr(concordance, "_BLOCK", block)
        assert [line.position for line in find(corpus, "word", n=3)] == [12, 26, 41]
        assert [line.position for line in find(corpus, "word", n=100)] == everywhere


def test_the_word_is_written_as_the_corpus_writes_it(corpus: Corpus) -> None:
    assert find(corpus, " Didn’t ")[0].word == "didn't"


def test_unknown_word(corpus: Corpus) -> None:
    with pytest.raises(UnknownWord, match="“queen” is not in the vocabulary"):
        find(corpus, "queen")
