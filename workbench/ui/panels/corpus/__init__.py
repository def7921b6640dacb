"""Corpus panel: files, reading options, preview, vocabulary, concordance and charts."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import ChoiceEntry, Choices, Target
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.base.theme import SPACE_4
from workbench.ui.export.export_actions import export_actions


def _option_entries(panel: Target) -> list[ChoiceEntry]:
    options = panel.reading.options
    reason = "" if options.isEnabled() and not options.isHidden() else tr("Open a text first.")
    return [
        ChoiceEntry(
            key=name,
            text=title,
            run=partial(options.go_to_option, name),
            description=description,
            why_not=reason,
        )
        for name, title, description in options.named_options()
    ]


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

    commands = (
        Choices(
            key="corpus.option",
            text=tr("Reading option"),
            description=tr("Go to an option for reading the text."),
            entries=_option_entries,
            prompt=tr("Reading option: "),
            exclusive=False,
        ),
        *export_actions(key, tr("the vocabulary"), lambda panel: panel._export, figure=False),
    )
