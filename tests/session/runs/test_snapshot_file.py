"""Snapshots of a training that are saved with its run: they come back, bounded and checked."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from session.fakes import StepParams, small_corpus, wait_until

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.counts.huffman import NODES
from workbench.session.runs.history import TrainingHistory
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.snapshot_file import (
    NAME,
    keep_within,
    load_snapshots,
    save_snapshots,
)
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings


def model(words: int = 50, dim: int = 6, seed: int = 0, **more: Any) -> Embeddings:
    random = np.random.default_rng(seed)
    one, other, raw = random.normal(size=(3, words, dim)).astype(np.float32)
    return Embeddings(
        [f"w{number}" for number in range(words)],
        one + other,
        np.arange(words, 0, -1),
        contexts=other,
        raw=raw,
        biases=one[:, 0].copy(),
        metadata={"vectors": "sum"},
        **more,
    )


def states(number: int = 12, words: int = 50, **more: Any) -> tuple[TrainingFrame, ...]:
    return tuple(
        TrainingFrame(
            at / (number - 1),
            2.0 * at,
            float("nan") if at == 0 else 3.0 - at / number,
            model(words, seed=at, **more),
            words,
        )
        for at in range(number)
    )


def test_states_come_back_in_half_precision(tmp_path: Path) -> None:
    frames = states()
    save_snapshots(tmp_path / NAME, frames)
    found = load_snapshots(tmp_path / NAME, frames[-1].embeddings)
    assert len(found) == len(frames)
    for mine, theirs in zip(frames, found, strict=True):
        assert (theirs.progress, theirs.seconds, theirs.total) == (
            mine.progress,
            mine.seconds,
            mine.total,
        )
        np.testing.assert_equal(theirs.loss, mine.loss)
        assert list(theirs.embeddings.words) == list(mine.embeddings.words)
        for name in ("vectors", "contexts", "raw", "biases", "counts"):
            table = getattr(theirs.embeddings, name)
            np.testing.assert_allclose(
                table, getattr(mine.embeddings, name), rtol=2**-10, atol=1e-6
            )
        assert theirs.embeddings.metadata == {"vectors": "sum"}
    # The last state is the result itself.
    np.testing.assert_array_equal(found[-1].embeddings.vectors, frames[-1].embeddings.vectors)
    assert found[0].embeddings.inputs.dtype == np.float32


def test_a_tree_comes_back(tmp_path: Path) -> None:
    nodes = np.ones((49, 6), np.float32)
    frames = states(state={NODES: nodes})
    save_snapshots(tmp_path / NAME, frames)
    found = load_snapshots(tmp_path / NAME, frames[-1].embeddings)
    np.testing.assert_array_equal(found[3].embeddings.state[NODES], nodes)


def test_the_file_is_limited(tmp_path: Path) -> None:
    frames = states(40, 400)
    for limit, number, words in ((1 << 20, 40, 400), (300_000, 19, 400), (60_000, 10, 157)):
        path = tmp_path / f"{limit}.npz"
        save_snapshots(path, frames, limit)
        assert path.stat().st_size < limit + 4000
        found = load_snapshots(path, frames[-1].embeddings)
        assert (len(found), len(found[0].embeddings)) == (number, words)
        assert (found[0].progress, found[-1].progress) == (0.0, 1.0)
        assert found[0].whole is (words == 400)
    save_snapshots(tmp_path / "one.npz", frames[:1])
    assert not (tmp_path / "one.npz").exists()


def test_all_files_are_limited_and_the_earliest_go_first(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abcd"]
    for path in paths:
        path.write_bytes(b"0" * 100)
    keep_within([*paths[:1], tmp_path / "missing", *paths[1:]], 250)
    assert [path.name for path in paths if path.exists()] == ["c", "d"]


def _rewritten(path: Path, **parts: Any) -> None:
    with np.load(path) as archive:
        kept = {name: archive[name] for name in archive.files}
    with path.open("wb") as file:
        np.savez(file, **{**kept, **parts})


@pytest.mark.parametrize(
    "parts",
    [
        {"words": np.array(51)},
        {"words": np.array(-1)},
        {"loss": np.zeros(5)},
        {"progress": np.zeros((12, 2))},
        {"vectors": np.zeros((11, 49, 6), np.float16)},
        {"vectors": np.zeros((11, 50, 6), np.float32)},
        {"contexts": np.full((11, 50, 6), np.inf, np.float16)},
        {"contexts": np.zeros((3, 50, 6), np.float16)},
        {"vectors": np.array("text")},
    ],
)
def test_files_that_do_not_fit_are_left_alone(tmp_path: Path, parts: dict[str, Any]) -> None:
    frames = states()
    path = tmp_path / NAME
    save_snapshots(path, frames)
    _rewritten(path, **parts)
    assert load_snapshots(path, frames[-1].embeddings) == ()


def test_damaged_and_missing_files_contain_no_states(tmp_path: Path) -> None:
    frames = states()
    path = tmp_path / NAME
    save_snapshots(path, frames)
    path.write_bytes(path.read_bytes()[:-200])
    assert load_snapshots(path, frames[-1].embeddings) == ()
    path.write_bytes(b"")
    assert load_snapshots(path, frames[-1].embeddings) == ()
    assert load_snapshots(tmp_path / "none", frames[-1].embeddings) == ()


# -- in a session


def train(session: Session) -> RunRecord:
    session.corpora.current = small_corpus()
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: record.state.over and session.training.current is None)
    assert len(record.history.frames) > 1
    return record


def times(history: TrainingHistory) -> list[tuple[float, float]]:
    return [(frame.progress, frame.seconds) for frame in history.frames]


@pytest.mark.usefixtures("gate")
def test_a_training_can_be_replayed_after_the_next_start(session: Session) -> None:
    record = train(session)
    session.close()
    later = Session()
    try:
        (same,) = later.runs
        assert same.history.frames == ()
        later.active.show(same)
        wait_until(later, lambda: same.history.frames)
        assert times(same.history) == times(record.history)
        # States that were discarded to free memory come back, too.
        same.history.thin(0)
        later.active.show(None)
        later.active.show(same)
        wait_until(later, lambda: same.history.frames)
        assert times(same.history) == times(record.history)
    finally:
        later.close()


@pytest.mark.usefixtures("gate")
@pytest.mark.parametrize("discarded", [False, True])
def test_a_session_file_contains_the_snapshots(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discarded: bool
) -> None:
    record = train(session)
    wanted = times(record.history)
    if discarded:
        record.history.thin(0)
    path = tmp_path / "all.workbench"
    session.files.save(path, {})
    wait_until(session, path.exists)
    wait_until(session, lambda: not session.jobs.active)
    with zipfile.ZipFile(path) as archive:
        assert f"runs/{record.identifier}/{NAME}" in archive.namelist()
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "elsewhere"))
    there = Session()
    try:
        there.corpora.open([path])
        wait_until(there, lambda: len(there.runs) == 1 and there.runs[0].history.frames)
        assert times(there.runs[0].history) == wanted
    finally:
        there.close()
