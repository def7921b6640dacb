"""Texts out of arrays of files that nobody vouches for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.reading import read_text, texts_of


@pytest.mark.parametrize("order", "<>")
def test_texts_come_as_they_are(order: str) -> None:
    words = ["a", "", "naïve", "日本", "\U0010ffff"]
    assert texts_of(np.array(words, dtype=f"{order}U7")) == words
    assert texts_of(np.array("one")) == ["one"]
    assert texts_of(np.array([], dtype=f"{order}U3")) == []
    assert texts_of(np.zeros(2, dtype=f"{order}U0")) == ["", ""]
    assert texts_of(np.array([["a", "b"], ["c", "d"]])[:, ::-1]) == ["b", "a", "d", "c"]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("code", [0x110000, 0x7FFFFFFF, 0xFFFFFFFF])
def test_what_is_no_character_is_refused(order: str, code: int) -> None:
    words = np.array(["ab", "c"], dtype=f"{order}U2")
    words.view(f"{order}u4")[1] = code
    with pytest.raises(ValueError, match="no character"):
        texts_of(words)


def test_numbers_are_no_text() -> None:
    with pytest.raises(ValueError, match="is none"):
        texts_of(np.zeros(3))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_small_file_is_read_with_either_mark_and_any_line_ends(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes("König,Königin\r\nMann\rFrau\n".encode(encoding))
    assert read_text(path) == "König,Königin\nMann\nFrau\n"
    path.write_bytes("\ufeffKönig".encode("utf-16-be"))
    assert read_text(path) == "König"
    path.write_bytes(b"K\xf6nig")
    assert read_text(path) == "K\ufffdnig"
