"""Analogy panel: solves a − b + c and shows the answers."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action, Choices, by_qaction, of_menu
from workbench.ui.panel_kind import PanelKind


class AnalogyKind(PanelKind):
    key = "analogy"
    title = tr("Analogy")
    synonyms = tr("vector arithmetic, king − man + woman, 3CosAdd")
    area = "bottom"
    workspaces = ("explore",)
    shows_rebuilt = True
    order = 10
    requests: ClassVar = {"analogy": "_ask_words", "analogy_word": "_fill_next_field"}

    commands = (
        Action(
            "analogy.ask",
            tr("Solve an analogy"),
            tr("Type three words. The vectors predict the fourth."),
            lambda panel: panel.ask(),
            (),
            "",
            "",
            10,
        ),
        by_qaction(
            "analogy.apart",
            tr("Explain the answers"),
            tr("Show in the Relations panel where the answers come from."),
            lambda panel: panel._menu.apart,
            "",
            11,
        ),
        Choices(
            "analogy.method",
            tr("Analogy method"),
            tr("Choose how answers are computed."),
            of_menu(lambda panel: panel._menu.method),
            tr("Analogy method: "),
            "",
            "",
            15,
        ),
        Choices(
            "analogy.candidates",
            tr("Candidates"),
            tr("Limit answers to the most frequent words."),
            of_menu(lambda panel: panel._menu.candidates),
            tr("Candidates: "),
            "",
            "",
            20,
        ),
        Choices(
            "analogy.again",
            tr("Recent analogies"),
            tr("Solve a recent analogy again."),
            of_menu(lambda panel: panel._menu.before),
            tr("Solve again: "),
            "",
            "",
            21,
            tr("None yet"),
        ),
        by_qaction(
            "analogy.copy",
            tr("Copy answers"),
            tr("Copy the answers, one per line."),
            lambda panel: panel._menu.copy_text,
            "",
            91,
        ),
        by_qaction(
            "analogy.copy_csv",
            tr("Copy answers as CSV"),
            tr("Copy the answers with their scores."),
            lambda panel: panel._menu.copy_csv,
            "",
            92,
        ),
    )
