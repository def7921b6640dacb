"""The rows of a table whose cells may be quoted (RFC 4180). Marks that nobody closed do not
swallow the rows that follow.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.records import LONGEST, lines, too_long
from workbench.corpus.readers.tabular.table_titles import is_value

_MOST_CELLS = 1 << 18


@dataclass(frozen=True)
class Spread:
    """What shows that lines are rows of their own: the number of columns, and the columns that
    contain only numbers, dates and the like.
    """

    width: int
    values: tuple[int, ...] = ()


class _TooLong(Exception):
    """The row is longer than memory allows."""


class RowSource:
    """Splits the lines of a document into rows.

    A quoted cell may continue over any number of lines. If a quotation mark that opens a cell is
    never closed, or is closed by a later one that stands for itself, the lines between them are
    rows if each has as many cells as there are columns.
    """

    def __init__(
        self, document: Document, delimiter: str, quoting: bool, skipped: int, spread: Spread
    ) -> None:
        self._document = document
        self._delimiter = delimiter
        self._quoting = quoting
        self._spread = spread
        self._lines = iter(
            number_line for number_line in lines(document) if number_line[0] > skipped
        )
        # Lines to split again, and those of the current row.
        self._again: deque[tuple[int, str]] = deque()
        self._span: list[tuple[int, str]] = []
        self._held = self._cells = 0
        self._open = self._doubtful = 0
        self._first_open = self._first_doubtful = 0

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row, none for an empty line. Raises UserError."""
        # The limit on fields applies to the whole process, but no other part of it reads tables
        # this way.
        csv.field_size_limit(LONGEST)
        reader = self._reader()
        while True:
            self._span.clear()
            self._held = self._cells = 0
            row = self._next(reader)
            if row is None or (len(self._span) > 1 and self._is_swallowed(row)):
                if not self._span:
                    return
                # The first line as it is; the others once more.
                (_, first), *others = self._span
                self._again.extendleft(reversed(others))
                reader = self._reader()
                yield _cells(first, self._delimiter, quoting=False)
            else:
                yield row

    def note_quotation(self) -> None:
        """Note what was decided about quotation marks."""
        if self._open:
            self._document.note(
                tr(
                    "Quotation marks that open a cell and aren’t closed: {number:,}, the first in "
                    "line {line:,}. Their lines were read as rows.",
                    number=self._open,
                    line=self._first_open,
                )
            )
        if self._doubtful:
            self._document.note(
                tr(
                    "Quoted cells over several lines that may be rows of their own: {number:,}, "
                    "the first in line {line:,}.",
                    number=self._doubtful,
                    line=self._first_doubtful,
                )
            )

    def _reader(self) -> Iterator[list[str]]:
        return row_reader(self._feed(), self._delimiter, self._quoting)

    def _feed(self) -> Iterator[str]:
        while True:
            taken = self._again.popleft() if self._again else next(self._lines, None)
            if taken is None:
                return
            self._span.append(taken)
            # The whole row is in memory, each cell as a separate string, so its length and its
            # number of cells are limited.
            self._held += len(taken[1])
            self._cells += taken[1].count(self._delimiter)
            if self._held > LONGEST or self._cells > _MOST_CELLS:
                raise _TooLong
            yield taken[1]

    def _next(self, reader: Iterator[list[str]]) -> list[str] | None:
        """The next row; None at the end, and for lines that are rows of their own."""
        try:
            return next(reader, None)
        except (_TooLong, csv.Error) as error:
            begins = self._span[0][0] if self._span else 1
            if len(self._span) > 1 and self._is_swallowed(None):
                return None
            if isinstance(error, _TooLong) or "field larger" in str(error):
                raise too_long(self._document.shown, begins) from error
            raise UserError(
                tr(
                    "Line {begins:,} of {shown} isn’t a valid table row ({error}).",
                    begins=begins,
                    shown=self._document.shown,
                    error=error_text(error),
                ),
                tr("Check the quotation marks."),
            ) from error

    def _is_swallowed(self, row: Sequence[str] | None) -> bool:
        """Whether the lines of a row, None for one that is too long, are rows of their own."""
        begins = self._span[0][0]
        texts = [text for _, text in self._span]
        closed = row is not None and _is_well_quoted(texts, self._delimiter)
        # A mark at the end of a cell closes one; at its beginning, it stands for itself.
        ends = _cells(texts[-1], self._delimiter, quoting=False)
        opens = self._spread.values and any(cell.startswith('"') for cell in ends)
        rows = self._are_rows(texts)
        if rows and (not closed or opens):
            self._open += 1
            self._first_open = self._first_open or begins
            return True
        if row is not None and sum(text.count('"') for text in texts) % 2:
            self._document.note(
                tr(
                    "The quotation mark in the row of line {line:,} isn’t closed, so the rest of "
                    "the file was read as one cell.",
                    line=begins,
                )
            )
        elif rows or not closed:
            self._doubtful += 1
            self._first_doubtful = self._first_doubtful or begins
        return False

    def _are_rows(self, texts: Sequence[str]) -> bool:
        """Whether each line has as many cells as there are columns, and numbers in their columns.
        Only the first one has the mark that isn't closed.
        """
        if self._spread.width < 2:
            return False
        for at, text in enumerate(texts):
            cells = _cells(text, self._delimiter, quoting=at > 0)
            if cells and len(cells) != self._spread.width:
                # A later line may have such a mark, too.
                cells = _cells(text, self._delimiter, quoting=False)
            if not cells:
                continue
            if len(cells) != self._spread.width or not all(
                is_value(cells[column].strip()) for column in self._spread.values
            ):
                return False
        return True


def row_reader(source: Iterable[str], delimiter: str, quoting: bool) -> Iterator[list[str]]:
    """The rows of lines. Cells between spaces are quoted as by R's write.table."""
    if delimiter == " ":
        return csv.reader(source, delimiter=delimiter, escapechar="\\")
    if quoting:
        return csv.reader(source, delimiter=delimiter)
    return csv.reader(source, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _cells(line: str, delimiter: str, quoting: bool) -> list[str]:
    """The cells of a line by itself."""
    try:
        return next(row_reader([line], delimiter, quoting), [])
    except csv.Error:
        return []


def _is_well_quoted(texts: Sequence[str], delimiter: str) -> bool:
    """Whether each quotation mark is closed, and a delimiter or a line end follows."""
    try:
        escape = "\\" if delimiter == " " else None
        for _ in csv.reader(texts, delimiter=delimiter, escapechar=escape, strict=True):
            pass
    except csv.Error:
        return False
    return True
