"""Trainings whose process ended first: kept while they go on, found afterwards, gone on with."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, StepModel, StepParams, small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.core.locks import Lock, held
from workbench.core.params import Value
from workbench.session import interrupted as module
from workbench.session.grid import axes_of, grid_of, plan_of
from workbench.session.grid_results import by_parameter
from workbench.session.records import State
from workbench.session.session import Session

_ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are kept at once, and however long writing takes."""
    monkeypatch.setattr(module, "FIRST", 0.02)
    monkeypatch.setattr(module, "BETWEEN", 0.0)
    monkeypatch.setattr(module, "SHARE", 1e9)


class Until(threading.Event):
    """Shut as soon as so many steps are done, and open for good once it is set."""

    def __init__(self, gate: Gate, steps: float) -> None:
        super().__init__()
        self._gate, self._steps = gate, steps

    def wait(self, timeout: float | None = None) -> bool:
        return self._gate.steps < self._steps or super().wait(timeout)


def begin(session: Session, gate: Gate, steps: int = 40, epochs: int = 10, until: float = 0.4) -> Path:
    """A training that stands still at about ``until`` of its way, with a state on disk."""
    gate.opened = Until(gate, until * steps)
    record = session.train("step", StepParams(min_count=1, steps=steps, epochs=epochs))
    path = session.store.interrupted.path(record.identifier)
    wait_until(session, path.exists)
    return path


def die(session: Session, path: Path) -> None:
    """As if the process had ended: what it has kept stays, and its lock is nobody's."""
    kept = path.read_bytes()
    assert session.training is not None
    session.cancel(session.training)
    wait_until(session, lambda: session.training is None)
    path.write_bytes(kept)


@pytest.fixture
def again(session: Session, gate: Gate) -> Iterator[Session]:
    """The session of the next start, with an interrupted training of ten passes in its store."""
    path = begin(session, gate)
    die(session, path)
    gate.opened.set()
    session.close()
    made = Session()
    made.corpus = small_corpus()
    yield made
    gate.opened.set()
    made.close()


