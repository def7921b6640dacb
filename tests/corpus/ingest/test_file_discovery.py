from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.corpus.ingest.file_discovery import corpus_name, gather, should_read


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def test_folders_are_searched_in_sorted_order(tmp_path: Path) -> None:
    make(
        tmp_path / "c",
        "b.txt",
        "a.TXT",
        "d/z.gz",
        "d/wiki_00",
        "c.md",
        ".hidden.txt",
        ".git/x.txt",
        "p.png",
        "e.html",
    )
    make(tmp_path / "c", "__MACOSX/b.txt", "news.en-00001-of-00100")
    files = gather([tmp_path / "c"])
    assert [(source.shown, source.named) for source in files] == [
        ("c/a.TXT", True),
        ("c/b.txt", True),
        ("c/c.md", True),
        ("c/e.html", True),
        ("c/news.en-00001-of-00100", False),
        ("c/d/wiki_00", False),
        ("c/d/z.gz", True),
    ]


def test_files_are_taken_as_named(tmp_path: Path) -> None:
    make(tmp_path, "b.html", "a.txt")
    files = gather([tmp_path / "b.html", tmp_path / "a.txt"])
    assert [(source.shown, source.named, source.size) for source in files] == [
        ("b.html", True, 1),
        ("a.txt", True, 1),
    ]
    assert all(source.path.is_absolute() for source in files)


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("book.txt", True),
        ("deep/in/book.TXT.GZ", True),
        ("README", None),
        ("wiki_07", None),
        ("picture.png", False),
        ("deep/.hidden/book.txt", False),
        ("__MACOSX/._book.txt", False),
    ],
)
def test_which_members_are_taken(name: str, choice: bool | None) -> None:
    assert should_read(name) is choice


def test_names(tmp_path: Path) -> None:
    assert corpus_name([tmp_path / "novels.txt.xz"]) == "novels"
    assert corpus_name(["in/en.wiki.2024.zip"]) == "en.wiki.2024"
    assert corpus_name(["text8"]) == "text8"
    assert corpus_name([tmp_path]) == tmp_path.name
    assert corpus_name(["a.txt", "b.txt", "c.txt"]) == "a + 2"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "No corpus was named."),
        (["nowhere.txt"], r"The file or folder .*nowhere\.txt doesn’t exist\."),
        (["pictures"], r"The folder .*pictures contains no text files\."),
        ([os.devnull], r".* isn’t a regular file\."),
    ],
)
def test_files_that_cannot_be_gathered(tmp_path: Path, names: list[str], message: str) -> None:
    make(tmp_path, "pictures/a.png")
    with pytest.raises(UserError, match=message) as error:
        gather([tmp_path / name for name in names])
    assert error.value.hint
