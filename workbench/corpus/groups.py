"""Groups of a corpus: a year, a speaker or an author for each sentence.

Groups come from what is kept with a corpus: the columns of its rows (tables, JSON objects, the
headers of TEI editions; :mod:`workbench.corpus.columns`), or the names of its files. So a corpus
that is read once, or loaded from the cache, can be grouped in any way.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from workbench.core.arrays import Ids, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.core.params import Params, param
from workbench.corpus.columns import column_names, column_values
from workbench.corpus.corpus import Corpus

# Maximum number of groups: more would be single documents, with too little text for any statement.
MOST_GROUPS = 500
# Groups by the names of files and of their folders, unless a column has this name.
FILE, FOLDER = "file", "folder"
# Without a column of this name, the year in the column of this other name.
YEAR, DATE = "year", "date"

_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_ISO_DATE = re.compile(r"\d{4}(-\d\d){0,2}")
# Maximum seconds for a pattern on one name.
_SECONDS = 1.0


@dataclass(frozen=True)
class GroupParams(Params):
    """What groups the sentences of a corpus."""

    by: str = param(
        YEAR,
        "Column of tables, JSON objects or TEI editions whose values are the groups; folder or "
        "file, by their names; or a pattern of file names with one pair of brackets around the "
        "group, such as _(\\d{4}). Without a column “year”, year means the year in the column "
        "“date”.",
        label="Group by",
        basic=True,
    )
    years: int = param(
        0,
        "Number of years in a group: 10 = decades. The year is the first number with four digits. "
        "0 = values as they are.",
        label="Years per group",
        low=0,
        high=1000,
        grows="fewer groups with more text each",
        basic=True,
    )


@dataclass(frozen=True, eq=False)
class SentenceGroups:
    """The group of each sentence of a corpus.

    by : what groups them, as in ``GroupParams.by``
    values : names of the G groups. Numbers and dates are in ascending order, others in order of
    appearance
    codes : int32[S], the number of each sentence’s group, −1 without one
    """

    by: str
    values: tuple[str, ...]
    codes: Ids

    def __len__(self) -> int:
        return len(self.values)

    @property
    def ordered(self) -> bool:
        """Whether the order of groups has a meaning, because they are numbers or dates."""
        return _are_ordered(self.values)

    def tokens(self, corpus: Corpus) -> Ints:
        """int64[G], number of tokens of each group."""
        lengths = np.diff(np.asarray(corpus.sentences))
        known = self.codes >= 0
        return np.bincount(
            self.codes[known], weights=lengths[known], minlength=len(self.values)
        ).astype(np.int64)


_kept: WeakKeyDictionary[Corpus, dict[GroupParams, SentenceGroups]] = WeakKeyDictionary()
_keeping = threading.Lock()


def sentence_groups(corpus: Corpus, params: GroupParams) -> SentenceGroups:
    """The groups of all sentences, kept in memory while the corpus is.

    A sentence belongs to the group of its first token. Raises UserError for unknown columns, wrong
    patterns, and if there are no groups or more than MOST_GROUPS.
    """
    with _keeping:
        found = _kept.get(corpus, {}).get(params)
    if found is None:
        found = _group(corpus, params)
        with _keeping:
            _kept.setdefault(corpus, {})[params] = found
    return found


def offered_groups(corpus: Corpus) -> tuple[str, ...]:
    """What can group the sentences of a corpus, as in ``GroupParams.by``, except patterns: the year
    first, then its columns, its folders and its files; empty for a single file without columns.
    """
    columns = column_names(corpus)
    lower = [name.casefold() for name in columns]
    found = [name for name in columns if name.casefold() != YEAR]
    if YEAR in lower or DATE in lower:
        found.insert(0, YEAR)
    if corpus.file_edges is not None and len(corpus.files) > 1:
        if len({PurePath(file.path).parent for file in corpus.files}) > 1:
            found.append(FOLDER)
        if len(corpus.files) <= MOST_GROUPS:
            found.append(FILE)
    return tuple(dict.fromkeys(found))


def _group(corpus: Corpus, params: GroupParams) -> SentenceGroups:
    labels, codes = _labels(corpus, params.by.strip())
    names = labels
    if params.years:
        names = tuple(_period(label, params.years) for label in labels)
        if any(labels) and not any(names):
            raise _no_year(params.by, labels)
    values = _ordered(tuple(dict.fromkeys(name for name in names if name)))
    numbers = {name: number for number, name in enumerate(values)}
    # The last entry is for sentences without a label, whose code is −1.
    renumbered = np.array([*(numbers.get(name, -1) for name in names), -1], dtype=np.int32)
    grouped = renumbered[codes]
    used = np.unique(grouped[grouped >= 0])
    if len(used) < len(values):
        # Files without a sentence have no group.
        values = tuple(values[number] for number in used.tolist())
        places = np.full(len(numbers) + 1, -1, dtype=np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        grouped = places[grouped]
    _check(corpus, params, values, names)
    return SentenceGroups(params.by, values, grouped)


def _labels(corpus: Corpus, by: str) -> tuple[tuple[str, ...], Ids]:
    """Names, and for each sentence the number of its name, −1 without one."""
    columns = [name.casefold() for name in column_names(corpus)]
    if by.casefold() in columns:
        return _column_labels(corpus, by)
    if by == YEAR and DATE in columns:
        names, codes = _column_labels(corpus, DATE)
        return tuple(_period(name, 1) for name in names), codes
    if by == FILE:
        return _file_labels(corpus, file_names([file.path for file in corpus.files]))
    if by == FOLDER:
        return _file_labels(corpus, [PurePath(file.path).parent.name for file in corpus.files])
    if "(" in by:
        return _file_labels(corpus, _matches(by, [file.path for file in corpus.files]))
    raise _unknown_column(corpus, by)


def _column_labels(corpus: Corpus, by: str) -> tuple[tuple[str, ...], Ids]:
    column = column_values(corpus, by)
    if not len(column.codes):
        return column.values, np.full(len(corpus.sentences) - 1, -1, dtype=np.int32)
    rows = np.searchsorted(column.begins[:-1], np.asarray(corpus.sentences[:-1]), side="right") - 1
    codes = column.codes[np.maximum(rows, 0)].astype(np.int32)
    codes[rows < 0] = -1
    return column.values, codes


def _file_labels(corpus: Corpus, labels: Sequence[str]) -> tuple[tuple[str, ...], Ids]:
    """A label for each file, "" without one."""
    edges = corpus.file_edges
    if edges is None:
        raise UserError(
            tr("{corpus} doesn’t record which text comes from which file.", corpus=corpus.name),
            tr("Open the files of the corpus again."),
        )
    files = np.searchsorted(edges[1:], np.asarray(corpus.sentences[:-1]), side="right")
    return tuple(labels), files.astype(np.int32)


def file_names(paths: Sequence[str]) -> list[str]:
    """The names of files without their suffix; with their folder where names are equal."""
    names = [PurePath(path).stem for path in paths]
    if len(set(names)) == len(names):
        return names
    return [f"{PurePath(path).parent.name}/{PurePath(path).stem}" for path in paths]


def _matches(pattern: str, paths: Sequence[str]) -> list[str]:
    """What the brackets of a pattern match in the name of each file, or in its path if the pattern
    contains a slash; "" without a match. Raises UserError.
    """
    import regex

    expression = _compiled(pattern)
    found = []
    for path in paths:
        name = PurePath(path).as_posix() if "/" in pattern else PurePath(path).name
        try:
            match: Any = expression.search(name, timeout=_SECONDS)
        except (TimeoutError, regex.error, RecursionError, MemoryError) as error:
            raise UserError(
                tr(
                    "The pattern “{pattern}” takes too long on “{name}”.",
                    pattern=pattern,
                    name=name,
                ),
                tr("Use a simpler pattern, such as _(\\d{4})."),
            ) from error
        found.append((match[1] or "").strip() if match else "")
    if not any(found):
        few = ", ".join(PurePath(path).name for path in paths[:3])
        raise UserError(
            tr(
                "The pattern “{pattern}” matches no file name, such as {names}.",
                pattern=pattern,
                names=few,
            ),
            tr("Put brackets around the part of the name that is the group, such as _(\\d{4})."),
        )
    return found


def _compiled(pattern: str) -> Any:
    import regex

    hint = tr("Put one pair of brackets around the group, such as _(\\d{4}).")
    try:
        expression = regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError, ValueError) as error:
        raise UserError(
            tr("“{pattern}” isn’t a valid pattern of file names.", pattern=pattern), hint
        ) from error
    if expression.groups != 1:
        raise UserError(
            tr(
                "The pattern “{pattern}” must have one pair of brackets, not {number}.",
                pattern=pattern,
                number=expression.groups,
            ),
            hint,
        )
    return expression


def _period(value: str, years: int) -> str:
    """The period of a value, "1850" for one year and "1850–1859" for ten; "" without a year."""
    found = _FOUR_DIGITS.search(value)
    if found is None:
        return ""
    first = int(found[0]) // years * years
    return str(first) if years == 1 else f"{first}–{first + years - 1}"


def _are_ordered(values: Sequence[str]) -> bool:
    return bool(values) and (
        all(_NUMBER.fullmatch(value) for value in values)
        or all(_ISO_DATE.fullmatch(value.split("–")[0]) for value in values)
    )


def _ordered(values: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers and dates in ascending order, others as they are."""
    if not _are_ordered(values):
        return values
    if all(_NUMBER.fullmatch(value) for value in values):
        return tuple(sorted(values, key=float))
    return tuple(sorted(values))


