"""word2vec's binary format: a line ``V d``, then word, space and d little-endian float32."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import raw_words

_LONGEST_WORD = 100_000


class Word2vecBinary(Format):
    """The files of word2vec.c and gensim with binary=1. The newline after a vector may be
    missing.
    """

    key = "word2vec-binary"
    title = tr("word2vec binary")
    suffixes = (".bin",)
    order = 20

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        return text_rows.cannot_hold(cls.title, embeddings, inner_blanks=False)

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        first, newline, rest = head.partition(b"\n")
        header = text_rows.parse_header(first)
        if header is None or not newline:
            return False
        word, blank, numbers = rest.partition(b" ")
        if not blank or not word or b"\n" in word.lstrip(b"\n"):
            return False
        numbers = numbers[: 4 * header.dim]
        # If the numbers are valid text, the file is a corpus that happens to start with two
        # numbers.
        return any(byte < 9 or 13 < byte < 32 for byte in numbers) or not _is_text(numbers)

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        with path.open("rb") as file:
            header = text_rows.read_header(file, path, least_row=2, per_number=4, limit=limit)
            start = file.tell()
            size = min(header.size, limit) if limit else header.size
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                words = []
                vectors = np.empty((size, header.dim), dtype=np.float32)
                width = 4 * header.dim
                at = start
                for row in range(size):
                    end = data.find(b" ", at, at + _LONGEST_WORD)
                    if end < 0 or end + 1 + width > len(data):
                        raise UserError(
                            tr(
                                "{name} ends, or has no word, at word {row:,} of the "
                                "{size:,} that its header specifies.",
                                name=path.name,
                                row=row + 1,
                                size=header.size,
                            ),
                            tr("Download or export the file again: it is truncated or corrupt."),
                        )
                    words.append(data[at:end].lstrip(b"\n"))
                    vectors[row] = np.frombuffer(data[end + 1 : end + 1 + width], dtype="<f4")
                    at = end + 1 + width
                if size == header.size and data[at : at + 65536].strip():
                    raise UserError(
                        tr(
                            "{name} continues after the {size:,} words that its header specifies.",
                            name=path.name,
                            size=header.size,
                        ),
                        tr(
                            "The file is corrupt or not in word2vec’s binary format. Export it "
                            "again."
                        ),
                    )
        return text_rows.checked_embeddings(path, words, vectors, "word", np.arange(1, size + 1))

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        vectors = np.ascontiguousarray(embeddings.vectors, dtype="<f4")
        with path.open("wb") as file:
            file.write(f"{len(embeddings)} {embeddings.dim}\n".encode())
            for word, vector in zip(raw_words(embeddings), vectors, strict=True):
                file.write(word + b" " + vector.tobytes() + b"\n")


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 3
    return True
