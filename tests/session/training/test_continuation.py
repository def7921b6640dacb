"""Continuing a run of the list, and runs that diverged, in a session."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from session.fakes import Gate, Listener, StepParams, small_corpus, wait_until
from tables import dense

from workbench.core.errors import UserError
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.continuation import parent_of
from workbench.session.training.request import TrainingSpec
from workbench.session.training.seeds import siblings, train_seeds


def train_run(session: Session, algorithm: str = "step", **values: object) -> RunRecord:
    record = session.training.start(
        TrainingSpec(algorithm, StepParams.from_mapping({"min_count": 1, "epochs": 4, **values}))
    )
    wait_until(session, lambda: record.state.over)
    return record


def continue_run(
    session: Session, record: RunRecord, passes: int, rate: float | None = None
) -> RunRecord:
    continuation = session.training.continue_run(record, passes, rate)
    wait_until(session, lambda: continuation.state.over)
    return continuation


def test_a_run_is_trained_on_as_a_run_of_its_own(session: Session) -> None:
    first = train_run(session)
    second = continue_run(session, first, 6, 0.25)
    assert second.name == "Step 1 +6"
    assert second.state is State.DONE
    assert second.stored
    assert second.parameters == {**first.parameters, "epochs": 6, "learning_rate": 0.25}
    origin = second.summary["continued"]
    assert (origin["name"], origin["identifier"]) == ("Step 1", first.identifier)
    assert (origin["passes"], origin["epochs"]) == (4.0, 4.0)
    assert origin["seconds"] == pytest.approx(first.trace.seconds[-1])
    assert second.summary["passes"] == 10.0
    assert second.embeddings is not None
    assert first.embeddings is not None
    np.testing.assert_array_equal(second.embeddings.vectors, first.embeddings.vectors)
    assert session.active.run is second
    third = continue_run(session, second, 2)
    assert third.name == "Step 1 +6 +2"
    assert third.summary["continued"]["passes"] == 10.0
    # In one training of 8 epochs, the rate of 0.25 would have fallen to a quarter after 6.
    assert third.parameters["learning_rate"] == pytest.approx(0.0625)
    assert continue_run(session, first, 6).name == "Step 1 +6 (2)"


def test_a_stored_run_is_loaded_to_be_trained_on(session: Session) -> None:
    first = train_run(session)
    again = Session()
    try:
        again.corpora.current = small_corpus()
        found = again.runs[0]
        assert found.embeddings is None
        second = continue_run(again, found, 1)
        assert second.state is State.DONE
        assert second.summary["passes"] == 5.0
        assert first.embeddings is not None
        assert second.embeddings is not None
        np.testing.assert_array_equal(second.embeddings.vectors, first.embeddings.vectors)
    finally:
        again.close()


def test_where_its_loss_begins_is_known_while_it_waits(session: Session, gate: Gate) -> None:
    first = train_run(session)
    gate.opened.clear()
    second = session.training.continue_run(first, 3)
    assert second.summary["continued"]["epochs"] == 4.0
    assert not second.state.over
    session.training.cancel(second)
    wait_until(session, lambda: second.state.over)


def test_what_cannot_be_trained_on_says_why_in_a_sentence(session: Session) -> None:
    first = train_run(session)
    direct = train_run(session, "table")
    with pytest.raises(UserError, match="solved directly"):
        session.training.continue_run(direct, 5)
    failed_run = train_run(session, failing="user")
    with pytest.raises(UserError, match="it has no vectors"):
        session.training.continue_run(failed_run, 5)
    with pytest.raises(UserError, match="epochs must be"):
        session.training.continue_run(first, 1000)
    session.corpora.current = small_corpus("other", "one two two")
    with pytest.raises(UserError, match="isn’t the corpus of the run"):
        session.training.continue_run(first, 5)
    session.corpora.current = None
    with pytest.raises(UserError, match="No corpus is open"):
        session.training.continue_run(first, 5)
    first.summary = {"algorithm": "gone"}
    with pytest.raises(UserError, match="training state wasn’t saved"):
        session.training.continue_run(first, 5)


def test_a_run_kept_without_its_provenance_of_passes_counts_those_it_was_asked_for(
    session: Session,
) -> None:
    record = train_run(session)
    old = {name: value for name, value in record.summary.items() if name != "passes"}
    assert parent_of(old).passes == 4.0
    assert parent_of({**old, "passes": "many"}).passes == 4.0
    assert parent_of({**old, "passes": 2.5}).own == 2.5


def test_a_continuation_is_no_other_seed_of_its_parent(session: Session) -> None:
    first = train_run(session)
    second = continue_run(session, first, 4, 0.5)
    other = train_run(session, seed=2)
    assert siblings(session.runs, first) == [first, other]
    assert siblings(session.runs, second) == [second]
    with pytest.raises(UserError, match="with other seeds, because it continues another"):
        train_seeds(session.training, session.runs, session.corpora.current, second, 3)


def test_a_run_that_diverges_keeps_its_last_good_state(session: Session) -> None:
    listener = Listener(session)
    record = train_run(session, failing="diverge")
    assert record.state is State.STOPPED
    assert record.stored
    assert record.error is not None
    assert "diverged at 44%" in record.error.message
    assert "The result after" in record.error.message
    assert "learning_rate" in record.error.hint
    assert any("diverged" in text for text in listener.messages())
    assert record.embeddings is not None
    assert np.isfinite(dense(record.embeddings.vectors)).all()
    assert session.active.run is record
    assert record.summary["diverged"]["kept"] < record.summary["diverged"]["progress"]
    again = Session()
    try:
        assert again.runs[0].state is State.STOPPED
        assert again.runs[0].error is not None
        assert "diverged" in again.runs[0].error.message
    finally:
        again.close()


def test_a_choice_made_of_a_run_is_made_again_when_it_is_trained_on(session: Session) -> None:
    record = train_run(session)
    variant = dataclasses.replace(record, parameters={**record.parameters, "dim": 7})
    assert session.training.parent_of(variant).params.to_dict()["dim"] == 7
