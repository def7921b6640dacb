"""Tables of word pairs with scores: their separator, their header, and the column of the score."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError, shorten_text
from workbench.core.language import tr

Line = tuple[int, str]

# Separators by precedence; the comma in "king;queen;7,5" isn't one.
_SEPARATORS = ("\t", ";", ",", "[\t,;]", r"\|", r"\s+", ":")
_WORD_TITLE = re.compile(r"(word|wort|term|verb|noun|item)[\s_-]?[12ab]", re.IGNORECASE)
# Cells between spaces, at least one of them in quotation marks.
_CELL = re.compile(r'"([^"]*)"|([^\s"]+)')
_QUOTED = re.compile(r'(?:[^\s"]+\s+)*"[^"]*"(?:\s+(?:"[^"]*"|[^\s"]+))*')
_LETTERS = re.compile(r"[^\W\d_]+")
_MISSING = {"", "-", "–", "?", "na", "n/a", "nan", "none", "null"}

# Words in titles of columns: of the score, the best ones first, and of other numbers.
_MEANS = {"mean", "average", "avg", "mittel", "mittelwert", "durchschnitt"}
_SCORES = {
    *("score", "rating", "similarity", "relatedness", "sim", "rel", "gold", "human"),
    *("simlex", "simverb", "judgement", "judgment", "ähnlichkeit", "wert", "bewertung"),
}
_OTHERS = {
    *("sd", "std", "stdev", "se", "deviation", "var", "variance", "min", "max", "median"),
    *("n", "count", "counts", "id", "index", "rank", "freq", "frequency", "conc", "assoc"),
    *("rater", "annotator", "subject", "participant"),
}
# A mean in whole numbers can't be told from a rater; and of so many lines, some may be wrong.
_MOST_WRONG = 0.05
# Correlation of two columns that differ in scale and rounding only.
_SAME_SCALE = 0.9995
_FEWEST_RATERS = 3
_LARGEST_RATING = 100
_SHOWN = 8
# Distinct values of a column of parts of speech or relations, and lines for each.
_MOST_KINDS, _LINES_PER_KIND = 12, 4
# Lines that make a column.
_FEWEST_LINES = 5


# Titles of columns whose numbers are the lower, the more similar two words are.
_DISTANCE = re.compile(r"distan[cz]|dissimilar|unrelated|unähnlich|\babstand", re.IGNORECASE)
_SIMILARITY = re.compile(r"(?<!dis)similar|(?<!un)ähnlich|(?<!un)related", re.IGNORECASE)


class UnclearColumn(UserError):
    """A table has several columns of numbers, and none is clearly the score's, or the requested
    one isn't among them; ``choices``: those that can be requested.
    """

    def __init__(self, message: str, hint: str, choices: Sequence[str]) -> None:
        super().__init__(message, hint)
        self.choices = tuple(choices)


@dataclass(frozen=True)
class PairTable:
    """Pairs of words with their scores.

    column : title of the score's column, or its number from 1, among ``columns``
    detected : the column that is read if none is requested; "" if none is clear
    choices : the columns that can be requested
    negated : whether the column contains distances, so that scores are their negatives
    unscored : number of pairs left out because their score is missing
    """

    words: tuple[tuple[str, str], ...] = ()
    scores: tuple[float, ...] = ()
    column: str = ""
    columns: int = 0
    detected: str = ""
    choices: tuple[str, ...] = ()
    negated: bool = False
    unscored: int = 0


@dataclass(frozen=True)
class _Row:
    number: int
    line: str
    fields: list[str]

    def text(self, at: int) -> str:
        if at < len(self.fields):
            return self.fields[at]
        return ""

    def value(self, at: int) -> float:
        """The number in a column, which may have a decimal comma; NaN if there is none."""
        with suppress(ValueError):
            value = float(self.text(at).replace(",", "."))
            if math.isfinite(value):
                return value
        return math.nan

    def is_missing(self, at: int) -> bool:
        """Whether a column has a cell that says that its value is missing."""
        return at < len(self.fields) and self.text(at).casefold() in _MISSING


def read_pair_table(name: str, lines: Sequence[Line], column: str = "") -> PairTable:
    """The pairs in numbered lines of a file ``name``.

    One separator and one score column apply to the whole file. ``column`` is its title or its
    number from 1. Otherwise, it is the only column of numbers, the one whose title says mean or
    score, or the one that is the mean of all others, which are then raters; or the mean of raters
    whose titles differ only in a number. The first line is a header if it has text where others
    have numbers. Words whose part of speech is a letter after a hyphen, such as sun-n in MEN, lose
    it. Distances, recognised by the title, are negated, unless none is positive. Pairs with a cell
    such as NA instead of a score are left out. Raises UserError for another line without a score,
    and UnclearColumn.
    """
    rows = _split(lines)
    if not rows:
        return PairTable()
    first, *others = (len(row.fields) for row in rows)
    titled = '"' in rows[0].line and not any(
        math.isfinite(rows[0].value(at)) for at in range(first)
    )
    if titled and set(others) == {first + 1}:
        # R writes no title for the names of its rows.
        rows[0].fields.insert(0, "")
    rest = rows[1:] or rows
    columns = max(len(row.fields) for row in rest)
    numeric = [
        at
        for at in range(columns)
        if 2 * sum(math.isfinite(row.value(at)) for row in rest) >= len(rest)
    ]
    word_columns = _word_columns(rows, columns, numeric)
    if len(rows) > 1 and set(word_columns) & set(numeric):
        raise UserError(
            tr("{name} has no two columns of words.", name=name),
            tr("Write two words and a number per line, separated by tabs, commas or spaces."),
        )
    numeric = [at for at in numeric if at not in word_columns]
    if not numeric:
        if len(rows) == 1:
            return PairTable()
        if len(rows) < _FEWEST_LINES:
            raise _no_score(name, rest[0])
        raise UserError(
            tr("{name} has no column of numbers.", name=name),
            tr(
                "Write two words and their score per line. If the scores are in another file, join "
                "both line by line."
            ),
        )
    labels, is_header = _labels(rows[0], columns, numeric)
    rows = rows[is_header:]
    if not rows:
        return PairTable()
    label, choices, detected = _choose_scores(name, rows, labels, numeric, column)
    words, scores, unscored = _scored_pairs(name, rows, word_columns, choices[label])
    if not scores:
        raise _no_score(name, rows[0])
    negated = max(scores) > 0 and _is_distance(label)
    if negated:
        scores = [0 - score for score in scores]
    names = {places: name for name, places in choices.items()}
    return PairTable(
        _untagged(words),
        tuple(scores),
        label,
        columns,
        names.get(detected, ""),
        tuple(choices),
        negated,
        unscored,
    )


def _choose_scores(
    name: str, rows: Sequence[_Row], labels: list[str], numeric: list[int], column: str
) -> tuple[str, dict[str, tuple[int, ...]], tuple[int, ...]]:
    """The title of the scores, the columns of all choices by title, and the detected columns.
    Raises UserError.
    """
    raters = _raters(labels, numeric)
    choices: dict[str, tuple[int, ...]] = {labels[at]: (at,) for at in numeric}
    if raters:
        mean = tr("mean of {first} to {last}", first=labels[raters[0]], last=labels[raters[-1]])
        choices = {mean: raters, **choices}
    detected = _detect(rows, labels, numeric) or raters
    return _choose(name, choices, column, detected), choices, detected


def _labels(first: _Row, columns: int, numeric: list[int]) -> tuple[list[str], bool]:
    """Titles or numbers of the columns, and whether ``first`` is a header."""
    labels = [str(at + 1) for at in range(columns)]
    is_header = _is_header(first, numeric)
    if is_header:
        titles = first.fields
        labels[: len(titles)] = [
            title if title and title not in titles[:at] else labels[at]
            for at, title in enumerate(titles[:columns])
        ]
    return labels, is_header


def _scored_pairs(
    name: str, rows: Sequence[_Row], word_columns: tuple[int, int], places: Sequence[int]
) -> tuple[list[tuple[str, str]], list[float], int]:
    """The pairs with the means of these columns, and the number of pairs without a score. Raises
    UserError for another line without a score.
    """
    words: list[tuple[str, str]] = []
    scores: list[float] = []
    unscored = 0
    for row in rows:
        pair = row.text(word_columns[0]), row.text(word_columns[1])
        given = [value for at in places if math.isfinite(value := row.value(at))]
        if not given and all(pair) and all(map(row.is_missing, places)):
            unscored += 1
            continue
        if not given or not all(pair):
            raise _no_score(name, row)
        words.append(pair)
        scores.append(sum(given) / len(given))
    return words, scores, unscored


# -- lines


def _split(lines: Sequence[Line]) -> list[_Row]:
    """The lines, split at the separator that gives most of them three fields, and, if several
    do, more of the first ones.
    """
    best: list[_Row] = []
    found = (-1, -1)
    for separator in _SEPARATORS:
        rows = [_Row(number, line, _fields(line, separator)) for number, line in lines]
        fits = [len(row.fields) >= 3 for row in rows]
        score = (sum(fits), [*fits, False].index(False))
        if score > found:
            best, found = rows, score
    return best


def _fields(line: str, separator: str) -> list[str]:
    if '"' in line and len(separator) == 1:
        with suppress(csv.Error):
            quoted = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
            if len(quoted) >= 3:
                return [field.strip() for field in quoted]
    if _QUOTED.fullmatch(line.strip()):
        # As R’s write.table does.
        return [one or other for one, other in _CELL.findall(line)]
    return [field.strip() for field in re.split(separator, line.strip(" "))]


def _no_score(name: str, row: _Row) -> UserError:
    return UserError(
        tr(
            "{name}, line {number:,}: expected two words and a score, not “{line}”.",
            name=name,
            number=row.number,
            line=row.line[:40],
        ),
        tr("Write two words and a number per line, separated by tabs, commas or spaces."),
    )


def _word_columns(rows: Sequence[_Row], columns: int, numeric: list[int]) -> tuple[int, int]:
    """The columns called word1 and word2, or the first two without numbers. Parts of speech and
    relations, which have few values, aren't words.
    """
    titled = [at for at, text in enumerate(rows[0].fields) if _WORD_TITLE.fullmatch(text)]
    if len(titled) == 2:
        return titled[0], titled[1]
    texts = [at for at in range(columns) if at not in numeric]
    words = [at for at in texts if not _are_kinds([row.text(at) for row in rows])]
    for found in (words, texts):
        if len(found) >= 2:
            return found[0], found[1]
    return 0, 1


def _are_kinds(texts: Sequence[str]) -> bool:
    letters = all(len(text) == 1 and text.isascii() for text in texts)
    kinds = len(set(texts))
    return letters or (kinds <= _MOST_KINDS and _LINES_PER_KIND * kinds <= len(texts))


def _is_header(first: _Row, numeric: list[int]) -> bool:
    """Whether a line has text, or nothing at all, in a column of numbers, or says word1, word2."""
    if sum(bool(_WORD_TITLE.fullmatch(text)) for text in first.fields) == 2:
        return True
    without = [at for at in numeric if math.isnan(first.value(at))]
    return without == numeric or any(first.text(at).casefold() not in _MISSING for at in without)


def _untagged(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    if all(re.fullmatch(r".+-[anjrv]", word) for pair in pairs for word in pair):
        return tuple((first[:-2], second[:-2]) for first, second in pairs)
    return tuple(pairs)


# -- the column of the score


def _choose(
    name: str, choices: dict[str, tuple[int, ...]], column: str, detected: tuple[int, ...]
) -> str:
    """The key of the choice that is requested by its title or number, or else ``detected``. Raises
    UnclearColumn.
    """
    wanted = column.strip().casefold()
    for label, places in choices.items():
        if places == detected and not wanted:
            return label
    numbers = {str(places[0] + 1): label for label, places in choices.items() if not places[1:]}
    by_name = {**numbers, **{label.casefold(): label for label in reversed(choices)}}
    if wanted in by_name:
        return by_name[wanted]
    texts = [tr("“{text}”", text=shorten_text(label, 24)) for label in choices]
    names = ", ".join(texts if len(texts) <= _SHOWN else [*texts[:_SHOWN], "…"])
    if wanted:
        raise UnclearColumn(
            tr("{name} doesn’t have a column of numbers “{column}”.", name=name, column=column),
            tr("Choose one of: {names}.", names=names),
            tuple(choices),
        )
    raise UnclearColumn(
        tr("{name} has several columns of numbers: {names}.", name=name, names=names),
        tr("Give the score’s column the title “score” in the first line."),
        tuple(choices),
    )


def _detect(rows: Sequence[_Row], labels: Sequence[str], numeric: Sequence[int]) -> tuple[int, ...]:
    """The column that is clearly the score's; () if there is none."""
    if len(rows) >= _FEWEST_LINES:
        numeric = [at for at in numeric if not _are_places(rows, at)] or numeric
    kinds = {at: set(_LETTERS.findall(labels[at].casefold())) for at in numeric}
    plain = [at for at in numeric if not kinds[at] & _OTHERS]
    means, scores = ([at for at in plain if kinds[at] & kind] for kind in (_MEANS, _SCORES))
    distances = [at for at in plain if _is_distance(labels[at])]
    for fitting in (numeric, means, scores, distances, plain):
        if len(fitting) == 1:
            return (fitting[0],)
        # Titles of other numbers don’t say that they are the score.
        if fitting in (means, scores) and _are_one_scale(rows, fitting):
            return (fitting[0],)
    mean = _mean_column(rows, numeric)
    return () if mean is None else (mean,)


