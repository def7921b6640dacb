"""Undo and redo of changes in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.fakes import small_corpus, wait_until

from workbench.session.runs.run_record import RunRecord, State
from workbench.session.selection.undo import Undo
from workbench.session.session import Session


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def undo(clock: Clock) -> Undo:
    return Undo(clock)


class Number:
    """A number whose changes can be undone."""

    def __init__(self, undo: Undo, merge: str = "") -> None:
        self.value, self._undo, self._merge = 0, undo, merge

    def put(self, value: int) -> None:
        before, self.value = self.value, value
        self._undo.push(
            f"{before} to {value}",
            lambda: self.put(before),
            lambda: self.put(value),
            merge=self._merge,
            owner=self,
        )


def test_changes_are_taken_back_in_their_order_and_made_again(undo: Undo) -> None:
    number = Number(undo)
    number.put(1)
    number.put(2)
    assert (undo.undo_text, undo.redo_text) == ("1 to 2", "")
    undo.undo()
    assert (number.value, undo.undo_text, undo.redo_text) == (1, "0 to 1", "1 to 2")
    undo.redo()
    assert number.value == 2
    undo.undo()
    undo.undo()
    undo.undo()
    assert (number.value, undo.undo_text, undo.redo_text) == (0, "", "0 to 1")


def test_a_new_change_forgets_what_was_undone(undo: Undo) -> None:
    number = Number(undo)
    number.put(1)
    undo.undo()
    number.put(5)
    assert undo.redo_text == ""


def test_quick_changes_of_one_thing_are_one(undo: Undo, clock: Clock) -> None:
    number = Number(undo, merge="number")
    for value in (1, 2, 3):
        number.put(value)
        clock.now += 0.5
    clock.now += 2
    number.put(9)
    undo.undo()
    assert number.value == 3
    undo.undo()
    assert (number.value, undo.undo_text) == (0, "")
    undo.redo()
    assert number.value == 3


def test_one_change_is_taken_back_out_of_turn(undo: Undo) -> None:
    calls: list[str] = []
    first = undo.push("a", lambda: calls.append("-a"), lambda: calls.append("+a"))
    undo.push("b", lambda: calls.append("-b"), lambda: calls.append("+b"))
    undo.revert(first)
    undo.revert(first)
    assert calls == ["-a"]
    assert (undo.undo_text, undo.redo_text) == ("b", "a")


def test_what_goes_takes_its_changes_along(undo: Undo) -> None:
    gone, kept = Number(undo), Number(undo)
    gone.put(1)
    kept.put(7)
    gone.put(2)
    undo.forget(gone)
    undo.undo()
    assert (gone.value, kept.value, undo.undo_text) == (2, 0, "")


def test_what_goes_takes_along_what_was_undone_of_it(undo: Undo) -> None:
    """A closed panel can’t redo its changes, either."""
    gone, kept = Number(undo), Number(undo)
    kept.put(7)
    gone.put(1)
    undo.undo()
    undo.undo()
    undo.forget(gone)
    assert undo.redo_text == "0 to 7"
    undo.redo()
    assert (gone.value, kept.value, undo.redo_text) == (0, 7, "")


def test_what_was_done_since_a_change(undo: Undo) -> None:
    number = Number(undo)
    number.put(1)
    first = undo.latest
    number.put(2)
    number.put(3)
    assert [change.text for change in undo.since(first)] == ["1 to 2", "2 to 3"]
    assert [change.text for change in undo.since(None)] == ["0 to 1", "1 to 2", "2 to 3"]
    assert undo.since(undo.latest) == []


def test_the_list_is_bounded(undo: Undo) -> None:
    number = Number(undo)
    for value in range(1000):
        number.put(value)
    steps = 0
    while undo.undo_text:
        undo.undo()
        steps += 1
        # The latest change comes first, so the bound drops the oldest ones.
        assert number.value == 999 - steps
    assert steps == 200


@pytest.fixture
def session(home: Path) -> Session:
    return Session()


def run(session: Session, name: str) -> RunRecord:
    record = RunRecord(name, name, "", {}, "", "", "2026-01-01", state=State.DONE)
    session.runs.append(record)
    return record


def test_a_session_takes_back_names_selections_and_deletions(session: Session) -> None:
    session.corpora.current = small_corpus()
    record = run(session, "a")
    session.runs.rename(record, "b")
    session.selection.select(["cat"])
    session.selection.select(["dog"], add=True)
    session.runs.delete(record)
    assert session.undo.undo_text == "deletion of run “b”"
    session.undo.undo()
    assert session.runs.records == [record]
    assert session.undo.undo_text == "selection of 2 words"
    session.undo.undo()
    assert session.selection.words == ("cat",)
    session.undo.undo()
    assert session.selection.words == ()
    session.undo.undo()
    assert record.name == "a"
    for _ in range(4):
        session.undo.redo()
    assert (record.name, session.selection.words, session.runs.records) == ("b", ("cat", "dog"), [])
    session.close()


def test_a_run_brought_back_otherwise_is_not_brought_back_twice(session: Session) -> None:
    record = run(session, "a")
    session.runs.delete(record)
    session.runs.undelete()
    assert session.undo.undo_text == ""
    session.close()


def test_another_corpus_is_taken_back_and_opened_again(session: Session, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.txt").write_text(f"the {name} word and the {name} line\n" * 30)
        session.corpora.open([tmp_path / f"{name}.txt"])
        wait_until(session, lambda: session.corpora.opening is None, 180)
    assert session.undo.undo_text == "opening of “second”"
    for way, name in ((session.undo.undo, "first"), (session.undo.redo, "second")):
        way()
        wait_until(session, lambda: session.corpora.opening is None, 180)
        assert session.corpora.current is not None
        assert session.corpora.current.name == name
    assert session.undo.undo_text == "opening of “second”"
    session.close()
