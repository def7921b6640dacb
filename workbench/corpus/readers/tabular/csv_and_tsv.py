"""CSV and TSV: a column of a table with commas, semicolons or bars, or with tabs, between its
cells; also in files whose names don’t say so, such as Excel’s “Unicode text” and the tables of R,
which have spaces between quoted cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.records import beginning, is_column_name
from workbench.corpus.readers.tabular.tables import MARKS, SPACE, TAB, TableKind, is_table

# The titles of R’s write.table.
_QUOTED = re.compile(r'"[^"]{1,100}"(?: "[^"]{1,100}")+\s*\Z')

_COMMENTS = re.compile(r"\A#[^\n]*\n(?:#[^\n]*\n|[ \t]*\n)*")


class Csv(TableKind):
    key = "csv"
    title = tr("CSV table")
    suffixes = (".csv",)
    marks = MARKS


class Tsv(TableKind):
    key = "tsv"
    title = tr("TSV table")
    suffixes = (".tsv", ".tab")
    marks = TAB


class TextTable(TableKind):
    key = "table"
    title = tr("Table in a text file")
    marks = MARKS
    order = 900  # after all kinds with a better sign

    @classmethod
    def marks_of(cls, document: Document) -> str:
        first = _without_comments(document).split("\n", 1)[0]
        if TAB in first:
            return TAB
        if _QUOTED.match(first):
            return SPACE
        return MARKS

    @classmethod
    def detect(cls, document: Document) -> bool:
        first, _, rest = _without_comments(document).partition("\n")
        if TAB in first:
            return TAB in rest and is_table(document, TAB)
        if _QUOTED.match(first):
            return is_table(document, SPACE)
        # Commas and semicolons are also in prose, but not without spaces between usual names.
        return any(
            mark in first and all(map(_is_name, first.split(mark))) for mark in ",;|"
        ) and is_table(document, MARKS)

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


def _without_comments(document: Document) -> str:
    """The beginning of a document after lines with the sign of a comment."""
    return _COMMENTS.sub("", beginning(document).lstrip("\ufeff"), count=1)


def _is_name(cell: str) -> bool:
    return cell[:1] != " " and is_column_name(cell)
