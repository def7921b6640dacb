"""Words typed by a user are found as a corpus spells them, compared with reading them as text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.analogy.solver import evaluate, solve
from workbench.analysis.neighbours.query_resolution import find
from workbench.core.errors import UnknownWord
from workbench.corpus.concordance import row_of
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.corpus.word_lookup import look_up, options_of
from workbench.vectors.embeddings import Embeddings

TEXT = "Le Café de Łódź n’est pas ﬁni à 1984 euros Ὀδυσσεύς ΣΟΦΟΣ naïve ｗｉｄｅ Cafe\u0301"
TEXT += " soft\u00adhyphen ❤\ufe0f mi\u200cravam\u200c word\ufeff \u202aleft\u202c"
READINGS = [
    CorpusOptions(),
    CorpusOptions(lowercase=False),
    CorpusOptions(strip_accents=True),
    CorpusOptions(unicode_form="NFKC", numbers="token"),
    CorpusOptions(unicode_form="NFC", lowercase=False, numbers="zeros"),
    CorpusOptions(tokeniser="whitespace", strip_accents=True, numbers="zeros", unicode_form="NFKC"),
    CorpusOptions(tokeniser="regex", pattern=r"[\w’']+", unicode_form="NFC"),
]


@pytest.mark.parametrize(
    "options", READINGS, ids=lambda options: "-".join(map(str, options.non_defaults().values()))
)
def test_each_word_of_a_text_finds_its_token(options: CorpusOptions, tmp_path: Path) -> None:
    """The text has one word per line, so the ids show what each word became."""
    path = tmp_path / "a.txt"
    path.write_text("\n".join(TEXT.split()), encoding="utf-8")
    corpus = open_corpus([path], options)
    index = {word: row for row, word in enumerate(corpus.words)}
    sizes = np.diff(corpus.sentences)
    # Not every tokeniser counts the heart as a word.
    whole = [word for word in TEXT.split() if options.tokeniser == "whitespace" or "❤" not in word]
    assert len(sizes) == len(whole)
    for text_word, start, size in zip(
        whole, corpus.sentences.tolist(), sizes.tolist(), strict=False
    ):
        if size == 1:  # else the tokeniser split it
            assert (
                look_up(text_word, index, options) == row_of(corpus, text_word) == corpus.ids[start]
            ), text_word
    assert look_up("absent", index, options) is None
    with pytest.raises(UnknownWord):
        row_of(corpus, "absent")


def test_marks_before_a_typed_word_belong_to_no_letter() -> None:
    index = {"word": 0, "mi\u200cravam": 1}
    for options in (None, CorpusOptions(), CorpusOptions(tokeniser="whitespace")):
        assert look_up("\u0301\u200dwo\u00adrd\u200c", index, options) == 0
        assert look_up("mi\u200c\u200cravam", index, options) == 1


def embeddings(*words: str, **options: object) -> Embeddings:
    metadata = (
        {"corpus": {"options": CorpusOptions.from_mapping(options).to_dict()}} if options else {}
    )
    vectors = np.random.default_rng(1).normal(size=(len(words), 4)).astype(np.float32)
    return Embeddings(words, vectors, metadata=metadata)


def test_vectors_follow_the_spelling_of_their_corpus() -> None:
    plain = embeddings("cafe", "naive", "0000", "noel", strip_accents=True, numbers="zeros")
    assert [
        plain.words[plain.row(word)] for word in ("Café", "NAÏVE", "1984", "Noe\u0308l")
    ] == list(plain.words)
    assert find(plain, "CAFÉ").word == "cafe"
    model = embeddings("café", "naïve", unicode_form="NFC")
    assert model.row("Cafe\u0301") == 0
    assert model.find("cafe") is None
    assert embeddings("new_york", "the", phrases=1).row("New York") == 0
    assert embeddings("new+york", "the", phrases=1, phrase_delimiter="+").row("New York") == 0
    # The spelling of other vectors is unknown, so words are tried as typed, in normal forms and in
    # lowercase, and then as the only word in another case.
    foreign = embeddings("café", "zoë", "Rome")
    assert [foreign.find(word) for word in ("CAFE\u0301", "Zoë", "Rome", "rome", "cafe")] == [
        0,
        1,
        2,
        2,
        None,
    ]
    vectors = embeddings("cafe\u0301")
    assert vectors.row("café") == 0
    assert options_of({"corpus": {"options": {"tokeniser": "unheard of"}}}) is None


def test_questions_follow_the_spelling_of_the_corpus() -> None:
    model = embeddings("cafe", "the", "uber", "ete", "noel", strip_accents=True)
    questions = Questions(
        "q", (("Café", "Über", "Été", "Noël"), ("cafe", "uber", "été", "nobody")), (0, 0), ("s",)
    )
    for fold in (True, False):
        report = evaluate(model, questions, fold_case=fold)
        assert (report.asked, report.total) == (1, 2)
    assert solve(model, "Café", "ÜBER", "Été") == solve(model, "cafe", "uber", "ete")


def cased(*words: str) -> Embeddings:
    return Embeddings(list(words), np.eye(len(words), dtype=np.float32))


def test_a_word_is_looked_up_as_written_then_in_the_only_other_case() -> None:
    model = cased("Athens", "paris", "Paris", "New_York", "US", "us", "Us", "snow storm")
    assert model.find("athens") == model.find("ATHENS") == 0
    assert (model.find("paris"), model.find("Paris")) == (1, 2)
    assert model.find("PARIS") == 1  # lowercase comes first
    for written in ("New_York", "New York", "new york", "new_york"):
        assert model.find(written) == 3
    several = cased("NEW_YORK", "New_york", "New_York", "Hong Kong", "HONG KONG")
    assert (several.find("New York"), several.find("Hong_Kong")) == (2, 3)
    assert several.find("new york") is None
    assert model.find("snow_storm") == model.find("Snow Storm") == 7
    assert cased("Us", "US").find("uS") is None  # two candidates
    assert model.find("athen") is None


def test_concept_prefixes_are_optional_if_only_one_language_has_the_word() -> None:
    model = cased("/c/en/rain", "/c/en/snow_storm", "/c/de/gift", "/c/en/gift")
    assert model.find("rain") == model.find("/c/en/rain") == 0
    assert model.find("snow storm") == 1
    assert model.find("gift") is None


def test_questions_find_words_as_written_before_other_cases() -> None:
    words = ["Katze", "Katzen", "Hund", "Hunde", "katzen", "hunde"]
    table = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, -1], [-1, 0, 0]])
    model = Embeddings(words, table.astype(np.float32))
    asked = (("Katze", "Katzen", "Hund", "Hunde"), ("hund", "Hunde", "KATZE", "Katzen"))
    report = evaluate(model, Questions("q", asked, (0, 0), ("s",)))
    assert (report.asked, report.correct) == (2, 2)
    assert report.expected.tolist() == [3, 1]
