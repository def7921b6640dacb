from __future__ import annotations

from pathlib import Path

import pytest
from corpora import make_corpus

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus import document_frequency
from workbench.corpus.document_frequency import document_counts
from workbench.corpus.loader import open_corpus

SENTENCES = [["a", "b", "a"], ["b"], [], ["c", "a", "c", "c", "b"], ["a"] * 9]


@pytest.mark.parametrize("block", [1, 2, 5, 1000])
def test_a_word_counts_once_a_sentence(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_frequency, "_BLOCK", block)
    corpus = make_corpus(SENTENCES)
    counts = document_counts(corpus)
    assert (counts.unit, counts.documents) == ("sentence", 5)
    expected = {word: sum(word in sentence for sentence in SENTENCES) for word in "abc"}
    assert dict(zip(corpus.words, counts.counts.tolist(), strict=True)) == expected


def test_several_files_are_the_documents(tmp_path: Path) -> None:
    texts = ["tea and milk\nmore tea", "milk", "coffee or tea\n"]
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    corpus = open_corpus(paths)
    counts = document_counts(corpus)
    assert (counts.unit, counts.documents) == ("file", 3)
    expected = {word: sum(word in text.split() for text in texts) for word in corpus.words}
    assert dict(zip(corpus.words, counts.counts.tolist(), strict=True)) == expected


def test_it_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        document_counts(make_corpus(SENTENCES), run)
