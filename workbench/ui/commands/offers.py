"""What the palette offers: every declared action and choice, and the words of the vocabulary, the best fits first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.matching import match
from workbench.ui.commands.shortcuts import shown
from workbench.ui.widgets.word_search import WordIndex

if TYPE_CHECKING:
    from workbench.ui.window import Window

_BY_USE, _IN_DESCRIPTION, _OF_WORDS = 14.0, 30.0, 45.0
# The very word comes after actions that begin with it: “about” is the window's before it is the corpus's.
_THE_WORD = 111.0
_WORDS = 6
_MOST = 60


@dataclass(frozen=True)
class Offer:
    """A line of the palette. ``places`` are the letters of ``text`` that were typed."""

    key: str
    text: str
    home: str
    description: str
    run: Callable[[], object]
    keys: str = ""
    why_not: str = ""
    places: tuple[int, ...] = ()


def offers(window: Window) -> list[Offer]:
    """All that can be done in a window, as things stand, in the order of the declarations."""
    commands, found = window.commands, []
    every = commands.shortcuts.all()
    for known in commands.known:
        declared, home = known.action, known.home.title
        if known.panel is not None and not window.docks[known.panel.key].is_made:
            continue
        if declared.key == "edit.palette":
            continue
        if isinstance(declared, Action):
            keys = "  ".join(shown(each) for each in every[declared.key][:1])
            run = partial(commands.run, declared.key)
            found.append(
                Offer(
                    declared.key, commands.text(declared.key), home, declared.description, run, keys,
                    commands.why_not(declared.key),
                )
            )  # fmt: skip
            continue
        for entry in commands.entries(declared.key):
            found.append(
                Offer(
                    f"{declared.key}:{entry.key}", f"{declared.prompt}{entry.text}", home,
                    entry.description or declared.description, partial(commands.choose, declared.key, entry), "",
                    entry.why_not or (tr("It is so already.") if entry.checked and declared.exclusive else ""),
                )
            )  # fmt: skip
    return found


def ranked(typed: str, every: Sequence[Offer], uses: dict[str, float], words: Sequence[Offer] = ()) -> list[Offer]:
    """Those that fit what was typed, the best first; with nothing typed all, the often used first."""
    scored: list[tuple[float, int, Offer]] = []
    for place, offer in enumerate(every):
        found = match(typed, offer.text)
        used = _BY_USE * math.log1p(uses.get(offer.key, 0.0))
        # What cannot be done now comes after what can.
        used -= 5.0 if offer.why_not else 0.0
        if found is not None:
            scored.append((found.score + used, place, _marked(offer, found.places)))
        elif match(typed, f"{offer.home} {offer.text} {offer.description}") is not None:
            scored.append((_IN_DESCRIPTION + used, place, offer))
    scored += [
        ((_THE_WORD if offer.text.casefold() == typed.strip().casefold() else _OF_WORDS) - at, len(every) + at, offer)
        for at, offer in enumerate(words)
    ]
    scored.sort(key=lambda each: (-each[0], each[1]))
    return [offer for _, _, offer in scored][: _MOST if typed.strip() else None]


def words(window: Window, index: WordIndex | None, typed: str) -> list[Offer]:
    """The most frequent words that begin with what was typed, to be selected."""
    letters = typed.strip()
    if index is None or not letters or " " in letters:
        return []
    return [
        Offer(
            f"word:{word}", word, tr("Word"), tr("Select “{word}” in every panel.", word=word),
            partial(window.session.select, [word]), places=tuple(range(len(letters))),
        )
        for word in index.beginning(letters, _WORDS)
    ]  # fmt: skip


def _marked(offer: Offer, places: tuple[int, ...]) -> Offer:
    if not places:
        return offer
    return Offer(offer.key, offer.text, offer.home, offer.description, offer.run, offer.keys, offer.why_not, places)