def _check(
    corpus: Corpus, params: GroupParams, values: Sequence[str], names: Sequence[str]
) -> None:
    if not values:
        raise UserError(
            tr("No sentence of {corpus} has a group by “{by}”.", corpus=corpus.name, by=params.by),
            _choices(corpus),
        )
    if len(values) > MOST_GROUPS:
        raise UserError(
            tr(
                "“{by}” forms {number:,} groups, and {most:,} is the maximum.",
                by=params.by,
                number=len(values),
                most=MOST_GROUPS,
            ),
            tr("Put several years in a group with {years}.", years=quoted_param("years"))
            if any(_FOUR_DIGITS.search(name) for name in names)
            else _choices(corpus),
        )


def _no_year(by: str, names: Sequence[str]) -> UserError:
    few = ", ".join([name for name in names if name][:3])
    return UserError(
        tr("The values of “{by}” contain no year, such as 1850: {values}.", by=by, values=few),
        tr("Set {years} to 0.", years=quoted_param("years")),
    )


def _unknown_column(corpus: Corpus, by: str) -> UserError:
    return UserError(
        tr("{corpus} has no column “{name}”.", corpus=corpus.name, name=by), _choices(corpus)
    )


def _choices(corpus: Corpus) -> str:
    """A hint with everything that can group a corpus."""
    known = ", ".join([*column_names(corpus), FOLDER, FILE])
    return tr("Choose one of: {known}; or a pattern of file names with brackets.", known=known)
