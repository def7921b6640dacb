from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from workbench.core.atomic import new_folder, prove_writable, replacing, replacing_folder
from workbench.core.errors import UserError
from workbench.core.operating_system import OperatingSystem, Windows

# root may write everywhere, so permissions cannot be tested
needs_permissions = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user"
)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
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
    with pytest.raises(UserError, match="Couldn’t write.*space"), replacing(path):
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
def test_replacing_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.touch(0o600)
    with replacing(path) as temporary:
        temporary.write_text("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_replacing_a_link_replaces_its_target(tmp_path: Path) -> None:
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
def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(UserError, match="isn’t a regular file"), replacing(path):
        pass
    with pytest.raises(UserError, match="isn’t a regular file"):
        prove_writable(path)
    assert path.is_fifo()


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    # Permissions don’t apply to root.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(UserError, match="Change the permissions"), replacing(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "old"


def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    with replacing(path) as temporary:
        temporary.write_text("x")
    assert path.read_text() == "x"


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Couldn’t write"), replacing(tmp_path / "no" / "file"):
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


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "abc") as temporary:
        (temporary / "ids.npy").write_text("1")
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []


def test_a_folder_on_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Couldn’t write .*abc"), new_folder(tmp_path / "abc"):
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
    with (
        pytest.raises(UserError, match="Couldn’t write"),
        new_folder(tmp_path / "corpora" / "abc"),
    ):
        pass


def test_the_check_of_writability_leaves_nothing(tmp_path: Path) -> None:
    prove_writable(tmp_path / "out.vec")
    assert os.listdir(tmp_path) == []


def test_the_check_of_writability_keeps_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.vec"
    path.write_text("old")
    prove_writable(path)
    assert path.read_text() == "old"


