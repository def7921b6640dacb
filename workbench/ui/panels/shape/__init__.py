"""Shape panel: how a space of vectors is shaped, before and after the usual corrections."""

from __future__ import annotations

from workbench.core.language import tr, trc
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class ShapeKind(PanelKind):
    key = "shape"
    title = trc("noun", "Shape")
    synonyms = tr(
        "isotropy, anisotropy, cone, spectrum, effective rank, hubs, hubness, norm, length, "
        "whitening"
    )
    area = "centre"
    workspaces = ("theory",)
    order = 27

    commands = export_actions(key, tr("the shape"), lambda panel: panel.chart.export)
