"""Compare panel: agreement of two models, or of several seeds of one."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action, Target
from workbench.ui.base.panel_kind import PanelKind, PanelPage

# By the suffix of the key: the name of the view.
_SAVED = (
    ("moved", tr("moved words")),
    ("overlap", tr("overlap")),
    ("neighbours", tr("neighbours")),
    ("stability", tr("stability by word")),
    ("by_frequency", tr("stability by frequency")),
    ("spread", tr("neighbour spread")),
)


def _save_export(about: str, panel: Target) -> None:
    {**panel.models.exports, **panel.seeds.exports}[about].ask_data()


class CompareKind(PanelKind):
    key = "compare"
    title = tr("Compare")
    synonyms = tr("Procrustes, alignment, difference")
    area = "centre"
    workspaces = ("evaluate",)
    order = 50
    requests: ClassVar = {"comparison": "_compare_runs"}
    fixed_pages = (
        PanelPage("models", tr("Two models")),
        PanelPage("seeds", tr("Seeds"), tr("stability, reproducibility")),
    )

    commands = (
        *(
            Action(
                key=f"compare.save_{local}",
                text=tr("Save {about}…", about=about),
                description=tr("Save {about} as a table or a figure.", about=about),
                run=partial(_save_export, about),
                icon="export",
                place=90,
            )
            for local, about in _SAVED
        ),
    )
