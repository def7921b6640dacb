"""Session: what is open, trained and selected. Panels communicate only through it.

A session belongs to one thread (the window's, or a script's). Its methods return at once; long
work goes to :class:`~workbench.session.jobs.Jobs`, and ``pump`` (called by the window's timer)
delivers results and emits signals in the owner's thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.analysis.projection.methods import UmapWorker
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import Phase
from workbench.core.language import tr
from workbench.core.paths import storage_problem
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.ingest.text_sample import Columns
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import ModelParams
from workbench.session.belonging import text_of
from workbench.session.corpus.controller import CorpusController
from workbench.session.corpus.opening import Opened, RememberedCorpus
from workbench.session.files.session_io import SessionFiling
from workbench.session.jobs import Job, Jobs
from workbench.session.readings import Readings
from workbench.session.recovery.recovery import Recovery
from workbench.session.runs.active_run import ActiveRunController
from workbench.session.runs.annotations import Marking
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.session.runs.vector_cache import Room
from workbench.session.selection.undo import Undo
from workbench.session.selection.words import AnalogyShown, WordSelection
from workbench.session.settings import Settings
from workbench.session.training.continuation import Parent
from workbench.session.training.controller import TrainingController
from workbench.session.training.grid import Grids
from workbench.session.training.job import TrainingRequest
from workbench.session.training.kernel_compiler import Warmer
from workbench.session.training.queue import Queue
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing

if TYPE_CHECKING:
    from workbench.session.corpus.cluster_controller import ClusterController


class Session:
    """Corpora, runs, selection, jobs and signals.

    Signals, all emitted in the owner's thread:

    - ``corpus_changed()``: another corpus is open, or opening began, ended or failed
    - ``runs_changed()``: the list of runs, or the state or phase of one, changed
    - ``run_finished(record)``: a training came to its end, whatever it was
    - ``shown_changed()``: another model is looked at, or its vectors arrived
    - ``selection_changed()``: other words are selected
    - ``analogy_changed()``: another analogy was answered, or none is shown any more
    - ``analogy_asked(a, b, c)``: somebody wants a − b + c answered; the analogy bar does it
    - ``train_on_asked(record)``: somebody wants a run to be trained on; the train panel asks how
      much longer
    - ``lines_asked(word, near)``: somebody wants to see the lines of the text that hold a word
      (and, in its window, a second one, or ""); the corpus panel does it
    - ``compare_asked(records)``: somebody wants finished runs side by side; two go to the compare
      panel, more to the leaderboard
    - ``settings_asked(record)``: somebody wants the settings of a run in the form
    - ``plan_asked(record)``, ``grid_asked(group)``: somebody wants to plan a grid that begins with
      the settings of a run, or to see what came of a grid
    - ``word_activated(word)``: a word was double-clicked; the analogy takes it into its next field
    - ``message(text, hint, is_error)``: something to say in passing
    - ``restored(panels)``: a session file was opened; settings are its own now, and ``panels``
      holds what each panel kept in it, by its key
    - ``text_missed(error)``: the text of a corpus is not where it was (a MissingText): somebody may
      locate it
    """

    def __init__(self) -> None:
        self.settings = Settings()
        self.jobs = Jobs()
        self.store = Store()
        self.umap = UmapWorker()
        self.room = Room()
        # Whoever changes state tells it the ways back and forth.
        self.undo = Undo()
        self.corpus_changed = Signal()
        self.runs_changed = Signal()
        self.run_finished = Signal()
        self.shown_changed = Signal()
        self.selection_changed = Signal()
        self.analogy_changed = Signal()
        self.analogy_asked = Signal()
        self.train_on_asked = Signal()
        self.lines_asked = Signal()
        self.compare_asked = Signal()
        self.settings_asked = Signal()
        self.plan_asked = Signal()
        self.grid_asked = Signal()
        self.word_activated = Signal()
        self.message = Signal()
        self.restored = Signal()
        self.text_missed = Signal()
        # What opens, what trains and what keeps runs; whoever is no part of the session asks the
        # session itself.
        self.openings = CorpusController(self)
        self.trainings = TrainingController(self)
        self.keeping = RunLibrary(self)
        self._looking = ActiveRunController(self)
        self._selecting = WordSelection(self)
        self.runs, damaged = self.store.load()
        self.recovery = Recovery(self)
        self.files = SessionFiling(self)
        # Said once, and not again of every run.
        self._unkept = storage_problem()
        told = [
            *self.files.take_failures(),
            *damaged,
            *self.recovery.problems,
            *([self._unkept] if self._unkept is not None else []),
        ]
        # Nobody listens yet: told at the first pump.
        self._untold = [(problem.message, problem.hint, True) for problem in told]
        self.queue = Queue(self)
        self.marking = Marking(self)
        self.grids = Grids(self)
        self._phase: Phase | None = None
        self.warmer = Warmer()
        self._warming = False
        self.closed = False

    @cached_property
    def clustering(self) -> ClusterController:
        """Counting on a cluster. Few need it: what it imports would hold up every start."""
        from workbench.session.corpus.cluster_controller import ClusterController

        return ClusterController(self)

    # -- corpus

    @property
    def corpus(self) -> Corpus | None:
        """What is open."""
        return self.openings.corpus

    @corpus.setter
    def corpus(self, corpus: Corpus | None) -> None:
        self.openings.corpus = corpus

    @property
    def text(self) -> Corpus | None:
        """The open corpus with its text; None also where there are only counts of one."""
        corpus = self.openings.corpus
        if isinstance(corpus, CountedCorpus):
            return None
        return corpus

    @property
    def counted_corpus(self) -> CountedCorpus | None:
        """The counts that are open in the place of a corpus, None for a text."""
        corpus = self.openings.corpus
        if isinstance(corpus, CountedCorpus):
            return corpus
        return None

    @property
    def source(self) -> Mapping[str, Any]:
        """How the open corpus is opened again (``Opened.to_json``)."""
        return self.openings.source

    @source.setter
    def source(self, source: Mapping[str, Any]) -> None:
        self.openings.source = source

    @property
    def opening(self) -> Job[Opened] | None:
        """The opening that is under way."""
        return self.openings.job

    @opening.setter
    def opening(self, job: Job[Opened] | None) -> None:
        self.openings.job = job

    @property
    def open_error(self) -> UserError | None:
        """Why the last opening failed."""
        return self.openings.error

    @property
    def pending_table(self) -> Columns | None:
        """The table to be opened, of which a column must be chosen first."""
        return self.openings.pending_table

    def open(
        self, paths: Sequence[str | Path], options: CorpusOptions | None = None, ask: bool = False
    ) -> None:
        """Open files or folders: vector files become runs, the rest one corpus; or one session
        file, or one folder of counts, which then stand in the place of a corpus. Without
        ``options`` these files are read as they were last, and by the defaults where they never
        were. What is looked at from then on is the last run of the corpus.

        The key of a bundled corpus is taken where no such file exists. With ``ask``, a table of
        several columns is not read but becomes ``pending_table``, until ``answer``. Outcome:
        corpus_changed, runs_changed, or message with an error and ``open_error``.
        """
        self.openings.open(paths, options, ask)

    def answer(self, column: str) -> None:
        """Read the table that is the ``pending_table``, by the name of a column; "" leaves it."""
        self.openings.answer(column)

    def open_sample(self, key: str, options: CorpusOptions | None = None) -> None:
        """Open a bundled corpus by its key in SAMPLES, without ``options`` by its defaults."""
        self.openings.open_sample(key, options)

    def restore(self) -> bool:
        """Open again what was open last, or else the first sample. Whether something was
        remembered.
        """
        return self.openings.restore()

    def reopen(self, wanted: RememberedCorpus, keep_shown: bool = False) -> None:
        """Open a corpus as it was open before. Outcome as of ``open``, or text_missed.

        With ``keep_shown`` what is looked at stays, even if it was trained on another text.
        """
        self.openings.reopen(wanted, keep_shown)

    def open_text_of(self, record: RunRecord) -> None:
        """Open the text that a run was trained on, read as it was then, and go on looking at the
        run.
        """
        wanted = text_of(record)
        if wanted is None:
            self.say(
                UserError(
                    tr("The location of the text of “{name}” is unknown.", name=record.name),
                    tr("Open the text by hand."),
                )
            )
            return
        if record.has_vectors:
            self.show(record)
        self.reopen(wanted)

    @property
    def readings(self) -> Readings:
        """How each text is read."""
        return self.openings.readings

    @property
    def questions_path(self) -> Path | None:
        """The question file that belongs to the open corpus, if it is a sample."""
        return self.openings.questions_path

    # -- training

    def train(
        self,
        algorithm: str,
        params: ModelParams,
        *,
        name: str = "",
        show: bool = True,
        anyway: bool = False,
    ) -> RunRecord:
        """Queue a training on the open corpus; one trains at a time. Raises UserError without one.

        ``name`` is given where a free one will not do; ``show`` false leaves what is looked at when
        it is done; ``anyway`` begins it even if memory does not seem to suffice.
        """
        return self.trainings.train(algorithm, params, name, show, anyway)

    def train_from_counts(
        self,
        counted: CountedCorpus,
        algorithm: str,
        params: ModelParams,
        *,
        name: str = "",
        show: bool = True,
        anyway: bool = False,
    ) -> RunRecord:
        """As ``train``, from counts (``open_counts``, in a job) and not on the open corpus, which
        stays as it is.

        params : as ``from_counts.params_for`` makes them. Raises UserError for an algorithm that
        needs the text.
        """
        return self.trainings.train_from_counts(counted, algorithm, params, name, show, anyway)

    def train_all(
        self, algorithm: str, wanted: Sequence[tuple[str, ModelParams]], group: str
    ) -> list[RunRecord]:
        """Queue trainings on the open corpus that belong together, by name. Raises UserError
        without a corpus.
        """
        return self.trainings.train_all(algorithm, wanted, group)

    def train_on(
        self, record: RunRecord, passes: int, learning_rate: float | None = None
    ) -> RunRecord:
        """Queue a new run that goes on from another for ``passes`` more, beginning with this
        learning rate (None: the one that a longer training would have by then).

        Raises UserError: another corpus is open, or the run cannot be gone on with.
        """
        return self.trainings.train_on(record, passes, learning_rate)

    def parent_of(self, record: RunRecord) -> Parent:
        """What a continuation of a run would go on with. Raises UserError where it cannot be gone
        on with.
        """
        return self.trainings.parent_of(record)

    def pause(self, record: RunRecord) -> None:
        self.trainings.pause(record)

    def resume(self, record: RunRecord) -> None:
        self.trainings.resume(record)

    def stop(self, record: RunRecord) -> None:
        """End a training now and keep what it has (a waiting or counting one is cancelled)."""
        self.trainings.stop(record)

    def cancel(self, record: RunRecord) -> None:
        """End a training and throw away what it has."""
        self.trainings.cancel(record)

    @property
    def training(self) -> RunRecord | None:
        """The record that trains (or is paused) now, without those paused for one that was started
        before its turn.
        """
        return self.trainings.current

    def begin_next(self) -> None:
        """Begin what waits first, unless something trains or the queue is paused."""
        self.trainings.begin_next()

    def begin(self, request: TrainingRequest) -> None:
        """Begin a training now; the queue calls it."""
        self.trainings.begin(request)

    # -- other vectors of a run

    def make_vectors(self, parent: RunRecord, choice: Postprocessing) -> None:
        """Make a new run of a finished one: what ``choice`` says of its vectors. It is saved and
        shown.

        Outcome: runs_changed and shown_changed, or message with an error.
        """
        self.keeping.make_vectors(parent, choice)

    def add(self, record: RunRecord) -> None:
        """Take a finished run into the list, and show it."""
        self.keeping.add(record)

    # -- looking

    @property
    def active_run(self) -> RunRecord | None:
        """The run that is looked at."""
        return self._looking.active_run

    @active_run.setter
    def active_run(self, record: RunRecord | None) -> None:
        self._looking.active_run = record

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors of the run that is looked at, None without one or while they are loaded."""
        if self.active_run is not None:
            return self.active_run.embeddings
        return None

    def show(self, record: RunRecord | None) -> None:
        """Make a run the one that panels look at; its vectors load in the background if needed."""
        self._looking.show(record)

    def last_looked_at(self, digest: str) -> RunRecord | None:
        """Of the runs that were trained on a corpus the one looked at last, else the newest; None
        without any.
        """
        return self._looking.last(digest)

    def keep(self, record: RunRecord, embeddings: Embeddings) -> None:
        """Keep vectors that a job read from the store beside what is shown, so that nobody reads
        them again.
        """
        if record.embeddings is None:
            record.embeddings = embeddings

    # -- selection and analogy

    @property
    def selection(self) -> tuple[str, ...]:
        """The words that are selected, the one picked last at the end."""
        return self._selecting.words

    def select(self, words: Sequence[str], add: bool = False) -> None:
        """Select words (replacing, or adding to, the selection). The last one is in focus."""
        self._selecting.select(words, add)

    @property
    def focus(self) -> str | None:
        """The word picked last."""
        if self.selection:
            return self.selection[-1]
        return None

    @property
    def analogy(self) -> AnalogyShown | None:
        """The analogy answered last, for the views that draw it."""
        return self._selecting.analogy

    @property
    def answered_analogy(self) -> AnalogyShown | None:
        """The same, or one of words that have no place on a map because no row of the vectors is
        theirs.
        """
        return self._selecting.answered_analogy

    def show_analogy(self, analogy: AnalogyShown | None, *, unseen: bool = False) -> None:
        """Say which analogy was answered last; None takes it back.

        ``unseen``: not all of its words are in the vocabulary, so it is ``answered`` but not
        ``analogy``.
        """
        self._selecting.show_analogy(analogy, unseen)

    # -- housekeeping

    def rename(self, record: RunRecord, name: str) -> None:
        """Give a run another name; an empty one changes nothing."""
        self.keeping.rename(record, name)

    def delete(self, record: RunRecord) -> None:
        """Move a run to the store's trash, from where ``undelete`` brings it back.

        One that trains is cancelled first.
        """
        self.keeping.delete(record)

    def undelete(self, record: RunRecord | None = None) -> None:
        """Bring back a run deleted in this sitting, or without a name the one deleted last."""
        self.keeping.undelete(record)

    @property
    def can_undelete(self) -> bool:
        return bool(self.keeping.deleted)

    def warm(self) -> None:
        """Begin compiling kernels and warming UMAP in child processes of low priority."""
        self._warming = True

    def pump(self) -> None:
        """Deliver results of jobs and notice changes of state. Called some 30 times a second."""
        if self.closed:
            return
        self.jobs.pump()
        self.recovery.tick()
        untold, self._untold = self._untold, []
        for text, hint, is_error in untold:
            self.message.emit(text, hint, is_error)
        training = self.training
        if training is not None and training.run is not None:
            phase = training.run.progress.phase
        else:
            phase = None
        if phase is not self._phase:
            self._phase = phase
            if phase is not None:
                self.runs_changed.emit()
        if self._warming and training is None and self.opening is None:
            self._warm_on()

    def close(self) -> None:
        """Cancel, join, save; no thread and no process remains."""
        if self.closed:
            return
        self.closed = True
        self.recovery.tick(now=True)
        self.queue.clear()
        self.warmer.interrupt()
        # Whatever waits for the map is woken by its end.
        self.umap.close()
        self.files.remember_failures(self.jobs.close())
        # After the states of trainings are written: another process would take what trained for one
        # that had not begun.
        self.recovery.close()
        if "clustering" in self.__dict__:
            self.clustering.close()

    def _warm_on(self) -> None:
        self.warmer.poll()
        if self.warmer.finished:
            self._warming = False
            self.umap.warm()

    def say_unsaved(self, error: UserError) -> None:
        if self._unkept is None:
            self.say(error)

    def say(self, error: UserError) -> None:
        self.message.emit(error.message, error.hint, True)
