"""Trainings of the session: starting, continuing, pausing, stopping and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.params import VectorParams
from workbench.session.corpus.controller import CorpusController
from workbench.session.corpus.counts_params import check, counts_behind, source_of
from workbench.session.jobs import Jobs
from workbench.session.kernel_compiler import Warmer
from workbench.session.messages import Messages
from workbench.session.runs.active_run import ActiveRun
from workbench.session.runs.history import RecordedRun, TrainingHistory
from workbench.session.runs.lesson_notes import is_of_lesson
from workbench.session.runs.names import free_colour, numbered_name, unused_name
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import INTERRUPTED, RunRecord, State, new_identifier, now
from workbench.session.runs.store import Store
from workbench.session.selection.undo import Undo
from workbench.session.training.continuation import Parent, name_of, parent_of
from workbench.session.training.grid import Grids
from workbench.session.training.job import TrainingResult, train_and_keep
from workbench.session.training.queue import Queue, failure
from workbench.session.training.request import TrainingRequest, TrainingSpec
from workbench.session.training.train_api import not_trained
from workbench.session.training.watched import Watched

# Phases of a training during which other kernels should hardly be compiled.
_BUSY = (Phase.COUNTING, Phase.TRAINING, Phase.SAVING)


class TrainingController:
    """Queues trainings and runs them one at a time, in the session's thread.

    queue : the waiting trainings
    grids : trainings that belong together
    watched : the training that panels show in place of the active run
    finished : a training ended, in whatever state
    enqueued : trainings were put into the queue
    """

    def __init__(
        self,
        store: Store,
        jobs: Jobs,
        undo: Undo,
        message: Messages,
        runs: RunLibrary,
        active: ActiveRun,
        corpora: CorpusController,
    ) -> None:
        self.finished = Signal[RunRecord]()
        self.enqueued = Signal[Sequence[TrainingRequest]]()
        self.warmer = Warmer()
        self.queue = Queue(self, runs, jobs, undo)
        self.watched = Watched(active, lambda: self.current)
        self.grids = Grids(self.start_all, self.finished, self.queue, runs, message)
        self._store = store
        self._jobs = jobs
        self._message = message
        self._runs = runs
        self._active = active
        self._corpora = corpora
        self._phase: Phase | None = None
        runs.removing.connect(self.cancel)

    # -- new trainings

    def start(self, spec: TrainingSpec) -> RunRecord:
        """Queue a training on the open corpus, or from the counts of the specification. Trainings
        run one at a time.

        Raises UserError without a corpus, and if the algorithm cannot be trained from counts.
        """
        return self.start_all([spec])[0]

    def start_all(self, specs: Sequence[TrainingSpec]) -> list[RunRecord]:
        """Queue all of several trainings, or none and raise as ``start`` does."""
        for spec in specs:
            check(self._corpus_for(spec), MODELS[spec.algorithm], spec.params)
        requests = []
        for spec in specs:
            source = self._corpora.source if spec.counts is None else source_of(spec.counts)
            requests.append(self.request(spec, self._corpus_for(spec), source))
        self.enqueue(requests)
        return [request.record for request in requests]

    def continue_run(
        self, record: RunRecord, passes: int, learning_rate: float | None = None
    ) -> RunRecord:
        """Queue a new run that continues another for ``passes`` more epochs, starting with this
        learning rate (None: the rate that a longer training would have at that point).

        Raises UserError if another corpus is open or the run cannot be continued.
        """
        parent = self.parent_of(record)
        corpus = self._corpora.current
        counts = None
        if corpus is None or corpus.digest != parent.corpus_digest:
            counts = counts_behind(record.summary.get("source"))
            corpus = counts or corpus
        if corpus is None:
            raise not_trained(parent.kind.title)
        parent.check(corpus)
        # The rest of an interrupted run of a grid belongs to the grid.
        group = record.group if INTERRUPTED in record.summary else ""
        spec = TrainingSpec(
            parent.kind.key,
            parent.further(passes, learning_rate),
            unused_name(name_of(record.name, passes), self._runs),
            group=group,
            counts=counts,
            parent=record,
            origin=parent.origin,
        )
        return self.start(spec)

    def parent_of(self, record: RunRecord) -> Parent:
        """The run as the parent of a continuation. Raises UserError if the run cannot be
        continued.
        """
        if not record.has_vectors:
            raise UserError(
                tr("Can’t continue “{name}”: it has no vectors.", name=record.name),
                tr("Train the run again."),
            )
        known = dict(record.summary)
        if record.algorithm:
            # The parameters of a derived run include its postprocessing.
            known["parameters"] = record.parameters
        return parent_of(known, record.trace, name=record.name, identifier=record.identifier)

    def _corpus_for(self, spec: TrainingSpec) -> Corpus:
        corpus = spec.counts or self._corpora.current
        if corpus is None:
            raise not_trained(MODELS[spec.algorithm].title)
        return corpus

    def request(
        self, spec: TrainingSpec, corpus: Corpus, source: Mapping[str, Any]
    ) -> TrainingRequest:
        """A training with its run in the library; ``enqueue`` puts it into the queue. Raises
        UserError if it cannot be trained from counts.
        """
        kind, params = MODELS[spec.algorithm], spec.params
        check(corpus, kind, params)
        history = TrainingHistory(params.choice() if isinstance(params, VectorParams) else None)
        record = RunRecord(
            identifier=new_identifier(),
            name=spec.name or numbered_name(kind.short, self._runs),
            algorithm=kind.key,
            parameters=params.to_dict(),
            corpus_name=corpus.name,
            corpus_digest=corpus.digest,
            created=now(),
            colour=free_colour(self._runs),
            run=RecordedRun(history),
            group=spec.group,
            history=history,
            # Needed during the training for the start of its loss.
            summary={} if spec.origin is None else {"continued": spec.origin},
        )
        self._runs.append(record)
        return TrainingRequest(record, corpus, spec, source)

    def enqueue(self, requests: Sequence[TrainingRequest]) -> None:
        """Add to the end of the queue; the first training starts if none is running."""
        self.enqueued.emit(requests)
        self.queue.add(*requests)
        self.begin_next()
        self._runs.changed.emit()

    # -- active trainings

    @property
    def current(self) -> RunRecord | None:
        """The run that trains or is paused now, but no run that is paused in favour of one that was
        started before its turn.
        """
        under_way = (r for r in reversed(self._runs) if r.state in (State.TRAINING, State.PAUSED))
        return next((record for record in under_way if not self.queue.is_aside(record)), None)

    def pause(self, record: RunRecord) -> None:
        if record.state is State.TRAINING and record.run is not None:
            record.run.pause()
            record.state = State.PAUSED
            self._runs.changed.emit()

    def resume(self, record: RunRecord) -> None:
        if record.state is State.PAUSED and record.run is not None:
            record.run.resume()
            record.state = State.TRAINING
            self._runs.changed.emit()

    def stop(self, record: RunRecord) -> None:
        """Stop a training now and keep its vectors; a waiting or counting one is cancelled."""
        if record.run is None or record.state.over:
            return
        iterative = record.algorithm in MODELS and bool(MODELS[record.algorithm].loss_label)
        begun = record.run.progress.phase in (Phase.TRAINING, Phase.SAVING)
        if not (iterative and begun):
            self.cancel(record)
            return
        record.run.stop()
        self.resume(record)

    def cancel(self, record: RunRecord) -> None:
        """Stop a training and discard its result."""
        if record.run is None or record.state.over:
            return
        record.discarded = True
        record.run.cancel()
        if record.state is State.WAITING:
            self.queue.drop(record)
            self._end(record, State.CANCELLED)

    def poll_phase(self) -> None:
        """Announce that the current training has entered another phase."""
        training = self.current
        phase = None
        if training is not None and training.run is not None:
            phase = training.run.progress.phase
        if phase in _BUSY:
            self.warmer.make_way()
        if phase is self._phase:
            return
        self._phase = phase
        if phase is not None:
            self._runs.changed.emit()

    # -- start and end of a training

    def begin_next(self) -> None:
        """Start the first waiting training, unless one is active or the queue is paused."""
        if self._jobs.closed or self.current is not None:
            return
        request = self.queue.take()
        if request is not None:
            self.begin(request)

    def begin(self, request: TrainingRequest) -> None:
        """Start a training now; the queue calls it."""
        record = request.record
        record.state = State.TRAINING
        self._jobs.start(
            tr("Training {name}", name=record.name),
            lambda run: train_and_keep(request, self._store, run),
            lambda trained: self._training_finished(record, trained, request.spec),
            lambda error: self._end(record, State.FAILED, error),
            run=record.run,
            cancelled=lambda: self._end(record, State.CANCELLED),
        )

    def _training_finished(
        self, record: RunRecord, trained: TrainingResult, spec: TrainingSpec
    ) -> None:
        record.embeddings = trained.embeddings
        record.summary = trained.summary
        record.stored = trained.not_saved is None
        if trained.not_saved is not None:
            self._runs.report_unsaved(trained.not_saved)
        elif record.marks != trained.marks:
            self._runs.save_annotations(record)
        self._end(record, trained.state, trained.problem)
        if record not in self._runs and record.stored:
            # The run was deleted when it was too late to cancel the training.
            self._runs.trash(record)
            record.embeddings = None
        # Don’t interrupt a user who meanwhile looks at a newer run.
        newer = self._active.run is None or (
            spec.show and self._active.run.identifier < record.identifier
        )
        # Nor a user who has opened another text.
        here = spec.counts is not None or self._corpora.digest in ("", record.corpus_digest)
        if record in self._runs and newer and here:
            self._active.show(record, remember=not is_of_lesson(record.note))
        elif record.group and record.stored:
            # The vectors of a hundred runs that aren’t shown would fill the memory.
            record.embeddings = None

    def _end(self, record: RunRecord, state: State, error: UserError | None = None) -> None:
        record.saved_trace = record.trace
        record.run = None
        self._runs.trim_histories()
        record.state = state
        record.error = error
        self.queue.drop(record)
        if error is not None and state is State.FAILED:
            error = failure(record, error, self.queue)
        self.begin_next()
        self._runs.changed.emit()
        self.finished.emit(record)
        if error is not None:
            self._message.report(error)
