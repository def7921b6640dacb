"""States of trainings are kept while they go on, and only as long as they are needed."""

from __future__ import annotations

import pytest
from session.fakes import Gate, StepParams, wait_until
from session.fakes_interrupted import Until, begin

from workbench.core.errors import UserError
from workbench.core.locks import held
from workbench.session import guard
from workbench.session.interrupted import read_entry
from workbench.session.records import State
from workbench.session.session import Session

pytestmark = pytest.mark.usefixtures("at_once")


def test_a_live_training_is_nobody_elses_to_offer(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert held(path.with_suffix(".lock"))
    assert Session().interrupted.entries == []
    gate.opened.set()
    wait_until(session, lambda: session.training is None)
    assert session.runs[0].state is State.DONE
    assert not path.exists()
    assert not path.with_suffix(".lock").exists()


def test_a_cancelled_training_leaves_nothing(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert session.training is not None
    session.cancel(session.training)
    wait_until(session, lambda: session.training is None)
    assert not list(path.parent.iterdir())


def test_a_training_that_the_end_of_the_window_cuts_short_is_offered(session: Session, gate: Gate) -> None:
    begin(session, gate)
    session.close()
    (entry,) = Session().interrupted.entries
    assert entry.name == "Step 1"


@pytest.mark.parametrize("room", [1 << 30, 10])
def test_the_window_may_close_before_any_state_was_due(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(guard, "FIRST", 1e9)
    monkeypatch.setattr(guard, "AT_END", room)
    gate.opened = Until(gate, 16)
    record = session.train("step", StepParams(min_count=1, steps=40, epochs=10))
    wait_until(session, lambda: record.run is not None and record.run.latest("kept") is not None)
    wait_until(session, lambda: gate.steps >= 16)
    session.close()
    again = Session()
    assert [entry.name for entry in again.interrupted.entries] == (["Step 1"] if room > 10 else [])
    for entry in again.interrupted.entries:
        assert 0 < entry.progress <= 0.4
        assert not held(session.store.interrupted.path(entry.identifier).with_suffix(".lock"))
    again.close()


def test_the_last_state_is_kept_when_the_window_closes(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begin(session, gate, steps=100_000, until=0.0001)
    monkeypatch.setattr(guard, "BETWEEN", 1e9)
    monkeypatch.setattr(guard, "STEP", 1.0)
    (record,) = session.runs
    run = record.run
    assert run is not None
    before = run.latest("kept")
    gate.opened.set()
    wait_until(session, lambda: run.latest("kept") is not before)
    session.close()
    assert read_entry(path).progress == run.latest("kept").progress > before.progress


def test_states_that_cannot_be_written_disturb_nothing(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("No space.")

    monkeypatch.setattr("workbench.vectors.formats.save_vectors", full)
    record = session.train("step", StepParams(min_count=1, steps=40))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
