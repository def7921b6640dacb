"""State of the map panel, and the controls that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.session.settings.session_settings import MAP_AXES, MAP_LIMIT, MAP_PAIRS
from workbench.ui.base.bound_state import BoundState
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.panels.map.body import MapBody
from workbench.ui.panels.map.layout import PAIRS
from workbench.ui.panels.map.layout_request import MapChoices


@dataclass(frozen=True)
class MapState(PanelState):
    """method : the last one chosen, or that of the settings; limit : number of words
    axes, pairs : anchors of the word axes, if they were chosen
    other, other_method : of Before/after, "" for the latest model
    params : settings of methods that were changed, by method
    place_words, place_source : typed words to place, and the model they are of
    """

    method: str = choice("")
    limit: int = choice(setting=MAP_LIMIT)
    axes: tuple[str, ...] = choice(setting=MAP_AXES)
    pairs: tuple[str, ...] = choice(setting=MAP_PAIRS)
    other: str = choice("")
    other_method: str = choice(next(iter(PAIRS)), allowed=PAIRS)
    params: Mapping[str, Any] = choice({})
    place_words: str = choice("")
    place_source: str = choice("")


def bind_map(bound: BoundState[MapState], ui: MapBody, choices: MapChoices) -> None:
    """Bind the controls to the fields. The panel takes over what its own signals report."""
    bar, axes, compare, placing = ui.bar, ui.axes, ui.compare, ui.placing
    bound.bind_to("method", bar.method, lambda: bar.chosen_method, choices.restore_method)
    bound.bind(bar.limit, "limit", by=())
    bound.bind_to("axes", list(axes.fields.values()), axes.chosen_words, axes.put_words)
    bound.bind_to("pairs", list(axes.pairs.values()), axes.pair_texts, axes.put_pairs)
    bound.bind(compare.other, "other", by=())
    bound.bind(compare.method, "other_method", by=())
    editors = [field.editor for field in bar.popover.form.fields.values()]
    bound.bind_to("params", editors, bar.kept_params, bar.restore_params)
    bound.bind(placing.field, "place_words", by=[placing.field.textChanged])
    bound.bind(placing.source, "place_source")
    bound.value = bound.value.replace(method=bar.chosen_method)
