"""How to read a table of words and numbers, from its first lines: its separator, its titles, and
the columns of the words and of the numbers.

Most rows decide, so that a damaged one is named when the table is read, instead of making the file
a corpus of digits.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

ENCODING = "utf-8-sig"
_LOOK_AT = 100
_SEPARATORS = ("\t", ";", ",", "|", " ")
_POINT = re.compile(r"\s*[-+]?(\d+(?:\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*")
_COMMA = re.compile(r"\s*[-+]?(\d+(?:,\d*)?|,\d+)([eE][-+]?\d+)?\s*")
_INTEGER = re.compile(r"\s*[-+]?\d+\s*")
# A list of numbers in a cell, as pandas and numpy write it; without brackets, of at least three.
_LIST = re.compile(r"\s*(?:[\[(].*[\])]|[^,\s]+(?:,\s*[^,\s]+){2,})\s*", re.DOTALL)
_MISSING = {"", "na", "nan", "n/a", "null", "none", "?", "-", "#n/a"}
# Share of the rows that have to fit, and number of rows from which some may not.
_MOST, _FEW_ROWS = 0.75, 5
# Lines before a table: comments, Excel’s separator, or lines without decimal numbers.
_MOST_BEFORE = 30
_COMMENT = re.compile(r"\s*(#|%|//|sep=)", re.IGNORECASE)
_DECIMAL = re.compile(r"\d[.,]\d")
# A table of few columns beside long texts is a corpus with scores, as is one whose words repeat.
# Whole numbers are counts, unless they are many.
_FEW_NUMBERS, _MANY_WHOLE, _MOST_WORDS, _LEAST_DISTINCT = 5, 10, 3, 0.75
_TEXTS = {"text", "texts", "sentence", "sentences", "utterance", "speech", "tweet", "comment"}
_TEXTS |= {"review", "message", "document", "body", "paragraph", "line", "title", "transcript"}
# Titles of columns that aren't dimensions.
COUNTS = {"count", "counts", "freq", "freqs", "frequency", "frequencies"}
_OTHERS = COUNTS | {"rank", "id", "ids", "index", "idx", "cluster", "clusters", "group", "year"}
_OTHERS |= {"pos", "tag", "upos", "lemma", "length", "norm", "topic", "community"}
_WORD_TITLES = {"word", "words", "token", "tokens", "term", "terms", "wort", "form", "key"}
# Columns that may be measures of words, each with a name.
_MOST_MEASURES = 20
# Share of distinct values of a column that may contain the words, beside another one.
_FEWEST_KINDS = 0.5


class Layout(NamedTuple):
    """How to read a table.

    before : number of lines before the titles or the first row
    titles : whether the first line after these contains titles
    split, width : number of fields between separators of most lines, and of most rows
    word : column of the words
    numbers : columns of the dimensions
    listed : column of lists of numbers, in place of ``numbers``, or -1
    dim : number of dimensions
    comma : whether the numbers have decimal commas
    padded : whether a space follows every separator
    counts : column of counts, or -1, with its title ``counts_title``; ``others``: titles of the
        columns that are left out
    own : whether this program wrote the titles
    measures : titles of the dimensions if these look like measures of words
    """

    separator: str
    before: int
    titles: bool
    split: int
    width: int
    word: int
    numbers: tuple[int, ...]
    dim: int
    comma: bool = False
    padded: bool = False
    listed: int = -1
    counts: int = -1
    counts_title: str = ""
    others: tuple[str, ...] = ()
    own: bool = False
    measures: tuple[str, ...] = ()

    def cells(self, fields: Sequence[str]) -> list[str]:
        """The numbers of a row as text; fewer or more than ``dim`` in a damaged one."""
        if len(fields) != self.width:
            return []
        if self.listed >= 0:
            return list_cells(fields[self.listed])
        return [fields[column] for column in self.numbers]


def list_cells(field: str) -> list[str]:
    """The numbers of a list in one cell, such as ``[0.5, 1]``, as text; [] for anything else."""
    if _LIST.fullmatch(field) is None:
        return []
    cells = field.strip().strip("[]()").replace(",", " ").split()
    if len(cells) < 2 or not all(map(_POINT.fullmatch, cells)):
        return []
    return cells


def own_titles(dim: int) -> list[str]:
    """The titles of a table of this program."""
    return ["word", *(f"d{number}" for number in range(1, dim + 1))]


def find_layout(head: bytes, cut: bool) -> Layout | None:
    """How to read a table that begins with ``head``, after which it continues if ``cut``; None for
    anything else.
    """
    if b"\0" in head:
        return None
    # Only these line ends separate lines of a table.
    lines = list(io.StringIO(head.decode(ENCODING, "surrogateescape"), newline=""))
    own = _own_layout(lines[0]) if lines else None
    if own is not None:
        return own
    if cut:
        lines = lines[:-1]
    for separator in _SEPARATORS:
        layout = _with_separator(lines, separator, cut)
        if layout is not None:
            return layout
    return None


def _own_layout(line: str) -> Layout | None:
    for separator in ("\t", ","):
        titles = line.rstrip("\r\n").split(separator)
        width = len(titles)
        if width > 2 and titles == own_titles(width - 1):
            numbers = tuple(range(1, width))
            return Layout(separator, 0, True, width, width, 0, numbers, width - 1, own=True)
    return None


def paired(lines: Iterable[str], separator: str, split: int) -> Iterator[str]:
    """The lines of a table of ``split`` columns, in which a field with a single quote is quoted, so
    that it doesn't join the following lines.
    """
    inside = False
    for line in lines:
        if line.count('"') % 2:
            fields = line.split(separator)
            if inside or len(fields) != split or '"[' in line:
                inside = not inside
            else:
                line = separator.join(
                    '"' + field.replace('"', '""') + '"' if field.count('"') % 2 else field
                    for field in fields
                )
        yield line


class _Record(NamedTuple):
    fields: list[str]
    # Number of lines before the record.
    before: int


def _with_separator(lines: Sequence[str], separator: str, cut: bool) -> Layout | None:
    written = [line for line in lines[: 2 * _LOOK_AT] if line.strip()]
    if not written:
        return None
    split = Counter(len(line.split(separator)) for line in written).most_common(1)[0][0]
    between = [line for line in written if separator in line.strip()]
    padded = separator == " " or (
        bool(between)
        and all(line.count(separator) == line.count(separator + " ") for line in between)
    )
    records = _first_records(lines, separator, split, padded, cut)
    if len(records) < 2:
        return None
    width = Counter(len(record.fields) for record in records).most_common(1)[0][0]
    start = _first_row(records, width, separator)
    rows = [record.fields for record in records[start:]]
    if start > _MOST_BEFORE or len(rows) < 2 or width < 2:
        return None
    layout = _of_rows(rows, width, separator)
    if layout is None:
        return None
    if separator == " " and not (
        layout.titles or layout.comma or all(line.startswith('"') for line in lines if line.strip())
    ):
        return None  # GloVe’s rows
    return layout._replace(
        separator=separator, before=records[start].before, split=split, padded=padded
    )


def _first_records(
    lines: Sequence[str], separator: str, split: int, padded: bool, cut: bool
) -> list[_Record]:
    """Fields of the first complete records with text."""
    reader = csv.reader(
        paired(lines, separator, split), delimiter=separator, skipinitialspace=padded
    )
    records: list[_Record] = []
    before = 0
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                records.append(_Record(fields, before))
            before = reader.line_num
            if len(records) > _LOOK_AT:
                break
        else:
            if cut and len(records) > 1 and before > records[-1].before + 1:
                # The last record may continue.
                records.pop()
    except csv.Error:
        return []
    return records


def _first_row(records: Sequence[_Record], width: int, separator: str) -> int:
    """The number of records before the titles or the first row: comments, and lines of another
    width without decimal numbers.
    """
    start = 0
    for number, (fields, _) in enumerate(records[:-1]):
        # R’s titles have no field above the words.
        if len(fields) == width or (len(fields) == width - 1 and start == number > 0):
            break
        line = separator.join(fields)
        if not _COMMENT.match(line) and (
            _DECIMAL.search(line) or (len(fields) == width - 1 and width > 2)
        ):
            break
        start = number + 1
    return start


def _of_rows(rows: Sequence[Sequence[str]], width: int, separator: str) -> Layout | None:
    """The layout of ``rows``, the first of which may be titles."""
    titled = [title.strip().casefold() for title in rows[0]]
    titled = [""] * (width - len(titled)) + titled
    other = [column for column in range(width) if titled[column] in _OTHERS]
    # The column of the words may have any title.
    for dropped in (other, [column for column in other if column > 0]):
        for pattern in (_POINT, _COMMA):
            if pattern is _COMMA and separator == ",":
                continue
            layout = _of_columns(rows, width, dropped, pattern)
            if layout is not None:
                return layout
    return None


def _of_columns(
    rows: Sequence[Sequence[str]], width: int, dropped: Sequence[int], pattern: re.Pattern[str]
) -> Layout | None:
    fitting = [row for row in rows[1:] if len(row) == width]
    if not fitting:
        return None
    columns, listed, numeric = _kinds_of_columns(fitting, width, dropped, pattern)
    first = rows[0]
    texts = [c for c in columns if c not in numeric and c != listed]
    if not texts:
        texts = _nearly_numeric(fitting, first, width, numeric, pattern)
        numeric = [c for c in numeric if c not in texts]
    further: list[int] = []
    if len(texts) > 1:
        further = [c for c in texts if len({row[c] for row in fitting}) < _FEWEST_KINDS * len(rows)]
        texts = [c for c in texts if c not in further]
    if len(texts) != 1:
        return None
    word = texts[0]
    numeric = [c for c in numeric if c > word or not _numbers_rows(fitting, c, word)]
    if listed >= 0:
        further += numeric
        numeric = []
    numbers, dim = _number_cells(fitting, numeric, listed, pattern)
    if dim < 2:
        return None
    whole = all(_INTEGER.fullmatch(field) for cells in numbers for field in cells)
    titles = _has_titles(first, width, word, numeric, pattern, listed)
    body = rows[titles:]
    least = len(body) if len(body) < _FEW_ROWS else _MOST * len(body)
    if (whole and dim < _MANY_WHOLE) or len(numbers) + 1 - titles < least:
        return None
    names = list(first) if titles and len(first) == width else []
    of_numbers = [first[c - width] for c in numeric] if titles else []
    words = [row[word] for row in body if len(row) == width]
    if _are_texts(words, names[word] if names else "", of_numbers, dim, whole):
        return None
    counts = next(
        (c for c in dropped if c - width >= -len(first) and _title(first, c, width) in COUNTS), -1
    )
    return Layout(
        "", 0, titles, width, width, word, tuple(numeric), dim,
        comma=pattern is _COMMA,
        listed=listed,
        counts=counts,
        counts_title="" if counts < 0 else first[counts - width],
        others=tuple(
            first[c - width] if titles and c - width >= -len(first) else str(c + 1)
            for c in sorted((*dropped, *further))
            if c != counts
        ),
        measures=_measures(of_numbers),
    )  # fmt: skip


def _kinds_of_columns(
    rows: Sequence[Sequence[str]], width: int, dropped: Sequence[int], pattern: re.Pattern[str]
) -> tuple[list[int], int, list[int]]:
    """The columns with content, the one of lists (−1: none), and those of numbers."""
    columns = [
        column
        for column in range(width)
        if column not in dropped and any(row[column].strip() for row in rows)
    ]
    listed = next(
        (c for c in columns if _share(bool(list_cells(row[c])) for row in rows) >= _MOST), -1
    )
    numeric = [
        c
        for c in columns
        if c != listed and _share(bool(pattern.fullmatch(row[c])) for row in rows) >= _MOST
    ]
    return columns, listed, numeric


def _number_cells(
    rows: Sequence[Sequence[str]], numeric: Sequence[int], listed: int, pattern: re.Pattern[str]
) -> tuple[list[list[str]], int]:
    """The numbers of each row that has all of them, and how many these are."""
    if listed >= 0:
        lists = [cells for row in rows if (cells := list_cells(row[listed]))]
        dim = Counter(map(len, lists)).most_common(1)[0][0]
        return [cells for cells in lists if len(cells) == dim], dim
    numbers = [[row[c] for c in numeric] for row in rows]
    return [cells for cells in numbers if all(map(pattern.fullmatch, cells))], len(numeric)


def _title(first: Sequence[str], column: int, width: int) -> str:
    return first[column - width].strip().casefold()


def _share(values: Iterable[bool]) -> float:
    given = list(values)
    return sum(given) / len(given)


def _nearly_numeric(
    rows: Sequence[Sequence[str]],
    first: Sequence[str],
    width: int,
    numeric: Sequence[int],
    pattern: re.Pattern[str],
) -> list[int]:
    """The column of words most of which are numbers, as at the beginning of an alphabetical table:
    it has another word, or a title that says word.
    """
    for column in numeric:
        for row in rows:
            if not pattern.fullmatch(row[column]) and row[column].strip().casefold() not in (
                _MISSING
            ):
                return [column]
        if len(first) == width and _title(first, column, width) in _WORD_TITLES:
            return [column]
    return []


def _numbers_rows(rows: Sequence[Sequence[str]], column: int, word: int) -> bool:
    """Whether a column before the words numbers the rows."""
    fields = [row[column].strip() for row in rows]
    if not all(map(_INTEGER.fullmatch, fields)):
        return False
    values = list(map(int, fields))
    return word == 1 or (column == 0 and values == list(range(values[0], values[0] + len(values))))


def _has_titles(
    first: Sequence[str],
    width: int,
    word: int,
    numeric: Sequence[int],
    pattern: re.Pattern[str],
    listed: int,
) -> bool:
    if len(first) != width:
        return len(first) == width - 1 and not any(map(_DECIMAL.search, first))
    if listed >= 0:
        return not list_cells(first[listed]) and bool(first[listed].strip("[] "))
    rest = [first[column].strip() for column in numeric]
    if not all(map(pattern.fullmatch, rest)):
        # A row with gaps isn't titles.
        return any(
            not pattern.fullmatch(field) and field.casefold() not in _MISSING for field in rest
        )
    # Programs number columns.
    return all(field.isdigit() for field in rest) and [int(field) for field in rest] == list(
        range(int(rest[0]), int(rest[0]) + len(rest))
    )


def _are_texts(
    words: Sequence[str], title: str, titles: Sequence[str], dim: int, whole: bool
) -> bool:
    """Whether the words of the first rows are the texts of a corpus, and the numbers measures of
    them. Numbered titles are those of dimensions, even beside sentences.
    """
    measures = len({name.rstrip("0123456789") for name in titles}) > 1
    if not measures and dim >= _FEW_NUMBERS and not whole:
        return False
    if len(set(words)) < _LEAST_DISTINCT * len(words):
        return True
    if title.strip().casefold() in _TEXTS:
        return True
    return max(len(word.split()) for word in words) > _MOST_WORDS


def _measures(titles: Sequence[str]) -> tuple[str, ...]:
    """The titles of a few columns with names of their own, as in lists of word norms; () for
    numbered or short titles, which are those of dimensions or coordinates.
    """
    names = {title.strip().rstrip("0123456789").casefold() for title in titles}
    if len(names) < len(titles) or not 0 < len(titles) <= _MOST_MEASURES:
        return ()
    return tuple(titles) if min(map(len, names)) >= 3 else ()
