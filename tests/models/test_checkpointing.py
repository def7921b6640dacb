"""Times at which a training publishes its last good state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from workbench.core.errors import Diverged
from workbench.core.job_control import OBJECTIVE, FinalLoss, JobControl
from workbench.models import checkpointing
from workbench.models.checkpointing import Checkpoint, Checkpointer, ResumeState
from workbench.vectors.embeddings import Embeddings


class Clock:
    """A clock that only moves on request."""

    def __init__(self) -> None:
        self.now = 1000.0

    def perf_counter(self) -> float:
        return self.now


class Publishing(JobControl):
    """Records the progress of every checkpoint that is published."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[float] = []

    def publish(self, name: str, value: object) -> None:
        super().publish(name, value)
        if isinstance(value, Checkpoint):
            self.kept.append(value.progress)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    new_clock = Clock()
    monkeypatch.setattr(checkpointing, "time", new_clock)
    return new_clock


def embeddings(value: float = 1.0) -> Embeddings:
    return Embeddings(("a", "b"), np.full((2, 3), value, np.float32), np.array([2, 1]))


def keeper_of(run: JobControl, whole: Callable[[], Embeddings]) -> Checkpointer:
    return Checkpointer(run, ResumeState(), 5, 0.1, whole)


def hours(
    clock: Clock, run: Publishing, cost: float, loss: Callable[[float], float] = lambda _: 1.0
) -> list[float]:
    """Simulate ten hours of training, with a check each second and 250 points of the loss; returns
    the times at which states were published.
    """

    def whole() -> Embeddings:
        clock.now += cost
        return embeddings()

    keeper = keeper_of(run, whole)
    start, times, points = clock.now, list[float](), 0
    while (elapsed := clock.now - start) < 36_000:
        progress = elapsed / 36_000
        if progress * 250 >= points:
            keeper.record(progress, loss(progress))
            points += 1
        keeper.answer_requests(progress)
        if len(run.kept) > len(times):
            times.append(elapsed)
        clock.now += 1.0
    return times


def test_states_of_a_long_training_are_saved_by_time(clock: Clock) -> None:
    times = hours(clock, Publishing(), cost=0.01)
    assert max(np.diff(times)) < 25
    assert len(times) < 36_000 / 20 + 50


def test_expensive_states_are_saved_rarely(clock: Clock) -> None:
    """If a state takes five seconds, publishing takes at most a twentieth of the time."""
    times = hours(clock, Publishing(), cost=5.0)
    assert min(np.diff(times)) >= 95
    assert max(np.diff(times)) < 110


def test_only_good_states_are_kept_by_time(clock: Clock) -> None:
    """In the second half, the loss is more than twice its minimum, so no state is kept."""
    run = Publishing()
    hours(clock, run, cost=0.01, loss=lambda progress: 1.0 if progress < 0.5 else 3.0)
    assert 0.49 < max(run.kept) < 0.51


def test_a_short_training_keeps_as_before(clock: Clock) -> None:
    """Intervals grow by half each time, up to a twentieth of the training; none is due by time."""
    run = Publishing()
    keeper = keeper_of(run, embeddings)
    for step in range(1, 1001):
        keeper.record(step / 1000, 1.0)
        keeper.answer_requests(step / 1000)
        clock.now += 0.001
    gaps = np.diff(run.kept)
    assert (gaps <= 0.051).all()
    assert len(run.kept) < 40


def test_numbers_out_of_bounds_end_it_when_a_state_is_due_by_time(clock: Clock) -> None:
    values = iter([1.0, 1.0, np.inf])
    keeper = keeper_of(JobControl(), lambda: embeddings(next(values)))
    keeper.record(0.01, 1.0)
    clock.now += 21
    keeper.answer_requests(0.011)
    clock.now += 21
    with pytest.raises(Diverged, match=r"at 1\.2%"):
        keeper.answer_requests(0.012)


@pytest.mark.parametrize(
    ("certain", "loss", "error", "astray"),
    [
        # With a certain start, nothing that has learned anything is worse than guessing; otherwise,
        # the first loss may have been a lucky one.
        (True, 2.9, 0.0, False),
        (True, 3.1, 0.0, True),
        (False, 3.1, 0.0, False),
        (False, 19.0, 0.0, False),
        (False, 21.0, 0.0, True),
        # Deviations within the error of the loss don’t count.
        (True, 3.1, 0.1, False),
        (True, 3.4, 0.1, True),
        (True, 3.1, None, True),
    ],
)
def test_a_loss_far_above_its_start_is_divergence(
    certain: bool, loss: float, error: float | None, astray: bool
) -> None:
    run = JobControl()
    keeper = keeper_of(run, embeddings)
    keeper.set_initial_loss(2.0, certain)
    final = FinalLoss(loss, OBJECTIVE, error)
    if astray:
        with pytest.raises(Diverged, match=r"rose from 2 to"):
            keeper.result(1.0, final)
        assert run.final is None
    else:
        keeper.result(1.0, final)
        assert run.final == final
