"""Corpus panel: files, reading options, preview, vocabulary, concordance and charts."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.panel_kind import PanelKind
from workbench.ui.theme import SPACE_4
from workbench.ui.widgets.charts.export_actions import export_actions


class CorpusKind(PanelKind):
    key = "corpus"
    title = tr("Corpus")
    synonyms = tr("vocabulary, word list, tokens, text, Zipf, concordance")
    area = "centre"
    workspaces = ("corpus",)
    order = 15
    requests: ClassVar = {"lines": "_show_pair_lines"}
    indent = SPACE_4
    fixed_pages = None

    commands = export_actions(key, tr("the vocabulary"), lambda panel: panel._export, figure=False)
