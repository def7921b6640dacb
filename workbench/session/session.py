"""What is open, trained and selected: the only meeting point of the panels.

A session belongs to one thread (the window's, or a script's). Its methods return at once; long
work goes to :class:`~workbench.session.jobs.Jobs`, and ``pump`` (called by the window's timer)
delivers results and emits signals in the owner's thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.analysis.projection import UmapWorker
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.run import Run
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.samples import SAMPLES, open_sample
from workbench.corpus.store import open_corpus
from workbench.models.base import ModelParams
from workbench.session.jobs import Job, Jobs
from workbench.session.records import RunRecord, State
from workbench.session.settings import Settings
from workbench.session.store import Store
from workbench.session.training import train_run
from workbench.session.warming import Warmer
from workbench.vectors.formats import load_vectors, sniff


@dataclass(frozen=True)
class AnalogyShown:
    """The analogy answered last: a − b + c = answer."""

    a: str
    b: str
    c: str
    answer: str


class Session:
    """Corpora, runs, selection, jobs and signals.

    Signals, all emitted in the owner's thread:

    - ``corpus_changed()``: another corpus is open, or opening began, ended or failed
    - ``runs_changed()``: the list of runs, or the state of one, changed
    - ``run_finished(record)``: a training came to its end, whatever it was
    - ``shown_changed()``: another model is looked at, or its vectors arrived
    - ``selection_changed()``: other words are selected
    - ``analogy_changed()``: another analogy was answered, or none is shown any more
    - ``message(text, hint, is_error)``: something to say in passing
    """

    def __init__(self) -> None:
        self.settings = Settings()
        self.jobs = Jobs()
        self.store = Store()
        self.umap = UmapWorker()
        self.corpus_changed = Signal()
        self.runs_changed = Signal()
        self.run_finished = Signal()
        self.shown_changed = Signal()
        self.selection_changed = Signal()
        self.analogy_changed = Signal()
        self.message = Signal()
        self.corpus: Corpus | None = None
        self.opening: Job[Corpus] | None = None
        self.open_error: UserError | None = None
        self.runs: list[RunRecord] = []
        self.shown: RunRecord | None = None
        self.selection: tuple[str, ...] = ()
        self.analogy: AnalogyShown | None = None
        self._warmer = Warmer()
        self._closed = False

    # -- corpus

    def open(self, paths: Sequence[str | Path], options: CorpusOptions | None = None) -> None:
        """Open files or folders: vector files become runs, the rest one corpus.

        Outcome: corpus_changed, runs_changed, or message with an error and ``open_error``.
        """

    def open_sample(self, key: str) -> None:
        """Open a bundled corpus by its key in SAMPLES."""

    @property
    def questions_path(self) -> Path | None:
        """The question file that belongs to the open corpus, if it is a sample."""

    # -- training

    def train(self, algorithm: str, params: ModelParams) -> RunRecord:
        """Queue a training on the open corpus; one trains at a time. Raises UserError without one."""

    def pause(self, record: RunRecord) -> None: ...
    def resume(self, record: RunRecord) -> None: ...
    def stop(self, record: RunRecord) -> None:
        """End a training now and keep what it has (a waiting or counting one is cancelled)."""

    def cancel(self, record: RunRecord) -> None: ...

    @property
    def training(self) -> RunRecord | None:
        """The record that trains (or is paused) now."""

    # -- looking

    def show(self, record: RunRecord | None) -> None:
        """Make a run the one that panels look at; its vectors load in the background if needed."""

    def select(self, words: Sequence[str], add: bool = False) -> None:
        """Select words (replacing, or adding to, the selection). The last one is in focus."""

    @property
    def focus(self) -> str | None:
        """The word picked last."""

    def show_analogy(self, analogy: AnalogyShown | None) -> None:
        """Say which analogy was answered last, for the views that draw it; None takes it back."""
        if analogy != self.analogy:
            self.analogy = analogy
            self.analogy_changed.emit()

    # -- housekeeping

    def rename(self, record: RunRecord, name: str) -> None: ...
    def delete(self, record: RunRecord) -> None:
        """Move a run to the store's trash, from where ``undelete`` brings it back."""

    def undelete(self) -> None: ...
    def warm(self) -> None:
        """Begin compiling kernels and warming UMAP in child processes of low priority."""

    def pump(self) -> None:
        """Deliver results of jobs and notice changes of state. Called some 30 times a second."""

    def close(self) -> None:
        """Cancel, join, save; no thread and no process remains."""
