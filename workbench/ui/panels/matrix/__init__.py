"""Matrix panel: co-occurrence matrices and models as images."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind


class MatrixKind(PanelKind):
    key = "matrix"
    title = tr("Matrix")
    synonyms = tr("heatmap, heat map, PMI, PPMI, SPPMI, NPMI, co-occurrence")
    area = "centre"
    workspaces = ("theory", "corpus")
    shows_rebuilt = True
    order = 20
    entry = "view"
    requests: ClassVar = {"picture": "show_picture"}

    commands = (
        Action(
            key="matrix.add",
            text=tr("Add a matrix view"),
            description=tr("Show another matrix of the same words beside this one."),
            run=lambda panel: panel.heads.add_pane(),
            place=10,
        ),
        Action(
            key="matrix.save_counts",
            text=tr("Save all counts…"),
            description=tr(
                "Count the whole corpus, or use the open counts, and save the matrix for "
                "other programs."
            ),
            run=lambda panel: panel.save_counts(),
            icon="export",
            place=80,
            why_not=lambda panel: (
                "" if panel.session.corpora.current is not None else tr("No corpus is open.")
            ),
        ),
        Action(
            key="matrix.save_figure",
            text=tr("Save figure of the matrix…"),
            description=tr("Save the visible matrix as a figure."),
            run=lambda panel: panel.exports.ask_figure(),
            icon="export",
            place=90,
        ),
        Action(
            key="matrix.save_data",
            text=tr("Save data of the matrix…"),
            description=tr("Save the visible numbers as a table."),
            run=lambda panel: panel.exports.ask_data(),
            icon="export",
            place=91,
        ),
    )
