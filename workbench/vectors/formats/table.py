"""Tables of a word and numbers, as spreadsheets, pandas and R write them.

Columns are separated by tabs, semicolons, commas, or spaces beside quoted words. The first line may
contain titles, the first column row numbers; a decimal comma is read unless commas separate
columns, as is a byte order mark. A quote in a word is a character unless it pairs.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.array_schema import half_a_character
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import COUNTED, MEASURES, OTHER_COLUMNS, WHOLE_COLUMN, raw_words

_LOOK_AT = 20
_ENCODING = "utf-8-sig"
_SEPARATORS = ("\t", ";", ",", " ")
_POINT = re.compile(r"-?(\d+(?:\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"-?(\d+(?:,\d*)?|,\d+)([eE][-+]?\d+)?")
_INTEGER = re.compile(r"-?\d+")
# A table of few columns beside long texts is a corpus with scores, as is one whose words repeat.
_FEW_NUMBERS, _MOST_WORDS, _LEAST_DISTINCT = 5, 3, 0.75
_TEXTS = {"text", "texts", "sentence", "sentences", "utterance", "speech", "tweet", "comment"}
_TEXTS |= {"review", "message", "document", "body", "paragraph", "line", "title", "transcript"}
# Titles of columns that aren't dimensions.
_COUNTS = {"count", "counts", "freq", "freqs", "frequency", "frequencies"}
_OTHERS = _COUNTS | {"rank", "id", "ids", "index", "idx", "cluster", "clusters", "group", "year"}
_OTHERS |= {"pos", "tag", "upos", "lemma", "length", "topic", "community"}
_LONGEST_FIELD = 1 << 24
# Columns that may be measures of words, each with a name.
_MOST_MEASURES = 20


class _Layout(NamedTuple):
    """How to read a table. ``titles``: the first line contains titles; ``label``: column of the
    words; ``dim``: number of columns after it. Both refer to the ``columns`` that are read, of
    ``width``; ``counts`` is the column of counts, or -1, ``others`` the titles of the rest.
    ``measures``: the titles of the dimensions if these look like measures of words.
    """

    separator: str
    titles: bool
    label: int
    dim: int
    comma: bool
    width: int
    columns: tuple[int, ...]
    counts: int = -1
    counts_title: str = ""
    others: tuple[str, ...] = ()
    own: bool = False
    measures: tuple[str, ...] = ()


class Table(Format):
    """CSV, TSV and R’s write.table, with a word in the first column."""

    key = "table"
    title = tr("table of numbers")
    suffixes = (".csv", ".tsv")
    ambiguous_suffixes = frozenset({".csv", ".tsv"})
    # Before GloVe’s format, which would keep quotes as part of the words.
    order = 28

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        if embeddings.sparse:
            return text_rows.cannot_hold(f"A {cls.title}", embeddings)
        word = half_a_character(embeddings.words)
        if word is None:
            word = next((one for one in embeddings.words if not one or "\0" in one), None)
        if word is not None or embeddings.dim < 2:
            return tr(
                "A {title} can’t store {word!r}, or vectors of one dimension.",
                title=cls.title,
                word=word or "",
            )
        return None

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return _layout(head, len(head) < path.stat().st_size) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        with path.open("rb") as file:
            head = file.read(65536)
        how = _layout(head, len(head) < path.stat().st_size)
        if how is None:
            raise UserError(
                tr("{name} isn’t a table of a word and numbers in each line.", name=path.name),
                tr("Save the table as CSV with the words in the first column."),
            )
        most = path.stat().st_size // (2 * how.dim) + 1
        text_rows.prove_room(path, min(most, limit or most), how.dim)
        words: list[str] = []
        rows: list[np.ndarray] = []
        lines: list[int] = []
        counts: list[str] = []
        with path.open(encoding=_ENCODING, errors="surrogateescape", newline="") as text:
            for number, fields in _records(text, how):
                if limit and len(words) == limit:
                    break
                if not any(fields):
                    continue
                kept = [fields[at] for at in how.columns] if len(fields) == how.width else []
                numbers = _numbers(kept[how.label + 1 :], how)
                if numbers is None:
                    raise UserError(
                        tr(
                            "{name}, line {number:,}: expected a word and {dim:,} numbers.",
                            name=path.name,
                            number=number,
                            dim=how.dim,
                        ),
                        tr("Correct the line, or export the table again."),
                    )
                words.append(kept[how.label])
                rows.append(numbers)
                lines.append(number)
                if how.counts >= 0:
                    counts.append(fields[how.counts])
        table = np.array(rows, dtype=np.float32).reshape(len(rows), how.dim)
        frequencies = _frequencies(counts)
        found = text_rows.checked_embeddings(
            path, words, table, "line", np.array(lines), frequencies
        )
        others = [] if frequencies is not None or how.counts < 0 else [how.counts_title]
        others += how.others
        return dataclasses.replace(
            found,
            metadata={
                **found.metadata,
                **({COUNTED: how.counts_title} if frequencies is not None else {}),
                **({OTHER_COLUMNS: others} if others else {}),
                **({MEASURES: list(how.measures)} if how.measures else {}),
                **_whole_column(table, how),
            },
        )

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        vectors = np.asarray(embeddings.vectors, dtype=np.float32)
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        words = [word.decode("utf-8", "surrogateescape") for word in raw_words(embeddings)]
        with path.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_MINIMAL)
            writer.writerow(_titles(embeddings.dim))
            for start in range(0, len(words), 1024):
                text_rows.check_cancelled()
                writer.writerows(
                    [word, *(f"{number:.9g}" for number in row)]
                    for word, row in zip(
                        words[start : start + 1024],
                        vectors[start : start + 1024].tolist(),
                        strict=True,
                    )
                )


def _records(text: io.TextIOBase, how: _Layout) -> Iterator[tuple[int, list[str]]]:
    """Number of the last line of each record, and its fields, without the titles."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    reader = csv.reader(
        _paired(text, how.separator, how.width),
        delimiter=how.separator,
        skipinitialspace=how.separator == " ",
    )
    first = True
    try:
        for fields in reader:
            if first and fields:
                first = False
                if how.titles:
                    continue
            yield reader.line_num, fields
    except csv.Error as error:
        raise UserError(
            tr("Line {number:,}: {error}.", number=reader.line_num, error=str(error)),
            tr("Correct the line, or export the table again."),
        ) from error


