"""Tables of words and numbers as other programs write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.session.corpus.reading import read_corpus
from workbench.vectors.formats import load_vectors, sniff
from workbench.vectors.undecoded import file_warnings

ROWS = [[0.9, 0.1, -2.5], [0.75, 0.25, 1e-3]]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("pandas.csv", ",0,1,2\nelm,0.9,0.1,-2.5\noak,0.75,0.25,1e-3\n", "elm oak"),
        ("numbered.csv", "elm,0.9,0.1,-2.5\noak,0.75,0.25,1e-3\n", "elm oak"),
        ("r.csv", '"","V1","V2","V3"\n"elm",0.9,.1,-2.5\n"oak",.75,.25,.001\n', "elm oak"),
        ("r.txt", '"V1" "V2" "V3"\n"elm" 0.9 0.1 -2.5\n"oak" 0.75 0.25 0.001\n', "elm oak"),
        ("r2.txt", '"elm" 0.9 0.1 -2.5\n"oak" 0.75 0.25 0.001\n', "elm oak"),
        ("index.tsv", "\tword\ta\tb\tc\n0\telm\t.9\t.1\t-2.5\n1\toak\t.75\t.25\t1e-3", "elm oak"),
        ("excel.csv", "term;1;2;3\nelm;0,9;0,1;-2,5\noak;0,75;0,25;0,001\n", "elm oak"),
        ("labels.tsv", "tall elm\t.9\t.1\t-2.5\nred oak\t.75\t.25\t.001\n", "tall elm,red oak"),
        ("crlf.csv", "w,x,y,z\r\nelm,.9,.1,-2.5\r\noak,.75,.25,.001\r\n", "elm oak"),
    ],
)
def test_tables_of_other_programs(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = tmp_path / name
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert sniff(path) == "table"
        found = load_vectors(path)
        assert list(found.words) == words.split("," if "," in words else None)
        np.testing.assert_array_equal(found.vectors, np.array(ROWS, np.float32))


def test_quoted_words_and_rows_without_words(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text('"a, ""b""",1.5,2.5\n,3.5,4\n"two\nlines",5.5,6\n', encoding="utf-8")
    found = load_vectors(path)
    assert list(found.words) == ['a, "b"', "two\nlines"]
    assert file_warnings(found) == ("1 row was left out because it has no word.",)