def _are_one_scale(rows: Sequence[_Row], columns: Sequence[int]) -> bool:
    """Whether the columns contain the same scores, up to scale and rounding, as the means from 0 to
    6 and from 0 to 10 of HyperLex (Vulić et al. 2017): the first of them is as good as any.
    """
    if not columns or len(rows) < _FEWEST_LINES:
        return False
    first, *others = (np.array([row.value(at) for row in rows]) for at in columns)
    if not all(np.isfinite(column).all() and np.ptp(column) > 0 for column in (first, *others)):
        return False
    return all(np.corrcoef(first, other)[0, 1] > _SAME_SCALE for other in others)


def _are_places(rows: Sequence[_Row], at: int) -> bool:
    """Whether a column numbers the lines one by one."""
    values = [row.value(at) for row in rows]
    return all(two == one + 1 for one, two in pairwise(values))


def _is_distance(label: str) -> bool:
    return bool(_DISTANCE.search(label)) and not _SIMILARITY.search(label)


def _raters(labels: Sequence[str], numeric: Sequence[int]) -> tuple[int, ...]:
    """The columns whose titles differ only in a number, if there are enough and at most one other
    column of numbers, such as an identifier.
    """
    by_name: dict[str, list[int]] = {}
    for at in numeric:
        name = labels[at].rstrip("0123456789").strip()
        if name and name != labels[at].strip():
            by_name.setdefault(name.casefold(), []).append(at)
    found = max(by_name.values(), key=len, default=[])
    if len(found) < max(_FEWEST_RATERS, len(numeric) - 1):
        return ()
    return tuple(found)


