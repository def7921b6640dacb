"""The states of a panel and of its pages: in session files, and while a lesson changes controls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.ui.base.bound_state import BoundState

# A field: of a panel, its page ("" for the panel itself), and by its name.
FieldKey = tuple[str, str, str]


class PanelStates:
    """``pages``: by name of the page, "" for the panel itself."""

    def __init__(self, key: str, own: BoundState[Any]) -> None:
        self._key = key
        self.pages = {"": own}

    def tick(self) -> None:
        for bound in self.pages.values():
            bound.tick()

    def save_typed(self) -> None:
        """Write all settings."""
        for bound in self.pages.values():
            bound.save_typed()

    def to_json(self) -> dict[str, Any]:
        """What a session file contains."""
        self.save_typed()
        return {"states": {page: bound.value.to_json() for page, bound in self.pages.items()}}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restore ``to_json``. As it comes from a file, ``kept`` may contain any values."""
        states = kept.get("states")
        for page, bound in self.pages.items():
            values = states.get(page) if isinstance(states, Mapping) else None
            bound.restore(values if isinstance(values, Mapping) else {})

    def fields_of(self, names: Iterable[str]) -> dict[FieldKey, Any]:
        """The fields that controls with these object names show, and their values."""
        held = dict[FieldKey, Any]()
        for name in names:
            for page, bound in self.pages.items():
                field = bound.field_of(name)
                if field is not None:
                    held[self._key, page, field] = getattr(bound.value, field)
        return held

    def take_over(self, names: Iterable[str]) -> dict[FieldKey, Any]:
        """``fields_of``, which the program is going to change."""
        held = self.fields_of(names)
        for _, page, field in held:
            self.pages[page].take_over(field)
        return held

    def put_fields(self, values: Mapping[FieldKey, Any]) -> None:
        """Restore ``fields_of``."""
        for page, bound in self.pages.items():
            bound.restore_fields(
                {field: value for (_, of, field), value in values.items() if of == page}
            )
