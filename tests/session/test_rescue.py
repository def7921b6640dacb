"""What is written when something went wrong: unsaved runs, and trainings as far as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.session import guard
from workbench.session.records import State
from workbench.session.rescue import rescue, settle
from workbench.session.session import Session
from workbench.session.store import Store


def test_runs_that_could_not_be_saved_are_saved_now(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("There is no room.", "Make some.")

    session.corpus = small_corpus()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", full)
        record = session.train("step", StepParams(min_count=1))
        wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert not record.stored
    rescued = rescue(session)()
    assert rescued.runs == (record.identifier,)
    assert str(rescued) == "Everything is saved."
    settle(session, rescued)
    assert record.stored
    assert [other.identifier for other in Store().load()[0]] == [record.identifier]
    # A second time there is nothing left to save.
    assert rescue(session)().runs == ()


def test_what_cannot_be_saved_is_told(session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise UserError("There is no room.", "Make some.")

    session.corpus = small_corpus()
    monkeypatch.setattr(Store, "save", full)
    record = session.train("step", StepParams(min_count=1))
    wait_until(session, lambda: record.state.over)
    rescued = rescue(session)()
    assert rescued.runs == ()
    assert str(rescued) == "Not everything could be saved. There is no room. Make some."


def test_a_training_under_way_is_kept_although_nothing_is_due(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "FIRST", 1e9)
    session.corpus = small_corpus()
    gate.opened.set()
    record = session.train("step", StepParams(min_count=1, steps=100_000))
    path: Path = session.store.interrupted.path(record.identifier)
    wait_until(session, lambda: record.run is not None and record.run.latest("kept") is not None)
    wait_until(session, lambda: session.store.interrupted.write_now() == 1)
    assert path.is_file()
    rescued = rescue(session)()
    assert rescued.trainings == 1
    assert "under way" in str(rescued)
    session.cancel(record)
    wait_until(session, lambda: record.state.over)
    # It was thrown away, and nobody keeps it afterwards.
    assert not path.exists()
    assert session.store.interrupted.write_now() == 0
