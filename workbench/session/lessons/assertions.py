"""Measured statements: ``near = cosine(a, king, queen) > 0.5``. They have a fixed vocabulary, and
are parsed, never evaluated as code.

    claim     = [NAME "="] operand { comparison operand }
    comparison = "<" | "<=" | ">" | ">=" | "=" | "is" | "is not"
    operand   = [NUMBER "*"] term [("+" | "-") NUMBER]
    term      = MEASURE "(" argument { "," argument } ")" | NAME | NUMBER | words

The name refers to the first measure in the line.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.core.errors import UserError
from workbench.core.language import digits, percent, tr
from workbench.session.lessons.actions import LABEL
from workbench.session.lessons.measure_registry import Measure, MeasureScene, Value, show_plain
from workbench.session.lessons.measures import measure_named

_COMPARISON = re.compile(r"\s(<=|>=|<|>|=|is not|is)\s(?![^()]*\))")
_CALL = re.compile(r"([a-z][a-z0-9-]*)\((.*)\)")
_OPERAND = re.compile(r"(?:([\d.]+)\s*\*\s*)?(.*?)(?:\s([-+−])\s([\d.]+))?")
_NUMBER = re.compile(r"[-−]?\d+(\.\d+)?")
_ABOUT_WORDS = ("is", "is not")
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": lambda left, right: math.isclose(left, right, abs_tol=1e-9),
}


@dataclass(frozen=True)
class Call:
    """A measure with its arguments."""

    measure: Measure
    arguments: tuple[Value, ...]

    def describe(self, names: Mapping[str, str] | None = None) -> str:
        """Describe the measured quantity in words; ``names`` are names of runs by label."""
        return self.measure.describe(self.arguments, names)

    @property
    def runs(self) -> tuple[str, ...]:
        """Labels of the runs that the claim uses."""
        return tuple(
            str(value)
            for argument, value in zip(self.measure.arguments, self.arguments, strict=True)
            if argument.kind == "run"
        )

    def value(self, scene: MeasureScene) -> Value:
        """Measure. Raises UserError and Cancelled."""
        arguments = [
            int(value) if argument.kind == "whole number" else value
            for argument, value in zip(self.measure.arguments, self.arguments, strict=True)
        ]
        return self.measure.function(scene, *arguments)


@dataclass(frozen=True)
class Operand:
    """factor · term + added. ``term`` is a measure, the name of a value ("name", text), a number,
    or words.
    """

    term: Call | str | float
    named: bool = False
    factor: float = 1.0
    added: float = 0.0

    def value(self, found: Mapping[str, Value], scene: MeasureScene) -> Value:
        if isinstance(self.term, Call):
            value = self.term.value(scene)
        else:
            value = found[self.term] if self.named and isinstance(self.term, str) else self.term
        if isinstance(value, str):
            return value
        return self.factor * value + self.added


@dataclass(frozen=True)
class Claim:
    """A line of a claims block. ``text`` is the line as written; without comparisons it only
    measures.
    """

    line: int
    text: str
    name: str
    operands: tuple[Operand, ...]
    comparisons: tuple[str, ...]

    @property
    def call(self) -> Call:
        """The measure with this name."""
        return next(operand.term for operand in self.operands if isinstance(operand.term, Call))

    @property
    def calls(self) -> Iterator[Call]:
        return (operand.term for operand in self.operands if isinstance(operand.term, Call))


_NAMED = re.compile(r"\s*([a-z][a-z0-9-]*)\s*=(?!=)\s*(.*)")


@dataclass(frozen=True)
class ClaimResult:
    """The result of a claim. ``shown`` is the formatted value. ``true`` is None if nothing is
    claimed; otherwise ``expected`` is the claimed comparison with values: “> 0.5”.
    """

    claim: Claim
    value: Value
    shown: str
    true: bool | None
    expected: str = ""


def _named(text: str) -> re.Match[str] | None:
    return _NAMED.fullmatch(text)


def read_claim(text: str, line: int, known: Mapping[str, str]) -> Claim:
    """Read one line. ``known`` maps the names of values so far to their kind: "number" or "words".

    Raises UserError.
    """
    found = _named(text)
    name, rest = (found[1], found[2]) if found else ("", text.strip())
    parts = _COMPARISON.split(f" {rest} ")
    comparisons = tuple(parts[1::2])
    # Text after “is” consists of literal words, even if values have the same names.
    literal = [False, *(comparison in _ABOUT_WORDS for comparison in comparisons)]
    operands = [
        Operand(part.strip()) if words and part.strip() else _operand(part.strip(), known)
        for part, words in zip(parts[::2], literal, strict=True)
    ]
    claim = Claim(line, text.strip(), name, tuple(operands), comparisons)
    if not any(isinstance(operand.term, Call) for operand in operands):
        raise UserError(
            tr("No measure in this line."),
            tr("Write, for example: near = cosine(run, king, queen) > 0.5."),
        )
    kinds = [_kind(operand, known) for operand in operands]
    for at, comparison in enumerate(comparisons):
        about_words = comparison in _ABOUT_WORDS
        if about_words != (kinds[at] == "words") or about_words != (kinds[at + 1] == "words"):
            raise UserError(
                tr("“{comparison}” can’t compare these two values.", comparison=comparison),
                tr("Compare numbers with <, > and =, and words with “is” and “is not”."),
            )
    return claim


def _kind(operand: Operand, known: Mapping[str, str]) -> str:
    if isinstance(operand.term, Call):
        return operand.term.measure.gives
    if isinstance(operand.term, str):
        if operand.named:
            return known[operand.term]
        return "words"
    return "number"


def _operand(text: str, known: Mapping[str, str]) -> Operand:
    if not text:
        raise UserError(
            tr("A side of a comparison is missing."),
            tr("Write a measure, a name or a number on each side."),
        )
    whole = _OPERAND.fullmatch(text)
    assert whole is not None
    factor, inner, sign, added = whole.groups()
    try:
        scale = float(factor) if factor else 1.0
        more = float(added) * (1 if sign == "+" else -1) if added else 0.0
    except ValueError:
        raise UserError(
            tr("“{text}” isn’t a number.", text=text), tr("Write a number such as 0.5.")
        ) from None
    call = _CALL.fullmatch(inner)
    if call:
        measure = measure_named(call[1])
        arguments = [part.strip() for part in call[2].split(",")] if call[2].strip() else []
        return Operand(Call(measure, measure.read(arguments)), factor=scale, added=more)
    if _NUMBER.fullmatch(inner):
        return Operand(float(inner.replace("−", "-")), factor=scale, added=more)
    if inner in known and LABEL.fullmatch(inner):
        return Operand(inner, named=True, factor=scale, added=more)
    if "(" in inner or ")" in inner:
        raise UserError(
            tr("“{inner}” isn’t a measure.", inner=inner),
            tr("Write a measure with its arguments, for example: cosine(run, king, queen)."),
        )
    return Operand(text)


def judge_claim(claim: Claim, found: dict[str, Value], scene: MeasureScene) -> ClaimResult:
    """Measure a claim, and put its value into ``found`` under its name. Raises UserError and
    Cancelled.
    """
    values: list[Value] = []
    named: Value | None = None
    for operand in claim.operands:
        if named is None and isinstance(operand.term, Call):
            named = operand.term.value(scene)
            values.append(
                named if isinstance(named, str) else operand.factor * named + operand.added
            )
        else:
            values.append(operand.value(found, scene))
    assert named is not None
    if claim.name:
        found[claim.name] = named
    true = None
    if claim.comparisons:
        true = all(
            _holds(values[at], comparison, values[at + 1])
            for at, comparison in enumerate(claim.comparisons)
        )
    return ClaimResult(
        claim, named, claim.call.measure.show(named), true, _describe_expectation(claim, values)
    )


def _describe_expectation(claim: Claim, values: Sequence[Value]) -> str:
    """The claimed comparison for readers, with values in place of names."""
    if not claim.comparisons:
        return ""
    at = next(at for at, operand in enumerate(claim.operands) if operand.term is claim.call)
    operand = claim.operands[at]
    said = [_format_bound(claim.call.measure, value) for value in values]
    said[at] = ""
    if operand.factor != 1.0 or operand.added:
        if operand.factor != 1.0:
            said[at] = f"{digits(show_plain(operand.factor))} · x"
        else:
            said[at] = "x"
        if operand.added > 0:
            said[at] += f" + {digits(show_plain(operand.added))}"
        elif operand.added:
            said[at] += f" − {digits(show_plain(-operand.added))}"
    elif len(claim.comparisons) > 1 and at:
        said[at] = "x"
    comparisons = list(claim.comparisons)
    if not said[at] and at == len(values) - 1:
        said, comparisons = ["", said[0]], [_TURNED.get(comparisons[0], comparisons[0])]
    parts = [said[0]]
    for comparison, text in zip(comparisons, said[1:], strict=True):
        parts += [{"is": tr("is"), "is not": tr("is not")}.get(comparison, comparison), text]
    return " ".join(part for part in parts if part)


def _format_bound(measure: Measure, value: Value) -> str:
    """A bound, with one digit more than the measure, so that it isn't mistaken for the value."""
    if isinstance(value, str):
        return value
    scale = 100 if measure.percent else 1
    text = f"{round(scale * value, measure.digits + 1) + 0.0:,.{measure.digits + 1}f}"
    shown = digits(text.rstrip("0").rstrip(".").replace("-", "−"))
    if measure.percent:
        return percent(shown)
    return shown


def rows_of(measured: Sequence[ClaimResult]) -> list[ClaimResult]:
    """Rows to list: claims about the same measure share a row, except those that don't hold,
    which have rows of their own.
    """
    seen: set[Call] = set()
    listed = []
    for one in measured:
        if one.true is False or one.claim.call not in seen:
            seen.add(one.claim.call)
            listed.append(one)
    return listed


def _holds(left: Value, comparison: str, right: Value) -> bool:
    if comparison in _ABOUT_WORDS:
        return (left == right) == (comparison == "is")
    assert not isinstance(left, str)
    assert not isinstance(right, str)
    return not math.isnan(left) and not math.isnan(right) and _ORDER[comparison](left, right)
