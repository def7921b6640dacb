"""Documents panel: the documents of LSA as points, and search in them by words."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class DocumentsKind(PanelKind):
    key = "documents"
    title = tr("Documents")
    synonyms = tr("LSA, latent semantic indexing, retrieval, search, passages, topics")
    area = "centre"
    workspaces = ("corpus",)
    order = 32
    entry = "words"

    commands = export_actions(key, tr("the documents"), lambda panel: panel.chart.export)
