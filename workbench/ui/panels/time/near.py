"""The neighbours of a word in one state of a training."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.analysis.history.replay import Film
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import SPACE_1
from workbench.ui.widgets.tables.score_list import ScoreList


class TimeNear(QWidget):
    """A heading and a list. ``picked``: a word was clicked or reached by keys; ``activated``: it
    was opened.
    """

    picked = Signal(str)
    activated = Signal(str)

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.list = panel.named(
            ScoreList(panel.theme), "neighbours", tr("Neighbours in this snapshot")
        )
        heading = kit.ElidedLabel(lines=3)
        self.heading = kit.with_role(heading, "heading", f"{panel.key}.heading")
        kit.set_scaled_size(self, least_width=150)
        kit.fill(self, kit.column(self.heading, kit.stretch(self.list), gap=SPACE_1))
        self.list.picked.connect(self.picked.emit)
        self.list.double_clicked.connect(self.activated.emit)

    def put(self, film: Film, state: int, current: str) -> None:
        """Show a state; ``current`` is selected if it is in the list."""
        near = film.near
        if near is None:
            self.heading.put(film.near_problem or tr("Select a word to see its neighbours"))
            self.list.set_scores((), ())
            return
        self.heading.put(tr("Neighbours of {word}", word=near.word))
        known = near.rows[state] >= 0
        words = film.frames[-1].embeddings.words
        self.list.set_scores(
            [words[row] for row in near.rows[state, known].tolist()],
            near.cosines[state, known].tolist(),
            current,
        )
