"""A process that takes itself for one of another system: ``python -m tests.core.as_windows win32
STEPS``, where STEPS is a JSON list of the arguments of workbench commands.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import importlib
import json
import os
import pkgutil
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import psutil

import workbench
from workbench.core import operating_system


def msvcrt() -> ModuleType:
    """The locks of Microsoft’s C runtime by those of POSIX: exclusive, and refused with EACCES."""
    module = ModuleType("msvcrt")

    def locking(handle: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from error

    vars(module).update(LK_NBLCK=2, LK_LOCK=1, locking=locking)
    return module


class _Windows(operating_system.Windows):
    # Flags that only Windows takes.
    def child_options(self, *, own_session: bool = False) -> dict[str, Any]:
        return {}

    def peak_memory(self) -> int | None:
        return int(psutil.Process().memory_info().rss)


class _MacOs(operating_system.MacOs):
    # Linux counts in units of 1,024 bytes.
    def peak_memory(self) -> int | None:
        return 1024 * (super().peak_memory() or 0)


def main(arguments: list[str]) -> int:
    name, steps = arguments[0], json.loads(arguments[1])
    other: Any = {"win32": _Windows, "darwin": _MacOs}[name]()
    locked: list[int] = []
    lock = other.lock

    def count_lock(handle: int, **options: bool) -> None:
        lock(handle, **options)
        locked.append(handle)

    other.lock = count_lock
    if name == "win32":
        sys.modules["msvcrt"] = msvcrt()
        kernel = SimpleNamespace(
            GetCurrentThread=lambda: 0, SetThreadPriority=lambda thread, priority: None
        )
        setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel))  # noqa: B010
    operating_system.system_of = lambda platform: other
    operating_system.system.cache_clear()
    for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if not module.name.startswith(("workbench.ui", "workbench.__main__")):
            importlib.import_module(module.name)
    run = importlib.import_module("workbench.program").run
    codes = [run(step) for step in steps]
    figures = {"system": operating_system.system().key, "codes": codes, "locks": len(locked)}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
