"""Counts that the worker which counted a part sends to the worker that adds up a range of rows.

A piece is one part's rows of a range. The pieces of a part are in one file, whose name follows from
the part; the file is written under a temporary name and renamed when it is complete. So a part that
is counted twice, because its worker was lost, leaves the same file, and readers get one piece from
every part.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.atomic import cannot_write
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.operating_system import system


class PartialCount(NamedTuple):
    """Location and size of a piece. ``single``: values are float32; ``check`` is the CRC-32 of its
    bytes.
    """

    offset: int
    cells: int
    single: bool
    check: int


@dataclass(frozen=True)
class Receipt:
    """Result of a part: its pieces by range, in ``path``, and the number of counted ``tokens``."""

    path: str
    pieces: tuple[PartialCount, ...]
    tokens: int

    @property
    def bytes(self) -> int:
        return sum(_length(piece) for piece in self.pieces)


def write_pieces(path: Path, matrices: Iterable[sp.csr_matrix], tokens: int) -> Receipt:
    """Write the rows of every range in turn, completely or not at all. Raises UserError if the
    file cannot be written.
    """
    pieces, offset = [], 0
    name = ""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            for matrix in matrices:
                piece, data = pack(matrix, offset)
                file.write(data)
                offset += len(data)
                pieces.append(piece)
        # Without fsync: after a power failure, everything is counted again.
        system().replace(Path(name), path)
        name = ""
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        if name:
            with suppress(OSError):
                os.unlink(name)
    return Receipt(str(path), tuple(pieces), tokens)


def read_piece(path: str, piece: PartialCount, rows: int, columns: int) -> sp.csr_matrix:
    """A piece as CSR float64[rows, columns]. Raises UserError if it is gone or damaged."""
    data = b""
    if piece.cells:
        try:
            with open(path, "rb") as file:
                file.seek(piece.offset)
                data = file.read(_length(piece) + 4 * rows)
        except OSError as error:
            raise UserError(
                tr(
                    "Couldn’t read the partial counts {path}: {reason}.",
                    path=path,
                    reason=error_text(error),
                ),
                tr("Name a folder that all workers share with --spill."),
            ) from error
    return unpack(piece, data, rows, columns)


def pack(matrix: sp.csr_matrix, offset: int = 0) -> tuple[PartialCount, bytes]:
    """The rows of a range as bytes: sizes of rows int32, columns int32, values; empty without
    cells.
    """
    if not matrix.nnz:
        return PartialCount(offset, 0, True, 0), b""
    values = matrix.data
    with np.errstate(over="ignore"):
        short = values.astype(np.float32)
    single = bool(np.array_equal(short, values))
    sizes = np.diff(matrix.indptr).astype("<i4")
    data = b"".join(
        (
            sizes.tobytes(),
            matrix.indices.astype("<i4", copy=False).tobytes(),
            (short if single else values).tobytes(),
        )
    )
    return PartialCount(offset, matrix.nnz, single, zlib.crc32(data)), data


def unpack(piece: PartialCount, data: bytes, rows: int, columns: int) -> sp.csr_matrix:
    """The inverse of ``pack``: CSR float64[rows, columns], columns sorted. Raises UserError if
    ``data`` is damaged.
    """
    if not piece.cells:
        return sp.csr_matrix((rows, columns))
    if len(data) != 4 * rows + _length(piece) or zlib.crc32(data) != piece.check:
        raise UserError(
            tr("Some partial counts are corrupt."),
            tr("Check the disk of the scratch folder."),
        )
    indptr = np.zeros(rows + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(data, "<i4", rows), out=indptr[1:])
    indices = np.frombuffer(data, "<i4", piece.cells, 4 * rows)
    values = np.frombuffer(
        data, "<f4" if piece.single else "<f8", piece.cells, 4 * (rows + piece.cells)
    )
    matrix = sp.csr_matrix((values.astype(np.float64), indices, indptr), shape=(rows, columns))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def sum_matrices(
    matrices: Iterator[sp.csr_matrix], gone_through: Callable[[int], object] = int
) -> sp.csr_matrix:
    """The sum of at least one matrix, always added in the same order, so that every cell is moved
    only log n times.

    Keeps a stack of sums of 2ᵏ matrices with decreasing k, in total at most as many cells as all
    matrices have. ``gone_through`` is called with the number of cells of every two that are added.
    """

    def both(one: sp.csr_matrix, other: sp.csr_matrix) -> sp.csr_matrix:
        gone_through(one.nnz + other.nnz)
        total: sp.csr_matrix = one + other
        return total

    stack: list[tuple[int, sp.csr_matrix]] = []
    for matrix in matrices:
        level, total = 0, matrix
        while stack and stack[-1][0] == level:
            total = both(stack.pop()[1], total)
            level += 1
        stack.append((level, total))
    total = stack.pop()[1]
    while stack:
        total = both(stack.pop()[1], total)
    return total


def _length(piece: PartialCount) -> int:
    """Bytes of columns and values."""
    return piece.cells * (8 if piece.single else 12)
