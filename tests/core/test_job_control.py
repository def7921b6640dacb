from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl, Phase


class Clock:
    """A replacement for time.perf_counter."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


def test_phases_collect_their_seconds(clock: Clock) -> None:
    run = JobControl()
    run.enter(Phase.COUNTING, "counting pairs")
    assert run.progress.note == "counting pairs"
    clock.now += 2.0
    run.enter(Phase.TRAINING)
    clock.now += 3.0
    assert run.phase_seconds() == 3.0
    run.enter(Phase.COUNTING)
    clock.now += 0.5
    run.enter(Phase.DONE)
    assert run.seconds == {"counting": 2.5, "training": 3.0}
    assert run.progress.phase.over


def test_waiting_belongs_to_no_phase(clock: Clock) -> None:
    run = JobControl()
    clock.now += 10.0
    run.enter(Phase.TRAINING)
    run.enter(Phase.DONE)
    assert run.seconds == {"training": 0.0}


def test_the_time_left_follows_the_share_done(clock: Clock) -> None:
    run = JobControl()
    run.enter(Phase.TRAINING)
    clock.now += 10.0
    run.advance(0.25, rate=7.0, unit="tokens", learning_rate=0.02)
    assert run.progress.seconds_left == pytest.approx(30.0)
    assert (run.progress.rate, run.progress.unit) == (7.0, "tokens")
    assert run.progress.details == {"learning_rate": 0.02}
    run.advance(1.5)
    assert run.progress.fraction == 1.0
    run.advance(None)
    assert run.progress.seconds_left is None


def test_a_note_of_a_phase_stays_until_the_next_note() -> None:
    run = JobControl()
    run.enter(Phase.COMPILING, "for the first time")
    run.advance(0.5)
    assert run.progress.note == "for the first time"
    run.advance(0.6, "nearly")
    assert run.progress.note == "nearly"
    run.enter(Phase.TRAINING)
    assert run.progress.note == ""


def test_a_trace_that_was_read_never_changes(clock: Clock) -> None:
    run = JobControl()
    run.enter(Phase.TRAINING)
    traces = [run.trace]
    for step in range(1, 6):
        clock.now += 1.0
        run.record(step / 5, 4.0 / step, error=0.01 * step)
        traces.append(run.trace)
    assert [len(trace) for trace in traces] == [0, 1, 2, 3, 4, 5]
    last = traces[-1]
    for trace in traces:
        size = len(trace)
        for column in ("progress", "loss", "seconds", "error"):
            np.testing.assert_array_equal(getattr(trace, column), getattr(last, column)[:size])
    np.testing.assert_allclose(last.seconds, [1, 2, 3, 4, 5])
    assert last.loss.dtype == np.float64


def work(run: JobControl, rounds: list[int], outcome: list[str]) -> None:
    try:
        while not run.stopping:
            run.check()
            rounds.append(1)
            working.set()
        outcome.append("stopped")
    except Cancelled:
        outcome.append("cancelled")


working = threading.Event()


@pytest.fixture
def worker() -> tuple[JobControl, list[int], list[str], threading.Thread]:
    working.clear()
    run, rounds, outcome = JobControl(), [], []  # type: ignore[var-annotated]
    run.enter(Phase.TRAINING)
    thread = threading.Thread(target=work, args=(run, rounds, outcome))
    return run, rounds, outcome, thread


def test_cancel_ends_the_work(
    worker: tuple[JobControl, list[int], list[str], threading.Thread],
) -> None:
    run, _, outcome, thread = worker
    thread.start()
    assert working.wait(10)
    run.cancel()
    thread.join(10)
    assert outcome == ["cancelled"]
    assert run.is_cancelled


def test_stop_lets_the_work_finish(
    worker: tuple[JobControl, list[int], list[str], threading.Thread],
) -> None:
    run, _, outcome, thread = worker
    thread.start()
    assert working.wait(10)
    run.stop()
    thread.join(10)
    assert outcome == ["stopped"]


@pytest.mark.parametrize("end", ["cancel", "stop"])
def test_a_paused_run_can_be_ended(
    end: str, worker: tuple[JobControl, list[int], list[str], threading.Thread]
) -> None:
    run, rounds, outcome, thread = worker
    run.pause()
    assert run.is_paused
    thread.start()
    getattr(run, end)()
    thread.join(10)
    assert outcome == ["cancelled" if end == "cancel" else "stopped"]
    assert run.is_paused or end == "stop"
    assert len(rounds) <= 1


def test_a_paused_run_waits_until_it_is_resumed(
    worker: tuple[JobControl, list[int], list[str], threading.Thread],
) -> None:
    run, rounds, outcome, thread = worker
    run.pause()
    thread.start()
    assert not working.wait(0.1)
    assert rounds == []
    run.resume()
    assert working.wait(10)
    assert not run.is_paused
    run.stop()
    thread.join(10)
    assert outcome == ["stopped"]


def test_pauses_are_not_counted(clock: Clock) -> None:
    run = JobControl()
    run.enter(Phase.TRAINING)
    clock.now += 1.0
    run.pause()

    class Go:
        """An event that is set when it is waited for, an hour later."""

        def is_set(self) -> bool:
            return False

        def wait(self, timeout: float) -> bool:
            clock.now += 3600.0
            return True

    run._go = Go()  # type: ignore[assignment]
    run.check()
    clock.now += 1.0
    assert run.phase_seconds() == pytest.approx(2.0)
    run.enter(Phase.SAVING)
    assert run.seconds["training"] == pytest.approx(2.0)
    # Nor does the next phase subtract the pauses of the previous one.
    clock.now += 5.0
    assert run.phase_seconds() == pytest.approx(5.0)
    run.enter(Phase.DONE)
    assert run.seconds["saving"] == pytest.approx(5.0)


def test_a_new_snapshot_replaces_the_last() -> None:
    run = JobControl()
    assert run.latest("positions") is None
    run.publish("positions", (1, 2))
    run.publish("positions", (3, 4))
    assert run.latest("positions") == (3, 4)


def test_a_request_for_a_snapshot_is_taken_once() -> None:
    run = JobControl()
    assert not run.take_snapshot_request()
    run.request_snapshot()
    run.request_snapshot()
    assert run.take_snapshot_request()
    assert not run.take_snapshot_request()


def test_an_ended_run_is_not_paused() -> None:
    run = JobControl()
    run.pause()
    run.enter(Phase.DONE)
    assert not run.is_paused
