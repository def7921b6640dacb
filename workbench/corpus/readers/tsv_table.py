"""TSV: a column of a table with tabs between its cells."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.corpus.readers.base import Document, Preview, Reader
from workbench.corpus.readers.tables import column, preview


class Tsv(Reader):
    key = "tsv"
    title = "TSV table"
    suffixes = (".tsv", ".tab")
    columns = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return column(document, tabs=True)

    @classmethod
    def preview(cls, document: Document) -> Preview | None:
        return preview(document, tabs=True)
