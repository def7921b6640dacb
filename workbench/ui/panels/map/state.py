"""State of the map panel, and the controls that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from workbench.session.settings.session_settings import (
    MAP_AXES,
    MAP_AXES_COLOUR,
    MAP_COLOUR,
    MAP_COLUMN,
    MAP_LIMIT,
    MAP_PAIRS,
)
from workbench.ui.base.bound_state import BoundState
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.panels.map.body import MapBody
from workbench.ui.panels.map.colour_menu import MapColours
from workbench.ui.panels.map.colours.sections import MAP_QUESTIONS
from workbench.ui.panels.map.layout import PAIRS
from workbench.ui.panels.map.layout_request import MapChoices


@dataclass(frozen=True)
class MapState(PanelState):
    """method : the last one chosen, or that of the settings; limit : number of words
    axes, pairs : anchors of the word axes, if they were chosen
    colour, axes_colour : what the colours show in all views but that of word axes, and in that
    column, questions : files of words that colour the points
    other, other_method : of Before/after, "" for the latest model
    params : settings of methods that were changed, by method
    place_words, place_source : typed words to place, and the model they are of
    """

    method: str = choice("")
    limit: int = choice(setting=MAP_LIMIT)
    axes: tuple[str, ...] = choice(setting=MAP_AXES)
    pairs: tuple[str, ...] = choice(setting=MAP_PAIRS)
    colour: str = choice(setting=MAP_COLOUR)
    axes_colour: str = choice(setting=MAP_AXES_COLOUR)
    column: str = choice(setting=MAP_COLUMN)
    questions: str = choice(setting=MAP_QUESTIONS)
    other: str = choice("")
    other_method: str = choice(next(iter(PAIRS)), allowed=PAIRS)
    params: Mapping[str, Any] = choice({})
    place_words: str = choice("")
    place_source: str = choice("")


# Fields whose changes the colours themselves follow.
COLOURS = ("colour", "axes_colour", "column", "questions")


def bind_map(
    bound: BoundState[MapState], ui: MapBody, choices: MapChoices, colours: MapColours
) -> None:
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
    for field, axes_view in (("colour", False), ("axes_colour", True)):
        read, show = partial(colours.choice_of, axes_view), partial(colours.restore, axes_view)
        bound.bind_to(field, bar.colour, read, show)
    for field, key in (("column", "column"), ("questions", "section")):
        read, show = partial(colours.file_of, key), partial(colours.restore_file, key)
        bound.bind_to(field, bar.colour, read, show)
    bound.value = bound.value.replace(method=bar.chosen_method)
