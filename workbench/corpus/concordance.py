"""Keyword in context: occurrences of a word or of a pattern, sorted by their neighbours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ints
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.context_iterator import outwards, places_of
from workbench.corpus.corpus import Corpus
from workbench.corpus.suggestions import suggestion
from workbench.corpus.word_lookup import spellings
from workbench.corpus.word_pattern import find_pattern, is_pattern

ORDERS = ("text", "left", "right")
MOST = 100_000
# Number of neighbouring words that determine the order.
_DEPTH = 4

_alphabets: WeakKeyDictionary[Corpus, npt.NDArray[np.int32]] = WeakKeyDictionary()
_sorting = threading.Lock()


@dataclass(frozen=True)
class ConcordanceLine:
    """A word, or the words of a pattern, with the words of its sentence before and after it.
    ``position`` is in tokens from 0.

    ``marks`` is the position of the second word of a search, in tokens from the word (−1: just
    before).
    """

    left: str
    word: str
    right: str
    position: int
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Concordance:
    """Lines that are made on demand, in the order of ``positions``.

    positions : int64[n], in tokens from 0
    total : number of all occurrences; if there are more than n, evenly spaced ones were chosen
    near : the word that is within the window in every line, or ""
    near_row, window, size : its rank, and how distances are counted (see ``outwards``)
    width : number of words shown on each side
    length : number of words of each match, 1 for a word
    """

    corpus: Corpus
    word: str
    positions: Ints
    total: int
    order: str = "text"
    near: str = ""
    near_row: int = -1
    window: int = 0
    size: int = 0
    width: int = 10
    length: int = 1
    _line_cache: dict[int, ConcordanceLine] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, index: int) -> ConcordanceLine:
        line = self._line_cache.get(index)
        if line is None:
            if len(self._line_cache) > 2000:
                self._line_cache.clear()
            line = self._line_cache[index] = self._line(int(self.positions[index]))
        return line

    def __iter__(self) -> Iterator[ConcordanceLine]:
        return (self[index] for index in range(len(self)))

    def _line(self, position: int) -> ConcordanceLine:
        corpus = self.corpus
        sentence = int(np.searchsorted(corpus.sentences, position, side="right")) - 1
        first = max(int(corpus.sentences[sentence]), position - self.width)
        end = position + self.length
        last = min(int(corpus.sentences[sentence + 1]), end + self.width)
        words = [corpus.words[number] for number in corpus.ids[first:last].tolist()]
        middle = position - first
        marks: list[int] = []
        if self.near:
            for step in outwards(corpus, np.array([position]), self.window, self.size):
                marks += (step.places[step.ids == self.near_row] - position).tolist()
        return ConcordanceLine(
            " ".join(words[:middle]),
            " ".join(words[middle : middle + self.length]),
            " ".join(words[middle + self.length :]),
            position,
            tuple(sorted(marks)),
        )


def find(corpus: Corpus, word: str, n: int = 20, width: int = 8) -> tuple[ConcordanceLine, ...]:
    """Up to ``n`` occurrences of ``word``, with ``width`` words on each side, in order of the
    text.

    See ``concordance``.
    """
    return tuple(concordance(corpus, word, most=n, width=width))


def concordance(
    corpus: Corpus,
    word: str,
    order: str = "text",
    *,
    near: str = "",
    window: int = 5,
    size: int = 0,
    most: int = MOST,
    width: int = 10,
    run: JobControl | None = None,
) -> Concordance:
    """The occurrences of ``word``, or of a pattern (see ``word_pattern``); with ``near``, those
    with that word in their window.

    order : "text", or by the words to the "left" (the nearest first) or "right", alphabetically,
        beginnings and ends of sentences first
    size : distances within ``window`` are counted in words of rank below it (0: all)
    most : maximum number of occurrences, evenly spaced, including the first and the last

    Words beyond the sentence are not shown, because no window reaches them. Raises UnknownWord,
    UserError for an unknown order, for a pattern that matches no word, and for a pattern of several
    words with ``near``, and Cancelled.
    """
    if order not in ORDERS:
        raise UserError(
            tr("Unknown sort order “{order}”.", order=order),
            tr("Choose one of: {names}.", names=", ".join(ORDERS)),
        )
    places, written, length = _matches(corpus, word, run)
    if near and length > 1:
        raise UserError(
            tr("A pattern of several words can’t be combined with a second word."),
            tr("Search for a single word, or leave out the second one."),
        )
    near_row = -1
    if near:
        near_row = row_of(corpus, near)
        beside = np.zeros(len(places), dtype=np.bool_)
        for step in outwards(corpus, places, window, size, run):
            beside[step.which[step.ids == near_row]] = True
        places = places[beside]
    total = len(places)
    if total > most:
        places = places[np.linspace(0, total - 1, most).round().astype(np.int64)]
    found = Concordance(
        corpus,
        written,
        places,
        total,
        near=corpus.words[near_row] if near else "",
        near_row=near_row,
        window=window,
        size=size,
        width=width,
        length=length,
    )
    if order == "text":
        return found
    return sort_lines(found, order, run)


def sort_lines(found: Concordance, order: str, run: JobControl | None = None) -> Concordance:
    """The same lines in another order of ORDERS; equal lines stay in the order of the text. Raises
    Cancelled.
    """
    places = np.sort(found.positions)
    if order != "text" and len(places):
        corpus = found.corpus
        alphabet = alphabetical(corpus)
        side = 1 if order == "right" else -1
        sentence = np.searchsorted(corpus.sentences, places, side="right")
        low, high = corpus.sentences[sentence - 1], corpus.sentences[sentence]
        keys = []
        for distance in range(1, _DEPTH + 1):
            if run is not None:
                run.check()
            # The right side begins after the last word of a pattern.
            at = places + side * distance + (found.length - 1 if side > 0 else 0)
            inside = (at >= low) & (at < high)
            key = np.full(len(places), -1, dtype=np.int32)
            key[inside] = alphabet[corpus.ids[at[inside]]]
            keys.append(key)
        places = places[np.lexsort(keys[::-1])]
    return replace(found, positions=places, order=order, _line_cache={})


def _matches(corpus: Corpus, word: str, run: JobControl | None) -> tuple[Ints, str, int]:
    """Positions of a word or pattern, as it is spelled in the corpus, and its number of words. A
    token of the corpus that looks like a pattern is a word.
    """
    try:
        row = row_of(corpus, word)
    except UnknownWord:
        if not is_pattern(word):
            raise
        places, length = find_pattern(corpus, word, run)
        return places, word, length
    return places_of(corpus, row, run), corpus.words[row], 1


def row_of(corpus: Corpus, word: str) -> int:
    """The rank (from 0) of a word, in the spelling of the corpus. Raises UnknownWord."""
    # For one word, searching all words for each spelling takes less time than building an index.
    for written in dict.fromkeys(spellings(word, corpus.options)):
        with suppress(ValueError):
            return corpus.words.index(written)
    raise UnknownWord(word, suggestion(corpus.words, word) or tr("Check the spelling."))


def alphabetical(corpus: Corpus) -> npt.NDArray[np.int32]:
    """int32[types], the alphabetical rank of every word (ignoring case), cached for a corpus."""
    with _sorting:
        found = _alphabets.get(corpus)
        if found is None:
            words = corpus.words
            order = sorted(range(len(words)), key=lambda row: (words[row].casefold(), words[row]))
            found = np.empty(len(words), dtype=np.int32)
            found[order] = np.arange(len(words), dtype=np.int32)
            _alphabets[corpus] = found
        return found
