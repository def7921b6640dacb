"""Stability of a model over seeds: overlap by word, and the spread of every neighbour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction

from workbench.analysis.neighbours.stability import NeighbourSpread, Stability, spread, stability
from workbench.analysis.resampling.texts_drawn import TextDraws
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Portion
from workbench.core.language import tr, trc, trn
from workbench.session.corpus.text_draws import why_not_drawn
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import COMPARE_SEEDS, SEEDS_WIDTHS
from workbench.session.training.seeds import siblings, train_seeds
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import choice
from workbench.ui.base.text import count, mark_unknown, true_minus
from workbench.ui.panels.compare.overlap_chart import overlap_chart
from workbench.ui.panels.compare.overlap_view import OverlapState, OverlapView
from workbench.ui.plots.chart import Chart
from workbench.ui.widgets.inputs.run_choice import RunChoice, usable
from workbench.ui.widgets.layout.result_view import Request
from workbench.ui.widgets.tables.data_table import TableColumn
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.vectors.embeddings import Embeddings

_MOST_SEEDS = 50
_SEEDS, _TEXTS = "seeds", "texts"
_SOURCES = {_SEEDS: tr("Other seeds"), _TEXTS: tr("Resampled texts")}


@dataclass(frozen=True, eq=False)
class _StabilityResult:
    stability: Stability
    chart: Chart
    vectors: dict[str, Embeddings]


def _measure_stability(
    loaders: dict[str, Callable[[], Embeddings]], k: int, top: int, run: JobControl
) -> _StabilityResult:
    """Measure the stability, in a worker. Raises UserError and Cancelled."""
    vectors = {}
    for number, (identifier, load) in enumerate(loaders.items()):
        run.check()
        run.advance(
            0.0, tr("Loading seed {value} of {number}", value=number + 1, number=len(loaders))
        )
        vectors[identifier] = load()
    found = stability(list(vectors.values()), k, top, run)
    pairs = found.models * (found.models - 1) // 2
    chart = overlap_chart(
        found.words, found.counts, found.overlap, found.k, tr("Mean overlap"), found.k * pairs
    )
    return _StabilityResult(found, chart, vectors)


def _measure_texts(
    draws: TextDraws, number: int, k: int, top: int, run: JobControl
) -> _StabilityResult:
    """Measure the stability over texts of drawn documents, in a worker. Raises UserError and
    Cancelled.
    """
    vectors = {}
    for at in range(number):
        note = tr("Text {number:,} of {all:,}", number=at + 1, all=number)
        run.advance(0.9 * at / number, note)
        part = Portion(run, 0.9 * at / number, 0.9 / number, note)
        vectors[str(at)] = draws.refit(at, part).embeddings
    found = stability(list(vectors.values()), k, top, run)
    pairs = found.models * (found.models - 1) // 2
    chart = overlap_chart(
        found.words, found.counts, found.overlap, found.k, tr("Mean overlap"), found.k * pairs
    )
    return _StabilityResult(found, chart, vectors)


@dataclass(frozen=True)
class StabilityState(OverlapState):
    """run : identifier, "" for the active run; number : of seeds, or of drawn texts if ``source``
    is "texts"
    """

    run: str = choice("")
    source: str = choice("seeds", allowed=_SOURCES)
    number: int = choice(setting=COMPARE_SEEDS)


class StabilityView(OverlapView):
    """A run and its seeds."""

    local = "seeds"
    widths = SEEDS_WIDTHS
    state_kind = StabilityState
    view_state: StabilityState

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.stability: Stability | None = None
        self.word_lists.on_failed(self._no_spread)
        # What the message was about that there is only one seed.
        self._alone: tuple[object, ...] = ()
        self._queued: list[RunRecord] = []
        self._spread: tuple[NeighbourSpread, ...] = ()
        self._drawn: list[Embeddings] = []
        self._centre = ""
        self._make_controls()
        self.named(
            self.words,
            "words",
            tr("Words by the stability of their neighbours"),
            tr("Click selects a word"),
        )
        self.named(self.chart, "overlap", tr("Stability by frequency"))
        self.spread = kit.table(
            self,
            "spread",
            tr("Neighbours with their spread across models"),
            tr(
                "Mean and range across models. Click to select a neighbour beside the word; "
                "press Return for the neighbour’s own neighbours."
            ),
        )
        self.heading = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.heading")
        self._train_action = QAction(tr("Train"), self)
        self._train_action.triggered.connect(self._train_or_cancel)
        self.exports = {
            tr("stability by word"): self.words.offer_files(
                self.session, tr("Export stability by word"), "stability"
            ),
            tr("stability by frequency"): self._export_chart(
                tr("Export stability by frequency"),
                "stability",
                tr("Overlap of nearest neighbours across models by frequency"),
                self._sibling_runs,
            ),
            tr("neighbour spread"): self.spread.offer_files(
                self.session, tr("Export the spread"), "spread"
            ),
        }
        spread_list = kit.column(self.heading, kit.stretch(self.spread), gap=kit.SPACE_1)
        controls = (self.run, self.source, self.number, self.train)
        self._lay_out(controls, kit.box(spread_list))
        self._connect()

    def _make_controls(self) -> None:
        self.run = self.named(
            RunChoice(self.session, self.theme), "run", tr("Run whose seeds are compared")
        )
        self.number = self.named(
            kit.IntBox.of(2, _MOST_SEEDS, 2, suffix=tr(" seeds"), tracking=True),
            "number",
            tr("Total number of seeds"),
            tr("Total number of runs that differ only in their seed"),
        )
        kit.set_scaled_size(self.number, most_width=130)
        self.source = self.named(
            kit.ChoiceBox.of(_SOURCES, letters=13),
            "source",
            tr("What differs between the models"),
            tr("Train with other seeds, or on texts of documents drawn with replacement"),
        )
        self.train = self.named(kit.button(role="start"), "train", tr("Train the missing seeds"))

    def _connect(self) -> None:
        self.run.chosen.connect(self.refresh)
        self.bind(self.run, "run")
        self.bind(self.number, "number")
        self.bind(self.source, "source")
        self.train.clicked.connect(self._train_or_cancel)
        self.spread.picked.connect(
            lambda row: self._select_neighbour(self._centre, self._spread[row].word)
        )
        self.spread.opened.connect(
            lambda row: self.session.selection.select([self._spread[row].word])
        )
        self.panel.follow(self.session.runs.changed, self._runs_changed)
        self.panel.follow(self.session.active.changed, self._offer_runs)
        self.panel.follow(self.session.corpora.changed, self._offer_runs)
        self._offer_runs()

    # -- which seeds

    def _offer_runs(self) -> None:
        runs = usable(self.session)
        self.run.offer(runs, self.session.active.run if self.session.active.run in runs else None)
        self._tell_training()

    def _runs_changed(self) -> None:
        self._offer_runs()
        self.refresh()

    def drawn_runs(self) -> list[RunRecord]:
        return list(filter(None, [self.run.record]))

    def _sibling_runs(self) -> list[RunRecord]:
        if self.run.record is None:
            return []
        return siblings(self.session.runs, self.run.record)

    def state_changed(self, before: OverlapState, after: OverlapState) -> None:
        self._tell_training()
        self.number.setSuffix(tr(" texts") if self._by_texts else tr(" seeds"))
        super().state_changed(before, after)

    @property
    def _by_texts(self) -> bool:
        """Whether drawn texts are compared, not seeds."""
        return self.view_state.source == _TEXTS

    @property
    def pending_runs(self) -> list[RunRecord]:
        """The waiting or training seeds of the chosen run."""
        return [record for record in self._sibling_runs() if not record.state.over]

    def _tell_training(self) -> None:
        pending = self.pending_runs
        missing = max(self.view_state.number - len(self._sibling_runs()), 0)
        text = tr("All trained")
        if pending:
            text = tr("Cancel {number}", number=len(pending))
        elif missing:
            text = tr("Train {missing} more", missing=missing)
        if text != self.train.text():
            self.train.setText(text)
        enabled = bool(pending) or (missing > 0 and self.run.record is not None)
        if enabled != self.train.isEnabled():
            self.train.setEnabled(enabled)

    def _train_or_cancel(self) -> None:
        record, pending = self.run.record, self.pending_runs
        if pending:
            for one in reversed(pending):
                self.session.training.cancel(one)
            return
        if record is None:
            return
        try:
            session = self.session
            corpus = session.corpora.current
            train_seeds(session.training, session.runs, corpus, record, self.view_state.number)
        except UserError as error:
            self.session.message.report(error)
            if self.state == "empty":
                self.show_error(error)
        self._tell_training()

    # -- measuring

    def show_error(self, error: UserError) -> None:
        super().show_error(error)
        # The next visit says again what can be trained.
        self._alone = ()

    def exporters(self) -> Sequence[Exporter]:
        return tuple(self.exports.values())

    def refresh(self) -> None:
        """Measure again if the seeds have changed and the tab is visible."""
        if not self.isVisible():
            return
        record = self.run.record
        if self._by_texts:
            self._measure_texts(record)
            return
        models = [one for one in self._sibling_runs() if one in usable(self.session)]
        k, top = self.view_state.nearest, self.view_state.top
        self._tell_training()
        alone = len(models) < 2
        waiting = len(self.pending_runs)
        request = (*(one.identifier for one in models), k, top)
        if alone:
            lonely = (*request, waiting, self.view_state.number)
            if lonely != self._alone:
                self._alone, self.stability = lonely, None
                self._say_alone(record, waiting)
            return
        self._alone = ()
        self.train.show()
        loaders = {one.identifier: self._loaded_vectors.loader(one) for one in models}
        self.start_job(
            request,
            tr("Comparing {number} seeds", number=len(models)),
            tr("Comparing {number} seeds…", number=len(models)),
            lambda run: _measure_stability(loaders, k, top, run),
            self._show_result,
        )

    def _measure_texts(self, record: RunRecord | None) -> None:
        """Train on drawn texts, and compare the models."""
        corpus, k, top = self.session.corpora.text, self.view_state.nearest, self.view_state.top
        number = self.view_state.number
        self.train.hide()
        problem = why_not_drawn(record, corpus)
        if problem is not None or record is None or corpus is None:
            self.discard_job()
            if problem is not None:
                self.show_error(problem)
            return
        request = (_TEXTS, record.identifier, corpus.digest, number, k, top)
        self._alone = ()
        kept = self.session.text_draws
        self.start_job(
            request,
            tr("Comparing {number} texts", number=number),
            tr("Drawing texts…"),
            lambda run: _measure_texts(kept.get(record, corpus), number, k, top, run),
            self._show_result,
        )

    def _say_alone(self, record: RunRecord | None, waiting: int) -> None:
        # Then the button below the words does it.
        self.train.setHidden(record is not None and not waiting)
        if record is None:
            self.show_message(tr("No run selected"), tr("Train a model first."))
        elif waiting:
            self.show_message(
                trn(
                    "Training {number} more seed…",
                    "Training {number} more seeds…",
                    waiting,
                ),
                tr("The spread appears after the first seed is trained."),
            )
        else:
            self._train_action.setText(self.train.text())
            self.show_message(
                tr("How much of {name} is due to chance?", name=record.name),
                tr(
                    "Train with other seeds to see which neighbours stay and how much "
                    "their ranks vary."
                ),
                self._train_action,
            )

    def on_cancelled(self) -> None:
        self.show_cancelled(
            tr("Measurement cancelled"),
            tr("To start again, choose another run or number of neighbours."),
        )

    def _show_result(self, found: _StabilityResult) -> None:
        self._drawn = []
        if self._by_texts:
            self._drawn = list(found.vectors.values())
        else:
            self._loaded_vectors.keep(found.vectors)
        one = self.stability = found.stability
        self.words.set_columns(word_columns(one))
        if self.words.table.sorted_by is None:
            self.words.sort_by(1, descending=False)
        self.chart.set_chart(found.chart)
        self.fact.put(
            tr(
                "{texts} texts · {words} words · overlap@{k} {overlap:.2f}, Jaccard "
                "{jaccard:.2f}, in all texts {everywhere:.2f}",
                texts=one.models,
                words=count(len(one.words)),
                k=one.k,
                overlap=one.overlap.mean(),
                jaccard=one.jaccard.mean(),
                everywhere=one.everywhere.mean(),
            )
            if self._by_texts
            else tr(
                "{seeds} seeds · {words} words · overlap@{k} {overlap:.2f}, Jaccard "
                "{jaccard:.2f}, in all seeds {everywhere:.2f}",
                seeds=one.models,
                words=count(len(one.words)),
                k=one.k,
                overlap=one.overlap.mean(),
                jaccard=one.jaccard.mean(),
                everywhere=one.everywhere.mean(),
            )
        )
        self._look_up()

    # -- one word

    @property
    def compared_words(self) -> tuple[str, ...]:
        if self.stability is None:
            return ()
        return self.stability.words

    def _look_up(self) -> None:
        models = self._drawn or [
            vectors
            for one in self._sibling_runs()
            if (vectors := self._loaded_vectors.get(one)) is not None
        ]
        if self.stability is None or len(models) < 2:
            return
        word, k = self._mark_word(), int(self.nearest.currentData())
        self.word_lists.ask(
            Request(
                (*models, word, k),
                tr("Measuring the spread"),
                lambda run: spread(models, word, k),
                lambda found: self._put_spread(word, found, k),
                quiet=True,
            )
        )

    def _put_spread(self, word: str, found: tuple[NeighbourSpread, ...], k: int) -> None:
        self._centre, self._spread = word, found
        models = max((one.models for one in found), default=0)
        always = sum(one.among == models for one in found)
        self.heading.put(
            tr(
                "{word}: {always} of {k} neighbours occur in all {models} texts",
                word=word,
                always=always,
                k=k,
                models=models,
            )
            if self._by_texts
            else tr(
                "{word}: {always} of {k} neighbours occur in all {models} seeds",
                word=word,
                always=always,
                k=k,
                models=models,
            )
        )
        everywhere = [at for at, one in enumerate(found) if one.among == models]
        self.spread.set_columns(spread_columns(found, k), everywhere)

    def _no_spread(self, error: UserError) -> None:
        self._spread = ()
        self.heading.put(str(error))
        self.spread.set_columns([])


def word_columns(one: Stability) -> list[TableColumn]:
    """Every word with the overlap of its neighbours."""
    # Translated once, as there may be a hundred thousand words.
    between = tr("{a:.2f} to {b:.2f}")
    columns = [
        TableColumn(tr("Word"), one.words, stretch=True),
        TableColumn(
            tr("Overlap"),
            one.overlap.tolist(),
            tr(
                "Share of the {k} nearest neighbours that two models have in common: mean "
                "over all pairs",
                k=one.k,
            ),
            _share_text,
            tips=[
                between.format(a=a, b=b)
                for a, b in zip(one.lowest.tolist(), one.highest.tolist(), strict=True)
            ],
        ),
        TableColumn(
            tr("Jaccard"),
            one.jaccard.tolist(),
            tr("|A ∩ B| / |A ∪ B|, mean over all pairs"),
            _share_text,
        ),
        TableColumn(
            tr("In all models"),
            one.everywhere.tolist(),
            tr("Share of the {k} nearest neighbours that all models have in common", k=one.k),
            _share_text,
        ),
    ]
    if one.counts is not None:
        columns.append(TableColumn(trc("noun", "Count"), one.counts.tolist(), text=count, spare=1))
    return columns


def spread_columns(found: Sequence[NeighbourSpread], k: int) -> list[TableColumn]:
    """Every neighbour with mean and range of its cosine and of its rank over the seeds."""
    return [
        TableColumn(tr("Neighbour"), [one.word for one in found], stretch=True),
        TableColumn(
            tr("Cosine"),
            [one.cosine for one in found],
            tr("Mean across models. The line runs from the minimum to the maximum."),
            shown_score,
            tips=[
                tr(
                    "{cosine_low} to {cosine_high}",
                    cosine_low=shown_score(one.cosine_low),
                    cosine_high=shown_score(one.cosine_high),
                )
                for one in found
            ],
            bar=True,
            ranges=[(one.cosine_low, one.cosine_high) for one in found],
        ),
        TableColumn(
            tr("Rank"),
            [one.rank for one in found],
            tr("Mean and range across models"),
            texts=[
                tr(
                    "{rank:.1f} ({rank_low} to {rank_high})",
                    rank=one.rank,
                    rank_low=count(one.rank_low),
                    rank_high=count(one.rank_high),
                )
                for one in found
            ],
            number=True,
        ),
        TableColumn(
            tr("Models"),
            [one.among for one in found],
            tr("Number of models in which the word is one of the {k} nearest neighbours", k=k),
            texts=[tr("{among} of {models}", among=one.among, models=one.models) for one in found],
            number=True,
            spare=1,
        ),
    ]


@mark_unknown
def _share_text(value: float) -> str:
    return true_minus(f"{value:.2f}")
