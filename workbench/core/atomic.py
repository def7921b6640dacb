"""Files and folders that are either whole or absent.

An incomplete file is beside its final place as ``.NAME.XXXXXXXX.new.part``, locked by the process
that writes it. A process that is killed leaves its own behind; whoever writes into that folder next
takes away what no process holds.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.locks import try_lock
from workbench.core.operating_system import system
from workbench.core.paths import path_exists

_NAMED = 32
_SUFFIX = ".new.part"
# Made by no other program, nor by unfinished downloads, which end in ".part", too.
_LEFT = re.compile(r"\..+\.[a-z0-9_]{8}\.new\.part", re.DOTALL)
# Where files cannot be locked by whoever writes them, they are left alone for so many seconds.
_DAY = 86_400.0
# Where a folder that is replaced lies meanwhile, under its own name.
OLD = "old"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place when the block ends well.

    Temp + fsync + rename. A link stays one: what it leads to is replaced. Raises UserError if
    the place cannot be written, which a file can be that is read-only, or no file but a device.
    """
    path = Path(path)
    try:
        if path.is_symlink():
            path = Path(os.path.realpath(path))
        known = _existing_permissions(path)
        temporary, handle = new_part(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        # mkstemp makes files private; the result should be readable as what was there, or as any
        # other file is.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask if known is None else known)
        system().replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
        release_part(handle)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes ``path`` when the block ends well; an existing one wins.

    Raises UserError if the place cannot be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary, handle = new_part(path, folder=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield temporary
        sync_whole(temporary)
        try:
            system().replace(temporary, path)
        except OSError:
            # Another process finished the same work first; what it wrote is as good.
            if not path.is_dir():
                raise
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        release_part(handle)


def new_part(path: Path, folder: bool = False) -> tuple[Path, int]:
    """A new file or folder beside ``path`` that will replace it, and a handle that locks
    it, for ``release``.

    Leftovers of killed processes in that folder are removed first: on a full disk they use the
    space. Raises OSError.
    """
    remove_abandoned_parts(path.parent)
    _prove_name(path)
    # Not more of a name than leaves room for what is put around it.
    prefix = f".{path.name[:_NAMED]}."
    while True:
        if folder:
            name = tempfile.mkdtemp(prefix=prefix, suffix=_SUFFIX, dir=path.parent)
            handle = system().open_folder(name)
        else:
            handle, name = tempfile.mkstemp(prefix=prefix, suffix=_SUFFIX, dir=path.parent)
        if not system().moves_open_files:
            # Open files can’t be renamed there.
            release_part(handle)
            return Path(name), -1
        # Another process may have seen it before it was locked, and have removed it as left behind.
        if handle >= 0 and try_lock(handle) is not False and os.path.lexists(name):
            return Path(name), handle
        release_part(handle)


def release_part(handle: int) -> None:
    """Let go of what ``new_part`` holds."""
    if handle >= 0:
        os.close(handle)


def remove_abandoned_parts(folder: Path) -> None:
    """Remove what processes that were killed have left in a folder; what a live one writes stays.

    A lock ends with its process, however that ends, so that neither an age nor a number of a
    process, which another one may have by now, needs to be trusted; on network file systems it is
    the server that knows of it.
    """
    try:
        names = [
            name for name in os.listdir(folder) if name.endswith(_SUFFIX) and _LEFT.fullmatch(name)
        ]
    except OSError:
        return
    for name in names:
        with suppress(OSError):
            _remove_if_abandoned(folder / name)


def _remove_if_abandoned(path: Path) -> None:
    """Raises OSError if it is not ours to remove."""
    if not system().moves_open_files:
        if time.time() - path.lstat().st_mtime > _DAY:
            _discard_part(path)
        return
    handle = system().open_own(path)
    if handle < 0:
        return
    try:
        if try_lock(handle):
            _discard_part(path)
    finally:
        os.close(handle)


def _discard_part(path: Path) -> None:
    if not path.is_dir():
        path.unlink()
        return
    for old in (path / OLD).glob("*"):
        # Killed between two renamings: the folder that was to be replaced is nowhere else.
        if not os.path.lexists(path.parent / old.name):
            system().replace(old, path.parent / old.name)
    shutil.rmtree(path, ignore_errors=True)


def sync_whole(folder: Path) -> None:
    """Bring all files below a folder, and their names, to the disk. Raises OSError."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())
        elif file.is_dir():
            sync_folder(file)
    # The names in it, too: else a loss of power could leave it empty under its new name.
    sync_folder(folder)


def _existing_permissions(path: Path) -> int | None:
    """The permissions of the file that is there, None if there is none.

    Raises OSError, and UserError if it is not to be replaced: renaming asks only for the rights
    to the folder.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise UserError(tr("{path} is a folder.", path=path), tr("Name a file to write."))
    if not stat.S_ISREG(mode):
        raise UserError(
            tr("{path} isn’t a regular file.", path=path),
            tr("Choose another folder or name."),
        )
    if not os.access(path, os.W_OK):
        raise UserError(
            tr("Couldn’t write {path}.", path=path),
            tr("Change the permissions, or choose another folder."),
        )
    return stat.S_IMODE(mode)


def prove_writable(path: Path) -> None:
    """Raise UserError now if ``path`` could not be written later. Creates nothing that stays."""
    path = Path(path)
    _prove_name(path)
    try:
        _prove_parent(path)
        _existing_permissions(path)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error


def _prove_parent(path: Path) -> None:
    if not path.parent.is_dir():
        raise UserError(
            tr("The folder {parent} doesn’t exist.", parent=path.parent),
            tr("Create the folder first, or choose another one."),
        )


def _prove_name(path: Path) -> None:
    if not system().allows_name(path.name):
        raise UserError(
            tr("Windows doesn’t allow files with the name “{name}”.", name=path.name),
            tr("Choose another name."),
        )


def cannot_write(path: Path, error: OSError) -> UserError:
    """The one wording of a failed write."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return UserError(
        tr("Couldn’t write {path}: {reason}.", path=path, reason=error_text(error)),
        tr("Free some space or choose another folder.")
        if full
        else tr("Choose another folder or name."),
    )


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk. Raises OSError."""
    system().sync_folder(folder)


# -- folders of known files that are written again as a whole


@contextmanager
def replacing_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """A temporary folder that takes the place of ``path`` when the block ends well.

    A folder that is there already is replaced if it holds nothing but files of these names. Raises
    UserError if it holds others, and where the place cannot be written.
    """
    path = Path(path)
    prove_folder(path, names)
    try:
        room, handle = new_part(path, folder=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    new, old = room / "new", room / OLD / path.name
    try:
        new.mkdir()
        yield new
        sync_whole(new)
        if path.is_dir():
            old.parent.mkdir()
            system().replace(path, old)
        system().replace(new, path)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        try:
            _clear(room, path, old)
        finally:
            release_part(handle)


def _clear(room: Path, path: Path, old: Path) -> None:
    """Remove the temporary folder. The previous content goes back first if nothing has taken its
    place. Raises UserError if that cannot be done: it stays where it is then.
    """
    try:
        if old.exists() and not os.path.lexists(path):
            system().replace(old, path)
    except OSError as error:
        raise UserError(
            tr("Couldn’t write {path}: {reason}.", path=path, reason=error_text(error)),
            tr("The previous contents are in {place}.", place=old),
        ) from error
    shutil.rmtree(room, ignore_errors=True)


def prove_folder(path: Path, names: Collection[str]) -> None:
    """Raise UserError now if a folder of these files could not take that place."""
    _prove_name(path)
    try:
        # Raises where the system refuses the name.
        path_exists(path)
        if path.is_symlink() or path.is_file():
            raise UserError(
                tr("{path} is a file, not a folder.", path=path),
                tr("Choose another name."),
            )
        _prove_parent(path)
        if path.is_dir():
            strange = sorted(
                file.name for file in path.iterdir() if file.name not in names or not file.is_file()
            )
            if strange:
                raise UserError(
                    tr(
                        "The folder {path} contains other files ({strange}).",
                        path=path,
                        strange=strange[0],
                    ),
                    tr("Choose an empty or a new folder."),
                )
        with tempfile.TemporaryDirectory(dir=path.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error
