"""Read-ahead for a memory-mapped corpus: requests pages before they are needed and releases them
afterwards.

A mapped corpus may be larger than memory. Training reads it in segments in an order that the system
cannot predict, so every thread would wait for the disk at the start of each segment; and pages that
were read would count as this process's memory until another process needs it. Both are hints to the
system (``madvise``, POSIX.1-2001), which may ignore them; results do not depend on them. For arrays
in memory, and on systems without ``madvise``, nothing happens.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.operating_system import system


class Readahead:
    """Advises the system about elements of a one-dimensional array."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._mapped = _mapping(array)
        self._size = array.itemsize
        self._offset = 0
        if self._mapped is not None:
            begin = np.frombuffer(self._mapped, dtype=np.uint8).__array_interface__["data"][0]
            self._offset = array.__array_interface__["data"][0] - begin

    def ask(self, first: int, last: int) -> None:
        """Announce that elements ``first`` up to ``last`` will be read soon, so that the system may
        fetch them.
        """
        self._advise(*self._bytes(first, last), needed=True)

    def let_go(self, first: int, last: int) -> None:
        """Release elements: pages that contain no others no longer count as memory of this
        process.
        """
        begin, end = self._bytes(first, last)
        page = mmap.PAGESIZE
        self._advise(-(-begin // page) * page, end // page * page, needed=False)

    def _bytes(self, first: int, last: int) -> tuple[int, int]:
        return self._offset + first * self._size, self._offset + last * self._size

    def _advise(self, begin: int, end: int, *, needed: bool) -> None:
        if self._mapped is None:
            return
        begin -= begin % mmap.PAGESIZE
        if begin < end:
            system().advise(self._mapped, begin, end - begin, needed=needed)


def _mapping(array: npt.NDArray[Any]) -> mmap.mmap | None:
    """The read-only file map of an array or of the array that it is a view of, or None."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap) and base.mode != "r":
            return None
        base = base.base
    if isinstance(base, mmap.mmap):
        return base
    return None
