"""The Evaluate panel: analogies, similarity, odd one out, associations, leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_state import choice
from workbench.ui.panels.evaluate import EvaluateKind
from workbench.ui.panels.evaluate.analogy_score import AnalogyScore
from workbench.ui.panels.evaluate.asked_number import AskedNumber, ask_for_lines, why_not_ask
from workbench.ui.panels.evaluate.associations_page import AssociationsPage
from workbench.ui.panels.evaluate.leaderboard_view import LeaderboardView
from workbench.ui.panels.evaluate.odd_one_out import OddOneView
from workbench.ui.panels.evaluate.results import Results
from workbench.ui.panels.evaluate.similarity_score import SimilarityScore
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel, PageState

_PAGE = Setting("evaluate.shown", str, "")


@dataclass(frozen=True)
class EvaluateState(PageState):
    page: str = choice(setting=_PAGE)


class EvaluatePanel(EvaluateKind, InstrumentPanel):
    """Five tabs; the current one is saved in the settings."""

    state_kind = EvaluateState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        results = Results(self.session)
        self.analogies = AnalogyScore(self, results)
        self.similarity = SimilarityScore(self, results)
        self.odd = OddOneView(self)
        self.leaderboard = LeaderboardView(self, results)
        self.associations = AssociationsPage(self)
        pages = [self.analogies, self.similarity, self.odd, self.associations, self.leaderboard]
        self.put_instruments(pages)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.runs.changed, self._refresh)
        self._refresh()

    def open_file(self, path: Path) -> None:
        """Offer a question file, now and in later sessions, and choose it."""
        self.analogies.open_file(path)
        self.instruments.show_instrument(self.analogies.local)
        self.raise_requested.emit()

    def _compare_runs(self, records: Sequence[RunRecord]) -> None:
        """Rank runs chosen elsewhere, if there are more than two."""
        if len(records) > 2:
            self._show_ranking(records)

    def _rank_runs(self, records: Sequence[RunRecord]) -> None:
        self._show_ranking(records)
        self.raise_requested.emit()

    def _show_ranking(self, records: Sequence[RunRecord]) -> None:
        self.instruments.show_instrument(self.leaderboard.local)
        self.leaderboard.runs.choose(records)

    def _asked_number(self) -> AskedNumber | None:
        """The pair or the association that is chosen on the page in front."""
        front = self.instruments.current
        if front is self.similarity:
            return self.similarity.asked_number()
        if front is self.associations:
            return self.associations.asked_number()
        return None

    def why_not_influence(self) -> str:
        """Why no number can be explained by its lines now, or ""."""
        return why_not_ask(self._asked_number())

    def ask_influence(self) -> None:
        """Show the run of the number, and rank the lines behind the number."""
        ask_for_lines(self.session, self._asked_number())

    def _refresh(self) -> None:
        record = self.session.active.run
        if record is not None and record.embeddings is not None:
            self.show_instruments()
        else:
            self.show_no_vectors(
                record,
                tr("No model to evaluate yet"),
                tr("Then you can test it on analogies, word similarity and odd-one-out tasks."),
            )
