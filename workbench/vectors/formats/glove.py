"""GloVe's text format: one line per word, no header."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format

_LOOK_AT = 20
# Rows of fewer numbers, or of whole numbers, may be other tables.
_FEW, _MANY_WHOLE = 5, 10


class Glove(Format):
    """The text files of GloVe's program; d is the number of fields in the first line, minus one."""

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
        first = ""
        if len(embeddings):
            first = embeddings.words[0]
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
        lines = head.removeprefix(text_rows.BYTE_ORDER_MARK).split(b"\n")
        if len(head) < path.stat().st_size:
            lines.pop()
        lines = [line for line in lines if line.strip()][:_LOOK_AT]
        dim = len(lines[0].split()) - 1 if lines else 0
        if dim < 2 or any(text_rows.parse_row(line, dim) is None for line in lines):
            return False
        if dim >= _FEW and b"." in lines[0]:
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
            dim = _width(file.readline(10_000_000)) - 1
            if dim < 1:
                raise UserError(
                    tr("{name}, line 1: expected a word followed by numbers.", name=path.name),
                    tr("Choose a file in GloVe’s text format."),
                )
            file.seek(len(text_rows.BYTE_ORDER_MARK) if _has_byte_order_mark(path) else 0)
            # A row has at least a space and a digit for each number, a word, and a line end.
            most = path.stat().st_size // (2 * dim + 2) + 1
            most = min(most, limit or most, _lines(path))
            text_rows.prove_room(path, most, dim)
            words, vectors, lines = text_rows.read_rows(file, path, dim, most, first_line=1)
        return text_rows.checked_embeddings(path, words, vectors, "line", lines)

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        with path.open("wb") as file:
            text_rows.write_rows(file, embeddings)


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
