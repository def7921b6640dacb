from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.json_text import json_of_file, json_text, of_json

ANY = st.text(st.characters(codec=None))


@given(st.recursive(ANY, lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))
def test_every_text_can_be_written_and_read(value: object) -> None:
    assert json.loads(json_text(value, indent=1).encode("utf-8")) == value


def test_other_texts_stay_legible() -> None:
    assert json_text({"ü": "“😀”"}) == '{"ü": "“😀”"}'


def test_numbers_that_json_lacks_become_null() -> None:
    assert of_json('{"a": [NaN, Infinity, -Infinity, 1e999, -1e999, 1.5, 2]}') == {
        "a": [None] * 5 + [1.5, 2]
    }


# -- files from elsewhere


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "manifest.json"


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 200_000,
        b"[" * 20_000 + b"]" * 20_000,
        b"\xff\xfe",
        b'{"format": NaN',
        b'{"a": 1, "a": 2}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b"",
        b" " * 1000 + b"1",
    ],
    ids=["open", "closed", "bytes", "cut", "twice", "digits", "empty", "long"],
)
def test_files_of_others_raise_one_kind_of_error(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(ValueError, match=r"."):
        json_of_file(file, largest=1000 if data.startswith(b" ") else 1 << 20)


def test_files_of_others_are_read_as_they_are(file: Path) -> None:
    value = {"a": [1, 2.5, "é", None, True], "b": {"a": -1}}
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(value).encode())
    assert json_of_file(file, largest=file.stat().st_size) == value
    file.write_text('{"a": [NaN, Infinity, 1e999]}')
    assert json_of_file(file) == {"a": [None, None, None]}
    with pytest.raises(OSError, match="nothing"):
        json_of_file(file.parent / "nothing")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(ValueError, match="not a regular file"):
        json_of_file(file)
