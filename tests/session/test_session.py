from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from session.fakes import Gate, Listener, StepModel, StepParams, small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec


def train(session: Session, algorithm: str = "step", **values: object) -> RunRecord:
    return session.training.start(
        TrainingSpec(algorithm, StepParams.from_mapping({"min_count": 1, **values}))
    )


def test_training_without_a_corpus_says_what_to_do(session: Session) -> None:
    session.corpora.current = None
    with pytest.raises(UserError, match="No corpus is open"):
        train(session)
    assert session.runs.records == []


def test_a_training_finishes_is_saved_and_shown(session: Session) -> None:
    listener = Listener(session)
    record = train(session)
    assert record.state is State.TRAINING
    assert session.training.current is record
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert record.run is None
    assert len(record.trace) == 25
    assert record.final_loss == pytest.approx(1 / 25)
    assert session.active.run is record
    assert session.training.current is None
    assert listener.names().count("training.finished") == 1
    assert listener.names()[-1] == "active.changed"
    assert record.summary["corpus"]["digest"] == "feed"
    assert record.summary["vocabulary"] == 5
    assert record.stored

    again = Session()
    try:
        assert [found.identifier for found in again.runs] == [record.identifier]
        found = again.runs[0]
        assert found.embeddings is None
        assert found.has_vectors
        np.testing.assert_array_equal(found.trace.loss, record.trace.loss)
        assert found.parameters == record.parameters
        again.active.show(found)
        assert again.active.run is found
        wait_until(again, lambda: found.embeddings is not None)
        assert found.embeddings is not None
        assert record.embeddings is not None
        np.testing.assert_array_equal(found.embeddings.vectors, record.embeddings.vectors)
        assert list(found.embeddings.words) == list(record.embeddings.words)
    finally:
        again.close()


def test_results_arrive_in_the_thread_that_pumps(session: Session) -> None:
    threads = []
    session.training.finished.connect(lambda record: threads.append(threading.current_thread()))
    record = train(session)
    wait_until(session, lambda: record.state.over)
    assert threads == [threading.current_thread()]


