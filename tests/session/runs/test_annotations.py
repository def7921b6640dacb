"""Stars, notes and deletion of several runs, with undo, in memory and in the store; records of
older formats.
"""

from __future__ import annotations

import json
import threading
import zipfile
from pathlib import Path

import pytest
from session.fakes import Gate, StepParams, wait_until

from workbench.core.errors import UserError
from workbench.session.runs.migrations import RECORD, RECORD_STEPS, NewerRecord, migrate_record
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.vectors.embeddings import Embeddings


def train_runs(session: Session, number: int = 1) -> list[RunRecord]:
    records = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=seed)))
        for seed in range(number)
    ]
    wait_until(session, lambda: all(record.state.over for record in records))
    return records


def stored_record(record: RunRecord) -> RunRecord:
    return next(one for one in Store().load()[0] if one.identifier == record.identifier)


def test_stars_and_notes_are_kept_and_taken_back(session: Session) -> None:
    one, two = train_runs(session, 2)
    session.runs.star([one, two], True)
    session.runs.write_note(one, "  for \n class ")
    assert (stored_record(one).star, stored_record(one).note, stored_record(two).star) == (
        True,
        "for class",
        True,
    )
    session.undo.undo()
    assert (one.note, stored_record(one).note) == ("", "")
    session.undo.undo()
    assert (stored_record(one).star, stored_record(two).star) == (False, False)
    session.undo.redo()
    assert (stored_record(one).star, stored_record(two).star) == (True, True)
    # Undo affects only runs that the action changed.
    session.runs.star([one], False)
    session.runs.star([one, two], True)
    session.undo.undo()
    assert (one.star, two.star) == (False, True)


def test_what_is_marked_while_it_trains_is_saved_with_it(session: Session, gate: Gate) -> None:
    gate.opened.clear()
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: gate.fits)
    session.runs.star([record], True)
    session.runs.write_note(record, "early")
    session.runs.rename(record, "early name")
    gate.opened.set()
    wait_until(session, lambda: record.state.over)
    found = stored_record(record)
    assert (found.name, found.star, found.note) == ("early name", True, "early")


def test_several_runs_are_deleted_and_brought_back_as_one(session: Session, gate: Gate) -> None:
    records = train_runs(session, 3)
    gate.opened.clear()
    going = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    deleted_runs, change = session.runs.delete_all([*records[:2], going])
    assert (deleted_runs, session.runs.records) == (tuple(records[:2]), [records[2], going])
    assert change is not None
    assert session.undo.undo_text == "deletion of 2 runs"
    session.undo.undo()
    assert session.runs.records == [*records, going]
    assert len(Store().load()[0]) == 3
    session.undo.redo()
    assert session.runs.records == [records[2], going]
    session.undo.revert(change)
    assert session.runs.records == [*records, going]
    assert session.runs.delete_all([going]) == ((), None)
    gate.opened.set()


def test_a_store_of_format_1_opens_with_nothing_marked(session: Session) -> None:
    (record,) = train_runs(session)
    path = Store().run_folder(record.identifier) / "run.json"
    values = json.loads(path.read_text())
    for name in ("star", "note", "group"):
        del values[name]
    path.write_text(json.dumps({**values, "format": 1}))
    found = stored_record(record)
    assert (found.star, found.note, found.group, found.state) == (False, "", "", State.DONE)
    Store().mark(record.identifier, {"star": True})
    assert json.loads(path.read_text())["format"] == RECORD
    assert stored_record(record).star


def test_a_session_file_of_version_1_brings_its_runs(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record,) = train_runs(session)
    path, old = tmp_path / "new.workbench", tmp_path / "old.workbench"
    session.files.save(path, {})
    wait_until(session, path.is_file)
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(old, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            if info.filename == "manifest.json":
                content = json.dumps({**json.loads(content), "version": 1}).encode()
            elif info.filename.endswith("run.json"):
                values = json.loads(content)
                content = json.dumps(
                    {
                        **{k: v for k, v in values.items() if k not in ("star", "note", "group")},
                        "format": 1,
                    }
                ).encode()
            target.writestr(info, content)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "elsewhere"))
    there = Session()
    try:
        there.corpora.open([old])
        wait_until(there, lambda: there.runs)
        assert [(run.name, run.star, run.note, run.group) for run in there.runs] == [
            (record.name, False, "", "")
        ]
    finally:
        there.close()


def test_every_older_format_has_a_step() -> None:
    assert sorted(RECORD_STEPS) == list(range(1, RECORD))
    with pytest.raises(NewerRecord, match=f"newer version .* this version reads {RECORD}"):
        migrate_record({"format": RECORD + 1})
    for wrong in (None, True, 0, "1", 1.0):
        with pytest.raises(ValueError, match="its record has format"):
            migrate_record({"format": wrong})


def test_a_note_is_a_remark_and_no_document(session: Session) -> None:
    (record,) = train_runs(session)
    session.runs.write_note(record, "x" * 5000)
    assert len(record.note) == len(stored_record(record).note) == 2000


def test_what_cannot_be_moved_to_the_trash_is_not_deleted_with_the_others(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = train_runs(session, 2)
    delete = session.store.delete

    def fails_once(identifier: str) -> None:
        if identifier == one.identifier:
            raise UserError("The trash is full.", "")
        delete(identifier)

    monkeypatch.setattr(session.store, "delete", fails_once)
    deleted_runs, change = session.runs.delete_all([one, two])
    assert (deleted_runs, session.runs.records) == ((two,), [one])
    assert change is not None
    assert session.undo.undo_text == f"deletion of run “{two.name}”"
    session.undo.undo()
    assert session.runs.records == [one, two]
    assert {record.identifier for record in Store().load()[0]} == {one.identifier, two.identifier}


def test_what_is_marked_after_it_was_saved_and_before_it_is_handed_over_is_kept(
    session: Session, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_event, go_on = threading.Event(), threading.Event()
    save = session.store.save

    def slow(record: RunRecord, embeddings: Embeddings) -> None:
        save(record, embeddings)
        save_event.set()
        go_on.wait(60)

    monkeypatch.setattr(session.store, "save", slow)
    record = session.training.start(
        TrainingSpec("step", StepParams(min_count=1), name="as it began")
    )
    wait_until(session, save_event.is_set)
    session.runs.star([record], True)
    session.runs.write_note(record, "late")
    session.runs.rename(record, "late name")
    found = stored_record(record)
    assert (found.name, found.star, found.note) == ("as it began", False, "")
    go_on.set()
    wait_until(session, lambda: record.state.over)
    found = stored_record(record)
    assert (found.name, found.star, found.note) == ("late name", True, "late")