def test_a_live_training_is_nobody_elses_to_offer(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert held(path.with_suffix(".lock"))
    assert Session().interrupted.entries == []
    gate.opened.set()
    wait_until(session, lambda: session.training is None)
    assert session.runs[0].state is State.DONE
    assert not path.exists()
    assert not path.with_suffix(".lock").exists()


def test_a_cancelled_training_leaves_nothing(session: Session, gate: Gate) -> None:
    path = begin(session, gate)
    assert session.training is not None
    session.cancel(session.training)
    wait_until(session, lambda: session.training is None)
    assert not list(path.parent.iterdir())


def test_a_training_that_the_end_of_the_window_cuts_short_is_offered(session: Session, gate: Gate) -> None:
    begin(session, gate)
    session.close()
    (entry,) = Session().interrupted.entries
    assert entry.name == "Step 1"


def test_what_is_offered_says_how_far_it_was(again: Session) -> None:
    (entry,) = again.interrupted.entries
    assert (entry.name, entry.algorithm, entry.corpus_digest) == ("Step 1", "step", "feed")
    assert 0 < entry.progress <= 0.6
    assert entry.left == int(np.ceil(10 * (1 - entry.progress) - 1e-6))


def test_keeping_makes_it_a_run_that_was_stopped(again: Session) -> None:
    (entry,) = again.interrupted.entries
    again.interrupted.keep(entry)
    wait_until(again, lambda: again.runs)
    (record,) = again.runs
    assert (record.state, record.name, record.stored) == (State.STOPPED, "Step 1", True)
    assert record.trace.progress[-1] <= entry.progress
    assert again.shown is record
    assert again.interrupted.entries == []
    later = Session()
    assert [kept.name for kept in later.runs] == ["Step 1"]
    assert later.interrupted.entries == []
    vectors = later.store.vectors(record.identifier)
    assert float(vectors.state["passes"]) == pytest.approx(10 * entry.progress)
    assert "interrupted" in record.summary
    assert "trace" not in vectors.metadata


def test_going_on_trains_what_is_left(again: Session) -> None:
    (entry,) = again.interrupted.entries
    again.interrupted.go_on(entry)
    wait_until(again, lambda: len(again.runs) == 2 and again.training is None)
    first, second = again.runs
    assert second.name == f"Step 1 +{entry.left}"
    assert second.state is State.DONE
    assert second.parameters["epochs"] == entry.left
    assert second.summary["continued"]["identifier"] == first.identifier
    assert second.summary["passes"] == pytest.approx(10 * entry.progress + entry.left)


def test_what_is_gone_on_with_stays_in_its_grid(session: Session, gate: Gate) -> None:
    gate.opened = Until(gate, 16)
    base: dict[str, Value] = {"min_count": 1, "steps": 40, "epochs": 10}
    assert session.corpus is not None
    group = session.grids.start(plan_of(grid_of(StepModel, {"dim": "2, 3"}, base), session.corpus))
    path = session.store.interrupted.path(session.runs[0].identifier)
    wait_until(session, path.exists)
    kept = path.read_bytes()
    first, second = session.grids.runs(group)
    session.cancel(first)
    gate.opened.set()
    wait_until(session, lambda: second.state.over)
    path.write_bytes(kept)
    session.close()
    again = Session()
    again.corpus = small_corpus()
    (entry,) = again.interrupted.entries
    assert entry.group == group
    again.interrupted.go_on(entry)
    wait_until(again, lambda: len(again.grids.runs(group)) == 3 and again.training is None)
    runs = {record.name: record for record in again.grids.runs(group)}
    # What was interrupted, what was trained after it, and the passes that were left.
    assert list(runs) == ["Step dim 3", "Step dim 2", f"Step dim 2 +{entry.left}"]
    assert runs[f"Step dim 2 +{entry.left}"].state is State.DONE
    assert axes_of(list(runs.values())) == ["dim"]
    # One result for every combination; that of the interrupted one is where its passes ended.
    values = {record.identifier: float(at) for at, record in enumerate(runs.values())}
    (line,), _ = by_parameter(list(runs.values()), values, "dim")
    assert [(point.x, point.mean) for point in line.points] == [(2.0, 2.0), (3.0, 0.0)]
    later = Session()
    assert {record.group for record in later.runs} == {group}
    later.close()
    again.close()


def test_discarding_can_be_undone(again: Session) -> None:
    (entry,) = again.interrupted.entries
    again.interrupted.discard(entry)
    assert again.interrupted.entries == []
    assert Session().interrupted.entries == []
    again.interrupted.undiscard()
    assert again.interrupted.entries == [entry]


def test_two_windows_cannot_both_go_on(again: Session) -> None:
    other = Session()
    other.corpus = small_corpus()
    (entry,) = other.interrupted.entries
    again.interrupted.keep(again.interrupted.entries[0])
    wait_until(again, lambda: again.runs)
    told: list[str] = []
    other.message.connect(lambda text, hint, is_error: told.append(text))
    other.interrupted.keep(entry)
    wait_until(other, lambda: told)
    assert "no longer there" in told[0]
    other.close()


def test_one_whose_run_was_saved_is_forgotten(again: Session) -> None:
    (entry,) = again.interrupted.entries
    record, made = again.store.interrupted.take(entry)
    again.store.save(record, made)
    assert Session().interrupted.entries == []
    assert not again.store.interrupted.path(entry.identifier).exists()


@pytest.mark.parametrize("keep", [0, 40, 400])
def test_a_damaged_one_is_set_aside(again: Session, keep: int) -> None:
    path = again.store.interrupted.path(again.interrupted.entries[0].identifier)
    path.write_bytes(path.read_bytes()[:keep])
    later = Session()
    assert later.interrupted.entries == []
    (problem,) = later.interrupted.problems
    assert "damaged" in problem.message
    assert (later.store.folder / "damaged" / path.name).exists()


def test_another_corpus_is_put_away_for_its_own(again: Session, tmp_path: Path) -> None:
    (entry,) = again.interrupted.entries
    again.corpus = small_corpus("0ther")
    told: list[str] = []
    again.message.connect(lambda text, hint, is_error: told.append(text))
    again.interrupted.go_on(entry)
    wait_until(again, lambda: told)
    # This one lay nowhere; what was learned is kept all the same.
    assert "where it lies is not known" in told[0]
    assert [record.state for record in again.runs] == [State.STOPPED]


def test_states_that_cannot_be_written_disturb_nothing(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("No space.")

    monkeypatch.setattr("workbench.vectors.formats.save_vectors", full)
    record = session.train("step", StepParams(min_count=1, steps=40))
    wait_until(session, lambda: record.state.over)
    assert record.state is State.DONE


def test_what_is_left_counts_whole_passes(again: Session) -> None:
    (entry,) = again.interrupted.entries
    for progress, left in ((0.0, 10), (0.5, 5), (0.45, 6), (0.3, 7), (0.999, 1), (1.0, 1)):
        assert dataclasses.replace(entry, progress=progress).left == left


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    code = f"import sys; sys.path.insert(0, {str(_ROOT)!r})\nfrom pathlib import Path\n" + (
        "from workbench.core.locks import Lock\n"
        f"kept = Lock.take(Path({str(path)!r}))\nprint('held', flush=True)\nsys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "held"
    assert held(path)
    assert Lock.take(path) is None
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert not held(path)
    mine = Lock.take(path)
    assert mine is not None
    mine.release()
    assert not path.exists()
