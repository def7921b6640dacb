"""Columns of a corpus: what tables, JSON objects and editions say about each part of their text,
such as its year or its speaker.

A reader announces the values before the text of a row (``Document.begin_row``), and the loader
notes at which token the row begins. Rows with equal values that follow each other are one. The
columns are in a folder beside the tokens of their corpus: ``begins`` int64, ``<number>`` int32 with
the codes of each column, and ``columns.json``. In memory are the begins, and the values of each
column, whose number is limited.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from array import array
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.atomic import new_folder
from workbench.core.errors import UserError
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus

# Key in the metadata of a corpus: its columns, by the name of their folder, the number of values of
# those that were kept, and the names of the others.
COLUMNS = "columns"
# Stands in a text before each row; no other character of such a text is one.
MARK = "\x01"
# Maximum number of columns, of different values of each, and of characters of each value: more
# tells rows apart, as a number or a title does, but forms no groups.
MOST_COLUMNS, MOST_VALUES, LONGEST = 32, 20_000, 200

_NO_VALUE = -1
_CHUNK = 1 << 16
_LARGEST = 1 << 28
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:?\d\d")


class _Column:
    """A column while it is read: the numbers of its values, and a file of codes by row."""

    def __init__(self, path: Path, before: int) -> None:
        self.path = path
        self.numbers: dict[str, int] = {}
        self._codes = array("i")
        with path.open("wb") as file:
            for begin in range(0, before, _CHUNK):
                file.write(array("i", [_NO_VALUE]).tobytes() * min(_CHUNK, before - begin))

    def add(self, code: int) -> None:
        self._codes.append(code)
        if len(self._codes) >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        with self.path.open("ab") as file:
            file.write(np.array(self._codes, dtype="<i4").tobytes())
        self._codes = array("i")


class RowValues:
    """Collects the values of all rows of a corpus, in a folder.

    begin : called by readers before each row; note : called by the loader where a row begins
    """

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.folder = folder
        self.dropped: dict[str, None] = {}
        self._columns: dict[str, _Column] = {}
        self._files = 0
        self._rows = 0
        self._last: dict[str, int] = {}
        self._begins = array("q")

    def begin(self, values: Mapping[str, str]) -> str:
        """The mark to put before the text of a row with these values; "" if the row before has the
        same ones.
        """
        codes = {
            name: code for name, value in values.items() if (code := self._code(name, value)) >= 0
        }
        if codes == self._last and self._rows:
            return ""
        self._last = codes
        for name, column in self._columns.items():
            column.add(codes.get(name, _NO_VALUE))
        self._rows += 1
        return MARK

    def begin_file(self, at: int) -> None:
        """The values of the file before don't apply from token ``at`` on."""
        if self.begin({}):
            self.note(at)

    def note(self, at: int) -> None:
        """The next row begins at token ``at``."""
        self._begins.append(at)

    def _code(self, name: str, value: str) -> int:
        value = " ".join(value.split())
        if not value or name in self.dropped:
            return _NO_VALUE
        column = self._columns.get(name)
        if column is None:
            if len(self._columns) >= MOST_COLUMNS:
                self.dropped[name] = None
                return _NO_VALUE
            column = self._columns[name] = _Column(self.folder / str(self._files), self._rows)
            self._files += 1
        day = _DAY.match(value)
        code = column.numbers.setdefault(day[1] if day else value, len(column.numbers))
        if code >= MOST_VALUES or len(value) > LONGEST:
            del self._columns[name]
            column.path.unlink()
            self.dropped[name] = None
            return _NO_VALUE
        return code

    @property
    def begins(self) -> npt.NDArray[np.int64]:
        """int64[rows], the first token of each."""
        return np.array(self._begins, dtype="<i8")

    def save(self, begins: npt.NDArray[np.int64], corpus: Corpus) -> Corpus:
        """The corpus with the columns, whose rows begin at ``begins``. Without any, the corpus
        itself.
        """
        if not self._columns or len(begins) != self._rows:
            return corpus
        kept = list(self._columns.items())
        for _, column in kept:
            column.flush()
        values = {name: list(column.numbers) for name, column in kept}
        return _keep(corpus, begins, values, [column.path for _, column in kept], [*self.dropped])


