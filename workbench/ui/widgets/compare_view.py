"""Two models laid over one another: words that moved, overlap by frequency, neighbours side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QSplitter, QVBoxLayout

from workbench.analysis.compare import Comparison, NeighbourLists, compare, neighbour_lists
from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.session.loading import Kept
from workbench.session.records import RunRecord
from workbench.ui.panel import Panel
from workbench.ui.text import count, decimal
from workbench.ui.theme import SPACE_2
from workbench.ui.widgets.chart import Chart, chart_csv
from workbench.ui.widgets.chart_view import ChartView
from workbench.ui.widgets.data_table import Column, DataTable, table_csv
from workbench.ui.widgets.editors import ChoiceBox
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ManyExportsButton, csv
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.neighbour_pair import NeighbourPair
from workbench.ui.widgets.overlap_chart import overlap_chart
from workbench.ui.widgets.run_choice import RunChoice, usable
from workbench.ui.widgets.side_by_side import SideBySide
from workbench.vectors.embeddings import Embeddings

NEAREST = (5, 10, 20, 50)
TOPS = ((2_000, "Top 2,000"), (10_000, "Top 10,000"), (30_000, "Top 30,000"), (0, "All words"))
_LISTED = 20


@dataclass(frozen=True, eq=False)
class _Compared:
    comparison: Comparison
    chart: Chart
    vectors: dict[str, Embeddings]


def _compare(
    loaders: dict[str, Callable[[], Embeddings]], first: str, second: str, k: int, top: int, run: Run
) -> _Compared:
    """In a worker. Raises UserError and Cancelled."""
    run.advance(0.0, "Loading the vectors")
    vectors = {identifier: load() for identifier, load in loaders.items()}
    run.check()
    found = compare(vectors[first], vectors[second], k, top, run)
    chart = overlap_chart(found.words, found.counts, found.overlap, found.k, "Overlap", found.k)
    return _Compared(found, chart, vectors)


class CompareView(Instrument):
    """Two runs and what became of their words."""

    local = "models"
    title = "Two models"

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.comparison: Comparison | None = None
        self._asked: tuple[object, ...] = ()
        self._walked: tuple[str, ...] = ()
        self._kept = Kept(self.session.store)
        self.first = self.named(RunChoice(self.session, self.theme), "first", "First run")
        self.second = self.named(RunChoice(self.session, self.theme), "second", "Second run")
        self.swap = self.named(QPushButton("⇄"), "swap", "Swap the two runs", "Swap the two runs")
        self.nearest = self.named(ChoiceBox(), "nearest", "How many neighbours", "Neighbours compared, k")
        for k in NEAREST:
            self.nearest.addItem(f"{k} nearest", k)
        self.nearest.setCurrentIndex(1)
        self.top = self.named(ChoiceBox(), "top", "Words compared", "The most frequent words that both models hold")
        for size, name in TOPS:
            self.top.addItem(name, size)
        self.top.setCurrentIndex(1)
        self.top.setMinimumContentsLength(7)
        self.nearest.setMinimumContentsLength(7)
        self.fact = ElidedLabel()
        self.fact.setObjectName(f"{self.key}.fact")
        self.fact.setProperty("role", "muted")
        self.words = self.named(
            DataTable(self.theme), "words", "Words by how far they moved", "Click selects a word everywhere"
        )
        self.chart = self.named(ChartView(self.theme), "overlap", "Overlap of neighbours by frequency")
        self.lists = self.named(NeighbourPair(self.theme), "lists", "Neighbours side by side")
        for name, table in zip(("first", "second"), self.lists.tables, strict=True):
            self.named(table, f"list.{name}", f"Nearest words in the {name} run")
        self._again = QAction("Compare", self)
        self._again.triggered.connect(self._start_again)
        self._make_exports()
        self._build()
        self._connect()

    def _make_exports(self) -> None:
        self.words.export = Export(
            self, self.session, "Export moved words", "moved-words", texts=csv(lambda: table_csv(self.words))
        )
        self.chart.export = Export(
            self,
            self.session,
            "Export overlap by frequency",
            "overlap",
            lambda: self.chart.file_size,
            self.chart.save_picture,
            csv(lambda: chart_csv(self.chart.chart)),
        )
        lists = Export(self, self.session, "Export neighbours", "neighbours", texts=csv(self.lists.csv))
        for table in self.lists.tables:
            table.export = lists
        self.exports = {"moved words": self.words.export, "overlap": self.chart.export, "neighbours": lists}

    def _build(self) -> None:
        export = self.named(ManyExportsButton(self.exports), "export", "Export figures and data")
        self.swap.setProperty("role", "quiet")
        for widget in (self.first, self.swap, self.second, self.nearest, self.top):
            self.controls.addWidget(widget)
        self.controls.addStretch()
        self.controls.addWidget(export)
        self.side = self.named(
            SideBySide((("Neighbours", self.lists), ("By frequency", self.chart))), "side", "Details"
        )
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.addWidget(self.words)
        parts.addWidget(self.side)
        parts.setSizes([320, 460])
        parts.setChildrenCollapsible(False)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.fact)
        column.addWidget(parts, 1)

    def _connect(self) -> None:
        for choice in (self.first, self.second):
            choice.chosen.connect(self.refresh)
        for box in (self.nearest, self.top):
            box.currentIndexChanged.connect(lambda _: self.refresh())
        self.swap.clicked.connect(self._swap)
        self.words.picked.connect(self._pick_word)
        self.chart.picked.connect(lambda word: self.session.select([word]))
        self.lists.picked.connect(self._walk)
        self.lists.opened.connect(lambda word: self.session.select([word]))
        self.panel.follow(self.session.runs_changed, self._offer)
        self.panel.follow(self.session.shown_changed, self._offer)
        self.panel.follow(self.session.selection_changed, self._selected)
        self._offer()

    # -- which runs

    def _offer(self) -> None:
        runs = usable(self.session)
        shown = self.session.shown if self.session.shown in runs else None
        first = shown or (runs[0] if runs else None)
        self.first.offer(runs, first)
        chosen = self.first.record
        self.second.offer(runs, next((record for record in reversed(runs) if record is not chosen), None))

    def _swap(self) -> None:
        one, other = self.first.record, self.second.record
        if one is None or other is None:
            return
        for choice, record in ((self.first, other), (self.second, one)):
            choice.blockSignals(True)
            choice.choose(record)
            choice.blockSignals(False)
        self.refresh()

    # -- comparing

    def refresh(self) -> None:
        """Compare where the runs are others than before, once the instrument is seen."""
        if not self.isVisible():
            return
        one, other = self.first.record, self.second.record
        if one is None or other is None or one is other:
            self.drop()
            self._asked = ()
            hint = (
                "Train or open another model." if len(usable(self.session)) < 2 else "Choose two different ones above."
            )
            self.say("Two models are needed to compare", hint)
            return
        k, top = int(self.nearest.currentData()), int(self.top.currentData())
        asked = (one.identifier, other.identifier, k, top)
        if asked == self._asked:
            return
        self._asked = asked
        loaders = {record.identifier: self._kept.loader(record) for record in (one, other)}
        self.work(
            f"Comparing {one.name} with {other.name}",
            f"Comparing {one.name} with {other.name} …",
            lambda run: _compare(loaders, one.identifier, other.identifier, k, top, run),
            lambda found: self._put(found, one, other),
        )

    def fail(self, error: UserError) -> None:
        super().fail(error)
        # Whoever comes back tries again.
        self._asked = ()

    def cancel(self) -> None:
        self.drop()
        self.say("Nothing is compared", "Choose other runs, or begin again.", self._again)

    def _start_again(self) -> None:
        self._asked = ()
        self.refresh()

    def _put(self, found: _Compared, one: RunRecord, other: RunRecord) -> None:
        self._kept.keep(found.vectors)
        comparison = self.comparison = found.comparison
        columns = [Column("Word", comparison.words, stretch=True)]
        if comparison.moved is not None:
            tip = (
                "Cosine distance of the word’s two vectors after orthogonal Procrustes alignment: 0 not at all, 2 most"
            )
            columns.append(Column("Moved", comparison.moved.tolist(), tip, lambda value: f"{value:.3f}"))
        k = comparison.k
        columns.append(
            Column("Overlap", comparison.overlap.tolist(), f"Share of the {k} nearest that both models list", _share)
        )
        if comparison.counts is not None:
            columns.append(Column("Count", comparison.counts.tolist(), text=count, spare=True))
        self.words.set_columns(columns)
        if self.words.table.sorted_by is None:
            # What moved most, or kept least of its neighbours, comes first.
            self.words.sort_by(1, descending=comparison.moved is not None)
        self.chart.set_chart(found.chart)
        told = [f"{count(len(comparison.words))} common words", f"mean overlap {comparison.overlap.mean():.2f}"]
        if comparison.not_aligned:
            told.insert(0, comparison.not_aligned)
        elif comparison.moved is not None:
            told.append(f"median moved {decimal(float(sorted(comparison.moved)[len(comparison.moved) // 2]), 2)}")
        self.fact.put(" · ".join(told))
        self._look_up()

    # -- one word

    def _pick_word(self, row: int) -> None:
        if self.comparison is not None:
            self.session.select([self.comparison.words[row]])

    def _walk(self, word: str) -> None:
        """A neighbour is selected beside its word, whose lists stay."""
        if self.lists.lists is not None:
            self._walked = (self.lists.lists.word, word)
            self.session.select(self._walked)

    def _selected(self) -> None:
        if self._walked and self.session.selection == self._walked:
            return
        self._walked = ()
        self._look_up()

    def _look_up(self) -> None:
        """Lists of the selected word, or of the one at the top of the table."""
        one, other, comparison = self.first.record, self.second.record, self.comparison
        if one is None or other is None or comparison is None:
            return
        first, second = self._kept.get(one), self._kept.get(other)
        if first is None or second is None:
            return
        word = self.session.focus or comparison.words[int(self.words.table.order[0])]
        self.chart.set_current(word)
        if word in comparison.words:
            self.words.pick(comparison.words.index(word))
        self.session.jobs.start(
            "Finding neighbours",
            lambda run: neighbour_lists(first, second, word, _LISTED),
            lambda found: self._put_lists(found, one, other),
            self._no_lists,
            key=f"{self.key}.lists",
            quiet=True,
        )

    def _put_lists(self, lists: NeighbourLists, one: RunRecord, other: RunRecord) -> None:
        self.lists.put(lists, (one.name, other.name))

    def _no_lists(self, error: UserError) -> None:
        self.lists.say(str(error))


def _share(value: float) -> str:
    return f"{value:.2f}"
