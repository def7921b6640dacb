from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from workbench.core.atomic import new_folder, prove_writable, replacing
from workbench.core.errors import UserError

# root may write everywhere, so permissions cannot be tried out
needs_permissions = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user"
)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text("old")
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["vectors.vec"]


def test_a_failure_keeps_the_old_file_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["vectors.vec"]


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text("old")
    with pytest.raises(UserError, match="cannot be written.*space"), replacing(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert path.read_text() == "old"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_the_result_is_as_readable_as_any_file(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    with replacing(tmp_path / "made") as temporary:
        temporary.write_text("x")
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_what_is_replaced_keeps_who_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.touch(0o600)
    with replacing(path) as temporary:
        temporary.write_text("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    path.parent.mkdir()
    path.write_text("old")
    link.symlink_to(path)
    with replacing(link) as temporary:
        assert temporary.parent == path.parent
        temporary.write_text("new")
    assert link.is_symlink()
    assert path.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_what_is_no_file_is_not_replaced_by_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(UserError, match="no ordinary file"), replacing(path):
        pass
    with pytest.raises(UserError, match="no ordinary file"):
        prove_writable(path)
    assert path.is_fifo()


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    # No rights bind root.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(UserError, match="Change its permissions"), replacing(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "old"


def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    with replacing(path) as temporary:
        temporary.write_text("x")
    assert path.read_text() == "x"


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"), replacing(tmp_path / "no" / "file"):
        pass


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "corpora" / "abc"
    with new_folder(path) as temporary:
        (temporary / "ids.npy").write_text("1")
        (temporary / "inner").mkdir()
        (temporary / "inner" / "words").write_text("2")
        assert not path.exists()
    assert (path / "ids.npy").read_text() == "1"
    assert (path / "inner" / "words").read_text() == "2"
    assert os.listdir(tmp_path / "corpora") == ["abc"]


def test_a_folder_that_failed_never_was(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "abc") as temporary:
        (temporary / "ids.npy").write_text("1")
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []


def test_a_folder_on_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="abc cannot be written"), new_folder(tmp_path / "abc"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert os.listdir(tmp_path) == []


def test_the_first_of_two_folders_wins(tmp_path: Path) -> None:
    path = tmp_path / "abc"
    with new_folder(path) as temporary:
        (temporary / "ids").write_text("mine")
        path.mkdir()
        (path / "ids").write_text("theirs")
    assert (path / "ids").read_text() == "theirs"
    assert os.listdir(tmp_path) == ["abc"]


def test_a_file_in_the_place_of_a_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "corpora").write_text("a file")
    with pytest.raises(UserError, match="cannot be written"), new_folder(tmp_path / "corpora" / "abc"):
        pass


def test_proving_leaves_nothing(tmp_path: Path) -> None:
    prove_writable(tmp_path / "out.vec")
    assert os.listdir(tmp_path) == []


def test_proving_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "out.vec"
    path.write_text("old")
    prove_writable(path)
    assert path.read_text() == "old"


def test_proving_names_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        prove_writable(tmp_path)
    with pytest.raises(UserError, match="There is no folder"):
        prove_writable(tmp_path / "no" / "out.vec")


@needs_permissions
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    for attempt in (lambda: prove_writable(closed / "x"), lambda: replacing(closed / "x").__enter__()):
        with pytest.raises(UserError, match="cannot be written"):
            attempt()
