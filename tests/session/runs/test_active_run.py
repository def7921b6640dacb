"""The active run, and its vectors, which are loaded on demand."""

from __future__ import annotations

import numpy as np
from session.fakes import Listener, StepParams, wait_until

from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings


def test_vectors_read_beside_the_shown_ones_are_kept_once(session: Session) -> None:
    words = ["a", "b"]
    first, second = (Embeddings(words, np.eye(2, dtype=np.float32)) for _ in range(2))
    record = RunRecord("x", "kept", "", {}, "", "", "2026-01-01", state=State.DONE)
    session.runs.keep_vectors(record, first)
    session.runs.keep_vectors(record, second)
    assert record.embeddings is first


def test_damaged_vectors_are_told_when_shown(session: Session) -> None:
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: record.state.over)
    again = Session()
    listener = Listener(again)
    try:
        (found,) = again.runs
        path = again.store.folder / "runs" / found.identifier / "vectors.npz"
        data = bytearray(path.read_bytes())
        data[len(data) // 3 : 2 * len(data) // 3] = bytes(len(data) // 3)
        path.write_bytes(data)
        again.active.show(found)
        wait_until(again, lambda: found.error is not None)
        assert found.state is State.FAILED
        assert "damaged" in listener.messages()[0]
        # The run isn’t offered any more, and its vectors aren’t read again.
        assert not found.stored
        assert not found.has_vectors
        assert (again.store.folder / "damaged" / found.identifier / "run.json").exists()
    finally:
        again.close()


def test_it_is_told_when_the_vectors_of_the_run_looked_at_have_come(session: Session) -> None:
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: record.state.over)
    again = Session()
    (found,) = again.runs
    seen: list[bool] = []
    again.active.changed.connect(lambda: seen.append(again.active.embeddings is not None))
    again.active.show(found)
    assert seen == [False]
    wait_until(again, lambda: len(seen) > 1)
    assert seen == [False, True]
    again.close()
