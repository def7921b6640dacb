"""Queue of trainings: their order, whether the queue is paused, and when each training will end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.jobs import Jobs
from workbench.session.runs.run_library import RunLibrary
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.selection.undo import Undo
from workbench.session.training.memory_check import cost
from workbench.session.training.request import TrainingRequest

_KEY = "session.queue"


@dataclass(frozen=True)
class QueueEntry:
    """One active or waiting training. ``ends``: seconds until it ends, None if unknown.

    aside : it had started, and is paused in favour of one that was started before its turn
    """

    record: RunRecord
    seconds: float | None
    ends: float | None
    aside: bool = False


class Trainer(Protocol):
    """The part of the session that runs the trainings of a queue."""

    finished: Signal[RunRecord]

    @property
    def current(self) -> RunRecord | None: ...
    def begin(self, request: TrainingRequest) -> None: ...
    def begin_next(self) -> None: ...
    def pause(self, record: RunRecord) -> None: ...
    def resume(self, record: RunRecord) -> None: ...
    def cancel(self, record: RunRecord) -> None: ...


class Queue:
    """Trainings that wait behind the active one. Belongs to the session's thread.

    ``changed()`` is emitted when the order, the pause or an estimate changes. While the queue is
    ``paused``, the active training continues, and no other one starts.
    """

    def __init__(self, trainer: Trainer, runs: RunLibrary, jobs: Jobs, undo: Undo) -> None:
        self.changed = Signal[()]()
        self.paused = False
        self._trainer = trainer
        self._runs = runs
        self._jobs = jobs
        self._undo = undo
        self._waiting: list[TrainingRequest] = []
        # Runs paused in favour of others; the last one continues next.
        self._aside: list[RunRecord] = []
        self._seconds: dict[str, float | None] = {}

    # -- for the session

    @property
    def requests(self) -> tuple[TrainingRequest, ...]:
        """Requests in the order in which they start."""
        return tuple(self._waiting)

    def add(self, *requests: TrainingRequest) -> None:
        """Add to the end of the queue."""
        self._waiting += requests
        self._estimate([one for one in self._waiting if one.record.identifier not in self._seconds])
        self.changed.emit()

    def is_aside(self, record: RunRecord) -> bool:
        return record in self._aside

    def take(self) -> TrainingRequest | None:
        """The next training to start, if any; continues a paused one instead, if there is one."""
        while self._aside:
            record = self._aside.pop()
            if not record.state.over:
                self._trainer.resume(record)
                self.changed.emit()
                return None
        if self.paused or not self._waiting:
            return None
        request = self._waiting.pop(0)
        self.changed.emit()
        return request

    def drop(self, record: RunRecord) -> None:
        """Remove a training that was cancelled or has ended."""
        self._seconds.pop(record.identifier, None)
        self._aside = [other for other in self._aside if other is not record]
        self._waiting = [request for request in self._waiting if request.record is not record]
        # The duration of the ended training corrects the estimates of the others.
        self._estimate(self._waiting)
        self.changed.emit()

    def clear(self) -> None:
        self._waiting.clear()
        self._aside.clear()

    # -- for users

    @property
    def waiting(self) -> tuple[RunRecord, ...]:
        return tuple(request.record for request in self._waiting)

    def pause(self, paused: bool = True) -> None:
        """Pause the queue, or let waiting trainings start again."""
        if paused != self.paused:
            self.paused = paused
            self._trainer.begin_next()
            self._runs.changed.emit()
            self.changed.emit()

    def move(self, record: RunRecord, place: int) -> None:
        """Move a waiting training to a position, from 0; positions beyond the ends are clipped."""
        at = next((at for at, request in enumerate(self._waiting) if request.record is record), -1)
        place = min(max(place, 0), len(self._waiting) - 1)
        if at < 0 or at == place:
            return
        self._waiting.insert(place, self._waiting.pop(at))
        self._undo.push(
            tr("order of “{name}” in the queue", name=record.name),
            lambda: self.move(record, at),
            lambda: self.move(record, place),
        )
        self.changed.emit()

    def start_now(self, record: RunRecord) -> None:
        """Start a waiting training at once, even in a paused queue; the active training is paused
        until it has ended.
        """
        request = next((request for request in self._waiting if request.record is record), None)
        if request is None:
            return
        training = self._trainer.current
        if training is not None:
            self._trainer.pause(training)
            self._aside.append(training)
        self._waiting.remove(request)
        self._trainer.begin(request)
        self._runs.changed.emit()
        self.changed.emit()

    def cancel(self, records: Sequence[RunRecord]) -> None:
        """Remove several entries: first the waiting ones, so that none starts, then the running
        one.
        """
        waiting = [record for record in records if record.state is State.WAITING]
        self._waiting = [request for request in self._waiting if request.record not in waiting]
        for record in waiting:
            record.discarded = True
            record.run, record.state = None, State.CANCELLED
            self._seconds.pop(record.identifier, None)
        if waiting:
            # Emitted once for all runs: every panel updates each time.
            self._runs.changed.emit()
            self.changed.emit()
            for record in waiting:
                self._trainer.finished.emit(record)
        for record in records:
            self._trainer.cancel(record)

    # -- when each ends

    def turns(self) -> list[QueueEntry]:
        """Active, paused and waiting trainings, in the order in which they end."""
        turns: list[QueueEntry] = []
        end: float | None = 0.0
        training = self._trainer.current
        under_way = ([training] if training is not None else []) + self._aside[::-1]
        for record in under_way:
            left = seconds_left(record, self._seconds.get(record.identifier))
            end = None if end is None or left is None else end + left
            turns.append(QueueEntry(record, left, end, record is not training))
        for request in self._waiting:
            seconds = self._seconds.get(request.record.identifier)
            end = None if end is None or seconds is None or self.paused else end + seconds
            turns.append(QueueEntry(request.record, seconds, end))
        return turns

    def _estimate(self, requests: Sequence[TrainingRequest]) -> None:
        """Start a job that estimates how long each training takes."""
        if requests:
            self._jobs.start(
                tr("Estimating the queue"),
                partial(_seconds_of, tuple(requests)),
                self._estimates_arrived,
                key=_KEY,
                quiet=True,
            )

    def _estimates_arrived(self, found: Mapping[str, float | None]) -> None:
        known = {turn.record.identifier for turn in self.turns()}
        self._seconds |= {
            identifier: seconds for identifier, seconds in found.items() if identifier in known
        }
        self.changed.emit()


def seconds_left(record: RunRecord, estimated: float | None) -> float | None:
    """Remaining seconds of a training, by its own pace or, until that is known, by the estimate."""
    progress = record.run.progress if record.run is not None else None
    if progress is None:
        return None
    if progress.phase is Phase.TRAINING and progress.seconds_left is not None:
        return progress.seconds_left
    if progress.phase is Phase.SAVING:
        return 0.0
    return estimated


def failure(record: RunRecord, error: UserError, queue: Queue) -> UserError:
    """Message about a failed training while others wait."""
    if not queue.waiting:
        return error
    if not queue.paused:
        follows = tr("Training continues with “{name}”.", name=queue.waiting[0].name)
    else:
        follows = tr("The queue is paused.")
    return UserError(
        tr("“{name}” failed: {message}", name=record.name, message=error.message),
        f"{error.hint} {follows}".strip(),
    )


def _seconds_of(requests: Sequence[TrainingRequest], run: JobControl) -> dict[str, float | None]:
    """In a job: seconds by identifier; None if unknown, or if the training isn’t possible."""
    found: dict[str, float | None] = {}
    for request in requests:
        run.check()
        try:
            kind = MODELS[request.record.algorithm]
            found[request.record.identifier] = cost(
                kind, request.spec.params, request.corpus
            ).seconds
        except UserError:
            found[request.record.identifier] = None
    return found
