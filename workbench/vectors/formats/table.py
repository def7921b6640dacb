"""Tables of a word and numbers, as spreadsheets, pandas and R write them.

Columns are separated by tabs, semicolons, commas, or spaces beside quoted words. The first line may
contain titles, the first column row numbers; a decimal comma is read unless commas separate
columns, as are UTF-16 and a byte order mark. A quote in a word is a character unless it pairs.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.array_schema import half_a_character
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import raw_words

_LOOK_AT = 20
_SEPARATORS = ("\t", ";", ",", " ")
_POINT = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"-?(\d+,?\d*|,\d+)([eE][-+]?\d+)?")
_INTEGER = re.compile(r"-?\d+")
# A table of few columns beside long texts is a corpus with scores, as is one whose words repeat.
_FEW_NUMBERS, _MOST_WORDS, _LEAST_DISTINCT = 5, 3, 0.75
_TEXTS = {"text", "texts", "sentence", "sentences", "utterance", "speech", "tweet", "comment"}
_TEXTS |= {"review", "message", "document", "body", "paragraph", "line", "title", "transcript"}
_LONGEST_FIELD = 1 << 24


class _Layout(NamedTuple):
    """How to read a table. ``titles``: the first line contains titles; ``label``: column of the
    words; ``dim``: number of columns after it.
    """

    encoding: str
    separator: str
    titles: bool
    label: int
    dim: int
    comma: bool


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
        words: list[bytes] = []
        rows: list[np.ndarray] = []
        lines: list[int] = []
        with path.open(encoding=how.encoding, errors="surrogateescape", newline="") as text:
            for number, fields in _records(text, how):
                if limit and len(words) == limit:
                    break
                if not any(fields):
                    continue
                numbers = _numbers(fields[how.label + 1 :], how)
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
                words.append(fields[how.label].encode("utf-8", "surrogateescape"))
                rows.append(numbers)
                lines.append(number)
        table = np.array(rows, dtype=np.float32).reshape(len(rows), how.dim)
        return text_rows.checked_embeddings(path, words, table, "line", np.array(lines))

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
    width = how.label + 1 + how.dim
    reader = csv.reader(
        _paired(text, how.separator, width),
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
    encoding = "utf-8-sig"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
        if len(head) % 2:
            head = head[:-1]
    elif b"\0" in head:
        return None
    text = head.decode(encoding, "surrogateescape" if encoding == "utf-8-sig" else "replace")
    lines = text.splitlines(keepends=True)
    own = _own_titles(lines[0]) if lines else None
    if own is not None:
        return own._replace(encoding=encoding)
    if cut:
        lines = lines[:-1]
    lines = [line for line in lines if line.strip()][: _LOOK_AT + 1]
    for separator in _SEPARATORS:
        found = _with_separator(lines, separator)
        if found is not None:
            return found._replace(encoding=encoding)
    return None


def _own_titles(line: str) -> _Layout | None:
    """The layout of a table that begins with the titles word, d1, d2, …, as written here."""
    for separator in ("\t", ","):
        titles = line.rstrip("\r\n").split(separator)
        if len(titles) > 2 and titles == _titles(len(titles) - 1):
            return _Layout("", separator, True, 0, len(titles) - 1, False)
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
        return _Layout("", separator, titles, label, dim, comma)
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
    for label in (0, 1):
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
