"""Declaration of lesson measures: functions of typed arguments, by name."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NewType, Protocol, TypeVar

from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import digits, percent, source_text, tr, translation
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import UNIT_TITLES
from workbench.vectors.embeddings import Embeddings

Value = float | str
T = TypeVar("T")

# The kinds of arguments, besides float (a number) and int (a whole number).
RunLabel = NewType("RunLabel", str)
Word = NewType("Word", str)
Words = NewType("Words", str)
Name = NewType("Name", str)
Target = NewType("Target", str)
# The target of the algorithm that trained the run.
OWN = Target("own")

_KINDS: Mapping[Any, str] = {
    RunLabel: "run",
    Word: "word",
    Words: "words",
    Name: "name",
    Target: "target",
    float: "number",
    int: "whole number",
}
# Values of measures that answer a question.
_ANSWERS = {"yes": tr("yes"), "no": tr("no")}
# Descriptions of arguments.
_RUN, _OWN_TARGET, _TARGET = tr("“{name}”"), tr("its own target"), tr("the target “{name}”")
_NUMBER = re.compile(r"[-−+]?\d+(\.\d+)?(e[-+]?\d+)?")


class MeasureScene(Protocol):
    """Objects that a measure may use.

    run : says whether the work is cancelled; seed : of what a measure draws itself
    """

    run: JobControl
    seed: int

    @property
    def corpus(self) -> Corpus:
        """The corpus that is open at this step."""

    def vectors(self, label: str) -> Embeddings:
        """The vectors of a run of the lesson."""

    def corpus_of(self, label: str) -> Corpus:
        """The corpus that a run was trained on."""

    def pairs(
        self, corpus: Corpus, counting: PairCountSettings, embeddings: Embeddings | None = None
    ) -> PairCounts:
        """Counted pairs of words; cached, because several measures need the same ones."""

    def map_of(self, label: str, how: str, words: int, seed: int) -> Any:
        """float32[words, 2], the places of the most frequent words on a map ("pca" or "umap")."""

    def once(self, owner: object, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What ``make`` gives, kept for measures that ask for the same of a corpus or of vectors:
        the key begins with the name of what it is.
        """


@dataclass(frozen=True)
class Argument:
    """An argument. ``kind`` is one of: run, word, words, name, target, number, whole number.
    ``default`` None: the argument is required.
    """

    name: str
    kind: str
    default: Value | None = None

    def read(self, text: str) -> Value:
        """Convert the text of an argument to its kind. Raises ValueError saying what is allowed."""
        if self.kind in ("number", "whole number"):
            plain = text.replace("−", "-")
            if not _NUMBER.fullmatch(plain) or (
                self.kind == "whole number" and not float(plain).is_integer()
            ):
                if self.kind == "number":
                    raise ValueError(
                        tr("“{name}” must be a number, not “{text}”", name=self.name, text=text)
                    )
                raise ValueError(
                    tr("“{name}” must be a whole number, not “{text}”", name=self.name, text=text)
                )
            return float(plain)
        return text


