"""Influence panel: which lines of the text a cosine, an analogy or an association comes from."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class InfluenceKind(PanelKind):
    key = "influence"
    title = tr("Influence")
    synonyms = tr("influence function, data attribution, training lines")
    area = "centre"
    workspaces = ("explore", "theory")
    order = 36
    entry = "words"
    requests: ClassVar = {"influence": "rank"}

    commands = (
        Action(
            key="influence.selected",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the cosine of the selected words."),
            run=lambda panel: panel.rank_selected(),
            place=10,
        ),
        Action(
            key="influence.again",
            text=tr("Train again without the lines"),
            description=tr("Make a run without the ticked lines, and compare the prediction."),
            run=lambda panel: panel.train_again(),
            why_not=lambda panel: panel.why_not_train(),
            place=20,
        ),
        *export_actions(key, tr("the lines"), lambda panel: panel.lines_export),
        *export_actions(
            key,
            tr("predictions"),
            lambda panel: panel.tests_export,
            local="tests",
        ),
    )
