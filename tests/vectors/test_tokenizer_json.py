"""A model2vec folder splits texts like the corpus of its vectors, and says where it can't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, save_vectors
from workbench.vectors.formats.tokenizer_json import tokenizer_text, unreachable_words

TEXT = "Café, Zürich! it’s 2019 and 3.14 x2 naïve ﬁnd soft\u00adhyphen Ａｂｃ don't"


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"lowercase": False},
        {"strip_accents": True},
        {"unicode_form": "NFKC"},
        {"unicode_form": "NFC", "numbers": "zeros"},
        {"numbers": "token"},
        {"tokeniser": "whitespace", "numbers": "token"},
        {"tokeniser": "characters", "strip_accents": True},
        {"tokeniser": "regex", "pattern": r"\w+"},
        {"tokeniser": "regex", "pattern": r"\p{L}+|\d"},
    ],
    ids=str,
)
def test_texts_are_split_like_the_corpus(tmp_path: Path, values: dict[str, Any]) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    options = CorpusOptions.from_mapping(values)
    path = tmp_path / "t.txt"
    path.write_text(TEXT, encoding="utf-8")
    corpus = open_corpus([path], options)
    words = list(corpus.words)
    known = tokenizers.Tokenizer.from_str(tokenizer_text(words, options.to_dict()))
    assert known.encode(TEXT).tokens == [words[number] for number in corpus.ids]


def test_the_steps_follow_from_the_options() -> None:
    options = CorpusOptions.from_mapping(
        {"strip_accents": True, "unicode_form": "NFKC", "numbers": "zeros"}
    )
    steps = json.loads(tokenizer_text(["a"], options.to_dict()))["normalizer"]["normalizers"]
    assert [step["type"] for step in steps] == [
        *("Replace", "Replace", "NFKC", "Replace", "Lowercase", "NFD", "Replace", "NFC", "Replace"),
    ]
    foreign = json.loads(tokenizer_text(["a"], {}))
    assert foreign["normalizer"] is None
    assert foreign["pre_tokenizer"] == {"type": "WhitespaceSplit"}


def test_words_that_the_tokenizer_cannot_find_are_named(tmp_path: Path) -> None:
    def of(*words: str, **values: Any) -> str:
        return unreachable_words(words, CorpusOptions.from_mapping(values).to_dict())

    assert of("new", "york_now") == ""
    assert "“york_now”" in of("new", "york_now", phrases=1)
    assert "2 words" in of("New York", "a\u3000b", "c")
    assert "Chinese" in of("我", tokeniser="chinese")
    assert of("a", tokeniser="regex", pattern=r"\w+") == ""
    assert "regular expression" in of("a", tokeniser="regex", pattern=r"(\w)\w*")
    model = Embeddings(["New York", "c"], np.ones((2, 2), np.float32))
    assert len(FORMATS["model2vec"].notes(model)) == 1
    assert FORMATS["npz"].notes(model) == ()
    save_vectors(model, tmp_path / "v.model2vec")
