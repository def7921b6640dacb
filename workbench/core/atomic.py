"""Files and folders that are either complete or absent.

An incomplete file is beside its final place as ``.NAME.XXXXXXXX.new.part``, locked by the process
that writes it. A killed process leaves its incomplete file; the next process that writes into the
folder removes files that no process has locked.
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
# No other program makes such names, nor do unfinished downloads, which also end in ".part".
_LEFT = re.compile(r"\..+\.[a-z0-9_]{8}\.new\.part", re.DOTALL)
# If files cannot be locked, they are removed only when they are older than this, in seconds.
_DAY = 86_400.0
# Temporary parent of a folder that is being replaced, which keeps its own name in it.
OLD = "old"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` that replaces it when the block ends without an error.

    Temp + fsync + rename. A link stays a link, and its target is replaced. Raises UserError if
    ``path`` cannot be written, for example because it is read-only or a device.
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
        # mkstemp makes files private; the result should have the permissions of the old file, or
        # those of any new file.
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
    """A temporary folder that becomes ``path`` when the block ends without an error; an existing
    folder stays, and the temporary one is removed.

    Raises UserError if ``path`` cannot be written.
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
            # Another process finished the same work first; its result is equivalent.
            if not path.is_dir():
                raise
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        release_part(handle)


def new_part(path: Path, folder: bool = False) -> tuple[Path, int]:
    """A new file or folder beside ``path`` that will replace it, and a handle that locks it, for
    ``release_part``.

    Removes leftovers of killed processes from that folder first, because on a full disk they use
    the space. Raises OSError.
    """
    remove_abandoned_parts(path.parent)
    _prove_name(path)
    # Shorten the name, to leave room for the prefix and suffix.
    prefix = f".{path.name[:_NAMED]}."
    while True:
        if folder:
            name = tempfile.mkdtemp(prefix=prefix, suffix=_SUFFIX, dir=path.parent)
            handle = system().open_folder(name)
        else:
            handle, name = tempfile.mkstemp(prefix=prefix, suffix=_SUFFIX, dir=path.parent)
        if not system().moves_open_files:
            # On this system, open files can’t be renamed.
            release_part(handle)
            return Path(name), -1
        # Another process may have removed it as abandoned before it was locked.
        if handle >= 0 and try_lock(handle) is not False and os.path.lexists(name):
            return Path(name), handle
        release_part(handle)


def release_part(handle: int) -> None:
    """Release the lock of ``new_part``."""
    if handle >= 0:
        os.close(handle)


def remove_abandoned_parts(folder: Path) -> None:
    """Remove leftovers of killed processes from a folder, but no files that a live process writes.

    A lock ends with its process, however that ends, so ages and process numbers, which may be
    reused, don’t matter; on network file systems, the server tracks the locks.
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
    """Remove a part that no process has locked, or that is old if the system can't rename open
    files. Raises OSError if this user may not remove it.
    """
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
        # The process was killed between two renames: the folder to replace is nowhere else.
        if not os.path.lexists(path.parent / old.name):
            system().replace(old, path.parent / old.name)
    shutil.rmtree(path, ignore_errors=True)


def sync_whole(folder: Path) -> None:
    """Flush all files below a folder, and their names, to the disk. Raises OSError."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())
        elif file.is_dir():
            sync_folder(file)
    # Flush the names as well: otherwise a power failure could leave an empty folder.
    sync_folder(folder)


def _existing_permissions(path: Path) -> int | None:
    """The permissions of an existing file, None if there is none.

    Raises OSError, and UserError if the file must not be replaced: renaming only checks permissions
    of the folder.
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
    """Raise UserError now if ``path`` could not be written later. Leaves no files."""
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
    """The error for a failed write."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return UserError(
        tr("Couldn’t write {path}: {reason}.", path=path, reason=error_text(error)),
        tr("Free some space or choose another folder.")
        if full
        else tr("Choose another folder or name."),
    )


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk. Raises OSError."""
    system().sync_folder(folder)


# -- folders of known files that are replaced as a whole


@contextmanager
def replacing_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """A temporary folder that replaces ``path`` when the block ends without an error.

    An existing folder is replaced if it contains only files of these names. Raises UserError if it
    contains others, or if ``path`` cannot be written.
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
    """Remove the temporary folder, after moving back the previous content if nothing has replaced
    it. Raises UserError if that fails; the content then stays in the temporary folder.
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
    """Raise UserError now if a folder of these files could not be written to ``path`` later."""
    _prove_name(path)
    try:
        # Raises if the system refuses the name.
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