@dataclass(frozen=True)
class Measure:
    """A measure. ``what`` describes it, with arguments in braces; ``digits`` after the decimal
    point; ``percent``: a share of 1, shown as a percentage; ``gives`` "number" or "words".
    """

    name: str
    what: str
    arguments: tuple[Argument, ...]
    gives: str
    digits: int
    percent: bool
    function: Callable[..., Value]
    group: str

    @property
    def signature(self) -> str:
        """Signature as in lessons: ``cosine(run, a, b)``; optional arguments are in brackets."""
        needed = [each.name for each in self.arguments if each.default is None]
        free = [
            f"{each.name}={show_plain(each.default)}"
            for each in self.arguments
            if each.default is not None
        ]
        inner = ", ".join(needed)
        if free:
            inner += f"[, {', '.join(free)}]" if needed else f"[{', '.join(free)}]"
        return f"{self.name}({inner})"

    def read(self, texts: Sequence[str]) -> tuple[Value, ...]:
        """Convert the arguments to their kinds and add defaults. Raises UserError."""
        least = sum(argument.default is None for argument in self.arguments)
        if not least <= len(texts) <= len(self.arguments):
            raise UserError(
                tr("Wrong number of arguments for “{name}”.", name=self.name),
                tr("Write {signature}.", signature=self.signature),
            )
        found: list[Value] = []
        for at, argument in enumerate(self.arguments):
            if at >= len(texts):
                assert argument.default is not None
                found.append(argument.default)
                continue
            try:
                found.append(argument.read(texts[at]))
            except ValueError as error:
                raise UserError(
                    f"{self.name}: {error}.", tr("Write {signature}.", signature=self.signature)
                ) from None
        return tuple(found)

    def describe(
        self, arguments: Sequence[Value], names: Mapping[str, str] | None = None, language: str = ""
    ) -> str:
        """The measured quantity in words: ``cosine of king and queen in “near”``; ``names`` are
        names of runs by label, ``language`` is the code of another language than the process’s.
        """
        values = {
            each.name: _describe_argument(each, value, names or {}, language)
            for each, value in zip(self.arguments, arguments, strict=True)
        }
        return _in_language(self.what, language).format_map(values)

    def show(self, value: Value, name: str = "") -> str:
        """Format a value for texts; ``name`` is the code of another language than the process’s."""
        if isinstance(value, str):
            return _in_language(_ANSWERS[value], name) if value in _ANSWERS else value
        if not math.isfinite(value):
            if math.isnan(value):
                return "–"
            if value > 0:
                return "∞"
            return "−∞"
        if self.percent:
            text = f"{round(100 * value, self.digits) + 0.0:.{self.digits}f}"
            return percent(digits(text.replace("-", "−"), name), name)
        text = f"{round(value, self.digits) + 0.0:,.{self.digits}f}"
        return digits(text.replace("-", "−"), name)


DECLARED: dict[str, Measure] = {}

F = TypeVar("F", bound=Callable[..., Value])


def measure(
    what: str, *, name: str = "", digits: int = 2, percent: bool = False
) -> Callable[[F], F]:
    """Declare a function ``f(scene, ...)`` a measure; its annotations are the kinds of its
    arguments.

    name : name of the measure, by default the name of the function with hyphens. A name that exists
    raises ValueError.
    """

    def declare(function: F) -> F:
        hints = typing.get_type_hints(function)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        arguments = tuple(
            Argument(
                each.name,
                _KINDS[hints[each.name]],
                None if each.default is each.empty else each.default,
            )
            for each in parameters
        )
        key = name or function.__name__.rstrip("_").replace("_", "-")
        gives = "words" if hints["return"] is str else "number"
        group = function.__module__.rpartition(".")[2]
        known = DECLARED[key].function.__module__ if key in DECLARED else function.__module__
        if known != function.__module__:
            raise ValueError(tr("{module} already has the measure “{key}”", module=known, key=key))
        DECLARED[key] = Measure(key, what, arguments, gives, digits, percent, function, group)
        return function

    return declare


def _describe_argument(
    argument: Argument, value: Value, names: Mapping[str, str], language: str
) -> str:
    if argument.name == "how":
        # Names of map methods are abbreviations: PCA, UMAP.
        return str(value).upper()
    if argument.name == "documents" and value in UNIT_TITLES:
        return _in_language(UNIT_TITLES[str(value)], language)
    if argument.kind == "run":
        return _in_language(_RUN, language).format(name=names.get(str(value), value))
    if argument.kind == "target":
        return _in_language(_OWN_TARGET if value == OWN else _TARGET, language).format(name=value)
    if isinstance(value, float) and value.is_integer():
        return digits(f"{value:,.0f}", language)
    return digits(show_plain(value), language)


def _in_language(text: str, language: str) -> str:
    """A text of ``tr`` without values, in another language if one is given."""
    return translation(source_text(text), language) if language else text


def show_plain(value: Value | None) -> str:
    """A number without superfluous digits."""
    if isinstance(value, (int, float)):
        return f"{value:g}"
    return str(value)
