"""Quirks of word2vec text files and GloVe files that occur in practice."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors, sniff
from workbench.vectors.undecoded import file_warnings, raw_words


def read(
    folder: Path, data: bytes, name: str = "v.vec", key: str = ""
) -> tuple[list[str], list[list[float]]]:
    path = folder / name
    path.write_bytes(data)
    embeddings = load_vectors(path, key)
    return list(embeddings.words), np.asarray(embeddings.vectors).tolist()


PLAIN = (["a", "b"], [[1.0, -2.5], [0.5, 3000.0]])


@pytest.mark.parametrize(
    "data",
    [
        b"2 2\na 1 -2.5\nb .5 3e3\n",
        b"2 2\na 1 -2.5\nb .5 3e3",
        b"2 2 \r\na 1 -2.5 \r\nb .5 3e3 \r\n",
        b"2\t2\na\t1\t-2.5\nb\t.5\t3e3\n\n\n",
        b"\xef\xbb\xbf2 2\na 1 -2.5\n\nb  .5   3e3  \n",
    ],
    ids=["plain", "no last newline", "CRLF and blanks", "tabs", "mark and blank lines"],
)
def test_spaces_and_line_ends(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path, data) == PLAIN


def test_words_may_contain_any_spaces(tmp_path: Path) -> None:
    data = "3 2\nnew york 1 2\n. . . 3 4\na\u00a0b\u3000c 5 6\n".encode()
    assert read(tmp_path, data) == (
        ["new york", ". . .", "a\u00a0b\u3000c"],
        [[1, 2], [3, 4], [5, 6]],
    )
    glove = b"x 1 2.5 3 4 5\nnew york 1 2 3 4 5\n. . 0 1 2 3 4 5\n"
    words, vectors = read(tmp_path, glove, "v.glove")
    assert words == ["x", "new york", ". . 0"]
    assert vectors[2] == [1, 2, 3, 4, 5]


def test_words_that_are_not_utf8_stay_apart_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(b"6 1\nok 1\n\xff\xfe 2\n\xfe\xff 3\n\xef\xbf\xbd 4\nk\xe9 5\nk\xe8 6\n")
    embeddings = load_vectors(path)
    assert list(embeddings.words) == ["ok", r"\xff\xfe", r"\xfe\xff", "\ufffd", r"k\xe9", r"k\xe8"]
    assert np.asarray(embeddings.vectors).ravel().tolist() == [1, 2, 3, 4, 5, 6]
    assert embeddings.metadata["undecoded"] == {"words": 4}
    assert [sentence.split(".")[0] for sentence in file_warnings(embeddings)] == [
        "4 words aren’t UTF-8"
    ]


def test_a_provenance_puts_no_other_word_in_the_place_of_one() -> None:
    byte_words = {
        "words": 3,
        "bytes": {r"\xe9": "620a", "b": "63", r"\\xe8": "e8", r"\xea": "no bytes", r"\xeb": 7},
    }
    model = Embeddings(
        [r"\xe9", "b", r"\\xe8", r"\xea", r"\xeb"],
        np.ones((5, 1), np.float32),
        metadata={"undecoded": byte_words},
    )
    assert raw_words(model) == [b"\xe9", b"b", b"\xe8", b"\xea", b"\xeb"]
    for provenance in ({"words": 0}, {"words": True}, {"words": "3"}, {}, [], 3, None):
        model = Embeddings(
            [r"\xe9"], np.ones((1, 1), np.float32), metadata={"undecoded": provenance}
        )
        assert raw_words(model) == [rb"\xe9"]
        assert file_warnings(model) == ()


def test_repeated_words_keep_their_first_row_and_are_counted(
    tmp_path: Path,
) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(b"5 1\na 1\nb 2\na 3\n\xe9 4\na 5\n")
    embeddings = load_vectors(path)
    assert list(embeddings.words) == ["a", "b", r"\xe9"]
    assert np.asarray(embeddings.vectors).ravel().tolist() == [1, 2, 4]
    assert embeddings.metadata["repeated_rows"] == 2
    assert "2 rows were left out" in file_warnings(embeddings)[1]


def test_the_uncounted_row_of_glove_is_read_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(b"2 2\na 1 2\nb 3 4\n<unk> 5 6\n")
    embeddings = load_vectors(path)
    assert list(embeddings.words) == ["a", "b", "<unk>"]
    assert np.asarray(embeddings.vectors).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert len(file_warnings(embeddings)) == 1
    assert "<unk>" in file_warnings(embeddings)[0]
    assert list(load_vectors(path, limit=2).words) == ["a", "b"]
    path.write_bytes(b"2 2\na 1 2\nb 3 4\n<unk> 5 6\n<unk> 5 6\n")
    with pytest.raises(UserError, match="more rows"):
        load_vectors(path)


def test_a_binary_file_without_words_is_named(tmp_path: Path) -> None:
    path = tmp_path / "vectors.bin"
    path.write_bytes(np.random.default_rng(1).normal(size=60).astype("<f8").tobytes())
    with pytest.raises(UserError) as error:
        load_vectors(path)
    assert "GloVe" in error.value.hint


@pytest.mark.parametrize(
    "data", [b"2 2\noak 1 2 3\nelm 2 3 4\n", b"2 1\noak .1 .2\nold elm -.2 .3\n"]
)
def test_a_header_with_too_few_dimensions_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UserError, match="more numbers in each row than"):
        read(tmp_path, data)


def test_words_may_end_in_numbers(tmp_path: Path) -> None:
    assert read(tmp_path, b"2 1\nchapter 1 .5\nchapter 2 .25\n")[0] == ["chapter 1", "chapter 2"]
    assert read(tmp_path, b"2 1\noak 1 2\nelm 3\n")[0] == ["oak 1", "elm"]
    path = tmp_path / "out.vec"
    with pytest.raises(UserError, match="all begin or end with a number"):
        save_vectors(Embeddings(["oak 1.5", "elm 2.5"], np.ones((2, 1), np.float32)), path)
    assert not path.exists()


def test_a_row_without_a_word_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(b"3 2\na 1 2\n 3 4\nc 5 6\n")
    embeddings = load_vectors(path)
    assert list(embeddings.words) == ["a", "c"]
    assert np.asarray(embeddings.vectors).tolist() == [[1, 2], [5, 6]]
    assert file_warnings(embeddings) == ("1 row was left out because it has no word.",)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"words and more\n", "number of words, number of dimensions"),
        (b"3 2\na 1.25 2.25\nb 3 4\n\n", "ends after 2 of the 3"),
        (b"2 2\na 1 2\nbb 3\n", "line 3"),
        (b"2 2\na 1 2\nb 3 x\n", "line 3"),
        (b"2 2\na 1 2\n\nb 3 0x1\n", "line 4"),
        (b"2 2\na 1 2\nb 3 nan\n", "line 3.*“b”.*NaN"),
        (b"2 2\na 1 1e39\nb 3 4\n", "line 2.*“a”.*infinite"),
        (b"2 2\na 1 2\nb 3 4\nc 5 6\n", "more rows"),
        (b"0 2\n", "nothing to read"),
        (b"2 0\na\nb\n", "nothing to read"),
        (b"99999999999 2\na 1 2\n", "truncated or its header is wrong"),
        (b"2 99999999999999\na 1 2\nb 1 2\n", "truncated or its header is wrong"),
        (b"9999999999999999999999 2\na 1 2\n", "truncated or its header is wrong"),
    ],
)
def test_damage_is_named(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(UserError, match=says):
        read(tmp_path, data)


def test_glove_damage_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected a word followed by"):
        read(tmp_path, b"a 1 2 3\nb 1 2\n", "v.glove")
    with pytest.raises(UserError, match="line 2: .* “b” has 2 numbers"):
        read(tmp_path, b"a 1 2 3\nb 1 2\n", "v.glove")
    assert read(tmp_path, b"\na 1 2 3\n", "v.glove") == (["a"], [[1, 2, 3]])


def test_glove_is_recognised_by_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "glove.6B.txt"
    path.write_text("the 0.1 0.2 0.3 0.4 0.5\nof 1 2 3 4 5\n")
    assert sniff(path) == "glove"
    path.write_text("the 0.1 0.2 0.3 0.4 0.5\nof 1 2 3 4\n")
    assert sniff(path) is None


def test_a_row_longer_than_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    numbers = " ".join(f"{number}.125" for number in range(20_000))
    path.write_text(f"2 20000\nword {numbers}\nother {numbers}\n")
    assert sniff(path) == "word2vec-text"
    assert np.asarray(load_vectors(path).vectors)[1, 19_999] == 19_999.125


class _Interrupted(JobControl):
    """Cancels itself at the check after the first ``after`` checks; ``looks`` counts all checks."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after, self._count, self.looks = after, count(1), 0

    def check(self) -> None:
        self.looks = next(self._count)
        if self.looks > self._after:
            self.cancel()
        super().check()


