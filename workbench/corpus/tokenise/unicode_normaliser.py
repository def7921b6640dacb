"""Unicode normal forms (UAX 15) of a text that comes in blocks.

The text is normalised before it is split, so that a tokeniser never meets what the form would have
changed. A run of more than thirty marks gets a combining grapheme joiner after every thirtieth (UAX
15, stream-safe text): no writing has such runs, and putting one in order takes time that grows with
its square.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

from workbench.corpus.tokenise.char_classes import code_points

Form = Literal["NFC", "NFKC"]

_JOINER = "\u034f"
_LONGEST_RUN = 30
_LONGEST_WAIT = 1 << 12


class Normaliser:
    """Blocks may be cut anywhere: the end of one waits for the next from its last character that
    starts a new combination.
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
            # Of marks no more than thirty follow one another here, of jamo that join no writing has
            # many.
            while cut > 0 and not begins_anew(text[cut]) and len(text) - cut < _LONGEST_WAIT:
                cut -= 1
            text, self._carry = text[: max(cut, 0)], text[max(cut, 0) :]
        return normalise_text(text, self._form)


def normalise_text(text: str, form: Form) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize(form, text)


def begins_anew(character: str) -> bool:
    """Whether no normal form joins it with the text before it, or reorders it."""
    if character < "\u0300" or character == _JOINER:
        return True
    # Halfwidth kana marks and jamo decompose to what joins. Of jamo vowels and finals do, initials
    # do not.
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] != "M" and not "\u1160" <= first <= "\u11ff"


@cache
def _long_runs() -> re.Pattern[str]:
    """Thirty marks with another one after them; U+034F is the joiner itself."""
    marks = rf"(?!{_JOINER})[{code_points('M')}\uff9e\uff9f]"
    return re.compile(f"(?:{marks}){{{_LONGEST_RUN}}}(?={marks})")