@pytest.mark.parametrize(
    "text",
    [
        "id,text\n1,It was the best of times\n2,It was the worst of times\n",
        "the,1000,1\nof,900,2\nand,800,3\n",
        "text,good,bad\nIt was the best of times,0.9,0.1\nIt was the worst,0.2,0.8\n",
        "id,text,WC,joy,fear,anger,trust,power\n1,a boat is gone again,4,.1,.2,.3,.4,.5\n"
        "2,the river turns by the hill,6,.5,.4,.3,.2,.1\n",
        "text,good,bad\nso so,0.9,0.1\nlove it,0.2,0.8\n",
        "speaker,start,end\nanna,0.5,1.5\nanna,1.5,2.25\nanna,3.5,4\nben,4,5.5\n",
        "3.5,1.5,2.5\n4.5,1.5,2.5\n",
        "word,x,y\nelm,0.5\noak,0.5,0.7\n",
    ],
)
def test_other_tables_are_corpora(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    assert sniff(path) is None


def test_sentences_beside_numbered_columns_are_vectors(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,0,1,2,3,4\nIt was the best of times,.9,.1,.3,.5,.7\nso,1,2,3,4,5\n")
    assert list(load_vectors(path).words) == ["It was the best of times", "so"]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_single_quotes_are_words(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "t.tsv"
    words = ["elm", '"', '5"', *(f"w{at}" for at in range(30)), '"said', "``"]
    rows = [separator.join([word, f"{at}.5", "-1.25"]) for at, word in enumerate(words)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = load_vectors(path)
    assert list(found.words) == words
    expected = [[at + 0.5, -1.25] for at in range(len(words))]
    np.testing.assert_array_equal(found.vectors, expected)


@pytest.mark.parametrize(
    ("text", "counts", "says"),
    [
        ("word,freq,a,b\nelm,70,.5,1\noak,60,.25,2\nash,6,.5,3\n", [70, 60, 6], "“freq” became"),
        ("word,norm,a,b\nelm,1.1,.5,1\noak,2.5,.25,2\nash,3.5,.5,3\n", None, "dimension: norm."),
        ("rank,word,a,b\n1,elm,.5,1\n2,oak,.25,2\n3,ash,.5,3\n", None, "dimension: rank."),
        ("id;a;b;Cluster\nelm;,5;1;7\noak;,25;2;8\nash;,5;3;9\n", None, "dimension: Cluster."),
        ("word\tpos\tyear\ta\tb\nelm\tN\t9\t.5\t1\noak\tN\t9\t.25\t2\nash\tN\t8\t.5\t3\n", None,
         "2 columns were left out because they aren’t dimensions: pos, year."),
        ("word,count,a,b\nelm,.7,.5,1\noak,.6,.25,2\nash,.1,.5,3\n", None, "dimension: count."),
        ("elm,.5,1\noak,.25,2\nash,.5,3\n", None, "Column 3 contains only whole numbers."),
    ],
)  # fmt: skip
def test_columns_that_are_not_dimensions(
    tmp_path: Path, text: str, counts: list[int] | None, says: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    found = load_vectors(path)
    assert list(found.words) == ["elm", "oak", "ash"]
    np.testing.assert_array_equal(found.vectors, [[0.5, 1], [0.25, 2], [0.5, 3]])
    assert (None if found.counts is None else found.counts.tolist()) == counts
    assert any(says in sentence for sentence in file_warnings(found))


def test_counts_of_a_column_follow_their_words(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "elm,.5,1,9\n,.5,2,8\nelm,.5,3,7\noak,.5,4,6\nash,.5,5,5\nfir,.5,6,4\nyew,.5,1,3\n"
    path.write_text("word,a,b,count\n" + rows, encoding="utf-8")
    found = load_vectors(path)
    assert found.counts is not None
    expected = {"elm": 9, "oak": 6, "ash": 5, "fir": 4, "yew": 3}
    assert dict(zip(found.words, found.counts.tolist(), strict=True)) == expected


def test_a_named_column_is_text(tmp_path: Path) -> None:
    path = tmp_path / "norms.csv"
    path.write_text("word,joy,fear\nelm,.5,.25\noak,.75,.5\n", encoding="utf-8")
    assert sniff(path) == "table"
    with pytest.raises(UserError, match="contains vectors"):
        read_corpus([path])
    corpus = read_corpus([path], CorpusOptions(column="word"))
    assert sorted(corpus.vocabulary(1).words) == ["elm", "oak"]


def test_a_line_with_another_number_of_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("".join(f"elm{at},.5,1\n" for at in range(30)) + "oak,.5\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 31: .* 2 numbers, but “oak” has 1 number"):
        load_vectors(path)


def test_a_list_of_word_norms_is_read_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "norms.csv"
    rows = "elm,5.5,2.25,4\noak,2.75,3.5,3.25\nash,5,2.5,5\n"
    path.write_text("word,valence,arousal,dominance\n" + rows, encoding="utf-8")
    (sentence,) = file_warnings(load_vectors(path))
    assert sentence.startswith("The columns valence, arousal, dominance look like measures")
    for titles in ("word,x,y,z", "word,PC1,PC2,PC3", "word,dim_1,dim_2,dim_3"):
        path.write_text(f"{titles}\n{rows}", encoding="utf-8")
        assert file_warnings(load_vectors(path)) == ()


WORDS = ["elm", "oak", "ash", "fir", "yew", "box"]
NUMBERS = [
    [0.5, -1.25, 3.0],
    [0.25, 2.5, 1e-3],
    [1.5, 1, -2],
    [3, 4, 5.5],
    [6, 7.5, 8],
    [9, 1, 0.5],
]
# A row as text: its columns, and the word in the last one.
ROWS_OF_TEXT = [[word, *map(str, row)] for word, row in zip(WORDS, NUMBERS, strict=True)]


def lines_of(separator: str, rows: list[list[str]], *before: str) -> str:
    return "\n".join([*before, *(separator.join(row) for row in rows), ""])


ARFF = ("@relation r", "@attribute w string", "@data")
LISTS = [f'{word},"{row}"' for word, row in zip(WORDS, NUMBERS, strict=True)]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("comment.csv", lines_of(",", ROWS_OF_TEXT, "# made in 2021, by hand", "word,a,b,c"), 1),
        ("comment.txt", lines_of("\t", ROWS_OF_TEXT, "# made in 2021"), 1),
        ("excel.csv", lines_of(";", ROWS_OF_TEXT, "sep=;"), 1),
        ("title.csv", lines_of(",", ROWS_OF_TEXT, "Trees of Europe", "", "w,a,b,c"), 2),
        ("weka.arff", lines_of(",", ROWS_OF_TEXT, *ARFF), 3),
        ("bars.txt", lines_of("|", ROWS_OF_TEXT), 0),
        ("spaces.csv", lines_of(", ", ROWS_OF_TEXT), 0),
        ("ends.csv", lines_of(",", [[*row, ""] for row in ROWS_OF_TEXT]), 0),
        ("begins.tsv", lines_of("\t", [["", *row] for row in ROWS_OF_TEXT]), 0),
        ("last.csv", lines_of(",", [[*row[1:], row[0]] for row in ROWS_OF_TEXT]), 0),
        ("named.csv", lines_of(",", [[*row[1:], row[0]] for row in ROWS_OF_TEXT], "a,b,c,word"), 0),
        ("r.csv", lines_of(",", [[f'"{at}"', *row] for at, row in enumerate(ROWS_OF_TEXT, 1)],
                           '"","word","V1","V2","V3"'), 0),
        ("pandas.csv", "\n".join(["word,vector", *LISTS, ""]), 0),
        ("bytes.csv", "\n".join([",word,embedding", *(f"{at},{one}" for at, one in
                                enumerate(LISTS)), ""]), 0),
        ("numpy.csv", "\n".join(["word,vector", *(one.replace(", ", "\n ") for one in LISTS)]), 0),
        ("lists.tsv", lines_of("\t", [[row[0], ",".join(row[1:])] for row in ROWS_OF_TEXT]), 0),
        ("commas.tsv", lines_of("\t", ROWS_OF_TEXT).replace(".", ","), 0),
        ("empty.csv", lines_of(",", [*ROWS_OF_TEXT[:3], ["", "", "", ""], *ROWS_OF_TEXT[3:]]), 0),
    ],
)  # fmt: skip
def test_tables_in_other_layouts(tmp_path: Path, name: str, text: str, says: int) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert sniff(path) == "table"
    model = load_vectors(path)
    assert list(model.words) == WORDS
    np.testing.assert_array_equal(model.vectors, np.array(NUMBERS, np.float32))
    told = "".join(file_warnings(model))
    assert ("left out" in told) == (says > 0)
    assert says < 2 or f"first {says} lines" in told


def test_whole_numbers_and_numbers_as_words(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    whole = [[(7 * at * column) % 256 - 128 for column in range(10)] for at in range(1, 9)]
    path.write_text("".join(f"w{at},{','.join(map(str, row))}\n" for at, row in enumerate(whole)))
    np.testing.assert_array_equal(load_vectors(path).vectors, whole)
    path.write_text("word,0,1\n1990,0.5,1\n1991,1,.25\n1992,2,3\n", encoding="utf-8")
    assert list(load_vectors(path).words) == ["1990", "1991", "1992"]


def test_a_further_column_of_text_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(lines_of(",", [[*row, "en"] for row in ROWS_OF_TEXT], "w,a,b,c,language"))
    model = load_vectors(path)
    np.testing.assert_array_equal(model.vectors, np.array(NUMBERS, np.float32))
    assert any("dimension: language" in sentence for sentence in file_warnings(model))


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (["NA"] * 4, "line 6: .* followed by 3 numbers, but “NA” isn’t a number"),
        (["elm", "NA", "1", "2"], "line 6: .* followed by 3 numbers, but “NA” isn’t a number"),
        (["elm", "", "", ""], "line 6: .* 3 numbers, but one of them is missing"),
        (["elm", "1.5"], "line 6: .* 3 numbers, but “elm” has 1 number"),
        (["elm", "1.5", "2", "3", "4"], "line 6: expected a word followed by 3 numbers"),
    ],
)
@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
def test_a_damaged_row_is_named(tmp_path: Path, row: list[str], says: str, separator: str) -> None:
    path = tmp_path / "t.csv"
    rows = [[f"w{at}", "0.5", "-1.25", "3"] for at in range(30)]
    path.write_text(lines_of(separator, [*rows[:5], row, *rows[5:]]), encoding="utf-8")
    with pytest.raises(UserError, match=says):
        load_vectors(path)
