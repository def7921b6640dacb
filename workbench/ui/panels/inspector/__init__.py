"""Inspector panel: facts about the selected word."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.action import by_qaction
from workbench.ui.panel_kind import PanelKind
from workbench.ui.widgets.charts.export_actions import export_actions


class InspectorKind(PanelKind):
    key = "inspector"
    title = tr("Inspector")
    synonyms = tr("word details, facts about a word")
    area = "right"
    shows_rebuilt = True
    order = 20

    commands = (
        by_qaction(
            "inspector.back",
            tr("Back to the previous word"),
            tr("Select the previous word in the history."),
            lambda panel: panel._back,
            "Alt+Left",
            10,
            local=False,
        ),
        by_qaction(
            "inspector.forward",
            tr("Forward to the next word"),
            tr("Select the next word in the history."),
            lambda panel: panel._forward,
            "Alt+Right",
            11,
            local=False,
        ),
        *export_actions(key, tr("the inspector"), lambda panel: panel._export, figure=False),
    )
