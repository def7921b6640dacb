"""The same training with other seeds: queued, named, and never the active run."""

from __future__ import annotations

import pytest
from session.fakes import Gate, StepParams, TableModel, small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.models.params import ModelParams
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.session.training.seeds import params_with_other_seeds, siblings, train_seeds


def train(session: Session, **values: object) -> RunRecord:
    return session.training.start(
        TrainingSpec("step", StepParams.from_mapping({"min_count": 1, **values}))
    )


def test_missing_seeds_are_queued_and_belong_together(session: Session, gate: Gate) -> None:
    base = train(session, seed=2)
    wait_until(session, lambda: base.state is State.DONE)
    other = train(session, seed=2, steps=10)
    records = train_seeds(session.training, session.runs, session.corpora.current, base, 4)
    assert [record.name for record in records] == [
        "Step 1 · seed 1",
        "Step 1 · seed 3",
        "Step 1 · seed 4",
    ]
    assert [record.parameters["seed"] for record in records] == [1, 3, 4]
    wait_until(session, lambda: all(record.state is State.DONE for record in records))
    assert session.active.run is other
    assert siblings(session.runs, base) == [base, *records]
    assert siblings(session.runs, records[2]) == [base, *records]
    assert siblings(session.runs, other) == [other]
    assert train_seeds(session.training, session.runs, session.corpora.current, records[0], 4) == []
    assert [
        r.name
        for r in train_seeds(session.training, session.runs, session.corpora.current, records[0], 5)
    ] == ["Step 1 · seed 5"]


def test_a_run_from_before_a_parameter_came_belongs_to_the_others(session: Session) -> None:
    base = train(session)
    wait_until(session, lambda: base.state is State.DONE)
    base.parameters = {name: value for name, value in base.parameters.items() if name != "verbose"}
    records = train_seeds(session.training, session.runs, session.corpora.current, base, 2)
    assert siblings(session.runs, base) == [base, *records]


def test_cancelled_ones_are_asked_for_again(session: Session, gate: Gate) -> None:
    base = train(session)
    wait_until(session, lambda: base.state is State.DONE)
    gate.opened.clear()
    records = train_seeds(session.training, session.runs, session.corpora.current, base, 3)
    for record in records:
        session.training.cancel(record)
    wait_until(session, lambda: all(record.state is State.CANCELLED for record in records))
    assert siblings(session.runs, base) == [base]
    gate.opened.set()
    assert len(train_seeds(session.training, session.runs, session.corpora.current, base, 3)) == 2


def test_what_has_no_seed_or_no_corpus_says_so(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = train(session)
    wait_until(session, lambda: base.state is State.DONE)
    session.corpora.current = small_corpus("other")
    with pytest.raises(UserError, match="which isn’t open"):
        train_seeds(session.training, session.runs, session.corpora.current, base, 3)
    monkeypatch.setattr(TableModel, "params_type", ModelParams)
    exact = RunRecord(
        "x", "Table 1", "table", ModelParams().to_dict(), "", "feed", "", state=State.DONE
    )
    with pytest.raises(UserError, match="uses no random numbers"):
        params_with_other_seeds([exact], exact, 3)
    file = RunRecord("y", "file", "", {}, "", "", "", state=State.DONE)
    assert siblings([exact, file], file) == [file]
    with pytest.raises(UserError, match="from a file"):
        params_with_other_seeds([file], file, 3)
