"""Associations of sets of words, in vectors and in the counts of their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QBoxLayout

from workbench.analysis.associations.report import AssociationReport, evaluate_test
from workbench.analysis.associations.word_sets import AssociationTest, AssociationTests
from workbench.analysis.resampling.estimates import Estimate, effects
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Portion
from workbench.core.language import plural, tr
from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import loader
from workbench.session.settings.session_settings import EVALUATED_RUNS
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.evaluate.asked_number import AskedNumber, lines_button
from workbench.ui.panels.evaluate.association_results import (
    VIEWS,
    TestedRun,
    contrast_chart,
    explain_view,
    missing_words,
    result_columns,
)
from workbench.ui.panels.evaluate.association_sets import AssociationSets
from workbench.ui.panels.evaluate.named_chart import NamedChart
from workbench.ui.widgets.inputs.error_bars import Drawn, ErrorBars
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.vectors.embeddings import Embeddings

# A run, how to get its vectors, and its text if that is open.
_Subject = tuple[RunRecord, Callable[[], Embeddings], Corpus | None]


def _test_runs(
    subjects: Sequence[_Subject], tests: AssociationTests, run: JobControl
) -> dict[tuple[str, AssociationTest], AssociationReport]:
    """Reports by run and test, in a worker. Raises UserError and Cancelled."""
    found = {}
    number = len(subjects) * len(tests.tests)
    for at, (record, load, corpus) in enumerate(subjects):
        embeddings = load()
        for place, test in enumerate(tests.tests):
            part = Portion(run, (at * len(tests.tests) + place) / number, 1 / number, record.name)
            found[record.identifier, test] = evaluate_test(embeddings, test, corpus, part)
    return found


@dataclass(frozen=True)
class AssociationsState(PanelState):
    """set : path of the file of sets, "" for the first; x, y, a, b, paired : typed sets
    view : what is drawn; bars : error bars from the text
    """

    set: str = choice("")
    x: str = choice("")
    y: str = choice("")
    a: str = choice("")
    b: str = choice("")
    paired: bool = choice(False)
    view: str = choice(next(iter(VIEWS)), allowed=VIEWS)
    bars: bool = choice(False)


class AssociationsPage(Instrument):
    """A table of tests and runs, and the words of one of them as dots."""

    local = "associations"
    state_kind = AssociationsState
    view_state: AssociationsState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._known: dict[tuple[object, ...], list[TestedRun]] = {}
        self.found: list[TestedRun] = []
        self.sets = AssociationSets(self)
        self.runs = self.named(
            RunsChoice(panel, EVALUATED_RUNS), "runs", tr("Runs to evaluate"), tr("Runs")
        )
        self.view = self.named(
            kit.ChoiceBox.of(VIEWS, letters=14),
            "view",
            tr("What is drawn"),
            tr("What is compared with the text: cosines, products w·c, or RIPA"),
        )
        self.results = kit.table(
            self,
            "results",
            tr("Associations by test and run"),
            files=kit.Files("associations", tr("Export associations")),
        )
        self.chart = self.named(
            NamedChart(self.theme),
            "chart",
            tr("Words of the test"),
            tr("Click a point to select its word"),
        )
        about = self.view.currentText
        self.chart.offer_files(
            self.session,
            tr("Export the words of the test"),
            "associations",
            self.chart.table,
            lambda: [one.record for one in self.drawn_results],
            about,
        )
        self.bars = ErrorBars(panel, self, f"{self.key}.bars")
        self.bars.on_clear(lambda: self._put_results({}))
        self.about = kit.label(role="small", name=f"{self.key}.about", wrap=True)
        self.influence = lines_button(
            self, self.asked_number, tr("Rank the lines behind the effect size of the test")
        )
        self._build()
        self._connect()

    def _build(self) -> None:
        assert self.results.export is not None
        assert self.chart.export is not None
        exports = {tr("the tests"): self.results.export, tr("the words"): self.chart.export}
        export = self.named(ManyExportsButton(exports), "export", tr("Export figures and data"))
        sets = self.sets
        kit.add(self.controls, sets.set, sets.open, sets.edit, self.runs, kit.stretch())
        kit.add(self.controls, self.view, export)
        below = kit.row(self.influence, kit.stretch(self.bars))
        left = kit.box(kit.column(kit.stretch(self.results), below, self.about))
        views = kit.split_into(
            kit.TurningSplitter(260), left, self.chart, shares=(1, 1), sizes=(460, 420)
        )
        kit.fill(self.content, kit.column(kit.stretch(views)))
        # Above the notice, which asks for words until all fields are filled in.
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(1, sets.typed_box)

    def _connect(self) -> None:
        self.sets.changed.connect(self._ask_again)
        self.bind(self.bars.switch, "bars")
        self.sets.edit.clicked.connect(self._edit_sets)
        self.runs.changed.connect(self.refresh)
        self.bind(self.view, "view")
        self.results.picked.connect(lambda _: self._draw())
        self.chart.picked.connect(lambda word: self.session.selection.select([word]))
        follow, session = self.panel.follow, self.session
        follow(session.runs.changed, self.refresh)
        follow(session.active.changed, self.refresh)
        follow(session.corpora.changed, self._corpus_changed)

    def state_changed(self, before: AssociationsState, after: AssociationsState) -> None:
        if after.view != before.view:
            self._draw()
        # Another file is announced by its choice.
        if after.replace(view=before.view, set=before.set, bars=before.bars) != before:
            self._ask_again()
        if after.bars != before.bars:
            self._ask_bars()

    # -- requests

    def _corpus_changed(self) -> None:
        self.sets.set.refresh()
        self.refresh()

    def _ask_again(self) -> None:
        """Another file, or the same one, which may have another content."""
        self._known.clear()
        self.discard_job()
        self.refresh()

    def refresh(self) -> None:
        """Test the chosen runs, once the page is visible."""
        if not self.isVisible():
            return
        records = self.runs.records
        if not records:
            self.show_message(tr("No runs"), tr("Choose runs above, or train one."))
            return
        if self.sets.is_empty:
            self.show_message(
                tr("Which words?"),
                tr("Fill in the four fields: are words of X closer to A, and those of Y to B?"),
            )
            return
        try:
            tests = self.sets.read()
        except UserError as error:
            self.show_error(error)
            return
        corpus = self.session.corpora.text
        digest = "" if corpus is None else corpus.digest
        key = (tests, digest, tuple(record.identifier for record in records))
        if key in self._known:
            self.discard_job()
            self._show(self._known[key])
        else:
            subjects: list[_Subject] = [
                (
                    record,
                    loader(self.session.store, record),
                    corpus if record.corpus_digest == digest else None,
                )
                for record in records
            ]
            self.start_job(
                key,
                tr("Testing associations in {runs}", runs=plural(len(records), "run")),
                tr("Comparing sets of words…"),
                lambda run: _test_runs(subjects, tests, run),
                lambda found: self._take(key, records, tests, found),
            )

    def _take(
        self,
        key: tuple[object, ...],
        records: Sequence[RunRecord],
        tests: AssociationTests,
        found: dict[tuple[str, AssociationTest], AssociationReport],
    ) -> None:
        results = [
            TestedRun(record, found[record.identifier, test])
            for test in tests.tests
            for record in records
        ]
        self._known[key] = results
        self._show(results)

    def on_cancelled(self) -> None:
        self.show_cancelled(tr("Comparison cancelled"), tr("Choose a set or a run to start."))

    def choose_file(self) -> None:
        """Ask for a file of sets, and test it."""
        self.panel.show_page(self.local)
        self.sets.choose_file()

    # -- results

    @property
    def drawn_results(self) -> list[TestedRun]:
        """The test and run whose words are drawn: at most one."""
        at = max(self.results.current_row, 0)
        return self.found[at : at + 1]

    def _show(self, found: list[TestedRun]) -> None:
        self.show_content()
        if found is self.found:
            return
        self.found = found
        self._put_results({})
        self.results.pick(0)
        self._draw()
        self._ask_bars()

    def _put_results(self, drawn: Mapping[tuple[str, AssociationTest], Estimate]) -> None:
        """Show the table, with intervals over drawn texts if they are known."""
        at = self.results.current_row
        self.results.set_columns(result_columns(self.found, drawn))
        if at >= 0:
            self.results.pick(at)

    def _ask_bars(self) -> None:
        """Ask for the intervals of all effects, if they are wanted."""
        self._put_results({})
        tests = tuple(dict.fromkeys(one.report.test for one in self.found))
        records = list({one.record.identifier: one.record for one in self.found}.values())
        if not tests:
            return

        def show(found: Mapping[str, Drawn[tuple[Estimate, ...]]]) -> None:
            self._put_results(
                {
                    (identifier, test): one
                    for identifier, drawn in found.items()
                    for test, one in zip(tests, drawn.value, strict=True)
                }
            )

        self.bars.ask_drawn(
            records, tests, lambda draws, texts, run: effects(draws, tests, texts, run), show
        )

    def _draw(self) -> None:
        for one in self.drawn_results:
            view, report = self.view_state.view, one.report
            self.chart.headings = (f"{report.test.title or report.test.key} · {one.record.name}",)
            self.chart.set_chart(contrast_chart(report, view))
            open_text = self.session.corpora.text
            other = open_text is None or one.record.corpus_digest != open_text.digest
            lack = tr("Open the text of this run to compare it with its text.") if other else ""
            parts = (explain_view(report, view, lack), missing_words(report), report.test.source)
            self.about.setText(" ".join(part for part in parts if part))

    def asked_number(self) -> AskedNumber | None:
        """The effect size of the test that is drawn, with the words that have vectors."""
        if self.state != "body":
            return None
        for one in self.drawn_results:
            test, known = one.report.test, one.report.known
            lacking = [{*known.missing[s.name], *known.without_vector[s.name]} for s in test.sets]
            sets = [
                [word for word in each.words if word not in gone]
                for each, gone in zip(test.sets, lacking, strict=True)
            ]
            if one.report.vectors is not None and all(sets):
                return AskedNumber(one.record, tuple(", ".join(words) for words in sets))
        return None

    def _edit_sets(self) -> None:
        for one in self.drawn_results:
            self.sets.type_test(one.report.test)

    # -- export

    def drawn_runs(self) -> Sequence[RunRecord]:
        return self.runs.records

    def exporters(self) -> Sequence[Exporter]:
        found = (self.chart.export, self.results.export)
        return tuple(one for one in found if one is not None)
