"""Rows of word2vec's binary format: a word, a space, d little-endian float32, and in some files a
newline.

A word ends at the first space, and nothing marks its beginning. So a word that contains a space
makes every usual reader take the rest of the word for numbers and the end of the numbers for a
word, and the bytes still come out even. Such rows are found here by their width instead.
"""

from __future__ import annotations

import mmap
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from workbench.core.arrays import Singles
from workbench.vectors.formats import binary_kernel
from workbench.vectors.formats.memmap import row_blocks
from workbench.vectors.formats.text_rows import LONGEST_WORD, MANY_NUMBERS

# Bytes at a time, and those for the kernel: two such blocks fit in the cache.
_BLOCK, _LARGE_BLOCK = 1 << 20, 4 << 20
# What the kernel returns for rows of zeros.
_NO_SMALLEST = (1 << 32) - 1
# Words with spaces are searched for within so many bytes.
_LONGEST_NAME = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Bytes that aren't UTF-8 are lone surrogates.
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_PRINTED = re.compile(rb"[^\x00-\x1f\x7f]+")
# Bounds of plausible numbers: letters read as a number are often beyond 10⁶, and a number that ends
# with a space is near 10⁻¹⁹.
LARGEST, _SMALLEST = 1e6, 1e-15


class Sizes(NamedTuple):
    """Absolute values of a table: the largest, NaN if the table contains NaN; and whether any is
    beyond the bounds of plausible numbers.
    """

    largest: float
    extreme: bool


class Rows(NamedTuple):
    """Words as read (bytes that aren't UTF-8 are lone surrogates), their vectors float32[V, d] and
    the sizes of their numbers, whether a newline follows every vector, and whether the file has
    nothing after the last row.

    There are fewer than the requested rows if the file ends early.
    """

    words: list[str]
    vectors: Singles
    sizes: Sizes
    newlines: bool
    ends: bool


def read_at_spaces(file: BinaryIO, size: int, dim: int) -> Rows:
    """Up to ``size`` rows whose words end at the first space.

    Everything is done in one pass, while a block is in the processor's cache.
    """
    if size * dim >= MANY_NUMBERS:
        return _read_large(file, size, dim)
    width = 4 * dim
    words: list[str] = []
    vectors = np.empty((size, dim), dtype="<f4")
    target = vectors.view(np.uint8)
    # A row with the longest word, the newline before it and a space fits in a block.
    longest = LONGEST_WORD + 2
    buffer = bytearray(max(_BLOCK, longest + width))
    view = memoryview(buffer)
    # The bytes of a vector from each place on.
    windows = sliding_window_view(np.frombuffer(buffer, np.uint8), width)
    # Words with their spaces; an empty text is the incomplete row at the end of a block.
    pattern = re.compile(rb"([^ ]* ).{%d}|.+" % width, re.DOTALL)
    sizes = Sizes(0.0, False)
    at = filled = led = row = 0
    while row < size:
        filled -= at
        view[:filled] = view[at : at + filled]
        filled += file.readinto(view[filled:])  # type: ignore[attr-defined]
        found = pattern.findall(buffer, 0, filled)[: size - row]
        if found and not found[-1]:
            found.pop()
        if not found or len(found[0]) > longest:
            return Rows(words, vectors[:row], sizes, False, True)
        ends = np.cumsum(np.fromiter(map(len, found), np.intp, len(found)) + width)
        at = int(ends[-1])
        part = slice(row, row + len(found))
        target[part] = windows[ends - width]
        sizes = _larger(sizes, vectors[part])
        text = " " + b"".join(found).decode("utf-8", "surrogateescape")
        led += text.count(" \n")
        while " \n" in text:
            text = text.replace(" \n", " ")
        words += text.split(" ")[1:-1]
        row += len(found)
    rest = bytes(view[at:filled]) + file.read(65536)
    # The newline of the last row is optional.
    newlines = led == size - 1 and rest[:1] in (b"", b"\n")
    return Rows(words, vectors, sizes, newlines, not rest.strip())


