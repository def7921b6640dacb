"""Usage counts that decay, so that the palette offers recent actions first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from workbench.core import logs
from workbench.core.setting import Setting
from workbench.session.settings.settings_file import Settings

# Number of entries; a use counts half after this many other uses.
_KEPT, _HALF = 60, 40


def _weights(value: Any) -> Mapping[str, float]:
    return {
        key: float(weight)
        for key, weight in value.items()
        if isinstance(weight, (int, float)) and math.isfinite(weight) and weight > 0
    }


USES = Setting[Mapping[str, float]]("palette.uses", _weights, {})


class Uses:
    """Usage counts, saved in the settings as {key: weight}; damaged settings count as empty."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def weights(self) -> Mapping[str, float]:
        return self._settings[USES]

    def note(self, key: str) -> None:
        """Note that an action was used. A bug report names the action, but not which file or run
        was chosen.
        """
        logs.record_action(key.partition(":")[0])
        faded = {other: weight * 0.5 ** (1 / _HALF) for other, weight in self.weights.items()}
        faded[key] = faded.get(key, 0.0) + 1.0
        best = sorted(faded.items(), key=lambda item: -item[1])[:_KEPT]
        self._settings[USES] = {other: round(weight, 4) for other, weight in best}