def _paired(lines: Iterable[str], separator: str, width: int) -> Iterator[str]:
    """The lines of a table of ``width`` columns, in which a field with a single quote is quoted, so
    that it doesn't join the following lines.
    """
    inside = False
    for line in lines:
        if line.count('"') % 2:
            fields = line.split(separator)
            if inside or len(fields) != width:
                inside = not inside
            else:
                line = separator.join(
                    '"' + field.replace('"', '""') + '"' if field.count('"') % 2 else field
                    for field in fields
                )
        yield line


def _frequencies(fields: Sequence[str]) -> npt.NDArray[np.int64] | None:
    """The counts in a column; None without such a column, and for numbers that aren't counts."""
    try:
        numbers = np.array([float(field) for field in fields])
    except ValueError:
        return None
    # Larger float64 aren't exact.
    if not len(numbers) or not ((numbers >= 0) & (numbers < 2**53)).all():
        return None
    if (numbers != np.floor(numbers)).any():
        return None
    return numbers.astype(np.int64)


def _whole_column(table: Singles, how: _Layout) -> dict[str, int]:
    """The number of the first column of whole numbers beside columns of decimals, which may not be
    a dimension.
    """
    if how.own or len(table) < 3:
        return {}
    whole = (table == np.floor(table)).all(axis=0) & (np.abs(table) > 1).any(axis=0)
    if not whole.any() or 2 * int(np.count_nonzero(whole)) > how.dim:
        return {}
    return {WHOLE_COLUMN: how.columns[how.label + 1 + int(np.argmax(whole))] + 1}


def _numbers(fields: Sequence[str], how: _Layout) -> np.ndarray | None:
    if len(fields) != how.dim:
        return None
    try:
        return np.array(
            [float(field.replace(",", ".") if how.comma else field) for field in fields]
        )
    except ValueError:
        return None


def _layout(head: bytes, cut: bool) -> _Layout | None:
    """How to read a table that begins with ``head``, after which it continues if ``cut``; None for
    anything else.
    """
    if b"\0" in head:
        return None
    lines = head.decode(_ENCODING, "surrogateescape").splitlines(keepends=True)
    own = _own_titles(lines[0]) if lines else None
    if own is not None:
        return own
    if cut:
        lines = lines[:-1]
    lines = [line for line in lines if line.strip()][: _LOOK_AT + 1]
    for separator in _SEPARATORS:
        found = _with_separator(lines, separator)
        if found is not None:
            return found
    return None


def _own_titles(line: str) -> _Layout | None:
    """The layout of a table that begins with the titles word, d1, d2, …, as written here."""
    for separator in ("\t", ","):
        titles = line.rstrip("\r\n").split(separator)
        if len(titles) > 2 and titles == _titles(len(titles) - 1):
            width = len(titles)
            columns = tuple(range(width))
            return _Layout(separator, True, 0, width - 1, False, width, columns, own=True)
    return None


def _titles(dim: int) -> list[str]:
    return ["word", *(f"d{at}" for at in range(1, dim + 1))]