def _mean_column(rows: Sequence[_Row], numeric: Sequence[int]) -> int | None:
    """The only column that contains the means of all others: these exactly, or, if raters were
    left out of the mean, numbers between the lowest and the highest of whole ratings.
    """
    values = np.array([[row.value(at) for at in numeric] for row in rows])
    exact, between = [], []
    for place, at in enumerate(numeric):
        digits = max(len(row.text(at).replace(",", ".").partition(".")[2]) for row in rows)
        if not digits or not np.isfinite(values[:, place]).all():
            continue
        others = np.delete(values, place, axis=1)
        if not np.isfinite(others).any(axis=1).all():
            continue
        error = np.abs(np.nanmean(others, axis=1) - values[:, place])
        if np.mean(error > 0.501 * 10.0**-digits) <= _MOST_WRONG:
            exact.append(at)
        if others.shape[1] >= _FEWEST_RATERS and _is_between(values[:, place], others):
            between.append(at)
    for found in (exact, between):
        if len(found) == 1:
            return found[0]
    return None


def _is_between(means: Doubles, ratings: Doubles) -> bool:
    known = ratings[np.isfinite(ratings)]
    whole = (known == np.floor(known)) & (known >= 0) & (known <= _LARGEST_RATING)
    inside = (means >= np.nanmin(ratings, axis=1)) & (means <= np.nanmax(ratings, axis=1))
    return bool(whole.all() and inside.all() and (means != np.floor(means)).any())
