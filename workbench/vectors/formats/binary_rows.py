"""Rows of word2vec's binary format: a word, a space, d little-endian float32, and in some files a
newline.

A word ends at the first space, and nothing marks its beginning. So a word that contains a space
makes every usual reader take the rest of the word for numbers and the end of the numbers for a
word, and the bytes still come out even. Such rows are found here by their width instead.
"""

from __future__ import annotations

import mmap
import re
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from workbench.core.arrays import Singles
from workbench.vectors.formats.memmap import row_blocks
from workbench.vectors.formats.text_rows import LONGEST_WORD

_BLOCK = 1 << 20
# Words with spaces are searched for within so many bytes.
_LONGEST_NAME = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Bytes that aren't UTF-8 are lone surrogates.
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_PRINTED = re.compile(rb"[^\x00-\x1f\x7f]+")
# Bounds of plausible numbers: letters read as a number are often beyond 10⁶, and a number that ends
# with a space is near 10⁻¹⁹.
LARGEST, _SMALLEST = 1e6, 1e-15


class Rows(NamedTuple):
    """Words as read (bytes that aren't UTF-8 are lone surrogates), their vectors float32[V, d],
    whether a newline follows every vector, and whether the file has nothing after the last row.

    There are fewer than the requested rows if the file ends early.
    """

    words: list[str]
    vectors: Singles
    newlines: bool
    ends: bool


def read_at_spaces(file: BinaryIO, size: int, dim: int) -> Rows:
    """Up to ``size`` rows whose words end at the first space."""
    width = 4 * dim
    words: list[str] = []
    vectors = np.empty((size, dim), dtype="<f4")
    target = vectors.view(np.uint8)
    # A row with the longest word, the newline before it and a space fits in a block.
    longest = LONGEST_WORD + 1
    buffer = bytearray(max(_BLOCK, longest + 1 + width))
    view = memoryview(buffer)
    # The bytes of a vector from each place on.
    windows = sliding_window_view(np.frombuffer(buffer, np.uint8), width)
    at = filled = led = 0
    while len(words) < size:
        filled -= at
        view[:filled] = view[at : at + filled]
        filled += file.readinto(view[filled:])  # type: ignore[attr-defined]
        starts, at = _rows_in_block(buffer, filled, width, size - len(words))
        if not starts or starts[0] > longest + 1:
            return Rows(words, vectors[: len(words)], False, True)
        target[len(words) : len(words) + len(starts)] = windows[starts]
        # Without its vectors, a block is words with a space after each.
        ends = [0, *(start + width for start in starts)]
        names = b"".join([buffer[end:start] for end, start in zip(ends, starts, strict=False)])
        found = names.decode("utf-8", "surrogateescape").split(" ")[:-1]
        if b"\n" in names:
            led += sum(word[0] == "\n" for word in found if word)
            found = [word.lstrip("\n") for word in found]
        words += found
    rest = bytes(view[at:filled]) + file.read(65536)
    # The newline of the last row is optional.
    return Rows(words, vectors, led == size - 1 and rest[:1] in (b"", b"\n"), not rest.strip())


def _rows_in_block(block: bytearray, filled: int, width: int, most: int) -> tuple[list[int], int]:
    """The places of the vectors of up to ``most`` complete rows, and the place after the last."""
    starts: list[int] = []
    at, last = 0, filled - width
    for _ in range(most):
        start = block.find(b" ", at, filled) + 1
        if not 0 < start <= last:
            break
        starts.append(start)
        at = start + width
    return starts, at


def are_doubtful(rows: Rows) -> bool:
    """Whether rows may have been cut at spaces inside words.

    A newline after every vector proves the rows. Otherwise the words and numbers have to be
    plausible.
    """
    if rows.newlines and rows.ends:
        return False
    return not rows.ends or are_unprintable(rows.words) or _has_extremes(rows.vectors)


def are_unprintable(words: list[str]) -> bool:
    """Whether words contain control characters or aren't UTF-8, as numbers in a word would."""
    if all(map(str.isprintable, words)):
        return False
    return any(map(_UNPRINTED.search, words))


