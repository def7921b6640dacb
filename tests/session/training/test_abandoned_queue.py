"""Queued trainings of an ended session are offered in the next one, and trained on request."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from session.fakes import Gate, StepModel, StepParams, small_corpus, wait_until
from session.fakes_interrupted import Until

from workbench.core.errors import UserError
from workbench.core.locks import Lock
from workbench.core.params import Value
from workbench.session.runs.journal import Journal
from workbench.session.runs.journal_entries import AbandonedQueue, QueuedTraining
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.grid import axes_of, grid_of, plan_of
from workbench.session.training.request import TrainingSpec

BASE: dict[str, Value] = {"min_count": 1, "steps": 40}
Begin = Callable[[], Session]


@pytest.fixture
def begin(home: Path, gate: Gate) -> Iterator[Begin]:
    """Factory of sessions on one store with the corpus open, in succession or side by side."""
    sessions: list[Session] = []

    def begun() -> Session:
        session = Session()
        session.corpora.current = small_corpus()
        sessions.append(session)
        return session

    yield begun
    gate.opened.set()
    for session in sessions:
        session.close()


def files(session: Session) -> list[Path]:
    return sorted((session.store.folder / "waiting").glob("*"))


def queue(session: Session, gate: Gate, number: int = 3) -> list[str]:
    """Queue trainings, of which the first doesn’t end; return their names."""
    gate.opened.clear()
    records = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40, seed=at)))
        for at in range(number)
    ]
    wait_until(session, lambda: gate.fits)
    return [record.name for record in records]


def leave_a_continuation(begin: Begin, gate: Gate) -> tuple[Session, RunRecord]:
    """An ended session with a training and a queued continuation, and the parent of the latter."""
    first = begin()
    gate.opened.set()
    parent = first.training.start(TrainingSpec("step", StepParams(min_count=1, steps=5)))
    wait_until(first, lambda: over(first))
    gate.opened.clear()
    first.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40, seed=7)))
    first.training.continue_run(parent, 3)
    first.close()
    return first, parent


def kept_names(session: Session) -> list[str]:
    """Names of the trainings that would be offered if the process ended now."""
    (queue_file,) = [path for path in files(session) if path.suffix == ".json"]
    return [entry["name"] for entry in json.loads(queue_file.read_text())["waiting"]]


def over(session: Session) -> bool:
    return all(run.state.over for run in session.runs)


def test_what_waited_is_trained_by_the_next_session(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate)
    first.close()
    again = begin()
    (saved_queue,) = again.recovery.queues
    assert [entry.name for entry in saved_queue.entries] == names
    assert (saved_queue.corpus_name, saved_queue.corpus_digest) == (
        small_corpus().name,
        small_corpus().digest,
    )
    gate.opened.set()
    gate.fits.clear()
    again.recovery.train(saved_queue)
    wait_until(again, lambda: over(again))
    assert again.recovery.queues == []
    assert gate.fits == [0, 1, 2]
    assert [(run.name, run.state) for run in again.runs] == [(name, State.DONE) for name in names]
    assert [run.parameters["seed"] for run in again.runs] == [0, 1, 2]
    again.recovery.tick(now=True)
    assert files(again) == files(first) == []
    assert begin().recovery.queues == []


def test_the_order_of_the_queue_is_kept(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate)
    first.training.queue.move(first.runs[2], 0)
    first.close()
    (saved_queue,) = begin().recovery.queues
    assert [entry.name for entry in saved_queue.entries] == [names[0], names[2], names[1]]


def test_what_was_cancelled_or_ended_is_not_offered(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate, 4)
    first.recovery.tick(now=True)
    first.training.cancel(first.runs[2])
    first.training.cancel(first.runs[0])
    # Saved before the training in progress notices that it is cancelled: neither is offered.
    first.recovery.tick(now=True)
    assert kept_names(first) == [names[1], names[3]]
    gate.opened.set()
    wait_until(first, lambda: first.runs[1].state is State.DONE)
    wait_until(first, lambda: first.runs[3].state is State.DONE)
    assert len(names) == 4
    first.close()
    assert begin().recovery.queues == []


def test_one_that_was_saved_meanwhile_is_not_offered_again(begin: Begin, gate: Gate) -> None:
    first = begin()
    queue(first, gate, 2)
    first.recovery.tick(now=True)
    (queue_file,) = [path for path in files(first) if path.suffix == ".json"]
    text = queue_file.read_text()
    gate.opened.set()
    wait_until(first, lambda: over(first))
    first.close()
    # Simulate a process that ended before it could write the file again.
    queue_file.write_text(text)
    assert begin().recovery.queues == []


def test_one_whose_states_were_kept_is_offered_as_that_alone(
    begin: Begin, gate: Gate, at_once: None
) -> None:
    gate.opened = Until(gate, 16)
    first = begin()
    first.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40, epochs=10)))
    waits = first.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40, seed=7)))
    wait_until(first, first.store.journal.path(first.runs[0].identifier).exists)
    first.close()
    again = begin()
    (interruption,) = again.recovery.interrupted
    (saved_queue,) = again.recovery.queues
    assert [entry.identifier for entry in saved_queue.entries] == [waits.identifier]
    again.recovery.discard(interruption)
    (saved_queue,) = begin().recovery.queues
    assert [entry.identifier for entry in saved_queue.entries] == [waits.identifier]


def test_what_trains_is_offered_once_by_a_start_while_the_process_before_still_ends(
    begin: Begin, gate: Gate, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.opened = Until(gate, 16)
    first = begin()
    first.training.start(TrainingSpec("step", StepParams(min_count=1, steps=40, epochs=10)))
    wait_until(first, lambda: gate.steps >= 16)
    end, sessions = first.jobs.close, []

    def close() -> list[UserError]:
        sessions.append(begin())
        return end()

    monkeypatch.setattr(first.jobs, "close", close)
    first.close()
    (again,) = sessions
    assert again.recovery.queues == []
    assert again.recovery.interrupted == []
    # If the training’s state wasn’t written, the next session offers the training as queued.
    last = begin()
    waiting = sum(len(saved_queue.entries) for saved_queue in last.recovery.queues)
    assert len(last.recovery.interrupted) + waiting == 1


def test_a_process_that_lives_keeps_its_own(begin: Begin, gate: Gate) -> None:
    first = begin()
    queue(first, gate)
    first.recovery.tick(now=True)
    assert begin().recovery.queues == []
    first.close()
    assert len(begin().recovery.queues) == 1


def test_it_is_written_while_it_waits_not_at_the_end_alone(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate)
    wait_until(first, lambda: files(first))
    (queue_file,) = [path for path in files(first) if path.suffix == ".json"]
    assert [entry["name"] for entry in json.loads(queue_file.read_text())["waiting"]] == names


def test_a_grid_stays_one(begin: Begin, gate: Gate) -> None:
    gate.opened.clear()
    first = begin()
    assert first.corpora.current is not None
    group = first.training.grids.start(
        plan_of(grid_of(StepModel, {"dim": "2, 3, 4"}, BASE), first.corpora.current)
    )
    wait_until(first, lambda: gate.fits)
    first.close()
    again = begin()
    gate.opened.set()
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: over(again))
    assert [run.parameters["dim"] for run in again.training.grids.runs(group)] == [2, 3, 4]
    assert list(axes_of(again.training.grids.runs(group))) == ["dim"]


def test_what_goes_on_from_a_run_still_does(begin: Begin, gate: Gate) -> None:
    _, parent = leave_a_continuation(begin, gate)
    again = begin()
    gate.opened.set()
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: over(again))
    further = again.runs[-1]
    assert further.state is State.DONE
    assert further.summary["continued"]["identifier"] == parent.identifier


def test_without_the_run_it_was_to_go_on_from_it_says_so(begin: Begin, gate: Gate) -> None:
    first, parent = leave_a_continuation(begin, gate)
    first.store.delete(parent.identifier)
    again = begin()
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text))
    gate.opened.set()
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: over(again))
    assert [run.parameters["seed"] for run in again.runs] == [7]
    assert "no longer exist" in messages[0]


def test_another_corpus_keeps_them_waiting(begin: Begin, gate: Gate) -> None:
    first = begin()
    queue(first, gate)
    first.close()
    again = begin()
    again.corpora.current = None
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text))
    again.recovery.train(again.recovery.queues[0])
    # This test’s corpus comes from no file.
    assert "the corpus of the queued runs" in messages[0]
    assert len(again.recovery.queues) == 1
    assert again.runs.records == []


def test_discarding_can_be_undone(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate)
    first.close()
    again = begin()
    (saved_queue,) = again.recovery.queues
    assert again.recovery.discard(saved_queue)
    assert again.recovery.queues == []
    assert files(again) == []
    assert begin().recovery.queues == []
    again.recovery.undiscard(saved_queue)
    assert [entry.name for entry in again.recovery.queues[0].entries] == names
    assert [entry.name for entry in begin().recovery.queues[0].entries] == names


def test_two_windows_do_not_train_them_twice(begin: Begin, gate: Gate) -> None:
    first = begin()
    queue(first, gate)
    first.close()
    one, other = begin(), begin()
    messages: list[str] = []
    other.message.connect(lambda text, hint, error: messages.append(text))
    gate.opened.set()
    one.recovery.train(one.recovery.queues[0])
    other.recovery.train(other.recovery.queues[0])
    assert len(one.runs) == 3
    assert other.runs.records == []
    assert "no longer exist" in messages[0]
    assert other.recovery.queues == []
    wait_until(one, lambda: over(one))


def test_a_list_that_another_window_writes_is_not_taken(begin: Begin, gate: Gate) -> None:
    """The list was offered here before another window took it; both would train the same runs."""
    first = begin()
    queue(first, gate)
    first.close()
    again = begin()
    (saved_queue,) = again.recovery.queues
    before = saved_queue.path.read_text()
    lock = Lock.take(saved_queue.path.with_suffix(".lock"))
    assert lock is not None
    long_ago = time.time() - 3 * 86_400
    os.utime(lock.path, (long_ago, long_ago))
    # A window that opens meanwhile doesn’t take an old lock for a stale one, either.
    assert begin().recovery.queues == []
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text))
    again.recovery.train(saved_queue)
    assert messages == ["These queued runs no longer exist."]
    assert again.runs.records == []
    assert saved_queue.path.read_text() == before
    lock.release()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"format": 2, "waiting": []}',
        '{"format": 1, "waiting": [{"name": 3}]}',
        "[" * 100_000,
        "\0",
    ],
    ids=["empty", "cut", "no table", "newer", "no training", "deep", "binary"],
)
def test_a_damaged_list_is_set_aside_and_told(text: str, begin: Begin, gate: Gate) -> None:
    first = begin()
    queue(first, gate)
    first.close()
    (queue_file,) = files(first)
    queue_file.write_text(text)
    again = begin()
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text))
    again.pump()
    assert "is damaged" in messages[0]
    assert again.recovery.queues == []
    assert (again.store.folder / "damaged" / queue_file.name).exists()


@pytest.mark.parametrize(("name", "value"), [("algorithm", "gone"), ("parameters", {"dim": -3})])
def test_one_that_cannot_be_made_again_leaves_the_others(
    name: str, value: object, begin: Begin, gate: Gate
) -> None:
    first = begin()
    names = queue(first, gate)
    first.close()
    (queue_file,) = files(first)
    values = json.loads(queue_file.read_text())
    values["waiting"][1][name] = value
    queue_file.write_text(json.dumps(values))
    again = begin()
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text))
    gate.opened.set()
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: over(again))
    assert [run.name for run in again.runs] == [names[0], names[2]]
    assert messages[0].startswith("Couldn’t restore 1 queued run")


def _queued_training(name: str, show: bool = True) -> QueuedTraining:
    return QueuedTraining(name, name, "step", "", "text", "feed", {}, {}, "", None, show)


def _queues(journal: Journal) -> dict[Path, list[QueuedTraining]]:
    found, problems = journal.find_queues(lambda entry: False)
    assert problems == []
    return {queue.path: list(queue.entries) for queue in found}


def test_a_list_whose_process_lives_again_is_not_taken_from(tmp_path: Path) -> None:
    """Otherwise two windows would train the same runs."""
    theirs, mine = Journal(tmp_path), Journal(tmp_path)
    first, second = _queued_training("a"), _queued_training("b")
    theirs.write_queue([first, second])
    (path,) = (tmp_path / "waiting").glob("*.json")
    assert _queues(mine) == {}
    assert mine.take_queue(AbandonedQueue(path, (first,))) == []
    theirs.close()
    assert _queues(mine) == {path: [first, second]}
    assert mine.take_queue(AbandonedQueue(path, (first,))) == [first]
    assert _queues(mine) == {path: [second]}


def test_what_is_put_back_stands_first_again(tmp_path: Path) -> None:
    theirs, mine = Journal(tmp_path), Journal(tmp_path)
    entries = [_queued_training(name) for name in "abcd"]
    theirs.write_queue(entries)
    (path,) = (tmp_path / "waiting").glob("*.json")
    theirs.close()
    some = AbandonedQueue(path, tuple(entries[:2]))
    mine.discard(some)
    assert _queues(mine) == {path: entries[2:]}
    mine.undiscard(some)
    assert _queues(mine) == {path: entries}


def test_all_that_was_asked_is_read_again(tmp_path: Path) -> None:
    """The options of a request are restored, such as not making a run of a table the active run."""
    entries = [
        _queued_training("a"),
        _queued_training("b", show=False),
        QueuedTraining(
            identifier="c",
            name="C",
            algorithm="step",
            group="grid",
            corpus_name="text",
            corpus_digest="feed",
            parameters={"dim": 3},
            source={"paths": ["x"]},
            parent="p",
            origin={"name": "P"},
            show=False,
        ),
    ]
    theirs = Journal(tmp_path)
    theirs.write_queue(entries)
    theirs.close()
    assert list(_queues(Journal(tmp_path)).values()) == [entries]


def test_they_are_kept_as_soon_as_they_wait_again(begin: Begin, gate: Gate) -> None:
    """No other file contains these runs any more: they must survive if the process ends at once."""
    first = begin()
    names = queue(first, gate)
    first.close()
    again = begin()
    again.recovery.train(again.recovery.queues[0])
    assert kept_names(again) == names


def test_none_gets_the_name_of_a_run_there_is(begin: Begin, gate: Gate) -> None:
    first = begin()
    names = queue(first, gate)
    first.close()
    again = begin()
    gate.opened.set()
    again.training.start(TrainingSpec("step", StepParams(min_count=1, steps=5), name=names[1]))
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: over(again))
    assert len({run.name for run in again.runs}) == len(again.runs) == 4


TEXT = "the cat saw the dog and the dog saw the cat\n" * 3


def leave_on_a_text(begin: Begin, gate: Gate, path: Path) -> None:
    """Leave two queued trainings on a text file in a session that ended."""
    path.write_text(TEXT)
    first = begin()
    first.corpora.open([path])
    wait_until(first, lambda: first.corpora.opening is None)
    queue(first, gate, 2)
    first.close()
    gate.opened.set()


def test_their_text_is_opened_before_they_are_trained(
    begin: Begin, gate: Gate, tmp_path: Path
) -> None:
    leave_on_a_text(begin, gate, tmp_path / "novel.txt")
    again = begin()
    (saved_queue,) = again.recovery.queues
    again.recovery.train(saved_queue)
    wait_until(again, lambda: len(again.runs) == 2 and over(again))
    assert again.corpora.current is not None
    assert (
        {run.corpus_digest for run in again.runs}
        == {again.corpora.current.digest}
        == {saved_queue.corpus_digest}
    )
    assert [run.state for run in again.runs] == [State.DONE] * 2


def test_on_a_text_that_has_changed_they_are_not_trained(
    begin: Begin, gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_on_a_text(begin, gate, tmp_path / "novel.txt")
    (tmp_path / "novel.txt").write_text(TEXT.replace("cat", "cow"))
    # The cache doesn’t contain the original text, either.
    monkeypatch.setattr("workbench.session.corpus.opening._load_cached", lambda wanted, run: None)
    again = begin()
    messages: list[str] = []
    again.message.connect(lambda text, hint, error: messages.append(text) if error else None)
    again.recovery.train(again.recovery.queues[0])
    wait_until(again, lambda: messages)
    assert "isn’t the corpus of the queued runs, or it has" in messages[0]
    assert again.runs.records == []
    assert [len(saved_queue.entries) for saved_queue in again.recovery.queues] == [2]
    assert [len(saved_queue.entries) for saved_queue in begin().recovery.queues] == [2]
