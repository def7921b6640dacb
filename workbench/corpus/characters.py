"""What every Unicode character is to a tokeniser, as tables that a kernel can read."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# What a code point is to the kernel.
OTHER, WORD, APOSTROPHE, SPACE = 0, 1, 2, 3

CODE_POINTS = 0x110000

# Planes 0 to 3 and the start of plane 14 hold every letter, mark, digit and blank that Unicode has;
# the rest is unassigned or private. A test compares the tables with unicodedata throughout.
_ASSIGNED = (range(0x40000), range(0xE0000, 0xE1000))
_CASED = range(0x20000)

# The only character whose small letter is two characters (i and a combining dot above).
DOTTED_CAPITAL_I = 0x130
COMBINING_DOT_ABOVE = 0x307


class Characters(NamedTuple):
    """Tables by code point.

    kind : uint8[0x110000], one of OTHER, WORD, APOSTROPHE, SPACE
    fold : int32[0x110000], the code point written in its place (of İ the first of two)
    """

    kind: npt.NDArray[np.uint8]
    fold: npt.NDArray[np.int32]


def characters(kinds: npt.NDArray[np.uint8], lowercase: bool) -> Characters:
    """The tables of a tokeniser that takes these kinds."""
    return Characters(kinds, _small_letters() if lowercase else _same_letters())


@cache
def word_kinds() -> npt.NDArray[np.uint8]:
    """Letters, marks and digits are of words; blanks are those of ``str.isspace``."""
    kind = np.full(CODE_POINTS, OTHER, dtype=np.uint8)
    category = unicodedata.category
    for assigned in _ASSIGNED:
        # Categories begin with L for letters, M for marks, N for digits and other numbers.
        kind[assigned.start : assigned.stop] = [category(chr(code))[0] in "LMN" for code in assigned]
    kind[_blanks()] = SPACE
    kind[[ord("'"), ord("’")]] = APOSTROPHE
    return kind


@cache
def blank_kinds() -> npt.NDArray[np.uint8]:
    """Everything but blanks is of words."""
    kind = np.full(CODE_POINTS, WORD, dtype=np.uint8)
    kind[_blanks()] = SPACE
    kind[0] = SPACE  # the kernel fills words up with zero bytes
    return kind


@cache
def code_points(category: str) -> str:
    """The code points whose category begins so, as ranges for the brackets of a regular expression."""
    codes = [code for plane in _ASSIGNED for code in plane if unicodedata.category(chr(code)).startswith(category)]
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


@cache
def _blanks() -> list[int]:
    return [code for code in range(0x10000) if chr(code).isspace()]


@cache
def _same_letters() -> npt.NDArray[np.int32]:
    return np.arange(CODE_POINTS, dtype=np.int32)


@cache
def _small_letters() -> npt.NDArray[np.int32]:
    fold = np.arange(CODE_POINTS, dtype=np.int32)
    fold[: _CASED.stop] = [ord(chr(code).lower()[0]) for code in _CASED]
    return fold