def are_torn(rows: Rows) -> bool:
    """Whether words must contain numbers: words with control characters, or words that aren't
    UTF-8 among extreme numbers.
    """
    return any(map(_CONTROL.search, rows.words)) or (
        are_unprintable(rows.words) and _has_extremes(rows.vectors)
    )


def are_swapped(vectors: Singles) -> bool:
    """Whether the bytes of numbers are in the order of big-endian machines: as read they are
    implausible, but in the other order none is.
    """
    return _has_extremes(vectors) and not _has_extremes(vectors.byteswap())


def _has_extremes(vectors: Singles) -> bool:
    with np.errstate(invalid="ignore"):
        for part in row_blocks(vectors):
            sizes = np.abs(vectors[part])
            # Most blocks have neither zeros nor NaN, and their bounds tell.
            if sizes.size and sizes.min() >= _SMALLEST and sizes.max() <= LARGEST:
                continue
            if bool(((sizes > LARGEST) | ((sizes < _SMALLEST) & (sizes > 0))).any()):
                return True
    return False


def largest_of(vectors: Singles) -> float:
    """The largest absolute value, found without a second table."""
    return max((float(np.abs(vectors[part]).max()) for part in row_blocks(vectors)), default=0.0)


def find_by_width(
    data: mmap.mmap, start: int, size: int, dim: int, whole: bool
) -> list[tuple[int, int]] | None:
    """The places (begin, end) of ``size`` words which may contain spaces, or None.

    Every word is printable UTF-8, every number plausible, and the rows follow each other to the
    end of the file if it is read as a ``whole``. Two ways to cut a row are tried in the order of
    the spread of their exponents: numbers that are read from the wrong byte have any exponent.
    """
    for newlines in (True, False):
        found = _search(data, start, size, dim, whole, newlines)
        if found is not None:
            return found
    return None


def _search(
    data: mmap.mmap, start: int, size: int, dim: int, whole: bool, newlines: bool
) -> list[tuple[int, int]] | None:
    width = 4 * dim
    begins = [start]
    open_ends = [_ends(data, start, dim, newlines)]
    taken: list[int] = []
    budget = 4 * size + 10_000
    while open_ends:
        budget -= 1
        if budget < 0:
            return None
        if not open_ends[-1]:
            open_ends.pop()
            begins.pop()
            if taken:
                taken.pop()
            continue
        end = open_ends[-1].pop()
        after = end + 1 + width
        if len(taken) + 1 == size:
            if not whole or not data[after : after + 65536].strip():
                return list(zip(begins, [*taken, end], strict=True))
            continue
        taken.append(end)
        begins.append(after + newlines)
        open_ends.append(_ends(data, begins[-1], dim, newlines))
    return None


def _ends(data: mmap.mmap, begin: int, dim: int, newlines: bool) -> list[int]:
    """Possible ends of the word at ``begin``, the most plausible last."""
    width = 4 * dim
    printed = _PRINTED.match(data[begin : begin + _LONGEST_NAME])
    if printed is None:
        return []
    run = printed[0]
    found: list[tuple[float, int]] = []
    space = run.find(b" ", 1)
    while space > 0:
        end = begin + space
        after = end + 1 + width
        if after > len(data) or not _is_utf8(run[:space]):
            break
        if not newlines or data[after : after + 1] in (b"\n", b""):
            spread = _spread(np.frombuffer(data[end + 1 : after], dtype="<f4"))
            if spread is not None:
                found.append((spread, end))
        space = run.find(b" ", space + 1)
    found.sort(reverse=True)
    return [end for _, end in found]


def _spread(numbers: Singles) -> float | None:
    """Range of the binary exponents of a vector; None if its numbers aren't plausible."""
    sizes = np.abs(numbers)
    if not bool((sizes <= LARGEST).all()):
        return None
    sizes = sizes[sizes > 0]
    if not len(sizes):
        return 0.0
    return float(np.log2(sizes.max()) - np.log2(sizes.min()))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
