"""Declaration of what a person can choose and type in a panel: a frozen dataclass.

A field made with :func:`choice` has a default, bounds or allowed values, and perhaps the setting
that keeps it between starts. The controls, session files and tests read that declaration.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, Self

from workbench.core.params import Params, Spec
from workbench.core.setting import Setting, encode, mapping_of, strings

_METADATA_KEY = "workbench.choice"
# Maximum length of a text in a session file.
_LONGEST = 100_000
_MISFITS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class Field:
    """Declaration of one field.

    decode : the value that a JSON value represents; None, or an exception, if it doesn't fit
    setting : keeps the value between starts; session files contain it there if it ``travels``
    typed : whether each letter changes it, so that the setting is written a moment later
    """

    name: str
    default: Any
    decode: Callable[[Any], Any]
    setting: Setting[Any] | None = None
    typed: bool = False

    @property
    def in_settings(self) -> bool:
        """Whether session files contain the value among the settings."""
        return self.setting is not None and self.setting.travels

    def read(self, value: object) -> Any:
        """The value that a JSON value represents; the default if it doesn't fit."""
        try:
            decoded = self.decode(value)
        except _MISFITS:
            return self.default
        return self.default if decoded is None else decoded


def choice(
    default: Any = None,
    *,
    kind: Callable[[Any], Any] | None = None,
    low: float | None = None,
    high: float | None = None,
    allowed: Collection[Any] = (),
    setting: Setting[Any] | None = None,
    typed: bool = False,
) -> Any:
    """Declare a field of a :class:`PanelState`.

    kind : decodes JSON; by default, the field has the type of ``default``
    low, high : bounds of a number, inclusive; allowed : every value, if these are few
    setting : keeps the value between starts; default and decoding are those of the setting
    typed : whether each letter changes it
    """
    if setting is not None:
        default = setting.default
        kind = setting.decode
    extra = (default, kind or _decoder(default, low, high, allowed), setting, typed)
    # Not as the default itself: dataclasses refuse dictionaries.
    return dataclasses.field(default_factory=lambda: default, metadata={_METADATA_KEY: extra})


def choice_of(params: type[Params], name: str, high: float | None = None) -> Any:
    """Declare a field with default, bounds and values of a parameter.

    high : upper bound in this panel
    """
    spec = params.spec(name)
    return choice(
        spec.default, low=spec.low, high=spec.high if high is None else high, allowed=spec.choices
    )


def _decoder(
    default: Any, low: float | None, high: float | None, allowed: Collection[Any]
) -> Callable[[Any], Any]:
    if isinstance(default, tuple):
        return strings
    if isinstance(default, Mapping):
        return mapping_of()
    spec = Spec("", type(default), default, low=low, high=high)

    def decode(value: Any) -> Any:
        plain = spec.coerce(value)
        if isinstance(plain, str) and len(plain) > _LONGEST:
            return None
        return plain if not allowed or plain in allowed else None

    return decode


class SettingValues(Protocol):
    """Current values of settings."""

    def __getitem__(self, setting: Setting[Any]) -> Any: ...


@dataclass(frozen=True)
class PanelState:
    """Base of every state. Its values are immutable, and equal states show the same."""

    @classmethod
    @cache
    def fields(cls) -> Mapping[str, Field]:
        """The declarations, by name."""
        declared = {}
        for field in dataclasses.fields(cls):
            extra = field.metadata[_METADATA_KEY]
            declared[field.name] = Field(field.name, *extra)
        return declared

    def with_settings(self, settings: SettingValues) -> Self:
        """A copy with the current values of its settings."""
        kept = {
            name: settings[field.setting]
            for name, field in self.fields().items()
            if field.setting is not None
        }
        return dataclasses.replace(self, **kept)

    def with_json(self, values: object) -> Self:
        """A copy with the values that a session file contains. One that doesn't fit gets its
        default; one that belongs to the settings stays.
        """
        if not isinstance(values, Mapping):
            return self
        read = {
            name: field.read(values[name])
            for name, field in self.fields().items()
            if name in values and not field.in_settings
        }
        return dataclasses.replace(self, **read)

    def to_json(self) -> dict[str, Any]:
        """JSON of the values that session files don't contain among the settings."""
        return {
            name: encode(getattr(self, name))
            for name, field in self.fields().items()
            if not field.in_settings
        }

    def replace(self, **changes: Any) -> Self:
        """A copy with some values changed."""
        return dataclasses.replace(self, **changes)
