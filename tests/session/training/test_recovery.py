"""Results of an interrupted training: a stopped run, and a run that continues it."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.fakes import Gate, StepModel, StepParams, leave_interrupted, small_corpus, wait_until
from session.fakes_interrupted import Until, begin, die

from workbench.core.errors import UserError
from workbench.core.params import Value
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.grid import axes_of, grid_of, plan_of
from workbench.session.training.grid_results import by_parameter
from workbench.session.training.request import TrainingSpec


def test_keeping_makes_it_a_run_that_was_stopped(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    again.recovery.keep(entry)
    wait_until(again, lambda: again.runs)
    (record,) = again.runs
    assert (record.state, record.name, record.stored) == (State.STOPPED, "Step 1", True)
    assert record.trace.progress[-1] <= entry.progress
    assert again.active.run is record
    assert again.recovery.interrupted == []
    later = Session()
    assert [kept.name for kept in later.runs] == ["Step 1"]
    assert later.recovery.interrupted == []
    vectors = later.store.vectors(record.identifier)
    assert float(vectors.state["passes"]) == pytest.approx(10 * entry.progress)
    assert "interrupted" in record.summary
    assert "trace" not in vectors.metadata


def test_going_on_trains_what_is_left(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    again.recovery.go_on(entry)
    wait_until(again, lambda: len(again.runs) == 2 and again.training.current is None)
    first, second = again.runs
    assert second.name == f"Step 1 +{entry.remaining_passes}"
    assert second.state is State.DONE
    assert second.parameters["epochs"] == entry.remaining_passes
    assert second.summary["continued"]["identifier"] == first.identifier
    assert second.summary["passes"] == pytest.approx(10 * entry.progress + entry.remaining_passes)


def test_what_is_gone_on_with_stays_in_its_grid(
    session: Session, gate: Gate, at_once: None
) -> None:
    gate.opened = Until(gate, 16)
    base: dict[str, Value] = {"min_count": 1, "steps": 40, "epochs": 10}
    assert session.corpora.current is not None
    group = session.training.grids.start(
        plan_of(grid_of(StepModel, {"dim": "2, 3"}, base), session.corpora.current)
    )
    path = session.store.journal.path(session.runs[0].identifier)
    wait_until(session, path.exists)
    kept = path.read_bytes()
    first, second = session.training.grids.runs(group)
    session.training.cancel(first)
    gate.opened.set()
    wait_until(session, lambda: second.state.over)
    path.write_bytes(kept)
    session.close()
    again = Session()
    again.corpora.current = small_corpus()
    (entry,) = again.recovery.interrupted
    assert entry.group == group
    again.recovery.go_on(entry)
    wait_until(
        again, lambda: len(again.training.grids.runs(group)) == 3 and again.training.current is None
    )
    runs = {record.name: record for record in again.training.grids.runs(group)}
    # The interrupted training, the one after it, and the remaining epochs.
    assert list(runs) == ["Step dim 3", "Step dim 2", f"Step dim 2 +{entry.remaining_passes}"]
    assert runs[f"Step dim 2 +{entry.remaining_passes}"].state is State.DONE
    assert axes_of(list(runs.values())) == ["dim"]
    # One value for each combination; that of the interrupted training belongs to its continuation.
    values = {record.identifier: float(at) for at, record in enumerate(runs.values())}
    (line,), _ = by_parameter(list(runs.values()), values, "dim")
    assert [(point.x, point.mean) for point in line.points] == [(2.0, 2.0), (3.0, 0.0)]
    later = Session()
    assert {record.group for record in later.runs} == {group}
    later.close()
    again.close()


def test_another_corpus_is_put_away_for_its_own(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    again.corpora.current = small_corpus("0ther")
    messages: list[str] = []
    again.message.connect(lambda text, hint, is_error: messages.append(text))
    again.recovery.go_on(entry)
    wait_until(again, lambda: messages)
    # This corpus has no file, but the vectors learned so far are kept.
    assert "Couldn’t find the corpus of" in messages[0]
    assert [record.state for record in again.runs] == [State.STOPPED]


TEXT = "the cat saw the dog and the dog saw the cat\n" * 3


@pytest.fixture
def novel(session: Session, gate: Gate, at_once: None, tmp_path: Path) -> Path:
    """A text on which a training was interrupted when its session ended."""
    path = tmp_path / "novel.txt"
    path.write_text(TEXT)
    session.corpora.open([path])
    wait_until(session, lambda: session.corpora.opening is None)
    journal_path = begin(session, gate)
    die(session, journal_path)
    gate.opened.set()
    session.close()
    return path


def test_its_text_is_opened_before_it_goes_on(novel: Path, gate: Gate) -> None:
    again = Session()
    again.corpora.current = small_corpus("0ther")
    (entry,) = again.recovery.interrupted
    messages: list[str] = []
    again.message.connect(lambda text, hint, is_error: messages.append(text) if is_error else None)
    again.recovery.go_on(entry)
    wait_until(again, lambda: len(again.runs) == 2 and again.training.current is None)
    assert messages == []
    assert [record.state for record in again.runs] == [State.STOPPED, State.DONE]
    assert again.corpora.current is not None
    assert (
        {record.corpus_digest for record in again.runs}
        == {again.corpora.current.digest}
        == {entry.corpus_digest}
    )
    again.close()


def test_where_its_text_cannot_be_opened_nothing_is_trained_on_another(
    novel: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.session.corpus.opening._load_cached", lambda wanted, run: None)
    novel.unlink()
    again = Session()
    again.corpora.current = small_corpus("0ther")
    messages: list[str] = []
    errors: list[UserError] = []
    again.message.connect(lambda text, hint, is_error: messages.append(text))
    again.corpora.text_missed.connect(errors.append)
    again.recovery.go_on(again.recovery.interrupted[0])
    wait_until(again, lambda: errors)
    # Asking for the text is enough: no other message appears, and none about the text that happens
    # to be open.
    assert messages == []
    # The next text that is opened doesn’t concern it, either.
    again.corpora.open_sample("small-world")
    wait_until(again, lambda: again.corpora.opening is None)
    assert messages == []
    assert [record.state for record in again.runs] == [State.STOPPED]
    again.close()


def test_what_cannot_be_brought_back_is_still_offered(
    again: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("No room.", "Make some.")

    (entry,) = again.recovery.interrupted
    messages: list[str] = []
    again.message.connect(lambda text, hint, is_error: messages.append(text))
    monkeypatch.setattr(again.store, "save", full)
    again.recovery.keep(entry)
    assert again.recovery.interrupted == []
    wait_until(again, lambda: messages)
    assert messages == ["No room."]
    assert again.recovery.interrupted == [entry]
    assert again.runs.records == []


def test_it_takes_no_name_and_no_colour_of_another_run(session: Session, gate: Gate) -> None:
    leave_interrupted(session.store, "Step 1")
    session.recovery.refresh()
    session.training.start(TrainingSpec("step", StepParams(min_count=1, steps=5)))
    wait_until(session, lambda: session.training.current is None)
    (entry,) = session.recovery.interrupted
    assert (session.runs[0].name, session.runs[0].colour) == (entry.name, entry.colour)
    session.recovery.keep(entry)
    wait_until(session, lambda: len(session.runs) == 2)
    assert (
        len({record.name for record in session.runs})
        == len({record.colour for record in session.runs})
        == 2
    )
