"""Normal forms, accents, numbers and word lists, compared with handling each token separately."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import naive_refining

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.concordance import row_of
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.loader import open_corpus
from workbench.corpus.tokenise.remap_ids import renumber
from workbench.corpus.tokenise.token_filters import (
    SHORT,
    Refinement,
    parse_word_list,
    without_accents,
)
from workbench.corpus.tokenise.unicode_normaliser import Normaliser

SAMPLE_WORDS = (
    "The the a Café cafe cafe\u0301 CAFE\u0301 1984 12 w12 ½ Ⅷ ٣٤ 3rd ИЙ й が か\u3099 ﾊﾞ Å ﬁn fin "
    "Ｗide wide ΣΑΣ İx "
    "\u0301 日本 x1y22 don’t"
)
WORDS = st.sampled_from(SAMPLE_WORDS.split(" "))
TEXTS = st.lists(WORDS | st.sampled_from(["\n", "\n\n", ". "]), max_size=40).map(" ".join)
CHOICES: dict[str, list[Any]] = {
    "tokeniser": ["words", "whitespace"],
    "lowercase": [True, False],
    "unicode_form": ["none", "NFC", "NFKC"],
    "strip_accents": [False, True],
    "numbers": ["keep", "zeros", "token", "drop"],
    "stop_words": ["", "the a cafe"],
    "keep_words": ["", "cafe the wide 00 <num> fin"],
    "min_length": [1, 3],
}
# Every example writes its own file, and the machine may be slow.
CHECKS = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow)
OPTIONS = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})


def sentences(corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[number] for number in corpus.ids.tolist()]
    return [words[a:b] for a, b in pairwise(corpus.sentences.tolist())]


@given(text=TEXTS, choices=OPTIONS)
@settings(max_examples=80, suppress_health_check=CHECKS)
def test_filters_of_types_equal_filters_of_tokens(
    text: str, choices: dict[str, Any], tmp_path: Path
) -> None:
    # Length counts characters as people see them, but the oracle counts code points.
    if choices["min_length"] > 1:
        choices = {**choices, "unicode_form": "NFC", "strip_accents": True}
        text = text.replace("か\u3099", "").replace("\u0301", "")
    letters = re.sub("[ﬀ-ﬆ]", lambda found: unicodedata.normalize("NFKC", found[0]), text)
    expected = naive_refining.sentences(letters, **choices)
    path = tmp_path / "text.txt"
    path.write_text(text)
    options = CorpusOptions(**choices)
    try:
        corpus = open_corpus([path], options)
    except UserError:
        assert expected == []
        return
    assert sentences(corpus) == expected
    counts = np.unique(np.asarray(corpus.ids), return_counts=True)[1]
    assert corpus.counts.tolist() == counts.tolist()
    assert sum(file.tokens for file in corpus.files) == corpus.tokens


@given(st.text(max_size=12))
@settings(max_examples=100)
def test_accents_of_any_text(text: str) -> None:
    bare = without_accents(text)
    assert without_accents(bare) == bare
    assert len(bare) <= len(unicodedata.normalize("NFC", text)) or bare == text


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("café", "cafe"),
        ("Ångström", "Angstrom"),
        ("й", "и"),
        ("ά", "α"),
        ("が", "が"),
        ("søß", "søß"),
        ("हि", "हि"),
        ("\u0301", ""),
    ],
)
def test_accents(word: str, bare: str) -> None:
    assert without_accents(word) == bare


@pytest.mark.parametrize(
    ("token", "as_token"),
    [
        ("1984", "<num>"),
        ("3.14", "<num>"),
        ("−5%", "<num>"),
        ("½", "<num>"),
        ("3rd", "3rd"),
        ("一", "一"),
        ("-", "-"),
    ],
)
def test_numbers(token: str, as_token: str) -> None:
    assert Refinement(CorpusOptions(tokeniser="whitespace", numbers="token")).look(token) == (
        as_token,
        "",
    )
    reason = Refinement(CorpusOptions(tokeniser="whitespace", numbers="drop")).look(token)[1]
    assert (reason == "number") == (as_token == "<num>")
    assert Refinement(CorpusOptions(numbers="zeros")).look("w12 ٣")[0] == "w00 0"


def test_why_a_token_is_left_out() -> None:
    options = CorpusOptions(keep_words="the cat 12", stop_words="THE", min_length=3, numbers="keep")
    refinement = Refinement(options)
    assert refinement.look("The") == ("the", "stop word")
    assert refinement.look("dog") == ("dog", "not in the keep list")
    assert refinement.look("12") == ("12", "too short")
    assert refinement.look("Cat") == ("cat", "")
    assert Refinement(CorpusOptions(strip_accents=True)).look("\u0301") == ("", "accents alone")


# -- normal forms in blocks

PIECES = st.text(
    st.sampled_from("ae\u0301\u0323\u0345\u3099かﾊﾞ\u1112\u1161\u11ab한ﬁ½Å \nxはぱ\u09c7\u09be"),
    max_size=40,
)


@given(text=PIECES, size=st.integers(1, 7), form=st.sampled_from(["NFC", "NFKC"]))
@settings(max_examples=300)
def test_a_form_is_the_same_wherever_blocks_are_cut(text: str, size: int, form: Any) -> None:
    normaliser = Normaliser(form)
    result = "".join(normaliser.feed(text[at : at + size]) for at in range(0, len(text), size))
    result += normaliser.feed("", final=True)
    assert result == unicodedata.normalize(form, text)


def test_marks_without_end_are_broken_up() -> None:
    text = "a" + "\u0301\u0323" * 100_000 + "b"
    results = []
    for size in (1000, len(text)):
        normaliser = Normaliser("NFC")
        parts = [normaliser.feed(text[at : at + size]) for at in range(0, len(text), size)]
        results.append("".join(parts) + normaliser.feed("", final=True))
    assert results[0] == results[1]
    assert results[0].replace("\u034f", "").count("\u0301") > 99_000
    assert max(map(len, results[0].split("\u034f"))) <= 32


def test_letters_that_join_without_end_need_no_more_memory() -> None:
    normaliser = Normaliser("NFC")
    output = "".join(normaliser.feed("\u1161" * 3000) for _ in range(20))
    assert len(normaliser._carry) < 1 << 13
    assert output + normaliser.feed("", final=True) == "\u1161" * 60_000


# -- leaving words out


@given(
    lengths=st.lists(st.integers(1, 5), max_size=12),
    stays=st.lists(st.booleans(), min_size=6, max_size=6),
    data=st.data(),
)
@settings(max_examples=60, suppress_health_check=CHECKS)
def test_left_out_types_are_removed_from_ids_and_sentences(
    lengths: list[int], stays: list[bool], data: st.DataObject, tmp_path: Path
) -> None:
    texts = [data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)) for n in lengths]
    numbers = np.where(stays, np.arange(6)[::-1], -1).astype(np.int32)
    np.array(list(chain(*texts)), dtype="<i4").tofile(tmp_path / "ids")
    np.cumsum([0, *lengths]).astype("<i8").tofile(tmp_path / "sentences")
    cut = data.draw(st.integers(0, len(texts)))
    places = np.array([0, sum(lengths[:cut]), sum(lengths[:cut]), sum(lengths)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.corpus.tokenise.remap_ids._BLOCK", 4)
        moved = renumber(tmp_path, numbers, places, JobControl())
    expected = [[int(numbers[n]) for n in text if stays[n]] for text in texts]
    assert np.fromfile(tmp_path / "ids", dtype="<i4").tolist() == list(chain(*expected))
    ends = np.cumsum([0, *(len(text) for text in expected if text)])
    assert np.fromfile(tmp_path / "sentences", dtype="<i8").tolist() == ends.tolist()
    left = sum(map(len, expected[:cut]))
    assert moved.tolist() == [0, left, left, sum(map(len, expected))]


# -- word lists


def test_lists_are_typed_or_files(tmp_path: Path) -> None:
    assert parse_word_list("the, of  and\nor") == ("the", "of", "and", "or")
    path = tmp_path / "stop words.txt"
    path.write_text("\ufeffthe\t100\n\nof course\r\nand\n")
    assert parse_word_list(f"@{path}") == ("the", "of course", "and")
    text = tmp_path / "text.txt"
    text.write_text("The end and the rest\n")
    options = CorpusOptions(stop_words=f"@{path}")
    first = open_corpus([text], options)
    assert list(first.words) == ["end", "rest"]
    # Other contents of the same file make another corpus.
    path.write_text("rest\n")
    assert list(open_corpus([text], options).words) == ["the", "end", "and"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("gone.txt", "No such file"), ("", "after @"), ("latin.txt", "isn’t UTF-8 at byte 3")],
)
def test_lists_that_cannot_be_read(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    text = tmp_path / "text.txt"
    text.write_text("a text\n")
    with pytest.raises(UserError, match=message):
        open_corpus([text], CorpusOptions(keep_words=f"@{tmp_path / name}" if name else "@"))


def test_a_corpus_without_tokens_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("a text\n")
    with pytest.raises(UserError, match="are left after filtering"):
        open_corpus([path], CorpusOptions(keep_words="other"))


def test_words_are_looked_up_as_the_corpus_spells_them(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Le café de 1984\n")
    corpus = open_corpus(
        [path], CorpusOptions(strip_accents=True, numbers="zeros", unicode_form="NFC")
    )
    assert corpus.words[row_of(corpus, " CAFE\u0301 ")] == "cafe"
    assert corpus.words[row_of(corpus, "2001")] == "0000"


def test_phrases_are_joined_after_filters(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Élan of Vital. Ein élan vital 12 élan the vital.\nIs it\nélan vital? " * 4)
    options = CorpusOptions(
        sentences="punctuation",
        strip_accents=True,
        numbers="drop",
        stop_words="of the ein it",
        phrases=1,
        phrase_threshold=1.5,
        phrase_min_count=2,
    )
    corpus = open_corpus([path], options)
    assert sentences(corpus)[:3] == [
        ["elan_vital"],
        ["elan_vital", "elan_vital"],
        ["is", "elan_vital"],
    ]
    assert corpus.options == options
    assert sum(file.tokens for file in corpus.files) == corpus.tokens


# -- the options


def test_old_options_keep_their_meaning() -> None:
    options = CorpusOptions.from_mapping(
        {"tokeniser": "words", "sentences": "lines", "lowercase": True}
    )
    assert options == CorpusOptions()
    assert not Refinement(options).active
    assert not Refinement(CorpusOptions(tokeniser="whitespace")).active


def test_the_least_length_is_in_characters_as_people_count_them() -> None:
    refinement = Refinement(CorpusOptions(min_length=2))
    for word in ("e\u0301", "é", "हि", "\u1112\u1161\u11ab", "👩\u200d🚀"):
        assert refinement.look(word)[1] == SHORT, word
    for word in ("e\u0301e", "éa", "हिन्", "ab"):
        assert refinement.look(word)[1] == "", word


def test_wrong_options_are_reported() -> None:
    for wrong in (
        {"min_length": 0},
        {"numbers": "words"},
        {"unicode_form": "NFD"},
        {"stop_words": "@ "},
    ):
        with pytest.raises(ParameterError) as error:
            CorpusOptions.from_mapping(wrong)
        assert list(error.value.errors) == list(wrong)
