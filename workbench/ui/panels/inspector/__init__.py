"""Inspector panel: facts about the selected word."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import by_qaction
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class InspectorKind(PanelKind):
    key = "inspector"
    title = tr("Inspector")
    synonyms = tr("word details, facts about a word")
    area = "right"
    shows_rebuilt = True
    order = 20

    commands = (
        by_qaction(
            key="inspector.back",
            text=tr("Back to the previous word"),
            description=tr("Select the previous word in the history."),
            find=lambda panel: panel._back,
            keys="Alt+Left",
            place=10,
            local=False,
        ),
        by_qaction(
            key="inspector.forward",
            text=tr("Forward to the next word"),
            description=tr("Select the next word in the history."),
            find=lambda panel: panel._forward,
            keys="Alt+Right",
            place=11,
            local=False,
        ),
        *export_actions(key, tr("the inspector"), lambda panel: panel._export, figure=False),
    )
