"""States of a training: copied, limited in size, in order, and of the chosen vectors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from session.fakes import Gate, StepModel, TableModel, wait_until

from workbench.core.job_control import JobControl, Phase
from workbench.core.params import param
from workbench.models.checkpointing import Checkpointer, ResumeState
from workbench.models.params import VectorParams
from workbench.session.runs import history as module
from workbench.session.runs.history import (
    RecordedRun,
    TrainingHistory,
    give_room,
    recorded_bytes,
    states_bytes,
    thin_frames,
)
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing


def model(words: int = 8, dim: int = 3, seed: int = 0) -> Embeddings:
    random = np.random.default_rng(seed)
    one, other = random.normal(size=(2, words, dim)).astype(np.float32)
    return Embeddings(
        [f"w{number}" for number in range(words)], one, np.arange(words, 0, -1), contexts=other
    )


def train_run(session: Session, **params: object) -> RunRecord:
    record = session.training.start(
        TrainingSpec("step", StepModel.params_type.from_mapping({"min_count": 1, **params}))
    )
    wait_until(session, lambda: record.state.over)
    return record


def test_states_are_kept_ever_more_rarely_and_never_too_many() -> None:
    history, embeddings = TrainingHistory(), model()
    for progress in np.linspace(0.0, 1.0, 20_001).tolist():
        if history.due(progress):
            history.add(progress, 0.0, 1.0, embeddings)
    at = [frame.progress for frame in history.frames]
    assert 30 <= len(at) <= 40
    assert at[0] == 0.0
    assert sum(one < 0.1 for one in at) > len(at) / 3
    gaps = np.diff(at)
    assert (np.diff(gaps) > -1e-3).all()
    assert gaps.max() <= 0.0501


def test_a_state_is_a_copy() -> None:
    history, embeddings = TrainingHistory(), model()
    history.add(0.0, 0.0, 1.0, embeddings)
    kept = history.frames[0].embeddings
    before = np.array(kept.vectors)
    np.asarray(embeddings.vectors)[:] = 0.0
    assert kept.contexts is not None
    assert embeddings.contexts is not None
    embeddings.contexts[:] = 0.0
    np.testing.assert_array_equal(np.asarray(kept.vectors), before)
    assert kept.contexts.any()


def test_memory_is_bounded_by_the_words_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGET", 40 * 4 * 2 * 3 * 5)
    history, embeddings = TrainingHistory(), model(words=100)
    for progress in np.linspace(0.0, 1.0, 60).tolist():
        history.add(progress, 0.0, 1.0, embeddings)
    assert len(history.frames) <= 40
    assert {len(frame.embeddings) for frame in history.frames} == {5}
    assert not history.frames[0].whole
    assert history.frames[0].total == 100
    assert history.bytes <= module.BUDGET + 40 * 8 * 5
    assert len({id(frame.embeddings.words) for frame in history.frames}) == 1


def test_thinning_keeps_the_ends() -> None:
    history, embeddings = TrainingHistory(), model()
    for progress in (0.0, 0.01, 0.04, 0.05, 0.5, 1.0):
        history.add(progress, 0.0, 1.0, embeddings)
    assert [frame.progress for frame in thin_frames(history.frames, 5)] == [
        0.0,
        0.01,
        0.05,
        0.5,
        1.0,
    ]
    assert [frame.progress for frame in thin_frames(history.frames, 1)] == [0.0, 1.0]


def test_the_oldest_run_gives_room_first() -> None:
    histories = [TrainingHistory() for _ in range(3)]
    for history in histories:
        for progress in np.linspace(0.0, 1.0, 20).tolist():
            history.add(progress, 0.0, 1.0, model())
    one = histories[0].bytes
    give_room(histories, int(2.6 * one))
    assert [len(history.frames) for history in histories] == [10, 20, 20]
    give_room(histories, int(1.2 * one))
    assert [len(history.frames) for history in histories] == [0, 0, 20]
    give_room(histories, 0)
    assert len(histories[2].frames) == 20


def test_states_are_made_as_the_result_is() -> None:
    embeddings = model()
    history = TrainingHistory(Postprocessing("w+c"))
    history.add(0.0, 0.0, 1.0, embeddings)
    result = apply_postprocessing(embeddings, Postprocessing("w+c"))
    history.add(0.5, 0.0, 1.0, result)
    history.finish(result, JobControl())
    assert embeddings.contexts is not None
    for frame in history.frames:
        np.testing.assert_allclose(
            np.asarray(frame.embeddings.vectors),
            embeddings.vectors + embeddings.contexts,
            rtol=1e-6,
        )
        np.testing.assert_array_equal(np.asarray(frame.embeddings.inputs), embeddings.vectors)
    assert history.frames[-1].progress == 1.0


def test_a_run_asks_its_trainer_when_a_state_is_due() -> None:
    history = TrainingHistory()
    run = RecordedRun(history)
    embeddings = model()
    keeper = Checkpointer(run, ResumeState(), 1, 0.1, lambda: embeddings)
    assert [frame.progress for frame in history.frames] == [0.0]
    run.enter(Phase.TRAINING)
    for progress in (0.001, 0.01, 0.011, 0.5):
        run.advance(progress)
        run.record(progress, 2.0 - progress)
        keeper.answer_requests(progress)
    assert [frame.progress for frame in history.frames] == [0.0, 0.01, 0.5]
    assert history.frames[-1].loss == pytest.approx(1.5)
    # A snapshot requested by another component is published, but recorded only when a state is due.
    run.request_snapshot()
    other = dataclasses.replace(embeddings)
    keeper.answer_requests(0.5)
    run.publish("embeddings", other)
    assert run.latest("embeddings") is other
    assert len(history.frames) == 3


@dataclasses.dataclass(frozen=True)
class Wide(VectorParams):
    dim: int = param(100, "Columns.", low=1, high=1000)


def test_what_recording_takes_is_known_beforehand() -> None:
    """40 states of 3,000 words (W and C, 100 numbers), two full snapshots, 20 MB for writing."""
    assert states_bytes(Wide(), 20_000) == 40 * 3000 * 2 * 100 * 4
    assert (
        recorded_bytes(StepModel, Wide(), 20_000)
        == 96_000_000 + 2 * 20_000 * 2 * 100 * 4 + 20_000_000
    )
    assert recorded_bytes(TableModel, Wide(), 20_000) == 96_000_000 // 40
    assert recorded_bytes(StepModel, StepModel.params_type(), 20_000) == 0
    history, embeddings = TrainingHistory(), model(words=6000, dim=100)
    for number in range(60):
        history.add(number / 60, 0.0, 1.0, embeddings)
    assert history.bytes <= states_bytes(Wide(), 6000) * 1.01 + 8 * 40 * 6000


def test_a_training_of_the_session_is_recorded(session: Session) -> None:
    record = train_run(session, steps=50)
    frames = record.history.frames
    assert record.state is State.DONE
    assert len(frames) > 10
    assert [frame.progress for frame in frames] == sorted({frame.progress for frame in frames})
    assert (frames[0].progress, frames[-1].progress) == (0.0, 1.0)
    assert record.embeddings is not None
    np.testing.assert_array_equal(
        np.asarray(frames[-1].embeddings.vectors), np.asarray(record.embeddings.vectors)
    )
    assert frames[-1].loss == pytest.approx(record.trace.loss[-1])


def test_a_training_that_is_stopped_ends_where_it_was(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    record = session.training.start(
        TrainingSpec("step", StepModel.params_type(min_count=1, steps=1000))
    )
    wait_until(session, lambda: record.run is not None and record.run.progress.phase == "training")
    gate.opened.set()
    wait_until(session, lambda: len(record.history.frames) > 3)
    session.training.stop(record)
    wait_until(session, lambda: record.state.over)
    last = record.history.frames[-1]
    if record.state is State.STOPPED:
        assert last.progress == pytest.approx(record.trace.progress[-1], abs=0.01)


def test_nothing_comes_after_the_last_good_state(session: Session) -> None:
    record = train_run(session, steps=25, failing="diverge")
    assert record.state is State.STOPPED
    share = record.summary["diverged"]["kept"]
    assert record.history.frames[-1].progress == pytest.approx(share)


def test_what_is_solved_directly_has_one_state(session: Session) -> None:
    other = session.training.start(
        TrainingSpec("table", StepModel.params_type(min_count=1, steps=1))
    )
    wait_until(session, lambda: other.state.over)
    assert other.history.frames[-1].progress == 1.0
    record = RunRecord("a", "a", "", {}, "", "", "2026-01-01")
    assert record.history.frames == ()


def test_a_training_that_ends_takes_the_room_of_those_deleted_and_older(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleted runs lose their states first, then the oldest; the newest run keeps all states."""
    one, two = train_run(session), train_run(session, seed=2)
    session.runs.delete(two)
    whole = len(one.history.frames)
    assert whole == len(two.history.frames) > 10
    room = one.history.bytes
    monkeypatch.setattr(
        "workbench.session.runs.run_library.give_room",
        lambda histories: give_room(histories, int(2.7 * room)),
    )
    three = train_run(session, seed=3)
    assert [len(record.history.frames) for record in (one, two, three)] == [whole, 10, whole]
    monkeypatch.setattr(
        "workbench.session.runs.run_library.give_room", lambda histories: give_room(histories, 1)
    )
    failed_run = train_run(session, failing="user")
    assert failed_run.state is State.FAILED
    assert [len(record.history.frames) for record in (one, two, three)] == [0, 0, 0]
