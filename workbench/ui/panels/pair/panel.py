"""Pair panel: likelihood of one word pair under negative sampling, and the text behind it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from PySide6.QtWidgets import QLineEdit

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.analysis.matrix.values import MatrixRequest
from workbench.analysis.resampling.estimates import Estimate, PairEstimates, pair_estimates
from workbench.analysis.theory.pair_view import PairView, look_at_pair, product_of, propose_pair
from workbench.core.errors import UnknownWord, UserError, shorten_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trn
from workbench.core.table_export import Cell, to_csv
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import UNKNOWN, count, plural
from workbench.ui.base.theme import SPACE_2, SPACE_3
from workbench.ui.export.export_actions import ExportButton
from workbench.ui.panels.pair import PairKind
from workbench.ui.panels.pair.figure import PairFigure
from workbench.ui.plots.paint_kit import fixed_decimals
from workbench.ui.widgets.inputs.error_bars import Drawn, ErrorBars
from workbench.ui.widgets.inputs.watch_link import WatchLink
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.ui.widgets.tables.concordance_view import ConcordanceView
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.own_contexts import no_product_of_words

# Seconds between two updates during training, and maximum number of positions of the path.
_LOOK, _MOST = 0.5, 400
_GREEN = tr(
    "Green: A log σ(x), observed pairs. Orange: B log σ(−x), negative samples. Their sum "
    "has its maximum at x*."
)


@dataclass(frozen=True)
class PairState(PanelState):
    """The words of the pair; "": a suggestion. bars : error bars from the text"""

    word: str = choice("")
    context: str = choice("")
    bars: bool = choice(False)


class PairPanel(PairKind, Panel):
    """Panel of ℓ(x) for a pair: its parts, the active model’s position, the training path, and the
    lines of text.
    """

    state_kind = PairState
    view_state: PairState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._looked = 0.0
        self._trained: object = None
        self._snapshot: object = None
        self._way: list[tuple[float, float]] = []
        self._states: tuple[TrainingFrame, ...] = ()
        self._kept = False
        self.word = self.named(QLineEdit(), "word", tr("Word w"), tr("The word w (Return)"))
        self.other = self.named(
            QLineEdit(),
            "context_word",
            tr("Context c"),
            tr("The context c. Leave empty for a suggestion."),
        )
        self.swap = self.named(
            kit.button("⇄", pressed=self._swap_words),
            "swap",
            tr("Swap word and context"),
            tr("Swap word and context"),
        )
        self.figure = self.named(PairFigure(self.theme), "figure", tr("The likelihood of the pair"))
        self.lines = self.named(
            ConcordanceView(self.theme), "lines", tr("Lines that contain both words")
        )
        readout = kit.with_role(kit.ElidedLabel(lines=2), "muted")
        self.readout = self.named(readout, "readout", tr("Values under the pointer"))
        heading = kit.label(role="heading")
        self.heading = self.named(heading, "heading", tr("Number of lines with both words"))
        saved = self.figure.offer_files(
            self.session, tr("A pair of words"), "pair", self.pair_table
        )
        self._export = saved
        shown = ExportButton(lambda: saved if self.figure.view is not None else None)
        self.export = self.named(shown, "export", tr("Export"), tr("Save the figure or its curves"))
        self.bars = ErrorBars(self, self, f"{self.key}.bars")
        self.bars.on_clear(lambda: self._put_estimates(None))
        self.estimates: PairEstimates | None = None
        self._show_example(None)
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        controls = kit.bar(
            kit.label("w", role="muted"),
            kit.stretch(self.word),
            self.swap,
            kit.label("c", role="muted"),
            kit.stretch(self.other),
            kit.stretch(),
            WatchLink(self),
            self.export,
        )
        figure, lines = kit.stretch(self.figure, 3), kit.stretch(self.lines, 2)
        page = kit.column(figure, self.readout, self.bars, self.heading, lines)
        self.result = ResultView(self, self.key, f"{self.key}.here", kit.box(page))
        self.notice = self.result.notice
        column = kit.column(controls, kit.stretch(self.result), margins=(SPACE_3, SPACE_2))
        kit.fill(self.body, column)

    def _connect(self) -> None:
        for field, name in ((self.word, "word"), (self.other, "context")):
            self.bind(field, name, by=())
            field.returnPressed.connect(self._enter)
        self.bind(self.bars.switch, "bars")
        self.figure.readout_changed.connect(lambda text: self.readout.put(text or self._caption()))
        self.lines.picked.connect(lambda word: self.session.selection.select([word]))
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.training.watched.changed, self._refresh)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.on_tick(self._poll_training)
        self.result.on_clear(lambda: self.figure.set_pair(None, ()))
        self.result.on_failed(self._describe_failure)
        self.result.describe_cancelled(tr("Counting was cancelled"), "", tr("Count again"))

    # -- requests

    def _refresh(self) -> None:
        if self.lacks_text():
            self.result.forget()
            return
        if self.session.corpora.current is None:
            self.result.forget()
            if self.session.corpora.opening is not None:
                self.show_busy(tr("Opening the corpus…"))
            else:
                self.show_empty(
                    tr("No corpus"),
                    tr(
                        "Open a text and choose two words to see how often they co-occur "
                        "and their PMI."
                    ),
                    self.window_action("file.open", tr("Open files…")),
                )
            return
        self.show_body()
        self._ask()

    def _selection_changed(self) -> None:
        """Show the selected words: of two, the first is the context of the last, as the matrix
        selects them; a single one is a new w.
        """
        chosen = self.session.selection.words
        if not chosen:
            return
        self.view_state = self.view_state.replace(
            word=chosen[-1], context=chosen[-2] if len(chosen) > 1 else ""
        )

    def _enter(self) -> None:
        """Take over both words, of which one may have been typed before."""
        self.view_state = self.view_state.replace(word=self.word.text(), context=self.other.text())
        self._ask()

    def _swap_words(self) -> None:
        word, other = self.word.text(), self.other.text()
        if not word and not other and self.figure.view is not None:
            word, other = self.figure.view.word, self.figure.view.context
        self.view_state = self.view_state.replace(word=other, context=word)

    def state_changed(self, before: PairState, after: PairState) -> None:
        if after.replace(bars=before.bars) == before:
            self._ask_bars()
        else:
            self._ask()

    def _ask(self) -> None:
        corpus, embeddings = self.session.corpora.text, self.session.active.embeddings
        if corpus is None:
            return
        if not self.view_state.word.strip() and self.session.selection.focus is not None:
            self._name_pair(self.session.selection.focus, self.view_state.context)
        word, other = self.view_state.word.strip(), self.view_state.context.strip()
        if other and not word:
            self._ask_for_words()
            return
        request = MatrixRequest()
        if embeddings is not None:
            request = MatrixRequest().as_counted(embeddings)
        title = tr("Counting “{word}”", word=word) if word else tr("Counting")

        def count_pair(run: JobControl) -> PairView | None:
            pair: tuple[str, str] | None = (word, other)
            if not word:
                pair = propose_pair(corpus, request, embeddings, run)
            if pair is None:
                return None
            return look_at_pair(corpus, request, *pair, embeddings, run)

        self.result.ask(
            Request(
                (corpus, embeddings, self._run_in_view, word, other),
                title,
                count_pair,
                lambda view: self._show_pair(view, is_example=not word),
                doing=tr("Counting"),
                note_below=False,
            )
        )

    @property
    def _run_in_view(self) -> RunRecord | None:
        """The run whose path is shown: the one in training, or else the active one."""
        return self.session.training.watched.run or self.session.active.run

    # -- results

    def _show_pair(self, view: PairView | None, *, is_example: bool) -> None:
        """Show a pair. If nobody chose it, its words are the placeholders of empty fields."""
        if view is None:
            self._ask_for_words()
            return
        before = self.figure.view
        other = (
            self._kept
            or before is None
            or (before.word, before.context) != (view.word, view.context)
        )
        if not self._load_kept_states(view, self._run_in_view) and other:
            self._way = []
        if is_example:
            self._show_example(view)
        else:
            self._show_example(None)
            self._name_pair(view.word, view.context)
            # The fields now ask for the pair that was found.
            session, words = self.session, (view.word, view.context)
            text, model = session.corpora.text, session.active.embeddings
            self.result.relabel((text, model, self._run_in_view, *words))
        self.figure.set_pair(view, tuple(self._way))
        self.readout.put(self._caption())
        self._ask_bars()
        self.lines.put(view.lines)
        shown = len(view.lines)
        values = {
            "lines": plural(view.lines.total, "line"),
            "context": view.context,
        }
        heading = trn(
            "{lines} with “{context}” within {number} word",
            "{lines} with “{context}” within {number} words",
            view.lines.window,
            **values,
        )
        if shown < view.lines.total:
            heading = tr("{heading} ({shown} shown)", heading=heading, shown=count(shown))
        self.heading.setText(heading)

    def _caption(self) -> str:
        """What the curves are, and why a model without products of words has no marker."""
        embeddings = self.session.active.embeddings
        missing = None if embeddings is None else no_product_of_words(embeddings)
        return _GREEN if missing is None else f"{missing.message} {_GREEN}"

    def _name_pair(self, word: str, context: str) -> None:
        """Show the words of a pair that was asked for already."""
        with self.bound.showing():
            self.view_state = self.view_state.replace(word=word, context=context)

    # -- error bars

    def _ask_bars(self) -> None:
        """Ask for the intervals of the pair shown, if they are wanted."""
        self._put_estimates(None)
        view, active = self.figure.view, self.session.active.run
        if view is None:
            return
        word, context = view.word, view.context

        def show(found: Mapping[str, Drawn[PairEstimates]]) -> None:
            self._put_estimates(next(iter(found.values())).value)

        self.bars.ask_drawn(
            [] if active is None else [active],
            (word, context),
            lambda draws, texts, run: pair_estimates(draws, word, context, texts, run),
            show,
            lambda found: describe_estimates(next(iter(found.values())).value),
        )

    def _put_estimates(self, found: PairEstimates | None) -> None:
        self.estimates = found
        self.figure.set_interval(None if found is None else found.pmi)

    def _show_example(self, view: PairView | None) -> None:
        """State in the empty fields which pair is shown, or what to type."""
        word, context = tr("word w"), tr("context c, or empty for the best")
        if view is not None:
            word, context = view.word, view.context
        self.word.setPlaceholderText(word)
        self.other.setPlaceholderText(context)

    def _ask_for_words(self) -> None:
        self._show_example(None)
        self.result.show_message(
            tr("Which words?"), tr("Type two words above, or click a cell of the matrix.")
        )

    def _describe_failure(self, error: UserError) -> UserError | None:
        """The error to show; None if both words were typed into one field, and are counted."""
        words = error.word.split() if isinstance(error, UnknownWord) else []
        if len(words) == 2 and not self.view_state.context.strip():
            self.view_state = self.view_state.replace(word=words[0], context=words[1])
            return None
        if len(words) > 1:
            return UserError(
                tr("“{words}” is more than one word.", words=shorten_text(" ".join(words))),
                tr("Enter one word in each field."),
            )
        return error

    def _poll_training(self) -> None:
        if not self.isVisible():
            return
        now = time.monotonic()
        view = self.figure.view
        if not self.result.busy and view is not None and now - self._looked > _LOOK:
            self._looked = now
            self._follow_training(view)

    def _load_kept_states(self, view: PairView, record: RunRecord | None) -> bool:
        """Load the path of a run from its saved states; returns whether any contains both words."""
        if record is not None:
            self._states = record.history.frames
        else:
            self._states = ()
        places = [
            (frame.progress, product_of(frame.embeddings, view.word, view.context, view.rows))
            for frame in self._states
        ]
        kept = [(progress, place) for progress, place in places if place is not None]
        self._kept = bool(kept)
        if kept:
            self._way = kept
        return self._kept

    def _follow_training(self, view: PairView) -> None:
        """Show the position of the training run on the curve, from saved states or its latest
        snapshot.
        """
        record = self.session.training.watched.run
        run = None if record is None else record.run
        if record is None or run is None:
            return
        if record.history.frames is not self._states and self._load_kept_states(view, record):
            self._trained = run
            self.figure.set_pair(view, tuple(self._way))
        if self._kept:
            return
        if run is not self._trained:
            self._trained, self._way = run, []
        seen = run.latest("embeddings")
        if isinstance(seen, Embeddings) and seen is not self._snapshot:
            self._snapshot = seen
            place = product_of(seen, view.word, view.context, view.rows)
            if place is not None:
                self._way = [*self._way[-_MOST:], (run.progress.fraction or 0.0, place)]
                self.figure.set_pair(view, tuple(self._way))
        run.request_snapshot()

    # -- the lines behind the cosine

    def why_not_influence(self) -> str:
        """Why no cosine can be explained now, or ""."""
        view = self.figure.view
        if view is None or view.word == view.context:
            return tr("Type two different words first.")
        return ""

    def ask_influence(self) -> None:
        view = self.figure.view
        if view is not None and not self.why_not_influence():
            self.session.requests.influence.emit((view.word, view.context))

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        return (self._export,)

    def pair_table(self) -> str:
        """The numbers of the pair, and its path during training."""
        view = self.figure.view
        if view is None:
            return ""
        head: list[tuple[str, Cell]] = [
            ("word", view.word),
            ("context", view.context),
            ("A", view.observed),
            ("B", view.expected_negatives),
            ("k", view.negative),
            ("#(w)", view.total),
            ("P_n(c)", view.noise),
            ("x*", view.best),
            ("x", view.product),
        ]
        if self.estimates is not None:
            for name, one in (("PMI", self.estimates.pmi), ("cosine", self.estimates.cosine)):
                low, high = one.interval
                head += [(name, one.value), (f"{name} low", low), (f"{name} high", high)]
        rows: list[list[Cell]] = [[name, value, None] for name, value in head]
        rows += [["x in training", place, progress] for progress, place in self.figure.way]
        return to_csv(["what", "value", "share of the training"], rows)


def describe_estimates(found: PairEstimates) -> str:
    """PMI and cosine with their intervals."""
    pmi, cosine = _with_interval(found.pmi), _with_interval(found.cosine)
    if not pmi:
        return tr("cosine {cosine}", cosine=cosine) if cosine else ""
    return tr("PMI {pmi} nats, cosine {cosine}", pmi=pmi, cosine=cosine or UNKNOWN)


def _with_interval(one: Estimate) -> str:
    if not isfinite(one.interval.low):
        return ""
    value, low, high = (fixed_decimals(each, 2) for each in (one.value, *one.interval))
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)
