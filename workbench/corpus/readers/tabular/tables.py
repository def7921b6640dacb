"""Tables of text: detection of columns, and one column as text (RFC 4180; IANA
text/tab-separated-values).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.annotations.token_table import (
    MOST_TOKENS,
    TokenTable,
    token_table,
    without_repeats,
)
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.records import (
    LONGEST,
    beginning,
    blocks,
    is_column_name,
    is_missing,
    worth,
)
from workbench.corpus.readers.tabular.quoted_rows import RowSource, Spread, row_reader
from workbench.corpus.readers.tabular.table_titles import (
    are_titles,
    column_titles,
    descriptions,
    groups,
    is_even,
    is_prose,
    is_value,
    places,
    remarks,
)

TAB, SPACE, MARKS = "\t", " ", ",;\t|"
_ROWS = 200
# Minimum number of rows of a table without usual names, in a file whose name doesn’t say so.
_FEWEST = 5
# Minimum number of rows that show which columns contain only numbers and dates.
_FEWEST_VALUES = 2
# A line for Excel, and the maximum number of lines with a title.
_SEPARATOR = re.compile(r'"?sep=([,;|\t])"?\s*')
_MOST_BEFORE = 12


@dataclass(frozen=True)
class TableLayout:
    """Layout of a table, detected from its beginning.

    names : names of its columns, or their numbers from 1 without a header
    rows : the first rows as they were split, without the header
    gaps : number of empty lines between them
    skipped : number of lines before the table, such as a title
    described : number of rows below the names that describe the columns
    """

    delimiter: str
    quoting: bool
    header: bool
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    gaps: int = 0
    skipped: int = 0
    described: int = 0

    @cached_property
    def text_column(self) -> int:
        """The column with the words if each row is a token, else the one with the most text."""
        return self.tokens.column if self.tokens else self._most_text

    @cached_property
    def spread(self) -> Spread:
        """What shows that lines are rows of their own."""
        values = [
            at
            for at in range(len(self.names))
            if len(self.rows) >= _FEWEST_VALUES
            and all(at < len(row) and is_value(row[at].strip()) for row in self.rows)
        ]
        return Spread(len(self.names), tuple(values))

    @cached_property
    def tokens(self) -> TokenTable | None:
        """How rows form sentences if each is a token."""
        return token_table(self.names, self.rows, self._most_text, self.gaps)

    @cached_property
    def _most_text(self) -> int:
        """The column with the most text, by ``worth``, except for a remark of each row."""
        width = len(self.names)
        rows = [row for row in self.rows if len(row) <= width] or self.rows
        return max(
            set(range(width)) - remarks(rows) or range(width),
            key=lambda i: worth(self.names[i], (row[i] for row in rows if i < len(row)), len(rows)),
            default=0,
        )

    def fit(self, row: Sequence[str]) -> Sequence[str]:
        """A row without the delimiters that nobody quoted: they belong to the text."""
        extra = len(row) - len(self.names)
        while extra > 0 and not row[-1]:
            row, extra = row[:-1], extra - 1
        if extra <= 0 or not self.names:
            return row
        begin, end = self.text_column, self.text_column + extra + 1
        return [*row[:begin], self.delimiter.join(row[begin:end]), *row[end:]]

    def find(self, wanted: str, shown: str) -> int:
        """The column of this name, or number from 1; "" for the guess. Raises UserError."""
        if not wanted:
            return self.text_column
        if wanted in self.names:
            return self.names.index(wanted)
        folded = [name.strip().casefold() for name in self.names]
        if wanted.strip().casefold() in folded:
            return folded.index(wanted.strip().casefold())
        if wanted.isdecimal() and 1 <= int(wanted) <= len(self.names):
            return int(wanted) - 1
        few = ", ".join(self.names[:12])
        if len(self.names) > 12:
            few = tr("{names} and others", names=few)
        raise UserError(
            tr("{shown} has no column “{wanted}”.", shown=shown, wanted=wanted),
            tr("Choose one of: {few}.", few=few),
        )


class TableKind(Reader):
    """A kind of table. ``marks``: characters of which the most likely one separates its cells."""

    columns = True
    marks_rows = True
    marks: ClassVar[str]

    @classmethod
    def marks_of(cls, document: Document) -> str:
        """Characters of which one separates the cells of a document."""
        return cls.marks

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        """The chosen column, a paragraph for every row."""
        found = layout(document, cls.marks_of(document))
        if found.skipped:
            document.note(tr("Lines before the table, left out: {lines:,}.", lines=found.skipped))
        if found.described:
            document.note(
                tr("Rows that describe the columns, left out: {rows:,}.", rows=found.described)
            )
        if found.header and not found.rows:
            document.note(tr("The table contains only a header."))
        index = found.find(document.options.column, document.shown)
        if len(found.names) > 1 or document.options.column:
            document.findings.column = ""
            if found.names:
                document.findings.column = found.names[index]
        if found.tokens is not None:
            document.note(found.tokens.note(found.names))
            return blocks(_sentences(document, found, found.tokens, index), document)
        return blocks(_texts(document, found, index), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        found = layout(document, cls.marks_of(document))
        rows = (
            tuple(row[i] if i < len(row) else "" for i in range(len(found.names)))
            for row in map(found.fit, found.rows)
        )
        return ColumnPreview(found.names, found.text_column, tuple(rows))


def layout(document: Document, marks: str) -> TableLayout:
    """The columns of a table, from its head; one of ``marks`` separates its cells."""
    text = beginning(document)
    skipped, named_mark = _lines_before(text, marks)
    text = "\n".join(text.split("\n")[skipped:])
    if marks == TAB:
        plain, quoted = (
            _rows(text, "\t", False, document.short),
            _rows(text, "\t", True, document.short),
        )
        # Most tables with tabs don’t quote cells; those from spreadsheets do.
        quoting = (
            any('"' in line for line in text.split("\n", 50)[:50])
            and is_even(quoted)
            and not is_even(plain)
        )
        delimiter, rows = "\t", quoted if quoting else plain
    else:
        tried = {mark: _rows(text, mark, True, document.short) for mark in named_mark or marks}
        delimiter = max(tried, key=lambda mark: _agreement(tried[mark]))
        quoting, rows = True, tried[delimiter]
    if is_prose(rows):
        rows = [[delimiter.join(row)] for row in rows]
    wanted = document.options.column.strip().casefold()
    named = (
        bool(rows)
        and not wanted.isdecimal()
        and wanted in [cell.strip().casefold() for cell in rows[0] if cell]
    )
    header = named or (bool(rows) and are_titles(rows[0], rows[1:]))
    described = descriptions(rows[1:]) if header else 0
    del rows[1 : 1 + described]
    names = column_titles(rows[0] if header else (), rows[header:])
    gaps = len(re.findall(r"\S[^\n]*\n[ \t]*\n(?=\s*\S)", text))
    body = tuple(map(tuple, rows[header:]))
    return TableLayout(delimiter, quoting, header, names, body, gaps, skipped, described)


def _lines_before(text: str, marks: str) -> tuple[int, str]:
    """Number of lines before a table: the delimiter for Excel, which is also returned, comments,
    and a title above the names of the columns.
    """
    head = text.lstrip("\ufeff").split("\n", _ROWS)[:_ROWS]
    if (separator := _SEPARATOR.fullmatch(head[0])) is not None:
        return 1, separator[1]
    first = next((at for at, line in enumerate(head) if line and line[0] != "#"), 0)
    if first and not any(head[at].count(mark) for at in range(first) for mark in marks):
        return first, ""
    for mark in marks:
        rows = [line.split(mark) for line in head]
        filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
        first = next((at for at, number in enumerate(filled) if number > 1), 0)
        if (
            0 < first < _MOST_BEFORE
            and not any('"' in line for line in head[:first])
            and filled[first] == len(rows[first])
            and all(len(row) == 1 or len(row) > 2 for row in rows[:first])
            and (others := [row for row in rows[first + 1 :] if any(row)])
            and len(others) > 1
            and sum(len(row) >= len(rows[first]) for row in others) > 0.8 * len(others)
            and are_titles(rows[first], others)
        ):
            return first, mark
    return 0, ""


def is_table(document: Document, marks: str) -> bool:
    """Whether the content of a document is a table without doubt: usual names above its columns,
    or, with tabs, numbers, groups or remarks beside texts or tokens, in rows that are equally wide;
    with spaces, cells of several words below any names.
    """
    tabs = marks == TAB
    found = layout(document, marks)
    names, rows = found.names, found.rows
    if len(names) < 2 or len(rows) < 2 or {len(row) for row in rows} != {len(names)}:
        return False
    if found.gaps and found.tokens is None:
        return False
    usual = sum(map(is_column_name, names))
    if found.header and (2 * usual >= len(names) if tabs else usual == len(names) > 1):
        return tabs or len(rows) > 2
    words = sum(len(row[found.text_column].split()) for row in rows)
    if marks == SPACE:
        return found.header and words >= 2 * len(rows)
    if tabs and not found.header and _has_marked_rows(found, rows):
        return words >= 2 * len(rows)
    return (
        tabs
        and len(names) > 2
        and len(rows) >= _FEWEST
        and any(all(is_value(row[at]) for row in rows) for at in range(len(names)))
        and (words >= 3 * len(rows) or (found.header and found.tokens is not None))
    )


def _has_marked_rows(found: TableLayout, rows: Sequence[Sequence[str]]) -> bool:
    """Whether labels, verses of a Bible or remarks are beside the texts."""
    marks = groups(rows) | places(rows)
    return bool(marks - {found.text_column}) or bool(remarks(rows))


def _texts(document: Document, found: TableLayout, index: int) -> Iterator[str]:
    """The cells of a column."""
    others = [(at, name) for at, name in enumerate(found.names) if at != index]
    for row in _table_rows(document, found, index):
        text = row[index] if row else ""
        yield document.begin_row(_values(row, others)) + text if text else ""


def _sentences(
    document: Document, found: TableLayout, tokens: TokenTable, index: int
) -> Iterator[str]:
    """The cells of a column of a table of tokens, joined for each sentence. Cells that are repeated
    for each token, such as the sentence itself, are read once.
    """
    others = [(at, name) for at, name in enumerate(found.names) if at in tokens.constant]
    others = [(at, name) for at, name in others if at != index]
    held: list[str] = []
    first: Sequence[str] = ()
    before: Sequence[str] = ()

    def sentence() -> str:
        # The sentence of a token repeats as a whole, a word such as “that” by itself.
        cells = without_repeats(held) if index in tokens.constant else held
        text = " ".join(filter(None, cells))
        return document.begin_row(_values(first, others)) + text if text else ""

    for row in _table_rows(document, found, index):
        ends = not row if tokens.gaps else False
        if held and (ends or len(held) >= MOST_TOKENS or (row and tokens.is_new(before, row))):
            yield sentence()
            held = []
        else:
            yield ""
        if row:
            first = first if held else row
            held.append(row[index].strip())
            before = row
    if held:
        yield sentence()


def _table_rows(document: Document, found: TableLayout, index: int) -> Iterator[Sequence[str]]:
    """The rows that have this column, each with at most as many cells as there are columns; an
    empty one for empty lines and for rows that are left out. Notes say how many are.
    """
    source = RowSource(document, found.delimiter, found.quoting, found.skipped, found.spread)
    first: list[str] | None = None
    described = found.described
    short = long = again = 0
    for row in source.rows():
        if found.header and first is None:
            first = row
            continue
        if described and row:
            described -= 1
            continue
        again += row == first
        long += len(row) > len(found.names) > 1 and any(row[len(found.names) :])
        row = list(found.fit(row))
        if row != first and index < len(row):
            yield row
        else:
            short += bool(row) and row != first
            yield ()
    source.note_quotation()
    if short:
        document.note(tr("Rows too short for this column: {short:,}.", short=short))
    if long:
        document.note(
            tr(
                "Rows with more cells than columns: {long:,}. The extra cells were read as part of "
                "the column “{column}”.",
                long=long,
                column=found.names[found.text_column],
            )
        )
    if again:
        document.note(tr("Repeated headers, left out: {again:,}.", again=again))


def _values(row: Sequence[str], columns: list[tuple[int, str]]) -> dict[str, str]:
    return {name: row[at] for at, name in columns if at < len(row) and not is_missing(row[at])}


def _rows(text: str, delimiter: str, quoting: bool, whole: bool) -> list[list[str]]:
    """The first rows, without one that may be cut off."""
    rows: list[list[str]] = []
    try:
        csv.field_size_limit(LONGEST)
        for row in row_reader(io.StringIO(text, newline=""), delimiter, quoting):
            if row:
                rows.append(row)
            if len(rows) > _ROWS:
                return rows
    except csv.Error:
        return rows
    if whole or len(rows) < 2:
        return rows
    return rows[:-1]


def _agreement(rows: list[list[str]]) -> tuple[float, int]:
    """Share of rows with the most frequent width above 1, and that width, as evidence for a
    delimiter.
    """
    widths = [len(row) for row in rows]
    if not widths:
        return 0.0, 0
    usual = max(set(widths), key=widths.count)
    return (widths.count(usual) / len(widths) if usual > 1 else 0.1), usual