def _with_separator(lines: Sequence[str], separator: str) -> _Layout | None:
    if not lines:
        return None
    width = Counter(len(line.split(separator)) for line in lines).most_common(1)[0][0]
    paired = _paired(lines, separator, width)
    try:
        rows = list(
            csv.reader(paired, delimiter=separator, skipinitialspace=separator == " ", strict=True)
        )
    except csv.Error:
        return None
    if len(rows) < 2 or len(rows[-1]) < 3:
        return None
    width = len(rows[-1])
    # R’s titles have no field above the words.
    if any(len(row) != width for row in rows[1:]) or len(rows[0]) not in (width, width - 1):
        return None
    titled = [title.strip().casefold() for title in rows[0]]
    titled = [""] * (width - len(titled)) + titled
    other = [at for at in range(width) if titled[at] in _OTHERS]
    # The column of the words may have any title.
    for dropped in (other, [at for at in other if at > 0]):
        columns = tuple(at for at in range(width) if at not in dropped)
        kept = [[row[at] for at in columns] for row in rows[1:]]
        first = [rows[0][at - width] for at in columns if at - width >= -len(rows[0])]
        found = _of_columns([first, *kept], separator, lines)
        if found is not None:
            counts = next((at for at in dropped if titled[at] in _COUNTS), -1)
            return found._replace(
                width=width,
                columns=columns,
                counts=counts,
                counts_title="" if counts < 0 else rows[0][counts - width],
                others=tuple(rows[0][at - width] for at in dropped if at != counts),
                measures=_measures(first[found.label + 1 :]) if found.titles else (),
            )
    return None


def _measures(titles: Sequence[str]) -> tuple[str, ...]:
    """The titles of a few columns with names of their own, as in lists of word norms; () for
    numbered or short titles, which are those of dimensions or coordinates.
    """
    names = {title.strip().rstrip("0123456789").casefold() for title in titles}
    if len(names) < len(titles) or len(titles) > _MOST_MEASURES or min(map(len, names)) < 3:
        return ()
    return tuple(titles)


def _of_columns(
    rows: Sequence[Sequence[str]], separator: str, lines: Sequence[str]
) -> _Layout | None:
    """The layout of ``rows`` of words and numbers, the first of which may be titles."""
    width = len(rows[1])
    for comma in (False, True):
        pattern = _COMMA if comma else _POINT
        if comma and separator == ",":
            continue
        label = _label(rows[1:], pattern)
        if label is None:
            continue
        numbers = [field for row in rows[1:] for field in row[label + 1 :]]
        if all(_INTEGER.fullmatch(field) for field in numbers):
            continue
        titles = _has_titles(rows[0], width, label, pattern)
        if separator == " " and not titles and not all(line.startswith('"') for line in lines):
            return None  # GloVe’s rows
        dim = width - 1 - label
        words = [row[label] for row in rows[titles:]]
        if _are_texts(words, rows[0] if titles and len(rows[0]) == width else [], label, dim):
            return None
        return _Layout(separator, titles, label, dim, comma, width, tuple(range(width)))
    return None


def _are_texts(words: Sequence[str], titles: Sequence[str], label: int, dim: int) -> bool:
    """Whether the words of the first rows are the texts of a corpus, and the numbers measures of
    them. Numbered titles are those of dimensions, even beside sentences.
    """
    if len(set(words)) < _LEAST_DISTINCT * len(words):
        return True
    measures = len({title.rstrip("0123456789") for title in titles[label + 1 :]}) > 1
    if not measures and dim >= _FEW_NUMBERS:
        return False
    if titles and titles[label].strip().casefold() in _TEXTS:
        return True
    return max(len(word.split()) for word in words) > _MOST_WORDS


def _label(rows: Sequence[Sequence[str]], pattern: re.Pattern[str]) -> int | None:
    """The column of the words: the first one, or the second after row numbers. All others are
    numbers.
    """
    for label in range(min(2, len(rows[0]))):
        rest = all(pattern.fullmatch(field) for row in rows for field in row[label + 1 :])
        before = all(_INTEGER.fullmatch(field) for row in rows for field in row[:label])
        words = [row[label] for row in rows]
        if (
            rest
            and before
            and len(rows[0]) - label > 2
            and any(word and not pattern.fullmatch(word) for word in words)
        ):
            return label
    return None


def _has_titles(first: Sequence[str], width: int, label: int, pattern: re.Pattern[str]) -> bool:
    if len(first) < width:
        return True
    rest = first[label + 1 :]
    if not all(pattern.fullmatch(field) for field in rest):
        return True
    # Programs number columns.
    return rest in (
        [str(at) for at in range(len(rest))],
        [str(at) for at in range(1, len(rest) + 1)],
    )
