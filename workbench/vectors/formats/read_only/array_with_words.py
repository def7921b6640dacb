"""A NumPy array (.npy) whose words are in a text file beside it, one per line, as hyperwords and
many scripts save them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.array_file import open_array
from workbench.vectors.formats.base import Source
from workbench.vectors.undecoded import escaped

_MAGIC = b"\x93NUMPY"
_SUFFIXES = (".vocab", ".words.vocab", ".words", ".txt", "_words.txt", "_vocab.txt", "-words.txt")
_NAMES = ("vocab.txt", "words.txt", "vocabulary.txt", "vocab", "words")
# Endings of an array’s name that the name of its words doesn’t have.
_ENDINGS = (".ut", ".u", "-w", "_vectors", "-vectors", ".vectors", "_w")
_LARGEST = 512 << 20


class ArrayWithWords(Source):
    """An array of one row for each line of a list of words."""

    key = "array-with-words"
    title = tr("array with a list of words")
    order = 6

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return head.startswith(_MAGIC) and find_words(path) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        place = find_words(path)
        if place is None:
            raise UserError(
                tr("{name} has no list of words beside it.", name=path.name),
                tr("Save the array with its words: numpy.savez(file, words=…, vectors=…)."),
            )
        try:
            table = open_array(path)
            words = _words(place)
            if table.ndim != 2 or table.dtype.kind not in "fiu" or 0 in table.shape:
                raise ValueError(
                    tr(
                        "“{name}” has the shape {shape} and type {kind}",
                        name=path.name,
                        shape=table.shape,
                        kind=table.dtype,
                    )
                )
        except ValueError as error:
            raise UserError(
                tr(
                    "{name} isn’t a valid NumPy array, or it is truncated ({error}).",
                    name=path.name,
                    error=error_text(error),
                ),
                tr("Download or export the file again."),
            ) from error
        if table.shape[0] != len(words) and table.shape[1] == len(words):
            # hyperwords’ singular vectors are columns.
            table = table.T
        if table.shape[0] != len(words):
            raise UserError(
                tr(
                    "{name} lists {words:,} words for {rows:,} rows of {array}.",
                    name=place.name,
                    words=len(words),
                    rows=table.shape[0],
                    array=path.name,
                ),
                tr("Save the array with its words: numpy.savez(file, words=…, vectors=…)."),
            )
        take = min(limit or len(words), len(words))
        with np.errstate(over="ignore", invalid="ignore"):
            vectors = np.ascontiguousarray(table[:take], dtype=np.float32)
        return text_rows.checked_embeddings(
            path, [escaped(word) for word in words[:take]], vectors, "line", np.arange(1, take + 1)
        )


def find_words(path: Path) -> Path | None:
    """The text file with the words of an array, or None."""
    return next((place for place in _candidates(path) if place.is_file()), None)


def _candidates(path: Path) -> Iterator[Path]:
    stems = [path.stem]
    stems += [path.stem.removesuffix(end) for end in _ENDINGS if path.stem.endswith(end)]
    for stem in stems:
        for suffix in _SUFFIXES:
            yield path.with_name(stem + suffix)
    for name in _NAMES:
        yield path.with_name(name)


def _words(place: Path) -> list[bytes]:
    """The words of the lines, without the counts after them. Raises ValueError."""
    if place.stat().st_size > _LARGEST:
        raise ValueError(tr("{name} is too long for a list of words", name=place.name))
    data = place.read_bytes().removeprefix(text_rows.BYTE_ORDER_MARK)
    if b"\0" in data:
        raise ValueError(tr("{name} isn’t a list of words", name=place.name))
    lines = [line.rstrip(b"\r") for line in data.split(b"\n")]
    if lines and not lines[-1]:
        lines.pop()
    fields = [line.split() for line in lines]
    if all(len(parts) == 2 and parts[1].isdigit() for parts in fields):
        return [parts[0] for parts in fields]
    return [line.strip() for line in lines]
