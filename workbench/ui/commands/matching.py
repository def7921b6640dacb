"""How well typed letters fit a line of text: beginnings of words before parts of words before scattered letters."""

from __future__ import annotations

from typing import NamedTuple

_WORD, _INITIALS, _INSIDE, _SCATTERED = 100.0, 80.0, 60.0, 20.0
# Letters further apart than this are no match that anybody meant.
_WIDEST_GAP = 6


class Match(NamedTuple):
    """``score`` is larger for a better fit; ``places`` are the positions of the letters that fit."""

    score: float
    places: tuple[int, ...]


def match(typed: str, text: str) -> Match | None:
    """Every word typed must be found in ``text``, in any order, capitals aside; None otherwise.

    A typed word fits as the beginning of a word, as initials of successive words, inside a word, or letter by letter
    with small gaps; the score of a line is the mean over the typed words, and a little more for short lines.
    """
    words, lower = typed.casefold().split(), text.casefold()
    if len(lower) != len(text):
        # Folding made letters two: places would not be those of the text.
        lower = text.lower()
    if not words:
        return Match(0.0, ())
    total, places = 0.0, set[int]()
    for word in words:
        found = _fit(word, lower)
        if found is None:
            return None
        total += found.score
        places.update(found.places)
    return Match(total / len(words) + 10.0 / (1 + len(text) / 10), tuple(sorted(places)))


def _fit(word: str, text: str) -> Match | None:
    starts = [at for at in range(len(text)) if text[at].isalnum() and (at == 0 or not text[at - 1].isalnum())]
    for order, at in enumerate(starts):
        if text.startswith(word, at):
            end = at + len(word)
            whole = end == len(text) or not text[end].isalnum()
            return Match(_WORD + 10 * whole - min(order, 9), tuple(range(at, end)))
    initials = _run_of([text[at] for at in starts], word)
    if len(word) > 1 and initials is not None:
        return Match(_INITIALS - initials, tuple(starts[initials : initials + len(word)]))
    at = text.find(word)
    if at >= 0:
        return Match(_INSIDE, tuple(range(at, at + len(word))))
    return _scattered(word, text) if len(word) > 2 else None


def _run_of(letters: list[str], word: str) -> int | None:
    """Where the letters of ``word`` stand in a row."""
    return next((at for at in range(len(letters) - len(word) + 1) if letters[at : at + len(word)] == list(word)), None)


def _scattered(word: str, text: str) -> Match | None:
    """The first way to find the letters in their order, none far from the one before; it begins where a word does."""
    for start in range(len(text)):
        if text[start] != word[0] or (start and text[start - 1].isalnum()):
            continue
        places = [start]
        for letter in word[1:]:
            at = text.find(letter, places[-1] + 1)
            if at < 0 or at - places[-1] > _WIDEST_GAP:
                break
            places.append(at)
        if len(places) == len(word):
            gaps = places[-1] - places[0] + 1 - len(word)
            return Match(max(_SCATTERED - gaps, 1.0), tuple(places))
    return None
