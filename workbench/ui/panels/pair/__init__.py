"""Pair panel: likelihood of one word pair under negative sampling, and the text behind it."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class PairKind(PanelKind):
    key = "pair"
    title = tr("Pair")
    synonyms = tr("likelihood, optimum")
    area = "centre"
    workspaces = ("theory", "corpus")
    shows_rebuilt = True
    order = 25

    commands = export_actions(key, tr("the pair"), lambda panel: panel._export)
