"""The folder of interrupted trainings: each is found once, taken once, and set aside where it is damaged."""

from __future__ import annotations

import pytest
from session.fakes import small_corpus, wait_until

from workbench.core.errors import UserError
from workbench.core.locks import Lock
from workbench.session.session import Session


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
