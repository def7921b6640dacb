"""Word walk panel: a game for the first minutes, with the neighbours of the active run."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind


class WalkKind(PanelKind):
    key = "walk"
    title = tr("Word walk")
    synonyms = tr("game, play, puzzle, word ladder, hot and cold, shortest path")
    area = "centre"
    workspaces = ("explore",)
    order = 90
    entry = "option.1"

    commands = (
        Action(
            key="walk.next",
            text=tr("Next word walk"),
            description=tr("Start the next puzzle: walk from one word to another."),
            run=lambda panel: panel.next_puzzle(),
            why_not=lambda panel: panel.why_not_play(),
            place=10,
        ),
        Action(
            key="walk.back",
            text=tr("Go back in the word walk"),
            description=tr("Return to the word before, which is a move, too."),
            run=lambda panel: panel.go_back(),
            why_not=lambda panel: panel.why_not_back(),
            place=20,
        ),
        Action(
            key="walk.show",
            text=tr("Show a shortest word walk"),
            description=tr("Show a walk with as few steps as possible."),
            run=lambda panel: panel.show_shortest(),
            why_not=lambda panel: panel.why_not_play(),
            place=30,
        ),
    )