def test_trainings_wait_for_one_another_in_order(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    records = [train(session, seed=seed) for seed in (1, 2, 3)]
    wait_until(session, lambda: gate.fits == [1])
    assert [record.state for record in records] == [State.TRAINING, State.WAITING, State.WAITING]
    assert len({record.name for record in records}) == 3
    assert [record.colour for record in records] == [0, 1, 2]
    session.training.cancel(records[1])
    assert records[1].state is State.CANCELLED
    gate.opened.set()
    wait_until(session, lambda: all(record.state.over for record in records))
    assert gate.fits == [1, 3]
    assert [record.state for record in records] == [State.DONE, State.CANCELLED, State.DONE]
    assert session.active.run is records[2]


def test_a_training_keeps_the_corpus_it_was_asked_for(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    train(session)
    second = train(session)
    session.corpora.current = small_corpus("other", "one two two")
    gate.opened.set()
    wait_until(session, lambda: second.state.over)
    assert second.corpus_digest == "feed"
    assert second.summary["corpus"]["digest"] == "feed"


def test_pause_holds_the_trainer_and_resume_lets_it_go_on(session: Session, gate: Gate) -> None:
    record = train(session, steps=100_000)
    wait_until(session, lambda: gate.steps > 3)
    session.training.pause(record)
    assert record.state is State.PAUSED
    assert session.training.current is record
    assert record.run is not None
    run = record.run
    gate.opened.clear()
    wait_until(session, lambda: run.is_paused)
    before = gate.steps
    gate.opened.set()
    # At most the step in progress when the pause began is still counted.
    assert gate.steps <= before + 1
    session.training.resume(record)
    assert record.state is State.TRAINING
    wait_until(session, lambda: gate.steps > before + 3)
    session.training.cancel(record)
    wait_until(session, lambda: record.state.over)


def test_stop_keeps_what_there_is(session: Session, gate: Gate) -> None:
    record = train(session, steps=100_000)
    wait_until(session, lambda: gate.steps > 3)
    session.training.stop(record)
    wait_until(session, lambda: record.state.over)
    assert record.state is State.STOPPED
    assert record.embeddings is not None
    assert record.summary["stopped"] is True
    assert session.store.load()[0][0].state is State.STOPPED


def test_a_paused_training_can_be_stopped_and_cancelled(session: Session, gate: Gate) -> None:
    for act, state in (
        (session.training.stop, State.STOPPED),
        (session.training.cancel, State.CANCELLED),
    ):
        gate.steps = 0
        record = train(session, steps=100_000)
        wait_until(session, lambda: gate.steps > 3)
        session.training.pause(record)
        act(record)
        wait_until(session, lambda record=record: record.state.over)  # type: ignore[misc]
        assert record.state is state


def test_stop_cancels_what_has_nothing_to_keep(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    record = train(session, "table")
    waiting = train(session)
    wait_until(session, lambda: gate.fits)
    session.training.stop(record)
    session.training.stop(waiting)
    assert waiting.state is State.CANCELLED
    wait_until(session, lambda: record.state.over)
    assert record.state is State.CANCELLED
    assert session.store.load() == ([], [])


@pytest.mark.parametrize(
    ("failing", "text"),
    [
        ("user", "Step cannot"),
        ("memory", "Not enough memory"),
        ("defect", "Training Step 1 failed"),
    ],
)
def test_a_failed_training_says_why_and_the_next_one_begins(
    session: Session, failing: str, text: str
) -> None:
    listener = Listener(session)
    record = train(session, failing=failing)
    following = train(session)
    wait_until(session, lambda: following.state.over)
    assert record.state is State.FAILED
    assert record.error is not None
    assert text in record.error.message
    assert any(text in message for message in listener.messages())
    assert following.state is State.DONE
    assert session.runs.records == [record, following]


def test_a_finished_run_does_not_take_the_place_of_a_newer_one(
    session: Session, gate: Gate
) -> None:
    gate.opened.clear()
    older = train(session)
    newer = session.corpora.add_vectors("opened meanwhile", _some_vectors(session))
    session.active.show(newer)
    gate.opened.set()
    wait_until(session, lambda: older.state.over)
    assert session.active.run is newer


def test_a_run_that_cannot_be_saved_is_still_there(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("The disk is full.", "Free some space.")

    monkeypatch.setattr(session.store, "save", full)
    listener = Listener(session)
    record = train(session)
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE
    assert record.embeddings is not None
    assert not record.stored
    assert listener.messages() == ["The disk is full."]
    session.runs.delete(record)
    assert session.runs.records == []


def test_close_while_training_ends_it_within_a_blink(session: Session, gate: Gate) -> None:
    record = train(session, steps=100_000)
    train(session)
    wait_until(session, lambda: gate.steps > 3)
    session.training.pause(record)
    session.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("job")]
    assert gate.fits == [1]
    session.close()
    session.pump()


def test_rename_reaches_the_store(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    record = train(session)
    session.runs.rename(record, "  early \n name ")
    gate.opened.set()
    wait_until(session, lambda: record.state.over)
    assert session.store.load()[0][0].name == "early name"
    session.runs.rename(record, "late name")
    session.runs.rename(record, "  ")
    assert record.name == "late name"
    assert session.store.load()[0][0].name == "late name"


def test_deleted_runs_come_back(session: Session) -> None:
    first, second = train(session), train(session, seed=2)
    wait_until(session, lambda: second.state.over)
    session.runs.delete(second)
    assert session.runs.records == [first]
    assert session.active.run is first
    assert [found.identifier for found in session.store.load()[0]] == [first.identifier]
    session.runs.delete(first)
    assert session.active.run is None
    assert session.runs.can_undelete
    session.runs.undelete()
    session.runs.undelete()
    session.runs.undelete()
    assert session.runs.records == [first, second]
    assert len(session.store.load()[0]) == 2
    assert not session.runs.can_undelete


def test_a_run_that_another_window_deleted_can_be_taken_from_the_list(session: Session) -> None:
    record = train(session)
    wait_until(session, lambda: record.state.over)
    session.store.delete(record.identifier)
    session.runs.delete(record)
    assert session.runs.records == []
    session.runs.undelete()
    assert session.runs.records == [record]
    assert len(session.store.load()[0]) == 1


def test_deleting_what_trains_cancels_it(session: Session, gate: Gate) -> None:
    record = train(session, steps=100_000)
    wait_until(session, lambda: gate.steps > 3)
    session.runs.delete(record)
    assert session.runs.records == []
    assert session.training.current is None
    wait_until(session, lambda: record.state.over)
    assert record.state is State.CANCELLED
    following = train(session)
    wait_until(session, lambda: following.state.over)
    assert following.state is State.DONE


def test_deleting_what_is_being_saved_moves_it_to_the_trash(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving, go_on = threading.Event(), threading.Event()
    save = session.store.save

    def slow(*arguments: Any) -> None:
        saving.set()
        go_on.wait(30)
        save(*arguments)

    monkeypatch.setattr(session.store, "save", slow)
    record = train(session)
    wait_until(session, saving.is_set)
    session.runs.delete(record)
    go_on.set()
    wait_until(session, lambda: record.state.over)
    assert session.runs.records == []
    assert session.store.load() == ([], [])
    session.runs.undelete()
    assert session.runs.records == [record]
    assert len(session.store.load()[0]) == 1


def test_closing_while_saving_loses_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving, go_on = threading.Event(), threading.Event()
    save, close = session.store.save, session.jobs.close

    def slow(*arguments: Any) -> None:
        saving.set()
        go_on.wait(30)
        save(*arguments)

    monkeypatch.setattr(session.store, "save", slow)
    monkeypatch.setattr(session.jobs, "close", lambda: (go_on.set(), close())[1])
    train(session)
    wait_until(session, saving.is_set)
    session.close()
    assert len(session.store.load()[0]) == 1


def test_phases_are_told(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    record = train(session)
    phases = []
    session.runs.changed.connect(
        lambda: record.run is not None and phases.append(record.run.progress.phase)
    )
    wait_until(session, lambda: Phase.TRAINING in phases)


def test_a_damaged_run_is_told_at_the_first_pump(session: Session) -> None:
    folder = session.store.folder / "runs" / "20260101-000000-000000-0000"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{")
    again = Session()
    listener = Listener(again)
    try:
        assert again.runs.records == []
        again.pump()
        assert len(listener.messages()) == 1
    finally:
        again.close()


def _some_vectors(session: Session):
    from workbench.core.job_control import JobControl

    assert session.corpora.current is not None
    StepModel.gate.opened.set()
    vectors = StepModel(StepParams(min_count=1)).fit(session.corpora.current, JobControl())
    StepModel.gate.opened.clear()
    return vectors


def test_home_is_honoured(session: Session, home: Path) -> None:
    assert session.store.folder.is_relative_to(home)
