"""Theory panel: fit to the target, number of dimensions, and factors of a model."""

from __future__ import annotations

from workbench.core.language import tr, trc
from workbench.ui.base.panel_kind import PanelKind, PanelPage
from workbench.ui.export.export_actions import export_actions


class TheoryKind(PanelKind):
    key = "theory"
    title = tr("Theory")
    synonyms = tr("factorisation, matrix factorisation, R²")
    area = "centre"
    workspaces = ("theory",)
    order = 22
    fixed_pages = (
        PanelPage("fit", trc("noun", "Fit")),
        PanelPage("factors", "W × Cᵀ = M"),
        PanelPage("dims", tr("By dimension")),
        PanelPage("modes", tr("Modes"), tr("singular values, order of learning, rank, SVD")),
    )

    commands = export_actions(
        key, tr("model against target"), lambda panel: panel.fit.density_export
    )
