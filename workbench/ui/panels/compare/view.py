"""The comparison of two models: words that moved, overlap by frequency, neighbours side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction

from workbench.analysis.neighbours.model_changes import Comparison, compare, neighbour_lists
from workbench.core.job_control import JobControl
from workbench.core.language import plural, tr, trc
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import MODELS_WIDTHS
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import choice
from workbench.ui.base.text import count, decimal, mark_unknown, true_minus
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.compare.neighbour_pair import NeighbourPair
from workbench.ui.panels.compare.overlap_chart import overlap_chart
from workbench.ui.panels.compare.overlap_view import OverlapState, OverlapView
from workbench.ui.plots.chart import Chart
from workbench.ui.widgets.inputs.run_choice import RunChoice, grouped_runs, usable
from workbench.ui.widgets.layout.result_view import Request
from workbench.ui.widgets.tables.data_table import TableColumn
from workbench.vectors.embeddings import Embeddings

_LISTED = 20


@dataclass(frozen=True, eq=False)
class _ComparisonResult:
    comparison: Comparison
    chart: Chart
    vectors: dict[str, Embeddings]


def _compare_models(
    loaders: dict[str, Callable[[], Embeddings]],
    first: str,
    second: str,
    k: int,
    top: int,
    run: JobControl,
) -> _ComparisonResult:
    """Compute the comparison, in a worker. Raises UserError and Cancelled."""
    run.advance(0.0, tr("Loading the vectors"))
    vectors = {identifier: load() for identifier, load in loaders.items()}
    run.check()
    found = compare(vectors[first], vectors[second], k, top, run)
    chart = overlap_chart(found.words, found.counts, found.overlap, found.k, tr("Overlap"), found.k)
    return _ComparisonResult(found, chart, vectors)


@dataclass(frozen=True)
class CompareState(OverlapState):
    """Identifiers of two runs; "": the active run, and the newest of the same text"""

    first: str = choice("")
    second: str = choice("")


class CompareView(OverlapView):
    """Two runs and the changes of their words."""

    local = "models"
    widths = MODELS_WIDTHS
    state_kind = CompareState
    view_state: CompareState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.comparison: Comparison | None = None
        self.first = self.named(RunChoice(self.session, self.theme), "first", tr("First run"))
        self.second = self.named(RunChoice(self.session, self.theme), "second", tr("Second run"))
        self.swap = self.named(
            kit.button("⇄", role="quiet", pressed=self._swap_runs),
            "swap",
            tr("Swap runs"),
            tr("Swap runs"),
        )
        self.named(
            self.words,
            "words",
            tr("Words by distance moved"),
            tr("Click to select a word in all panels"),
        )
        self.named(self.chart, "overlap", tr("Overlap of neighbours by frequency"))
        self.lists = self.named(NeighbourPair(self.theme), "lists", tr("Neighbours side by side"))
        self.named(self.lists.tables[0], "list.first", tr("Nearest neighbours in the first run"))
        self.named(self.lists.tables[1], "list.second", tr("Nearest neighbours in the second run"))
        self.word_lists.on_failed(lambda error: self.lists.say(str(error)))
        self._again = QAction(tr("Compare"), self)
        self._again.triggered.connect(self._start_again)
        lists = Export(
            self, self.session, tr("Export neighbours"), "neighbours", texts=csv(self.lists.csv)
        )
        for table in self.lists.tables:
            table.export = lists
        self.exports = {
            tr("moved words"): self.words.offer_files(
                self.session, tr("Export moved words"), "moved-words"
            ),
            tr("overlap"): self._export_chart(
                tr("Export overlap by frequency"),
                "overlap",
                tr("Overlap of nearest neighbours in two models by frequency"),
                lambda: [one for one in (self.first.record, self.second.record) if one is not None],
            ),
            tr("neighbours"): lists,
        }
        self._lay_out((self.first, self.swap, self.second), self.lists)
        self._connect()

    def _connect(self) -> None:
        for box, side in ((self.first, "first"), (self.second, "second")):
            box.chosen.connect(self.refresh)
            self.bind(box, side)
        self.lists.picked.connect(self._walk_from)
        self.lists.opened.connect(lambda word: self.session.selection.select([word]))
        self.panel.follow(self.session.runs.changed, self._offer_runs)
        self.panel.follow(self.session.active.changed, self._offer_runs)
        self.panel.follow(self.session.corpora.changed, self._offer_runs)
        self._offer_runs()

    # -- which runs

    def _offer_runs(self) -> None:
        runs = usable(self.session)
        first = self.session.active.run
        if first not in runs:
            first = next((group.runs[0] for group in grouped_runs(self.session, runs)), None)
        self.first.offer(runs, first)
        chosen = self.first.record
        others = [record for record in reversed(runs) if record is not chosen]
        # The newest run of the same text is most likely meant.
        same = [
            record
            for record in others
            if chosen is not None and record.corpus_digest == chosen.corpus_digest
        ]
        other = next(iter(same or others), None)
        self.second.offer(runs, other)
        # While there was only one model, it was on both sides.
        if other is not None and self.second.record is chosen:
            self.second.choose(other)

    def choose(self, first: RunRecord, second: RunRecord) -> None:
        """Choose the two runs to compare."""
        self._offer_runs()
        self.first.choose(first)
        self.second.choose(second)

    def _swap_runs(self) -> None:
        one, other = self.first.record, self.second.record
        if one is None or other is None:
            return
        self.view_state = self.view_state.replace(first=other.identifier, second=one.identifier)

    def drawn_runs(self) -> list[RunRecord]:
        return [one for one in (self.first.record, self.second.record) if one is not None]

    # -- comparing

    def exporters(self) -> Sequence[Exporter]:
        return tuple(self.exports.values())

    def refresh(self) -> None:
        """Compare again if the runs have changed and the tab is visible."""
        if not self.isVisible():
            return
        one, other = self.first.record, self.second.record
        if one is None or other is None or one is other:
            hint = tr("Choose two different runs above.")
            if len(usable(self.session)) < 2:
                hint = tr("Train or open another model.")
            self.show_message(tr("A comparison needs two models"), hint)
            return
        k, top = self.view_state.nearest, self.view_state.top
        request = (one.identifier, other.identifier, k, top)
        loaders = {
            record.identifier: self._loaded_vectors.loader(record) for record in (one, other)
        }
        self.start_job(
            request,
            tr("Comparing {first} with {second}", first=one.name, second=other.name),
            tr("Comparing {first} with {second}…", first=one.name, second=other.name),
            lambda run: _compare_models(loaders, one.identifier, other.identifier, k, top, run),
            lambda found: self._show_result(found, one, other),
        )

    def on_cancelled(self) -> None:
        self.show_cancelled(
            tr("Comparison cancelled"), tr("Choose other runs, or start again."), self._again
        )

    def _start_again(self) -> None:
        self.discard_job()
        self.refresh()

    def _show_result(self, found: _ComparisonResult, one: RunRecord, other: RunRecord) -> None:
        self._loaded_vectors.keep(found.vectors)
        comparison = self.comparison = found.comparison
        columns = [TableColumn(tr("Word"), comparison.words, stretch=True)]
        if comparison.moved is not None:
            tip = tr(
                "Cosine distance between the two vectors of the word after orthogonal "
                "Procrustes alignment. 0 = not moved; 2 = opposite direction."
            )
            columns.append(
                TableColumn(
                    tr("Moved"),
                    comparison.moved.tolist(),
                    tip,
                    lambda value: true_minus(f"{value:.3f}"),
                )
            )
        k = comparison.k
        columns.append(
            TableColumn(
                tr("Overlap"),
                comparison.overlap.tolist(),
                tr("Share of the {k} nearest neighbours that both models have in common", k=k),
                _share_text,
            )
        )
        if comparison.counts is not None:
            columns.append(
                TableColumn(trc("noun", "Count"), comparison.counts.tolist(), text=count, spare=1)
            )
        self.words.set_columns(columns)
        if self.words.table.sorted_by is None:
            # Words that moved most, or share the fewest neighbours, come first.
            self.words.sort_by(1, descending=comparison.moved is not None)
        self.chart.set_chart(found.chart)
        facts = [
            plural(len(comparison.words), "common word"),
            tr("mean overlap {mean:.2f}", mean=comparison.overlap.mean()),
        ]
        if comparison.not_aligned:
            facts.append(comparison.not_aligned)
        elif comparison.moved is not None:
            facts.append(
                tr(
                    "median distance moved {decimal}",
                    decimal=decimal(float(sorted(comparison.moved)[len(comparison.moved) // 2]), 2),
                )
            )
        self.fact.put(" · ".join(facts))
        self.differences.put_models((one, other))
        self._look_up()

    # -- one word

    @property
    def compared_words(self) -> tuple[str, ...]:
        if self.comparison is None:
            return ()
        return self.comparison.words

    def _walk_from(self, word: str) -> None:
        if self.lists.lists is not None:
            self._select_neighbour(self.lists.lists.word, word)

    def _look_up(self) -> None:
        one, other = self.first.record, self.second.record
        if one is None or other is None or self.comparison is None:
            return
        first, second = self._loaded_vectors.get(one), self._loaded_vectors.get(other)
        if first is None or second is None:
            return
        word = self._mark_word()
        self.word_lists.ask(
            Request(
                (first, second, word, one.name, other.name),
                tr("Finding neighbours"),
                lambda run: neighbour_lists(first, second, word, _LISTED),
                lambda found: self.lists.put(found, (one.name, other.name)),
                quiet=True,
            )
        )


@mark_unknown
def _share_text(value: float) -> str:
    return true_minus(f"{value:.2f}")
