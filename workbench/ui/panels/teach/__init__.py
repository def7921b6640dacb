"""Teach panel: a word’s vector from typed lines, without training."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind
from workbench.ui.export.export_actions import export_actions


class TeachKind(PanelKind):
    key = "teach"
    title = tr("Teach")
    synonyms = tr("teach a word, new word, few lines, folding in, à la carte")
    area = "right"
    workspaces = ("explore",)
    order = 20
    entry = "word"
    requests: ClassVar = {"teach": "teach"}

    commands = (
        Action(
            key="teach.selected",
            text=tr("Teach other lines of the word"),
            description=tr("Ask what the selected word would be like in lines that you type."),
            run=lambda panel: panel.teach_selected(),
            place=10,
        ),
        Action(
            key="teach.add",
            text=tr("Add the taught word to the model"),
            description=tr("Make a new run that has the word."),
            run=lambda panel: panel.add_to_model(),
            why_not=lambda panel: panel.why_not_add(),
            place=20,
        ),
        *export_actions(key, tr("the taught word"), lambda panel: panel.export),
    )
