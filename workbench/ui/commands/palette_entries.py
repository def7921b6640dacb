"""Entries of the palette: every action and choice, and the words of the vocabulary, best matches
first.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache, partial
from typing import NamedTuple

from workbench.core.language import ENGLISH, language, source_text, tr
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import Known
from workbench.ui.commands.shortcuts import native_keys
from workbench.ui.commands.window_actions import Commands
from workbench.ui.shell.panel_window import PanelWindow
from workbench.ui.widgets.inputs.word_search import WordIndex

_WORD, _INITIALS, _INSIDE, _SIMILAR = 100.0, 80.0, 60.0, 20.0
# A mistyped word has at least this many letters and this similarity to the intended word.
_SHORTEST, _LEAST_SIMILAR = 4, 0.7
_TEXT_WORD = re.compile(r"\w+")


_BY_USE, _IN_DESCRIPTION, _OF_WORDS = 14.0, 30.0, 45.0
# The exact word comes after actions that begin with it: “about” means the window's action before
# the word in the corpus.
_THE_WORD = 111.0
# Pages come before actions on them: “leaderboard” comes before its export.
_PAGES = ("view.panel:", "view.page:")
_FOR_PAGES, _FOR_NAME, _SYNONYM, _SYNONYM_BEGINS = 15.0, 20.0, 112.0, 99.0
_WORDS = 6
_MOST = 60


@dataclass(frozen=True)
class Offer:
    """A line of the palette. ``places`` are the positions of the typed letters in ``text``;
    ``english`` is the English text in a window in another language, whose users know both.
    """

    key: str
    text: str
    home: str
    description: str
    run: Callable[[], object]
    keys: str = ""
    why_not: str = ""
    places: tuple[int, ...] = ()
    synonyms: str = ""
    english: str = ""

    @property
    def shows_page(self) -> bool:
        """Whether the offer brings a panel or a page to the front."""
        return self.key.startswith(_PAGES)


def window_offers(commands: Commands) -> list[Offer]:
    """All actions of a window, in the order of the declarations. One that can't state its text or
    availability, because of a defect, is reported and left out.
    """
    found: list[Offer] = []
    every = commands.shortcuts.all()
    for known in commands.actions:
        if known.action.key == "edit.palette":
            continue
        try:
            found += _offers_of(commands, known, every)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
    return found


def _offers_of(commands: Commands, known: Known, every: Mapping[str, Sequence[str]]) -> list[Offer]:
    """The offers of one declaration. ``every``: the shortcuts by the keys of actions."""
    declared, home = known.action, known.home.title
    if isinstance(declared, Action):
        keys = "  ".join(native_keys(each) for each in every[declared.key][:1])
        run = partial(commands.run, declared.key)
        text, why_not = declared.text, ""
        # An action of a panel that hasn't been opened yet says why it isn't available only when
        # it is run.
        if not commands.sleeps(declared.key):
            text, why_not = commands.text(declared.key), commands.why_not(declared.key)
        return [
            Offer(
                declared.key,
                text,
                home,
                declared.description,
                run,
                keys,
                why_not,
                synonyms=_in_both_languages(declared.synonyms),
                english=_english(declared.text),
            )
        ]
    return [
        Offer(
            f"{declared.key}:{entry.key}",
            f"{declared.prompt}{entry.text}",
            home,
            entry.description or declared.description,
            partial(commands.choose, declared.key, entry),
            "",
            entry.why_not or (tr("Already set.") if entry.checked and declared.exclusive else ""),
            synonyms=_in_both_languages(entry.synonyms),
            english=_english(declared.prompt, entry.text),
        )
        for entry in commands.entries(declared.key)
    ]


def _english(*parts: str) -> str:
    """The English text, "" if it is the text of the window."""
    return "" if language() == ENGLISH else "".join(map(source_text, parts))


def _in_both_languages(synonyms: str) -> str:
    source = source_text(synonyms)
    return synonyms if source == synonyms else f"{synonyms},{source}"


def rank_offers(
    typed: str, every: Sequence[Offer], uses: Mapping[str, float], words: Sequence[Offer] = ()
) -> list[Offer]:
    """Entries that match the typed text, best first; without text all entries, the most used
    first.
    """
    scored: list[tuple[float, int, Offer]] = []
    for place, offer in enumerate(every):
        found = _match_offer(typed, offer)
        used = _BY_USE * math.log1p(uses.get(offer.key, 0.0))
        # Actions that aren’t available come after the others.
        used -= 5.0 if offer.why_not else 0.0
        if found is not None:
            scored.append((found.score + used, place, _mark_letters(offer, found.places)))
        elif match(typed, f"{offer.home} {offer.text} {offer.description} {offer.english}"):
            scored.append((_IN_DESCRIPTION + used, place, offer))
        elif (similar := match(typed, offer.text, mistyped=True)) is not None:
            scored.append((similar.score + used, place, _mark_letters(offer, similar.places)))
    # A word of the text that is also one of an action comes after that action.
    named = [score for score, _, offer in scored if _is_named(typed, offer)]
    the_word = min([_THE_WORD, *(score - 1 for score in named)])
    scored += [
        (
            (the_word if offer.text.casefold() == typed.strip().casefold() else _OF_WORDS) - at,
            len(every) + at,
            offer,
        )
        for at, offer in enumerate(words)
    ]
    scored.sort(key=lambda each: (-each[0], each[1]))
    return [offer for _, _, offer in scored][: _MOST if typed.strip() else None]


def _is_named(typed: str, offer: Offer) -> bool:
    """Whether the typed text is a whole word of an action, or one of its synonyms."""
    wanted = typed.strip().casefold()
    names = {one.strip() for one in offer.synonyms.casefold().split(",")}
    return wanted in {*_TEXT_WORD.findall(offer.text.casefold()), *names}


def _match_offer(typed: str, offer: Offer) -> Match | None:
    """The better match of text and synonyms; a page whose name was typed gets a bonus."""
    found = match(typed, offer.text)
    if found is None and offer.english and (known := match(typed, offer.english)) is not None:
        found = Match(known.score, ())
    synonym = _synonym_score(typed, offer.synonyms)
    if synonym > 0 and (found is None or synonym > found.score):
        found = Match(synonym, ())
    if found is not None and typed.strip().casefold() == offer.text.rstrip("…").casefold():
        return Match(found.score + _FOR_NAME, found.places)
    if found is not None and offer.shows_page and found.score >= _SYNONYM_BEGINS:
        return Match(found.score + _FOR_PAGES, found.places)
    return found


def _synonym_score(typed: str, synonyms: str) -> float:
    """The score of the best matching synonym, 0 if none begins with the typed text."""
    wanted = typed.strip().casefold()
    best = 0.0
    for synonym in synonyms.casefold().split(","):
        if not wanted or not synonym.strip().startswith(wanted):
            continue
        score = _SYNONYM if synonym.strip() == wanted else _SYNONYM_BEGINS
        best = max(best, score)
    return best


def word_offers(window: PanelWindow, index: WordIndex | None, typed: str) -> list[Offer]:
    """The most frequent words that begin with the typed text, to be selected."""
    letters = typed.strip()
    if index is None or not letters or " " in letters:
        return []
    return [
        Offer(
            f"word:{word}",
            word,
            tr("Word"),
            tr("Select “{word}” in every panel.", word=word),
            partial(window.session.selection.select, [word]),
            places=tuple(range(len(letters))),
        )
        for word in index.beginning(letters, _WORDS)
    ]


def _mark_letters(offer: Offer, places: tuple[int, ...]) -> Offer:
    if not places:
        return offer
    return Offer(
        offer.key,
        offer.text,
        offer.home,
        offer.description,
        offer.run,
        offer.keys,
        offer.why_not,
        places,
        offer.synonyms,
        offer.english,
    )


class Match(NamedTuple):
    """``score`` is larger for a better match; ``places`` are the positions of the matching
    letters.
    """

    score: float
    places: tuple[int, ...]


def match(typed: str, text: str, *, mistyped: bool = False) -> Match | None:
    """Match each typed word in ``text``, in any order, ignoring case; None if a word isn't found.

    A typed word matches the beginning of a word, the initials of successive words, the inside of a
    word or, with ``mistyped``, a similar part of the text. The score of a line is the mean over the
    typed words, with a small bonus for short lines.
    """
    words, lower = typed.casefold().split(), text.casefold()
    if len(lower) != len(text):
        # Case folding turned one letter into two: positions would not be those of the text.
        lower = text.lower()
    if not words:
        return Match(0.0, ())
    total, places = 0.0, set[int]()
    for word in words:
        found = _match_word(word, lower, mistyped)
        if found is None:
            return None
        total += found.score
        places.update(found.places)
    return Match(total / len(words) + 10.0 / (1 + len(text) / 10), tuple(sorted(places)))


@lru_cache(maxsize=10_000)
def _find_starts(text: str) -> tuple[int, ...]:
    """Positions at which words begin. Remembered, because each key typed asks for all entries."""
    return tuple(
        at
        for at in range(len(text))
        if text[at].isalnum() and (at == 0 or not text[at - 1].isalnum())
    )


@lru_cache(maxsize=10_000)
def _find_initials(text: str) -> str:
    """The letters with which words begin, remembered as well."""
    return "".join(text[at] for at in _find_starts(text))


def _match_word(word: str, text: str, mistyped: bool) -> Match | None:
    inside = text.find(word)
    if inside >= 0:
        for order, at in enumerate(_find_starts(text)):
            if text.startswith(word, at):
                end = at + len(word)
                whole = end == len(text) or not text[end].isalnum()
                return Match(_WORD + 10 * whole - min(order, 9), tuple(range(at, end)))
    first = _find_initials(text).find(word) if len(word) > 1 else -1
    if first >= 0:
        return Match(_INITIALS - first, _find_starts(text)[first : first + len(word)])
    if inside >= 0:
        return Match(_INSIDE, tuple(range(inside, inside + len(word))))
    if mistyped and len(word) >= _SHORTEST:
        return _match_similar(word, text)
    return None


def _match_similar(word: str, text: str) -> Match | None:
    """The word of ``text`` most similar to a mistyped or incomplete word."""
    best: Match | None = None
    matcher = SequenceMatcher(None, "", word)
    for found in _TEXT_WORD.finditer(text):
        matcher.set_seq1(found[0])
        # The quicker bounds first: most words are ruled out by their length or their letters.
        bounds = (matcher.real_quick_ratio, matcher.quick_ratio)
        if any(bound() < _LEAST_SIMILAR for bound in bounds):
            continue
        score = _SIMILAR * matcher.ratio()
        if score >= _SIMILAR * _LEAST_SIMILAR and (best is None or score > best.score):
            blocks = matcher.get_matching_blocks()
            places = [found.start() + block.a + at for block in blocks for at in range(block.size)]
            best = Match(score, tuple(places))
    return best
