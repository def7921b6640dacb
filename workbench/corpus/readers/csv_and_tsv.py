"""CSV and TSV: a column of a table with commas, semicolons or bars, or with tabs, between its
cells; also in files whose names don’t say so, such as Excel’s “Unicode text”.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.records import beginning, is_column_name
from workbench.corpus.readers.tables import TableKind, is_table


class Csv(TableKind):
    key = "csv"
    title = tr("CSV table")
    suffixes = (".csv",)
    tabs = False


class Tsv(TableKind):
    key = "tsv"
    title = tr("TSV table")
    suffixes = (".tsv", ".tab")
    tabs = True


class TextTable(TableKind):
    key = "table"
    title = tr("Table in a text file")
    tabs = True
    order = 900  # after all kinds with a better sign

    @classmethod
    def has_tabs(cls, document: Document) -> bool:
        return "\t" in beginning(document).split("\n", 1)[0]

    @classmethod
    def detect(cls, document: Document) -> bool:
        first, _, rest = beginning(document).partition("\n")
        if "\t" in first:
            return "\t" in rest and is_table(document, tabs=True)
        # Commas and semicolons are also in prose, but not without spaces between usual names.
        return any(
            mark in first and all(map(_is_name, first.split(mark))) for mark in ",;|"
        ) and is_table(document, tabs=False)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        texts = super().read(document)
        document.note(
            tr(
                "The file contains a table, of which the column “{column}” was read.",
                column=document.findings.column,
            )
        )
        return texts


def _is_name(cell: str) -> bool:
    return cell[:1] != " " and is_column_name(cell)