def _read_large(file: BinaryIO, size: int, dim: int) -> Rows:
    """The same rows, taken apart by a kernel while another thread reads the next block."""
    width, longest = 4 * dim, LONGEST_WORD + 2
    words: list[str] = []
    vectors = np.empty((size, dim), dtype="<f4")
    rows, numbers = vectors.view(np.uint8), vectors.view(np.uint32)
    # The incomplete row at the end of a block is continued before the next one.
    room = longest + width
    blocks = [np.empty(room + _LARGE_BLOCK, np.uint8) for _ in range(2)]
    names = np.empty(room + _LARGE_BLOCK, np.uint8)
    rest = names[:0]
    largest, smallest = 0, _NO_SMALLEST
    row = led = 0
    with ThreadPoolExecutor(1, thread_name_prefix="vectors") as reader:

        def read(block: npt.NDArray[np.uint8]) -> Future[int]:
            return reader.submit(file.readinto, block[room:].data)  # type: ignore[attr-defined]

        coming = read(blocks[0])
        while row < size:
            filled = room + coming.result()
            block = blocks[0]
            blocks.reverse()
            at = room - len(rest)
            block[at:room] = rest
            coming = read(blocks[0])
            at, row, used, more, most, least = binary_kernel.split_rows(
                block, at, filled, longest, rows, numbers, row, names
            )
            led += more
            largest, smallest = max(largest, most), min(smallest, least)
            words += str(names[:used].data, "utf-8", "surrogateescape").split(" ")[:-1]
            rest = block[at:filled]
            if row < size and (filled == room or len(rest) >= room):
                return Rows(words, vectors[:row], sizes_of(vectors[:row]), False, True)
        end = room + coming.result()
    after = rest.tobytes() + blocks[0][room:end].tobytes() + file.read(65536)
    sizes = _sizes_of_bits(largest, smallest) or sizes_of(vectors)
    newlines = led == size - 1 and after[:1] in (b"", b"\n")
    return Rows(words, vectors, sizes, newlines, not after.strip())


def _sizes_of_bits(largest: int, smallest: int) -> Sizes | None:
    """The sizes of numbers from what the kernel found; None among NaN, which hide other numbers."""
    most, least = np.array([largest, (smallest + 1) % (1 << 32)], np.uint32).view(np.float32)
    if np.isnan(most):
        return None
    return Sizes(float(most), bool(most > LARGEST or 0 < least < np.float32(_SMALLEST)))


def sizes_of(vectors: Singles) -> Sizes:
    """The sizes of a table's numbers, found without a second table."""
    sizes = Sizes(0.0, False)
    for part in row_blocks(vectors):
        sizes = _larger(sizes, vectors[part])
    return sizes


def _larger(known: Sizes, vectors: Singles) -> Sizes:
    """The sizes of a table and some more rows."""
    with np.errstate(invalid="ignore"):
        values = np.abs(vectors)
        most = values.max()
        extreme = known.extreme
        # Most blocks have neither zeros nor NaN, and their bounds tell.
        if not extreme and not (values.min() >= _SMALLEST and most <= LARGEST):
            extreme = bool(((values > LARGEST) | ((values < _SMALLEST) & (values > 0))).any())
        return Sizes(float(np.maximum(known.largest, most)), extreme)


def are_doubtful(rows: Rows) -> bool:
    """Whether rows may have been cut at spaces inside words.

    A newline after every vector proves the rows. Otherwise the words and numbers have to be
    plausible.
    """
    if rows.newlines and rows.ends:
        return False
    return not rows.ends or rows.sizes.extreme or are_unprintable(rows.words)


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
        are_unprintable(rows.words) and rows.sizes.extreme
    )


def are_swapped(vectors: Singles) -> bool:
    """Whether the bytes of numbers are in the order of big-endian machines: as read they are
    implausible, but in the other order none is.
    """
    return sizes_of(vectors).extreme and not sizes_of(vectors.byteswap()).extreme


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
