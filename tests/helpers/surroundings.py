"""Folders, variables, language and time zone of a test run, in place of the machine’s.

Tests give the same results on every machine, whatever its user has set or other programs have left
in the home and the temporary folder, and leave nothing there.
"""

from __future__ import annotations

import os
import site
import sys
import tempfile
import time
from pathlib import Path

from own_folders import ALLOWED, FORBIDDEN, LOG, ROOT

_ROOT = Path(__file__).resolve().parents[2]
# What Python and the operating system need, and what chooses tests. “_” at the end: a prefix.
_KEPT = (
    "PATH", "LD_", "DYLD_", "PYTHONHOME", "VIRTUAL_ENV", "PYTEST_", "COVERAGE_", "NO_COLOR",
    "PY_COLORS", "CI", "BUILD_NUMBER", "GITHUB_", "LOGNAME", "USER", "USERNAME",
    "WORKBENCH_TEST_", "WORKBENCH_CI", "WORKBENCH_FASTTEXT", "WORKBENCH_GLOVE", "WORKBENCH_WORD",
    "WORKBENCH_INTEROP",
    # Windows
    "ALLUSERSPROFILE", "COMMONPROGRAMFILES", "COMSPEC", "NUMBER_OF_PROCESSORS", "OS", "PATHEXT",
    "PROCESSOR_", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "WINDIR",
)  # fmt: skip
# What C libraries keep in the home: fontconfig, Mesa, and file dialogs of Qt.
_LIBRARIES = (
    ".cache/fontconfig", ".cache/mesa_shader_cache", ".cache/mesa_shader_cache_db",
    ".config/QtProject.conf",
)  # fmt: skip


def is_kept(name: str) -> bool:
    """Whether tests see this variable of the machine."""
    name = name.upper()
    return any(name.startswith(kept) if kept[-1] == "_" else name == kept for kept in _KEPT)


def move_in(folder: Path, shared: Path) -> None:
    """Let this process and its children use only what is in ``folder``, an empty one: home,
    temporary files and the workbench’s own files; ``shared`` is used by several processes.

    Keeps the machine’s folders for packages of the user, and for pytest’s ``tmp_path``, whose
    folders remain for a while, so that failures can be examined.
    """
    # Set already if this process was started by one that has moved.
    machine = {
        "PYTEST_DEBUG_TEMPROOT": tempfile.gettempdir(),
        "PYTHONUSERBASE": site.getuserbase(),
        FORBIDDEN: os.pathsep.join(
            {os.path.realpath(each) for each in (Path.home(), tempfile.gettempdir())}
        ),
    }
    if FORBIDDEN in os.environ:
        machine = {name: os.environ[name] for name in machine}
    tests = _ROOT / "tests"
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = [tests / "site", tests / "helpers", _ROOT, *before]
    for name in [name for name in os.environ if not is_kept(name)]:
        del os.environ[name]
    places = {name: folder / name for name in ("person", "tmp", "runtime", "workbench")}
    for place in places.values():
        place.mkdir(mode=0o700)
    person = places["person"]
    os.environ.update(machine)
    os.environ |= {
        "HOME": str(person),
        "USERPROFILE": str(person),
        "APPDATA": str(person),
        "LOCALAPPDATA": str(person),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(places["tmp"])),
        "XDG_RUNTIME_DIR": str(places["runtime"]),
        "DASK_ROOT_CONFIG": str(person / "dask"),
        # Dask leaves an empty folder there.
        "DASK_TEMPORARY_DIRECTORY": str(folder / "dask"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(shared / "hypothesis"),
        "WORKBENCH_HOME": str(places["workbench"]),
        "WORKBENCH_LANGUAGE": "en",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(map(str, filter(None, path)))),
        "LANG": "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8",
        # No whole hours, so that a time of another zone is seen to be one.
        "TZ": "<+0545>-05:45",
        ROOT: str(_ROOT),
        LOG: str(folder / "outside.txt"),
        ALLOWED: os.pathsep.join(
            dict.fromkeys(os.path.realpath(each) for each in (folder, shared))
        ),
    }
    tempfile.tempdir = None
    if hasattr(time, "tzset"):
        time.tzset()
    os.umask(0o022)


def python_path(*folders: Path) -> str:
    """Value of PYTHONPATH for a child process that also finds modules in these folders."""
    return os.pathsep.join([*map(str, folders), os.environ["PYTHONPATH"]])


def allow(folder: Path) -> None:
    """Let tests use one more folder."""
    os.environ[ALLOWED] += os.pathsep + os.path.realpath(folder)


def files() -> set[Path]:
    """Temporary files, and files in the home, that are there now, without those of C libraries."""
    person = Path(os.environ["HOME"])
    found = {*Path(os.environ["TMPDIR"]).iterdir(), *person.iterdir()}
    for folder in {(person / name).parent for name in _LIBRARIES}:
        found = (found - {folder}) | set(folder.glob("*"))
    return found - {person / name for name in _LIBRARIES}


def pop_log() -> str:
    """Accesses that the guard has forbidden since the last call; empty if there were none."""
    log = Path(os.environ[LOG])
    if not log.exists():
        return ""
    text = log.read_text("utf-8", "replace")
    log.unlink()
    return text
