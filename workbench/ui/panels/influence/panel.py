"""Influence panel: lines ranked by their push on a number, and the number without some of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from workbench.analysis.influence.line_influence import Influence, influence
from workbench.analysis.influence.quantities import typed_quantity
from workbench.analysis.influence.removal import file_edges, line_edges
from workbench.analysis.rows.still_model import TAUGHT, StillModel, hold_still
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond, mismatch
from workbench.session.runs.derived import Derived
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.left_out import LEFT_OUT, TrainedAgain, leave_out_and_keep
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import count, mark_unknown, plural, true_minus
from workbench.ui.base.theme import SPACE_2, SPACE_3
from workbench.ui.export.export_actions import Export, ManyExportsButton, csv
from workbench.ui.panels.influence import InfluenceKind
from workbench.ui.panels.influence.figure import figure_size, paint_figure
from workbench.ui.panels.influence.line_table import LineTable, RankedLine, ranked_lines
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.layout.result_view import Request, ResultJob, ResultView
from workbench.vectors.embeddings import Embeddings

_WORDS = Setting("influence.words", str, "")
_LINES, _FILES = "lines", "files"
_RAISE, _LOWER = "raise", "lower"
_MOST = 1_000_000
_FIRST_ORDER = tr(
    "Predictions are first order: other words stay as they are. A single line is below the noise "
    "of a seed."
)


@dataclass(frozen=True)
class InfluenceState(PanelState):
    """The words of the number, and which lines to rank and to tick."""

    words: str = choice(setting=_WORDS, typed=True)
    unit: str = choice(_LINES, allowed=(_LINES, _FILES))
    number: int = choice(20, low=1, high=_MOST)
    sign: str = choice(_RAISE, allowed=(_RAISE, _LOWER))


@dataclass(frozen=True, eq=False)
class _Ranked:
    found: Influence
    rows: tuple[RankedLine, ...]
    by_file: bool


@dataclass(frozen=True, eq=False)
class _Test:
    """A removal that was trained again. predicted, true, spread : changes of the number"""

    run: str
    title: str
    lines: int
    predicted: float
    true: float
    spread: float


class InfluencePanel(InfluenceKind, Panel):
    """Needs the text of the active run. Ticked lines are left out in the prediction."""

    state_kind = InfluenceState
    view_state: InfluenceState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._still: StillModel | None = None
        self._predicted: float | None = None
        self.ranked: _Ranked | None = None
        self.tests: list[_Test] = []
        self._name_widgets()
        self._build()
        self._connect()
        self._refresh()

    # -- building

    def _name_widgets(self) -> None:
        self.words = self.named(
            QLineEdit(),
            "words",
            tr("Words of the number"),
            tr("Two words: their cosine; three: an analogy; four sets: an association (Return)"),
        )
        self.words.setPlaceholderText(tr("king queen, or king − man + woman, or he; she; x; y"))
        self.unit = self.named(
            kit.ChoiceBox.of({_LINES: tr("Lines"), _FILES: tr("Files")}, _LINES),
            "unit",
            tr("Lines or files"),
            tr("Rank lines or files"),
        )
        self.fact = self.named(kit.label(wrap=True), "fact", tr("The number"))
        self.lines = self.named(
            LineTable(self.theme), "lines", tr("Lines by their push, the strongest first")
        )
        self.lines_export = Export(
            self.lines,
            self.session,
            tr("Lines by their push"),
            "influence",
            lambda: figure_size(self.lines.rows),
            lambda painter: paint_figure(painter, self.fact.text(), self.lines.rows),
            csv(self.table),
            ready=lambda: self.ranked is not None,
        )
        self.lines.export = self.lines_export
        self.number = self.named(
            kit.IntBox.of(1, _MOST, 20), "number", tr("Number of lines to tick")
        )
        self.sign = self.named(
            kit.ChoiceBox.of(
                {_RAISE: tr("that raise it most"), _LOWER: tr("that lower it most")}, _RAISE
            ),
            "sign",
            tr("Lines to tick"),
        )
        self.tick = self.named(
            kit.button(tr("Tick"), pressed=self._tick_strongest),
            "tick",
            tr("Tick the strongest lines"),
        )
        self.clear = self.named(
            kit.button(tr("Untick all"), role="link", pressed=lambda: self.lines.tick(())),
            "clear",
            tr("Untick all lines"),
        )
        self.prediction = self.named(
            kit.label(wrap=True), "prediction", tr("The number without the ticked lines")
        )
        self.again = self.named(
            kit.button(tr("Train again without"), pressed=self.train_again),
            "again",
            tr("Train again without the ticked lines"),
            tr("With and without them, with three seeds; makes a run"),
        )
        self.note = self.named(
            kit.label(_FIRST_ORDER, role="muted", wrap=True), "note", tr("How far to trust it")
        )
        self.chart = kit.chart(
            self,
            "tests",
            tr("Predicted and true changes"),
            tr("Each dot is a removal that was trained again; the bar is the spread of seeds"),
            files=kit.Files("predictions", tr("Predicted and true changes"), self.tests_table),
        )
        assert self.chart.export is not None
        self.tests_export: Export = self.chart.export
        exports = {tr("the lines"): self.lines_export, tr("predictions"): self.tests_export}
        self.export = self.named(ManyExportsButton(exports), "export", tr("Export"))

    def _build(self) -> None:
        ticking = kit.bar(
            kit.label(tr("Tick the"), role="small"), self.number, self.sign, self.tick, self.clear
        )
        result = kit.row(kit.stretch(self.prediction), self.again)
        page = kit.column(
            self.fact,
            kit.stretch(self.lines, 3),
            ticking,
            result,
            kit.stretch(self.chart, 2),
            self.note,
        )
        self.chart.hide()
        self._predicting = ResultJob(self.session.jobs, f"{self.key}.predict")
        self._training = ResultJob(self.session.jobs, f"{self.key}.again")
        self.result = ResultView(self, f"{self.key}.work", f"{self.key}.here", kit.box(page))
        # A message never becomes a low strip, whose text beside its hint would need other heights
        # at each width.
        kit.set_scaled_size(self.result, least_height=160)
        controls = kit.bar(kit.stretch(self.words), self.unit, kit.stretch(), self.export)
        kit.fill(
            self.body,
            kit.column(controls, kit.stretch(self.result), margins=(SPACE_3, SPACE_2)),
        )

    def _connect(self) -> None:
        # Each letter is saved; Return asks, also again after an error.
        self.bind(self.words, "words", by=[self.words.textChanged])
        for control, field in (
            (self.unit, "unit"),
            (self.number, "number"),
            (self.sign, "sign"),
        ):
            self.bind(control, field)
        self.words.returnPressed.connect(self._refresh)
        self.words.editingFinished.connect(self._leave_words)
        self.lines.ticked_changed.connect(self._predict)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.corpora.changed, self._refresh)
        for job in (self._predicting, self._training):
            job.on_failed(lambda error: self.prediction.setText(str(error)))
        self.result.on_clear(self._clear)

    # -- which number

    def rank(self, words: Sequence[str]) -> None:
        """Rank the lines behind the cosine of two words, the analogy of three, or an association of
        four sets of words.
        """
        self.raise_requested.emit()
        text = "; ".join(words) if len(words) == 4 else " ".join(words)
        self.view_state = self.view_state.replace(words=text)
        self._refresh()

    def rank_selected(self) -> None:
        """Rank the lines of the two words selected last."""
        chosen = self.session.selection.words[-2:]
        self.raise_requested.emit()
        if len(chosen) == 2:
            self.rank(chosen)
        else:
            self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def state_changed(self, before: InfluenceState, after: InfluenceState) -> None:
        typing = self.words.isModified() and before.words != after.words
        if (before.words, before.unit) != (after.words, after.unit) and not typing:
            self._refresh()

    def _problem(self, record: RunRecord, embeddings: Embeddings) -> UserError | None:
        """Why the open text can't be that of the run."""
        if TAUGHT in embeddings.metadata or LEFT_OUT in embeddings.metadata:
            return UserError(
                tr("{name} wasn’t trained on the whole open text.", name=record.name),
                tr("Choose the run that it was made from."),
            )
        corpus = self.session.corpora.text
        if corpus is not None and bond(record, corpus) is Bond.UNKNOWN:
            return UserError(
                tr("The text of {name} isn’t known.", name=record.name),
                tr("Choose a run that was trained on the open text."),
            )
        return mismatch(record, corpus)

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if record is None or embeddings is None:
            self.result.forget()
            self._clear()
            self.show_no_vectors(
                record,
                tr("No lines yet"),
                tr("Then see which lines of the text a cosine or an analogy comes from."),
            )
            return
        self.show_body()
        corpus, text = self.session.corpora.text, self.view_state.words.strip()
        problem = self._problem(record, embeddings)
        if problem is not None or corpus is None:
            if problem is not None:
                self.result.show_message(problem.message, problem.hint)
        elif not text:
            self.result.show_message(
                tr("Which number?"),
                tr("Type two words for their cosine, or three for an analogy, and press Return."),
            )
        else:
            self._ask(embeddings, corpus, text)

    def _ask(self, embeddings: Embeddings, corpus: Corpus, text: str) -> None:
        by_file = self.view_state.unit == _FILES
        still = self._still
        if still is None or still.embeddings is not embeddings or still.corpus is not corpus:
            still = None

        def work(run: JobControl) -> tuple[StillModel, _Ranked]:
            quantity = typed_quantity(embeddings, text)
            edges = file_edges(corpus) if by_file else line_edges(corpus)
            held = still or hold_still(embeddings, corpus, run, counted=False)
            found = influence(held, quantity, edges, run)
            return held, _Ranked(found, ranked_lines(found, corpus, by_file), by_file)

        self.result.ask(
            Request(
                (embeddings, corpus, text, by_file),
                tr("Ranking lines"),
                work,
                self._show,
                doing=tr("Ranking the lines…"),
            )
        )

    # -- results

    def _show(self, results: tuple[StillModel, _Ranked]) -> None:
        self._still, self.ranked = results
        found = self.ranked.found
        number = plural(len(found.lines), "line")
        if self.ranked.by_file:
            number = plural(len(found.lines), "file")
        self.fact.setText(
            tr(
                "{title}: {value}. {number} with its words.",
                title=found.quantity.title,
                value=_signed(found.value),
                number=number,
            )
        )
        self.note.setText(f"{_FIRST_ORDER} {found.caution}".strip())
        self.lines.put(self.ranked.rows, self.ranked.by_file)
        self._predict()

    def _clear(self) -> None:
        self.ranked = None
        self.lines.put((), False)
        self._predict()

    def _leave_words(self) -> None:
        """Ask for other words that were typed, without Return, before the field was left."""
        if self.words.isModified():
            self.words.setModified(False)
            self._refresh()

    def _tick_strongest(self) -> None:
        if self.ranked is not None:
            state = self.view_state
            sign = 1 if state.sign == _RAISE else -1
            self.lines.tick(self.ranked.found.strongest(state.number, sign).tolist())

    def _predict(self) -> None:
        """Predict the number without the ticked lines."""
        ranked, lines = self.ranked, self.lines.ticked
        self._predicted = None
        self.again.setEnabled(False)
        if ranked is None or not len(lines):
            self._predicting.forget()
            self.prediction.setText(tr("Tick lines to predict the number without them."))
            return
        work = lambda run: ranked.found.without(lines)  # noqa: E731
        # Also of the same lines, after another text took the place of the prediction.
        self._predicting.forget()
        key, title = (ranked.found, *lines.tolist()), tr("Predicting")
        self._predicting.ask(Request(key, title, work, self._show_prediction, quiet=True))

    def _show_prediction(self, value: float) -> None:
        self._predicted = value
        self.again.setEnabled(True)
        self.prediction.setText(
            tr(
                "Without {number}: {value}, predicted.",
                number=self._number_of(len(self.lines.ticked)),
                value=_signed(value),
            )
        )

    def _number_of(self, lines: int) -> str:
        if self.ranked is not None and self.ranked.by_file:
            return plural(lines, "file")
        return plural(lines, "line")

    @property
    def lack(self) -> str:
        """What is missing, also in place of the result."""
        return super().lack or self.result.lack

    # -- training again

    def why_not_train(self) -> str:
        """Why nothing can be trained again now, or ""."""
        if self._predicted is None:
            return tr("Tick lines of a number first.")
        return ""

    def train_again(self) -> None:
        """Train with and without the ticked lines; the first model without them becomes a run."""
        session, ranked, predicted = self.session, self.ranked, self._predicted
        record, corpus = session.active.run, session.corpora.text
        if ranked is None or predicted is None or record is None or corpus is None:
            return
        found, lines, store = ranked.found, self.lines.ticked, session.store
        left = self._number_of(len(lines))
        name = unused_name(tr("{run} without {lines}", run=record.name, lines=left), session.runs)
        colour = free_colour(session.runs)

        def work(run: JobControl) -> tuple[TrainedAgain, Derived]:
            return leave_out_and_keep(
                record, corpus, found.quantity, found.edges, lines, name, colour, store, run
            )

        def show(result: tuple[TrainedAgain, Derived]) -> None:
            again, derived = result
            session.runs.add_quietly(derived)
            predicted_change = predicted - found.value
            title, change = found.quantity.title, again.change
            test = _Test(record.name, title, len(lines), predicted_change, change, again.spread)
            self._show_test(test, again, left)

        # Each is a new one: it makes another run.
        title = tr("Training without {lines}", lines=left)
        self._training.ask(Request((object(),), title, work, show))

    def _show_test(self, test: _Test, again: TrainedAgain, left: str) -> None:
        """left : what was left out; other lines may be ticked by now."""
        self.tests.append(test)
        before, after = float(again.before.mean()), float(again.after.mean())
        text = tr(
            "{title} without {lines}, trained again: {after} instead of {before}. Change "
            "{true}, predicted {predicted}.",
            title=test.title,
            lines=left,
            before=_signed(before),
            after=_signed(after),
            true=_signed(test.true),
            predicted=_signed(test.predicted),
        )
        if math.isfinite(test.spread):
            seeds = tr(
                "Spread of {seeds}: {spread}.",
                seeds=plural(len(again.before), "seed"),
                spread=_signed(test.spread),
            )
            text = f"{text} {seeds}"
        self.prediction.setText(text)
        self._draw_tests()

    def _draw_tests(self) -> None:
        x = np.array([test.predicted for test in self.tests])
        y = np.array([test.true for test in self.tests])
        spread = np.nan_to_num(np.array([test.spread for test in self.tests]))
        texts = [
            tr(
                "{run}: {title}\n{number} lines: predicted {predicted}, true {true}",
                run=test.run,
                title=test.title,
                number=count(test.lines),
                predicted=_signed(test.predicted),
                true=_signed(test.true),
            )
            for test in self.tests
        ]
        ends = np.array([min(x.min(), y.min(), 0.0), max(x.max(), y.max(), 0.0)])
        self.chart.set_chart(
            Chart(
                tr("predicted change"),
                tr("true change"),
                (
                    ChartSeries(ends, ends, line=True, dots=False, role="muted", dashed=True),
                    ChartSeries(
                        x,
                        y,
                        low=y - spread,
                        high=y + spread,
                        texts=texts,
                        keys=[""] * len(texts),
                        role="accent",
                    ),
                ),
            )
        )
        self.chart.show()

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        if self.ranked is None:
            return ()
        return (self.lines_export, self.tests_export) if self.tests else (self.lines_export,)

    def table(self) -> str:
        """The lines shown with their pushes, as CSV."""
        if self.ranked is None:
            return ""
        ticked = set(self.lines.ticked.tolist())
        rows: list[list[Cell]] = [
            [
                row.line + 1,
                row.push,
                row.line in ticked,
                "; ".join(f"{one.word} {one.context} {one.count:.2f}" for one in row.pairs),
                row.text,
            ]
            for row in self.ranked.rows
        ]
        return to_csv(["line", "push", "ticked", "pairs", "text"], rows)

    def tests_table(self) -> str:
        """The removals that were trained again, as CSV."""
        rows: list[list[Cell]] = [
            [test.run, test.title, test.lines, test.predicted, test.true, test.spread]
            for test in self.tests
        ]
        changes = ("predicted change", "true change", "spread of seeds")
        return to_csv(["run", "number", "lines", *changes], rows)


@mark_unknown
def _signed(value: float) -> str:
    return true_minus(f"{value:.4f}")
