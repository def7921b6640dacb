"""Files and folders that are either whole or absent."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core.errors import UserError, why
from workbench.core.language import tr

_NAMED = 32


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place when the block ends well.

    Temp + fsync + rename. A link stays one: what it leads to is replaced. Raises UserError where the place cannot be
    written, which a file can be that is read-only, or no file but a device.
    """
    path = Path(path)
    try:
        if path.is_symlink():
            path = Path(os.path.realpath(path))
        known = _replaceable(path)
        # Not more of a name than leaves room for what is put around it.
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:_NAMED]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        # mkstemp makes files private; the result should be readable as what was there, or as any other file is.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask if known is None else known)
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes ``path`` when the block ends well; an existing one wins.

    Raises UserError where the place cannot be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield temporary
        for file in temporary.rglob("*"):
            if file.is_file():
                with file.open("rb+") as opened:
                    os.fsync(opened.fileno())
            elif file.is_dir():
                _sync_folder(file)
        # The names in it, too: else a loss of power could leave it empty under its new name.
        _sync_folder(temporary)
        try:
            temporary.replace(path)
        except OSError:
            # Another process finished the same work first; what it wrote is as good.
            if not path.is_dir():
                raise
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _replaceable(path: Path) -> int | None:
    """The permissions of the file that is there, None where there is none.

    Raises OSError, and UserError where it is not to be replaced: renaming asks only for the rights to the folder.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise UserError(tr("{path} is a folder.", path=path), tr("Name a file to write."))
    if not stat.S_ISREG(mode):
        raise UserError(tr("{path} is no ordinary file.", path=path), tr("Choose another place or another name."))
    if not os.access(path, os.W_OK):
        raise UserError(
            tr("{path} cannot be written.", path=path), tr("Change its permissions or choose another place.")
        )
    return stat.S_IMODE(mode)


def prove_writable(path: Path) -> None:
    """Raise UserError now if ``path`` could not be written later. Creates nothing that stays."""
    path = Path(path)
    if not path.parent.is_dir():
        raise UserError(
            tr("There is no folder {parent}.", parent=path.parent), tr("Make it first, or choose another place.")
        )
    try:
        _replaceable(path)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> UserError:
    """The one wording of a failed write."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return UserError(
        tr("{path} cannot be written ({reason}).", path=path, reason=why(error)),
        tr("Free some space or choose another place.") if full else tr("Choose another place or another name."),
    )


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
