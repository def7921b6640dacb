"""What the models are worth: analogies, similarity, the odd one out, and all runs in a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QAction

from workbench.session.records import RunRecord
from workbench.ui.panel import Context
from workbench.ui.widgets.analogy_score import AnalogyScore
from workbench.ui.widgets.instrument import InstrumentPanel
from workbench.ui.widgets.leaderboard_view import LeaderboardView
from workbench.ui.widgets.odd_one_view import OddOneView
from workbench.ui.widgets.similarity_score import SimilarityScore


class EvaluatePanel(InstrumentPanel):
    """Four instruments; which one is seen is remembered."""

    key = "evaluate"
    title = "Evaluate"
    area = "centre"
    order = 40
    remembers = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.analogies = AnalogyScore(self)
        self.similarity = SimilarityScore(self)
        self.odd = OddOneView(self)
        self.leaderboard = LeaderboardView(self)
        self.put_instruments([self.analogies, self.similarity, self.odd, self.leaderboard])
        self.follow(self.session.shown_changed, self._refresh)
        self.follow(self.session.runs_changed, self._refresh)
        self.follow(self.session.compare_asked, self._ask)
        self._refresh()

    def panel_actions(self) -> list[QAction]:
        actions = []
        for text, slot in (
            ("Open a question file …", self.analogies.choose_file),
            ("Open a set of word pairs …", self.similarity.choose_file),
            ("Export the leaderboard …", self.leaderboard.export.ask_data),
        ):
            action = QAction(text, self)
            action.triggered.connect(slot)
            actions.append(action)
        return actions

    def open_file(self, path: Path) -> None:
        """Offer a question file, now and at the next start, and choose it."""
        self.analogies.open_file(path)
        self.instruments.show_instrument(self.analogies.local)
        self.raise_requested.emit()

    def _ask(self, records: Sequence[RunRecord]) -> None:
        """More runs than fit side by side were chosen elsewhere."""
        if len(records) > 2:
            self.instruments.show_instrument(self.leaderboard.local)
            self.leaderboard.runs.choose(records)

    def _refresh(self) -> None:
        record = self.session.shown
        if record is not None and record.embeddings is not None:
            self.show_instruments()
        elif record is not None and record.stored and record.error is None:
            self.show_busy("Loading the vectors …")
        else:
            self.show_untrained(
                "No model to question yet",
                "It is then put to the test here: by analogies, by similarity, by the odd one out.",
            )
