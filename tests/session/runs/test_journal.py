"""Folder of interrupted trainings: each is found and taken only once, and set aside if it is
damaged.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from session.fakes import Gate, leave_interrupted, small_corpus, wait_until
from session.test_no_room import FullDisk

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.locks import Lock
from workbench.session.runs.journal import lock_path
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training.recovery import bring_back


def test_discarding_can_be_undone(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    again.recovery.discard(entry)
    assert again.recovery.interrupted == []
    assert Session().recovery.interrupted == []
    again.recovery.undiscard(entry)
    assert again.recovery.interrupted == [entry]


def test_discarding_of_several_is_undone_from_the_last(home: Path, gate: Gate) -> None:
    store = Store()
    for name in ("Step 1", "Step 2"):
        leave_interrupted(store, name)
    session = Session()
    first, second = session.recovery.interrupted
    for entry in (first, second):
        session.recovery.discard(entry)
    session.recovery.undiscard(second)
    assert [entry.name for entry in session.recovery.interrupted] == ["Step 2"]
    session.recovery.undiscard(first)
    assert [entry.name for entry in session.recovery.interrupted] == ["Step 1", "Step 2"]
    session.close()


def test_two_windows_cannot_both_go_on(again: Session) -> None:
    other = Session()
    other.corpora.current = small_corpus()
    (entry,) = other.recovery.interrupted
    again.recovery.keep(again.recovery.interrupted[0])
    wait_until(again, lambda: again.runs)
    messages: list[str] = []
    other.message.connect(lambda text, hint, is_error: messages.append(text))
    other.recovery.keep(entry)
    wait_until(other, lambda: messages)
    assert "its saved state no longer exists" in messages[0]
    other.close()


def test_one_that_a_live_process_holds_is_not_taken(again: Session) -> None:
    """Another window continues the training: the file exists, but its lock is taken."""
    journal = again.store.journal
    (entry,) = again.recovery.interrupted
    lock = Lock.take(lock_path(journal.path(entry.identifier)))
    assert lock is not None
    with pytest.raises(UserError, match="its saved state no longer exists"):
        journal.take_interrupted(entry)
    assert journal.path(entry.identifier).exists()
    lock.release()
    record, _ = journal.take_interrupted(entry)
    assert record.name == entry.name


def test_one_whose_run_was_saved_is_forgotten(again: Session) -> None:
    (entry,) = again.recovery.interrupted
    record, embeddings = again.store.journal.take_interrupted(entry)
    again.store.save(record, embeddings)
    assert Session().recovery.interrupted == []
    assert not again.store.journal.path(entry.identifier).exists()


@pytest.mark.parametrize("keep", [0, 40, 400])
def test_a_damaged_one_is_set_aside(again: Session, keep: int) -> None:
    path = again.store.journal.path(again.recovery.interrupted[0].identifier)
    path.write_bytes(path.read_bytes()[:keep])
    later = Session()
    assert later.recovery.interrupted == []
    (problem,) = later.recovery.problems
    assert "damaged" in problem.message
    assert (later.store.folder / "damaged" / path.name).exists()


@pytest.mark.parametrize("way", ["keep", "go_on"])
def test_one_that_another_process_goes_on_with_is_not_taken(again: Session, way: str) -> None:
    """The training was offered here before the other process took it; the file still exists."""
    (entry,) = again.recovery.interrupted
    files = again.store.journal
    theirs = Lock.take(files.path(entry.identifier).with_suffix(".lock"))
    assert theirs is not None
    messages: list[str] = []
    again.message.connect(lambda text, hint, is_error: messages.append(text))
    getattr(again.recovery, way)(entry)
    wait_until(again, lambda: messages)
    assert "its saved state no longer exists" in messages[0]
    assert again.runs.records == []
    with pytest.raises(UserError, match="its saved state no longer exists"):
        files.take_interrupted(entry)
    theirs.release()
    assert files.take_interrupted(entry)[0].identifier == entry.identifier


def test_what_cannot_be_saved_stays_to_be_offered(
    again: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whatever point the disk is full, the run is saved or can still be continued."""
    (entry,) = again.recovery.interrupted
    store = again.store
    disk = FullDisk(monkeypatch)
    for left in range(50):
        disk.left = left
        try:
            bring_back(store, entry, "Kept", 0, JobControl())
        except UserError:
            pass
        else:
            break
        disk.left = 10**9
        assert store.journal.path(entry.identifier).is_file(), left
        (found,), problems = store.journal.find_interrupted()
        assert (found.identifier, problems) == (entry.identifier, [])
    assert left > 3
    disk.left = 10**9
    assert [one.name for one in store.load()[0]] == ["Kept"]
    assert store.journal.find_interrupted() == ([], [])


def test_a_training_of_several_days_keeps_its_lock(home: Path, gate: Gate) -> None:
    """A second window reads the folder meanwhile; only the lock’s age suggests that it is stale."""
    store = Store()
    record = leave_interrupted(store)
    path = lock_path(store.journal.path(record.identifier))
    lock = Lock.take(path)
    assert lock is not None
    long_ago = time.time() - 3 * 86_400
    os.utime(path, (long_ago, long_ago))
    assert store.journal.find_interrupted() == ([], [])
    store.journal.forget(record.identifier)
    assert path.exists()
    lock.release()
    path.touch()
    os.utime(path, (long_ago, long_ago))
    store.journal.find_interrupted()
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"progress": 1.5}, "its progress is missing"),
        ({"progress": -0.1}, "its progress is missing"),
        ({"progress": True}, "its progress is missing"),
        ({"progress": None}, "its progress is missing"),
        ({"colour": "red"}, "its corpus is missing"),
        ({"source": []}, "its corpus is missing"),
        ({"trace": {"progress": [0.1]}}, "damaged"),
    ],
)
def test_one_that_says_what_cannot_be_is_set_aside(
    home: Path, gate: Gate, change: dict[str, object], reason: str
) -> None:
    store = Store()
    path = store.journal.path(leave_interrupted(store).identifier)
    with np.load(path, allow_pickle=False) as archive:
        arrays = dict(archive)
    metadata = json.loads(str(arrays["metadata"].ravel()[0]))
    metadata["interrupted"] |= change
    np.savez(
        path,
        **{
            **arrays,
            "metadata": np.array([json.dumps(metadata)]).reshape(arrays["metadata"].shape),
        },
    )
    entries, (problem,) = store.journal.find_interrupted()
    assert entries == []
    assert reason in problem.message
    assert (store.folder / "damaged" / path.name).exists()
