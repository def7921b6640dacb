"""Where shipped resources and the user's folders are, without a word for anyone: problems are
exceptions with values, to which ``core/paths.py`` gives texts.

The language is looked up here, before there are texts. ``WORKBENCH_HOME`` moves settings, store and
caches together, so that tests and classrooms don't touch anyone else's.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

_APP = "embedding-workbench"
_INSTEAD = "WORKBENCH_INSTEAD"


class UnknownHome(ValueError):
    """``WORKBENCH_HOME`` is the home folder of an unknown user."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.folder = folder


class NoFolder(OSError):
    """Neither a folder nor another in its place could be created; ``problem`` is the first
    error.
    """

    def __init__(self, folder: Path, problem: OSError) -> None:
        super().__init__(str(folder))
        self.folder = folder
        self.problem = problem


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


def _workbench_home() -> Path | None:
    """Home from WORKBENCH_HOME. Raises UnknownHome."""
    value = os.environ.get("WORKBENCH_HOME", "").strip()
    if not value:
        return None
    folder = os.path.expanduser(value)
    if folder.startswith("~"):
        raise UnknownHome(folder)
    # Not strict: a folder behind circular links can’t be created, which is reported when it is
    # tried.
    return Path(os.path.realpath(folder))


def settings_place() -> Path:
    """Folder of settings, which may not exist. Raises UnknownHome, as all places do."""
    return _user_place("settings", "config")


def store_place() -> Path:
    """Folder of runs and sessions."""
    return _user_place("store", "data")


def log_place() -> Path:
    """Folder of the log files."""
    return _user_place("logs", "log")


def cache_place() -> Path:
    """Folder of reproducible data."""
    return _user_place("cache", "cache")


def _user_place(name: str, kind: str) -> Path:
    """The folder of this name in WORKBENCH_HOME, else the system's folder for this kind of data."""
    home = _workbench_home()
    if home:
        return home / name
    # Imported here, so that a missing package can be reported in a text.
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_path")(_APP, appauthor=False))


def make_folder(folder: Path) -> Path:
    """Create ``folder``; if that fails, create a temporary one for this process instead. Raises
    NoFolder if both fail.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError as error:
        problem = error
    # Not by its name, which may be the problem.
    instead = fallback_folder() / hashlib.blake2b(os.fsencode(folder), digest_size=8).hexdigest()
    try:
        instead.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoFolder(folder, problem) from error
    problems.setdefault(folder, problem)
    return instead


# Folders that could not be created, with their errors.
problems: dict[Path, OSError] = {}


def fallback_folder() -> Path:
    """A temporary folder that this process and its children use if no other is available."""
    folder = os.environ.get(_INSTEAD)
    if not folder:
        folder = tempfile.mkdtemp(prefix="workbench-")
        os.environ[_INSTEAD] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def is_temporary(path: Path) -> bool:
    """Whether a file is in a temporary folder of this process, because its proper folder cannot be
    written.
    """
    replacement = os.environ.get(_INSTEAD, "")
    return replacement != "" and path.absolute().is_relative_to(Path(replacement))
