"""Weights panel: weights, biases, probability ratios, and the cost of each algorithm's sums and
steps.
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind, PanelPage
from workbench.ui.export.export_actions import export_actions


class WeightsKind(PanelKind):
    key = "weights"
    title = tr("Weights")
    synonyms = tr("weight function, weighting")
    area = "centre"
    workspaces = ("theory",)
    order = 24
    fixed_pages = (
        PanelPage("curves", tr("Weights")),
        PanelPage("ratios", tr("Ratios")),
        PanelPage("biases", tr("Biases")),
        PanelPage("entropy", tr("Cross entropy")),
        PanelPage("cost", tr("Cost of a step")),
    )

    commands = export_actions(
        key, tr("weights by count"), lambda panel: panel.curves.weights_export
    )