def test_the_check_of_writability_names_the_problem(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        prove_writable(tmp_path)
    with pytest.raises(UserError, match="doesn’t exist"):
        prove_writable(tmp_path / "no" / "out.vec")


@needs_permissions
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    read_only = tmp_path / "closed"
    read_only.mkdir(mode=0o500)
    for attempt in (
        lambda: prove_writable(read_only / "x"),
        lambda: replacing(read_only / "x").__enter__(),
    ):
        with pytest.raises(UserError, match="Couldn’t write"):
            attempt()


# -- data are on the disk before their name is


def _replaced_folder(path: Path) -> AbstractContextManager[Path]:
    return replacing_folder(path, {"a", "b"})


@pytest.mark.skipif(os.name != "posix", reason="folders are brought to the disk by POSIX's calls")
@pytest.mark.parametrize("kind", [new_folder, _replaced_folder], ids=["new", "replaced"])
def test_all_of_a_folder_is_on_the_disk_before_it_has_its_name(
    kind: Callable[[Path], AbstractContextManager[Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a loss of power could leave a run or a corpus that exists but is empty."""
    events: list[int | str] = []
    sync, rename = os.fsync, os.replace

    def note_sync(handle: int) -> None:
        sync(handle)
        events.append(os.fstat(handle).st_ino)

    def note_rename(old: Any, new: Any) -> None:
        events.append(f"renamed to {Path(new).name}")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_rename)
    path = tmp_path / "run"
    with kind(path) as temporary:
        for name in ("a", "b"):
            (temporary / name).write_text(name * 100)
        (temporary / "more").mkdir()
        (temporary / "more" / "c").write_text("c")
    before = events[: events.index("renamed to run")]
    for file in (path / "a", path / "b", path / "more" / "c", path / "more", path):
        assert file.stat().st_ino in before, file.name
    assert tmp_path.stat().st_ino in events[len(before) :]


@pytest.mark.skipif(os.name != "posix", reason="folders are brought to the disk by POSIX's calls")
def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inodes: list[int] = []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(
        os, "fsync", lambda handle: (sync(handle), inodes.append(os.fstat(handle).st_ino))
    )
    inodes_at_rename: list[int] = []
    monkeypatch.setattr(
        os, "replace", lambda old, new: (inodes_at_rename.extend(inodes), rename(old, new))
    )
    with replacing(tmp_path / "file") as temporary:
        temporary.write_text("x")
    assert (tmp_path / "file").stat().st_ino in inodes_at_rename


# -- leftovers of killed processes


WRITE = """
import sys
from pathlib import Path
from workbench.core.atomic import new_folder, replacing
from workbench.core.atomic import replacing_folder
path = Path(sys.argv[2])
kinds = {"file": replacing, "new": new_folder, "folder": lambda path: replacing_folder(path, {"a"})}
with kinds[sys.argv[1]](path) as part:
    (part if part.is_file() else part / "a").write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


@contextmanager
def _writer(kind: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of writing ``path``; killed at the end."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITE, kind, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        assert child.stdout.readline().strip() == "writing"
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


def _parts(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".part")]


@pytest.mark.skipif(
    os.name != "posix",
    reason="what is open cannot be renamed elsewhere, so nothing is locked there",
)
@pytest.mark.parametrize("kind", ["file", "new", "folder"])
def test_parts_of_killed_processes_are_removed_and_those_of_live_ones_stay(
    kind: str, tmp_path: Path
) -> None:
    with _writer(kind, tmp_path / "big") as child:
        (part,) = _parts(tmp_path)
        with replacing(tmp_path / "other") as temporary:
            temporary.write_text("x")
        assert _parts(tmp_path) == [part]
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert _parts(tmp_path) == [part]
    with replacing(tmp_path / "other") as temporary:
        assert part not in _parts(tmp_path)
        temporary.write_text("y")
    assert os.listdir(tmp_path) == ["other"]


def test_files_of_others_with_names_like_parts_stay(tmp_path: Path) -> None:
    names = {
        ".text8.zip.0a1b2c3d.part",
        "film.part",
        ".notes.new.part",
        "b.abcdefgh.new.part",
        ".x.abcdefgh.newpart",
    }
    for name in names:
        (tmp_path / name).write_text("theirs")
    with replacing(tmp_path / "a") as temporary:
        temporary.write_text("x")
    assert set(os.listdir(tmp_path)) == {"a", *names}


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_that_is_called_like_a_part_is_not_followed(tmp_path: Path) -> None:
    folder, mine = tmp_path / "folder", tmp_path / "mine"
    folder.mkdir()
    mine.mkdir()
    (mine / "file").write_text("mine")
    (folder / ".x.abcdefgh.new.part").symlink_to(mine)
    os.mkfifo(folder / ".y.abcdefgh.new.part")
    with replacing(folder / "a") as temporary:
        temporary.write_text("x")
    assert (mine / "file").read_text() == "mine"


# -- replacing folders


def _old_folder(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.mkdir()
    (path / "a").write_text("old")
    return path


def _failing_rename(monkeypatch: pytest.MonkeyPatch, fails: Callable[[Path, Path], bool]) -> None:
    rename = os.replace

    def failing(old: Any, new: Any) -> None:
        if fails(Path(old), Path(new)):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rename(old, new)

    monkeypatch.setattr(os, "replace", failing)


def test_a_folder_stays_if_the_new_one_cannot_replace_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _old_folder(tmp_path)
    _failing_rename(monkeypatch, lambda old, new: old.name == "new")
    with (
        pytest.raises(UserError, match="Couldn’t write"),
        replacing_folder(path, {"a"}) as folder,
    ):
        (folder / "a").write_text("new")
    assert (path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["model"]


@pytest.fixture(params=["locked", "by age"])
def abandon(
    request: pytest.FixtureRequest, windows: Windows, run_as: Callable[[OperatingSystem], None]
) -> Callable[[Path], None]:
    """Make an unfinished folder count as abandoned. A folder does so once its lock is released,
    except on Windows, where a day has to pass.
    """
    if request.param == "locked":
        return lambda folder: None
    run_as(windows)
    return lambda folder: os.utime(folder, (0, 0))


def test_a_folder_that_cannot_be_restored_is_kept_and_restored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abandon: Callable[[Path], None]
) -> None:
    path = _old_folder(tmp_path)
    with (
        monkeypatch.context() as patch,
        pytest.raises(UserError, match="The previous contents are in") as error,
        replacing_folder(path, {"a"}) as new,
    ):
        _failing_rename(patch, lambda old, new: new == path)
        (new / "a").write_text("new")
    assert not path.exists()
    (room,) = tmp_path.iterdir()
    assert (room / "old" / "model" / "a").read_text() == "old"
    assert str(room) in error.value.hint
    abandon(room)
    with replacing(tmp_path / "other") as temporary:
        temporary.write_text("x")
    assert (path / "a").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["model", "other"]


def test_a_folder_written_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abandon: Callable[[Path], None]
) -> None:
    """A folder written after the old one couldn’t be restored isn’t replaced by the old one."""
    path = _old_folder(tmp_path)
    with (
        monkeypatch.context() as patch,
        pytest.raises(UserError, match="Couldn’t write"),
        replacing_folder(path, {"a"}) as folder,
    ):
        _failing_rename(patch, lambda old, new: new == path)
        (folder / "a").write_text("new")
    (room,) = tmp_path.iterdir()
    path.mkdir()
    (path / "a").write_text("newer")
    abandon(room)
    with replacing(tmp_path / "other") as temporary:
        temporary.write_text("x")
    assert (path / "a").read_text() == "newer"
    assert sorted(os.listdir(tmp_path)) == ["model", "other"]


def test_a_folder_replaces_one(tmp_path: Path) -> None:
    path = _old_folder(tmp_path)
    with replacing_folder(path, {"a", "b"}) as folder:
        (folder / "b").write_text("new")
        assert (path / "a").read_text() == "old"
    assert os.listdir(path) == ["b"]
    assert os.listdir(tmp_path) == ["model"]
