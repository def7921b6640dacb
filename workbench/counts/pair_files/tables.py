"""Tables of pairs as text: a word, a context and a count in each line.

Columns are separated by tabs; without a tab in the first line, by commas in a .csv file and by
spaces elsewhere. A first line without a number is a title. With more columns than three, the first
three count if there are titles. A number in the first column instead of the third is the count, as
``uniq -c`` and hyperwords write it. Lines of equal pairs are added up; empty lines, and pairs that
occur 0 times, are left out.
"""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.text_files import cannot_read
from workbench.counts.pair_files.base import PairTable, bad_line, canonical, not_utf8, prove_room

_CHECK = 1 << 15  # lines between two checks for cancellation
_TITLES = ("word", "context")


def read_table(path: Path, run: JobControl) -> PairTable:
    """The pairs of a table. Raises UserError and Cancelled."""
    prove_room(path)
    words: dict[str, int] = {}
    contexts: dict[str, int] = {}
    rows, columns, values = array("q"), array("q"), array("d")
    size = max(path.stat().st_size, 1)
    done = 0
    titled, first = False, -1
    for number, line in _lines(path):
        if number % _CHECK == 0:
            run.check()
            run.advance(min(done / size, 1.0), tr("Reading the pairs"))
        done += len(line) + 1
        if not line.strip():
            continue
        if first < 0:
            split = _splitter(path, line)
            fields = split(line)
            first = _place_of_count(fields)
            if first < 0 and len(fields) >= 3:
                titled, first = True, 2
                continue
        fields = split(line)
        wrong = len(fields) < 3 if titled else len(fields) != 3
        if wrong:
            raise bad_line(path, number, _columns_found(len(fields)))
        count = _number(fields[first])
        if count is None or not 0 <= count < math.inf:
            raise bad_line(path, number, _not_a_count(fields[first]))
        word, context = fields[1:3] if first == 0 else fields[:2]
        if not word or not context:
            raise bad_line(path, number, tr("a word or a context is empty"))
        if count:
            rows.append(words.setdefault(word, len(words)))
            columns.append(contexts.setdefault(context, len(contexts)))
            values.append(count)
    matrix = canonical(rows, columns, values, (len(words), len(contexts)))
    return PairTable(matrix, tuple(words), tuple(contexts))


def is_titled(path: Path) -> bool:
    """Whether the first line of a file names the columns “word” and “context”."""
    try:
        with path.open("rb") as file:
            head = file.readline(1 << 12).decode("utf-8", "replace")
    except OSError:
        return False
    fields = _splitter(path, head)(head.strip("\r\n"))
    return len(fields) >= 3 and tuple(field.strip().lower() for field in fields[:2]) == _TITLES


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise bad_line(path, number + 1, not_utf8()) from error
    except OSError as error:
        raise cannot_read(path, error) from error


def _splitter(path: Path, line: str) -> Callable[[str], list[str]]:
    """What splits the lines of a table, by its first line."""
    if "\t" in line:
        return lambda line: line.split("\t")
    if path.suffix.lower() == ".csv":
        return lambda line: next(csv.reader([line]), [])
    return str.split


def _place_of_count(fields: list[str]) -> int:
    """The column of the count in a line without titles: 2, 0, or −1 if neither is a number."""
    for place in (2, 0):
        if len(fields) == 3 and _number(fields[place]) is not None:
            return place
    return -1


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _columns_found(number: int) -> str:
    if number == 2:
        return tr("the count is missing: there are only two columns")
    return tr("there are {number:,} columns instead of three", number=number)


def _not_a_count(text: str) -> str:
    return tr("the count must be a number that isn’t negative, not “{text}”", text=text[:40])
