"""Time panel: words, neighbours and analogies during training."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class TimeKind(PanelKind):
    key = "time"
    title = tr("Time")
    synonyms = tr("history, snapshots, animation, replay")
    area = "centre"
    order = 26

    commands = (
        Action(
            key="time.play",
            text=tr("Play the training"),
            description=tr("Play or stop the snapshots of the training."),
            run=lambda panel: panel.controls.play.click(),
            icon="play",
            place=10,
        ),
        *export_actions(key, tr("the training over time"), lambda panel: panel._export),
    )
