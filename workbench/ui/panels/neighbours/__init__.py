"""Neighbours panel: nearest words in one run or several, and their shared contexts."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class NeighboursKind(PanelKind):
    key = "neighbours"
    title = tr("Neighbours")
    synonyms = tr("similar words, nearest words, most similar, cosine")
    area = "right"
    shows_rebuilt = True
    order = 10
    fixed_pages = None

    commands = (
        Action(
            key="neighbours.look_up",
            text=tr("Look up a word’s neighbours"),
            description=tr("Type a word and see the words nearest to it."),
            run=lambda panel: panel.look_up(),
            icon="search",
            place=10,
        ),
        Action(
            key="neighbours.influence",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the cosine with a neighbour."),
            run=lambda panel: panel.ask_influence(),
            why_not=lambda panel: panel.why_not_influence(),
            raises=False,
            place=20,
        ),
        *export_actions(key, tr("the neighbours"), lambda panel: panel.export, figure=False),
    )
