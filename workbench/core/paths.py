"""Paths of shipped resources and of the user's folders.

``WORKBENCH_HOME`` moves settings, store and caches together, so that tests and classrooms don't
touch anyone else's.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import platformdirs

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr

_APP = "embedding-workbench"


def resources() -> Path:
    """The folder of shipped resources, in a checkout, an editable install or a wheel."""
    return _shipped("resources")


def documents() -> Path:
    """The folder of the user guide and related pages."""
    return _shipped("docs")


def _shipped(name: str) -> Path:
    package = Path(__file__).resolve().parents[1]
    inside = package / name
    if inside.is_dir():
        return inside
    return package.parent / name


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


def _workbench_home() -> Path | None:
    """Home from WORKBENCH_HOME. Raises UserError for an unknown user’s folder."""
    value = os.environ.get("WORKBENCH_HOME", "").strip()
    if not value:
        return None
    folder = os.path.expanduser(value)
    if folder.startswith("~"):
        raise UserError(
            tr("WORKBENCH_HOME is the home folder of an unknown user: {folder}.", folder=folder),
            tr("Set WORKBENCH_HOME to a folder that you can write to."),
        )
    # Not strict: a folder behind circular links can’t be created, which is reported when it is
    # tried.
    return Path(os.path.realpath(folder))


def settings_folder() -> Path:
    return _make_folder(_settings_place())


def _settings_place() -> Path:
    home = _workbench_home()
    if home:
        return home / "settings"
    return platformdirs.user_config_path(_APP, appauthor=False)


def _store_place() -> Path:
    home = _workbench_home()
    if home:
        return home / "store"
    return platformdirs.user_data_path(_APP, appauthor=False)


def store_folder() -> Path:
    """Folder of runs and sessions, which must never be lost."""
    return _make_folder(_store_place())


def log_folder() -> Path:
    """Folder of the log files (``core/logs.py``)."""
    home = _workbench_home()
    return _make_folder(
        home / "logs" if home else platformdirs.user_log_path(_APP, appauthor=False)
    )


def cache_folder(*parts: str) -> Path:
    """Folder of reproducible data: corpora as ids, counts, kernels, generated samples."""
    home = _workbench_home()
    base = home / "cache" if home else platformdirs.user_cache_path(_APP, appauthor=False)
    folder = _make_folder(base.joinpath(*parts))
    if os.access(folder, os.W_OK):
        return folder
    # Without a cache, no text could be opened.
    instead = _fallback_folder().joinpath("cache", *parts)
    instead.mkdir(parents=True, exist_ok=True)
    return instead


def _make_folder(folder: Path) -> Path:
    """Create ``folder``; if that fails, create a temporary one for this process instead."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError as error:
        problem = error
    # Not by its name, which may be the problem.
    instead = _fallback_folder() / hashlib.blake2b(os.fsencode(folder), digest_size=8).hexdigest()
    try:
        instead.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _storage_error(folder, problem) from error
    _problems.setdefault(folder, problem)
    return instead


def storage_problem() -> UserError | None:
    """Why neither runs nor settings of this process can be saved, or None."""
    found = find_unwritable_folder()
    if found is None:
        return None
    return _storage_error(*found)


def find_unwritable_folder() -> tuple[Path, OSError] | None:
    """The folder for runs or settings that cannot be written, and the error, or None."""
    for place in (_store_place(), _settings_place()):
        folder = _make_folder(place)
        if place in _problems:
            return place, _problems[place]
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            return folder, error
    return None


def is_temporary(path: Path) -> bool:
    """Whether a file is in a temporary folder of this process, because its proper folder cannot be
    written.
    """
    replacement = os.environ.get(_INSTEAD, "")
    return replacement != "" and path.absolute().is_relative_to(Path(replacement))


def _storage_error(folder: Path, error: OSError) -> UserError:
    return UserError(
        tr(
            "Can’t save your work: {folder} isn’t writable ({strerror}).",
            folder=folder,
            strerror=error_text(error),
        ),
        tr("Set WORKBENCH_HOME to a folder that you can write to, or save sessions to a file."),
    )


# Folders that could not be created, with their errors.
_problems: dict[Path, OSError] = {}
_INSTEAD = "WORKBENCH_INSTEAD"


def _fallback_folder() -> Path:
    """A temporary folder that this process and its children use if no other is available."""
    folder = os.environ.get(_INSTEAD)
    if not folder:
        folder = tempfile.mkdtemp(prefix="workbench-")
        os.environ[_INSTEAD] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
