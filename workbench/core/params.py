"""One declaration of each hyperparameter, from which everything else is derived.

A field of a frozen dataclass made with :func:`param` contains its label, default, bounds, unit,
symbol and source. Validation, the form, the command line, tooltips, the documentation's tables and
the JSON of a saved run are all derived from that declaration.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from workbench.core.errors import ParameterError
from workbench.core.language import MINUS, digits, tr
from workbench.core.param_labels import default_label, option, param_name, register_label

Value = int | float | bool | str

_METADATA_KEY = "workbench.param"


@dataclass(frozen=True)
class Spec:
    """Declaration of one hyperparameter.

    ``label`` is the name in words. ``low`` and ``high`` are inclusive; ``low_open`` makes the lower
    bound exclusive. ``basic``: the form shows the parameter before "More" is opened. ``affects`` is
    "result" for parameters that change the vectors and "speed" for those that only change the
    computation.
    """

    name: str
    type: type
    default: Value
    label: str = ""
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    choices: tuple[str, ...] = ()
    unit: str = ""
    doc: str = ""
    grows: str = ""
    source: str = ""
    basic: bool = False

    @property
    def option(self) -> str:
        """Name on the command line: ``--ns-exponent``."""
        return option(self.name)

    def describe_range(self) -> str:
        """The allowed values in words: "a whole number from 1 to 1,000"."""
        if self.choices:
            return tr("one of {choices}", choices=", ".join(self.choices))
        if self.type is bool:
            return tr("true or false")
        if self.type is str:
            return tr("text")
        noun = tr("a whole number") if self.type is int else tr("a number")
        low = None if self.low is None else digits(_format_number(self.low))
        high = None if self.high is None else digits(_format_number(self.high))
        if low is not None and self.low_open:
            if high is not None:
                return tr("{noun} above {low} and up to {high}", noun=noun, low=low, high=high)
            return tr("{noun} above {low}", noun=noun, low=low)
        if low is not None and high is not None:
            return tr("{noun} from {low} to {high}", noun=noun, low=low, high=high)
        if low is not None:
            return tr("{noun} of at least {low}", noun=noun, low=low)
        if high is not None:
            return tr("{noun} up to {high}", noun=noun, high=high)
        return noun

    def coerce(self, value: object) -> Value:
        """``value`` as this parameter's type, from text or JSON.

        Raises ValueError whose text is a sentence with the parameter and its allowed values.
        """
        try:
            return self._convert(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                tr(
                    "{name} must be {range}, not {value}.",
                    name=param_name(self.name, self.label),
                    range=self.describe_range(),
                    value=_format_value(value),
                )
            ) from None

    def _convert(self, value: object) -> Value:
        """The converted value. Raises one of three kinds of exceptions if that isn’t possible."""
        converted: Value
        if self.type is bool:
            converted = _as_bool(value)
        elif self.type is int:
            converted = _as_int(value)
        elif self.type is float:
            if isinstance(value, bool):
                raise TypeError
            converted = float(typing.cast(Any, value))
        else:
            if not isinstance(value, str):
                raise TypeError
            converted = value
        if self.choices and converted not in self.choices:
            raise ValueError
        if isinstance(converted, (int, float)) and not isinstance(converted, bool):
            if not math.isfinite(converted):
                raise ValueError
            if self.low is not None and (
                converted < self.low or (self.low_open and converted == self.low)
            ):
                raise ValueError
            if self.high is not None and converted > self.high:
                raise ValueError
        return converted

    def to_json(self) -> dict[str, Any]:
        """The declaration in the form of ``list --json``."""
        return {
            "name": self.name,
            "symbol": self.symbol,
            "type": self.type.__name__,
            "default": self.default,
            "low": self.low,
            "high": self.high,
            "choices": list(self.choices),
            "unit": self.unit,
            "doc": self.doc,
            "source": self.source,
        }


def special_value(value: Value, doc: str) -> str:
    """What a value stands for if it isn't meant as a number, such as “no limit” for 0; from the
    description ``doc``, which writes “0 = no limit”. "" for other values.
    """
    if isinstance(value, bool) or value not in (0, -1):
        return ""
    number = "0" if value == 0 else f"{MINUS}1"
    found = re.search(rf"(?<!\S){number} = ([^.,;:]+)", doc)
    return found[1] if found else ""


def param(
    default: Value,
    doc: str,
    *,
    label: str = "",
    symbol: str = "",
    low: float | None = None,
    high: float | None = None,
    low_open: bool = False,
    choices: tuple[str, ...] = (),
    unit: str = "",
    grows: str = "",
    source: str = "",
    basic: bool = False,
) -> Any:
    """Declare a hyperparameter as a field of a :class:`Params` subclass.

    ``doc`` says what it does, ``label`` is its name in words ("" derives one from the field's
    name), ``grows`` says what changes when it grows, ``source`` is the source of the default; these
    and ``unit`` are translated here into the language of the process.
    """
    extra = {
        "label": tr(label),
        "symbol": symbol,
        "low": low,
        "high": high,
        "low_open": low_open,
        "choices": choices,
        "unit": tr(unit),
        "doc": tr(doc),
        "grows": tr(grows),
        "source": tr(source),
        "basic": basic,
    }
    return dataclasses.field(default=default, metadata={_METADATA_KEY: extra})


def redeclare(
    base: type[Params],
    name: str,
    default: Value | None = None,
    source: str | None = None,
    **changes: Any,
) -> Any:
    """Redeclare the parameter ``name`` of ``base``, perhaps with another default and its source."""
    spec = base.spec(name)
    values = {
        f.name: getattr(spec, f.name)
        for f in dataclasses.fields(Spec)
        if f.name not in ("name", "type")
    }
    if default is not None:
        values["default"] = default
    if source is not None:
        values["source"] = source
    return param(**(values | changes))


@dataclass(frozen=True)
class Params:
    """Base of every set of hyperparameters. Instances are always valid.

    Raises :class:`ParameterError` with every error at once, by field name.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, field in vars(cls).items():
            if isinstance(field, dataclasses.Field):
                register_label(name, field.metadata.get(_METADATA_KEY, {}).get("label", ""))

    def __post_init__(self) -> None:
        errors = {}
        for spec in self.specs():
            try:
                object.__setattr__(self, spec.name, spec.coerce(getattr(self, spec.name)))
            except ValueError as error:
                errors[spec.name] = str(error)
        if not errors:
            errors = self.conflicts()
        if errors:
            raise ParameterError(errors)

    def conflicts(self) -> dict[str, str]:
        """Errors that concern several parameters together, by the field to change."""
        return {}

    @classmethod
    @cache
    def specs(cls) -> tuple[Spec, ...]:
        """Every parameter's declaration, in order of declaration."""
        hints = typing.get_type_hints(cls)
        specs = []
        for field in dataclasses.fields(cls):
            declared = dict(field.metadata[_METADATA_KEY])
            declared["label"] = declared["label"] or default_label(field.name)
            default = typing.cast(Value, field.default)
            specs.append(Spec(field.name, _plain_type(hints[field.name]), default, **declared))
        return tuple(specs)

    @classmethod
    def spec(cls, name: str) -> Spec:
        """The declaration of one parameter. Raises KeyError."""
        for spec in cls.specs():
            if spec.name == name:
                return spec
        raise KeyError(name)

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> Self:
        """An instance from text or JSON values; raises ParameterError, also for unknown names."""
        known = {spec.name: spec for spec in cls.specs()}
        errors: dict[str, str] = {}
        good: dict[str, Value] = {}
        for name, value in values.items():
            if name not in known:
                errors[name] = (
                    tr(
                        "Unknown parameter {name}. Choose one of: {known}.",
                        name=name,
                        known=", ".join(map(param_name, known)),
                    )
                    if known
                    else tr("Unknown parameter {name}: nothing can be set here.", name=name)
                )
                continue
            try:
                good[name] = known[name].coerce(value)
            except ValueError as error:
                errors[name] = str(error)
        # Check for conflicts only without errors: a default in place of an invalid value could
        # cause spurious conflicts.
        if errors:
            raise ParameterError(errors)
        return cls(**good)

    def to_dict(self) -> dict[str, Value]:
        """Plain values by name, in order of declaration; JSON-ready."""
        return {spec.name: getattr(self, spec.name) for spec in self.specs()}

    def replace(self, **changes: Value) -> Self:
        """A copy with some values changed, validated again."""
        return dataclasses.replace(self, **changes)


def _plain_type(hint: object) -> type:
    if isinstance(hint, types.UnionType) or not isinstance(hint, type):
        raise TypeError(f"a hyperparameter is bool, int, float or str, not {hint}")
    return hint


def _as_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "yes", "on", "1"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "no", "off", "0"):
        return False
    raise ValueError


def _as_int(value: object) -> int:
    if isinstance(value, bool):
        raise TypeError
    if isinstance(value, str):
        # “1,000” is a thousand; “1,5” can mean one and a half.
        grouped = re.fullmatch(r"\s*[-+]?\d{1,3}(,\d{3})+\s*", value)
        return int(value.replace(",", "") if grouped else value)
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError
        return int(value)
    return operator.index(typing.cast(Any, value))


def _format_number(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:g}"


def _format_value(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return digits(f"{value:,}")
    if isinstance(value, float):
        return f"{value:.12g}"
    text = tr("“{text}”", text=value) if isinstance(value, str) else str(value)
    if len(text) <= 40:
        return text
    return text[:39] + "…"
