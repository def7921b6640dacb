"""One declaration of a setting: its key in the settings file, type, default and bounds, and its
texts in Preferences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from workbench.core.errors import UserError
from workbench.core.params import Params, Spec, Value

T = TypeVar("T")

# Types of structured values.
Object = Mapping[str, Any]
Strings = tuple[str, ...]
_NONSENSE = (UserError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Option(NamedTuple):
    """Texts of one available value: in lists, and as its tooltip."""

    text: str
    hint: str = ""


class Setting(Generic[T]):
    """A value that is saved between starts; read and changed as ``settings[SETTING]``.

    kind : bool, int, float or str; for structured values a function that decodes JSON, and that
        raises or returns None for a value that doesn't fit
    default : replaces a value that is missing or doesn't fit
    low, high : bounds of a number, inclusive
    choices : every allowed value, with its texts
    label, hint : its row in Preferences
    travels : whether session files contain it. The command line reads and writes these without the
        window, so such a setting is declared in ``session``.
    """

    _declared: ClassVar[dict[str, Setting[Any]]] = {}

    def __init__(
        self,
        key: str,
        kind: Callable[[Any], T | None],
        default: T,
        *,
        low: float | None = None,
        high: float | None = None,
        choices: Mapping[Any, Option] | None = None,
        label: str = "",
        hint: str = "",
        travels: bool = False,
    ) -> None:
        if key in self._declared:
            raise ValueError(f"the setting “{key}” is declared twice")
        self._declared[key] = self
        self.key = key
        self.default = default
        self.low, self.high = low, high
        # The type of a plain value; None for a structured one.
        self.scalar = kind if isinstance(kind, type) else None
        self.choices: Mapping[Any, Option] = choices or {}
        self.label = label
        self.hint = hint
        self.travels = travels
        self._decode: Callable[[Any], T | None] = kind
        if isinstance(kind, type):
            spec = Spec(key, kind, cast(Value, default), low=low, high=high)
            self._decode = cast(Callable[[Any], T], spec.coerce)

    def __repr__(self) -> str:
        return f"Setting({self.key!r})"

    @classmethod
    def all(cls) -> tuple[Setting[Any], ...]:
        """Every setting that the imported modules declare, by key."""
        return tuple(sorted(cls._declared.values(), key=lambda setting: setting.key))

    def decode(self, value: object) -> T | None:
        """The value that a JSON value represents; None if it doesn't fit."""
        try:
            decoded = self._decode(value)
            if self.choices and decoded not in self.choices:
                return None
        except _NONSENSE:
            return None
        return decoded

    def read(self, value: object) -> T:
        """The value that a JSON value represents; the default if it doesn't fit."""
        decoded = self.decode(value)
        if decoded is None:
            return self.default
        return decoded


def encode(value: Any) -> Any:
    """JSON of a setting’s value."""
    if isinstance(value, Params):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [encode(part) for part in value]
    if isinstance(value, Mapping):
        return {name: encode(part) for name, part in value.items()}
    return value


# -- decoders of structured values


def strings(value: Any) -> Strings | None:
    """The texts of a list; other entries are dropped."""
    if not isinstance(value, list):
        return None
    return tuple(entry for entry in value if isinstance(entry, str))


def mapping_of(*kinds: type) -> Callable[[Any], Object | None]:
    """Decoder of an object: its members of these types, or of any type if none are named."""

    def decode(value: Any) -> Object | None:
        if not isinstance(value, dict):
            return None
        return {name: part for name, part in value.items() if isinstance(part, kinds or object)}

    return decode


def record_of(**defaults: Value) -> Callable[[Any], Object | None]:
    """Decoder of an object with these members, each of the type of its default; a member that
    doesn't fit gets its default.
    """
    specs = [Spec(name, type(default), default) for name, default in defaults.items()]

    def decode(value: Any) -> Object | None:
        if not isinstance(value, dict):
            return None
        members = dict(defaults)
        for spec in specs:
            with suppress(*_NONSENSE):
                members[spec.name] = spec.coerce(value[spec.name])
        return members

    return decode
