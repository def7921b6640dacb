"""Columns of a file, read before it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.encodings import encoding_name
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.decompression import Budget, archive_errors, decompress
from workbench.corpus.readers import Document, reader_of
from workbench.corpus.readers.base import ColumnPreview


@dataclass(frozen=True)
class Columns:
    """The columns of a file, with its first rows; ``text_column`` is the one that has the longest
    text.
    """

    path: str
    kind: str
    encoding: str
    preview: ColumnPreview

    @property
    def names(self) -> tuple[str, ...]:
        return self.preview.names

    @property
    def text_column(self) -> int:
        return self.preview.text_column


def columns(path: str | Path, options: CorpusOptions | None = None) -> Columns | None:
    """The columns of a table or of JSON objects, perhaps compressed; None for anything else. Reads
    the beginning alone.

    Raises UserError where the file cannot be read.
    """
    path = Path(path)
    if not path.is_file():
        return None
    size = path.stat().st_size
    with archive_errors(path.name), path.open("rb") as file:
        head, rest = decompress(file, Budget(path.name, size))
        document = Document(path.name, path.name, size, head, rest, options or CorpusOptions())
        kind = reader_of(document)
        found = None
        if kind.columns and head:
            found = kind.preview(document)
        if found is None:
            return None
        return Columns(str(path), kind.title, encoding_name(document.decide().codec), found)


def ask_for(paths: list[str], options: CorpusOptions) -> Columns | None:
    """Of files to be opened the first one of several columns, where none of them was chosen. Raises
    UserError.
    """
    if options.column:
        return None
    for path in paths:
        found = columns(path, options)
        if found is not None and len(found.names) > 1:
            return found
    return None
