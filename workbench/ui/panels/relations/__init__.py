"""Relations panel: analogy offsets, baselines and decomposition of scores."""

from __future__ import annotations

from functools import partial

from workbench.core.language import tr
from workbench.ui.action import Action, Target
from workbench.ui.panel_kind import PanelKind, PanelPage


def _save_export(what: str, panel: Target) -> None:
    panel._export_page(what)


class RelationsKind(PanelKind):
    key = "relations"
    title = tr("Relations")
    synonyms = tr("offsets, parallelogram")
    area = "centre"
    shows_rebuilt = True
    order = 35
    fixed_pages = (PanelPage("one", tr("Analogy")), PanelPage("many", tr("Relation")))

    commands = (
        Action(
            "relations.one",
            tr("Explain the analogy"),
            tr("Explain the last analogy’s answer."),
            lambda panel: panel._raise_page(panel.one),
            (),
            "",
            "",
            10,
        ),
        Action(
            "relations.many",
            tr("Show the offsets of a relation"),
            tr("Check whether the offsets of many pairs are parallel."),
            lambda panel: panel._raise_page(panel.many),
            (),
            "",
            "",
            11,
        ),
        *(
            Action(
                f"relations.{what}",
                text,
                description,
                partial(_save_export, what),
                (),
                icon,
                "",
                place,
            )
            for what, text, description, icon, place in (
                (
                    "figure",
                    tr("Save figure of the relation…"),
                    tr("Save the figure."),
                    "export",
                    90,
                ),
                (
                    "data",
                    tr("Save data of the relation…"),
                    tr("Save the numbers behind the figure as a table."),
                    "export",
                    91,
                ),
                (
                    "copy",
                    tr("Copy data of the relation"),
                    tr("Copy the numbers behind the figure."),
                    "",
                    92,
                ),
            )
        ),
    )
