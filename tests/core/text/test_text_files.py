"""Texts from arrays of untrusted files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.core.text.text_files import read_text, texts_of


@pytest.mark.parametrize("order", "<>")
def test_texts_are_read_unchanged(order: str) -> None:
    words = ["a", "", "naïve", "日本", "\U0010ffff"]
    assert texts_of(np.array(words, dtype=f"{order}U7")) == words
    assert texts_of(np.array("one")) == ["one"]
    assert texts_of(np.array([], dtype=f"{order}U3")) == []
    assert texts_of(np.zeros(2, dtype=f"{order}U0")) == ["", ""]
    assert texts_of(np.array([["a", "b"], ["c", "d"]])[:, ::-1]) == ["b", "a", "d", "c"]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("code", [0x110000, 0x7FFFFFFF, 0xFFFFFFFF])
def test_invalid_characters_are_refused(order: str, code: int) -> None:
    words = np.array(["ab", "c"], dtype=f"{order}U2")
    words.view(f"{order}u4")[1] = code
    with pytest.raises(ValueError, match="it contains an invalid character"):
        texts_of(words)


def test_numbers_are_refused_as_texts() -> None:
    with pytest.raises(ValueError, match="not text"):
        texts_of(np.zeros(3))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_small_file_is_read_with_either_mark_and_any_line_ends(
    tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes("König,Königin\r\nMann\rFrau\n".encode(encoding))
    assert read_text(path) == "König,Königin\nMann\nFrau\n"
    path.write_bytes("\ufeffKönig".encode("utf-16-be"))
    assert read_text(path) == "König"
    path.write_bytes("häufig,schön\nKönig,Königin\n".encode("cp1252"))
    assert read_text(path) == "häufig,schön\nKönig,Königin\n"
    # One damaged byte of UTF-8 doesn’t make it another encoding.
    path.write_bytes("König,Königin,schön,häufig\n".encode() * 2 + b"K\xf6nig\n")
    assert read_text(path) == "König,Königin,schön,häufig\n" * 2 + "K\ufffdnig\n"


def test_files_that_are_no_small_texts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes(b"king\0queen\x01\x02 man\n" * 3)
    with pytest.raises(UserError, match="pairs.txt contains binary data"):
        read_text(path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Nothing writes into the pipe: reading would wait for ever.
    with pytest.raises(UserError, match="pipe isn’t a regular file"):
        read_text(pipe)
    with pytest.raises(UserError, match="zero isn’t a regular file"):
        read_text(Path("/dev/zero"))
    with pytest.raises(UserError, match="is a folder"):
        read_text(tmp_path)
    path.write_bytes(b"king queen man woman")
    with pytest.raises(UserError, match="is too large"):
        read_text(path, 10)
