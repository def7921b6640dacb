"""Submission of tasks to a cluster, some at a time, until all are done: progress, pause, cancel,
errors.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from types import TracebackType
from typing import Any

from workbench.core.errors import Cancelled, UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.cluster.connection import Cluster, scheduler_errors
from workbench.counts.cluster.splits import NotAsItBegan
from workbench.counts.cluster.tasks import Refused

_POLL_SECONDS = 0.02
_LOOK_SECONDS = 1.0
_FETCH_SECONDS = 30.0
# A result is lost with the only worker that had it; the scheduler then recomputes it.
_UNDER_WAY = ("pending", "lost")

# A future of dask, and its share of the wave.
Job = tuple[Any, float]


class Waves:
    """All tasks of one count. A task's key follows from its place in the count, so that no task is
    submitted twice.

    Use it as a context manager: at its end, unfinished tasks are cancelled, and nothing is left on
    the workers.
    """

    def __init__(self, cluster: Cluster, run: JobControl) -> None:
        self._cluster, self._run = cluster, run
        self._name = f"count-{uuid.uuid4().hex[:12]}"
        self._held: dict[str, Any] = {}
        self._looked = 0.0
        self._threads = 1
        self._waiting = ""
        # Seconds for which the cluster had no workers.
        self._without = 0.0

    def __enter__(self) -> Waves:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        with suppress(OSError, RuntimeError, CancelledError):
            self._cluster.client.cancel(list(self._held.values()), force=True)
        self._held.clear()
        if (
            isinstance(error, Exception)
            and not isinstance(error, (UserError, Cancelled))
            and not self._cluster.alive
        ):
            # The scheduler is lost, independent of the error that revealed it.
            raise _scheduler_lost() from error

    def submit(self, key: str, work: Callable[..., Any], *arguments: object) -> Any:
        """Submit one task under a unique key; its result is kept until ``let_go``."""
        name = f"{self._name}-{key}"
        with scheduler_errors():
            self._held[name] = self._cluster.client.submit(work, *arguments, key=name, pure=False)
        return self._held[name]

    def let_go(self, future: Any) -> None:
        """Release a future whose result only other tasks need."""
        self._held.pop(future.key, None)

    def finish(
        self,
        jobs: Iterable[Job],
        note: str,
        span: tuple[float, float] = (0.0, 1.0),
        done: Callable[[Any], float] | None = None,
        unit: str = "",
    ) -> None:
        """Run all jobs, a few for each worker at a time; each is released when it is done.

        jobs : an iterator that submits them; their shares sum to 1. done : called with each
        finished future; returns its amount of work in ``unit``. Raises UserError, NotAsItBegan and
        Cancelled.
        """
        waiting = iter(jobs)
        under_way: dict[Any, float] = {}
        share, amount = 0.0, 0.0
        began = time.monotonic()
        while True:
            self._run.check()
            self._look()
            while (
                len(under_way) < 4 * self._threads + 4 and (job := next(waiting, None)) is not None
            ):
                under_way[job[0]] = job[1]
            if not under_way:
                return
            finished = [future for future in under_way if future.status not in _UNDER_WAY]
            for future in finished:
                self._raise_failure(future)
                if done is not None:
                    amount += done(future)
                share += under_way.pop(future)
                self.let_go(future)
            low, high = span
            rate = amount / max(time.monotonic() - began, 1e-3) if unit and amount else None
            self._run.advance(
                low + (high - low) * share, self._waiting or note, rate=rate, unit=unit
            )
            if not finished:
                time.sleep(_POLL_SECONDS + len(under_way) / 50_000)

    def result(self, future: Any) -> Any:
        """The result of a task, even if it has to be computed again. Raises as ``finish``."""
        while True:
            self._wait(future)
            try:
                return future.result(timeout=_FETCH_SECONDS)
            except TimeoutError:
                continue
            except CancelledError as error:
                raise _scheduler_lost() from error

    def share(self, future: Any) -> None:
        """Copy the result of a task to all workers: otherwise all tasks that need it queue on one
        worker, and all others are idle until Dask moves it. Raises as ``finish``.
        """
        self._wait(future)
        # If a worker is lost meanwhile, tasks fetch the result when they need it.
        with suppress(OSError, RuntimeError, KeyError, ValueError, CancelledError):
            self._cluster.client.replicate([future], callback_timeout=_FETCH_SECONDS)

    def _wait(self, future: Any) -> None:
        """Wait until a task is done; raises the task's error."""
        self._run.check()
        while future.status in _UNDER_WAY:
            self._look()
            time.sleep(_POLL_SECONDS)
            self._run.check()
        self._raise_failure(future)

    def _look(self) -> None:
        """Publish the status of the cluster once a second. Raises UserError if it has no workers
        for too long.
        """
        now = time.monotonic()
        passed = now - self._looked if self._looked else 0.0
        if passed < _LOOK_SECONDS and self._looked:
            return
        self._looked = now
        if not self._cluster.alive:
            raise _scheduler_lost()
        status = self._cluster.status()
        self._threads = max(status.threads, 1)
        if status.workers:
            self._waiting = ""
            self._without = 0.0
        else:
            self._waiting = tr("Waiting for workers")
            # A pause without status checks does not count.
            self._without += min(passed, 2 * _LOOK_SECONDS)
        if self._without >= self._cluster.params.worker_wait:
            raise self._no_workers(status.address)
        self._run.publish("cluster", status)

    def _no_workers(self, address: str) -> UserError:
        seconds = self._cluster.params.worker_wait
        if self._cluster.local:
            return UserError(
                tr(
                    "The workers on this machine stopped and couldn’t be restarted for "
                    "{seconds:,} s.",
                    seconds=seconds,
                ),
                tr("Use fewer workers, or give each worker more memory."),
            )
        return UserError(
            tr(
                "The scheduler at {address} had no workers for {seconds:,} s.",
                address=address,
                seconds=seconds,
            ),
            tr(
                "Start workers that have embedding-workbench installed, for example with: "
                "dask worker {address}.",
                address=address,
            ),
        )

    def _raise_failure(self, future: Any) -> None:
        if future.status == "finished":
            return
        if future.status == "cancelled":
            raise _scheduler_lost()
        if future.status != "error":
            return
        with scheduler_errors():
            error = future.exception()
        if isinstance(error, Refused):
            raise UserError(error.message, error.hint)
        if isinstance(error, NotAsItBegan):
            raise error
        if type(error).__name__ == "KilledWorker":
            raise UserError(
                tr(
                    "Several workers stopped during the same task, probably because they "
                    "ran out of memory."
                ),
                tr("Give the workers more memory, or use smaller partitions."),
            ) from error
        missing = next((each for each in _causes(error) if isinstance(each, ImportError)), None)
        if missing is not None:
            raise UserError(
                tr(
                    "A worker doesn’t have the same version of embedding-workbench ({error}).",
                    error=missing,
                ),
                tr("Install the same version on all workers."),
            ) from error
        if isinstance(error, MemoryError):
            raise UserError(
                tr("A worker ran out of memory."),
                tr("Give the workers more memory, or use smaller partitions."),
            ) from error
        reason = error_text(error) if isinstance(error, Exception) else error
        raise UserError(
            tr("A task failed on the cluster ({error}).", error=reason),
            tr("Check the logs of the workers."),
        ) from error


def _causes(error: BaseException | None) -> Iterable[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _scheduler_lost() -> UserError:
    return UserError(
        tr("The scheduler of the cluster stopped or restarted."),
        tr("Check the scheduler’s log, then count again."),
    )
