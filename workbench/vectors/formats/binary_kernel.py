"""The kernel that takes rows of word2vec's binary format apart: for files of gigabytes, where
copying the numbers takes most of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.jit import kernel

_NEWLINE, _SPACE = 10, 32
# A float32 without its sign, as a whole number, is in the order of its size, NaN beyond infinity.
_WITHOUT_SIGN = np.uint32(0x7FFFFFFF)


@kernel
def split_rows(
    data: Any, at: Any, end: Any, longest: Any, rows: Any, numbers: Any, row: Any, names: Any
) -> Any:
    """Copy the rows of ``data`` (uint8) from ``at`` to ``end`` into the table ``rows`` (uint8[V,
    4d]) from ``row`` on, and their words, each with a space after it, to ``names`` (uint8).
    ``numbers`` (uint32[V, d]) is the same table.

    Returns the place of the first row that wasn’t copied, the next row, the number of bytes in
    ``names``, the number of words that began with a newline, and as whole numbers the largest size
    of a number and the smallest above 0, less one. Newlines before a word are left out. Copying
    ends at a row that is incomplete, or whose word is longer than ``longest``.
    """
    size, width = rows.shape
    used = led = 0
    largest = np.uint32(0)
    # 0 less one is the largest whole number, so that zeros never count.
    smallest = np.uint32(0xFFFFFFFF)
    while row < size:
        stop = at
        limit = min(end, at + longest)
        while stop < limit and data[stop] != _SPACE:
            stop += 1
        if stop == limit or stop + 1 + width > end:
            break
        if at < stop and data[at] == _NEWLINE:
            led += 1
            while at < stop and data[at] == _NEWLINE:
                at += 1
        while at < stop:
            names[used] = data[at]
            used += 1
            at += 1
        names[used] = _SPACE
        used += 1
        at += 1
        # Slices, because places that may be negative aren’t copied several at a time.
        target, source = rows[row], data[at : at + width]
        for place in range(width):
            target[place] = source[place]
        at += width
        found = numbers[row]
        for place in range(found.shape[0]):
            number = np.uint32(found[place] & _WITHOUT_SIGN)
            largest = max(largest, number)
            smallest = min(smallest, np.uint32((number - 1) & 0xFFFFFFFF))
        row += 1
    return at, row, used, led, largest, smallest


def warm() -> None:
    """Compile the kernel, or load it from the cache."""
    data = np.frombuffer(bytearray(b"a 1234"), np.uint8)
    table = np.empty((1, 1), np.float32)
    rows, numbers = table.view(np.uint8), table.view(np.uint32)
    split_rows(data, 0, len(data), 9, rows, numbers, 0, np.empty_like(data))
