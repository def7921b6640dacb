"""Locks on files that end with the process that holds them, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.core.operating_system import system


class Lock:
    """A file that this process holds; ``take`` makes it, ``release`` gives it up and removes it."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """None if another process holds the lock, or if nothing can be locked."""
        handle = _open_locked(path, os.O_CREAT | os.O_RDWR)
        if handle is None:
            return None
        return cls(path, handle)

    def release(self) -> None:
        """Safe to call twice."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if system().moves_open_files:
            # Before it is given up: whoever takes the name then has a file of its own.
            with suppress(OSError):
                self.path.unlink()
        os.close(handle)
        if not system().moves_open_files:
            with suppress(OSError):
                self.path.unlink()


def is_held(path: Path) -> bool:
    """Whether a live process holds this lock. One that is not there is held by no process."""
    if not path.exists():
        return False
    handle = _open_locked(path, os.O_RDWR, shared=True)
    if handle is None:
        return True
    os.close(handle)
    return False


def try_lock(handle: int) -> bool | None:
    """Lock a file or folder that is open, until it is closed; False if another process has, None
    if nothing can be locked.
    """
    if not system().moves_open_files:
        return None
    try:
        system().lock(handle)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Waits until no other process is in a block of this ``path``, a file that stays; continues
    where none can be locked.

    Within a process, threads that may meet here hold a lock of their own before.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            system().lock(handle, wait=True)
        yield
    finally:
        os.close(handle)


def _open_locked(path: Path, flags: int, shared: bool = False) -> int | None:
    try:
        handle = os.open(path, flags, 0o666)
    except OSError:
        return None
    try:
        # Several may look at once without taking each other for the holder.
        system().lock(handle, shared=shared)
    except OSError:
        os.close(handle)
        return None
    return handle
