from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from session.fakes import wait_until

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.session.jobs import Jobs


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    new_jobs = Jobs()
    yield new_jobs
    new_jobs.close()


def until_cancelled(run: JobControl) -> None:
    waiting = threading.Event()
    while True:
        run.check()
        waiting.wait(0.002)


def test_what_the_system_refuses_is_no_defect(jobs: Jobs) -> None:
    failures: list[UserError] = []
    job = jobs.start("Looking", lambda run: Path("n" * 300).stat(), None, failures.append)
    wait_until(jobs, lambda: failures)
    assert failures[0].message.endswith(": File name too long.")
    assert job.details == ""


def test_results_come_by_pump_alone(jobs: Jobs) -> None:
    got: list[int] = []
    job = jobs.start("Counting", lambda run: 7, got.append)
    assert job.thread is not None
    job.thread.join()
    assert got == []
    assert jobs.active == (job,)
    jobs.pump()
    assert got == [7]
    assert jobs.active == ()
    assert job.run.progress.phase is Phase.DONE


def test_a_defect_becomes_an_error_with_its_traceback_kept(jobs: Jobs) -> None:
    errors: list[UserError] = []

    def work(run: JobControl) -> None:
        raise KeyError("lost")

    job = jobs.start("Looking", work, failed=errors.append)
    wait_until(jobs, lambda: errors)
    assert errors[0].message == "Looking failed."
    assert "KeyError" in errors[0].hint
    assert "KeyError: 'lost'" in job.details
    assert job.error is errors[0]
    assert job.run.progress.phase is Phase.FAILED


class Widget:
    """Stand-in for objects that only the window’s thread may destroy."""

    def show(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("end", ["done", "cancelled", "failed"])
@pytest.mark.parametrize("use", ["work", "done", "failed", "cancelled"])
def test_what_a_job_holds_is_let_go_of_by_pump_alone(jobs: Jobs, end: str, use: str) -> None:
    where: list[int] = []
    widget = Widget()
    weakref.finalize(widget, lambda: where.append(threading.get_ident()))
    show = widget.show
    begin, job_began = threading.Event(), threading.Event()

    def work(run: JobControl, *, shown: object = show if use == "work" else None) -> None:
        job_began.set()
        begin.wait(10)
        if end == "cancelled":
            raise Cancelled
        if end == "failed":
            raise UserError("No.")

    shown: dict[str, Any] = {use: show} if use != "work" else {}
    job = jobs.start("Looking", work, **shown)
    del widget, show, work, shown
    job_began.wait(10)
    begin.set()
    assert job.thread is not None
    job.thread.join()
    assert where == []
    jobs.pump()
    assert where == [threading.get_ident()]


def test_a_newer_job_of_the_same_key_drops_the_older(jobs: Jobs) -> None:
    events: list[str] = []
    older = jobs.start("Old", until_cancelled, cancelled=lambda: events.append("old"), key="map")
    other = jobs.start(
        "Other", until_cancelled, cancelled=lambda: events.append("other"), key="matrix"
    )
    newer = jobs.start(
        "New", lambda run: events.append("working"), lambda _: events.append("new"), key="map"
    )
    assert older.superseded
    wait_until(jobs, lambda: "new" in events and older not in jobs.active)
    assert events == ["working", "new"]
    assert not jobs.busy("map")
    assert jobs.busy("matrix")
    assert jobs.active == (other,)
    assert not newer.superseded


def test_cancelling_calls_back(jobs: Jobs) -> None:
    events: list[str] = []
    job = jobs.start(
        "Long",
        until_cancelled,
        lambda _: events.append("done"),
        cancelled=lambda: events.append("cancelled"),
    )
    job.run.cancel()
    wait_until(jobs, lambda: events)
    assert events == ["cancelled"]


def test_a_callback_may_start_the_next_job(jobs: Jobs) -> None:
    numbers: list[int] = []

    def again(number: int) -> None:
        numbers.append(number)
        if number < 3:
            jobs.start("Next", lambda run: number + 1, again)

    jobs.start("First", lambda run: 1, again)
    wait_until(jobs, lambda: numbers == [1, 2, 3] and not jobs.active)


def test_changed_is_told_at_start_and_end(jobs: Jobs) -> None:
    active: list[int] = []
    jobs.changed.connect(lambda: active.append(len(jobs.active)))
    jobs.start("One", lambda run: None)
    wait_until(jobs, lambda: not jobs.active)
    assert active == [1, 0]


def test_close_cancels_waits_and_delivers_nothing() -> None:
    jobs = Jobs()
    events: list[str] = []
    job = jobs.start(
        "Long", until_cancelled, lambda _: events.append("x"), cancelled=lambda: events.append("y")
    )
    paused = jobs.start("Paused", until_cancelled)
    paused.run.pause()
    jobs.close()
    assert job.thread is not None
    assert not job.thread.is_alive()
    jobs.pump()
    assert events == []
    late = jobs.start("Late", lambda run: events.append("late"))
    assert late.thread is None
    assert late.run.is_cancelled
    assert events == []


def test_a_family_of_keys_is_busy_and_dropped_together(jobs: Jobs) -> None:
    jobs.start("Lines", until_cancelled, key="corpus.lines")
    other = jobs.start("Corpora", until_cancelled, key="corpora")
    assert jobs.busy("corpus")
    assert jobs.busy("corpus.lines")
    assert not jobs.busy("corpus.line")
    jobs.drop_all("corpus")
    assert not jobs.busy("corpus")
    assert jobs.busy("corpora")
    wait_until(jobs, lambda: jobs.active == (other,))
