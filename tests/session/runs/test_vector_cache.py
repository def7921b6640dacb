from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from session.fakes import wait_until

from workbench.models.base import MODELS
from workbench.session.runs import run_library, vector_cache
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.vector_cache import Room, bytes_of
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings


def _record(name: str, rows: int = 10, stored: bool = True) -> RunRecord:
    embeddings = Embeddings([str(row) for row in range(rows)], np.ones((rows, 25), np.float32))
    return RunRecord(
        name, name, "", {}, "c", "d", "", state=State.DONE, embeddings=embeddings, stored=stored
    )


def test_what_was_looked_at_long_ago_is_given_back_first() -> None:
    records = [_record(name) for name in "abcde"]
    room = Room()
    for name in "ebdca":
        room.looked_at(next(record for record in records if record.name == name))
    # Each has a thousand bytes: two fit, besides the one that is shown.
    room.give(records, records[0], most=2000)
    assert [record.name for record in records if record.embeddings is not None] == ["a", "c", "d"]


def test_what_lies_in_memory_alone_stays() -> None:
    records = [_record(name, stored=False) for name in "ab"]
    Room().give(records, None, most=0)
    assert all(record.embeddings is not None for record in records)


def test_sparse_vectors_count_with_their_indices() -> None:
    table = sp.csr_matrix(np.eye(8, dtype=np.float32))
    assert (
        bytes_of(Embeddings(list("abcdefgh"), table))
        == table.data.nbytes + table.indices.nbytes + table.indptr.nbytes
    )


def test_a_run_given_back_is_read_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    params = MODELS["step"].params_type.from_mapping({"min_count": 1})
    first, second = (
        session.training.start(TrainingSpec("step", params)),
        session.training.start(TrainingSpec("step", params)),
    )
    wait_until(session, lambda: second.state.over)
    assert first.embeddings is not None
    before = np.array(first.embeddings.vectors)
    monkeypatch.setattr(vector_cache.Room.give, "__defaults__", (0,))
    session.active.show(first)
    session.active.show(second)
    assert first.embeddings is None
    session.active.show(first)
    wait_until(session, lambda: first.embeddings is not None)
    assert first.embeddings is not None
    np.testing.assert_array_equal(first.embeddings.vectors, before)


def test_deleted_runs_hold_no_vectors_and_are_forgotten(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_library, "_DELETED", 2)
    params = MODELS["step"].params_type.from_mapping({"min_count": 1})
    runs = [session.training.start(TrainingSpec("step", params)) for _ in range(3)]
    wait_until(session, lambda: runs[-1].state.over)
    for record in runs:
        session.runs.delete(record)
    assert all(record.embeddings is None for record in runs)
    session.runs.undelete()
    session.runs.undelete()
    assert session.runs.records == runs[1:]
    # The first deleted run is only in the trash of the store.
    assert not session.runs.can_undelete
    session.undo.undo()
    assert runs[0] not in session.runs


def test_of_deleted_vectors_that_were_never_saved_the_last_are_kept(session: Session) -> None:
    records = [_record(f"{number:03}", stored=False) for number in range(12)]
    session.runs.records[:] = records
    for record in records:
        session.runs.delete(record)
    while session.runs.can_undelete:
        session.runs.undelete()
    assert [record.name for record in session.runs] == [f"{number:03}" for number in range(4, 12)]
