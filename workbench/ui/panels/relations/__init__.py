"""Relations panel: analogy offsets, baselines and decomposition of scores."""

from __future__ import annotations

from functools import partial

from workbench.core.language import tr
from workbench.ui.base.action import Action, Target
from workbench.ui.base.panel_kind import PanelKind, PanelPage


def _save_export(what: str, panel: Target) -> None:
    panel._export_page(what)


class RelationsKind(PanelKind):
    key = "relations"
    title = tr("Relations")
    synonyms = tr("offsets, parallelogram")
    area = "centre"
    shows_rebuilt = True
    order = 35
    fixed_pages = (
        PanelPage("one", tr("Analogy")),
        PanelPage("many", tr("Relation")),
        PanelPage("apart", tr("Without its pairs"), tr("delete cells of pairs")),
        PanelPage("dots", tr("In the counts"), tr("analogy in PMI, paraphrase")),
    )

    commands = (
        Action(
            key="relations.one",
            text=tr("Explain the analogy"),
            description=tr("Explain the last analogy’s answer."),
            run=lambda panel: panel._raise_page("one"),
            place=10,
        ),
        Action(
            key="relations.many",
            text=tr("Show the offsets of a relation"),
            description=tr("Check whether the offsets of many pairs are parallel."),
            run=lambda panel: panel._raise_page("many"),
            place=11,
        ),
        Action(
            key="relations.apart",
            text=tr("Take the pairs away"),
            description=tr(
                "Delete a relation’s own pairs from the counts, and see whether analogies stay."
            ),
            run=lambda panel: panel._raise_page("apart"),
            place=12,
        ),
        Action(
            key="relations.dots",
            text=tr("Show the analogy in the counts"),
            description=tr("Compare the answer with the other three words, context by context."),
            run=lambda panel: panel._raise_page("dots"),
            place=13,
        ),
        Action(
            key="relations.influence",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the margin of the last analogy."),
            run=lambda panel: panel.ask_influence(),
            why_not=lambda panel: panel.why_not_influence(),
            raises=False,
            place=20,
        ),
        Action(
            key="relations.figure",
            text=tr("Save figure of the relation…"),
            description=tr("Save the figure."),
            run=partial(_save_export, "figure"),
            icon="export",
            place=90,
        ),
        Action(
            key="relations.data",
            text=tr("Save data of the relation…"),
            description=tr("Save the numbers behind the figure as a table."),
            run=partial(_save_export, "data"),
            icon="export",
            place=91,
        ),
        Action(
            key="relations.copy",
            text=tr("Copy data of the relation"),
            description=tr("Copy the numbers behind the figure."),
            run=partial(_save_export, "copy"),
            place=92,
        ),
    )
