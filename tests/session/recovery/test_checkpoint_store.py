"""The folder of interrupted trainings: each is found once, taken once, and set aside where it is
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
from workbench.session.recovery.resume import bring_back
from workbench.session.runs.store import Store
from workbench.session.session import Session


def test_discarding_can_be_undone(again: Session) -> None:
    (entry,) = again.interrupted.entries
    again.interrupted.discard(entry)
    assert again.interrupted.entries == []
    assert Session().interrupted.entries == []
    again.interrupted.undiscard()
    assert again.interrupted.entries == [entry]


def test_discarding_of_several_is_undone_from_the_last(home: Path, gate: Gate) -> None:
    store = Store()
    for name in ("Step 1", "Step 2"):
        leave_interrupted(store, name)
    session = Session()
    for entry in session.interrupted.entries:
        session.interrupted.discard(entry)
    session.interrupted.undiscard()
    assert [entry.name for entry in session.interrupted.entries] == ["Step 2"]
    session.interrupted.undiscard()
    assert [entry.name for entry in session.interrupted.entries] == ["Step 1", "Step 2"]
    session.close()


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


def test_one_that_a_live_process_holds_is_not_taken(again: Session) -> None:
    """Another window goes on with it: its file is still there, and its lock is held."""
    kept = again.store.interrupted
    (entry,) = again.interrupted.entries
    lock = Lock.take(kept._lock(entry.identifier))
    assert lock is not None
    with pytest.raises(UserError, match="no longer there"):
        kept.take(entry)
    assert kept.path(entry.identifier).exists()
    lock.release()
    record, _ = kept.take(entry)
    assert record.name == entry.name


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


@pytest.mark.parametrize("way", ["keep", "go_on"])
def test_one_that_another_process_goes_on_with_is_not_taken(again: Session, way: str) -> None:
    """It was offered here before the other one took it, and its file is still there."""
    (entry,) = again.interrupted.entries
    files = again.store.interrupted
    theirs = Lock.take(files.path(entry.identifier).with_suffix(".lock"))
    assert theirs is not None
    told: list[str] = []
    again.message.connect(lambda text, hint, is_error: told.append(text))
    getattr(again.interrupted, way)(entry)
    wait_until(again, lambda: told)
    assert "no longer there" in told[0]
    assert again.runs == []
    with pytest.raises(UserError, match="no longer there"):
        files.take(entry)
    theirs.release()
    assert files.take(entry)[0].identifier == entry.identifier


def test_what_cannot_be_saved_stays_to_be_offered(
    again: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the disk turns out to be full: the run is saved, or the training is still there to
    go on with.
    """
    (entry,) = again.interrupted.entries
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
        assert store.interrupted.path(entry.identifier).is_file(), left
        (found,), problems = store.interrupted.find_abandoned()
        assert (found.identifier, problems) == (entry.identifier, [])
    assert left > 3
    disk.left = 10**9
    assert [one.name for one in store.load()[0]] == ["Kept"]
    assert store.interrupted.find_abandoned() == ([], [])


def test_a_training_of_several_days_keeps_its_lock(home: Path, gate: Gate) -> None:
    """A second window looks at the folder meanwhile; nothing but its age speaks for a lock that was
    left behind.
    """
    store = Store()
    left = leave_interrupted(store)
    path = store.interrupted._lock(left.identifier)
    lock = Lock.take(path)
    assert lock is not None
    long_ago = time.time() - 3 * 86_400
    os.utime(path, (long_ago, long_ago))
    assert store.interrupted.find_abandoned() == ([], [])
    store.interrupted.forget(left.identifier)
    assert path.exists()
    lock.release()
    path.touch()
    os.utime(path, (long_ago, long_ago))
    store.interrupted.find_abandoned()
    assert not path.exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"progress": 1.5}, "how far it was"),
        ({"progress": -0.1}, "how far it was"),
        ({"progress": True}, "how far it was"),
        ({"progress": None}, "how far it was"),
        ({"colour": "red"}, "what it is of"),
        ({"source": []}, "what it is of"),
        ({"trace": {"progress": [0.1]}}, "damaged"),
    ],
)
def test_one_that_says_what_cannot_be_is_set_aside(
    home: Path, gate: Gate, change: dict[str, object], reason: str
) -> None:
    store = Store()
    path = store.interrupted.path(leave_interrupted(store).identifier)
    with np.load(path, allow_pickle=False) as archive:
        arrays = dict(archive)
    known = json.loads(str(arrays["metadata"].ravel()[0]))
    known["interrupted"] |= change
    np.savez(
        path,
        **{**arrays, "metadata": np.array([json.dumps(known)]).reshape(arrays["metadata"].shape)},
    )
    entries, (problem,) = store.interrupted.find_abandoned()
    assert entries == []
    assert reason in problem.message
    assert (store.folder / "damaged" / path.name).exists()
