"""How much of a model is chance: more seeds trained on demand, and the spread beside every neighbour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from workbench.analysis.stability import NeighbourSpread, Stability, spread, stability
from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.session.loading import Kept
from workbench.session.records import RunRecord
from workbench.session.seeds import siblings, train_seeds
from workbench.ui.panel import Panel
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, SPACE_2
from workbench.ui.widgets.chart import Chart, chart_csv
from workbench.ui.widgets.chart_view import ChartView
from workbench.ui.widgets.compare_view import NEAREST, TOPS
from workbench.ui.widgets.data_table import DataTable, table_csv
from workbench.ui.widgets.editors import ChoiceBox, IntBox
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ManyExportsButton, csv
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.overlap_chart import overlap_chart
from workbench.ui.widgets.run_choice import RunChoice, usable
from workbench.ui.widgets.side_by_side import SideBySide
from workbench.ui.widgets.stability_columns import spread_columns, word_columns
from workbench.vectors.embeddings import Embeddings

_SEEDS = "compare.seeds"
_MOST_SEEDS = 50


@dataclass(frozen=True, eq=False)
class _Found:
    stability: Stability
    chart: Chart
    vectors: dict[str, Embeddings]


def _measure(loaders: dict[str, Callable[[], Embeddings]], k: int, top: int, run: Run) -> _Found:
    """In a worker. Raises UserError and Cancelled."""
    vectors = {}
    for number, (identifier, load) in enumerate(loaders.items()):
        run.check()
        run.advance(0.0, f"Loading seed {number + 1} of {len(loaders)}")
        vectors[identifier] = load()
    found = stability(list(vectors.values()), k, top, run)
    pairs = found.models * (found.models - 1) // 2
    chart = overlap_chart(found.words, found.counts, found.overlap, found.k, "Mean overlap", found.k * pairs)
    return _Found(found, chart, vectors)


class StabilityView(Instrument):
    """A run and its seeds."""

    local = "seeds"
    title = "Seeds"

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.stability: Stability | None = None
        self._asked: tuple[object, ...] = ()
        self._kept = Kept(self.session.store)
        self._queued: list[RunRecord] = []
        self._spread: tuple[NeighbourSpread, ...] = ()
        self._centre = ""
        self._walked: tuple[str, ...] = ()
        self.run = self.named(RunChoice(self.session, self.theme), "run", "Run whose seeds are compared")
        self.number = self.named(IntBox(), "number", "How many seeds in all", "Runs in all that differ in their seed")
        self.number.setRange(2, _MOST_SEEDS)
        kept = self.session.settings.get(_SEEDS, 5)
        self.number.setValue(kept if isinstance(kept, int) else 5)
        self.number.setSuffix(" seeds")
        self.number.setMaximumWidth(96)
        self.train = self.named(QPushButton(), "train", "Train the seeds that are missing")
        self.train.setProperty("role", "primary")
        self.nearest = self.named(ChoiceBox(), "nearest", "How many neighbours", "Neighbours compared, k")
        for k in NEAREST:
            self.nearest.addItem(f"{k} nearest", k)
        self.nearest.setCurrentIndex(1)
        self.nearest.setMinimumContentsLength(7)
        self.top = self.named(ChoiceBox(), "top", "Words compared", "The most frequent words that all models hold")
        for size, name in TOPS:
            self.top.addItem(name, size)
        self.top.setCurrentIndex(1)
        self.top.setMinimumContentsLength(7)
        self.fact = ElidedLabel()
        self.fact.setObjectName(f"{self.key}.fact")
        self.fact.setProperty("role", "muted")
        self.words = self.named(
            DataTable(self.theme), "words", "Words by how stable their neighbours are", "Click selects a word"
        )
        self.spread = self.named(
            DataTable(self.theme),
            "spread",
            "Neighbours with their spread over the seeds",
            "Mean and range over the seeds; click selects a neighbour beside the word, Return its own neighbours",
        )
        self.heading = QLabel()
        self.heading.setObjectName(f"{self.key}.heading")
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.chart = self.named(ChartView(self.theme), "overlap", "Stability by frequency")
        self._train_action = QAction("Train", self)
        self._train_action.triggered.connect(self._train_or_cancel)
        self._make_exports()
        self._build()
        self._connect()

    def _make_exports(self) -> None:
        self.words.export = Export(
            self, self.session, "Export stability by word", "stability", texts=csv(lambda: table_csv(self.words))
        )
        self.spread.export = Export(
            self, self.session, "Export the spread", "spread", texts=csv(lambda: table_csv(self.spread))
        )
        self.chart.export = Export(
            self,
            self.session,
            "Export stability by frequency",
            "stability",
            lambda: self.chart.file_size,
            self.chart.save_picture,
            csv(lambda: chart_csv(self.chart.chart)),
        )
        self.exports = {
            "stability by word": self.words.export,
            "stability by frequency": self.chart.export,
            "neighbour spread": self.spread.export,
        }

    def _build(self) -> None:
        export = self.named(ManyExportsButton(self.exports), "export", "Export figures and data")
        for widget in (self.run, self.number, self.train, self.nearest, self.top):
            self.controls.addWidget(widget)
        self.controls.addStretch()
        self.controls.addWidget(export)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_1)
        column.addWidget(self.heading)
        column.addWidget(self.spread, 1)
        self.side = self.named(SideBySide((("Neighbours", below), ("By frequency", self.chart))), "side", "Details")
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.addWidget(self.words)
        parts.addWidget(self.side)
        parts.setSizes([370, 420])
        parts.setChildrenCollapsible(False)
        outer = QVBoxLayout(self.content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(SPACE_2)
        outer.addWidget(self.fact)
        outer.addWidget(parts, 1)

    def _connect(self) -> None:
        self.run.chosen.connect(self.refresh)
        self.number.valueChanged.connect(self._number_changed)
        self.train.clicked.connect(self._train_or_cancel)
        for box in (self.nearest, self.top):
            box.currentIndexChanged.connect(lambda _: self.refresh())
        self.words.picked.connect(self._pick_word)
        self.chart.picked.connect(lambda word: self.session.select([word]))
        self.spread.picked.connect(self._walk)
        self.spread.opened.connect(lambda row: self.session.select([self._spread[row].word]))
        self.panel.follow(self.session.runs_changed, self._runs_changed)
        self.panel.follow(self.session.shown_changed, self._offer)
        self.panel.follow(self.session.selection_changed, self._selected)
        self._offer()

    # -- which seeds

    def _offer(self) -> None:
        runs = usable(self.session)
        self.run.offer(runs, self.session.shown if self.session.shown in runs else None)
        self._tell_training()

    def _runs_changed(self) -> None:
        self._offer()
        self.refresh()

    def _family(self) -> list[RunRecord]:
        record = self.run.record
        return siblings(self.session.runs, record) if record is not None else []

    def _number_changed(self, number: int) -> None:
        self.session.settings.set(_SEEDS, number)
        self._tell_training()
        self.refresh()

    @property
    def pending(self) -> list[RunRecord]:
        """The seeds of the chosen run that wait or train."""
        return [record for record in self._family() if not record.state.over]

    def _tell_training(self) -> None:
        pending = self.pending
        missing = max(self.number.value() - len(self._family()), 0)
        text = f"Cancel {len(pending)}" if pending else f"Train {missing} more" if missing else "All trained"
        if text != self.train.text():
            self.train.setText(text)
        enabled = bool(pending) or (missing > 0 and self.run.record is not None)
        if enabled != self.train.isEnabled():
            self.train.setEnabled(enabled)

    def _train_or_cancel(self) -> None:
        record, pending = self.run.record, self.pending
        if pending:
            for one in reversed(pending):
                self.session.cancel(one)
            return
        if record is None:
            return
        try:
            train_seeds(self.session, record, self.number.value())
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
            if self.state == "empty":
                self.fail(error)
        self._tell_training()

    # -- measuring

    def refresh(self) -> None:
        """Measure where there are other seeds than before, once the instrument is seen."""
        if not self.isVisible():
            return
        record = self.run.record
        models = [one for one in self._family() if one in usable(self.session)]
        k, top = int(self.nearest.currentData()), int(self.top.currentData())
        self._tell_training()
        alone = len(models) < 2
        waiting = len(self.pending)
        asked = (*(one.identifier for one in models), k, top, *([waiting, self.number.value()] if alone else []))
        if asked == self._asked:
            return
        self._asked = asked
        if alone:
            self.drop()
            self.stability = None
            self._say_alone(record, waiting)
            return
        loaders = {one.identifier: self._kept.loader(one) for one in models}
        self.work(
            f"Comparing {len(models)} seeds",
            f"Comparing {len(models)} seeds …",
            lambda run: _measure(loaders, k, top, run),
            self._put,
        )

    def _say_alone(self, record: RunRecord | None, waiting: int) -> None:
        if record is None:
            self.say("No run to train again", "Train one first.")
        elif waiting:
            self.say(
                f"{waiting} more {'seed is' if waiting == 1 else 'seeds are'} being trained …",
                "The spread comes with the first.",
            )
        else:
            self._train_action.setText(self.train.text())
            self.say(
                f"How much of {record.name} is chance?",
                "The same training with other seeds shows which neighbours stay and how far their ranks stray.",
                self._train_action,
            )

    def fail(self, error: UserError) -> None:
        super().fail(error)
        # Whoever comes back tries again.
        self._asked = ()

    def cancel(self) -> None:
        self.drop()
        self.say("Nothing is measured", "Choose another run or number of neighbours to begin again.")

    def _put(self, found: _Found) -> None:
        self._kept.keep(found.vectors)
        one = self.stability = found.stability
        self.words.set_columns(word_columns(one))
        if self.words.table.sorted_by is None:
            self.words.sort_by(1, descending=False)
        self.chart.set_chart(found.chart)
        self.fact.put(
            f"{one.models} seeds · {count(len(one.words))} words · overlap@{one.k} {one.overlap.mean():.2f}, "
            f"Jaccard {one.jaccard.mean():.2f}, in all {one.everywhere.mean():.2f}"
        )
        self._look_up()

    # -- one word

    def _pick_word(self, row: int) -> None:
        if self.stability is not None:
            self.session.select([self.stability.words[row]])

    def _walk(self, row: int) -> None:
        """A neighbour is selected beside its word, whose list stays."""
        self._walked = (self._centre, self._spread[row].word)
        self.session.select(self._walked)

    def _selected(self) -> None:
        if self._walked and self.session.selection == self._walked:
            return
        self._walked = ()
        self._look_up()

    def _look_up(self) -> None:
        measured = self.stability
        models = [vectors for one in self._family() if (vectors := self._kept.get(one)) is not None]
        if measured is None or len(models) < 2:
            return
        word = self.session.focus or measured.words[int(self.words.table.order[0])]
        self.chart.set_current(word)
        if word in measured.words:
            self.words.pick(measured.words.index(word))
        k = int(self.nearest.currentData())
        self.session.jobs.start(
            "Finding the spread",
            lambda run: spread(models, word, k),
            lambda found: self._put_spread(word, found, k),
            self._no_spread,
            key=f"{self.key}.lists",
            quiet=True,
        )

    def _put_spread(self, word: str, found: tuple[NeighbourSpread, ...], k: int) -> None:
        self._centre, self._spread = word, found
        models = max((one.models for one in found), default=0)
        always = sum(one.among == models for one in found)
        self.heading.setText(f"{word}: {always} of {k} neighbours are there in all {models} seeds")
        everywhere = [at for at, one in enumerate(found) if one.among == models]
        self.spread.set_columns(spread_columns(found, k), everywhere)

    def _no_spread(self, error: UserError) -> None:
        self._spread = ()
        self.heading.setText(str(error))
        self.spread.set_columns([])
