"""GloVe's text format: one line per word, no header."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import BEFORE, WHOLE_COLUMN

_HEAD = 65536
_LOOK_AT = 20
_DECIMAL = re.compile(rb"[-+]?\d*\.\d+([eE][-+]?\d+)?")
_BYTES = re.compile(r"b'[ -&(-\[\]-~]+'|b\"[ !#-\[\]-~]+\"")
# Lines before the first row, and the share of the next ones that have to be rows.
_MOST_BEFORE, _SHARE = 5, 0.75
# Rows of fewer numbers, or of whole numbers, may be other tables.
_FEW, _MANY_WHOLE = 5, 10


class Glove(Format):
    """The text files of GloVe's program; d is the number of fields of most lines, minus one."""

    key = "glove"
    title = tr("GloVe text")
    suffixes = (".glove",)
    order = 30

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        if not embeddings.sparse and embeddings.dim < 2:
            return tr(
                "{title} can’t store one-dimensional vectors, because they look like a header.",
                title=cls.title,
            )
        first = embeddings.words[0] if len(embeddings) else ""
        if any(blank in first for blank in " \t\r\x0b\x0c\ufeff"):
            return tr(
                "{title} can’t store “{first}” as its first word, because its spaces "
                "separate numbers.",
                title=cls.title,
                first=first,
            )
        return text_rows.cannot_hold(cls.title, embeddings)

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        """Whether lines consist of a word and equal numbers of numbers, some with a decimal point.

        Of fewer than 5 numbers, half must be decimals, and both of two; 10 or more may be whole.
        The lines must then begin with different single words.
        """
        shape = _shape(head, len(head) < path.stat().st_size)
        if shape is None:
            return False
        dim, lines = shape.dim, shape.lines
        if all(_DECIMAL.fullmatch(line.split(None, 1)[0]) for line in lines):
            return False  # These are numbers without words.
        if dim >= _FEW and b"." in b"".join(lines):
            return True
        rows = [line.split() for line in lines]
        words = {row[0] for row in rows}
        if len(rows) < 2 or len(words) < len(rows) or any(len(row) != dim + 1 for row in rows):
            return False
        if all(word.replace(b".", b"").lstrip(b"-").isdigit() for word in words):
            return False
        decimals = sum(b"." in number for row in rows for number in row[1:])
        least = len(rows) * dim if dim == 2 else (len(rows) * dim + 1) // 2
        return dim >= _MANY_WHOLE or decimals >= least

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            shape = _shape(head, len(head) < path.stat().st_size)
            if shape is None:
                # Rows that are longer than the head, or fit badly.
                file.seek(0)
                shape = _Shape(_width(file.readline(10_000_000)) - 1, 0, [])
            dim = shape.dim
            if dim < 1:
                raise UserError(
                    tr("{name}, line 1: expected a word followed by numbers.", name=path.name),
                    tr("Choose a file in GloVe’s text format."),
                )
            file.seek(len(text_rows.BYTE_ORDER_MARK) if _has_byte_order_mark(path) else 0)
            for _ in range(shape.before):
                file.readline()
            # A row has at least a space and a digit for each number, a word, and a line end.
            most = path.stat().st_size // (2 * dim + 2) + 1
            most = min(most, limit or most, _lines(path))
            text_rows.prove_room(path, most, dim)
            words, vectors, lines = text_rows.read_rows(
                file, path, dim, most, first_line=shape.before + 1
            )
        if len(words) > 1 and all(len(word) > 1 and word.endswith(":") for word in words):
            # A colon between each word and its numbers.
            words = [word[:-1] for word in words]
        if words and all(map(_BYTES.fullmatch, words)):
            # Words that Python 3 wrote as str(b"word").
            words = [word[2:-1] for word in words]
        found = text_rows.checked_embeddings(path, words, vectors, "line", lines)
        column = text_rows.whole_column(vectors)
        return dataclasses.replace(
            found,
            metadata={
                **found.metadata,
                **({BEFORE: shape.before} if shape.before else {}),
                **({WHOLE_COLUMN: column + 2} if column >= 0 else {}),
            },
        )

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        with path.open("wb") as file:
            text_rows.write_rows(file, embeddings)


class _Shape(NamedTuple):
    """The number of dimensions, the number of lines before the first row, and the first rows."""

    dim: int
    before: int
    lines: list[bytes]


def _shape(head: bytes, cut: bool) -> _Shape | None:
    """The shape of a text that begins with ``head``, after which it continues if ``cut``; None if
    its lines aren't a word and equal numbers of numbers.

    Words may contain spaces, and of many rows, a few may be damaged: reading names them.
    """
    every = head.removeprefix(text_rows.BYTE_ORDER_MARK).split(b"\n")
    if cut:
        every.pop()
    lines = [(number, line) for number, line in enumerate(every) if line.strip()]
    # The first line tells, unless it isn't a row, or its word contains spaces.
    widths = [len(line.split()) for _, line in lines[: _LOOK_AT + _MOST_BEFORE]]
    common = [width for width, _ in Counter(widths).most_common(3)]
    for width in dict.fromkeys([*widths[:1], *common]):
        shape = _shape_of(lines, width - 1, width == widths[0])
        if shape is not None:
            return shape
    return None


def _shape_of(lines: list[tuple[int, bytes]], dim: int, first: bool) -> _Shape | None:
    """The shape of numbered lines if their vectors have d numbers; ``first``: as the first line."""
    start = 0
    while start < min(len(lines) - 1, _MOST_BEFORE) and _is_before(lines[start][1], dim):
        start += 1
    tried = lines[start:][:_LOOK_AT]
    parsed = {line: text_rows.parse_row(line, dim) for _, line in tried}
    rows = [line for _, line in tried if parsed[line]]
    # Few or whole numbers prove nothing if a line doesn't fit.
    least = len(tried) if dim < _FEW else _SHARE * len(tried)
    if dim < 2 or not rows or len(rows) < least:
        return None
    ends = sum(text_rows.parse_row(row[0], 1) is not None for row in parsed.values() if row)
    if ends and (2 * ends > len(rows) or not first):
        return None  # These words contain numbers of their vectors.
    return _Shape(dim, tried[0][0] if start else 0, rows)


def _is_before(line: bytes, dim: int) -> bool:
    """Whether a line before the rows is a comment, or has no decimal numbers."""
    if text_rows.parse_row(line, dim) is not None:
        return False
    return line.lstrip()[:1] in (b"#", b"%") or b"." not in line


def _width(line: bytes) -> int:
    return len(line.removeprefix(text_rows.BYTE_ORDER_MARK).split())


def _has_byte_order_mark(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(3) == text_rows.BYTE_ORDER_MARK


def _lines(path: Path) -> int:
    count = 1
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            count += block.count(b"\n")
    return count
