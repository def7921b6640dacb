"""Map panel: projection of words to two or three dimensions, with colours, search and word sets."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action, Choices, Declared, Target, by_qaction, of_menu
from workbench.ui.panel_kind import PanelKind
from workbench.ui.panels.map.export import FORMATS
from workbench.ui.panels.map.layout import PLANE


def _save_map(suffix: str, panel: Target) -> None:
    panel.save_map(suffix)


class MapKind(PanelKind):
    key = "map"
    title = tr("Map")
    synonyms = tr("embedding projector, scatter plot, UMAP, PCA, t-SNE, projection, clusters")
    area = "centre"
    shows_rebuilt = True
    order = 10
    entry = "view"

    commands: ClassVar[tuple[Declared, ...]] = (
        Action(
            "map.fit",
            tr("Show all words"),
            tr("Fit all words in the window."),
            lambda panel: panel.view.fit(),
            (),
            "fit",
            "",
            10,
        ),
        Action(
            "map.plane",
            tr("Show the plane of the analogy"),
            tr("Glide between the map of all words and the plane of the analogy."),
            lambda panel: panel._switch_plane(),
            (),
            "",
            "",
            10,
            checked=lambda panel: panel.choices.method == PLANE,
        ),
        by_qaction(
            "map.lasso",
            tr("Select by lasso"),
            tr("Drag a line around words on the map to select them."),
            lambda panel: panel._lasso,
            "",
            11,
        ),
        by_qaction(
            "map.place",
            tr("Place words…"),
            tr("Place words on the finished map. No other word moves."),
            lambda panel: panel._place,
            "",
            12,
        ),
        Choices(
            "map.colour",
            tr("Colour of the map"),
            tr("Choose what the colours of the points show."),
            of_menu(lambda panel: panel.colours.menu),
            tr("Colour: "),
            "",
            "",
            20,
        ),
        Choices(
            "map.words",
            tr("Words of the map"),
            tr("Choose the words to show, and manage saved word sets."),
            of_menu(lambda panel: panel.sets.menu),
            tr("Words: "),
            "",
            "",
            21,
        ),
        *(
            Action(
                f"map.save_{suffix[1:]}",
                text,
                tr("Save the displayed map: {kind}.", kind=kind),
                partial(_save_map, suffix),
                (),
                "export",
                "",
                90,
            )
            for suffix, (kind, text) in FORMATS.items()
        ),
    )
