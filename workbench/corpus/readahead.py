"""Read-ahead for a memory-mapped corpus: requests pages before they are needed and releases them
after.

A mapped corpus may be larger than memory. Training reads it in segments of an order that the system
cannot foresee, so that every thread would wait for the disk at the beginning of each; and what was
read would count as this process's memory for as long as nobody else needs the room. Both are hints
to the system (``madvise``, POSIX.1-2001), which may ignore them; results do not depend on it.
Arrays in memory, and systems without it, are left alone.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.operating_system import system


class Readahead:
    """Properties of a one-dimensional array that are needed to advise the system about its
    elements.
    """

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._mapped = _mapping(array)
        self._size = array.itemsize
        self._offset = 0
        if self._mapped is not None:
            begin = np.frombuffer(self._mapped, dtype=np.uint8).__array_interface__["data"][0]
            self._offset = array.__array_interface__["data"][0] - begin

    def ask(self, first: int, last: int) -> None:
        """Elements ``first`` up to ``last`` are about to be read: the system may fetch them
        meanwhile.
        """
        self._advise(*self._bytes(first, last), needed=True)

    def let_go(self, first: int, last: int) -> None:
        """They are not needed for now: pages that hold nothing else no longer count as memory of
        this process.
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
    """The file that an array, or what it is a view of, is mapped from; only read-only ones."""
    base: object = array
    while isinstance(base, np.ndarray):
        if isinstance(base, np.memmap) and base.mode != "r":
            return None
        base = base.base
    if isinstance(base, mmap.mmap):
        return base
    return None
