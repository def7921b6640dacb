"""Columns of a user’s table: numbers, categories, headers, and files that aren’t tables."""

from pathlib import Path

import pytest

from workbench.analysis.projection.word_attributes import load_column
from workbench.core.errors import UserError


def _file(folder: Path, text: str, name: str = "concreteness.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_numbers(tmp_path: Path) -> None:
    column = load_column(_file(tmp_path, "apple\t4.9\nidea\t1.5\n\nlove\t \napple\t5\textra\n"))
    assert column.numeric
    assert column.numbers == {"apple": 5.0, "idea": 1.5}
    assert column.name == "concreteness"
    assert len(column) == 2


def test_categories_and_headers(tmp_path: Path) -> None:
    column = load_column(
        _file(tmp_path, "\ufeffword\tpart of speech\r\nrun\tverb\r\nNew York\tname\r\n")
    )
    assert not column.numeric
    assert column.categories == {"run": "verb", "New York": "name"}
    assert column.name == "part of speech"
    assert load_column(_file(tmp_path, "token\tage\nrun\t3\n")).numbers == {"run": 3.0}
    # If values are words, the first line isn’t a header.
    assert load_column(_file(tmp_path, "run\tverb\ncat\tnoun\n")).categories == {
        "run": "verb",
        "cat": "noun",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("apple 4.9\n", "line 1: no tab in “apple 4.9”"),
        ("a\t1\nb\n", "line 2"),
        ("", "no words"),
        ("word\tvalue\n", "no words"),
        ("a\t1\nb\tinf\n", "line 2: “inf” isn’t a finite number"),
        ("a\0b\t1", "not text"),
    ],
)
def test_what_is_no_table_is_told_in_a_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_column(_file(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Couldn’t read"):
        load_column(tmp_path / "absent.tsv")
