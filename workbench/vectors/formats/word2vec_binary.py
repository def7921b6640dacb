"""word2vec's binary format: a line ``V d``, then word, space and d little-endian float32."""

from __future__ import annotations

import dataclasses
import math
import mmap
from pathlib import Path
from typing import BinaryIO

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import binary_rows, text_rows
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import LARGEST, escaped, raw_words

# Rows whose order of bytes is examined.
_LOOK_AT = 1000


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
            _prove_line_end(file, path, start)
            size = min(header.size, limit) if limit else header.size
            whole = size == header.size
            rows = binary_rows.read_at_spaces(file, size, header.dim)
            if not whole:
                rows = rows._replace(ends=len(rows.words) == size)
            if len(rows.words) < size or binary_rows.are_doubtful(rows):
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                    places = binary_rows.find_by_width(data, start, size, header.dim, whole)
                    if places is not None:
                        words, vectors = _rows_at(data, places, header.dim)
                        return _named(path, words, vectors, binary_rows.sizes_of(vectors))
                _prove_whole(path, rows, size, header.size)
        return _named(path, rows.words, rows.vectors, rows.sizes)

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        vectors = np.ascontiguousarray(embeddings.vectors, dtype="<f4")
        with path.open("wb") as file:
            file.write(f"{len(embeddings)} {embeddings.dim}\n".encode())
            for word, vector in zip(raw_words(embeddings), vectors, strict=True):
                file.write(word + b" " + vector.tobytes() + b"\n")


def _prove_line_end(file: BinaryIO, path: Path, start: int) -> None:
    """Raise UserError if the header ends with a Windows line end: the conversion that wrote it also
    changed bytes of numbers.
    """
    file.seek(0)
    converted = file.read(start).endswith(b"\r\n")
    file.seek(start)
    if converted:
        raise UserError(
            tr(
                "The line ends of {name} were converted, which damages its numbers.", name=path.name
            ),
            tr("Copy or download the file again in binary mode."),
        )


def _prove_whole(path: Path, rows: binary_rows.Rows, size: int, listed: int) -> None:
    """Raise UserError for rows that end early, continue after the last one, or contain numbers in
    their words.
    """
    if binary_rows.are_torn(rows):
        raise UserError(
            tr(
                "Couldn’t tell the words and numbers of {name} apart: words contain spaces, the "
                "numbers aren’t float32, or the header is wrong.",
                name=path.name,
            ),
            tr("Export the vectors as text, or with “_” instead of spaces."),
        )
    if len(rows.words) < size:
        raise UserError(
            tr(
                "{name} ends, or has no word, at word {row:,} of the "
                "{size:,} that its header specifies.",
                name=path.name,
                row=len(rows.words) + 1,
                size=listed,
            ),
            tr("Download or export the file again: it is truncated or corrupt."),
        )
    if not rows.ends:
        raise UserError(
            tr(
                "{name} continues after the {size:,} words that its header specifies.",
                name=path.name,
                size=listed,
            ),
            tr("The file is corrupt or not in word2vec’s binary format. Export it again."),
        )


def _rows_at(data: mmap.mmap, places: list[tuple[int, int]], dim: int) -> tuple[list[str], Singles]:
    vectors = np.empty((len(places), dim), dtype="<f4")
    for row, (_, end) in enumerate(places):
        vectors[row] = np.frombuffer(data[end + 1 : end + 1 + 4 * dim], dtype="<f4")
    return [escaped(data[begin:end]) for begin, end in places], vectors


def _named(path: Path, words: list[str], vectors: Singles, sizes: binary_rows.Sizes) -> Embeddings:
    if binary_rows.are_swapped(vectors[:_LOOK_AT]):
        raise UserError(
            tr(
                "The bytes of the numbers in {name} are in big-endian order, which word2vec’s "
                "format doesn’t have.",
                name=path.name,
            ),
            tr("Export the vectors as text."),
        )
    places = np.arange(1, len(words) + 1)
    finite = math.isfinite(sizes.largest)
    found = text_rows.checked_embeddings(path, words, vectors, "word", places, finite=finite)
    if sizes.largest <= binary_rows.LARGEST:
        return found
    return dataclasses.replace(found, metadata={**found.metadata, LARGEST: sizes.largest})


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 3
    return True
