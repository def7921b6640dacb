"""The leaderboard: scores of the runs on evaluation sets, and the parameters in which the runs
differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout

from workbench.analysis.evaluation.leaderboard import (
    ANALOGIES,
    EvaluationSet,
    LeaderboardEntry,
    Score,
    table,
    without_seeds,
)
from workbench.core.errors import UserError
from workbench.core.language import tr, trc
from workbench.core.table_export import Cell, to_csv, to_latex, to_markdown
from workbench.models.base import MODELS
from workbench.session.files.session_settings import (
    ANALOGY_CANDIDATES,
    ANALOGY_METHOD,
    EVALUATED_RUNS,
)
from workbench.session.runs.facts import parameters_of
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.seeds import all_parameters
from workbench.ui.panel import Panel
from workbench.ui.panels.evaluate.results import (
    PUBLISHED,
    Results,
    RunResult,
    Task,
    ask_sets,
)
from workbench.ui.panels.evaluate.similarity_score import correlation_text, two_digit_text
from workbench.ui.plain_text import menu_text
from workbench.ui.text import count, plural
from workbench.ui.widgets.charts.export_actions import Export, ExportButton
from workbench.ui.widgets.inputs.evaluation_sets import SetsChoice
from workbench.ui.widgets.inputs.run_choice import RunsChoice, usable
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.data_table import DataTable, TableColumn
from workbench.ui.widgets.tables.runs_columns import heading, parameter_text

_START = trc("verb", "Score")


class LeaderboardView(Instrument):
    """The table, and a job that computes missing scores."""

    local = "leaderboard"
    title = tr("Leaderboard")
    synonyms = tr("ranking, best model")

    def __init__(self, panel: Panel, results: Results) -> None:
        super().__init__(panel)
        self._results = results
        self._entries: list[LeaderboardEntry] = []
        self._titles: dict[str, str] = {}
        self._missing = 0
        self.sets = self.named(
            SetsChoice(self.session, results.key),
            "sets",
            tr("Sets to score on"),
            tr("Sets to score on"),
        )
        self.runs = self.named(
            RunsChoice(panel, EVALUATED_RUNS),
            "runs",
            tr("Runs that are ranked"),
            tr("Runs that are ranked"),
        )
        self.seeds = self.named(
            QCheckBox(tr("Seeds together")),
            "seeds",
            tr("Runs that differ in their seed alone as one row"),
            tr("Runs that differ in their seed alone as one row: mean ± sample standard deviation"),
        )
        self.fact = ElidedLabel(lines=2)
        self.fact.setProperty("role", "muted")
        self.fact.setObjectName(f"{self.key}.fact")
        self.start = self.named(
            QPushButton(menu_text(_START)), "start", tr("Score what is missing")
        )
        self.start.setProperty("role", "start")
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
            DataTable(self.theme, self.export),
            "table",
            tr("Runs with scores and parameters"),
            tr("Double click shows a run"),
        )
        self.table.table.folds = True
        export = self.named(
            ExportButton(lambda: self.export), "export", tr("Export as CSV, LaTeX or Markdown")
        )
        for widget in (self.sets, self.runs, self.seeds):
            self.controls.addWidget(widget)
        self.controls.addWidget(self.fact, 1)
        self.controls.addWidget(export)
        self.controls.addWidget(self.start)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self.start.clicked.connect(self._run_or_cancel)
        self.sets.changed.connect(self.refresh)
        panel.follow(self.session.files.restored, lambda _: self.refresh())
        self.runs.changed.connect(self.refresh)
        self.seeds.toggled.connect(lambda _: self.refresh())
        self.table.opened.connect(self._show_run)
        panel.follow(results.changed, self.refresh)
        for setting in (ANALOGY_METHOD, ANALOGY_CANDIDATES):
            panel.follow(self.session.settings.changes(setting), lambda _: self.refresh())
        for signal in (self.session.runs.changed, self.session.corpora.changed):
            panel.follow(signal, self._runs_changed)

    # -- what is ranked

    def _runs_changed(self) -> None:
        self.sets.refresh()
        # While a training counts its steps the list of runs changes often: only what is shown
        # counts.
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
        self.on_busy_changed()
        if not records or not sets:
            title = tr("No set to rank yet")
            if not records:
                title = tr("No run to rank yet")
            self.show_message(title, tr("Train a model, or tick some above."))
            return
        self._titles = {key: one.title for key, one in sets.items()}
        entries = [
            LeaderboardEntry(
                record.identifier,
                record.name,
                record.algorithm,
                record.corpus_name,
                all_parameters(record),
                {
                    key: found
                    for key, found in self._results.scores.of(record.identifier).items()
                    if key in sets
                },
            )
            for record in records
        ]
        self._entries = entries
        if self.seeds.isChecked():
            self._entries = without_seeds(entries)
        colours = {record.identifier: record.colour for record in records}
        self.table.set_columns(self._columns(sets, colours))
        self._missing = sum(key not in entry.scores for entry in entries for key in sets)
        self._show_summary()
        self.show_content()

    def _show_summary(self) -> None:
        """Show the number of missing scores."""
        if self.busy:
            self.fact.put("")
            return
        missing = self._missing
        summary = tr("Every score is there")
        if missing:
            summary = tr("{scores} missing", scores=plural(missing, "score"))
        self.fact.put(summary)

    def _columns(
        self, sets: dict[str, EvaluationSet], colours: dict[str, int]
    ) -> list[TableColumn]:
        entries = self._entries
        columns = [
            TableColumn(
                tr("Run"),
                [entry.name for entry in entries],
                dots=[colours.get(entry.identifier) for entry in entries],
            )
        ]
        for key, one in sets.items():
            found = [entry.scores.get(key) for entry in entries]
            analogies = one.kind == ANALOGIES
            how = tr("Spearman’s ρ with the scores")
            if analogies:
                how = tr("Share of analogies right, 3CosAdd, top 30,000 words")
            columns.append(
                TableColumn(
                    one.title,
                    [getattr(score, "value", None) for score in found],
                    tr(
                        "{how} of {name}, with the 95% interval in brackets",
                        how=how,
                        name=one.path.name,
                    ),
                    texts=[score_text(score, analogies) for score in found],
                    brief=[score_text(score, analogies, brief=True) for score in found],
                    tips=[score_tip(score, analogies) for score in found],
                    number=True,
                    aside=[score is not None and not score.is_ranked for score in found],
                )
            )
            columns.append(
                TableColumn(
                    tr("{title} known", title=one.title),
                    [getattr(score, "covered", None) for score in found],
                    tr(
                        "Share of the set whose words are in the run’s vocabulary. Scores on less "
                        "than a "
                        "tenth of the set, or on fewer than 30 items, are pale and come last."
                    ),
                    texts=[share_text(score) for score in found],
                    tips=[score_tip(score, analogies) for score in found],
                    number=True,
                )
            )
        titles, shorts = [], []
        for entry in entries:
            title = short = tr("from a file")
            if entry.algorithm in MODELS:
                title, short = MODELS[entry.algorithm].title, MODELS[entry.algorithm].short
            titles.append(title)
            shorts.append(short)
        columns.append(TableColumn(tr("Algorithm"), titles, texts=shorts, tips=titles))
        corpora = [entry.corpus or None for entry in entries]
        if len(set(corpora)) > 1:
            columns.append(TableColumn(tr("Corpus"), corpora))
        # Parameters that all runs share are only exported.
        for name in parameters_of(entries, ())[0]:
            values: list[Cell] = [entry.parameters.get(name) for entry in entries]
            tip = tr("{name}: differs", name=name)
            columns.append(TableColumn(heading(name, entries), values, tip, text=parameter_text))
        return columns

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
            known = self._results.scores.of(record.identifier)
            missing = [(key, one) for key, one in sets.items() if key not in known]
            if missing:
                tasks.append(self._results.task(record, missing))
        if not tasks:
            self.fact.put(tr("Every score is there"))
            return
        self._job = self.session.jobs.start(
            tr("Scoring runs"),
            lambda run: ask_sets(tasks, run),
            self._scoring_finished,
            self._scoring_failed,
            key=self.key,
            cancelled=self.cancel,
        )
        self.on_busy_changed()

    def on_busy_changed(self) -> None:
        text = _START
        if self.busy:
            text = tr("Cancel")
        if self.start.text() != text:
            self.start.setText(text)
        self.start.setEnabled(self.busy or bool(self.runs.records and self.sets.sets))

    def tick(self) -> None:
        if self._job is None:
            return
        progress = self._job.run.progress
        text = f"{100 * (progress.fraction or 0):.0f} % · {progress.note}"
        if text != self.fact.whole:
            self.fact.put(text)
        self._keep_published()

    def _scoring_finished(self, found: Sequence[RunResult]) -> None:
        self._job = None
        self._results.put(found)
        self.refresh()

    def _scoring_failed(self, error: UserError) -> None:
        self._keep_published()
        self._job = None
        self.refresh()
        self.session.message.emit(error.message, error.hint, True)

    def cancel(self) -> None:
        """Stop scoring and keep the scores computed so far."""
        self._keep_published()
        super().cancel()

    def _keep_published(self) -> None:
        if self._job is not None:
            self._results.put(self._job.run.latest(PUBLISHED) or ())

    # -- export

    def _export_table(self, intervals: bool) -> tuple[list[str], list[list[Cell]]]:
        ordered = [self._entries[int(row)] for row in self.table.table.order]
        return table(ordered, self._titles, intervals=intervals)

    def csv(self) -> str:
        return to_csv(*self._export_table(True))

    def latex(self) -> str:
        return to_latex(*self._export_table(False), caption="Runs and their scores")

    def markdown(self) -> str:
        return to_markdown(*self._export_table(False))


def score_text(score: Score | None, analogies: bool, *, brief: bool = False) -> str:
    """ "37.2 % (35 to 39)", ".512 (.43 to .58)", of several seeds ".512 ± .008"; ``brief``: without
    the interval or the deviation; "–" where there is none.
    """
    if score is None or math.isnan(score.value):
        return "–"
    alone = correlation_text(score.value)
    if analogies:
        alone = f"{100 * score.value:.1f} %"
    spread: tuple[float, ...] = (score.low, score.high)
    if score.runs > 1:
        spread = (score.deviation,)
    if brief or not all(map(math.isfinite, spread)):
        return alone
    if analogies:
        if score.runs > 1:
            return f"{100 * score.value:.1f} ± {100 * score.deviation:.1f} %"
        # Outwards, or 99.9 % would lie beside "100 to 100".
        low, high = math.floor(round(100 * score.low, 6)), math.ceil(round(100 * score.high, 6))
        return tr("{value:.1f} % ({low} to {high})", value=100 * score.value, low=low, high=high)
    if score.runs > 1:
        return f"{correlation_text(score.value)} ± {correlation_text(score.deviation)}"
    return tr(
        "{value} ({low} to {high})",
        value=correlation_text(score.value),
        low=two_digit_text(score.low),
        high=two_digit_text(score.high),
    )


def share_text(score: Score | None) -> str:
    """Coverage of a set: "11 %", "<1 %", "–" where nothing was asked."""
    if score is None or not math.isfinite(score.covered):
        return "–"
    percent = 100 * score.covered
    if 0 < percent < 1:
        return tr("<1 %")
    # Downwards, or all but one of many would be “100 %”.
    return f"{math.floor(percent):.0f} %"


def score_tip(score: Score | None, analogies: bool) -> str:
    """Number of known items, coverage and seeds of a score."""
    if score is None:
        return tr("Not scored yet")
    asked, share = count(score.asked), share_text(score)
    coverage = tr("{asked} pairs known, {share} of the set", asked=asked, share=share)
    if analogies:
        coverage = tr("{asked} questions known, {share} of the set", asked=asked, share=share)
    if score.runs > 1:
        coverage = tr(
            "Mean of {runs} seeds ± sample standard deviation; {covered}",
            runs=score.runs,
            covered=coverage,
        )
    if score.is_ranked:
        return coverage
    return tr(
        "{coverage}. Not ranked: less than a tenth of the set, or fewer than 30 items.",
        coverage=coverage,
    )
