"""The leaderboard: scores of the runs on evaluation sets, and the parameters in which the runs
differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox

from workbench.analysis.evaluation.leaderboard import (
    EvaluationSet,
    LeaderboardEntry,
    Score,
    table,
    without_seeds,
)
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import percent, tr, trc
from workbench.core.table_export import Cell, to_csv, to_latex, to_markdown
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import (
    ANALOGY_CANDIDATES,
    ANALOGY_METHOD,
    EVALUATED_RUNS,
    PAIR_COLUMNS,
)
from workbench.session.training.seeds import all_parameters
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.notice import NoticeText
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import plural
from workbench.ui.export.export_actions import Export
from workbench.ui.panels.evaluate.leaderboard_columns import leaderboard_columns, leaderboard_note
from workbench.ui.panels.evaluate.paired_test_bar import PairedTestBar
from workbench.ui.panels.evaluate.results import (
    FAILED,
    PUBLISHED,
    Results,
    RunResult,
    Task,
    ask_sets,
)
from workbench.ui.widgets.inputs.difference_line import DifferenceLine
from workbench.ui.widgets.inputs.evaluation_sets import SetsChoice
from workbench.ui.widgets.inputs.run_choice import RunsChoice, usable
from workbench.ui.widgets.layout.note_label import NoteLabel
from workbench.ui.widgets.layout.panel_tab import Instrument

_START = trc("verb", "Score")


@dataclass(frozen=True)
class LeaderboardState(PanelState):
    """seeds : whether runs that differ in the seed only are one row
    against : identifier of the run to test against, "" for the best
    """

    seeds: bool = choice(False)
    against: str = choice("")


class LeaderboardView(Instrument):
    """The table, and a job that computes missing scores."""

    local = "leaderboard"
    state_kind = LeaderboardState
    view_state: LeaderboardState

    def __init__(self, panel: Panel, results: Results) -> None:
        super().__init__(panel)
        self._results = results
        self._entries: list[LeaderboardEntry] = []
        # The scoring, which publishes scores; its progress is a line below the table, which stays.
        self._scoring: JobControl | None = None
        # Key of the set whose scores rank the rows.
        self._ranking = ""
        self._order_chosen = False
        self._titles: dict[str, str] = {}
        self._missing = 0
        self.sets = self.named(
            SetsChoice(self.session, results.key),
            "sets",
            tr("Evaluation sets"),
            tr("Evaluation sets"),
        )
        self.runs = self.named(
            RunsChoice(panel, EVALUATED_RUNS),
            "runs",
            tr("Ranked runs"),
            tr("Ranked runs"),
        )
        self.seeds = self.named(
            QCheckBox(tr("Group seeds")),
            "seeds",
            tr("Show runs that differ only in their seed as one row"),
            tr(
                "Show runs that differ only in their seed as one row: mean ± sample standard "
                "deviation"
            ),
        )
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "muted", f"{self.key}.fact")
        self.differences = DifferenceLine()
        self.differences.setObjectName(f"{self.key}.differences")
        self.start = self.named(
            kit.button(_START, role="start"), "start", tr("Compute missing scores")
        )
        self.export = Export(
            self,
            self.session,
            tr("Export the leaderboard"),
            "leaderboard",
            texts={
                ".csv": (tr("CSV table (*.csv)"), self.csv),
                ".tex": (tr("LaTeX table (*.tex)"), self.latex),
                ".md": (tr("Markdown table (*.md)"), self.markdown),
            },
        )
        self.table = self.named(
            kit.DataTable(self.theme, self.export),
            "table",
            tr("Runs with scores and parameters"),
            tr("Double-click to make a run active"),
        )
        self.table.table.folds = True
        self.test = self.named(
            PairedTestBar(panel, results, self._score), "test", tr("Test of two runs")
        )
        self.note = kit.with_role(NoteLabel(), "small", f"{self.key}.note")
        export = kit.export_button(
            self, lambda: self.export, tr("Export as CSV, LaTeX or Markdown")
        )
        kit.add(
            self.controls,
            self.sets,
            self.runs,
            self.seeds,
            kit.stretch(self.fact),
            export,
            self.start,
        )
        kit.fill(
            self.content,
            kit.column(self.differences, kit.stretch(self.table), self.test, self.note),
        )
        self._connect()

    def state_changed(self, before: LeaderboardState, after: LeaderboardState) -> None:
        self.refresh()

    def _connect(self) -> None:
        panel = self.panel
        self.start.clicked.connect(self._run_or_cancel)
        self.sets.changed.connect(self.refresh)
        panel.follow(self.session.files.restored, lambda _: self.refresh())
        self.runs.changed.connect(self.refresh)
        self.bind_controls(seeds=self.seeds, against=self.test.against)
        self.table.opened.connect(self._show_run)
        self.table.order_chosen.connect(self._rank_by)
        self.table.picked.connect(lambda _: self._offer_test())
        self.table.widened.connect(self._update_note)
        panel.follow(self._results.changed, self.refresh)
        for setting in (ANALOGY_METHOD, ANALOGY_CANDIDATES, PAIR_COLUMNS):
            panel.follow(self.session.settings.changes(setting), lambda _: self.refresh())
        for signal in (self.session.runs.changed, self.session.corpora.changed):
            panel.follow(signal, self._runs_changed)

    # -- sets and runs

    def _runs_changed(self) -> None:
        self.sets.refresh()
        # The list of runs changes often during a training; only what is shown matters.
        if self.isVisible() and self._content_key() != self._last:
            self.refresh()

    _last: tuple[object, ...] = ()

    def _content_key(self) -> tuple[object, ...]:
        return (
            *((record.identifier, record.name) for record in self.runs.records),
            *self.sets.sets,
        )

    def drawn_runs(self) -> list[RunRecord]:
        return self.runs.records

    def refresh(self) -> None:
        """Fill the table with the known scores."""
        self.sets.refresh()
        records, sets = self.runs.records, self.sets.sets
        self._last = self._content_key()
        if not records or not sets:
            title, hint = tr("No run chosen"), tr("Tick one or more runs above.")
            if records:
                title, hint = tr("No evaluation set chosen"), tr("Tick one or more sets above.")
            self._missing = 0
            self.fact.put("")
            # A running comparison continues.
            self._pages.show_notice(NoticeText(title, hint))
            self.on_busy_changed()
            return
        self._titles = {key: one.title for key, one in sets.items()}
        entries = [self._entry(record, sets) for record in records]
        self._entries = entries
        if self.view_state.seeds:
            self._entries = without_seeds(entries)
        self.differences.put_models(records)
        self._missing = sum(key not in entry.scores for entry in entries for key in sets)
        if self._ranking not in sets or not self._order_chosen:
            self._ranking = next(iter(sets))
        self._fill_table()
        self._show_summary()
        self.on_busy_changed()
        self.show_content()

    def _entry(self, record: RunRecord, sets: Mapping[str, EvaluationSet]) -> LeaderboardEntry:
        known = self._scores_of(record)
        return LeaderboardEntry(
            record.identifier,
            record.name,
            record.algorithm,
            record.corpus_name,
            all_parameters(record),
            {key: score for key, score in known.items() if key in sets},
        )

    def _fill_table(self) -> None:
        """Put the columns into the table, sorted by the ranking set unless another order was
        chosen.
        """
        sets = self.sets.sets
        colours = {record.identifier: record.colour for record in self.runs.records}
        chosen = self.table.current_row
        columns = leaderboard_columns(self._entries, sets, colours, self._ranking)
        self.table.set_columns(columns)
        names = [column.identity for column in columns]
        order = self.table.table.sorted_by
        if not self._order_chosen or order is None or order[0] not in names:
            self.table.sort_by(names.index(self._ranking), descending=True)
            self._order_chosen = False
        if 0 <= chosen < len(self._entries):
            self.table.pick(chosen)
        self._update_note()
        self._offer_test()

    def _update_note(self) -> None:
        """Explain what the table has room for."""
        gone = [name.replace("\n", " ") for name in reversed(self.table.gone)]
        text = leaderboard_note(
            self._entries, list(self.sets.sets), brief=self.table.table.brief, gone=gone
        )
        if text != self.note.text():
            self.note.setText(text)

    def _rank_by(self, identity: str) -> None:
        """Rank by the set that the table is sorted by."""
        self._order_chosen = True
        if identity in self._titles and identity != self._ranking:
            self._ranking = identity
            self._fill_table()

    def _offer_test(self) -> None:
        """Offer a test of the chosen row against the best, or of the second best."""
        if self.view_state.seeds:
            self.test.say(tr("Untick “Group seeds” to test two runs on the same questions."))
            return
        records = {record.identifier: record for record in self.runs.records}
        rows = [records[self._entries[int(row)].identifier] for row in self.table.table.order]
        scored = [record for record in rows if self._ranking in self._scores_of(record)]
        chosen = None
        if self.table.current_row >= 0:
            chosen = records[self._entries[self.table.current_row].identifier]
        one = self.sets.sets[self._ranking]
        best = max(scored, key=self._rank_value, default=None)
        self.test.offer(scored, best, chosen, self._ranking, one)

    def _scores_of(self, record: RunRecord) -> Mapping[str, Score]:
        return self._results.scores.of(record.identifier)

    def _rank_value(self, record: RunRecord) -> tuple[bool, float]:
        """Sort key of runs by their scores on the ranking set; runs without a rank come last."""
        score = self._scores_of(record)[self._ranking]
        value = score.value if math.isfinite(score.value) else -math.inf
        return score.is_ranked, value

    def _show_summary(self) -> None:
        """Show the number of missing scores."""
        if self.busy:
            self.fact.put("")
            return
        missing = self._missing
        summary = tr("All scores computed")
        if missing:
            summary = tr("{scores} missing", scores=plural(missing, "score"))
        self.fact.put(summary)

    def _show_run(self, row: int) -> None:
        wanted = self._entries[row].identifier
        record = next((one for one in usable(self.session) if one.identifier == wanted), None)
        if record is not None:
            self.session.active.show(record)

    # -- scoring

    def _run_or_cancel(self) -> None:
        if self.busy:
            self.cancel()
            return
        sets = self.sets.sets
        tasks: list[Task] = []
        for record in self.runs.records:
            known = self._scores_of(record)
            missing = [(key, one) for key, one in sets.items() if key not in known]
            if missing:
                tasks.append(self._results.task(record, missing))
        if tasks:
            self._score(tasks)
        else:
            self.fact.put(tr("All scores computed"))

    def _score(self, tasks: Sequence[Task]) -> None:
        if self.busy:
            return
        self.work_quietly(
            (object(),),
            tr("Scoring runs"),
            lambda run: ask_sets(tasks, run, going_on=True),
            self._scoring_finished,
            listed=True,
        )
        self._scoring = self.running
        self.on_busy_changed()

    def on_busy_changed(self) -> None:
        text = tr("Cancel") if self.busy else _START
        if self.start.text() != text:
            self.start.setText(text)
        # Lessons press it even if no score is missing.
        self.start.setEnabled(self.busy or bool(self.runs.records and self.sets.sets))

    def tick(self) -> None:
        if self._scoring is None:
            return
        progress = self._scoring.progress
        share = f"{100 * (progress.fraction or 0):.0f}"
        text = f"{percent(share)} · {progress.note}"
        if text != self.fact.whole:
            self.fact.put(text)
        self._keep_published()

    def _scoring_finished(self, found: Sequence[RunResult]) -> None:
        failed = (self._scoring.latest(FAILED) if self._scoring is not None else None) or {}
        self._scoring = None
        self._results.put(found)
        self.refresh()
        self.on_busy_changed()
        if failed:
            titles = ", ".join(title for title, _ in failed.values())
            _, error = next(iter(failed.values()))
            message = tr("Sets without scores: {titles}.", titles=titles)
            self.session.message.emit(f"{message} {error.message}", error.hint, True)

    def show_error(self, error: UserError) -> None:
        """Report a problem of the scoring, and keep the scores computed so far."""
        self._keep_published()
        self.refresh()
        self.session.message.report(error)

    def on_cancelled(self) -> None:
        """Keep the scores computed so far."""
        self._keep_published()
        self.refresh()

    def _keep_published(self) -> None:
        """Take the scores published so far; once the scoring has ended, for the last time."""
        if self._scoring is not None:
            self._results.put(self._scoring.latest(PUBLISHED) or ())
            if not self.busy:
                self._scoring = None

    # -- export

    def _export_table(self, intervals: bool) -> tuple[list[str], list[list[Cell]]]:
        ordered = [self._entries[int(row)] for row in self.table.table.order]
        return table(ordered, self._titles, intervals=intervals)

    def exporters(self) -> Sequence[Exporter]:
        return (self.export,)

    def csv(self) -> str:
        return to_csv(*self._export_table(True))

    def latex(self) -> str:
        return to_latex(*self._export_table(False), caption="Runs and their scores")

    def markdown(self) -> str:
        return to_markdown(*self._export_table(False))
