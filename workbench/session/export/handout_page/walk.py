"""The word walk: a game for the first minutes, whose puzzles are those of the program."""

from __future__ import annotations

import numpy as np

from workbench.analysis.walk.word_walk import FEWEST_WORDS, MOST_WORDS, WalkWords
from workbench.core.job_control import JobControl
from workbench.core.language import mark as tr
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.words import PageWords

_TEXTS = {
    "walk": tr("Word walk"),
    "walk_note": tr(
        "Walk from the first word to the second in as few steps as possible. A step leads to one "
        "of the {options} nearest words. {number} words are in the game."
    ),
    "walk_puzzle": tr("Puzzle"),
    "walk_go": tr("Go to"),
    "walk_rank": tr("By cosine with “{word}”, this word is number {rank} of {number}."),
    "walk_there": tr("You are there!"),
    "walk_hot": tr("Hot"),
    "walk_warm": tr("Warm"),
    "walk_cool": tr("Cool"),
    "walk_cold": tr("Cold"),
    "walk_moves": tr("Moves: {moves}. The shortest walk has {steps} steps."),
    "walk_best": tr("{moves} moves: nobody can do better."),
    "walk_done": tr("{moves} moves. The shortest walk has {steps}."),
    "walk_way": tr("A shortest walk: {words}"),
    "walk_back": tr("Go back"),
    "walk_show": tr("Show a shortest walk"),
    "walk_next": tr("Next puzzle"),
}


def walk_section(page: PageWords, run: JobControl) -> PageSection | None:
    """The game with the first words of the page; None if there are too few. Raises Cancelled."""
    game = WalkWords.of(page.embeddings, run, min(int(page.rows[-1]) + 1, MOST_WORDS))
    if len(game.words) < FEWEST_WORDS or game.graph.puzzle(1) is None:
        return None
    near = game.graph.near.astype(np.uint16)
    return PageSection(
        "walk", ("walk-rules.js", "walk.js"), {"words": len(game.words)}, {"near": near}, _TEXTS
    )
