"""Evaluation of analogy questions: accuracy by section and by frequency, and every wrong answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from workbench.analysis.evaluation.leaderboard import EvaluationSet
from workbench.analysis.resampling.estimates import Estimate, estimates
from workbench.analysis.resampling.statistics import accuracy_of
from workbench.core.errors import UserError
from workbench.core.language import percent, tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import (
    ANALOGY_CANDIDATES,
    ANALOGY_METHOD,
    EVALUATED_RUNS,
)
from workbench.ui import kit
from workbench.ui.base.action import set_action_key
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import count, mark_unknown, plural
from workbench.ui.export.export_actions import Export
from workbench.ui.panels.evaluate.analogy_results import (
    Answers,
    RunAnswers,
    WrongAnswer,
    frequency_chart,
    section_columns,
    wrong_columns,
)
from workbench.ui.panels.evaluate.results import AnalogyAnswers, Results, ask_sets
from workbench.ui.widgets.inputs.error_bars import Drawn, ErrorBars
from workbench.ui.widgets.inputs.evaluation_sets import QUESTION_FILES, question_set
from workbench.ui.widgets.inputs.file_choice import FileChoice
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.data_table import table_csv
from workbench.vectors.row_order import ALPHABETICAL, BY_FREQUENCY

_START = tr("Answer all questions")
_RESTRICTIONS = {30_000: tr("Top 30,000"), 100_000: tr("Top 100,000"), 0: tr("All words")}
_VIEWS = {
    "sections": tr("By section"),
    "frequency": tr("By frequency"),
    "wrong": tr("Wrong answers"),
}
_WRONG_HELP = tr(
    "Click to select the words of a question. Double-click or press Return to open the "
    "question in the analogy bar."
)


@dataclass(frozen=True)
class AnalogyScoreState(PanelState):
    """questions : path of the file, "" for the first
    method, restrict : as on all pages
    view : result table; which, section : of the wrong answers, "" for the first run, and for all
    bars : error bars from the text
    """

    questions: str = choice("")
    method: str = choice(setting=ANALOGY_METHOD)
    restrict: int = choice(setting=ANALOGY_CANDIDATES)
    view: str = choice("sections", allowed=_VIEWS)
    which: str = choice("")
    section: str = choice("")
    bars: bool = choice(False)


class AnalogyScore(Instrument):
    """A question file and the runs evaluated on it."""

    local = "analogies"
    state_kind = AnalogyScoreState
    view_state: AnalogyScoreState

    def __init__(self, panel: Panel, results: Results) -> None:
        super().__init__(panel)
        self.answers: Answers | None = None
        self._results = results
        self._request: tuple[object, ...] = ()
        self._asked_runs: list[RunRecord] = []
        self._wrong: list[WrongAnswer] = []
        self.questions = FileChoice(
            self.session,
            QUESTION_FILES,
            self._own_files,
            tr("No question file yet"),
            tr("Questions (*.txt *.tsv *.csv);;All files (*)"),
        )
        self.named(self.questions, "questions", tr("Question file"))
        self._open = self.named(
            kit.icon_button(self.theme, "folder"),
            "open",
            tr("Open questions"),
            tr("A file like questions-words.txt, or pairs of words, such as BATS"),
        )
        self._open_action = QAction(tr("Open file…"), self)
        self._folder_action = QAction(tr("Open folder…"), self)
        set_action_key(self._open_action, "evaluate.questions")
        set_action_key(self._folder_action, "evaluate.question_folder")
        menu = self.named(QMenu(self._open), "open.menu", tr("Open questions"))
        menu.addActions([self._open_action, self._folder_action])
        self._open.setMenu(menu)
        self._open.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.runs = self.named(
            RunsChoice(panel, EVALUATED_RUNS),
            "runs",
            tr("Runs to evaluate"),
            tr("Runs to evaluate"),
        )
        self.method = self.named(
            kit.ChoiceBox.of({"3cosadd": "3CosAdd", "3cosmul": "3CosMul"}, letters=2),
            "method",
            tr("Analogy method"),
            tr("3CosAdd: nearest to b − a + c. 3CosMul: products instead of sums."),
        )
        self.restrict = self.named(
            kit.ChoiceBox.of(_RESTRICTIONS),
            "restrict",
            tr("Candidates"),
            tr("Limit questions and answers to the most frequent words"),
        )
        self.start = self.named(kit.button(_START, role="start"), "start", _START)
        self.view = self.named(kit.ChoiceBox.of(_VIEWS, letters=13), "view", tr("Result table"))
        self.which = self.named(kit.ChoiceBox(), "which", tr("Run for wrong answers"))
        self.section = self.named(kit.ChoiceBox(), "section", tr("Section for wrong answers"))
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.fact")
        self.bars = ErrorBars(panel, self, f"{self.key}.bars")
        self._build()
        self._connect()

    def _build(self) -> None:
        sections = kit.Files("analogies", tr("Export accuracy by section"), self._view_csv)
        wrong = kit.Files("wrong-answers", tr("Export wrong answers"), self._view_csv)
        by_frequency = kit.Files(
            "analogies-by-frequency",
            tr("Export accuracy by frequency"),
            self._view_csv,
            lambda: self.runs.records,
            lambda: tr("Share of correct answers by word frequency"),
        )
        self.table = kit.table(self, "sections", tr("Accuracy by section"), files=sections)
        self.table.table.folds = True
        self.wrong = kit.table(self, "wrong", tr("Wrong answers"), _WRONG_HELP, files=wrong)
        self.chart = kit.chart(self, "frequency", tr("Accuracy by frequency"), files=by_frequency)
        self._views = kit.PageStack(self.table, self.chart, self.wrong)
        choices = (self.questions, self._open, self.runs, self.method, self.restrict)
        kit.add(self.controls, *choices, kit.stretch(), self.start)
        export = kit.export_button(self, self._view_export, tr("Export the displayed results"))
        which = kit.bar(self.view, self.which, self.section, kit.stretch(self.fact), export)
        kit.fill(self.content, kit.column(which, self.bars, kit.stretch(self._views)))

    def _connect(self) -> None:
        self._open_action.triggered.connect(self.choose_file)
        self._folder_action.triggered.connect(self.choose_folder)
        self.start.clicked.connect(self._run_or_cancel)
        self.bind_controls(
            method=self.method,
            restrict=self.restrict,
            view=self.view,
            which=self.which,
            section=self.section,
            bars=self.bars.switch,
        )
        files = self.questions
        self.bind(files, "questions", by=[files.currentIndexChanged, files.activated])
        self.questions.changed.connect(self._request_changed)
        self.runs.changed.connect(self._chosen_runs_changed)
        settings = self.session.settings
        for setting in (ANALOGY_METHOD, ANALOGY_CANDIDATES):
            self.panel.follow(settings.changes(setting), lambda _: self._follow_settings())
        self.panel.follow(self._results.changed, self.refresh)
        self.wrong.picked.connect(self._select_question)
        self.wrong.opened.connect(self._ask_question)
        self.panel.follow(self.session.runs.changed, self._session_runs_changed)
        self.panel.follow(self.session.corpora.changed, self.questions.refresh)
        self.theme.changed.connect(self.update)

    def state_changed(self, before: AnalogyScoreState, after: AnalogyScoreState) -> None:
        if (after.method, after.restrict) != (before.method, before.restrict):
            self._request_changed()
        if after.replace(bars=before.bars) != before:
            self._show_view()
        if after.bars != before.bars:
            self._ask_bars()

    # -- file and runs

    def _own_files(self) -> dict[str, str]:
        own, corpus = self.session.corpora.questions_path, self.session.corpora.current
        if own is None or corpus is None:
            return {}
        return {str(own): tr("{name}’s questions", name=corpus.name)}

    def choose_file(self) -> None:
        if self.questions.ask(tr("Open question file")):
            self.panel.raise_requested.emit()

    def choose_folder(self) -> None:
        if self.questions.ask_folder(tr("Open a folder of questions")):
            self.panel.raise_requested.emit()

    def open_file(self, path: Path) -> None:
        """Offer a question file, now and in later sessions, and choose it."""
        self.questions.open_file(path)

    def _session_runs_changed(self) -> None:
        # The list of runs changes often during a training; only names matter here.
        if not self.busy and self._key_of_content() != self._request:
            self.refresh()

    # -- method

    def _follow_settings(self) -> None:
        """Show the method that all pages share."""
        self.bound.put(self.view_state.with_settings(self.session.settings))

    def _request_changed(self) -> None:
        """Discard running scores after a change of the file or the method."""
        self.discard_job()
        self.refresh()

    def _chosen_runs_changed(self) -> None:
        # A training that ends meanwhile joins its corpus: the evaluation that was requested
        # continues.
        going = self.busy and not self.runs.is_custom
        if not (going and all(record in self.session.runs for record in self._asked_runs)):
            self.discard_job()
        self.refresh()

    # -- evaluation

    def drawn_runs(self) -> list[RunRecord]:
        return self.runs.records

    def _set(self) -> EvaluationSet | None:
        path = self.questions.path
        if path is None:
            return None
        return question_set(self.session, path, path.name)

    def _set_key(self) -> str:
        """The key of the chosen file; "" if it can't be read."""
        one = self._set()
        if one is None:
            return ""
        try:
            return self._results.key(one)
        except (UserError, OSError):
            return ""

    def _key_of_content(self) -> tuple[object, ...]:
        runs = [(record.identifier, record.name) for record in self.runs.records]
        return (self._set_key(), *runs)

    def refresh(self) -> None:
        """Show the known answers of the chosen runs, or what to do."""
        if self.busy:
            return
        self._request = self._key_of_content()
        key = self._set_key()
        answers = [
            RunAnswers(record.identifier, record.name, record.colour, found)
            for record in self.runs.records
            if isinstance(found := self._results.get(record, key), AnalogyAnswers)
        ]
        if answers:
            self.show_content()
            self._show_answers(Answers(answers[0].answers.questions, tuple(answers)))
        else:
            self.answers = None
            self.table.set_columns([])
            self.wrong.set_columns([])
            self.chart.set_chart(None)
            self._say_what_to_do()
        self.on_busy_changed()

    def _say_what_to_do(self) -> None:
        records = self.runs.records
        if self.questions.path is None:
            hint = tr(
                "The file has lines of four words under “: section” headings, as in "
                "questions-words.txt, or pairs of words, as in BATS."
            )
            self.show_message(tr("Open a file of analogy questions"), hint, self._open_action)
        elif not records:
            self.show_message(tr("No run chosen"), tr("Tick one or more runs above."))
        else:
            title = tr("How many analogies does {name} solve?", name=records[0].name)
            if len(records) > 1:
                title = tr("How many analogies do {number} runs solve?", number=count(len(records)))
            hint = tr(
                "“{START}” solves every question of the file: a is to b as c is to what?",
                START=_START,
            )
            self.show_message(title, hint)

    def on_busy_changed(self) -> None:
        text = accessible = _START
        if self.busy:
            text, accessible = tr("Cancel"), tr("Cancel the evaluation")
        if self.start.text() != text:
            self.start.setText(text)
            self.start.setAccessibleName(accessible)
        self.start.setEnabled(
            self.busy or (self.questions.path is not None and bool(self.runs.records))
        )

    def _run_or_cancel(self) -> None:
        if self.busy:
            self.cancel()
            return
        one, key, results = self._set(), self._set_key(), self._results
        missing = self._missing_runs()
        if one is None or not missing:
            return
        tasks = [results.task(record, [(key, one)]) for record in missing]
        self._asked_runs = missing
        self.discard_job()
        self.start_job(
            (key, *(record.identifier for record in missing)),
            tr("Answering the questions"),
            tr("Answering the questions…"),
            lambda run: ask_sets(tasks, run),
            results.put,
        )

    def _missing_runs(self) -> list[RunRecord]:
        """The chosen runs without known answers."""
        key = self._set_key()
        return [record for record in self.runs.records if self._results.get(record, key) is None]

    # -- results

    def _show_answers(self, answers: Answers) -> None:
        self.answers = answers
        columns, sums = section_columns(answers)
        self.table.set_columns(columns, bold=sums)
        self.chart.set_chart(frequency_chart(answers))
        self.which.replace_choices(
            [(run_answers.name, run_answers.identifier) for run_answers in answers.runs]
        )
        sections = [(name, name) for name in answers.questions.sections]
        self.section.replace_choices([(tr("All sections"), ""), *sections])
        self._show_view()
        self._ask_bars()

    def _ask_bars(self) -> None:
        """Ask for the interval of the accuracy of each run, if it is wanted."""
        if self.answers is None:
            self.bars.forget()
            return
        questions, asked = self.answers.questions, self.answers.runs
        identifiers = [one.identifier for one in asked]
        records = [one for one in self.runs.records if one.identifier in identifiers]
        settings = self.session.settings
        method, restrict = settings[ANALOGY_METHOD], settings[ANALOGY_CANDIDATES]
        statistic = accuracy_of(questions, method, restrict)

        def describe(found: Mapping[str, Drawn[Estimate]]) -> str:
            return "; ".join(
                tr(
                    "{name}: {value} ({low} to {high}) correct",
                    name=one.name,
                    value=_share_text(drawn.value.value),
                    low=_share_text(drawn.value.interval.low),
                    high=_share_text(drawn.value.interval.high),
                )
                for one in records
                if (drawn := found.get(one.identifier)) is not None
            )

        self.bars.ask_drawn(
            records,
            (self._set_key(), method, restrict),
            lambda draws, texts, run: estimates(draws, statistic, texts, run, 0.0, 1.0)[0],
            lambda _: None,
            describe,
        )

    def _show_view(self) -> None:
        if self.answers is None:
            return
        view = self.view_state.view
        self.which.setVisible(view == "wrong" and len(self.answers.runs) > 1)
        self.section.setVisible(view == "wrong")
        if view == "wrong":
            self._list_wrong()
        self._views.setCurrentIndex(list(_VIEWS).index(view))
        if view != "wrong":
            self.fact.put(self._answers_summary())
        if view == "frequency" and self.chart.chart is None:
            self.fact.put(tr("These vectors have no counts, so word frequencies are unknown."))

    def _answers_summary(self) -> str:
        assert self.answers is not None
        total = plural(len(self.answers.questions), "question")
        runs = self.answers.runs
        shares = sorted(run_answers.report.covered for run_answers in runs)
        waiting = len(self._missing_runs())
        known = _share_text(shares[0])
        if shares[0] != shares[-1]:
            known = tr("{first} to {last}", first=known, last=_share_text(shares[-1]))
        if len(runs) > 1 or waiting:
            summary = tr(
                "{runs} · {known} of {total} known",
                runs=plural(len(runs), "run"),
                known=known,
                total=total,
            )
            if waiting:
                summary = tr(
                    "{summary} · {runs} not asked yet", summary=summary, runs=plural(waiting, "run")
                )
            return summary
        report = runs[0].report
        right = tr(
            "{correct} of {asked} correct", correct=count(report.correct), asked=count(report.asked)
        )
        summary = tr(
            "{name}: {right} · {known} of {total} known",
            name=runs[0].name,
            right=right,
            known=known,
            total=total,
        )
        if report.without_vector:
            summary += tr(" · {number} without a vector", number=count(report.without_vector))
        if report.left_out:
            summary += tr(" · {number} left out", number=plural(report.left_out, "line"))
        if report.order == ALPHABETICAL:
            summary += tr(" · alphabetical rows, so all words are candidates")
        elif report.order != BY_FREQUENCY and report.restrict < report.words:
            summary += tr(" · no counts, so candidates are the first rows")
        return summary

    def _list_wrong(self) -> None:
        run_answers = self._run_in_view()
        if run_answers is None:
            return
        columns, self._wrong = wrong_columns(run_answers, str(self.section.currentData() or ""))
        self.wrong.set_columns(columns)
        if not self._wrong:
            self.fact.put(tr("No wrong answers here."))
            return
        near = sum(one.rank <= 5 for one in self._wrong)
        self.fact.put(
            tr(
                "{answers}, the right one among the first five in {near}",
                answers=plural(len(self._wrong), "wrong answer"),
                near=count(near),
            )
        )

    def _run_in_view(self) -> RunAnswers | None:
        if self.answers is None:
            return None
        return self.answers.runs[max(self.which.currentIndex(), 0)]

    def _select_question(self, row: int) -> None:
        wrong = self._wrong[row]
        self.session.selection.select(
            list(dict.fromkeys([*wrong.words, wrong.answer, *wrong.right]))
        )

    def _ask_question(self, row: int) -> None:
        a, b, c, _ = self._wrong[row].words
        self.session.requests.analogy.emit(b, a, c)

    # -- export

    def _view_export(self) -> Export | None:
        return {
            "sections": self.table.export,
            "frequency": self.chart.export,
            "wrong": self.wrong.export,
        }[self.view_state.view]

    def exporters(self) -> Sequence[Exporter]:
        found = self._view_export()
        return () if found is None else (found,)

    def _view_csv(self) -> str:
        view = self.view_state.view
        if view == "frequency":
            return self.chart.table()
        if view == "sections":
            return table_csv(self.table)
        return table_csv(self.wrong)


@mark_unknown
def _share_text(covered: float) -> str:
    return percent(f"{100 * covered:.0f}")
