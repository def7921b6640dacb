"""Turkish and Azerbaijani: I and ı, İ and i are pairs of letters."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.token_filters import small
from workbench.corpus.word_lookup import look_up
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.tokenizer_json import tokenizer_text

pytestmark = pytest.mark.usefixtures("own_corpora")

TURKISH = CorpusOptions(language="turkish")
# Two spellings of each İ: one character, and I with a dot of its own.
_TEXT = "ISPARTA Isparta ısparta. İzmir I\u0307ZMİR izmir. ILIK ılık. KAPI Kapı kapı\n"
_WORDS = {"ısparta": 3, "izmir": 3, "ılık": 2, "kapı": 3}


@pytest.mark.parametrize("tokeniser", ["words", "whitespace", "regex", "characters"])
@pytest.mark.parametrize("sentences", ["lines", "punctuation"])
def test_letters_are_folded_by_the_rules_of_the_language(
    tmp_path: Path, tokeniser: str, sentences: str
) -> None:
    path = tmp_path / "tr.txt"
    path.write_text(_TEXT.replace(".", " . "))
    corpus = open_corpus([path], TURKISH.replace(tokeniser=tokeniser, sentences=sentences))
    counted = dict(zip(corpus.words, corpus.counts.tolist(), strict=True))
    if tokeniser == "characters":
        assert not {"I", "İ", "i\u0307", "\u0307"} & counted.keys()
        assert counted["ı"] == 3 + 2 * 2 + 3
        assert counted["i"] == 2 * 3
    else:
        counted.pop(".", None)
        assert counted == _WORDS


def test_blocks_may_be_cut_anywhere() -> None:
    data = _TEXT.encode()
    for at in range(len(data)):
        numbering = Numbering(TURKISH)
        for block in (data[:at], data[at:]):
            list(numbering.feed(block))
        list(numbering.feed(b"", final=True))
        assert dict(zip(numbering.words(), numbering.counts.tolist(), strict=True)) == _WORDS


def test_a_sentence_still_begins_with_a_capital(tmp_path: Path) -> None:
    path = tmp_path / "tr.txt"
    path.write_text("Bugün geldi. Isparta güzel.\n")
    corpus = open_corpus([path], TURKISH.replace(sentences="punctuation"))
    assert len(corpus.sentences) - 1 == 2


def test_other_languages_stay_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "en.txt"
    path.write_text("I IT it İt\n")
    assert dict(
        zip(*(lambda c: (c.words, c.counts.tolist()))(open_corpus([path])), strict=True)
    ) == {
        "it": 3,
        "i": 1,
    }


@pytest.mark.parametrize("language", ["turkish", "azerbaijani"])
def test_typed_words_and_lists_follow(tmp_path: Path, language: str) -> None:
    options = CorpusOptions(language=language, stop_words="ILIK")
    path = tmp_path / "tr.txt"
    path.write_text(_TEXT)
    corpus = open_corpus([path], options)
    assert "ılık" not in corpus.words
    index = {word: row for row, word in enumerate(corpus.words)}
    for typed, word in [("ISPARTA", "ısparta"), ("İZMİR", "izmir"), ("I\u0307zmir", "izmir")]:
        assert look_up(typed, index, options) == index[word]


def test_vectors_of_cased_words_are_found_by_the_rules_of_the_language() -> None:
    metadata = {"corpus": {"options": TURKISH.replace(lowercase=False).to_dict()}}
    words = ("Isparta", "İzmir", "isim")
    embeddings = Embeddings(words, np.eye(3, dtype=np.float32), metadata=metadata)
    assert [embeddings.find(word) for word in ("ısparta", "izmir", "İSİM", "isparta")] == [
        0,
        1,
        2,
        None,
    ]


def test_small() -> None:
    assert small("ISIRIK İş", dotless=True) == "ısırık iş"
    assert small("ISIRIK İş") == "isirik iş"


def test_the_tokenizer_of_a_model_follows() -> None:
    steps = json.loads(tokenizer_text(["ısparta"], TURKISH.to_dict()))["normalizer"]["normalizers"]
    replaced = [(step.get("pattern"), step.get("content")) for step in steps]
    assert replaced.index(({"Regex": "I"}, "ı")) > replaced.index(({"Regex": "[Iiİ]\u0307|İ"}, "i"))
    assert steps[-1] == {"type": "Lowercase"}
