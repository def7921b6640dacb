"""Matrix panel: co-occurrence matrices and models as images."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.panel_kind import PanelKind


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
            "matrix.add",
            tr("Add a matrix view"),
            tr("Show another matrix of the same words beside this one."),
            lambda panel: panel.heads.add_pane(),
            (),
            "",
            "",
            10,
        ),
        Action(
            "matrix.save_counts",
            tr("Save all counts…"),
            tr(
                "Count the whole corpus, or use the open counts, and save the matrix for "
                "other programs."
            ),
            lambda panel: panel.save_counts(),
            (),
            "export",
            "",
            80,
            lambda panel: (
                "" if panel.session.corpora.current is not None else tr("No corpus is open.")
            ),
        ),
        Action(
            "matrix.save_figure",
            tr("Save figure of the matrix…"),
            tr("Save the visible matrix as a figure."),
            lambda panel: panel.exports.ask_figure(),
            (),
            "export",
            "",
            90,
        ),
        Action(
            "matrix.save_data",
            tr("Save data of the matrix…"),
            tr("Save the visible numbers as a table."),
            lambda panel: panel.exports.ask_data(),
            (),
            "export",
            "",
            91,
        ),
    )
