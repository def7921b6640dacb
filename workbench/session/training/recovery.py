"""Trainings that the session offers: interrupted ones to continue, keep or discard, and trainings
in the queue of an earlier process to start or discard.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr, trn
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.corpus.controller import CorpusController
from workbench.session.corpus.counts_params import counts_behind
from workbench.session.corpus.opening import parse_remembered
from workbench.session.jobs import Jobs
from workbench.session.messages import Messages
from workbench.session.runs.journal_entries import (
    AbandonedQueue,
    InterruptedTraining,
    QueuedTraining,
)
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import INTERRUPTED, RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.training.controller import TrainingController
from workbench.session.training.request import TrainingRequest, TrainingSpec, queue_entry
from workbench.vectors.embeddings import Embeddings

# Minimum seconds between two writes: otherwise a grid of short trainings would write all the time.
_BETWEEN = 1.0


class Recovery:
    """Interrupted work in the journal of a session's store, and this session's entries in it.
    Belongs to the session's thread. ``changed()`` is emitted when the offered trainings change.

    interrupted, queues : the offered trainings, the oldest first
    problems : errors of damaged entries
    """

    def __init__(
        self,
        store: Store,
        jobs: Jobs,
        message: Messages,
        runs: RunLibrary,
        corpora: CorpusController,
        training: TrainingController,
    ) -> None:
        self.changed = Signal[()]()
        self._store = store
        self._jobs = jobs
        self._message = message
        self._runs = runs
        self._corpora = corpora
        self._training = training
        self._journal = store.journal
        self._requests: list[TrainingRequest] = []
        self._written: list[QueuedTraining] = []
        self._at = 0.0
        # Functions that wait for a corpus to open, the last of each kind.
        self._pending: dict[str, Callable[[], object]] = {}
        self.interrupted, self.problems = self._find_interrupted()
        begun = {entry.identifier for entry in self.interrupted}
        self.queues, damaged = self._journal.find_queues(
            lambda entry: entry.identifier in begun or store.holds(entry.identifier)
        )
        self.problems += damaged
        corpora.changed.connect(self._corpus_changed)
        training.enqueued.connect(self.add)
        training.finished.connect(self._training_finished)

    # -- this session's queue

    def add(self, requests: Sequence[TrainingRequest]) -> None:
        """Add requests that were put into the queue."""
        self._requests += requests

    def tick(self, *, now: bool = False) -> None:
        """Save unfinished trainings in their order; with ``now`` even if they were just saved."""
        if not self._requests and not self._written:
            return
        if not now and time.monotonic() - self._at < _BETWEEN:
            return
        self._requests = [
            request
            for request in self._requests
            if not (request.record.state.over or request.record.discarded)
        ]
        order = {id(record): at for at, record in enumerate(self._training.queue.waiting)}
        # Active trainings come first: they are offered if none of their states is found.
        entries = [
            queue_entry(each)
            for each in sorted(self._requests, key=lambda each: order.get(id(each.record), -1))
        ]
        if entries != self._written:
            self._journal.write_queue(entries)
            self._written, self._at = entries, time.monotonic()

    def close(self) -> None:
        """Leave the queue, as last saved by ``tick``, to the next session."""
        self._journal.close()

    # -- trainings of other processes

    def _training_finished(self, record: RunRecord) -> None:
        if record.state is State.FAILED:
            # Its last good state may have been saved and can be continued.
            self.refresh()

    def refresh(self) -> None:
        """Look for interrupted trainings again: one of this session may have failed."""
        entries, _ = self._find_interrupted()
        if entries != self.interrupted:
            self.interrupted = entries
            self.changed.emit()

    def keep(self, entry: InterruptedTraining) -> None:
        """Turn an interrupted training into a stopped run."""
        self._bring_back(entry, 0)

    def go_on(self, entry: InterruptedTraining) -> None:
        """Turn an interrupted training into a run, open its corpus if needed, and train the
        remaining epochs.
        """
        self._bring_back(entry, entry.remaining_passes)

    def train(self, queue: AbandonedQueue) -> None:
        """Queue the trainings again, on their corpus, which is opened if needed."""
        source, counted = queue.entries[0].source, None
        try:
            if not self._is_open(queue.corpus_digest):
                counted = counts_behind(source)
            if counted is not None:
                self._enqueue(queue, counted)
                return
        except UserError as error:
            self._message.report(error)
            return
        unknown = UserError(
            tr(
                "Couldn’t find {corpus}, the corpus of the queued runs.",
                corpus=queue.corpus_name,
            ),
            tr("Open the corpus, then choose Train again."),
        )
        self._do_on_corpus(
            queue.corpus_digest, source, "queue", lambda: self._enqueue_on_open(queue), unknown
        )

    def discard(self, entry: InterruptedTraining | AbandonedQueue) -> bool:
        """Discard an entry, and return whether that succeeded; ``undiscard`` restores it."""
        well = self._attempt(lambda: self._journal.discard(entry))
        if well or isinstance(entry, InterruptedTraining):
            self._drop(entry)
        return well

    def undiscard(self, entry: InterruptedTraining | AbandonedQueue) -> None:
        well = self._attempt(lambda: self._journal.undiscard(entry))
        if isinstance(entry, InterruptedTraining):
            self.refresh()
        elif well:
            self.queues.append(entry)
            self.changed.emit()

    # -- interrupted trainings

    def _find_interrupted(self) -> tuple[list[InterruptedTraining], list[UserError]]:
        entries, problems = self._journal.find_interrupted()
        for entry in entries:
            if self._store.holds(entry.identifier):
                # The process ended between saving the run and removing its states.
                self._journal.forget(entry.identifier)
        return [entry for entry in entries if not self._store.holds(entry.identifier)], problems

    def _bring_back(self, entry: InterruptedTraining, passes: int) -> None:
        self._drop(entry)
        name, colour = unused_name(entry.name, self._runs), free_colour(self._runs)
        self._jobs.start(
            tr("Restoring {name}", name=entry.name),
            lambda run: bring_back(self._store, entry, name, colour, run),
            lambda restored: self._run_restored(*restored, passes),
            self._restoring_failed,
        )

    def _run_restored(self, record: RunRecord, embeddings: Embeddings, passes: int) -> None:
        record.embeddings = embeddings
        record.stored = True
        self._runs.add(record)
        if not passes:
            return
        if record.corpus_name:
            hint = tr(
                "Open {name}, then choose Continue training… in the menu of the run.",
                name=record.corpus_name,
            )
        else:
            hint = tr("Open the corpus, then choose Continue training… in the menu of the run.")
        unknown = UserError(
            tr(
                "Couldn’t find the corpus of “{name}”.",
                name=record.name,
            ),
            hint,
        )
        self._do_on_corpus(
            record.corpus_digest,
            record.summary.get("source"),
            "interrupted",
            lambda: self._training.continue_run(record, passes),
            unknown,
        )

    def _restoring_failed(self, error: UserError) -> None:
        self._message.report(error)
        self.refresh()

    # -- queues

    def _enqueue_on_open(self, queue: AbandonedQueue) -> None:
        corpus = self._corpora.current
        if corpus is None:
            return
        if corpus.digest != queue.corpus_digest:
            raise UserError(
                tr(
                    "{corpus} isn’t the corpus of the queued runs, or it has changed.",
                    corpus=corpus.name,
                ),
                tr("Nothing was trained. The queued runs are still available."),
            )
        self._enqueue(queue, corpus)

    def _enqueue(self, queue: AbandonedQueue, corpus: Corpus) -> None:
        taken = self._journal.take_queue(queue)
        self._drop(queue)
        problems: list[UserError] = []
        requests: list[TrainingRequest] = []
        for entry in taken:
            try:
                requests.append(self._request(entry, corpus))
            except UserError as error:
                problems.append(error)
        if requests:
            self._training.enqueue(requests)
            # The trainings are no longer in any other file.
            self.tick(now=True)
        if not taken:
            raise UserError(
                tr("These queued runs no longer exist."),
                tr("Another window may have trained these runs."),
            )
        if problems:
            message = trn(
                "Couldn’t restore {number:,} queued run: {message}",
                "Couldn’t restore {number:,} queued runs: {message}",
                len(problems),
                message=problems[0].message,
            )
            raise UserError(message, problems[0].hint)

    def _request(self, entry: QueuedTraining, corpus: Corpus) -> TrainingRequest:
        """The request of a queued training. Raises UserError if its algorithm, its settings or the
        run it continues no longer exist.
        """
        kind = MODELS[entry.algorithm]
        params = kind.params_type.from_mapping(entry.parameters)
        parent = None
        if entry.parent:
            parent = next((run for run in self._runs if run.identifier == entry.parent), None)
            if parent is None:
                raise UserError(
                    tr(
                        "The run that “{name}” was to continue no longer exists.",
                        name=entry.name,
                    ),
                    tr("Train from the start instead."),
                )
            self._training.parent_of(parent).check(corpus)
        spec = TrainingSpec(
            kind.key,
            params,
            unused_name(entry.name, self._runs),
            show=entry.show,
            group=entry.group,
            parent=parent,
            origin=entry.origin,
        )
        return self._training.request(spec, corpus, entry.source)

    # -- both

    def _is_open(self, digest: str) -> bool:
        return self._corpora.current is not None and self._corpora.digest == digest

    def _do_on_corpus(
        self, digest: str, source: Any, key: str, train: Callable[[], object], unknown: UserError
    ) -> None:
        """Call ``train`` once a corpus is open; report ``unknown`` if the source can’t be
        parsed.
        """
        if self._is_open(digest):
            self._attempt(train)
            return
        wanted = None
        if isinstance(source, Mapping):
            wanted = parse_remembered({**source, "digest": digest})
        if wanted is None:
            self._message.report(unknown)
            return
        self._pending[key] = train
        self._corpora.reopen(wanted)

    def _corpus_changed(self) -> None:
        if self._corpora.opening is not None:
            return
        pending, self._pending = self._pending, {}
        if self._corpora.error is None:
            for train in pending.values():
                self._attempt(train)

    def _attempt(self, action: Callable[[], object]) -> bool:
        """Call ``action``, report a UserError, and return whether it succeeded."""
        try:
            action()
        except UserError as error:
            self._message.report(error)
            return False
        return True

    def _drop(self, entry: InterruptedTraining | AbandonedQueue) -> None:
        self.interrupted = [other for other in self.interrupted if other is not entry]
        self.queues = [other for other in self.queues if other is not entry]
        self.changed.emit()


def bring_back(
    store: Store, entry: InterruptedTraining, name: str, colour: int, run: JobControl
) -> tuple[RunRecord, Embeddings]:
    """In a job: save the interrupted training as a run. A UserError changes nothing."""
    run.enter(Phase.READING, tr("Loading the saved state of {name}", name=entry.name))
    record, embeddings = store.journal.take_interrupted(entry)
    record.name, record.colour = name, colour
    record.summary = {**record.summary, "source": dict(entry.source), INTERRUPTED: entry.progress}
    run.enter(Phase.SAVING, tr("Saving the run"))
    store.save(record, embeddings)
    store.journal.forget(entry.identifier)
    return record, embeddings
