"""The heatmaps: counts, PMI and its relatives, targets, what models make of them, and what is left."""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from workbench.analysis.matrix import KINDS
from workbench.analysis.matrix_board import Pane
from workbench.core.errors import UnknownWord, UserError
from workbench.session.jobs import Job
from workbench.ui.panel import Context, Notice, Panel
from workbench.ui.text import from_sentence
from workbench.ui.theme import SPACE_2, SPACE_3, set_property
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.matrix_controls import MatrixControls
from workbench.ui.widgets.matrix_export import MatrixExports
from workbench.ui.widgets.matrix_finding import ROW, MatrixFinding
from workbench.ui.widgets.matrix_heads import MOST, PaneHeads
from workbench.ui.widgets.matrix_picture import Picture, pictures
from workbench.ui.widgets.matrix_view import MatrixView
from workbench.ui.widgets.matrix_work import Made, counted_as, make
from workbench.vectors.embeddings import Embeddings

_MISSING = {
    "typed": ("Which words?", "Type some above, such as king queen man woman, and press Return."),
    "selection": ("No words selected", "Click a word on the map; Ctrl+click adds another."),
    "near": (
        "No words selected",
        "Click a word on the map: it stands here with its nearest words, against the contexts they share.",
    ),
}
# Shorter waits go by without a word.
_PATIENCE = 0.3
_KINDS, _SHARED = "matrix.kinds", "matrix.shared"


