"""Keyword in context: the places where a word stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.core.errors import UnknownWord
from workbench.corpus.corpus import Corpus

_BLOCK = 1 << 22


@dataclass(frozen=True)
class Line:
    """A word with the words of its sentence before and after it. ``position`` is in tokens from 0."""

    left: str
    word: str
    right: str
    position: int


def find(corpus: Corpus, word: str, n: int = 20, width: int = 8) -> tuple[Line, ...]:
    """Up to ``n`` places where ``word`` stands, with ``width`` words on either side, in order.

    Of more places than ``n``, evenly spaced ones are taken, the first and the last among them.
    Words beyond the sentence are not shown, as no window reaches them. Raises UnknownWord.
    """
    word = word.strip()
    if corpus.options.tokeniser == "words":
        word = word.replace("’", "'")
    if corpus.options.lowercase:
        word = word.lower()
    try:
        row = corpus.words.index(word)
    except ValueError:
        raise UnknownWord(word, "Check the spelling.") from None
    count = int(corpus.counts[row])
    wanted = np.arange(count) if count <= n else np.linspace(0, count - 1, n).round().astype(np.int64)
    lines: list[Line] = []
    seen = 0
    for begin in range(0, corpus.tokens, _BLOCK):
        places = np.flatnonzero(corpus.ids[begin : begin + _BLOCK] == row)
        here = wanted[(wanted >= seen) & (wanted < seen + len(places))] - seen
        lines += [_line(corpus, begin + int(place), width) for place in places[here]]
        seen += len(places)
        if len(lines) == len(wanted):
            break
    return tuple(lines)


def _line(corpus: Corpus, position: int, width: int) -> Line:
    sentence = int(np.searchsorted(corpus.sentences, position, side="right")) - 1
    first = max(int(corpus.sentences[sentence]), position - width)
    last = min(int(corpus.sentences[sentence + 1]), position + width + 1)
    words = [corpus.words[number] for number in corpus.ids[first:last].tolist()]
    middle = position - first
    return Line(" ".join(words[:middle]), words[middle], " ".join(words[middle + 1 :]), position)
