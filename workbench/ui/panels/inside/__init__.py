"""Inside panel: n-grams of fastText and the Huffman tree of hierarchical softmax."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.panel_kind import PanelKind, PanelPage
from workbench.ui.export.export_actions import export_actions


class InsideKind(PanelKind):
    key = "inside"
    title = tr("Inside")
    synonyms = tr("output layer")
    area = "centre"
    workspaces = ("theory",)
    order = 65
    fixed_pages = (
        PanelPage("tree", tr("Softmax tree"), tr("Huffman tree, hierarchical softmax")),
        PanelPage("ngrams", tr("Subwords"), tr("n-grams, morphemes")),
    )

    commands = (
        *export_actions(key, tr("the softmax tree"), lambda panel: panel.tree.saved, local="tree"),
        *export_actions(key, tr("the n-grams"), lambda panel: panel.ngrams.saved, local="ngrams"),
    )
