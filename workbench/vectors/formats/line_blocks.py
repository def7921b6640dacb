"""Lines of a long text of vectors, read in blocks and parsed by a kernel."""

from __future__ import annotations

import os
from typing import BinaryIO

import numpy as np

from workbench.core.arrays import Singles
from workbench.vectors.formats.row_kernel import parse_rows

_BLOCK = 1 << 18
# Bytes of a number with the spaces beside it, to have complete rows in a block.
_PER_NUMBER = 32


class LineBlocks:
    """A file from its current place on. ``leave`` returns to the place after the last line that was
    parsed or read.
    """

    def __init__(self, file: BinaryIO, dim: int) -> None:
        self._file = file
        self._buffer = bytearray(max(_BLOCK, _PER_NUMBER * dim))
        self._view = memoryview(self._buffer)
        self._data = np.frombuffer(self._buffer, dtype=np.uint8)
        # A line is longer than its word and a space.
        self._names = np.empty(len(self._buffer) + 1, dtype=np.uint8)
        self._at = self._filled = 0

    def parse(self, vectors: Singles, first: int) -> list[str]:
        """Parse lines of a block into ``vectors`` from row ``first`` on, until the table is full;
        their words.

        Empty if the file has ended, or if the kernel doesn't parse the next line.
        """
        end = self._complete_lines()
        self._at, _, used = parse_rows(self._data, self._at, end, vectors, first, self._names)
        return self._names[:used].tobytes().decode("utf-8", "surrogateescape").split(" ")[:-1]

    def readline(self, longest: int) -> bytes:
        """The next line, or ``longest`` bytes of it."""
        end = self._buffer.find(b"\n", self._at, self._filled) + 1
        if not 0 < end - self._at <= longest:
            self.leave()
            return self._file.readline(longest)
        line = bytes(self._view[self._at : end])
        self._at = end
        return line

    def leave(self) -> None:
        """Set the file's place, and forget the block."""
        self._file.seek(self._at - self._filled, os.SEEK_CUR)
        self._at = self._filled = 0

    def _complete_lines(self) -> int:
        """The end of the last complete line in the block, of the next one if necessary; the current
        place if the file ends, or if a line is longer than a block.
        """
        end = self._buffer.rfind(b"\n", self._at, self._filled) + 1
        if end:
            return end
        rest = self._filled - self._at
        self._view[:rest] = self._view[self._at : self._filled]
        read = self._file.readinto(self._view[rest:])  # type: ignore[attr-defined]
        self._at, self._filled = 0, rest + read
        end = self._buffer.rfind(b"\n", 0, self._filled) + 1
        if not end and self._filled < len(self._buffer):
            # The last line of the file.
            end = self._filled
        return end
