"""Groups panel: words compared between years, speakers or authors, with bands and a control."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class GroupsKind(PanelKind):
    key = "groups"
    title = tr("Groups")
    synonyms = tr("diachronic, semantic change, years, decades, speakers, author, periods")
    area = "centre"
    workspaces = ("corpus",)
    order = 30
    entry = "words"

    commands = (
        Action(
            key="groups.map",
            text=tr("Show the trail on the map"),
            description=tr("Place the word of each group on the finished map, joined by a line."),
            run=lambda panel: panel.show_trail(),
            why_not=lambda panel: panel.no_trail,
            place=10,
        ),
        *export_actions(key, tr("cosines by group"), lambda panel: panel.chart.export),
        *export_actions(
            key,
            tr("contexts by group"),
            lambda panel: panel.contexts.export,
            figure=False,
            local="contexts",
        ),
    )
