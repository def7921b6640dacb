"""The heatmap: counts, PMI and its relatives, the target x*, and what the model makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
)

from workbench.analysis.matrix import KINDS, MatrixRequest, MatrixResult, compute
from workbench.analysis.neighbours import nearest
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.corpus.corpus import Corpus
from workbench.session.jobs import Job
from workbench.ui.panel import Context, Panel
from workbench.ui.text import decimal
from workbench.ui.theme import SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.matrix_view import MatrixView, to_csv
from workbench.vectors.embeddings import Embeddings

_SOURCES = (
    ("near", "Selection and neighbours"),
    ("selection", "Selection"),
    ("top", "Most frequent words"),
    ("typed", "Typed words"),
)
_NEAR = 24


@dataclass(frozen=True)
class _Wanted:
    """A picture asked for; ``near`` words are completed by their neighbours in the model."""

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
        self._stale = True
        self.kind = self.named(QComboBox(), "kind", "What the matrix shows")
        for key, kind in KINDS.items():
            self.kind.addItem(kind.title, key)
            self.kind.setItemData(self.kind.count() - 1, kind.label, Qt.ItemDataRole.ToolTipRole)
        self.kind.setCurrentIndex(self.kind.findData("ppmi"))
        self.source = self.named(QComboBox(), "source", "Which words")
        for value, name in _SOURCES:
            self.source.addItem(name, value)
        self.source.setCurrentIndex(self.source.findData("top"))
        self.top = self.named(QSpinBox(), "top", "How many words")
        self.top.setRange(2, 2000)
        self.top.setValue(40)
        self.top.setKeyboardTracking(False)
        self.words = self.named(QLineEdit(), "words", "Words of the matrix", "Words, separated by blanks")
        self.words.setPlaceholderText("king queen man woman …")
        self.negative = self.named(QSpinBox(), "negative", "Negative samples k", "k: SPPMI and x* shift by log k")
        self.negative.setRange(1, 64)
        self.negative.setPrefix("k ")
        self.negative.setValue(5)
        self.fit = self.named(QPushButton("Fit"), "fit", "Show the whole matrix", "Show the whole matrix (Home)")
        self.export = self.named(QPushButton("Export …"), "export", "Export numbers or picture", "As CSV or PNG")
        self.view = self.named(MatrixView(self.theme), "view", "Heatmap")
        self._readout = self.named(QLabel(), "readout", "Numbers of the pair")
        self._readout.setTextFormat(Qt.TextFormat.PlainText)
        self._settings = self.named(QLabel(), "settings", "How the pairs were counted")
        self._settings.setProperty("role", "muted")
        self._progress = self.named(QProgressBar(), "progress", "Progress")
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 1000)
        self._cancel = self.named(QPushButton("Cancel"), "cancel", "Cancel counting")
        self._progress.hide()
        self._cancel.hide()
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        for widget in (self.kind, self.source, self.top, self.words, self.negative):
            row.addWidget(widget, 1 if widget is self.words else 0)
        row.addStretch()
        row.addWidget(self.fit)
        row.addWidget(self.export)
        below = QHBoxLayout()
        below.setSpacing(SPACE_3)
        below.addWidget(self._readout, 1)
        below.addWidget(self._settings)
        below.addWidget(self._progress)
        below.addWidget(self._cancel)
        self._progress.setFixedWidth(160)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_2)
        layout.setSpacing(SPACE_2)
        layout.addLayout(row)
        layout.addWidget(self.view, 1)
        layout.addLayout(below)

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(lambda _: self._ask())
        self.source.currentIndexChanged.connect(lambda _: self._ask())
        self.top.valueChanged.connect(lambda _: self._ask())
        self.negative.valueChanged.connect(lambda _: self._ask())
        self.words.editingFinished.connect(self._ask)
        self.fit.clicked.connect(self.view.fit)
        self.export.clicked.connect(self._choose_export)
        self._cancel.clicked.connect(self._stop)
        self.view.hovered.connect(lambda *_: self._read())
        self.view.picked.connect(lambda word, other: self.session.select([other, word]))
        self.follow(self.session.corpus_changed, self._refresh)
        self.follow(self.session.shown_changed, self._model_changed)
        self.follow(self.session.selection_changed, self._selected)
        self.context.bridge.tick.connect(self._tick)

    def panel_actions(self) -> list[QAction]:
        export = QAction("Export the matrix …", self)
        export.triggered.connect(self._choose_export)
        return [export]

    # -- what is asked for

    @property
    def _embeddings(self) -> Embeddings | None:
        return self.session.shown.embeddings if self.session.shown is not None else None

    def _model_changed(self) -> None:
        embeddings = self._embeddings
        parameters = embeddings.metadata.get("parameters", {}) if embeddings is not None else {}
        k = parameters.get("negative", parameters.get("shift"))
        if isinstance(k, (int, float)) and k == int(k) and self.negative.value() != k:
            self.negative.blockSignals(True)
            self.negative.setValue(int(k))
            self.negative.blockSignals(False)
        self._refresh()

    def _refresh(self) -> None:
        if self.session.corpus is None and self._embeddings is None:
            self._stop()
            if self.session.opening is not None:
                self.show_busy("Opening the corpus …")
            else:
                self.show_empty("No counts yet", "Open a corpus: its words are then counted against each other here.")
            return
        self.show_body()
        self._ask()

    def _selected(self) -> None:
        if self.source.currentData() in ("near", "selection"):
            self._ask()

    def _wanted(self) -> _Wanted | None:
        """The request as the controls say it; None, with a hint, while words are missing."""
        source = self.source.currentData()
        request = MatrixRequest(kind=str(self.kind.currentData()), top=self.top.value())
        embeddings = self._embeddings
        if embeddings is not None:
            request = request.like(embeddings)
        request = replace(request, negative=self.negative.value())
        if source == "typed":
            words = tuple(dict.fromkeys(self.words.text().replace(",", " ").split()))
        elif source == "top":
            return _Wanted(request, ())
        else:
            words = self.session.selection
        if not words:
            typed = source == "typed"
            self._hint(
                "Type the words to compare." if typed else "Select words: click on the map, Ctrl+click adds another."
            )
            return None
        if source == "near":
            return _Wanted(request, words)
        return _Wanted(replace(request, words=words), ())

    def _ask(self) -> None:
        source = self.source.currentData()
        self.top.setVisible(source == "top")
        self.words.setVisible(source == "typed")
        self.negative.setVisible(self.kind.currentData() in ("sppmi", "xstar", "residual"))
        self._stale = True
        self._compute_if_seen()

    def showEvent(self, event: object) -> None:
        self._compute_if_seen()

    def _compute_if_seen(self) -> None:
        """Counting a large corpus takes seconds, so it waits until somebody looks."""
        if not self._stale or not self.isVisible() or self.state != "body":
            return
        wanted = self._wanted()
        if wanted is None:
            return
        self._stale = False
        corpus, embeddings = self.session.corpus, self._embeddings
        self._job = self.session.jobs.start(
            "Computing the matrix",
            lambda run: _compute(corpus, wanted, embeddings, run),
            self._done,
            self._failed,
            key=self.key,
            cancelled=self._cancelled,
        )
        self._settings.setText(_counted_as(wanted.request))

    # -- what comes back

    def _tick(self) -> None:
        job = self._job
        busy = job is not None and job.run.phase_seconds() > 0.3
        if busy != self._cancel.isVisibleTo(self.body):
            self._progress.setVisible(busy)
            self._cancel.setVisible(busy)
            self._settings.setVisible(not busy)
        if busy and job is not None:
            progress = job.run.progress
            self._progress.setRange(0, 0 if progress.fraction is None else 1000)
            self._progress.setValue(round(1000 * (progress.fraction or 0.0)))
            self._hint(f"{progress.note or 'Counting'} …")

    def _done(self, result: MatrixResult) -> None:
        self._job = None
        self.view.set_result(result)
        self._read()

    def _failed(self, error: UserError) -> None:
        self._job = None
        self._readout.setText(str(error))
        set_property(self._readout, "role", "error")

    def _cancelled(self) -> None:
        self._job = None
        self._hint("Cancelled. Choose again to count.")

    def _stop(self) -> None:
        if self._job is not None:
            self._job.run.cancel()

    def _hint(self, text: str) -> None:
        set_property(self._readout, "role", "muted")
        self._readout.setText(text)

    def _read(self) -> None:
        text = self.view.describe(self.view.cell)
        if text:
            set_property(self._readout, "role", "")
            self._readout.setText(text)
        elif self.view.result is not None:
            self._hint(f"{self.view.result.label}. Point at a cell for its numbers.")

    # -- export

    def _choose_export(self) -> None:
        if self.view.result is None:
            self._hint("There is no matrix to export yet.")
            return
        name, _ = QFileDialog.getSaveFileName(
            self, "Export the matrix", "matrix.csv", "Numbers (*.csv);;Picture (*.png)"
        )
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Write the numbers as CSV, or the picture where the name ends in .png."""
        if self.view.result is None:
            return
        try:
            with replacing(path) as part:
                if path.suffix.lower() == ".png":
                    self.view.grab().save(str(part), "PNG")
                else:
                    part.write_text(to_csv(self.view.result), encoding="utf-8")
        except UserError as error:
            self._failed(error)
            return
        self._hint(f"Written to {path.name}.")


def _compute(corpus: Corpus | None, wanted: _Wanted, embeddings: Embeddings | None, run: Run) -> MatrixResult:
    request = wanted.request
    if wanted.near:
        words = list(wanted.near)
        if embeddings is not None:
            for word in wanted.near:
                words += [found.word for found in nearest(embeddings, word, max(2, _NEAR // len(wanted.near)))]
        request = replace(request, words=tuple(dict.fromkeys(words)))
    return compute(corpus, request, embeddings, run)


def _counted_as(request: MatrixRequest) -> str:
    """How the pairs of a request are counted, in a few words."""
    if request.kind == "model":
        return ""
    text = f"window {request.window}, {request.window_weighting}"
    if request.kind in ("xstar", "residual"):
        text += f", t {decimal(request.sample)}, noise to the power {decimal(request.ns_exponent)}"
    return text
