"""Loss panel: loss curves of runs."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class LossKind(PanelKind):
    key = "loss"
    title = tr("Loss")
    synonyms = tr("learning curve, training curve, convergence")
    area = "centre"
    workspaces = ("train",)
    order = 10
    entry = "plot"

    commands = export_actions(key, tr("the loss"), lambda panel: panel.export)
