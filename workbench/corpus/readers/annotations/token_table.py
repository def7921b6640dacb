"""Tables with a token per row, as annotation programs write them (spacyr, udpipe, BookNLP): rows
that belong to one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from unicodedata import category

from workbench.core.language import tr
from workbench.corpus.readers.records import name_parts

# Names of columns with words, of columns about them, and of columns that number what contains them.
_WORD_NAMES = "token tokens tok word words form forms wordform orth surface wort mot palabra"
_ABOUT_NAMES = "lemma lemmas lemme pos upos xpos tag stem"
_SENTENCE_NAMES = "sentence sentences sent s satz phrase utterance turn"
_LINE_NAMES = "line page block zeile"
_TEXT_NAMES = "doc document text file paragraph par chapter section story"
_NUMBER_NAMES = "id ids num nr no n number index idx key name"
_JOINED_NAMES = "sentid sentenceid docid textid lineid parid sid"
_WORDS, _ABOUT_WORDS = frozenset(_WORD_NAMES.split()), frozenset(_ABOUT_NAMES.split())
_SENTENCES, _LINES = frozenset(_SENTENCE_NAMES.split()), frozenset(_LINE_NAMES.split())
_TEXTS, _NUMBERS = frozenset(_TEXT_NAMES.split()), frozenset(_NUMBER_NAMES.split())
_JOINED = frozenset(_JOINED_NAMES.split())
# Minimum number of rows, also of those without any mark of sentences, and of rows of a sentence;
# share of cells that are tokens, and of those that are punctuation.
_FEWEST, _FEWEST_PLAIN, _MEAN, _MOST, _MARKS = 4, 10, 1.5, 0.95, 0.02
_LONGEST_TOKEN = 40
# A word has few characters in scripts without spaces.
_UNSPACED, _LONGEST_UNSPACED = "\u0e00", 6
# A text without sentences is cut into pieces of so many tokens.
MOST_TOKENS = 10_000


@dataclass(frozen=True)
class TokenTable:
    """How rows form sentences.

    column : the column with the words
    units : columns of which a new value ends a sentence
    counter : a column that numbers the tokens of each sentence, or −1
    gaps : whether empty lines end sentences
    constant : columns with one value for all rows of a sentence
    """

    column: int
    units: tuple[int, ...]
    counter: int
    gaps: bool
    constant: frozenset[int]

    def is_new(self, before: Sequence[str], row: Sequence[str]) -> bool:
        """Whether a row begins another sentence than the one ``before`` it."""
        return any(_cell(before, at) != _cell(row, at) for at in self.units) or (
            self.counter >= 0
            and _number(_cell(row, self.counter)) <= _number(_cell(before, self.counter))
        )

    def note(self, names: Sequence[str]) -> str:
        """A sentence about how the rows were joined."""
        columns = [names[at] for at in self.units] or [names[self.counter]] * (self.counter >= 0)
        if columns:
            return tr(
                "Each row contains a token. The tokens of a sentence were joined by: {columns}.",
                columns=", ".join(columns),
            )
        if self.gaps:
            return tr(
                "Each row contains a token. The tokens between empty lines were read as a sentence."
            )
        return tr(
            "Each row contains a token. The tokens run on, because no column marks sentences."
        )


def token_table(
    names: Sequence[str], rows: Sequence[Sequence[str]], guess: int, gaps: int
) -> TokenTable | None:
    """How the first ``rows`` of a table form sentences; None if they aren’t tokens.

    guess : the column with the most text
    gaps : number of empty lines between the rows
    """
    rows = [row for row in rows if any(row)]
    width = len(names)
    if len(rows) < _FEWEST or width < 2:
        return None
    named = [at for at in range(width) if _is_word_name(names[at])]
    column = next((at for at in named if _are_tokens(rows, at)), guess)
    if not _are_tokens(rows, column):
        return None
    units = _units(names, rows, column)
    counter = next((at for at in range(width) if at != column and _restarts(rows, at)), -1)
    separate = gaps > 0 and len(rows) >= _MEAN * (gaps + 1)
    if units or counter >= 0:
        layout = TokenTable(column, units, counter, separate, frozenset())
    elif separate or (column == guess and _is_running(names, rows, column)):
        return TokenTable(column, (), -1, separate, frozenset())
    else:
        return None
    begins = [True, *(layout.is_new(one, two) for one, two in pairwise(rows))]
    constant = frozenset(
        at
        for at in range(width)
        if all(
            new or _cell(one, at) == _cell(two, at)
            for (one, two), new in zip(pairwise(rows), begins[1:], strict=True)
        )
    )
    return TokenTable(column, units, counter, separate, constant)


def are_token_lists(lists: Iterable[Sequence[str]]) -> bool:
    """Whether lists of texts, as fields of JSON contain them, are sentences as lists of tokens."""
    lists = [each for each in lists if each]
    tokens = [text for each in lists for text in each]
    return len(tokens) >= 2 * len(lists) > 0 and _share_of_tokens(tokens) >= _MOST


def without_repeats(texts: Iterable[str]) -> list[str]:
    """Texts without those that equal the one before."""
    return [text for text, _ in groupby(texts)]


def _is_word_name(name: str) -> bool:
    parts = name_parts(name)
    return bool(parts) and parts[-1] in _WORDS and not _NUMBERS.intersection(parts)


def _are_tokens(rows: Sequence[Sequence[str]], column: int) -> bool:
    cells = [cell for row in rows if (cell := _cell(row, column))]
    return (
        2 * len(cells) > len(rows)
        and _share_of_tokens(cells) >= _MOST
        and sum(any(map(str.isalpha, cell)) for cell in cells) > len(cells) / 2
    )


def _share_of_tokens(cells: Sequence[str]) -> float:
    return sum(map(_is_token, cells)) / max(len(cells), 1)


def _is_token(cell: str) -> bool:
    unspaced = sum(letter >= _UNSPACED and letter.isalpha() for letter in cell)
    return (
        len(cell.split()) == 1
        and len(cell) <= _LONGEST_TOKEN
        and (unspaced <= _LONGEST_UNSPACED or any("\uac00" <= each <= "\ud7a3" for each in cell))
    )


def _units(names: Sequence[str], rows: Sequence[Sequence[str]], column: int) -> tuple[int, ...]:
    """The columns of sentences and of texts; those of lines if no column is about sentences."""
    kinds: dict[str, list[int]] = {"sentence": [], "line": [], "text": []}
    for at, name in enumerate(names):
        kind = _kind(name)
        runs = 1 + sum(_cell(one, at) != _cell(two, at) for one, two in pairwise(rows))
        if kind and at != column and len(rows) >= _MEAN * runs:
            kinds[kind].append(at)
    return tuple(sorted(kinds["text"] + (kinds["sentence"] or kinds["line"])))


def _kind(name: str) -> str:
    """What a column numbers: sentences, lines or texts; "" for others."""
    parts = name_parts(name)
    if len(parts) == 1 and parts[0] in _JOINED:
        parts = [parts[0].removesuffix("id"), "id"]
    if not parts or len(parts) > 3 or any(part in _WORDS for part in parts):
        return ""
    if len(parts) > 1 and parts[-1] not in _NUMBERS:
        return ""
    for kind, words in (("sentence", _SENTENCES), ("line", _LINES), ("text", _TEXTS)):
        if any(part in words for part in parts):
            # A column “text” contains words; “s” and “doc” number what contains them.
            return "" if parts in (["text"], ["story"]) else kind
    return ""


def _restarts(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column numbers tokens from 0 or 1 and restarts."""
    cells = [_cell(row, column) for row in rows]
    if not all(cell.isdecimal() and len(cell) < 9 for cell in cells):
        return False
    numbers = list(map(int, cells))
    restarts = sum(two <= one for one, two in pairwise(numbers))
    return (
        numbers[0] in (0, 1)
        and restarts > 0
        and len(rows) >= _MEAN * (restarts + 1)
        and all(two in (one + 1, numbers[0]) for one, two in pairwise(numbers))
    )


def _is_running(names: Sequence[str], rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether tokens without any mark of sentences are a text rather than a list of words: they
    repeat, and some are punctuation, or other columns contain their lemmas or tags.
    """
    cells = [_cell(row, column) for row in rows]
    if len(cells) < _FEWEST_PLAIN or len(set(cells)) > _MOST * len(cells):
        return False
    marks = [cell for cell in cells if cell and all(category(mark)[0] == "P" for mark in cell)]
    return len(marks) >= _MARKS * len(cells) or any(
        part in _ABOUT_WORDS for name in names for part in name_parts(name)
    )


def _cell(row: Sequence[str], at: int) -> str:
    return row[at].strip() if at < len(row) else ""


def _number(cell: str) -> int:
    return int(cell) if cell.isdecimal() and len(cell) < 9 else 0
