"""Sparse vectors as text: a word and its numbers as ``index:value``, for example rows of PPMI.

The first line may be ``V d``. Indices count from 0; a matrix that counts from 1 has an empty first
column, which changes no cosine.
"""

from __future__ import annotations

import array
import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Source
from workbench.vectors.undecoded import escaped

_CELL = re.compile(rb"(\d{1,10}):(-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)")
_LABEL = re.compile(rb"[-+]?\d+(?:\.\d+)?")
_LOOK_AT = 20
_LONGEST_LINE = 64 << 20


class SparseRows(Source):
    """A word and ``index:value`` pairs in each line."""

    key = "sparse-rows"
    title = tr("sparse rows")
    order = 5

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        """Whether lines consist of a word and cells, some of them decimals: others may be times of
        the day. Lines of other data begin with numbers: classes or values to predict.
        """
        if b"\0" in head:
            return False
        lines = head.removeprefix(text_rows.BYTE_ORDER_MARK).split(b"\n")
        if len(head) < path.stat().st_size:
            # The last line may be cut within a number.
            lines[-1] = lines[-1].rpartition(b" ")[0]
        lines = [line for line in lines if line.strip()]
        if lines and text_rows.parse_header(lines[0]) is not None:
            lines = lines[1:]
        rows = [_word_and_cells(line) for line in lines[:_LOOK_AT]]
        named = sum(row is not None and not _LABEL.fullmatch(row[0]) for row in rows)
        decimals = any(b"." in value for row in rows if row is not None for _, value in row[1])
        return named > len(rows) / 2 and decimals and None not in rows

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        words: list[str] = []
        columns, values = array.array("q"), array.array("f")
        ends, places = array.array("q", [0]), array.array("q")
        width = 0
        with path.open("rb") as file:
            number = 0
            while not limit or len(words) < limit:
                line = file.readline(_LONGEST_LINE)
                if not line:
                    break
                number += 1
                line = line.strip()
                if number == 1:
                    line = line.removeprefix(text_rows.BYTE_ORDER_MARK)
                    header = text_rows.parse_header(line)
                    if header is not None:
                        width = header.dim
                        continue
                if not line:
                    continue
                row = _word_and_cells(line)
                if row is None:
                    raise UserError(
                        tr(
                            "{name}, line {number:,}: expected a word followed by index:value.",
                            name=path.name,
                            number=number,
                        ),
                        tr("The file is truncated or corrupt. Export it again."),
                    )
                word, cells = row
                words.append(escaped(word))
                columns.extend(int(column) for column, _ in cells)
                with np.errstate(over="ignore"):
                    numbers = np.array([float(value) for _, value in cells]).astype(np.float32)
                values.frombytes(numbers.tobytes())
                ends.append(len(columns))
                places.append(number)
        if not words:
            raise UserError(
                tr("{name} doesn’t contain words.", name=path.name),
                tr("Choose a file of word vectors."),
            )
        indices = np.frombuffer(columns, dtype=np.int64)
        width = max(width, int(indices.max()) + 1)
        table = sp.csr_matrix(
            (np.frombuffer(values, dtype=np.float32), indices, np.frombuffer(ends, np.int64)),
            shape=(len(words), width),
        )
        table.sum_duplicates()
        return text_rows.checked_embeddings(
            path, words, table, "line", np.frombuffer(places, np.int64)
        )


def _word_and_cells(line: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]] | None:
    """The word of a line, which may contain spaces, and its indices and values; None without."""
    fields = line.split()
    cells: list[tuple[bytes, bytes]] = []
    while fields and (cell := _CELL.fullmatch(fields[-1])):
        cells.append((cell[1], cell[2]))
        fields.pop()
    if not fields or not cells:
        return None
    return b" ".join(fields), cells[::-1]
