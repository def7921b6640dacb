"""The heatmap: counts, PMI and its relatives, the target x*, and what the model makes of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
)

from workbench.analysis.matrix import KINDS, MatrixRequest, MatrixResult, compute
from workbench.analysis.neighbours import nearest
from workbench.core.atomic import replacing
from workbench.core.errors import UnknownWord, UserError
from workbench.core.run import Run
from workbench.corpus.corpus import Corpus
from workbench.session.jobs import Job
from workbench.ui.panel import Context, Notice, Panel
from workbench.ui.text import decimal, from_sentence
from workbench.ui.theme import SPACE_2, SPACE_3, set_property
from workbench.ui.widgets.editors import ChoiceBox, IntBox
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.matrix_export import to_csv
from workbench.ui.widgets.matrix_view import MatrixView
from workbench.vectors.embeddings import Embeddings

_SOURCES = (
    ("top", "Most frequent"),
    ("typed", "Typed words"),
    ("selection", "Selection"),
    ("near", "Selection + nearest"),
)
_MISSING = {
    "typed": ("Which words?", "Type some above, such as king queen man woman, and press Return."),
    "selection": ("No words selected", "Click a word on the map; Ctrl+click adds another."),
    "near": (
        "No words selected",
        "Click a word on the map: it stands here with its nearest words, against the contexts they share.",
    ),
}
_NEAR, _CONTEXTS = 20, 24
# Contexts are looked for among so many of the most frequent words: rare ones say little.
_FREQUENT = 2000
# Shorter waits go by without a word.
_PATIENCE = 0.3


@dataclass(frozen=True)
class _Wanted:
    """A picture asked for; ``near`` words are completed by their neighbours in the model, and stand
    against the contexts that these are seen with.
    """

    request: MatrixRequest
    near: tuple[str, ...]


class MatrixPanel(Panel):
    """Words against words under one of the views of KINDS, counted as the shown model counts."""

    key = "matrix"
    title = "Matrix"
    area = "centre"
    order = 20

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._job: Job[MatrixResult] | None = None
        self._began = 0.0
        self._stale = True
        self._model: Embeddings | None = None
        # The pair selected by a click in here, and what was selected before it.
        self._picked: tuple[str, ...] = ()
        self._before: tuple[str, ...] = ()
        self.kind = self.named(ChoiceBox(), "kind", "What the matrix shows")
        for key, kind in KINDS.items():
            self.kind.addItem(kind.title, key)
            self.kind.setItemData(self.kind.count() - 1, kind.label, Qt.ItemDataRole.ToolTipRole)
        self.kind.setCurrentIndex(self.kind.findData("ppmi"))
        self.source = self.named(ChoiceBox(), "source", "Which words", "Which words stand against each other")
        for value, name in _SOURCES:
            self.source.addItem(name, value)
        self.top = self.named(IntBox(), "top", "How many words", "How many words")
        self.top.setRange(2, 1000)
        self.top.setValue(25)
        self.top.setKeyboardTracking(False)
        self.top.setFixedWidth(76)
        self.words = self.named(QLineEdit(), "words", "Words of the matrix", "Words, separated by blanks")
        self.words.setPlaceholderText("king queen man woman …")
        self.words.setMinimumWidth(80)
        self.negative = self.named(IntBox(), "negative", "Negative samples k", "SPPMI and x* are shifted by log k")
        self.negative.setRange(1, 64)
        self.negative.setPrefix("k = ")
        self.negative.setValue(5)
        self.negative.setKeyboardTracking(False)
        self.negative.setFixedWidth(80)
        self.fit = self.named(QPushButton("Fit"), "fit", "Show the whole matrix", "Show the whole matrix (Home)")
        self.export = self.named(QPushButton("Export …"), "export", "Export numbers or picture", "As CSV or PNG")
        self.view = self.named(MatrixView(self.theme), "view", "Heatmap")
        self._here = Notice(f"{self.key}.here")
        self._inner = QStackedWidget()
        self._cancel = QAction("Cancel", self)
        self._again = QAction("Count again", self)
        self._readout = ElidedLabel()
        self._readout.setObjectName(f"{self.key}.readout")
        self._settings = self.named(QLabel(), "settings", "How the pairs were counted")
        self._settings.setProperty("role", "muted")
        self._build()
        self._connect()
        self._model_changed()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        for widget in (self.kind, self.source, self.top, self.words, self.negative):
            row.addWidget(widget, 1 if widget is self.words else 0)
        row.addStretch()
        row.addWidget(self.fit)
        row.addWidget(self.export)
        self.kind.setMinimumContentsLength(6)
        self.source.setMinimumContentsLength(13)
        below = QHBoxLayout()
        below.setSpacing(SPACE_3)
        below.addWidget(self._readout, 1)
        below.addWidget(self._settings)
        self._inner.addWidget(self.view)
        self._inner.addWidget(self._here)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_2)
        layout.setSpacing(SPACE_2)
        layout.addLayout(row)
        layout.addWidget(self._inner, 1)
        layout.addLayout(below)

    def _connect(self) -> None:
        for box in (self.kind, self.source):
            box.currentIndexChanged.connect(lambda _: self._ask())
        for number in (self.top, self.negative):
            number.valueChanged.connect(lambda _: self._ask())
        self.source.activated.connect(lambda _: self.words.setFocus() if self._source == "typed" else None)
        self.words.editingFinished.connect(self._ask)
        self.words.textEdited.connect(lambda _: set_property(self.words, "invalid", ""))
        self.fit.clicked.connect(self.view.fit)
        self.export.clicked.connect(self._choose_export)
        self._cancel.triggered.connect(self._stop)
        self._again.triggered.connect(self._ask)
        self.view.hovered.connect(lambda *_: self._read())
        self.view.picked.connect(self._pick)
        self.follow(self.session.corpus_changed, self._refresh)
        self.follow(self.session.shown_changed, self._model_changed)
        self.follow(self.session.selection_changed, self._selected)
        self.on_tick(self._tick)

    def panel_actions(self) -> list[QAction]:
        export = QAction("Export the matrix …", self)
        export.triggered.connect(self._choose_export)
        return [export]

    # -- what is asked for

    @property
    def _source(self) -> str:
        return str(self.source.currentData())

    def _model_changed(self) -> None:
        embeddings = self.session.embeddings
        if embeddings is not self._model and embeddings is not None:
            parameters = embeddings.metadata.get("parameters")
            known = parameters if isinstance(parameters, Mapping) else {}
            k = known.get("negative", known.get("shift"))
            if isinstance(k, (int, float)) and k >= 1:
                self.negative.blockSignals(True)
                self.negative.setValue(round(k))
                self.negative.blockSignals(False)
        self._model = embeddings
        self._refresh()

    def _refresh(self) -> None:
        if self.session.corpus is None and self.session.embeddings is None:
            self._drop()
            self.view.set_result(None)
            if self.session.opening is not None:
                self.show_busy("Opening the corpus …")
            else:
                self.show_empty("No counts yet", "Open a corpus: its words are then counted against each other here.")
            return
        self.show_body()
        self._ask()

    def _selected(self) -> None:
        # A click into the matrix selects two of its words; that must not take the others away.
        if self._picked and self.session.selection == self._picked:
            return
        self._picked = ()
        if self._source in ("near", "selection"):
            self._ask()

    def _pick(self, word: str, other: str) -> None:
        self._before = self._chosen
        self._picked = (other, word) if other != word else (word,)
        self.session.select(self._picked)

    def _wanted(self) -> _Wanted | None:
        """The request as the controls say it; None while words are missing."""
        source = self._source
        request = MatrixRequest(kind=str(self.kind.currentData()), top=self.top.value())
        embeddings = self.session.embeddings
        if embeddings is not None:
            request = request.like(embeddings)
        request = replace(request, negative=self.negative.value())
        if source == "top":
            return _Wanted(request, ())
        words = self._chosen if source != "typed" else tuple(self.words.text().replace(",", " ").split())
        words = tuple(dict.fromkeys(words))
        if not words:
            return None
        return _Wanted(request, words) if source == "near" else _Wanted(replace(request, words=words), ())

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The words selected elsewhere."""
        if self._picked and self._picked == self.session.selection:
            return self._before
        return self.session.selection

    def _ask(self) -> None:
        """Forget what is under way and compute what the controls say now, once somebody looks."""
        source = self._source
        self.top.setVisible(source == "top")
        self.words.setVisible(source == "typed")
        self.negative.setVisible(self.kind.currentData() in ("sppmi", "xstar", "residual"))
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
        wanted = self._wanted()
        if wanted is None:
            self._say_instead(*_MISSING[self._source])
            return
        corpus, embeddings = self.session.corpus, self.session.embeddings
        if corpus is None and self.session.opening is not None and "corpus" in KINDS[wanted.request.kind].needs:
            # Its coming is told by corpus_changed.
            self.view.set_result(None)
            self._here.set_content("Opening the corpus …", "", busy=True)
            self._show_here()
            return
        self._began = time.monotonic()
        self._job = self.session.jobs.start(
            "Computing the matrix",
            lambda run: _compute(corpus, wanted, embeddings, run),
            lambda result: self._done(wanted.request, result),
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
        self._here.set_content(title, "", fraction=progress.fraction, busy=True, action=self._cancel)
        self._show_here()

    def _done(self, request: MatrixRequest, result: MatrixResult) -> None:
        self._job = None
        set_property(self.words, "invalid", "")
        self.view.set_result(result)
        self._inner.setCurrentWidget(self.view)
        self._settings.setText(_counted_as(request))
        self._read()

    def _failed(self, error: UserError) -> None:
        self._job = None
        if isinstance(error, UnknownWord) and self._source == "typed":
            set_property(self.words, "invalid", "true")
        self._say_instead(error.message, error.hint, is_error=True)

    def _cancelled(self) -> None:
        self._job = None
        self._say_instead("Counting was cancelled", "What was counted so far is not kept.", action=self._again)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _say_instead(self, title: str, hint: str, *, action: QAction | None = None, is_error: bool = False) -> None:
        """Say something in the picture's place: an older picture would belong to another question."""
        self.view.set_result(None)
        self._here.set_content(title, hint, action=action, is_error=is_error)
        self._show_here()

    def _show_here(self) -> None:
        self._inner.setCurrentWidget(self._here)
        self._readout.put("")
        self._settings.setText("")

    def _hint(self, text: str, role: str = "muted") -> None:
        set_property(self._readout, "role", role)
        self._readout.put(text)

    def _read(self) -> None:
        text = self.view.describe(self.view.cell)
        if text:
            self._hint(text, "")
        elif self.view.result is not None:
            self._hint(f"{self.view.result.label}. Point at a cell for its numbers.")

    # -- export

    def _choose_export(self) -> None:
        if self.view.result is None:
            self._hint("There is no matrix to export yet.")
            return
        name, chosen = QFileDialog.getSaveFileName(
            self, "Export the matrix", "matrix.csv", "Numbers (*.csv);;Picture (*.png)"
        )
        if name:
            path = Path(name)
            self.export_to(path if path.suffix else path.with_suffix(".png" if "png" in chosen else ".csv"))

    def export_to(self, path: Path) -> None:
        """Write the numbers as CSV, or the picture where the name ends in .png."""
        if self.view.result is None:
            return
        try:
            with replacing(path) as part:
                if path.suffix.lower() != ".png":
                    part.write_text(to_csv(self.view.result), encoding="utf-8")
                elif not QPixmap.fromImage(self.view.picture()).save(str(part), "PNG"):
                    raise UserError(f"{path} cannot be written.", "Choose another place.")
        except UserError as error:
            self._hint(str(error), "error")
            return
        self._hint(f"Written to {path.name}.")


def _compute(corpus: Corpus | None, wanted: _Wanted, embeddings: Embeddings | None, run: Run) -> MatrixResult:
    request = wanted.request
    if wanted.near:
        request = _near(corpus, request, wanted.near, embeddings, run)
    return compute(corpus, request, embeddings, run)


def _near(
    corpus: Corpus | None, request: MatrixRequest, words: tuple[str, ...], embeddings: Embeddings | None, run: Run
) -> MatrixRequest:
    """The request for words and their neighbours against the contexts of greatest PPMI with them all.

    Words that mean alike are rarely seen together; what they share is the words around them.
    """
    rows = list(words)
    if embeddings is not None:
        each = max(2, _NEAR // len(words))
        rows += [found.word for word in words for found in nearest(embeddings, word, each)]
    if corpus is None:
        return replace(request, words=tuple(dict.fromkeys(rows)))
    known = corpus.vocabulary(request.min_count, request.max_vocab)
    rows = [*words, *(word for word in rows[len(words) :] if word in known.index)]
    frequent = tuple(word for word in known.words[:_FREQUENT] if embeddings is None or word in embeddings)
    request = replace(request, words=tuple(dict.fromkeys(rows)))
    associated = compute(corpus, replace(request, kind="ppmi", columns=frequent), None, run)
    shared = np.nan_to_num(associated.values).sum(axis=0)
    best = np.argsort(-shared, kind="stable")[:_CONTEXTS]
    return replace(request, columns=tuple(frequent[place] for place in best if shared[place] > 0))


def _counted_as(request: MatrixRequest) -> str:
    """How the pairs of a request are counted, in a few words."""
    if request.kind == "model":
        return ""
    text = f"window {request.window}, {request.window_weighting}"
    if request.kind in ("xstar", "residual"):
        return f"{text}, t {decimal(request.sample)}, noise to the power {decimal(request.ns_exponent)}"
    if request.kind != "count" and request.context_smoothing != 1:
        text += f", contexts to the power {decimal(request.context_smoothing)}"
    return text
