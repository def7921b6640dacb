"""Unicode normal forms (UAX 15) of a text that comes in blocks.

The text is normalised before it is split, so tokenisers only see normalised text. A run of more
than thirty marks gets a combining grapheme joiner after every thirtieth (UAX 15, stream-safe text):
no script has such runs, and sorting one takes time that grows with the square of its length.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Literal

from workbench.corpus.tokenise.char_classes import code_points

Form = Literal["NFC", "NFKC"]

_JOINER = "\u034f"
_LONGEST_RUN = 30
_LONGEST_WAIT = 1 << 12


class Normaliser:
    """Normalises blocks, which may be cut anywhere: the end of a block, from its last character
    that starts a new combination, waits for the next block.
    """

    def __init__(self, form: Form) -> None:
        self._form: Form = form
        self._carry = ""

    def feed(self, text: str, final: bool = False) -> str:
        """The normalised text that ``text`` completes; ``final`` ends a file."""
        text = self._carry + text
        self._carry = ""
        if not text.isascii():
            text = _long_runs().sub(rf"\g<0>{_JOINER}", text)
        if not final:
            cut = len(text) - 1
            # At most thirty marks follow one another here, and no script has long runs of jamo that
            # combine.
            while cut > 0 and not starts_sequence(text[cut]) and len(text) - cut < _LONGEST_WAIT:
                cut -= 1
            text, self._carry = text[: max(cut, 0)], text[max(cut, 0) :]
        return normalise_text(text, self._form)


def normalise_text(text: str, form: Form) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize(form, text)


def spelt_twice(words: Sequence[str]) -> int:
    """Number of words that also occur as other characters for the same letters (UAX 15): with é as
    one character and as e with a mark.
    """
    others = [
        (word, unicodedata.normalize("NFC", word))
        for word in words
        if not word.isascii() and not unicodedata.is_normalized("NFC", word)
    ]
    if not others:
        return 0
    known = set(words)
    # Two forms of a word that isn’t in NFC itself are two spellings, too.
    forms = Counter(form for _, form in others)
    return sum(form in known or number > 1 for form, number in forms.items())


def starts_sequence(character: str) -> bool:
    """Whether no normal form combines the character with the text before it, or reorders it."""
    if character < "\u0300" or character == _JOINER:
        return True
    # Halfwidth kana marks and jamo decompose to combining characters; vowel and final jamo combine,
    # initial ones do not.
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] != "M" and not "\u1160" <= first <= "\u11ff"


@cache
def _long_runs() -> re.Pattern[str]:
    """Pattern for thirty marks followed by another one; U+034F is the joiner itself."""
    marks = rf"(?!{_JOINER})[{code_points('M')}\uff9e\uff9f]"
    return re.compile(f"(?:{marks}){{{_LONGEST_RUN}}}(?={marks})")