class MatrixPanel(Panel):
    """Words against words under the views of KINDS, of one to four runs, on linked axes."""

    key = "matrix"
    title = "Matrix"
    area = "centre"
    order = 20

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._job: Job[Made] | None = None
        self._began = 0.0
        self._stale = True
        self._model: Embeddings | None = None
        self._extra: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        # The pair selected by a click in here, and what was selected before it.
        self._picked: tuple[str, ...] = ()
        self._before: tuple[str, ...] = ()
        self._here = Notice(f"{self.key}.here")
        self.view = self.named(MatrixView(self.theme, self._here), "view", "Heatmaps")
        self.controls = MatrixControls(self)
        self.finding = MatrixFinding(self, self.view)
        self.heads = PaneHeads(self.session, self.theme, self.view)
        self.add = self.named(QPushButton("Add view"), "add", "Add a view", "Another matrix of the same words beside")
        self.shared = self.named(
            QCheckBox("One scale"), "shared", "One colour scale for all views",
            "Views of one unit share their colour scale; otherwise each has its own",
        )  # fmt: skip
        self.fit = self.named(QPushButton("Fit"), "fit", "Show the whole matrix", "Show the whole matrix (Home)")
        self.exports = MatrixExports(
            self.view, self.session, lambda: [head.title for head in self.heads.shown], self.shared.isChecked
        )
        self.export = self.named(self.exports.button, "export", "Export figure and data")
        self._cancel = QAction("Cancel", self)
        self._again = QAction("Count again", self)
        self._readout = ElidedLabel()
        self._readout.setObjectName(f"{self.key}.readout")
        self._settings = self.named(QLabel(), "settings", "How the pairs were counted")
        self._settings.setProperty("role", "muted")
        self._restore()
        self._build()
        self._connect()
        self._model_changed()

    def _restore(self) -> None:
        kinds = self.session.settings.get(_KINDS)
        known = [kind for kind in kinds if kind in KINDS] if isinstance(kinds, list) else []
        self.heads.put([(kind, "") for kind in known[:MOST]] or [("ppmi", "")])
        self.shared.setChecked(self.session.settings.get(_SHARED) is True)

    def _build(self) -> None:
        row, second, below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self.controls.fill(row)
        row.addStretch()
        for widget in (self.add, self.fit, self.export):
            row.addWidget(widget)
        second.setSpacing(SPACE_2)
        self.finding.fill(second)
        second.addWidget(self.shared)
        below.setSpacing(SPACE_3)
        below.addWidget(self._readout, 1)
        below.addWidget(self._settings)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_2)
        layout.setSpacing(SPACE_2)
        layout.addLayout(row)
        layout.addLayout(second)
        layout.addWidget(self.view, 1)
        layout.addLayout(below)

    def _connect(self) -> None:
        self.controls.source.currentIndexChanged.connect(lambda _: self._forget_extra())
        self.controls.changed.connect(self._ask)
        self.heads.changed.connect(self._panes_changed)
        self.finding.wanted.connect(self._add_word)
        self.add.clicked.connect(self.heads.add)
        self.shared.toggled.connect(self._scales_changed)
        self.fit.clicked.connect(self.view.fit)
        self._cancel.triggered.connect(self._stop)
        self._again.triggered.connect(self._ask)
        self.view.hovered.connect(lambda *_: self._read())
        self.view.picked.connect(self._pick)
        self.view.arranged.connect(self._place_heads)
        self.theme.changed.connect(self._dress)
        self.follow(self.session.corpus_changed, self._refresh)
        self.follow(self.session.shown_changed, self._model_changed)
        self.follow(self.session.runs_changed, self._runs_changed)
        self.follow(self.session.selection_changed, self._selected)
        self.on_tick(self._tick)

    def panel_actions(self) -> list[QAction]:
        add = QAction("Add a matrix view", self)
        add.triggered.connect(self.heads.add)
        return [add, *self.exports.actions("the matrix")]

    def _place_heads(self) -> None:
        for head, room in zip(self.heads.shown, self.view.frame.heads, strict=False):
            head.place(room)

    # -- what is asked for

    def _model_changed(self) -> None:
        embeddings = self.session.embeddings
        if embeddings is not self._model and embeddings is not None:
            parameters = embeddings.metadata.get("parameters")
            known = parameters if isinstance(parameters, Mapping) else {}
            k = known.get("negative", known.get("shift"))
            if isinstance(k, (int, float)) and k >= 1:
                self.controls.set_negative(round(k))
        self._model = embeddings
        self.heads.offer()
        self._refresh()

    def _runs_changed(self) -> None:
        if self.heads.offer():
            self._ask()

    def _refresh(self) -> None:
        if self.session.corpus is None and self.session.embeddings is None:
            self._drop()
            self._clear()
            if self.session.opening is not None:
                self.show_busy("Opening the corpus …")
            else:
                self.show_empty("No counts yet", "Open a corpus: its words are then counted against each other here.")
            return
        self.show_body()
        self._ask()

    def _panes_changed(self) -> None:
        self.session.settings.set(_KINDS, [head.choice[0] for head in self.heads.shown])
        self._ask()

    def _forget_extra(self) -> None:
        self._extra = ((), ())

    def _add_word(self, axis: int, word: str) -> None:
        if self.controls.chosen == "typed":
            self.controls.words.setText(" ".join([*self.controls.typed, word]))
        else:
            rows, columns = self._extra
            self._extra = ((*rows, word), columns) if axis == ROW else (rows, (*columns, word))
        self._ask()

    def _selected(self) -> None:
        self.view.choose(self.session.selection)
        # A click into the matrix selects two of its words; that must not take the others away.
        if self._picked and self.session.selection == self._picked:
            return
        self._picked = ()
        if self.controls.chosen in ("near", "selection"):
            self._forget_extra()
            self._ask()

    def _pick(self, word: str, other: str) -> None:
        self._before = self._chosen
        self._picked = (other, word) if other != word else (word,)
        self.session.select(self._picked)

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The words selected elsewhere."""
        if self._picked and self._picked == self.session.selection:
            return self._before
        return self.session.selection

    def _ask(self) -> None:
        """Forget what is under way and compute what the controls say now, once somebody looks."""
        self.controls.show_wanted([head.choice[0] for head in self.heads.shown])
        self.add.setEnabled(self.heads.number < MOST)
        self.shared.setVisible(self.heads.number > 1)
        self._drop()
        self._stale = True
        self._compute_if_seen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compute_if_seen()

    def _compute_if_seen(self) -> None:
        """Counting a large corpus takes seconds, so it waits until somebody looks."""
        if not self._stale or not self.isVisible() or self.state != "body":
            return
        self._stale = False
        self.view.set_panes(self.heads.number)
        records = [head.record for head in self.heads.shown]
        kinds = [head.choice[0] for head in self.heads.shown]
        request = self.controls.request(tuple(Pane(kind) for kind in kinds), self._chosen, self._extra)
        if request is None:
            self._say_instead(*_MISSING[self.controls.chosen])
            return
        corpus = self.session.corpus
        if corpus is None and self.session.opening is not None and any("corpus" in KINDS[kind].needs for kind in kinds):
            # Its coming is told by corpus_changed.
            self._clear()
            self._cover("Opening the corpus …", "", busy=True)
            return
        self._began = time.monotonic()
        store, shared, palette = self.session.store, self.shared.isChecked(), self.theme.palette
        self._job = self.session.jobs.start(
            "Computing the matrix",
            lambda run: make(corpus, request, records, store, (shared, palette), run),
            self._done,
            self._failed,
            key=self.key,
            cancelled=self._cancelled,
        )

    def _drop(self) -> None:
        self.session.jobs.drop(self.key)
        self._job = None

    # -- what comes back

    def _tick(self) -> None:
        job = self._job
        if job is None or not self.isVisible() or time.monotonic() - self._began < _PATIENCE:
            return
        progress = job.run.progress
        title = f"{from_sentence(progress.note) or 'Counting pairs of words'} …"
        self._cover(title, "", fraction=progress.fraction, busy=True, action=self._cancel)

    def _done(self, made: Made) -> None:
        self._job = None
        for record, embeddings in made.loaded:
            self.session.keep(record, embeddings)
        set_property(self.controls.words, "invalid", "")
        self.view.uncover()
        self.view.put(made.board, made.pictures)
        self.view.choose(self.session.selection)
        self._settings.setText(counted_as(made))
        self._settings.setToolTip(made.board.note)
        self.finding.set_vocabulary(self._vocabulary())
        self.finding.put(made.board)
        self._read()

    def _vocabulary(self) -> tuple[str, ...]:
        """The words that can be added."""
        corpus, embeddings = self.session.corpus, self.session.embeddings
        return tuple(corpus.words) if corpus is not None else tuple(embeddings.words) if embeddings is not None else ()

    def _failed(self, error: UserError) -> None:
        self._job = None
        if isinstance(error, UnknownWord) and self.controls.chosen == "typed":
            set_property(self.controls.words, "invalid", "true")
        self._say_instead(error.message, error.hint, is_error=True)

    def _cancelled(self) -> None:
        self._job = None
        self._say_instead("Counting was cancelled", "What was counted so far is not kept.", action=self._again)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _clear(self) -> None:
        self.view.put(None)
        self.finding.put(None)

    def _say_instead(self, title: str, hint: str, *, action: QAction | None = None, is_error: bool = False) -> None:
        """Say something in the pictures' place: older ones would belong to another question."""
        self._clear()
        self._cover(title, hint, action=action, is_error=is_error)

    def _cover(
        self, title: str, hint: str, *, action: QAction | None = None, fraction: float | None = None,
        busy: bool = False, is_error: bool = False,
    ) -> None:  # fmt: skip
        self._here.set_content(title, hint, action=action, fraction=fraction, busy=busy, is_error=is_error)
        self.view.cover()
        self._readout.put("")
        self._settings.setText("")

    def _read(self) -> None:
        board = self.view.board
        if board is None or self.view.covered:
            return
        text = self.view.describe(self.view.cell)
        set_property(self._readout, "role", "" if text else "muted")
        told = "; ".join(result.label for result in board.results)
        self._readout.put(text or f"{told}. {board.note} Point at a cell for its numbers.".replace("  ", " "))

    # -- colours

    def _scales_changed(self, shared: bool) -> None:
        self.session.settings.set(_SHARED, shared)
        self._dress()

    def _dress(self) -> None:
        """Draw the same numbers in other colours; while others are computed, they will have them."""
        board = self.view.board
        if self._job is not None:
            self._ask()
        elif board is not None:
            shared, palette = self.shared.isChecked(), self.theme.palette

            def put(drawn: list[Picture | None]) -> None:
                if self.view.board is board:
                    self.view.put(board, drawn)

            self.session.jobs.start(
                "Colouring the matrices", lambda run: pictures(board.panes, shared, palette), put,
                key=f"{self.key}.colours", quiet=True,
            )  # fmt: skip
