"""JSON in objects, scripts and files of any name: names of fields are never words, and prose with
brackets stays prose.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.document_stream import texts
from workbench.corpus.ingest.file_discovery import gather


def _read(path: Path, text: str, column: str = "") -> tuple[str, list[str], str]:
    """The kind, the paragraphs, and the notes."""
    path.write_text(text, encoding="utf-8")
    (source,) = gather([path])
    with path.open("rb") as file:
        (read,) = texts(source, file, CorpusOptions(column=column))
        content = b"".join(read.blocks).decode()
    if read.findings.failure is not None:
        raise read.findings.failure
    notes = " ".join(read.findings.notes)
    return read.kind, [part for part in content.split("\n\n") if part], notes


_POSTS = [
    {"id": 1, "text": "snow falls on the roof", "user": {"name": "Ann"}},
    {"id": 2, "text": "rain follows", "user": {"name": "Bob"}},
]
_TEXTS = [str(post["text"]) for post in _POSTS]
_LINES = "".join(json.dumps(post) + "\n" for post in _POSTS)


@pytest.mark.parametrize("name", ["a.txt", "a.jl", "a"])
def test_lines_of_objects_in_files_of_any_name(tmp_path: Path, name: str) -> None:
    kind, read, notes = _read(tmp_path / name, _LINES)
    assert (kind, read) == ("jsonl", _TEXTS)
    assert "JSON lines" in notes
    assert "“text”" in notes


@pytest.mark.parametrize(
    ("name", "text", "noted"),
    [
        ("a.json", json.dumps({"meta": {"v": 1}, "data": _POSTS}), "“data”"),
        ("b.json", json.dumps({"title": "Snow", "page": {"items": _POSTS}}, indent=1), "“items”"),
        ("c.json", json.dumps({"text": _TEXTS, "label": [0, 1]}), "“text”"),
        ("tweets.js", f"window.YTD.tweets.part0 = {json.dumps(_POSTS)}", "script"),
        ("d.txt", json.dumps(_POSTS, indent=2), "JSON array"),
    ],
)
def test_the_list_in_an_object_or_a_script(
    tmp_path: Path, name: str, text: str, noted: str
) -> None:
    kind, read, notes = _read(tmp_path / name, text)
    assert (kind, read) == ("json", _TEXTS)
    assert noted in notes


def test_an_object_that_is_a_text(tmp_path: Path) -> None:
    text = json.dumps(
        {"id": 7, "title": "Snow", "text": "snow falls on the roof", "tags": ["snow", "roof"]},
        indent=2,
    )
    kind, read, notes = _read(tmp_path / "a.json", text)
    assert (kind, read) == ("json", ["snow falls on the roof"])
    assert "“text”" in notes
    assert _read(tmp_path / "a.json", text, "title")[1] == ["Snow"]
    with pytest.raises(UserError, match="“body”"):
        _read(tmp_path / "a.json", text, "body")


def test_texts_in_lists_within_lines(tmp_path: Path) -> None:
    """Each line of the interface of Twitter contains a page of tweets, and their authors."""
    page = {
        "data": [{"id": "1", "text": "snow falls"}, {"id": "2", "text": "rain follows"}],
        "includes": {"users": [{"name": "Ann", "description": "writes much about the weather"}]},
        "meta": {"result_count": 2},
    }
    _, read, _ = _read(tmp_path / "a.jsonl", (json.dumps(page) + "\n") * 2)
    assert read == 2 * ["snow falls\nrain follows"]


def test_notebooks_are_refused_by_name(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["import os"], "outputs": []}
    with pytest.raises(UserError) as failure:
        _read(tmp_path / "a.ipynb", json.dumps({"cells": [cell], "nbformat": 4}))
    assert "notebook" in failure.value.message
    assert "nbconvert" in failure.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "[Enter HAMLET and a ghost.]\n\nTo be or not to be.\n",
        "{Softly} the snow falls\n{slowly} the rain\n",
        "[1] Snow falls.\n[2] Rain follows.\n",
        "x = [1, 2]\nis a line of a program\n",
        "let = [ and so on\n",
    ],
)
def test_prose_with_brackets_stays_prose(tmp_path: Path, text: str) -> None:
    kind, read, notes = _read(tmp_path / "a.txt", text)
    assert kind == "plain"
    assert "\n\n".join(read).strip() == text.strip()
    assert not notes