def _keep(
    corpus: Corpus,
    begins: npt.NDArray[np.int64],
    values: Mapping[str, list[str]],
    codes: list[Path],
    dropped: list[str],
) -> Corpus:
    if corpus.folder is None:
        return corpus
    described = json.dumps({"values": values}, ensure_ascii=False).encode(errors="replace")
    digest = hashlib.blake2b(described, digest_size=16)
    digest.update(begins.tobytes())
    for path in codes:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    name = f"columns-{digest.hexdigest()}"
    place = corpus.folder / name
    if not place.is_dir():
        with new_folder(place) as temporary:
            (temporary / "begins").write_bytes(begins.astype("<i8").tobytes())
            (temporary / "columns.json").write_bytes(described)
            for number, path in enumerate(codes):
                shutil.copyfile(path, temporary / str(number))
    kept = {each: len(them) for each, them in values.items()}
    entry = {"folder": name, "kept": kept, "dropped": dropped}
    return replace(corpus, metadata={**corpus.metadata, COLUMNS: entry})


@dataclass(frozen=True)
class ColumnValues:
    """A column of a corpus.

    values : its different values, in order of appearance
    codes : int32[rows], the number of the value of each row, −1 without one
    begins : int64[rows + 1], the first token of each row, and the number of tokens
    """

    name: str
    values: tuple[str, ...]
    codes: npt.NDArray[np.int32]
    begins: npt.NDArray[np.int64]

    def tokens(self) -> npt.NDArray[np.int64]:
        """int64[values], the number of tokens of each value."""
        known = self.codes >= 0
        counted = np.bincount(
            self.codes[known], weights=np.diff(self.begins)[known], minlength=len(self.values)
        )
        return counted.astype(np.int64)

    def spans(self, value: str) -> npt.NDArray[np.int64]:
        """int64[n, 2], the first token and the end of each row with this value; empty rows are left
        out.
        """
        code = self.values.index(value) if value in self.values else len(self.values)
        rows = np.flatnonzero((self.codes == code) & (np.diff(self.begins) > 0))
        return np.column_stack([self.begins[rows], self.begins[rows + 1]])


def column_names(corpus: Corpus) -> tuple[str, ...]:
    """The names of the columns that were kept."""
    return tuple(corpus.metadata.get(COLUMNS, {}).get("kept", ()))


def are_complete(corpus: Corpus) -> bool:
    """Whether the columns that belong to a corpus are still in the cache."""
    entry = corpus.metadata.get(COLUMNS)
    if entry is None:
        return True
    return corpus.folder is not None and (corpus.folder / str(entry["folder"])).is_dir()


def column_values(corpus: Corpus, name: str) -> ColumnValues:
    """A column of a corpus by name. Raises UserError."""
    names = column_names(corpus)
    folded = [each.casefold() for each in names]
    if name.casefold() not in folded:
        known = ", ".join(names)
        raise UserError(
            tr("{corpus} has no column “{name}”.", corpus=corpus.name, name=name),
            tr("Choose one of: {known}.", known=known)
            if names
            else tr("Tables, JSON objects and TEI editions have columns."),
        )
    number = names.index(name) if name in names else folded.index(name.casefold())
    try:
        assert corpus.folder is not None
        folder = corpus.folder / str(corpus.metadata[COLUMNS]["folder"])
        content: Any = json_of_file(folder / "columns.json", _LARGEST)
        begins = np.fromfile(folder / "begins", dtype="<i8")
        codes = np.fromfile(folder / str(number), dtype="<i4")
        values = tuple(map(str, content["values"][names[number]]))
        if len(codes) != len(begins):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            tr("The columns of {corpus} are no longer in the cache.", corpus=corpus.name),
            tr("Open the files of the corpus again."),
        ) from error
    return ColumnValues(names[number], values, codes, np.append(begins, corpus.tokens))


def follow(before: Corpus, after: Corpus) -> Corpus:
    """``after`` with the columns of ``before``, from which it was made by joining tokens within
    sentences. Rows within a sentence have no place there; then the columns are left out.
    """
    metadata = {key: value for key, value in after.metadata.items() if key != COLUMNS}
    after = replace(after, metadata=metadata)
    entry = before.metadata.get(COLUMNS)
    if entry is None or before.folder is None:
        return after
    with suppress(OSError, ValueError):
        folder = before.folder / str(entry["folder"])
        begins = np.fromfile(folder / "begins", dtype="<i8")
        places = np.searchsorted(before.sentences, begins)
        if np.array_equal(before.sentences[places], begins):
            content: Any = json_of_file(folder / "columns.json", _LARGEST)
            codes = [folder / str(number) for number in range(len(entry["kept"]))]
            moved = np.asarray(after.sentences)[places]
            return _keep(after, moved, content["values"], codes, list(entry["dropped"]))
    return after
