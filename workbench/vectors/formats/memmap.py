"""Arrays in files: memory maps of large ones, copies of small ones.

Pages of a mapped file are read at their first use and released when memory is short, so millions of
rows open at once. They are private: changes of the array never reach the file. If another program
truncates a mapped file, access to it ends the process; hence small files are copied.
"""

from __future__ import annotations

import math
import mmap
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Array
from workbench.core.language import tr

# Minimum bytes of an array that is mapped.
MAPPED_FROM = 256 << 20

# Small enough for a processor's cache.
_BLOCK = 1 << 20


def array_at(path: Path, offset: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    """The array of ``shape`` and ``dtype`` that starts ``offset`` bytes into a file; writable.

    It is mapped if it is large and its numbers are aligned for the processor. Raises ValueError
    if the file ends before it, and OSError.
    """
    size = math.prod(shape) * dtype.itemsize
    if offset < 0 or size < 0 or offset + size > path.stat().st_size:
        raise ValueError(
            tr(
                "its header specifies {size:,} bytes from byte {offset:,}, more than it contains",
                size=size,
                offset=offset,
            )
        )
    flat: Array
    if size >= MAPPED_FROM and offset % dtype.alignment == 0:
        with path.open("rb") as file:
            # Closed with the last array that refers to it.
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        flat = np.frombuffer(data, dtype=dtype, count=math.prod(shape), offset=offset)
    else:
        flat = np.fromfile(path, dtype=dtype, count=math.prod(shape), offset=offset)
    return flat.reshape(shape)


def checksum(path: Path, offset: int, size: int) -> int:
    """CRC-32 of a part of a file, read a few megabytes at a time."""
    found = 0
    with path.open("rb") as file:
        file.seek(offset)
        while size > 0 and (block := file.read(min(size, _BLOCK))):
            found = zlib.crc32(block, found)
            size -= len(block)
    return found


def finite_rows(table: Array | sp.csr_matrix) -> npt.NDArray[np.bool_]:
    """bool[V]: rows without NaN and infinite numbers, found without a second table."""
    if not isinstance(table, np.ndarray):
        finite = np.ones(table.shape[0], dtype=np.bool_)
        rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        finite[rows[~np.isfinite(table.data)]] = False
        return finite
    found = np.empty(len(table), dtype=np.bool_)
    with np.errstate(invalid="ignore", over="ignore"):
        for part in row_blocks(table):
            rows = table[part]
            # Finite only if all numbers are; twice as fast as a table of answers.
            if rows.size and np.isfinite(rows.max() - rows.min()):
                found[part] = True
                continue
            finite = np.isfinite(rows)
            found[part] = finite.all(axis=1) if table.ndim == 2 else finite
    return found


def row_blocks(table: Array) -> Iterator[slice]:
    """Ranges of rows with about a megabyte each."""
    step = max(1, _BLOCK // max(math.prod(table.shape[1:]) * 4, 1))
    for start in range(0, len(table), step):
        yield slice(start, start + step)
