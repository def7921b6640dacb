"""Matrix panel: heat maps of counts, PMI variants, targets, model scores and residuals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QShowEvent

from workbench.analysis.matrix.board import MOST_WORDS, ORDERS, Pane
from workbench.analysis.matrix.picture import corpus_picture_size
from workbench.analysis.matrix.values import KINDS
from workbench.analysis.theory.targets import declared_target
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.corpus.belonging import mismatch
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.session_settings import MATRIX_KINDS, MATRIX_SHARED
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.theme import Palette, set_property
from workbench.ui.panels.matrix import MatrixKind
from workbench.ui.panels.matrix.board_job import MatrixOutcome, make_board
from workbench.ui.panels.matrix.body import MatrixBody
from workbench.ui.panels.matrix.controls import CONTENT, MOST_SAMPLES, PICTURE, SOURCES
from workbench.ui.panels.matrix.counts_dialog import CountsDialog
from workbench.ui.panels.matrix.find_bar import ROW
from workbench.ui.panels.matrix.image import MatrixImage, make_images
from workbench.ui.panels.matrix.pane_headers import MOST, scores_view
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.vectors.embeddings import Embeddings

_MISSING = {
    "typed": (
        tr("Which words?"),
        tr("Type words above, such as king queen man woman, and press Return."),
    ),
    "selection": (tr("No words selected"), tr("Click a word on the map; Ctrl+click adds another.")),
    "near": (
        tr("No words selected"),
        tr(
            "Click a word on the map to see it and its nearest words against the contexts "
            "they share."
        ),
    ),
}
# Views whose values the products of a model estimate, possibly up to a constant.
_ESTIMATED = ("pmi", "xstar", "target", "score")
# Whether only pairs that co-occur are shown.
ONLY_OBSERVED = Setting("matrix.met", bool, True)


@dataclass(frozen=True)
class MatrixState(PanelState):
    """kinds : of the views; None for those that fit the run
    runs : identifiers of their runs, "" for the active one
    shared : whether views share a scale; None: a run and the values that it estimates
    source, top, words, order : which words, how many, those typed, and in which order
    negative : k of views that are shifted by log k
    """

    kinds: tuple[str, ...] | None = choice(setting=MATRIX_KINDS)
    runs: tuple[str, ...] = choice(())
    shared: bool | None = choice(setting=MATRIX_SHARED)
    met: bool = choice(setting=ONLY_OBSERVED)
    source: str = choice(CONTENT, allowed=(*SOURCES, PICTURE))
    top: int = choice(25, low=2, high=MOST_WORDS)
    words: str = choice("")
    order: str = choice(next(iter(ORDERS)), allowed=ORDERS)
    negative: int = choice(5, low=1, high=MOST_SAMPLES)


class MatrixPanel(MatrixKind, Panel):
    """Matrices of words under the views of KINDS, of one to four runs, on linked axes."""

    state_kind = MatrixState
    view_state: MatrixState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._presented = False
        self._colouring = ResultJob(self.session.jobs, f"{self.key}.colours")
        # Whether scales are shared, and the colours, of the images being computed.
        self._look: tuple[bool, Palette] | None = None
        self._model: Embeddings | None = None
        self._extra: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # The pair selected by a click in the matrix, and the selection before.
        self._picked: tuple[str, ...] = ()
        self._before: tuple[str, ...] = ()
        parts = MatrixBody(self)
        self._parts = parts
        self.view, self.heads, self.controls, self.finding = (
            parts.view,
            parts.heads,
            parts.controls,
            parts.finding,
        )
        self.met = parts.met
        self.add, self.shared, self.exports, self.export = (
            parts.add,
            parts.shared,
            parts.exports,
            parts.export,
        )
        self._bind()
        self._connect()
        self._model_changed()

    def _bind(self) -> None:
        one, heads = self.controls, self.heads.all
        self.bind_controls(
            source=one.source,
            top=one.top,
            words=one.words,
            order=one.order,
            negative=one.negative,
            met=self.met,
        )
        self.bound.bind_to(
            "kinds", [head.kind for head in heads], lambda: self.heads.kinds, self._choose_views
        )
        self.bound.bind_to(
            "runs", [head.run for head in heads], lambda: self.heads.runs, self._choose_views
        )
        self.bound.bind_to(
            "shared", self.shared, self.shared.isChecked, self._share_scales, self.shared.toggled
        )

    def _choose_views(self, _: object = None) -> None:
        """Show the views that the user chose, or else those that fit the run."""
        state = self.view_state
        kinds = [kind for kind in state.kinds or () if kind in KINDS] or self._usual_views()
        runs = (*state.runs, *[""] * MOST)
        self.heads.set_choices(list(zip(kinds[:MOST], runs, strict=False)))

    def _usual_views(self) -> list[str]:
        """The run's own target beside the scores that approximate it, or what is available."""
        run, embeddings = self.session.active.run, self.session.active.embeddings
        if run is None or embeddings is None or embeddings.contexts is None:
            return ["ppmi"]
        corpus = self.session.corpora.current
        if corpus is None and self.session.corpora.opening is None:
            return ["model"]
        if corpus is not None and mismatch(run, corpus) is not None:
            return ["ppmi"]
        if corpus_picture_size(corpus):
            return ["pmi", "model", "residual"]
        own = declared_target(run.algorithm)
        if own.missing:
            return ["pmi", "model"]
        return ["target", scores_view(own)]

    def show_picture(self) -> None:
        """Come to the front with the picture of the open corpus, which the matrix shows by
        itself.
        """
        self.raise_requested.emit()

    def _refresh_views(self) -> None:
        """Update the views after another run or corpus was opened."""
        if self.view_state.kinds is None:
            self._choose_views()

    def state_changed(self, before: MatrixState, after: MatrixState) -> None:
        if after.source != before.source:
            self._extra = ((), ())
        if after.shared != before.shared and after.replace(shared=before.shared) == before:
            self._recolour_images()
        else:
            self._request_board()

    def _connect(self) -> None:
        self.heads.changed.connect(self._panes_changed)
        self.finding.word_requested.connect(self._add_word)
        self._parts.compare.clicked.connect(self.heads.compare_scores)
        self._parts.on_failed(self._describe_failure)
        self._parts.describe_cancelled(
            tr("Counting was cancelled"),
            tr("The counts so far were discarded."),
            tr("Count again"),
        )
        self.exports.counts.triggered.connect(lambda _=False: self.save_counts())
        self.view.picked.connect(self._pick_pair)
        self.theme.changed.connect(self._recolour_images)
        self.follow(self.session.corpora.changed, self._corpus_changed)
        self.follow(self.session.active.changed, self._model_changed)
        self.follow(self.session.runs.changed, self._runs_changed)
        self.follow(self.session.selection.changed, self._selection_changed)

    def save_counts(self) -> CountsDialog | None:
        """Ask for the settings and the file, then count the whole corpus; None without a corpus."""
        corpus = self.session.corpora.current
        if corpus is None:
            self.session.message.emit(
                tr("No corpus is open."), tr("Open a corpus to count its words."), True
            )
            return None
        dialog = CountsDialog(self.session, self.theme, corpus, self.window())
        dialog.show()
        return dialog

    # -- requests

    def _model_changed(self) -> None:
        embeddings = self.session.active.embeddings
        if embeddings is not self._model and embeddings is not None:
            parameters = embeddings.metadata.get("parameters")
            k = None
            if isinstance(parameters, Mapping):
                k = parameters.get("negative", parameters.get("shift"))
            if isinstance(k, (int, float)) and k >= 1:
                self._choose_quietly(negative=min(round(k), MOST_SAMPLES))
        self._model = embeddings
        self.heads.offer_runs()
        self._refresh_views()
        self._refresh_board()

    def _runs_changed(self) -> None:
        if self.heads.offer_runs():
            self._request_board()

    def _corpus_changed(self) -> None:
        self.heads.offer_runs()
        self._refresh_views()
        self._refresh_board()

    def _choose_quietly(self, **changes: object) -> None:
        """Change choices that a new run or text determines; it asks for the matrices itself."""
        with self.bound.showing():
            self.view_state = self.view_state.replace(**changes)

    def _refresh_board(self) -> None:
        offered = corpus_picture_size(self.session.corpora.current) > 0
        if self.controls.offer_picture(offered):
            replaced, source = (PICTURE, CONTENT), self.view_state.source
            if offered:
                replaced = (CONTENT, PICTURE)
            self._choose_quietly(source=replaced[1] if source == replaced[0] else source)
        if self.session.corpora.current is None and self.session.active.embeddings is None:
            self._parts.forget()
            self._parts.clear_board()
            if self.session.corpora.opening is not None:
                self.show_busy(tr("Opening the corpus…"))
            else:
                self.show_empty(
                    tr("No counts yet"),
                    tr("Open a text to see how often its words co-occur and their PMI."),
                    self.window_action("file.open", tr("Open files…")),
                )
            return
        self.show_body()
        self._request_board()

    def _panes_changed(self) -> None:
        self.bound.take("kinds", "runs")

    def _add_word(self, axis: int, word: str) -> None:
        if self.view_state.source == "typed":
            words = " ".join([*self.controls.typed_words, word])
            self.view_state = self.view_state.replace(words=words)
            return
        rows, columns = self._extra
        if axis == ROW:
            self._extra = ((*rows, word), columns)
        else:
            self._extra = (rows, (*columns, word))
        self._request_board()

    def _selection_changed(self) -> None:
        self.view.ring_pair(self.session.selection.words)
        # A click into the matrix selects two of its words; this must not remove the others.
        if self._picked and self.session.selection.words == self._picked:
            return
        self._picked = ()
        if self.view_state.source in ("near", "selection"):
            self._extra = ((), ())
            self._request_board()

    def _pick_pair(self, word: str, other: str) -> None:
        self._before = self._selected_words
        if other != word:
            self._picked = (other, word)
        else:
            self._picked = (word,)
        self.session.selection.select(self._picked)

    @property
    def _selected_words(self) -> tuple[str, ...]:
        """The words selected in other panels."""
        if self._picked and self._picked == self.session.selection.words:
            return self._before
        return self.session.selection.words

    def _request_board(self) -> None:
        """Drop the current job and compute the requested matrices if the panel is visible."""
        self._parts.update_controls()
        self._share_scales()
        self._parts.when_seen(self._ask_for_board)

    def set_presented(self, on: bool) -> None:
        self._presented = on
        self._parts.set_presented(on)
        self._show_titles()

    def _show_titles(self) -> None:
        """Show the titles of the panes in place of their controls during a presentation."""
        for head in self.heads.visible_heads:
            head.setVisible(not self._presented)
        self.view.titles = self.heads.titles(self.view.board) if self._presented else ()
        self.view.update()

    @property
    def lack(self) -> str:
        return super().lack or self.view.lack

    def exporters(self) -> Sequence[Exporter]:
        return (self.exports,)

    def drawn_runs(self) -> list[RunRecord]:
        # A run determines the settings of counts, too: its name is above them.
        records = (head.record for head in self.heads.visible_heads)
        return list(dict.fromkeys(record for record in records if record is not None))

    def _share_scales(self, _: object = None) -> None:
        """Share the scale between a run and the values that it estimates, unless the user chose."""
        shared = self.view_state.shared
        if shared is None:
            kinds = set(self.heads.kinds)
            both = {"target", "score"} <= kinds
            shared = both or ("model" in kinds and not kinds.isdisjoint(_ESTIMATED))
        with self.bound.showing():
            self.shared.setChecked(shared)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._parts.start_if_seen()

    def _ask_for_board(self) -> None:
        self.view.set_panes(self.heads.number)
        records = [head.record for head in self.heads.visible_heads]
        kinds = [head.choice[0] for head in self.heads.visible_heads]
        request = self.controls.board_request(
            tuple(Pane(kind) for kind in kinds), self._selected_words, self._extra
        )
        if request is None:
            self._parts.show_message(*_MISSING[self.view_state.source])
            return
        request = replace(request, met_only=self.view_state.met)
        corpus = self.session.corpora.current
        if (
            corpus is None
            and self.session.corpora.opening is not None
            and any("corpus" in KINDS[kind].needs for kind in kinds)
        ):
            # corpus_changed announces it.
            self._parts.show_message(tr("Opening the corpus…"), "", busy=True)
            return
        store, look = self.session.store, (self.shared.isChecked(), self.theme.palette)
        self._look = look
        self._parts.ask(
            Request(
                # Each is a new one: the vectors of a run in training change.
                (object(),),
                tr("Computing the matrix"),
                lambda run: make_board(corpus, request, records, store, look, run),
                self._show_outcome,
                doing=tr("Counting pairs of words"),
                note_below=False,
            )
        )

    # -- results

    def _show_outcome(self, outcome: MatrixOutcome) -> None:
        for record, embeddings in outcome.loaded:
            self.session.runs.keep_vectors(record, embeddings)
        self._parts.show_board(outcome, self._addable_words(), self.session.selection.words)
        if self._look != (self.shared.isChecked(), self.theme.palette):
            self._recolour_images()
        if self._presented:
            self._show_titles()

    def _addable_words(self) -> tuple[str, ...]:
        """The words that can be added."""
        corpus, embeddings = self.session.corpora.current, self.session.active.embeddings
        if corpus is not None:
            return tuple(corpus.words)
        if embeddings is not None:
            return tuple(embeddings.words)
        return ()

    def _describe_failure(self, error: UserError) -> UserError:
        if isinstance(error, UnknownWord) and self.view_state.source == "typed":
            set_property(self.controls.words, "invalid", "true")
        return error

    # -- colours

    def _recolour_images(self) -> None:
        """Draw the same numbers in other colours; matrices being computed are recoloured on
        arrival.
        """
        board = self.view.board
        if not self._parts.busy and board is not None:
            shared, palette = self.shared.isChecked(), self.theme.palette

            def put(drawn: list[MatrixImage | None]) -> None:
                if self.view.board is board:
                    self.view.set_board(board, drawn)

            title = tr("Colouring the matrices")
            work = lambda run: make_images(board.panes, shared, palette)  # noqa: E731
            self._colouring.ask(Request((board, shared, palette), title, work, put, quiet=True))
