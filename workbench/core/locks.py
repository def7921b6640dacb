"""Locks on files that end with the process that holds them, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.core.operating_system import system


class Lock:
    """A file that this process has locked; ``take`` creates it, ``release`` unlocks and removes
    it.
    """

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """Take the lock; None if another process holds it, or if files cannot be locked."""
        handle = _open_locked(path, os.O_CREAT | os.O_RDWR)
        if handle is None:
            return None
        return cls(path, handle)

    def release(self) -> None:
        """Release the lock. Safe to call twice."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if system().moves_open_files:
            # Remove before unlocking, so that the next process creates a new file.
            with suppress(OSError):
                self.path.unlink()
        os.close(handle)
        if not system().moves_open_files:
            with suppress(OSError):
                self.path.unlink()


def is_held(path: Path) -> bool:
    """Whether a live process holds this lock; False if the file doesn't exist."""
    if not path.exists():
        return False
    handle = _open_locked(path, os.O_RDWR, shared=True)
    if handle is None:
        return True
    os.close(handle)
    return False


def try_lock(handle: int) -> bool | None:
    """Lock an open file or folder until it is closed. Return True, or False if another process has
    locked it, None if it cannot be locked.
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
    """Wait until no other process is in a block with this ``path``, a file that stays; don't wait
    if files cannot be locked.

    Threads of one process need a lock of their own in addition.
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
        # With a shared lock, several processes may check at once without mistaking each other for
        # the holder.
        system().lock(handle, shared=shared)
    except OSError:
        os.close(handle)
        return None
    return handle
