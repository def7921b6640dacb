"""Steps in threads: every cause of their end is reported, above all a cancel before the first
step.
"""

from __future__ import annotations

import threading
from functools import partial

import pytest

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.models.parallel import run_steps


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_cancelled_before_the_first_step(threads: int) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        run_steps(run, [lambda: False] * threads, lambda: None)


@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_is_not_cancelled(threads: int) -> None:
    """Steps that would never end are stopped, and a last check sees their work."""
    run, steps, looks = JobControl(), [0] * threads, []

    def step(number: int) -> bool:
        steps[number] += 1
        if sum(steps) >= 5:
            run.stop()
        return True

    run_steps(
        run, [partial(step, number) for number in range(threads)], lambda: looks.append(sum(steps))
    )
    assert 5 <= sum(steps) < 5 + threads
    assert looks[-1] == sum(steps)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_before_the_first_step_makes_no_step(threads: int) -> None:
    run, steps = JobControl(), []
    run.stop()
    run_steps(run, [lambda: bool(steps.append(1)) or True] * threads, lambda: None)
    assert steps == []


def test_threads_do_not_wait_for_evaluations_and_the_last_sees_all_steps() -> None:
    steps = [0, 0]
    enough = threading.Event()
    states: list[tuple[int, int]] = []

    def step(number: int) -> bool:
        steps[number] += 1
        if max(steps) >= 4:
            enough.set()
        return steps[number] < 5

    def look() -> None:
        # The first thread that checks is held up until another thread has gone further.
        if not states and sum(steps) < 9:
            assert enough.wait(60)
        states.append((steps[0], steps[1]))

    run_steps(JobControl(), [partial(step, 0), partial(step, 1)], look)
    assert states[-1] == (5, 5)


def test_errors_of_the_last_evaluation_are_raised() -> None:
    steps = [lambda: False, lambda: False]
    looks = []

    def look() -> None:
        looks.append(threading.current_thread())
        if threading.current_thread() is threading.main_thread():
            raise ValueError("at the end")

    with pytest.raises(ValueError, match="at the end"):
        run_steps(JobControl(), steps, look)
    assert looks
