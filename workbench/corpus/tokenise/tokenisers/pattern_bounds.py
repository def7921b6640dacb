"""Bounds of a custom regular expression, checked before the ``regex`` package sees it.

Patterns also come from others, in session files, so what compiling them may cost is limited.
"""

from __future__ import annotations

import re

LONGEST_PATTERN = 2000
# Maximum number of elements, such as characters and classes, of a pattern whose repetitions are
# written out: with up to 700 bytes for each, compiling takes at most 3 MB.
MOST_ELEMENTS = 4000

# A character, a class, a parenthesis, or a quantifier in braces, where "{" is one.
_PART = re.compile(
    r"\\(?:[pPN]\{[^}]*\}|.)|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^]\\])*\]|\{\d*,?\d*\}|.", re.DOTALL
)
# Spaces and comments may interrupt a number in a pattern with the flag x.
_BLANK = r"(?:\s|#[^\n]*\n)"
_COUNT = re.compile(rf"\{{{_BLANK}*(\d(?:\d|{_BLANK})*)")
_RECURSION = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)")
# Flags that change what is a class or a comment, and comments.
_OTHER_SYNTAX = re.compile(r"\(\?[a-zA-Z01]*[xV]|\(\?#")


def has_recursion(pattern: str) -> bool:
    """Whether a group contains or repeats another one by its name or number."""
    if _OTHER_SYNTAX.search(pattern):
        return _RECURSION.search(pattern) is not None
    # A class may contain these characters, too.
    parts = (part for part in _PART.findall(pattern) if len(part) == 1 or part[0] not in "[\\")
    return _RECURSION.search("".join(parts)) is not None


def count_elements(pattern: str) -> int:
    """Number of elements after all repetitions are written out, or more."""
    product = len(pattern)
    for found in _COUNT.findall(pattern):
        product *= max(_number(re.sub(_BLANK, "", found)), 1)
    if product <= MOST_ELEMENTS or _OTHER_SYNTAX.search(pattern):
        return product
    return min(product, _count_nested(pattern))


def _count_nested(pattern: str) -> int:
    """``count_elements`` by the pattern's groups."""
    # The elements of each open group, and of its last item.
    groups = [[0, 0]]
    for part in _PART.findall(pattern):
        here = groups[-1]
        if part == "(":
            groups.append([0, 0])
        elif part == ")" and len(groups) > 1:
            elements, _ = groups.pop()
            groups[-1][0] += elements + 1
            groups[-1][1] = elements + 1
        elif part[0] == "{" and len(part) > 1:
            here[0] += here[1] * (max(_number(part[1:].rstrip("}").partition(",")[0]), 1) - 1)
        else:
            here[0] += 1
            here[1] = 1
    return sum(elements for elements, _ in groups)


def _number(digits: str) -> int:
    """A number of at most four digits; more digits count as 10,000, which is above every bound."""
    digits = digits.lstrip("0")
    if len(digits) > 4:
        return 10_000
    return int(digits or 0)
