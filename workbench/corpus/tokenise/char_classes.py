"""Character class tables of Unicode for the tokeniser kernel.

Invisible characters neither start nor end a word (as in UAX 29, rule WB4): soft hyphens, word
joiners, byte order marks, direction marks and variation selectors are skipped, marks belong to the
character before them, if any, and the joiner and non-joiner stay in their place within a word. The
zero width space counts as a space, because its purpose is to separate words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Classes of a code point. Kernels contain these numbers, and this line lets workbench.core.jit
# compile them again when the numbers change.
OTHER, WORD, APOSTROPHE, SPACE, MARK, IGNORED, JOINER = 0, 1, 2, 3, 4, 5, 6

NON_JOINER, ZERO_WIDTH_JOINER = 0x200C, 0x200D
_ZERO_WIDTH_SPACE = 0x200B
# Characters of category Cf that aren’t skipped: signs that precede numbers (UAX 29: prepended), and
# the tags of flags.
_SEEN = (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
_TAGS = range(0xE0020, 0xE0080)
_SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
# Invisible letters: fillers of Hangul.
_FILLERS = (0x115F, 0x1160, 0x3164, 0xFFA0)

CODE_POINTS = 0x110000

# Planes 0 to 3 and the start of plane 14 contain every letter, mark, digit and space that Unicode
# has; the rest is unassigned or private. A test compares the tables with unicodedata throughout.
_ASSIGNED = (range(0x40000), range(0xE0000, 0xE1000))
_CASED = range(0x20000)

# ``str.lower`` turns İ, the only letter with two characters in lowercase, into i and this mark,
# which is left out: i has a dot already.
COMBINING_DOT_ABOVE = 0x307


class Characters(NamedTuple):
    """Tables by code point.

    kind : uint8[0x110000], one of OTHER, WORD, APOSTROPHE, SPACE
    fold : int32[0x110000], the code point that replaces it
    """

    kind: npt.NDArray[np.uint8]
    fold: npt.NDArray[np.int32]


def characters(kinds: npt.NDArray[np.uint8], lowercase: bool) -> Characters:
    """The tables of a tokeniser with these kinds."""
    return Characters(kinds, _small_letters() if lowercase else _same_letters())


@cache
def word_kinds() -> npt.NDArray[np.uint8]:
    """Kinds for words: letters and digits form words, marks continue them; spaces are those of
    ``str.isspace`` and U+200B.
    """
    kind = np.full(CODE_POINTS, OTHER, dtype=np.uint8)
    category = unicodedata.category
    for assigned in _ASSIGNED:
        # Categories begin with L for letters, N for digits and other numbers.
        kind[assigned.start : assigned.stop] = [category(chr(code))[0] in "LN" for code in assigned]
    kind[[ord("'"), ord("’")]] = APOSTROPHE
    return _with_unseen(kind)


@cache
def blank_kinds() -> npt.NDArray[np.uint8]:
    """Kinds for splitting at spaces: all visible characters except spaces form words."""
    kind = _with_unseen(np.full(CODE_POINTS, WORD, dtype=np.uint8))
    kind[0] = SPACE  # the kernel pads words with zero bytes
    return kind


def _with_unseen(kind: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A table with the classes that all tokenisers share: spaces, marks, and invisible
    characters.
    """
    kind[_blanks()] = SPACE
    kind[
        [code for plane in _ASSIGNED for code in plane if unicodedata.category(chr(code))[0] == "M"]
    ] = MARK
    kind[[*_FILLERS, *_TAGS]] = MARK
    kind[_ignored_codes()] = IGNORED
    kind[[NON_JOINER, ZERO_WIDTH_JOINER]] = JOINER
    return kind


@cache
def _ignored_codes() -> list[int]:
    seen = {*_SEEN, *_TAGS, NON_JOINER, ZERO_WIDTH_JOINER, _ZERO_WIDTH_SPACE}
    formats = {
        code for plane in _ASSIGNED for code in plane if unicodedata.category(chr(code)) == "Cf"
    }
    return sorted((formats - seen) | {*_SELECTORS})


def without_ignored(text: str) -> str:
    """Remove skipped characters, and replace zero width spaces by spaces."""
    if text.isascii():
        return text
    found, table = _passed_over()
    if found.search(text):
        return text.translate(table)
    return text


@cache
def _passed_over() -> tuple[re.Pattern[str], dict[int, str | None]]:
    codes = [*_ignored_codes(), _ZERO_WIDTH_SPACE]
    table: dict[int, str | None] = dict.fromkeys(_ignored_codes())
    table[_ZERO_WIDTH_SPACE] = " "
    return re.compile(f"[{''.join(map(chr, codes))}]"), table


def is_visible(token: str) -> bool:
    """Whether a token contains a visible character other than marks."""
    return token.isascii() or _visible_pattern().search(token) is not None


@cache
def _visible_pattern() -> re.Pattern[str]:
    unseen = "".join(map(chr, (*_FILLERS, *_TAGS, NON_JOINER, ZERO_WIDTH_JOINER)))
    return re.compile(rf"[^\s{unseen}{code_points('M')}]")


def plain_word(word: str, apostrophes: bool) -> str:
    """A word as the kernel spells it; ``apostrophes``: as the tokeniser ``words`` does; "" if no
    character is visible.
    """
    if apostrophes:
        word = word.replace("’", "'")
    if word.isascii():
        return word
    word = "".join(without_ignored(word).split())
    found = _visible_pattern().search(word)
    word = _JOINERS.sub(r"\1", word[found.start() :].rstrip(_JOINING)) if found else ""
    if apostrophes:
        return _around_apostrophes().sub("'", word)
    return word


_JOINING = chr(NON_JOINER) + chr(ZERO_WIDTH_JOINER)
_JOINERS = re.compile(rf"([{_JOINING}])[{_JOINING}]+")


@cache
def _around_apostrophes() -> re.Pattern[str]:
    return re.compile(rf"[{_JOINING}]*'[{_JOINING}{code_points('M')}]*")


@cache
def code_points(category: str) -> str:
    """The code points whose category begins with ``category``, as ranges for a regular
    expression.
    """
    codes = [
        code
        for plane in _ASSIGNED
        for code in plane
        if unicodedata.category(chr(code)).startswith(category)
    ]
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


@cache
def _blanks() -> list[int]:
    return [code for code in range(0x10000) if chr(code).isspace() or code == _ZERO_WIDTH_SPACE]


@cache
def _same_letters() -> npt.NDArray[np.int32]:
    return np.arange(CODE_POINTS, dtype=np.int32)


@cache
def _small_letters() -> npt.NDArray[np.int32]:
    fold = np.arange(CODE_POINTS, dtype=np.int32)
    fold[: _CASED.stop] = [ord(chr(code).lower()[0]) for code in _CASED]
    return fold
