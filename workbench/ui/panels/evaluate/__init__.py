"""Evaluate panel: analogy and similarity scores, odd one out, leaderboard."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.panel_kind import PanelKind, PanelPage


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
        PanelPage("leaderboard", tr("Leaderboard"), tr("ranking, best model")),
    )

    commands = (
        Action(
            "evaluate.questions",
            tr("Open a question file…"),
            tr("Score the model on analogies from a file."),
            lambda panel: panel.analogies.choose_file(),
            (),
            "",
            "",
            10,
        ),
        Action(
            "evaluate.question_folder",
            tr("Open a folder of questions…"),
            tr("Score the model on all question files of a folder, such as BATS."),
            lambda panel: panel.analogies.choose_folder(),
            (),
            "",
            "",
            10,
        ),
        Action(
            "evaluate.pairs",
            tr("Open a set of word pairs…"),
            tr("Score the model on human similarity ratings."),
            lambda panel: panel.similarity.choose_file(),
            (),
            "",
            "",
            11,
        ),
        Action(
            "evaluate.save_leaderboard",
            tr("Export the leaderboard…"),
            tr("Save the scores of all runs as a table."),
            lambda panel: panel.leaderboard.export.ask_data(),
            (),
            "export",
            "",
            90,
        ),
    )
