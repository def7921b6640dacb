"""A guard against reading and writing outside the folders of a test run.

``tests/helpers/surroundings.py`` names the folders in the environment, and ``sitecustomize.py``
sets the guard up in every Python process that a test starts. A forbidden access raises
PermissionError and is recorded with its stack, because the program may catch the error. Files that
C code opens aren’t seen; what they leave in the home or the temporary folder of the run fails the
test all the same.

- Writing (also creating, renaming, removing) is allowed in the folders of the run, in ``/dev`` and
  ``/proc``, and for Python’s compiled modules.
- Reading is forbidden in the user’s home and in the temporary folder of the machine, except for
  modules and what is installed there.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from typing import Any

ALLOWED, FORBIDDEN, LOG, ROOT = (
    f"WORKBENCH_TEST_{name}" for name in ("ALLOWED", "FORBIDDEN", "LOG", "ROOT")
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CODE = (".py", ".pyc", ".so", ".pyd", ".dll", ".dylib")
# Positions of paths in the arguments of an event, and of the folder’s handle that each belongs to.
# The last component of these paths is not followed if it is a link.
_CHANGES: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.link": ((1, 3),),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.utime": ((0, 3),),
}
_LISTS = frozenset(("os.listdir", "os.scandir"))
_EVENTS = frozenset(("open", *_CHANGES, *_LISTS))


class Guard:
    """What this process may touch; ``active`` turns the guard on and off."""

    def __init__(self) -> None:
        self.active = False
        self.is_hooked = False
        self._log = ""
        self._allowed: tuple[str, ...] = ()
        self._forbidden: tuple[str, ...] = ()
        self._root = ""
        self._inside = threading.local()

    def read_environment(self) -> None:
        """Take the folders and the file of the log from the environment."""
        self._log = os.environ.get(LOG, "")
        self._root = os.environ.get(ROOT, "")
        self._allowed = _folders(ALLOWED)
        self._forbidden = _folders(FORBIDDEN)

    def look(self, event: str, arguments: tuple[Any, ...]) -> None:
        """The audit hook. Raises PermissionError on a forbidden access."""
        if event not in _EVENTS or not self.active or getattr(self._inside, "looking", False):
            return
        self._inside.looking = True
        try:
            path = self._outside(event, arguments)
            if path:
                self._record(event, path)
                raise PermissionError(13, "Outside the folders of the tests", path)
        finally:
            self._inside.looking = False

    def _outside(self, event: str, arguments: tuple[Any, ...]) -> str:
        """The path of a forbidden access, or an empty string."""
        if event == "open" and arguments[2] & _WRITING:
            path = _text(arguments[0])
            return path if path and not self._may_write(os.path.realpath(path)) else ""
        if event == "open" or event in _LISTS:
            path = _text(arguments[0])
            return path if path and not self._may_read(os.path.abspath(path)) else ""
        for position, handle in _CHANGES[event]:
            if handle is not None and arguments[handle] not in (-1, None):
                continue
            path = _text(arguments[position])
            if event == "os.mkdir" and os.path.isdir(path):
                # Fails, and thereby finds out that the folder exists.
                continue
            parent, name = os.path.split(os.path.abspath(path))
            if path and not self._may_write(os.path.join(os.path.realpath(parent), name)):
                return path
        return ""

    def _may_write(self, path: str) -> bool:
        return (
            _within(path, self._allowed)
            or _within(path, ("/dev", "/proc", os.path.realpath(os.devnull)))
            or f"{os.sep}__pycache__" in path
        )

    def _may_read(self, path: str) -> bool:
        if not _within(path, self._forbidden) or _within(path, self._allowed):
            return True
        installed = (self._root, sys.prefix, sys.base_prefix, *filter(None, sys.path))
        return path.endswith(_CODE) or _within(path, installed)

    def _record(self, event: str, path: str) -> None:
        stack = "".join(traceback.format_stack(sys._getframe(2), limit=12))
        with open(self._log, "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{event} {path}\n{stack}\n")


def _text(path: object) -> str:
    """A path as text; empty for a handle of an open file."""
    try:
        return os.fsdecode(path)  # type: ignore[arg-type]
    except TypeError:
        return ""


def _within(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


def _folders(variable: str) -> tuple[str, ...]:
    return tuple(filter(None, os.environ.get(variable, "").split(os.pathsep)))


GUARD = Guard()


def set_up() -> None:
    """Guard this process from now on."""
    GUARD.read_environment()
    GUARD.active = bool(GUARD._log)
    if not GUARD.is_hooked:
        GUARD.is_hooked = True
        sys.addaudithook(GUARD.look)
