"""Groups of sentences, by columns, file names and dates, and the documents of a corpus."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus, planted_corpus

from workbench.core.errors import UserError
from workbench.core.param_labels import By, name_params_by
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.corpus.documents import (
    LONGEST,
    DocumentParams,
    Documents,
    documents_of,
    draw_text,
    sentence_order,
    with_short_sentences,
)
from workbench.corpus.groups import MOST_GROUPS, GroupParams, SentenceGroups, sentence_groups
from workbench.corpus.loader import open_corpus

pytestmark = pytest.mark.usefixtures("own_corpora")

ROWS = [
    ("1999-03-01", "Ann", "the first line\nof two"),
    ("2001-12-24", "Bob", "another line"),
    ("", "Bob", "no date here"),
    ("1994-01-01", "Zoë", "an early line"),
]


def table(folder: Path, name: str = "speeches.csv") -> Path:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("date", "speaker", "text"))
        writer.writerows(ROWS * 3)
    return path


def tei(year: str, text: str) -> str:
    return (
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>T</title>"
        f"</titleStmt><sourceDesc><bibl><date when='{year}'/></bibl></sourceDesc></fileDesc>"
        f"</teiHeader><text><body><p>{text}</p></body></text></TEI>"
    )


def texts_of(corpus: Corpus, groups: SentenceGroups) -> dict[str, set[str]]:
    """The sentences of each group, as texts."""
    found: dict[str, set[str]] = {}
    for number, code in enumerate(groups.codes.tolist()):
        begin, end = corpus.sentences[number : number + 2]
        words = " ".join(corpus.words[row] for row in corpus.ids[begin:end])
        found.setdefault("" if code < 0 else groups.values[code], set()).add(words)
    return found


def test_the_year_of_a_date_groups_the_rows_of_a_table(tmp_path: Path) -> None:
    corpus = open_corpus([table(tmp_path)])
    groups = sentence_groups(corpus, GroupParams())
    assert groups.values == ("1994", "1999", "2001")
    assert groups.ordered
    assert texts_of(corpus, groups) == {
        "1994": {"an early line"},
        "1999": {"the first line", "of two"},
        "2001": {"another line"},
        "": {"no date here"},
    }
    assert groups.tokens(corpus).tolist() == [9, 15, 6]
    decades = sentence_groups(corpus, GroupParams(by="date", years=10))
    assert decades.values == ("1990–1999", "2000–2009")
    speakers = sentence_groups(corpus, GroupParams(by="Speaker"))
    assert speakers.values == ("Ann", "Bob", "Zoë")
    assert not speakers.ordered
    assert texts_of(corpus, speakers)["Bob"] == {"another line", "no date here"}


def test_groups_are_kept_with_the_corpus(tmp_path: Path) -> None:
    path = table(tmp_path)
    first = open_corpus([path])
    groups = sentence_groups(first, GroupParams(by="speaker"))
    assert sentence_groups(first, GroupParams(by="speaker")) is groups
    again = open_corpus([path])
    assert again is not first
    assert np.array_equal(sentence_groups(again, GroupParams(by="speaker")).codes, groups.codes)


def test_the_date_of_tei_editions_groups_their_sentences(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(tei("1850-05", "about railways"), encoding="utf-8")
    (tmp_path / "b.xml").write_text(tei("1790", "about horses"), encoding="utf-8")
    corpus = open_corpus([tmp_path])
    groups = sentence_groups(corpus, GroupParams(by="year"))
    assert texts_of(corpus, groups) == {"1850": {"about railways"}, "1790": {"about horses"}}
    assert groups.values == ("1790", "1850")


def test_folders_files_and_patterns_of_names_group_files(tmp_path: Path) -> None:
    for folder, name in (("old", "x_1850"), ("new", "x_1920"), ("new", "y_1925"), ("new", "z")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.txt").write_text(f"text of {name.replace('_', ' ')}\n")
    corpus = open_corpus([tmp_path])
    assert texts_of(corpus, sentence_groups(corpus, GroupParams(by="folder"))) == {
        "old": {"text of x 1850"},
        "new": {"text of x 1920", "text of y 1925", "text of z"},
    }
    assert sorted(sentence_groups(corpus, GroupParams(by="file")).values) == [
        *("x_1850", "x_1920", "y_1925", "z"),
    ]
    pattern = sentence_groups(corpus, GroupParams(by=r"_(\d{4})"))
    assert pattern.values == ("1850", "1920", "1925")
    assert texts_of(corpus, pattern)[""] == {"text of z"}
    assert sentence_groups(corpus, GroupParams(by=r"/(old|new)/")).values == ("new", "old")
    assert sentence_groups(corpus, GroupParams(by=r"_(\d+)", years=100)).values == (
        "1800–1899",
        "1900–1999",
    )


def test_files_without_a_sentence_form_no_group(tmp_path: Path) -> None:
    for name, text in (("a", "one two"), ("b", "…"), ("c", "three")):
        (tmp_path / f"{name}.txt").write_text(text)
    groups = sentence_groups(open_corpus([tmp_path]), GroupParams(by="file"))
    assert groups.values == ("a", "c")
    assert groups.codes.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("by", "years", "words"),
    [
        ("nothing", 0, "no column “nothing”"),
        ("", 0, "no column “”"),
        ("year", 0, "no column “year”"),
        (r"_(\d", 0, "isn’t a valid pattern"),
        (r"_(\d)(\d)", 0, "must have one pair of brackets, not 2"),
        (r"(?:x)", 0, "must have one pair of brackets, not 0"),
        (r"(qq)", 0, "matches no file name, such as a.txt"),
        ("file", 5, "contain no year"),
    ],
)
def test_what_groups_nothing_is_explained_in_a_sentence(
    tmp_path: Path, by: str, years: int, words: str
) -> None:
    (tmp_path / "a.txt").write_text("one two\n")
    corpus = open_corpus([tmp_path])
    with pytest.raises(UserError) as error:
        sentence_groups(corpus, GroupParams(by=by, years=years))
    assert words in error.value.message
    assert error.value.message.endswith((".", "txt."))
    assert error.value.hint


def test_a_slow_pattern_ends(tmp_path: Path) -> None:
    corpus = make_corpus([["a"]])
    slow = replace(corpus, files=(SourceFile("/" + "a" * 120 + "!", 1, "UTF-8", 1),))
    with pytest.raises(UserError, match="takes too long"):
        sentence_groups(slow, GroupParams(by=r"(?:(?:a|aa|a?)+)+(\d)$"))


def test_more_groups_than_the_maximum_are_refused() -> None:
    lines = [[f"w{number}"] for number in range(MOST_GROUPS + 1)]
    files = tuple(SourceFile(f"/x/{at}.txt", 1, "UTF-8", 1) for at in range(len(lines)))
    with pytest.raises(UserError, match="forms 501 groups, and 500 is the maximum"):
        sentence_groups(replace(make_corpus(lines), files=files), GroupParams(by="file"))


def test_a_corpus_without_known_files_has_no_file_groups() -> None:
    with pytest.raises(UserError, match="doesn’t record which text comes from which file"):
        sentence_groups(make_corpus([["a", "b"]]), GroupParams(by="file"))


# -- documents


def test_files_are_the_documents_if_there_are_ten() -> None:
    corpus = planted_corpus(groups=3, documents=5, sentences=4)
    found = documents_of(corpus, DocumentParams())
    assert found.unit == "files"
    assert found.begins.tolist() == list(range(0, 61, 4))
    few = planted_corpus(groups=3, documents=2, sentences=4)
    assert documents_of(few, DocumentParams()).unit == "sentences"
    codes = sentence_groups(corpus, GroupParams(by="file")).codes
    # Each file is a group of its own.
    assert documents_of(corpus, DocumentParams(), codes).unit == "sentences"


def test_rows_of_a_table_are_documents(tmp_path: Path) -> None:
    corpus = open_corpus([table(tmp_path)])
    found = documents_of(corpus, DocumentParams())
    assert found.unit == "rows"
    assert np.diff(found.begins).tolist() == [2, 1, 1, 1] * 3


def test_passages_are_whole_sentences_of_one_file() -> None:
    lines = [["w"] * 40 for _ in range(120)]
    files = (SourceFile("/a.txt", 1, "UTF-8", 2000), SourceFile("/b.txt", 1, "UTF-8", 2800))
    corpus = replace(make_corpus(lines), files=files)
    found = documents_of(corpus, DocumentParams(documents="passages"))
    assert found.begins.tolist() == [0, 25, 50, 75, 100, 120]


def test_units_that_a_corpus_lacks_are_explained() -> None:
    one = make_corpus([["a", "b"]])
    for unit, words in (("files", "isn’t divided into files"), ("rows", "divided into rows")):
        with pytest.raises(UserError, match=words):
            documents_of(one, DocumentParams(documents=unit))
    with pytest.raises(UserError, match="is only one document") as caught:
        documents_of(one, DocumentParams())
    assert caught.value.hint == "Open more text."
    with name_params_by(By.OPTION), pytest.raises(UserError, match="Set --documents to sentences"):
        documents_of(make_corpus([["a"], ["b"]]), DocumentParams(documents="passages"))


def test_a_drawn_text_repeats_whole_documents() -> None:
    corpus = make_corpus([["a", "b"], ["c"], ["a", "d", "a"], ["b", "c"]])
    documents = Documents("files", np.array([0, 2, 3, 4]))
    drawn = draw_text(corpus, documents, np.array([2, 0, 1]))
    words = [
        [drawn.words[row] for row in drawn.ids[begin:end]]
        for begin, end in zip(drawn.sentences[:-1], drawn.sentences[1:], strict=True)
    ]
    assert words == [["a", "b"], ["c"], ["a", "b"], ["c"], ["b", "c"]]
    assert sentence_order(documents, np.array([2, 0, 1])).tolist() == [0, 1, 0, 1, 3]
    known = {word: int(count) for word, count in zip(drawn.words, drawn.counts, strict=True)}
    assert known == {"a": 2, "b": 3, "c": 3, "d": 0}


def test_documents_are_cut_where_the_group_changes() -> None:
    documents = Documents("files", np.array([0, 3, 6]))
    assert documents.cut(np.array([0, 0, 1, 1, 1, -1])).begins.tolist() == [0, 2, 3, 5, 6]
    assert documents.of_sentences().tolist() == [0, 0, 0, 1, 1, 1]


def test_long_sentences_are_cut() -> None:
    corpus = make_corpus([["a"] * (2 * LONGEST + 5), ["b"] * LONGEST])
    cut = with_short_sentences(corpus)
    assert np.diff(cut.sentences).tolist() == [LONGEST, LONGEST, 5, LONGEST]
    assert cut.digest != corpus.digest
    assert with_short_sentences(cut) is cut
