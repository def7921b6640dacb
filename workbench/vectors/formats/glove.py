"""GloVe's text format: one line per word, no header."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format

_LOOK_AT = 20
_FEWEST = 5


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
        """Whether lines consist of a word and equal numbers of numbers, some with a decimal
        point.
        """
        lines = head.removeprefix(text_rows.BYTE_ORDER_MARK).split(b"\n")
        if len(head) < path.stat().st_size:
            lines.pop()
        lines = [line for line in lines if line.strip()][:_LOOK_AT]
        if not lines or b"." not in lines[0]:
            return False
        dim = len(lines[0].split()) - 1
        return dim >= _FEWEST and all(text_rows.parse_row(line, dim) is not None for line in lines)

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