@pytest.mark.parametrize("name", ["v.vec", "v.glove", "v.projector"])
def test_vectors_whose_writing_is_cancelled_leave_nothing(tmp_path: Path, name: str) -> None:
    vectors = Embeddings([f"w{row}" for row in range(5000)], np.ones((5000, 2), dtype=np.float32))
    run = _Interrupted(after=0)
    with pytest.raises(Cancelled):
        save_vectors(vectors, tmp_path / name, run=run)
    assert run.looks == 1
    assert list(tmp_path.iterdir()) == []
    whole = _Interrupted(after=100)
    save_vectors(vectors, tmp_path / name, run=whole)
    # Writing many numbers as text takes long, so there are checks between blocks of rows.
    assert whole.looks > 2


ROWS_OF_TEXT = [f"w{at} 0.5 -1.25 3.125 0.75 {at}.5\n" for at in range(30)]


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("", 0),
        ("\n\n", 0),
        ("# made in 2021.5\n", 1),
        ("30\n", 1),
        ("# made by hand\n30 5\n", 2),
        ("30 5 7\n", 1),
    ],
)
def test_lines_before_gloves_rows(tmp_path: Path, before: str, says: int) -> None:
    path = tmp_path / "v.txt"
    path.write_text(before + "".join(ROWS_OF_TEXT), encoding="utf-8")
    model = load_vectors(path)
    assert list(model.words) == [f"w{at}" for at in range(30)]
    np.testing.assert_array_equal(model.vectors[:, 4], np.arange(30) + 0.5)
    assert ("left out" in "".join(file_warnings(model))) == (says > 0)


