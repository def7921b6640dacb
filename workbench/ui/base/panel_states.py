"""The states of a panel and of its pages: in session files, and while a lesson changes controls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.ui.base.bound_state import BoundState
from workbench.ui.base.kept_inputs import KeptInputs

# Key of what a control contains: panel, page and field, or the object name of an unbound control.
Content = str | tuple[str, str, str]


class PanelStates:
    """``pages``: by name of the page, "" for the panel itself."""

    def __init__(self, key: str, own: BoundState[Any], inputs: KeptInputs) -> None:
        self._key = key
        self._inputs = inputs
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
        states = {page: bound.value.to_json() for page, bound in self.pages.items()}
        return {"states": states, "inputs": self._inputs.read()}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restore ``to_json``, or what files of earlier versions contain instead: the contents of
        controls by their object names. As it comes from a file, ``kept`` may contain any values.
        """
        states, inputs = kept.get("states"), kept.get("inputs")
        for page, bound in self.pages.items():
            if isinstance(states, Mapping):
                values = states.get(page)
            else:
                values = bound.read_earlier(inputs if isinstance(inputs, Mapping) else {})
            bound.restore(values if isinstance(values, Mapping) else {})
        self._inputs.put(inputs)

    def contents(self, names: Iterable[str]) -> dict[Content, Any]:
        """What controls with these object names contain, or are going to contain once a run is
        loaded.
        """
        inputs = self._inputs.contents()
        held = dict[Content, Any]()
        for name in names:
            if name in inputs:
                held[name] = inputs[name]
            for page, bound in self.pages.items():
                field = bound.field_of(name)
                if field is not None:
                    held[self._key, page, field] = getattr(bound.value, field)
        return held

    def take_over(self, names: Iterable[str]) -> dict[Content, Any]:
        """``contents``, which the program is going to change."""
        names = list(names)
        held = self.contents(names)
        for name in names:
            self._inputs.take_over(name)
        for content in held:
            if not isinstance(content, str):
                self.pages[content[1]].take_over(content[2])
        return held

    def restore_contents(self, contents: Mapping[Content, Any]) -> None:
        """Restore ``contents``."""
        for page, bound in self.pages.items():
            fields = {
                content[2]: value
                for content, value in contents.items()
                if not isinstance(content, str) and content[1] == page
            }
            bound.await_sources(fields)
            bound.put(bound.value.replace(**fields))
        inputs = {name: value for name, value in contents.items() if isinstance(name, str)}
        self._inputs.put(inputs, settings_stay=True)
