"""Analogy panel: solves a − b + c and shows the answers."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action, Choices, by_qaction, of_menu
from workbench.ui.base.panel_kind import PanelKind


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
            key="analogy.ask",
            text=tr("Solve an analogy"),
            description=tr("Type three words. The vectors predict the fourth."),
            run=lambda panel: panel.ask(),
            place=10,
        ),
        by_qaction(
            key="analogy.apart",
            text=tr("Explain the answers"),
            description=tr("Show in the Relations panel where the answers come from."),
            find=lambda panel: panel._menu.apart,
            place=11,
        ),
        by_qaction(
            key="analogy.influence",
            text=tr("Which lines did it?"),
            description=tr("Rank the lines of the text behind the margin of the answer."),
            find=lambda panel: panel._menu.influence,
            place=11,
        ),
        Choices(
            key="analogy.method",
            text=tr("Analogy method"),
            description=tr("Choose how answers are computed."),
            entries=of_menu(lambda panel: panel._menu.method),
            prompt=tr("Analogy method: "),
            place=15,
        ),
        Choices(
            key="analogy.candidates",
            text=tr("Candidates"),
            description=tr("Limit answers to the most frequent words."),
            entries=of_menu(lambda panel: panel._menu.candidates),
            prompt=tr("Candidates: "),
            place=20,
        ),
        Choices(
            key="analogy.again",
            text=tr("Recent analogies"),
            description=tr("Solve a recent analogy again."),
            entries=of_menu(lambda panel: panel._menu.before),
            prompt=tr("Solve again: "),
            place=21,
            empty=tr("None yet"),
        ),
        by_qaction(
            key="analogy.copy",
            text=tr("Copy answers"),
            description=tr("Copy the answers, one per line."),
            find=lambda panel: panel._menu.copy_text,
            place=91,
        ),
        by_qaction(
            key="analogy.copy_csv",
            text=tr("Copy answers as CSV"),
            description=tr("Copy the answers with their scores."),
            find=lambda panel: panel._menu.copy_csv,
            place=92,
        ),
    )
