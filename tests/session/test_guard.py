"""States of trainings are kept while they go on, and only as long as they are needed."""

from __future__ import annotations

import pytest
from session.fakes import Gate, StepParams, wait_until
from session.fakes_interrupted import begin

from workbench.core.errors import UserError
from workbench.core.locks import held
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


def test_states_that_cannot_be_written_disturb_nothing(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("No space.")

    monkeypatch.setattr("workbench.vectors.formats.save_vectors", full)
    record = session.train("step", StepParams(min_count=1, steps=40))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
