"""The user's folders, created where they are missing, with problems as errors that a user can fix.
``core/folders.py`` decides where they are.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core import folders
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr


def expand_user(path: str | Path) -> Path:
    """Replace ~ by the user's folder; the folder of an unknown user stays as written."""
    return Path(os.path.expanduser(path))


def exists(path: str) -> bool:
    """Whether the file or folder exists; False for text that can’t be a path."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def path_exists(path: Path) -> bool:
    """Whether a path exists. Raises OSError if the system refuses the path, for example as too
    long, which ``Path.exists`` hides from Python 3.14 on.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


@contextmanager
def _user_errors() -> Iterator[None]:
    """Raise UserError for a home or a folder that can’t be used."""
    try:
        yield
    except folders.UnknownHome as error:
        raise UserError(
            tr(
                "WORKBENCH_HOME is the home folder of an unknown user: {folder}.",
                folder=error.folder,
            ),
            tr("Set WORKBENCH_HOME to a folder that you can write to."),
        ) from error
    except folders.NoFolder as error:
        raise _storage_error(error.folder, error.problem) from error


@_user_errors()
def settings_folder() -> Path:
    return folders.make_folder(folders.settings_place())


@_user_errors()
def store_folder() -> Path:
    """Folder of runs and sessions, which must never be lost."""
    return folders.make_folder(folders.store_place())


@_user_errors()
def log_folder() -> Path:
    """Folder of the log files (``core/logs.py``)."""
    return folders.make_folder(folders.log_place())


@_user_errors()
def cache_folder(*parts: str) -> Path:
    """Folder of reproducible data: corpora as ids, counts, kernels, generated samples."""
    folder = folders.make_folder(folders.cache_place().joinpath(*parts))
    if os.access(folder, os.W_OK):
        return folder
    # Without a cache, no text could be opened.
    instead = folders.fallback_folder().joinpath("cache", *parts)
    instead.mkdir(parents=True, exist_ok=True)
    return instead


def storage_problem() -> UserError | None:
    """Why neither runs nor settings of this process can be saved, or None."""
    found = find_unwritable_folder()
    if found is None:
        return None
    return _storage_error(*found)


@_user_errors()
def find_unwritable_folder() -> tuple[Path, OSError] | None:
    """The folder for runs or settings that cannot be written, and the error, or None."""
    for place in (folders.store_place(), folders.settings_place()):
        folder = folders.make_folder(place)
        if place in folders.problems:
            return place, folders.problems[place]
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            return folder, error
    return None


def _storage_error(folder: Path, error: OSError) -> UserError:
    return UserError(
        tr(
            "Can’t save your work: {folder} isn’t writable ({strerror}).",
            folder=folder,
            strerror=error_text(error),
        ),
        tr("Set WORKBENCH_HOME to a folder that you can write to, or save sessions to a file."),
    )
