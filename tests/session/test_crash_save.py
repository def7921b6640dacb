"""Files saved after an unexpected error: unsaved runs, and the current states of trainings."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.session.crash_save import rescue, settle
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training import autosave
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings


def test_runs_that_could_not_be_saved_are_saved_now(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("There is no room.", "Make some.")

    session.corpora.current = small_corpus()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", full)
        record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
        wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert not record.stored
    result = rescue(session)()
    assert result.runs == (record.identifier,)
    assert str(result) == "Everything is saved."
    settle(session, result)
    assert record.stored
    assert [other.identifier for other in Store().load()[0]] == [record.identifier]
    # The second time, there is nothing left to save.
    assert rescue(session)().runs == ()


def test_what_cannot_be_saved_is_told(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("There is no room.", "Make some.")

    session.corpora.current = small_corpus()
    monkeypatch.setattr(Store, "save", full)
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: record.state.over)
    result = rescue(session)()
    assert result.runs == ()
    assert str(result) == "Not everything could be saved. There is no room. Make some."


def test_a_training_under_way_is_kept_although_nothing_is_due(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "FIRST", 1e9)
    session.corpora.current = small_corpus()
    gate.opened.set()
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1, steps=100_000)))
    path: Path = session.store.journal.path(record.identifier)
    wait_until(session, lambda: record.run is not None and record.run.latest("kept") is not None)
    wait_until(session, lambda: session.store.journal.write_now() == 1)
    assert path.is_file()
    result = rescue(session)()
    assert result.trainings == 1
    assert "the training in progress" in str(result)
    session.training.cancel(record)
    wait_until(session, lambda: record.state.over)
    # The training was discarded, so it isn’t saved afterwards.
    assert not path.exists()
    assert session.store.journal.write_now() == 0


def test_a_run_that_was_written_by_then_is_not_written_again(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bugs in a row: the second rescue starts before the session knows of the first."""

    def full(*_: object) -> None:
        raise UserError("There is no room.", "Make some.")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", full)
        records = [
            session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=seed)))
            for seed in (1, 2)
        ]
        wait_until(session, lambda: all(record.state.over for record in records))
    first, second = records
    embeddings = first.embeddings
    assert embeddings is not None
    session.store.save(first, embeddings)
    session.store.mark(first.identifier, {"note": "of another window"})
    save, identifiers = Store.save, list[str]()

    def once(store: Store, record: RunRecord, embeddings: Embeddings) -> None:
        identifiers.append(record.identifier)
        save(store, record, embeddings)

    monkeypatch.setattr(Store, "save", once)
    result = rescue(session)()
    assert identifiers == [second.identifier]
    assert result.runs == (first.identifier, second.identifier)
    assert result.problem is None
    found = {record.identifier: record for record in Store().load()[0]}
    assert sorted(found) == [first.identifier, second.identifier]
    assert found[first.identifier].note == "of another window"
    settle(session, result)
    assert first.stored
    assert second.stored
