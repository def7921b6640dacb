"""Jobs in threads, whose results return to the thread of the session."""

from __future__ import annotations

import logging
import queue
import threading
import traceback
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from workbench.core.errors import Cancelled, PassingError, UserError, as_user_error
from workbench.core.events import Signal
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import step_back

T = TypeVar("T")
_log = logging.getLogger("workbench.jobs")


class Job(Generic[T]):
    """One piece of work in a thread of its own. ``error`` is set if it failed.

    ``quiet`` jobs are short and don't appear in the activity list. When the session ends, jobs
    with ``lasts`` are awaited and all others cancelled.
    """

    def __init__(
        self, title: str, run: JobControl, key: str, quiet: bool, lasts: bool = False
    ) -> None:
        self.title = title
        self.run = run
        self.key = key
        self.quiet = quiet
        self.lasts = lasts
        self.error: UserError | None = None
        self.details = ""
        self.superseded = False
        self.thread: threading.Thread | None = None


class Jobs:
    """Starts jobs and, in ``pump``, delivers their results.

    ``changed`` is emitted (from pump or start) when the list of active jobs changed.
    """

    def __init__(self) -> None:
        self.changed = Signal[()]()
        self._active: list[Job[Any]] = []
        self._finished: queue.SimpleQueue[
            tuple[Job[Any], Callable[[], None], tuple[object, ...]]
        ] = queue.SimpleQueue()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether the session has closed."""
        return self._closed

    @property
    def active(self) -> tuple[Job[Any], ...]:
        return tuple(self._active)

    def busy(self, key: str) -> bool:
        """Whether a job of this key, or of one below it (``key.part``), is running and still
        wanted.
        """
        return any(_below(job.key, key) and not job.superseded for job in self._active)

    def start(
        self,
        title: str,
        work: Callable[[JobControl], T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[UserError], None] | None = None,
        *,
        key: str = "",
        quiet: bool = False,
        lasts: bool = False,
        run: JobControl | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> Job[T]:
        """Run ``work(run)`` in a thread; later, from ``pump``, call ``done(result)``,
        ``failed(error)`` or ``cancelled()``.

        A new job with the same non-empty ``key`` cancels the older one and drops its callbacks. An
        exception that is not a UserError becomes one, its traceback kept in ``job.details``.
        ``pump`` releases ``work`` and the callbacks, not the thread: they may hold the last
        reference to a widget, which must not be destroyed in another thread. After ``close``,
        nothing is started: the returned job is already cancelled.
        """
        if self._closed:
            dropped: Job[T] = Job(title, run or JobControl(), key, quiet)
            dropped.superseded = True
            dropped.run.cancel()
            return dropped
        if key:
            self.drop(key)
        job: Job[T] = Job(title, run or JobControl(), key, quiet, lasts)
        held = (work, done, failed, cancelled)

        def fail(error: UserError) -> None:
            # Frames would keep the objects of the job alive for as long as the error is shown.
            error.__traceback__ = error.__context__ = error.__cause__ = None
            job.error = error
            job.run.enter(Phase.FAILED, str(error))
            self._finished.put((job, (lambda: failed(error)) if failed else _nothing, held))

        def body() -> None:
            step_back()
            try:
                result = work(job.run)
            except Cancelled:
                job.run.enter(Phase.CANCELLED)
                self._finished.put((job, cancelled or _nothing, held))
            except UserError as error:
                fail(error)
            except MemoryError:
                fail(PassingError(tr("Not enough memory."), tr("Choose a smaller size.")))
            except Exception as error:
                if (user_error := as_user_error(error)) is not None:
                    _log.warning("%s", traceback.format_exc())
                    fail(user_error)
                    return
                fail(_bug_error(job, error))
            else:
                job.run.enter(Phase.DONE)
                self._finished.put((job, (lambda: done(result)) if done else _nothing, held))

        job.thread = threading.Thread(target=body, name=f"job: {title}", daemon=False)
        self._active.append(job)
        job.thread.start()
        self.changed.emit()
        return job

    def drop(self, key: str) -> None:
        """Cancel the jobs of a key and ignore their results."""
        for job in self._active:
            if job.key == key and not job.superseded:
                job.superseded = True
                job.run.cancel()

    def drop_all(self, key: str) -> None:
        """Drop a key and every key below it."""
        for other in {job.key for job in self._active if _below(job.key, key)}:
            self.drop(other)

    def pump(self) -> None:
        """Deliver the results of finished jobs, in the calling thread. Never waits for a job."""
        while not self._closed:
            try:
                job, deliver, _ = self._finished.get_nowait()
            except queue.Empty:
                return
            if job.thread is not None:
                job.thread.join()
            self._active.remove(job)
            try:
                if not job.superseded:
                    deliver()
            finally:
                self.changed.emit()

    def close(self) -> list[UserError]:
        """Cancel all jobs except those that last, and wait for all threads to end; deliver nothing
        any more.

        Returns the errors of lasting jobs.
        """
        self._closed = True
        failed = []
        for job in self._active:
            if job.lasts and not job.superseded:
                job.run.resume()
            else:
                job.run.cancel()
            job.superseded = True
        for job in self._active:
            if job.thread is not None:
                job.thread.join()
            if job.lasts and job.error is not None:
                _log.error("%s: %s", job.title, job.error)
                failed.append(job.error)
        self._active.clear()
        return failed


def _bug_error(job: Job[Any], error: Exception) -> PassingError:
    """What is shown of an exception that nobody expected; its traceback goes to the details."""
    job.details = traceback.format_exc()
    _log.error("a job failed\n%s", job.details)
    hint = tr(
        "This is a bug in Embedding Workbench ({kind}: {error}). Copy the details to report it.",
        kind=type(error).__name__,
        error=error,
    )
    return PassingError(tr("{title} failed.", title=job.title), hint)


def _below(key: str, above: str) -> bool:
    return key == above or key.startswith(f"{above}.")


def _nothing() -> None:
    pass
