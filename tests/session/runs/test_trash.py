"""Moving a file or folder whole, beside an existing one or in its place."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from workbench.core.errors import UserError
from workbench.session.runs.trash import left_behind, move

GONE = UserError("It is gone.")


def test_it_takes_the_place_of_another_or_gets_a_number(tmp_path: Path) -> None:
    trash = tmp_path / "trash"
    for text, beside, name in (
        ("a", False, "x"),
        ("b", False, "x"),
        ("c", True, "x.2"),
        ("d", True, "x.3"),
    ):
        path = tmp_path / "x"
        path.write_text(text)
        target = move(path, trash, GONE, beside=beside)
        assert target == trash / name
        assert target.read_text() == text
        assert not path.exists()
    assert (trash / "x").read_text() == "b"
    with pytest.raises(UserError, match="It is gone"):
        move(tmp_path / "x", trash, GONE)


def test_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Couldn’t write"):
        move(tmp_path / "x", tmp_path / "file", GONE)
    assert (tmp_path / "x").is_dir()


def test_what_nobody_has_written_to_for_a_day_was_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.part"
    assert not left_behind(path)
    path.write_text("")
    assert not left_behind(path)
    # One hour isn’t enough: saving a large run on a slow disk may still be in progress.
    os.utime(path, (time.time() - 3_600,) * 2)
    assert not left_behind(path)
    os.utime(path, (time.time() - 90_000,) * 2)
    assert left_behind(path)
