"""Progress, phases, pausing and cancelling of one long job.

A :class:`JobControl` is a worker's only connection to the outside: the worker announces phases and
progress, appends to the loss trace, publishes snapshots, and calls :meth:`JobControl.check` often.
Readers poll; one assignment replaces each published value, so reading needs no lock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import Cancelled


class Phase(StrEnum):
    """Phases of a run, in their usual order."""

    WAITING = "waiting"
    READING = "reading"
    COUNTING = "counting"
    COMPILING = "compiling"
    TRAINING = "training"
    SAVING = "saving"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        return self in (Phase.DONE, Phase.CANCELLED, Phase.FAILED)


@dataclass(frozen=True)
class Progress:
    """Progress of a job at one moment. ``fraction`` is the completed share of the phase, in 0..1,
    None if unknown.

    ``rate`` is in ``unit`` per second. ``note`` is a short sentence for users.
    """

    phase: Phase = Phase.WAITING
    fraction: float | None = None
    note: str = ""
    rate: float | None = None
    unit: str = ""
    seconds_left: float | None = None
    details: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Trace:
    """The loss so far.

    progress : float64[n], completed share of the training, increasing within 0..1
    loss : float64[n], mean of the objective since the last point, in nats
    seconds : float64[n], time since the start of training
    error : float64[n], standard error of ``loss`` as an estimate of the mean over a whole pass with
    the vectors of that moment; 0 if every term was summed
    """

    progress: npt.NDArray[np.float64]
    loss: npt.NDArray[np.float64]
    seconds: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.progress)


_EMPTY = Trace(*(np.empty(0) for _ in range(4)))


# Kinds of a final loss: the objective of the result itself; the mean over the last epoch; the
# objective before the last step of a training with full-batch steps; the last point of the trace,
# for runs that are training or were saved by version 0.1.0.
OBJECTIVE, LAST_EPOCH, LAST_STEP, LAST_POINT = "objective", "last epoch", "last step", "last point"


@dataclass(frozen=True)
class FinalLoss:
    """The loss that a training ended with, in the unit of its trace.

    kind : OBJECTIVE, LAST_EPOCH, LAST_STEP or LAST_POINT
    error : its standard error; 0 if every term was summed, None if unknown
    epochs : number of epochs that it covers: 1, or less if the training was stopped earlier
    """

    value: float
    kind: str
    error: float | None = None
    epochs: float = 1.0


class JobControl:
    """One piece of long work: phase, progress, pause, stop, cancel, loss trace, snapshots.

    The worker calls ``enter``, ``advance``, ``record``, ``publish`` and ``check``; any thread may
    read ``progress``, ``trace`` and ``latest`` and call ``pause``, ``resume``, ``stop`` and
    ``cancel``. ``stop`` asks an iterative trainer to end now and keep its result; ``cancel``
    discards it.
    """

    def __init__(self) -> None:
        self.progress = Progress()
        self.trace = _EMPTY
        self.final: FinalLoss | None = None
        self.seconds: dict[str, float] = {}
        self._published: dict[str, Any] = {}
        self._points: list[tuple[float, float, float, float]] = []
        self._go = threading.Event()
        self._go.set()
        self._cancelled = threading.Event()
        self._stopping = threading.Event()
        self._entered = time.perf_counter()
        self._paused_for = 0.0
        self._snapshot_wanted = threading.Event()

    # -- for the worker

    def enter(self, phase: Phase, note: str = "") -> None:
        """Start a phase; the duration of the last one is stored in ``seconds`` under its name."""
        now = time.perf_counter()
        last = self.progress.phase
        if last not in (Phase.WAITING, Phase.DONE, Phase.CANCELLED, Phase.FAILED):
            self.seconds[last.value] = (
                self.seconds.get(last.value, 0.0) + now - self._entered - self._paused_for
            )
        self._entered = now
        self._paused_for = 0.0
        self.progress = Progress(phase=phase, note=note)

    def advance(
        self,
        fraction: float | None,
        note: str = "",
        *,
        rate: float | None = None,
        unit: str = "",
        **details: float,
    ) -> None:
        """Report the progress of the phase, from which the remaining time is estimated."""
        left = None
        if fraction is not None and fraction > 0.01:
            elapsed = self.phase_seconds()
            left = elapsed * (1.0 - fraction) / fraction
        self.progress = Progress(
            phase=self.progress.phase,
            fraction=None if fraction is None else min(max(fraction, 0.0), 1.0),
            note=note or self.progress.note,
            rate=rate,
            unit=unit,
            seconds_left=left,
            details=MappingProxyType(details),
        )

    def phase_seconds(self) -> float:
        """Seconds since the start of the phase, without pauses."""
        return time.perf_counter() - self._entered - self._paused_for

    def check(self) -> None:
        """Wait while paused; raise Cancelled once cancelled. Call every 20 to 50 ms of work."""
        if not self._go.is_set() and not self._cancelled.is_set():
            began = time.perf_counter()
            while not self._go.wait(0.05):
                if self._cancelled.is_set() or self._stopping.is_set():
                    break
            self._paused_for += time.perf_counter() - began
        if self._cancelled.is_set():
            raise Cancelled

    def gate(self) -> bool:
        """For threads that help the worker: wait while paused; return whether to continue."""
        while not self._go.wait(0.05):
            if self._cancelled.is_set() or self._stopping.is_set():
                break
        return not (self._cancelled.is_set() or self._stopping.is_set())

    @property
    def stopping(self) -> bool:
        """Whether an iterative trainer should end now and return its current result."""
        return self._stopping.is_set()

    def record(self, progress: float, loss: float, error: float = 0.0) -> None:
        """Append a point to the loss trace and publish the longer trace."""
        self._points.append((progress, loss, self.phase_seconds(), error))
        columns = np.array(self._points, dtype=np.float64).T
        self.trace = Trace(columns[0], columns[1], columns[2], columns[3])

    def conclude(self, final: FinalLoss) -> None:
        """Publish the final loss of the training."""
        self.final = final

    def publish(self, name: str, value: Any) -> None:
        """Publish ``value`` under ``name`` for readers. The value must not be modified
        afterwards.
        """
        self._published[name] = value

    def take_snapshot_request(self) -> bool:
        """Whether a snapshot was requested since the last call; the worker then publishes one."""
        wanted = self._snapshot_wanted.is_set()
        if wanted:
            self._snapshot_wanted.clear()
        return wanted

    # -- for other threads

    def latest(self, name: str) -> Any:
        """The last value published under ``name``, or None."""
        return self._published.get(name)

    def request_snapshot(self) -> None:
        """Ask the trainer to publish "embeddings" (a copy) soon."""
        self._snapshot_wanted.set()

    def pause(self) -> None:
        self._go.clear()

    def resume(self) -> None:
        self._go.set()

    @property
    def is_paused(self) -> bool:
        return not self._go.is_set() and not self.progress.phase.over

    def stop(self) -> None:
        self._stopping.set()

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()


class Portion(JobControl):
    """Job control of one part of a job: its progress 0..1 becomes ``begin`` .. ``begin + share`` of
    the whole.

    ``note`` replaces the part's own notes. Cancelling and pausing apply to the whole.
    """

    def __init__(self, whole: JobControl, begin: float, share: float, note: str = "") -> None:
        super().__init__()
        self._whole = whole
        self._begin = begin
        self._share = share
        self._note = note

    def check(self) -> None:
        self._whole.check()

    def gate(self) -> bool:
        return self._whole.gate()

    def advance(
        self,
        fraction: float | None,
        note: str = "",
        *,
        rate: float | None = None,
        unit: str = "",
        **details: float,
    ) -> None:
        done = self._begin + self._share * (fraction or 0.0)
        self._whole.advance(done, self._note or note, rate=rate, unit=unit, **details)


def split_progress(whole: JobControl | None, number: int) -> list[JobControl | None]:
    """Equal portions of a job for ``number`` pieces of work; None for each without a job
    control.
    """
    if whole is None:
        return [None] * number
    return [Portion(whole, at / number, 1 / number) for at in range(number)]
