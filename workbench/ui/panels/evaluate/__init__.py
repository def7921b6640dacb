"""Evaluate panel: analogy and similarity scores, odd one out, leaderboard."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind, PanelPage


class EvaluateKind(PanelKind):
    key = "evaluate"
    title = tr("Evaluate")
    synonyms = tr("benchmark, accuracy, scores")
    area = "centre"
    workspaces = ("evaluate",)
    order = 40
    requests: ClassVar = {"comparison": "_compare_runs", "ranking": "_rank_runs"}
    fixed_pages = (
        PanelPage("analogies", tr("Analogies"), tr("questions-words, analogy test")),
        PanelPage("similarity", tr("Similarity"), tr("SimLex, WordSim, human ratings")),
        PanelPage("odd", tr("Odd one out"), tr("intruder, outlier")),
        PanelPage(
            "associations", tr("Associations"), tr("bias, stereotypes, WEAT, RIPA, sets of words")
        ),
        PanelPage("leaderboard", tr("Leaderboard"), tr("ranking, best model")),
    )

    commands = (
        Action(
            key="evaluate.questions",
            text=tr("Open a question file…"),
            description=tr("Score the model on analogies from a file."),
            run=lambda panel: panel.analogies.choose_file(),
            place=10,
        ),
        Action(
            key="evaluate.question_folder",
            text=tr("Open a folder of questions…"),
            description=tr("Score the model on all question files of a folder, such as BATS."),
            run=lambda panel: panel.analogies.choose_folder(),
            place=10,
        ),
        Action(
            key="evaluate.pairs",
            text=tr("Open a set of word pairs…"),
            description=tr("Score the model on human similarity ratings."),
            run=lambda panel: panel.similarity.choose_file(),
            place=11,
        ),
        Action(
            key="evaluate.associations",
            text=tr("Open sets of words…"),
            description=tr("Test associations of sets of words from a TOML file."),
            run=lambda panel: panel.associations.choose_file(),
            place=12,
        ),
        Action(
            key="evaluate.influence",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the chosen pair or association."),
            run=lambda panel: panel.ask_influence(),
            why_not=lambda panel: panel.why_not_influence(),
            raises=False,
            place=20,
        ),
        Action(
            key="evaluate.save_leaderboard",
            text=tr("Export the leaderboard…"),
            description=tr("Save the scores of all runs as a table."),
            run=lambda panel: panel.leaderboard.export.ask_data(),
            icon="export",
            place=90,
        ),
    )
