"""The algorithm chosen as texts and counts are opened in turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora import markov_corpus

from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.models.base import MODELS
from workbench.session.corpus.counts_constraints import CountedChoice


class Open:
    """The open text or counts, and the algorithm chosen for it."""

    def __init__(self, text: Corpus, counts: CountedCorpus) -> None:
        self.text, self.counts = text, counts
        self.now: Corpus | None = text
        self.choice = CountedChoice(lambda: self.now)

    def put(self, corpus: Corpus | None, algorithm: str) -> str:
        self.now = corpus
        return self.choice.instead_of(MODELS[algorithm])


@pytest.fixture
def open_corpora(tmp_path: Path) -> Open:
    corpus = markov_corpus(3000)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 3, "harmonic", threads=1)
    metadata = {"weighting": "harmonic", "window": 3, "symmetric": True, "divisor": 6.0}
    write_shards(tmp_path / "few", shard_csr(matrix, 400), vocabulary, metadata)
    return Open(corpus, open_counts(tmp_path / "few"))


def test_counts_fix_settings_and_do_not_suffice_for_all(open_corpora: Open) -> None:
    choice = open_corpora.choice
    assert choice.values(MODELS["glove"]) == {}
    assert not choice.lacking
    assert not choice.why_not(MODELS["sgns"])
    open_corpora.now = open_corpora.counts
    assert choice.values(MODELS["glove"])["window"] == 3
    assert not choice.lacking
    assert choice.values(MODELS["sgns"]) == {}
    assert "needs the text" in choice.lacking
    # Questions about another algorithm leave the chosen one’s constraints as they are.
    assert not choice.why_not(MODELS["glove"])
    assert "needs the text" in choice.lacking
    open_corpora.now = open_corpora.text
    assert choice.values(MODELS["sgns"]) == {}
    assert not choice.lacking


def test_another_stands_in_until_the_next_text(open_corpora: Open) -> None:
    able = open_corpora.put(open_corpora.counts, "sgns")
    assert MODELS[able].from_counts
    assert open_corpora.put(open_corpora.counts, able) == ""
    assert open_corpora.put(open_corpora.text, able) == "sgns"
    assert open_corpora.put(open_corpora.text, "sgns") == ""


def test_what_was_chosen_meanwhile_stays(open_corpora: Open) -> None:
    able = open_corpora.put(open_corpora.counts, "sgns")
    other = next(kind.key for kind in MODELS if kind.from_counts and kind.key != able)
    assert open_corpora.put(open_corpora.text, other) == ""
    # The first algorithm doesn’t come back later, either.
    assert open_corpora.put(open_corpora.text, able) == ""


def test_what_counts_suffice_for_stays(open_corpora: Open) -> None:
    assert open_corpora.put(open_corpora.counts, "glove") == ""
    assert open_corpora.put(open_corpora.text, "glove") == ""