def test_spaces_and_colons_around_words_arent_parts_of_them(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    first = ". . . 0.5 -1.25 3.125 0.75 -1\n"
    path.write_text(first + "".join(f"  {row}" for row in ROWS_OF_TEXT), encoding="utf-8")
    words = load_vectors(path).words
    assert list(words[:3]) == [". . .", "w0", "w1"]
    path.write_text("".join(row.replace(" ", ": ", 1) for row in ROWS_OF_TEXT))
    assert list(load_vectors(path).words[:2]) == ["w0", "w1"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("elm 0.5 1\n", "line 6: .* 5 numbers, but “elm” has 2 numbers"),
        ("elm NA NA NA NA NA\n", "line 6: .* 5 numbers, but “NA” isn’t a number"),
        ("elm 0.125 1 2 3 4 -0.125\n", "line 6: .* 5 numbers, but “elm” has 6 numbers"),
    ],
)
def test_a_damaged_row_among_others_is_named(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "v.txt"
    path.write_text("".join([*ROWS_OF_TEXT[:5], row, *ROWS_OF_TEXT[5:]]), encoding="utf-8")
    with pytest.raises(UserError, match=says):
        load_vectors(path)


def test_a_column_of_whole_numbers_is_said(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("".join(row.replace(" ", f" {at + 7} ", 1) for at, row in
                            enumerate(ROWS_OF_TEXT)))  # fmt: skip
    (sentence,) = file_warnings(load_vectors(path))
    assert sentence.startswith("Column 2 contains only whole numbers.")


def test_words_that_python_wrote_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    rows = [f"b'{row}".replace(" ", "' ", 1) for row in ROWS_OF_TEXT]
    path.write_text("".join(rows), encoding="utf-8")
    assert list(load_vectors(path).words) == [f"w{at}" for at in range(30)]
    path.write_text("".join([*rows, "b'ox 0.5 1 2 3 4\n"]), encoding="utf-8")
    assert list(load_vectors(path).words[-2:]) == ["b'w29'", "b'ox"]


@pytest.mark.parametrize("row", ["{word} {count} {numbers}", "{at} {word} {numbers}"])
def test_a_column_beside_the_words_is_left_out_and_said(tmp_path: Path, row: str) -> None:
    words = ["oak", "elm", "ash", "fir", "yew", "box", "bay", "old oak"]
    table = np.round(np.random.default_rng(2).normal(size=(8, 6)), 4)
    lines = [
        row.format(word=word, at=at, count=90 - at, numbers=" ".join(map(str, table[at])))
        for at, word in enumerate(words)
    ]
    path = tmp_path / "v.vec"
    path.write_text("8 6\n" + "\n".join(lines) + "\n", encoding="utf-8")
    embeddings = load_vectors(path)
    assert list(embeddings.words) == words
    assert np.asarray(embeddings.vectors) == pytest.approx(table, abs=1e-6)
    assert file_warnings(embeddings)[0].startswith("The column of whole numbers beside the words")


def test_numbers_that_distinguish_words_stay(tmp_path: Path) -> None:
    words = [f"chapter {number}" for number in range(1, 8)]
    rows = "".join(f"{word} 0.5 0.25\n" for word in words)
    assert read(tmp_path, f"7 2\n{rows}".encode())[0] == words
    numbered = Embeddings(["a 1", "b 2", "c 3", "d 4", "e 5"], np.full((5, 2), 0.5, np.float32))
    with pytest.raises(UserError, match="all begin or end with a number"):
        save_vectors(numbered, tmp_path / "out.vec")


def test_words_of_deeplearning4j_are_decoded(tmp_path: Path) -> None:
    import base64

    words = ["sun", "café", "東京"]
    path = tmp_path / "dl4j.vec"
    path.write_text(
        "3 2\n"
        + "".join(
            f"B64:{base64.b64encode(word.encode()).decode()} 1 {at}\n"
            for at, word in enumerate(words)
        )
    )
    assert load_vectors(path).words == words
    # A word that isn't in Base64, or one that is among others, stays as it is.
    path.write_text("2 2\nB64:??? 1 2\nB64:c3Vu 1 3\n")
    assert load_vectors(path).words == ["B64:???", "sun"]
    path.write_text("2 2\nB64:c3Vu 1 2\nmoon 1 3\n")
    assert load_vectors(path).words == ["B64:c3Vu", "moon"]
