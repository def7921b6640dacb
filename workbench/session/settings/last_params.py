"""Last chosen parameters of each algorithm in the settings: {algorithm: {"preset": name, "values":
{...}}}.
"""

from __future__ import annotations

from typing import Any

from workbench.core.params import Value
from workbench.models.base import Model, preset_params
from workbench.session.settings.session_settings import TRAIN_ALGORITHM, TRAIN_VALUES
from workbench.session.settings.settings_file import Settings

CLASSROOM = "classroom"


class LastParams:
    """Last parameters of each algorithm. Damaged settings count as missing."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        stored = settings[TRAIN_VALUES]
        self._kept: dict[str, dict[str, Any]] = dict(stored)

    @property
    def last(self) -> str:
        """Key of the algorithm that was chosen last, "" if none was."""
        return self._settings[TRAIN_ALGORITHM]

    def preset(self, kind: type[Model], otherwise: str) -> str:
        return str(self._kept.get(kind.key, {}).get("preset", otherwise))

    def values(self, kind: type[Model]) -> dict[str, Value]:
        """Values that still have a valid type; the caller checks the range."""
        values = self._kept.get(kind.key, {}).get("values", {})
        specs = {spec.name: spec for spec in kind.params_type.specs()}
        usable: dict[str, Value] = {}
        for name, value in values.items() if isinstance(values, dict) else ():
            if name not in specs or not isinstance(value, (bool, int, float, str)):
                continue
            if isinstance(value, specs[name].type) or (
                specs[name].type is float and isinstance(value, int)
            ):
                usable[name] = value
        return usable

    def form_values(self, kind: type[Model]) -> dict[str, Value]:
        """Every value that the form for a single training shows: those of its preset, or else of
        the preset for classrooms, with the changes.
        """
        known = [preset.name for preset in kind.presets]
        name = next((one for one in (self.preset(kind, ""), CLASSROOM) if one in known), "")
        base = preset_params(kind, name) if name else kind.params_type()
        return {**base.to_dict(), **self.values(kind)}
