"""Part of the session that queues and runs trainings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.base import MODELS, Model, ModelParams
from workbench.models.postprocessing_params import VectorParams
from workbench.session.runs.names import free_colour, numbered_name, unused_name
from workbench.session.runs.run_record import INTERRUPTED, RunRecord, State, new_identifier, now
from workbench.session.training.continuation import Parent, name_of, parent_of
from workbench.session.training.from_counts import check, counts_behind, source_of
from workbench.session.training.history import RecordedRun, TrainingHistory
from workbench.session.training.job import TrainingRequest, TrainingResult, train_and_keep
from workbench.session.training.queue import failure
from workbench.session.training.train_api import not_trained

if TYPE_CHECKING:
    from workbench.session.session import Session


class TrainingController:
    """Belongs to the session's thread; what waits stands in the session's queue."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def train(
        self, algorithm: str, params: ModelParams, name: str, show: bool, anyway: bool
    ) -> RunRecord:
        kind, runs = MODELS[algorithm], self._session.runs
        if self._session.corpus is None:
            raise not_trained(kind.title)
        return self._queue_one(
            kind, params, name or numbered_name(kind.short, runs), show, anyway=anyway
        )

    def train_from_counts(
        self,
        counted: CountedCorpus,
        algorithm: str,
        params: ModelParams,
        name: str,
        show: bool,
        anyway: bool,
    ) -> RunRecord:
        kind, runs = MODELS[algorithm], self._session.runs
        name = name or numbered_name(kind.short, runs)
        return self._queue_one(kind, params, name, show, anyway=anyway, counted=counted)

    def train_all(
        self, algorithm: str, wanted: Sequence[tuple[str, ModelParams]], group: str
    ) -> list[RunRecord]:
        kind = MODELS[algorithm]
        if self._session.corpus is None:
            raise not_trained(kind.title)
        for _, params in wanted:
            check(self._session.corpus, kind, params)
        corpus, source = self._session.corpus, self._session.source
        requests = [
            self.request(kind, params, name, corpus, source, show=False, group=group)
            for name, params in wanted
        ]
        self.enqueue(requests)
        return [request.record for request in requests]

    def train_on(self, record: RunRecord, passes: int, learning_rate: float | None) -> RunRecord:
        parent = self.parent_of(record)
        corpus = self._session.corpus
        counted = None
        if corpus is None or corpus.digest != parent.corpus_digest:
            counted = counts_behind(record.summary.get("source"))
            corpus = counted or corpus
        if corpus is None:
            raise not_trained(parent.kind.title)
        parent.check(corpus)
        params = parent.further(passes, learning_rate)
        name = unused_name(name_of(record.name, passes), self._session.runs)
        # What an interrupted run of a grid still lacks belongs to the grid.
        if INTERRUPTED in record.summary:
            group = record.group
        else:
            group = ""
        return self._queue_one(
            parent.kind, params, name, True, record, parent.origin, group=group, counted=counted
        )

    def parent_of(self, record: RunRecord) -> Parent:
        if not record.has_vectors:
            raise UserError(
                tr("“{name}” has no vectors to go on with.", name=record.name),
                tr("Train it again."),
            )
        known = dict(record.summary)
        if record.algorithm:
            # A run made of another one asks for what was made.
            known["parameters"] = record.parameters
        return parent_of(known, record.trace, name=record.name, identifier=record.identifier)

    # -- what is asked for

    def _queue_one(
        self,
        kind: type[Model],
        params: ModelParams,
        name: str,
        show: bool,
        parent: RunRecord | None = None,
        origin: Mapping[str, Any] | None = None,
        anyway: bool = False,
        group: str = "",
        counted: CountedCorpus | None = None,
    ) -> RunRecord:
        session = self._session
        corpus = counted or session.corpus
        assert corpus is not None
        if counted is None:
            source = session.source
        else:
            source = source_of(counted)
        request = self.request(
            kind,
            params,
            name,
            corpus,
            source,
            show=show,
            parent=parent,
            origin=origin,
            anyway=anyway,
            group=group,
            elsewhere=counted is not None,
        )
        self.enqueue([request])
        return request.record

    def request(
        self,
        kind: type[Model],
        params: ModelParams,
        name: str,
        corpus: Corpus,
        source: Mapping[str, Any],
        *,
        show: bool,
        parent: RunRecord | None = None,
        origin: Mapping[str, Any] | None = None,
        anyway: bool = False,
        group: str = "",
        elsewhere: bool = False,
    ) -> TrainingRequest:
        """A training in the list of runs as one that is to wait; ``enqueue`` has it wait. Raises
        UserError where counts do not suffice for it.
        """
        session = self._session
        check(corpus, kind, params)
        history = TrainingHistory(params.choice() if isinstance(params, VectorParams) else None)
        record = RunRecord(
            identifier=new_identifier(),
            name=name,
            algorithm=kind.key,
            parameters=params.to_dict(),
            corpus_name=corpus.name,
            corpus_digest=corpus.digest,
            created=now(),
            colour=free_colour(session.runs),
            run=RecordedRun(history),
            group=group,
            history=history,
            # Where its loss begins is asked for while it trains.
            summary={} if origin is None else {"continued": origin},
        )
        session.runs.append(record)
        return TrainingRequest(
            record, corpus, params, show, parent, origin, source, anyway, elsewhere
        )

    def enqueue(self, requests: Sequence[TrainingRequest]) -> None:
        """Behind all that wait; the first begins if nothing trains."""
        self._session.recovery.add(requests)
        self._session.queue.add(*requests)
        self.begin_next()
        self._session.runs_changed.emit()

    # -- while it is under way

    @property
    def current(self) -> RunRecord | None:
        session = self._session
        under_way = (r for r in reversed(session.runs) if r.state in (State.TRAINING, State.PAUSED))
        return next((record for record in under_way if not session.queue.is_aside(record)), None)

    def pause(self, record: RunRecord) -> None:
        if record.state is State.TRAINING and record.run is not None:
            record.run.pause()
            record.state = State.PAUSED
            self._session.runs_changed.emit()

    def resume(self, record: RunRecord) -> None:
        if record.state is State.PAUSED and record.run is not None:
            record.run.resume()
            record.state = State.TRAINING
            self._session.runs_changed.emit()

    def stop(self, record: RunRecord) -> None:
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
        if record.run is None or record.state.over:
            return
        record.discarded = True
        record.run.cancel()
        if record.state is State.WAITING:
            self._session.queue.drop(record)
            self._end(record, State.CANCELLED)

    # -- its beginning and its end

    def begin_next(self) -> None:
        if self._session.closed or self.current is not None:
            return
        request = self._session.queue.take()
        if request is not None:
            self.begin(request)

    def begin(self, request: TrainingRequest) -> None:
        session, record = self._session, request.record
        record.state = State.TRAINING
        session.warmer.interrupt()
        session.jobs.start(
            tr("Training {name}", name=record.name),
            lambda run: train_and_keep(request, session.store, run),
            lambda trained: self._training_finished(record, trained, request),
            lambda error: self._end(record, State.FAILED, error),
            run=record.run,
            cancelled=lambda: self._end(record, State.CANCELLED),
        )

    def _training_finished(
        self, record: RunRecord, trained: TrainingResult, request: TrainingRequest
    ) -> None:
        session = self._session
        record.embeddings = trained.embeddings
        record.summary = trained.summary
        record.stored = trained.not_saved is None
        if trained.not_saved is not None:
            session.say_unsaved(trained.not_saved)
        elif record.marks != trained.marks:
            session.marking.keep(record)
        self._end(record, trained.state, trained.problem)
        if record not in session.runs and record.stored:
            # Deleted when it was too late to cancel it.
            session.keeping.trash(record)
            record.embeddings = None
        # Whoever looks at something newer meanwhile is not interrupted.
        newer = session.active_run is None or (
            request.show and session.active_run.identifier < record.identifier
        )
        # Nor whoever reads another text by now.
        here = (
            request.elsewhere
            or session.corpus is None
            or session.corpus.digest == record.corpus_digest
        )
        if record in session.runs and newer and here:
            session.show(record)
        elif record.group and record.stored:
            # The vectors of a hundred runs that nobody looks at would fill the memory.
            record.embeddings = None

    def _end(self, record: RunRecord, state: State, error: UserError | None = None) -> None:
        session = self._session
        record.saved_trace = record.trace
        record.run = None
        session.keeping.trim_histories()
        record.state = state
        record.error = error
        session.queue.drop(record)
        if error is not None and state is State.FAILED:
            error = failure(record, error, session.queue)
        self.begin_next()
        session.runs_changed.emit()
        session.run_finished.emit(record)
        if error is not None:
            session.say(error)
        if state is State.FAILED:
            # Its last good state may be there to go on from.
            session.recovery.refresh()
