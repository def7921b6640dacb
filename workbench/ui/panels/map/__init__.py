"""Map panel: projection of words to two or three dimensions, with colours, search and word sets."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action, Choices, Declared, Target, by_qaction, of_menu
from workbench.ui.base.panel_kind import PanelKind
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
    requests: ClassVar = {"trail": "_show_trail", "taught": "_show_taught"}

    commands: ClassVar[tuple[Declared, ...]] = (
        Action(
            key="map.fit",
            text=tr("Show all words"),
            description=tr("Fit all words in the window."),
            run=lambda panel: panel.view.fit(),
            icon="fit",
            place=10,
        ),
        Action(
            key="map.plane",
            text=tr("Show the plane of the analogy"),
            description=tr("Glide between the map of all words and the plane of the analogy."),
            run=lambda panel: panel._switch_plane(),
            place=10,
            checked=lambda panel: panel.choices.method == PLANE,
        ),
        by_qaction(
            key="map.lasso",
            text=tr("Select by lasso"),
            description=tr("Drag a line around words on the map to select them."),
            find=lambda panel: panel._lasso,
            place=11,
        ),
        by_qaction(
            key="map.place",
            text=tr("Place words…"),
            description=tr("Place words on the finished map. No other word moves."),
            find=lambda panel: panel._place,
            place=12,
        ),
        Choices(
            key="map.colour",
            text=tr("Colour of the map"),
            description=tr("Choose what the colours of the points show."),
            entries=of_menu(lambda panel: panel.colours.menu),
            prompt=tr("Colour: "),
            place=20,
        ),
        Choices(
            key="map.words",
            text=tr("Words of the map"),
            description=tr("Choose the words to show, and manage saved word sets."),
            entries=of_menu(lambda panel: panel.sets.menu),
            prompt=tr("Words: "),
            place=21,
        ),
        *(
            Action(
                key=f"map.save_{suffix[1:]}",
                text=text,
                description=tr("Save the displayed map: {kind}.", kind=kind),
                run=partial(_save_map, suffix),
                icon="export",
                place=90,
            )
            for suffix, (kind, text) in FORMATS.items()
        ),
    )
