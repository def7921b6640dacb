"""New runs derived from the vectors of finished ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Listener, wait_until
from tables import dense

from workbench.core.errors import UserError
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, choice_of


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    new_session = Session()
    yield new_session
    new_session.close()


def finished_run(session: Session, contexts: bool = True) -> RunRecord:
    """A run of SGNS in the state after training."""
    random = np.random.default_rng(1)
    W, C = (random.normal(size=(6, 4)).astype(np.float32) for _ in range(2))
    metadata = {"algorithm": "sgns", "parameters": {"dim": 4}}
    embeddings = Embeddings(
        list("abcdef"), W, np.arange(6, 0, -1), C if contexts else None, metadata=metadata
    )
    record = RunRecord(
        "20260101-000000-000000-0000",
        "SGNS 3",
        "sgns",
        {"dim": 4},
        "tiny",
        "feed",
        "2026-01-01",
        state=State.DONE,
        embeddings=embeddings,
        stored=True,
    )
    session.store.save(record, embeddings)
    session.runs.append(record)
    return record


def test_a_run_is_made_saved_and_shown(session: Session) -> None:
    parent = finished_run(session)
    assert parent.embeddings is not None
    embeddings = parent.embeddings
    session.runs.postprocess(parent, Postprocessing("w+c", normalise=True))
    wait_until(session, lambda: len(session.runs) == 2)
    child = session.runs[1]
    assert session.active.run is child
    assert child.name == "SGNS 3 · W + C · unit"
    assert (child.algorithm, child.corpus_digest, child.state) == ("sgns", "feed", State.DONE)
    assert child.colour != parent.colour
    assert dict(child.parameters) == {
        "dim": 4,
        "result": "w+c",
        "normalise": True,
        "all_but_the_top": -1,
    }
    assert child.summary["parent"]["name"] == "SGNS 3"
    assert child.summary["parent"]["identifier"] == parent.identifier
    assert parent.embeddings is embeddings
    # Another window sees the run, and can load its vectors from the store.
    (again,) = [record for record in Store().load()[0] if record.name == child.name]
    read = Store().vectors(again.identifier)
    expected = embeddings.vectors.astype(np.float64) + embeddings.contexts
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(dense(read.vectors), expected, atol=1e-6)
    np.testing.assert_array_equal(read.inputs, embeddings.vectors)
    assert choice_of(read) == Postprocessing("w+c", normalise=True)


def test_a_grandchild_is_named_by_what_was_trained_and_made_of_it(session: Session) -> None:
    parent = finished_run(session)
    parent.embeddings, embeddings = None, parent.embeddings
    assert embeddings is not None
    session.runs.postprocess(parent, Postprocessing("concatenation"))
    wait_until(session, lambda: len(session.runs) == 2)
    session.runs.postprocess(session.runs[1], Postprocessing())
    wait_until(session, lambda: len(session.runs) == 3)
    grandchild = session.runs[2]
    assert grandchild.name == "SGNS 3 · W"
    assert grandchild.summary["parent"]["name"] == "SGNS 3 · [W; C]"
    assert grandchild.embeddings is not None
    np.testing.assert_array_equal(grandchild.embeddings.vectors, embeddings.vectors)
    session.runs.postprocess(parent, Postprocessing("concatenation"))
    wait_until(session, lambda: len(session.runs) == 4)
    assert session.runs[3].name == "SGNS 3 · [W; C] (2)"


def test_what_is_impossible_makes_no_run(session: Session) -> None:
    parent = finished_run(session, contexts=False)
    listener = Listener(session)
    session.runs.postprocess(parent, Postprocessing("w+c"))
    wait_until(session, listener.messages)
    assert "context vectors" in listener.messages()[0]
    assert session.runs.records == [parent]


def test_a_run_that_cannot_be_saved_is_kept_all_the_same(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = finished_run(session)
    listener = Listener(session)

    def full(*_: object) -> None:
        raise UserError("The disk is full.", "Make room.")

    monkeypatch.setattr(session.store, "save", full)
    session.runs.postprocess(parent, Postprocessing(all_but_the_top=1))
    wait_until(session, lambda: len(session.runs) == 2)
    assert "The disk is full." in listener.messages()
    assert not session.runs[1].stored
    assert session.active.run is session.runs[1]
