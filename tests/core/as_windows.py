"""Simulate another operating system in a process: ``python -m tests.core.as_windows win32 STEPS``,
where STEPS is a JSON list of the arguments of workbench commands.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import importlib
import json
import os
import pkgutil
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import psutil

import workbench
from workbench.core import operating_system


def msvcrt() -> ModuleType:
    """A stand-in for Microsoft’s msvcrt with locks of POSIX: exclusive, refused with EACCES."""
    module = ModuleType("msvcrt")

    def locking(handle: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from error

    vars(module).update(LK_NBLCK=2, LK_LOCK=1, locking=locking)
    return module


def refuse_what_is_open(substitute: Callable[[Any, str, object], None] = setattr) -> None:
    """Make renaming and removing fail for files that this process has open or mapped, and for
    folders that contain such files, as on Windows.
    """
    # shutil.rmtree would remove names relative to open folders, which Windows doesn’t have.
    substitute(shutil, "_use_fd_functions", False)
    for name in ("replace", "rename", "unlink", "remove", "rmdir"):
        substitute(os, name, _refusing(getattr(os, name)))


def _refusing(call: Callable[..., None]) -> Callable[..., None]:
    def check_and_call(*paths: Any, **options: Any) -> None:
        for path in paths:
            if _is_open(os.path.realpath(path)):
                raise PermissionError(errno.EACCES, "The file is open in this process", str(path))
        call(*paths, **options)

    return check_and_call


def _is_open(path: str) -> bool:
    open_paths = set()
    for handle in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            open_paths.add(os.readlink(f"/proc/self/fd/{handle}"))
    for line in Path("/proc/self/maps").read_text().splitlines():
        open_paths.add(line.split(maxsplit=5)[-1])
    return any(name == path or name.startswith(f"{path}/") for name in open_paths)


class _Windows(operating_system.Windows):
    # Flags that exist only on Windows.
    def child_options(self, *, own_session: bool = False) -> dict[str, Any]:
        return {}

    def peak_memory(self) -> int | None:
        return int(psutil.Process().memory_info().rss)


class _MacOs(operating_system.MacOs):
    # Linux reports the peak in units of 1,024 bytes.
    def peak_memory(self) -> int | None:
        return 1024 * (super().peak_memory() or 0)


def main(arguments: list[str]) -> int:
    name, steps = arguments[0], json.loads(arguments[1])
    other: Any = {"win32": _Windows, "darwin": _MacOs}[name]()
    handles: list[int] = []
    lock = other.lock

    def count_lock(handle: int, **options: bool) -> None:
        lock(handle, **options)
        handles.append(handle)

    other.lock = count_lock
    if name == "win32":
        sys.modules["msvcrt"] = msvcrt()
        kernel = SimpleNamespace(
            GetCurrentThread=lambda: 0,
            SetThreadPriority=lambda thread, priority: None,
            GetUserDefaultUILanguage=lambda: 0x0409,
        )
        setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel))  # noqa: B010
        refuse_what_is_open()
    operating_system.system_of = lambda platform: other
    operating_system.system.cache_clear()
    for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if not module.name.startswith(("workbench.ui", "workbench.__main__")):
            importlib.import_module(module.name)
    run = importlib.import_module("workbench.program").run
    codes = [run(step) for step in steps]
    figures = {"system": operating_system.system().key, "codes": codes, "locks": len(handles)}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
