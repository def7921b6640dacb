"""Patterns of words in a row, found in the tokens of a corpus: “the * of”, “un*ing”,
“king|queen”.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate

import numpy as np

from workbench.core.arrays import Bools, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus

# Maximum number of words of a pattern, and tokens searched between two checks for cancellation.
MOST_WORDS, _BLOCK = 20, 1 << 20


def is_pattern(text: str) -> bool:
    """Whether a search is a pattern, not a word: it contains * or |, or a space between words. A
    question mark alone is a token.
    """
    return (
        any(mark in text for mark in "*|")
        or len(text.split()) > 1
        or ("?" in text and len(text.strip()) > 1)
    )


def matching_types(corpus: Corpus, part: str) -> Bools:
    """bool[types]: which words match one word of a pattern: * is any characters, also none, ? one
    character, | separates alternatives. Capitals count only in a corpus that kept them.
    """
    # Brackets are plain characters here.
    choices = (translate(choice.replace("[", "[[]")) for choice in part.split("|"))
    flags = re.IGNORECASE if corpus.options.lowercase else 0
    matches = re.compile("|".join(f"(?:{choice})" for choice in choices), flags).fullmatch
    words = corpus.words
    return np.fromiter((matches(word) is not None for word in words), np.bool_, len(words))


def find_pattern(corpus: Corpus, pattern: str, run: JobControl | None = None) -> tuple[Ints, int]:
    """int64[n], the positions of the first words of all matches, and the number of words of each
    match. Matches may overlap, but don’t cross the end of a sentence.

    Raises UserError for an empty or very long pattern and for one that no word matches, and
    Cancelled.
    """
    parts = pattern.split()
    if not 0 < len(parts) <= MOST_WORDS:
        raise UserError(
            tr(
                "A pattern has 1 to {most} words, not {number}.", most=MOST_WORDS, number=len(parts)
            ),
            tr("Write a pattern such as “the * of”."),
        )
    known = {part: matching_types(corpus, part) for part in dict.fromkeys(parts)}
    nothing = next((part for part, types in known.items() if not types.any()), None)
    if nothing is not None:
        raise UserError(
            tr("No word of {corpus} matches “{part}”.", corpus=corpus.name, part=nothing),
            tr("Use * for any characters and ? for one."),
        )
    return _positions(corpus, [known[part] for part in parts], run), len(parts)


def _positions(corpus: Corpus, types: Sequence[Bools], run: JobControl | None) -> Ints:
    length = len(types)
    sentences = np.asarray(corpus.sentences)
    found = []
    for begin in range(0, corpus.tokens - length + 1, _BLOCK):
        if run is not None:
            run.check()
            run.advance(begin / corpus.tokens, tr("Searching the pattern"))
        end = min(begin + _BLOCK, corpus.tokens - length + 1)
        ids = np.asarray(corpus.ids[begin : end + length - 1])
        hits = types[0][ids[: end - begin]]
        for at, matches in enumerate(types[1:], 1):
            hits &= matches[ids[at : at + end - begin]]
        places = np.flatnonzero(hits) + begin
        first = np.searchsorted(sentences, places, side="right")
        last = np.searchsorted(sentences, places + length - 1, side="right")
        found.append(places[first == last])
    return np.concatenate([np.empty(0, dtype=np.int64), *found]).astype(np.int64)
