"""Collocations panel: the company of a word as a table and a network, and its spread over files."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class CollocationsKind(PanelKind):
    key = "collocations"
    title = tr("Collocations")
    synonyms = tr("collocates, company, network, PMI, log-likelihood, dispersion, keyness")
    area = "centre"
    workspaces = ("corpus",)
    order = 28
    entry = "word"

    commands = export_actions(key, tr("the network"), lambda panel: panel.network.export)
