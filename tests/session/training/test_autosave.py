"""States of trainings are saved while they run, and removed once they are no longer needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until
from session.fakes_interrupted import Until, begin

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.locks import is_held
from workbench.models.checkpointing import Checkpoint
from workbench.session.runs.journal_entries import read_interrupted
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training import autosave
from workbench.session.training.autosave import Guard
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings

pytestmark = pytest.mark.usefixtures("at_once")


def test_a_live_training_is_nobody_elses_to_offer(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert is_held(path.with_suffix(".lock"))
    assert Session().recovery.interrupted == []
    gate.opened.set()
    wait_until(session, lambda: session.training.current is None)
    assert session.runs[0].state is State.DONE
    assert not path.exists()
    assert not path.with_suffix(".lock").exists()


def test_a_cancelled_training_leaves_nothing(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert session.training.current is not None
    session.training.cancel(session.training.current)
    wait_until(session, lambda: session.training.current is None)
    assert not list(path.parent.iterdir())


def test_a_training_that_the_end_of_the_window_cuts_short_is_offered(
    session: Session, gate: Gate
) -> None:
    begin(session, gate)
    session.close()
    (entry,) = Session().recovery.interrupted
    assert entry.name == "Step 1"


@pytest.mark.parametrize("room", [1 << 30, 10])
def test_the_window_may_close_before_any_state_was_due(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(autosave, "FIRST", 1e9)
    monkeypatch.setattr(autosave, "AT_END", room)
    gate.opened = Until(gate, 16)
    record = session.training.start(
        TrainingSpec("step", StepParams(min_count=1, steps=40, epochs=10))
    )
    wait_until(session, lambda: record.run is not None and record.run.latest("kept") is not None)
    wait_until(session, lambda: gate.steps >= 16)
    session.close()
    again = Session()
    assert [entry.name for entry in again.recovery.interrupted] == (["Step 1"] if room > 10 else [])
    for entry in again.recovery.interrupted:
        assert 0 < entry.progress <= 0.4
        assert not is_held(session.store.journal.path(entry.identifier).with_suffix(".lock"))
    again.close()


def test_the_last_state_is_kept_when_the_window_closes(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(session, gate, steps=100_000, until=0.0001)
    monkeypatch.setattr(autosave, "BETWEEN", 1e9)
    monkeypatch.setattr(autosave, "STEP", 1.0)
    (record,) = session.runs
    run = record.run
    assert run is not None
    before = run.latest("kept")
    gate.opened.set()
    wait_until(session, lambda: run.latest("kept") is not before)
    session.close()
    assert read_interrupted(path).progress == run.latest("kept").progress > before.progress


def test_states_that_cannot_be_written_disturb_nothing(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("No space.")

    monkeypatch.setattr("workbench.vectors.formats.save_vectors", full)
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40)))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE


class Clock:
    """Clock that only a test advances, in place of ``time`` and of the guard’s waiting."""

    def __init__(self, seconds: int, each: Callable[[int], None]) -> None:
        self.now, self._left, self._each, self._over = 0.0, seconds, each, False

    def monotonic(self) -> float:
        return self.now

    def wait(self, _: float) -> bool:
        """Advance by a second; True at the end."""
        self._left -= 1
        self.now = math.floor(self.now) + 1.0
        self._each(int(self.now))
        return self._left < 0

    def set(self) -> None:
        self._over = True

    def is_set(self) -> bool:
        return self._over


@pytest.fixture
def guard(home: Path, gate: Gate) -> Guard:
    """The guard of a training on the small corpus, not yet entered."""
    corpus, params, run = small_corpus(), StepParams(min_count=1, epochs=10), JobControl()
    run.enter(Phase.TRAINING)
    record = RunRecord(
        new_identifier(), "Step 7", "step", params.to_dict(), corpus.name, corpus.digest, now()
    )
    origin = {"name": "Step 3", "passes": 5.0, "epochs": 5.0, "seconds": 60.0}
    more = {"source": {"paths": ["novel.txt"]}, "origin": origin, "output": "novel.vec"}
    return Guard(Store().journal, record, corpus, params, run, more, to_the_end=True)


def state(progress: float, passes: float = 0.0) -> Checkpoint:
    corpus = small_corpus()
    vectors = np.ones((corpus.types, 4), dtype=np.float32)
    kept = {"passes": np.array(passes or 10 * progress)}
    return Checkpoint(
        progress, Embeddings(corpus.words, vectors, corpus.counts, contexts=-vectors, state=kept)
    )


@pytest.mark.parametrize(
    ("pace", "cost", "expected"),
    [
        # Slow progress: the first state after 20 seconds, then one every 40 seconds.
        (0.001, 0.0, [20, 60, 100, 140, 180, 220, 260, 300]),
        # Fast progress: another state for each further tenth.
        (1 / 64, 0.0, [20, 27, 34, 41, 48, 55, 62]),
        # If writing takes 3 seconds, the next state waits until writing, itself included, is 3% of
        # the time.
        (0.001, 3.0, [20, 200, 300]),
    ],
    ids=["slow", "quick", "costly"],
)
def test_when_states_are_written(
    guard: Guard, monkeypatch: pytest.MonkeyPatch, pace: float, cost: float, expected: list[int]
) -> None:
    for name, value in (("FIRST", 20.0), ("BETWEEN", 40.0), ("STEP", 0.1), ("SHARE", 0.03)):
        monkeypatch.setattr(autosave, name, value)
    at: list[int] = []
    clock = Clock(310, lambda second: guard._run.publish("kept", state(min(pace * second, 0.999))))

    def write(checkpoint: Checkpoint) -> bool:
        at.append(int(clock.now))
        clock.now += cost
        return True

    monkeypatch.setattr(autosave, "time", clock)
    monkeypatch.setattr(autosave, "step_back", lambda: None)
    monkeypatch.setattr(guard, "_over", clock)
    monkeypatch.setattr(guard, "write", write)
    guard._watch()
    assert at[: len(expected)] == expected


def test_a_state_says_what_lies_before_it(guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    """A continuation must start its epochs, learning rate and axes where this training stopped."""
    monkeypatch.setattr(autosave, "FIRST", 1e9)
    with guard:
        assert guard.write(state(0.4, passes=9.0))
        guard._lock, lock = None, guard._lock
    assert lock is not None
    lock.release()
    (entry,), _ = Store().journal.find_interrupted()
    assert (entry.name, entry.progress, entry.output) == ("Step 7", 0.4, "novel.vec")
    assert entry.source == {"paths": ["novel.txt"]}
    record, vectors = Store().journal.take_interrupted(entry)
    for metadata in (record.summary, vectors.metadata):
        assert metadata["continued"] == {
            "name": "Step 3",
            "passes": 5.0,
            "epochs": 5.0,
            "seconds": 60.0,
        }
        assert metadata["passes"] == 9.0


def test_where_nothing_was_learned_yet_nothing_is_kept(
    guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "FIRST", 1e9)
    guard._run.publish("kept", state(0.0))
    with pytest.raises(Cancelled), guard:
        assert not guard.write_now()
        raise Cancelled
    assert Store().journal.find_interrupted() == ([], [])
    assert not guard._path.exists()
