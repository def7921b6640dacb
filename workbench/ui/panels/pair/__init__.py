"""Pair panel: likelihood of one word pair under negative sampling, and the text behind it."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class PairKind(PanelKind):
    key = "pair"
    title = tr("Pair")
    synonyms = tr("likelihood, optimum")
    area = "centre"
    workspaces = ("theory", "corpus")
    shows_rebuilt = True
    order = 25

    commands = (
        Action(
            key="pair.influence",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the cosine of both words."),
            run=lambda panel: panel.ask_influence(),
            why_not=lambda panel: panel.why_not_influence(),
            raises=False,
            place=20,
        ),
        *export_actions(key, tr("the pair"), lambda panel: panel._export),
    )
