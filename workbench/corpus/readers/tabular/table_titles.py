"""Titles of the columns of a table, and tables that are prose with commas."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from workbench.corpus.readers.records import is_column_name, is_missing

# Maximum words and letters of a title that isn’t a question.
_WORDS, _LETTERS = 4, 40
# Minimum number of rows, and of rows for each value, of a column with groups.
_ROWS, _FOR_EACH = 8, 4
# Characters with which all cells of a remark begin, such as a licence.
_REMARK = 8
# Share of rows that shows what a column contains.
_MOST = 0.8
_VALUE = re.compile(
    r"\d{1,4}[-/.:]\d{1,2}\b|(?:https?|ftp)://|www\.|[+-]?\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)?\Z"
)
_PLACE = re.compile(r"(?:[\w .]{1,30}[ .])?\d{1,3}[:.]\d{1,3}|\d{8}")
_SENTENCE = re.compile(r"\s\S*[.!…]\Z")


def are_titles(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns.

    Certain: below a name there are only numbers, dates or addresses, half of the names are usual
    ones, or a name is a question, unlike the cells. Else names are short and distinct, and above
    longer cells, numbers, groups or nothing. No cell repeats its name, and columns of numbers of
    rows, as pandas writes them, and of empty cells may lack one.
    """
    titles = [cell.strip() for cell in first]
    others = [row for row in others if [cell.strip() for cell in row] != titles]
    columns = [[row[at].strip() for row in others if at < len(row)] for at in range(len(titles))]
    filled = [[cell for cell in column if not is_missing(cell or "NA")] for column in columns]
    for at, (title, column) in enumerate(zip(titles, columns, strict=True)):
        numbers = at == 0 and bool(column) and all(map(str.isdecimal, column))
        if not title and not numbers and 2 * len(filled[at]) > len(column):
            return False
    named = [(title, cells) for title, cells in zip(titles, filled, strict=True) if title]
    if not named or any(
        is_value(title) or is_missing(title) or title in cells for title, cells in named
    ):
        return False
    if 2 * sum(is_column_name(title) for title, _ in named) >= len(named):
        return True
    if any(
        (cells and _share(cells, is_value) >= _MOST)
        or (title.endswith("?") and _share(cells, _is_question) < 1 - _MOST)
        for title, cells in named
    ):
        return True
    names = [title for title, _ in named]
    if len(set(names)) < len(names) or any(
        len(title) > _LETTERS or len(title.split()) > _WORDS or _SENTENCE.search(title)
        for title in names
    ):
        return False
    longest = max((len(cell) for cells in filled for cell in cells), default=0)
    return (
        not others
        or longest > max(map(len, names))
        or any(is_value(cell) for cells in filled for cell in cells)
        or any(
            len(cells) >= _ROWS and _FOR_EACH * len(set(cells)) <= len(cells) for cells in filled
        )
    )


def column_titles(first: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A distinct name for each column, its number from 1 without a title.

    Rows that are wider than the titles contain separators that nobody quoted, unless all of them
    are equally wide. R writes no title for the names of its rows.
    """
    titles = [title.strip() for title in first]
    width = len(rows[0]) if rows and is_even(rows) else len(titles)
    if not titles:
        widths = [len(row) for row in rows]
        width = max(set(widths), key=lambda each: (widths.count(each), each), default=0)
    if titles and width == len(titles) + 1 and all(rows[0]):
        begins = [row[0] for row in rows]
        if len(set(begins)) == len(begins) and not any(" " in begin for begin in begins):
            titles.insert(0, "")
    names: list[str] = []
    for at in range(max(width, len(titles))):
        title = (titles[at] if at < len(titles) else "") or str(at + 1)
        number, name = 1, title
        while name in names:
            number += 1
            name = f"{title} ({number})"
        names.append(name)
    return tuple(names)


def is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are sentences that were split at their commas: the widths differ, and a space
    follows almost every comma.
    """
    widths = [len(row) for row in rows]
    if len(set(widths)) < 2 or max(map(widths.count, widths)) > _MOST * len(widths):
        return False
    # A first sentence looks like titles, but doesn’t contain a usual one.
    if len(rows[0]) > 1 and any(map(is_column_name, rows[0])) and are_titles(rows[0], rows[1:]):
        return False
    cells = [cell for row in rows for cell in row[1:]]
    return _share(cells, lambda cell: cell.startswith(" ")) > 0.9


def descriptions(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows describe the columns: questions, and identifiers of Qualtrics."""
    return next(
        (
            at + 1
            for at, row in enumerate(rows[:2])
            if row and all(cell.lstrip().startswith('{"ImportId"') for cell in row if cell)
        ),
        0,
    )


def groups(rows: Sequence[Sequence[str]]) -> set[int]:
    """The columns of one word each that divide many rows into a few groups, such as labels. Words
    with capitals may name who speaks in a play.
    """
    if len(rows) < _ROWS or not is_even(rows):
        return set()
    columns = [[row[at] for row in rows] for at in range(len(rows[0]))]
    return {
        at
        for at, cells in enumerate(columns)
        if _FOR_EACH * len(set(cells)) <= len(cells)
        and all(cell and cell.islower() and " " not in cell for cell in cells)
    }


def places(rows: Sequence[Sequence[str]]) -> set[int]:
    """The columns of distinct places in a text, such as the verse Gen 1:1 or 01001001."""
    if len(rows) < _ROWS or not is_even(rows):
        return set()
    columns = [[row[at] for row in rows] for at in range(len(rows[0]))]
    return {
        at
        for at, cells in enumerate(columns)
        if len(set(cells)) == len(cells) and all(map(_PLACE.fullmatch, cells))
    }


def remarks(rows: Sequence[Sequence[str]]) -> set[int]:
    """The columns of several whose cells all begin alike, such as the licence of each sentence."""
    if len(rows) < _ROWS or len(rows[0]) < 3 or not is_even(rows):
        return set()
    columns = [[row[at] for row in rows] for at in range(len(rows[0]))]
    return {
        at
        for at, cells in enumerate(columns)
        if len({cell[:_REMARK] for cell in cells}) == 1
        and all(len(cell) > _REMARK and " " in cell for cell in cells)
    }


def is_even(rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows are equally wide."""
    return len({len(row) for row in rows}) == 1


def is_value(text: str) -> bool:
    """Whether a cell is a number, a date, a time or an address, which no column is named after."""
    try:
        float(text)
    except ValueError:
        return _VALUE.match(text) is not None
    return True


def _is_question(cell: str) -> bool:
    return cell.endswith("?")


def _share(cells: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, cells)) / len(cells) if cells else 0.0
