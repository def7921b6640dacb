"""Tables of a word and numbers, as spreadsheets, pandas and R write them.

Tabs, semicolons, commas, bars, or spaces beside quoted words separate columns, one of which
contains the words; the numbers may be a list in one cell. Lines before the table, titles and row
numbers are passed over; a decimal comma is read unless commas separate columns, as is a byte order
mark. A quote in a word is a character unless it pairs.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.array_schema import half_a_character
from workbench.vectors.formats.base import Format
from workbench.vectors.formats.table_layout import (
    ENCODING,
    Layout,
    find_layout,
    own_titles,
    paired,
)
from workbench.vectors.undecoded import (
    BEFORE,
    COUNTED,
    MEASURES,
    OTHER_COLUMNS,
    WHOLE_COLUMN,
    raw_words,
)

_LONGEST_FIELD = 1 << 24


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
        return find_layout(head, len(head) < path.stat().st_size) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        with path.open("rb") as file:
            head = file.read(65536)
        how = find_layout(head, len(head) < path.stat().st_size)
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
        with path.open(encoding=ENCODING, errors="surrogateescape", newline="") as text:
            for number, fields in _records(text, how):
                if limit and len(words) == limit:
                    break
                if not any(fields):
                    continue
                cells = how.cells(fields)
                numbers = _numbers(cells, how)
                if numbers is None:
                    cells = cells or [fields[c] for c in how.numbers if c < len(fields)]
                    word = fields[how.word] if how.word < len(fields) else ""
                    raise text_rows.row_error(path, number, how.dim, word, cells, how.comma)
                words.append(fields[how.word])
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
                **({BEFORE: how.before} if how.before else {}),
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
            writer.writerow(own_titles(embeddings.dim))
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


def _records(text: io.TextIOBase, how: Layout) -> Iterator[tuple[int, list[str]]]:
    """Number of the last line of each record, and its fields, without the titles."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    for _ in itertools.islice(text, how.before):
        pass
    reader = csv.reader(
        paired(text, how.separator, how.split),
        delimiter=how.separator,
        skipinitialspace=how.padded,
    )
    first = True
    try:
        for fields in reader:
            if first and fields:
                first = False
                if how.titles:
                    continue
            yield how.before + reader.line_num, fields
    except csv.Error as error:
        raise UserError(
            tr("Line {number:,}: {error}.", number=how.before + reader.line_num, error=str(error)),
            tr("Correct the line, or export the table again."),
        ) from error


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


def _whole_column(table: Singles, how: Layout) -> dict[str, int]:
    """The number of the first column of whole numbers beside columns of decimals."""
    column = -1 if how.own or how.listed >= 0 else text_rows.whole_column(table)
    return {WHOLE_COLUMN: how.numbers[column] + 1} if column >= 0 else {}


def _numbers(fields: Sequence[str], how: Layout) -> np.ndarray | None:
    if len(fields) != how.dim:
        return None
    try:
        return np.array(
            [float(field.replace(",", ".") if how.comma else field) for field in fields]
        )
    except ValueError:
        return None
