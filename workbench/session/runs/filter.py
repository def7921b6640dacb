"""Filter language for runs: ``novels dim>50 window:2,5 -state:failed note:"for class"``.

A run must match all terms of a filter:

- ``word``: some text of the run contains it, in upper or lower case; quotes enclose spaces. The
  date doesn't count: a search for "3" in names would also find a run created at 10:43
- ``key:value``: a text contains the value, or a number or yes/no equals it; several values are
  separated by commas, ranges written as ``2..5``
- ``key=value``, ``key!=value``: the whole value is equal, or isn't
- ``key<value``, ``<=``, ``>``, ``>=``: for numbers, with k, M, G and % (``rate>1M``,
  ``analogies>=50%``), and for dates
- ``-term``: the run doesn't match the term

A run without a value of that name matches neither ``:`` nor ``=`` nor a comparison.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.table_export import Cell
from workbench.session.runs.facts import TEXTS

HELP = tr(
    "Words, or conditions such as key:value, key=value or key>value: dim>50 window:2,5 "
    'epochs:3..10 algorithm:sgns created>2026-11 note:"for class" star:yes. A minus '
    "negates a condition: -state:failed. Use quotes around values with spaces; numbers may "
    "end in k, M or %."
)
_SEARCHED = TEXTS - {"created"}
_Row = Mapping[str, Cell]
_Test = Callable[[_Row], bool]
_TERM = re.compile(r'(-?)(?:([^\s":<>=!]+)(:|<=|>=|!=|=|<|>))?("[^"]*"?|\S*)\s*')
_NUMBER = re.compile(r"([-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([kKMG%]?)")
_FACTORS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "%": 0.01}
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True)
class Filter:
    """A parsed filter. ``keys``: the names that it uses."""

    text: str
    tests: tuple[_Test, ...]
    keys: frozenset[str]

    def __call__(self, row: _Row) -> bool:
        return all(test(row) for test in self.tests)


def read_filter(text: str, names: Collection[str]) -> Filter:
    """Parse a filter on rows that may have cells of these names. Raises UserError naming the part
    that can't be parsed.
    """
    tests: list[_Test] = []
    keys: set[str] = set()
    at = 0
    rest = text.strip()
    while at < len(rest):
        found = _TERM.match(rest, at)
        if found is None or found.end() == at:
            raise UserError(tr("Couldn’t read “{rest}” as a condition.", rest=rest[at:]), HELP)
        at = found.end()
        minus, key, sign, value = found.groups()
        if key is None:
            if not value:
                continue
            test = _text_test(value.strip('"'))
        else:
            name = _resolve_key(key, names)
            keys.add(name)
            if not value.strip('"') and sign not in ("=", "!="):
                # A term without a value is still being typed, and every run matches it.
                continue
            test = _parse_test(name, sign, value)
        tests.append(_negate_test(test) if minus else test)
    return Filter(text, tuple(tests), frozenset(keys))


def _resolve_key(key: str, names: Collection[str]) -> str:
    lower = {name.lower(): name for name in names}
    wanted = key.lower().replace("-", "_")
    if wanted in lower:
        return lower[wanted]
    near = difflib.get_close_matches(wanted, lower, 1)
    if near:
        hint = tr("Did you mean {near}?", near=near[0])
    else:
        hint = tr("Choose one of: {names}.", names=", ".join(names))
    raise UserError(tr("Unknown column “{key}”.", key=key), hint)


def _negate_test(test: _Test) -> _Test:
    return lambda row: not test(row)


def _text_test(word: str) -> _Test:
    wanted = word.casefold()

    def contains(row: Mapping[str, Any]) -> bool:
        return any(wanted in str(row.get(name) or "").casefold() for name in _SEARCHED)

    return contains


def _parse_test(name: str, sign: str, value: str) -> _Test:
    quoted = value.startswith('"')
    text = value.strip('"')
    if sign in _ORDERS:
        return _comparison_test(name, sign, text)
    parts = [text] if quoted or sign != ":" else [part for part in text.split(",") if part]
    tests = [_equality_test(name, part, whole=sign != ":") for part in parts]

    def equals_any(row: Mapping[str, Any]) -> bool:
        return any(test(row) for test in tests)

    if sign == "!=":
        return _negate_test(equals_any)
    return equals_any


def _comparison_test(name: str, sign: str, text: str) -> _Test:
    order = _ORDERS[sign]
    if name in TEXTS:
        wanted = text.casefold()

        def compares(row: Mapping[str, Any]) -> bool:
            return bool(row.get(name)) and order(str(row[name]).casefold(), wanted)

        return compares
    bound = number_of(text)
    if bound is None:
        raise UserError(
            tr("{name} must be compared with a number, not “{text}”.", text=text, name=name),
            tr("Write a number such as 50, 0.025, 1.5M or 40%."),
        )

    def test(row: _Row) -> bool:
        cell = _as_number(row.get(name))
        return cell is not None and order(cell, bound)

    return test


def _equality_test(name: str, text: str, *, whole: bool) -> _Test:
    """Whether a cell equals a text (or, where it is a text and not ``whole``, contains it), or is
    in a range.
    """
    wanted, number, word = text.casefold(), number_of(text), _WORDS.get(text.casefold())
    low, dots, high = text.partition("..")
    ends = (number_of(low), number_of(high)) if dots else (None, None)

    def test(row: _Row) -> bool:
        cell = row.get(name)
        if cell is None:
            return False
        if isinstance(cell, str):
            if whole:
                return cell.casefold() == wanted
            return wanted in cell.casefold()
        if isinstance(cell, bool):
            return cell is word
        if dots and ends[0] is not None and ends[1] is not None:
            return ends[0] <= cell <= ends[1]
        return number is not None and math.isclose(cell, number, rel_tol=1e-9)

    return test


def number_of(text: str) -> float | None:
    """50, 0.025, 1.5M or 40% as a number, else None."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    # Divide instead of multiplying: 40 · 0.01 isn’t 0.4 to the last bit, 40 / 100 is.
    digits, unit = found.groups()
    value = float(digits.replace("\u2212", "-"))
    if unit == "%":
        return value / 100
    return value * _FACTORS[unit]


def _as_number(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or math.isnan(cell):
        return None
    return float(cell)
