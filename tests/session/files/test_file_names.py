"""File names derived from names of runs and corpora, on every system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.core.atomic import prove_folder, prove_writable, replacing_folder
from workbench.core.errors import UserError
from workbench.core.operating_system import OperatingSystem, Windows
from workbench.session.files.file_names import add_suffix, file_stem


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("SGNS 3", "SGNS 3"),
        ("dim 50, lr 0.05", "dim 50, lr 0.05"),
        ("a/b\\c: 50%?", "a-b-c- 50"),
        ("con", "_con"),
        ("NUL.tar", "_NUL.tar"),
        ("aux .txt", "_aux .txt"),
        ("console", "console"),
        (" .hidden. ", "hidden"),
        ("..", "run"),
        ("\t\x00\u202e", "run"),
        ("", "run"),
        # Vowel signs are neither letters nor digits, but must be kept.
        ("हिन्दी", "हिन्दी"),
        ("Zoe\u0308", "Zoë"),
        ("half \ud83d of a pair", "half - of a pair"),
    ],
)
def test_a_name_becomes_one_that_every_system_allows(
    name: str,
    stem: str,
    windows: Windows,
    run_as: Callable[[OperatingSystem], None],
    tmp_path: Path,
) -> None:
    assert file_stem(name, "run") == stem
    run_as(windows)
    prove_writable(tmp_path / f"{stem}.npz")


@pytest.mark.parametrize("letter", ["x", "ß", "東", "𝔸", "e\u0323\u0302"])
def test_a_long_name_is_cut_between_characters(letter: str, tmp_path: Path) -> None:
    stem = file_stem(letter * 300, "run")
    assert 100 < len(stem.encode()) <= 120
    prove_writable(tmp_path / f"{stem}-counts.safetensors")


def test_names_that_differ_in_capitals_only_become_different_files() -> None:
    stems: list[str] = []
    for name in ("Tales", "tales", "TALES", "a?", "a/", "Straße", "STRASSE", "CON", "con"):
        stems.append(file_stem(name, "run", stems))
    assert stems == [
        "Tales",
        "tales-2",
        "TALES-3",
        "a",
        "a-2",
        "Straße",
        "STRASSE-2",
        "_CON",
        "_con-2",
    ]


@pytest.mark.parametrize("parts", [["x" * 300], ["x" * 300, "a"], ["d" * 200] * 40])
def test_names_and_paths_that_are_too_long_are_refused_with_a_sentence(
    parts: list[str], tmp_path: Path
) -> None:
    path = tmp_path.joinpath(*parts)
    assert add_suffix(path, ".vec").name == f"{parts[-1]}.vec"
    refusal = "Couldn’t write|doesn’t exist"
    with pytest.raises(UserError, match=refusal):
        prove_writable(path)
    with pytest.raises(UserError, match=refusal):
        prove_folder(path, ())
    with pytest.raises(UserError, match=refusal), replacing_folder(path, ()):
        pass
