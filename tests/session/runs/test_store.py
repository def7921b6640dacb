from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.core.atomic import new_folder
from workbench.core.errors import UserError
from workbench.core.job_control import Trace
from workbench.session.runs import store as store_module
from workbench.session.runs.migrations import RECORD
from workbench.session.runs.run_record import RunRecord, State, new_identifier, now
from workbench.session.runs.store import NewerRuns, Store
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def embeddings(rows: int = 3) -> Embeddings:
    vectors = np.arange(rows * 2, dtype=np.float32).reshape(rows, 2)
    return Embeddings(
        [f"w{i}" for i in range(rows)], vectors, contexts=-vectors, metadata={"seed": 1}
    )


def record(**changes: object) -> RunRecord:
    column = np.array([0.5, 1.0])
    values: dict[str, object] = {
        "identifier": new_identifier(),
        "name": "SGNS 1",
        "algorithm": "sgns",
        "parameters": {"dim": 2, "sample": 1e-3, "window_weighting": "dynamic"},
        "corpus_name": "tiny “quoted”",
        "corpus_digest": "feed",
        "created": now(),
        "colour": 3,
        "state": State.DONE,
        "saved_trace": Trace(column, 2 * column, 3 * column, 0 * column),
        "summary": {"dim": 2},
    }
    return RunRecord(**{**values, **changes})  # type: ignore[arg-type]


def test_a_run_comes_back_as_it_was(store: Store) -> None:
    saved = record()
    store.save(saved, embeddings())
    (found,), problems = Store(store.folder).load()
    assert problems == []
    for name in (
        "identifier",
        "name",
        "algorithm",
        "parameters",
        "corpus_name",
        "corpus_digest",
        "created",
        "colour",
    ):
        assert getattr(found, name) == getattr(saved, name)
    assert (found.state, found.summary, found.stored, found.run) == (
        State.DONE,
        {"dim": 2},
        True,
        None,
    )
    np.testing.assert_array_equal(found.trace.loss, saved.trace.loss)
    np.testing.assert_array_equal(found.trace.seconds, saved.trace.seconds)
    vectors = store.vectors(found.identifier)
    np.testing.assert_array_equal(vectors.vectors, embeddings().vectors)
    np.testing.assert_array_equal(vectors.contexts, embeddings().contexts)
    assert vectors.metadata == {"seed": 1}


def test_runs_are_listed_in_the_order_of_their_creation(store: Store) -> None:
    saved = [record(name=str(number)) for number in range(5)]
    for one in reversed(saved):
        store.save(one, embeddings())
    assert [found.name for found in store.load()[0]] == ["0", "1", "2", "3", "4"]


GARBAGE = {
    "empty": b"",
    "half": b'{"format": 1, "name": "x"',
    "binary": bytes(range(256)),
    "list": b"[1, 2]",
    "null": b"null",
    "deep": b"[" * 100_000,
    "huge number": b'{"format": 1e999}',
    "no format": b"{}",
    "other format": b'{"format": -1}',
}
WRONG_FIELDS: dict[str, object] = {
    "name": 5,
    "algorithm": None,
    "parameters": [],
    "colour": True,
    "state": "training",
    "summary": "x",
    "trace": {"progress": [1.0]},
    "created": {},
}


def assert_set_aside(store: Store, identifier: str) -> None:
    records, problems = store.load()
    assert [found.name for found in records] == ["sound"]
    assert len(problems) == 1
    assert identifier in problems[0].message
    assert str(store.folder / "damaged") in problems[0].hint
    assert (store.folder / "damaged" / identifier).is_dir()
    assert store.load()[1] == []


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_garbled_record_is_set_aside(store: Store, content: bytes) -> None:
    broken = record()
    store.save(broken, embeddings())
    store.save(record(name="sound"), embeddings())
    (store.folder / "runs" / broken.identifier / "run.json").write_bytes(content)
    assert_set_aside(store, broken.identifier)
    assert (store.folder / "damaged" / broken.identifier / "run.json").read_bytes() == content
    assert (store.folder / "damaged" / broken.identifier / "vectors.npz").exists()


def test_runs_of_a_newer_version_stay_and_are_told_as_that(store: Store) -> None:
    newer = [record(name=name) for name in ("one", "two")]
    for one in (*newer, record(name="sound")):
        store.save(one, embeddings())
    for number, one in enumerate(newer, 1):
        path = store.run_folder(one.identifier) / "run.json"
        values = {**json.loads(path.read_text()), "format": RECORD + 1}
        path.write_text(json.dumps(values))
        for _ in range(2):
            records, (problem,) = store.load()
            assert len(records) == 3 - number
            subject = f"The run {one.identifier} was" if number == 1 else "2 runs were"
            assert problem.message == f"{subject} saved by a newer version of Embedding Workbench."
        with pytest.raises(NewerRuns):
            store.mark(one.identifier, {"name": "other"})
        assert json.loads(path.read_text()) == values
    assert not (store.folder / "damaged").exists()


@pytest.mark.parametrize("name", WRONG_FIELDS)
def test_a_record_with_a_wrong_field_is_set_aside(store: Store, name: str) -> None:
    broken = record()
    store.save(broken, embeddings())
    store.save(record(name="sound"), embeddings())
    path = store.folder / "runs" / broken.identifier / "run.json"
    values = json.loads(path.read_text())
    for wrong in (WRONG_FIELDS[name], [float("nan")]):
        values[name] = wrong
    path.write_text(json.dumps(values))
    assert_set_aside(store, broken.identifier)


def test_a_trace_that_is_no_table_of_numbers_is_set_aside(store: Store) -> None:
    for column in (["x", "y"], [True, False], [float("nan"), 1.0], [1.0], "no", None):
        broken = record()
        store.save(broken, embeddings())
        path = store.folder / "runs" / broken.identifier / "run.json"
        values = json.loads(path.read_text())
        values["trace"]["loss"] = column
        path.write_text(json.dumps(values))
        assert len(store.load()[1]) == 1


@pytest.mark.parametrize("damage", ["missing", "empty", "cut"])
def test_vectors_that_are_not_whole_are_noticed_at_once(store: Store, damage: str) -> None:
    broken = record()
    store.save(broken, embeddings(500))
    store.save(record(name="sound"), embeddings())
    path = store.folder / "runs" / broken.identifier / "vectors.npz"
    data = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    assert_set_aside(store, broken.identifier)


def test_damaged_twice_keeps_both(store: Store) -> None:
    saved = record()
    for _ in range(2):
        store.save(saved, embeddings())
        (store.folder / "runs" / saved.identifier / "run.json").write_text("no")
        assert len(store.load()[1]) == 1
    assert len(list((store.folder / "damaged").iterdir())) == 2


def test_two_stores_on_one_folder(store: Store) -> None:
    other = Store(store.folder)
    first, second = record(name="first"), record(name="second")
    store.save(first, embeddings())
    other.save(second, embeddings())
    assert [found.name for found in store.load()[0]] == ["first", "second"]
    other.delete(first.identifier)
    assert [found.name for found in store.load()[0]] == ["second"]
    with pytest.raises(UserError, match="no longer"):
        store.vectors(first.identifier)
    with pytest.raises(UserError, match="no longer"):
        store.delete(first.identifier)
    with pytest.raises(UserError, match="no longer"):
        store.rename(first.identifier, "x")
    store.undelete(first.identifier)
    assert [found.name for found in other.load()[0]] == ["first", "second"]


def test_a_folder_that_vanishes_while_listing_is_no_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_run = record()
    store.save(listed_run, embeddings())
    folders = store._folders()
    shutil.move(folders[0], store.folder / "elsewhere")
    monkeypatch.setattr(store, "_folders", lambda: folders)
    assert store.load() == ([], [])


@pytest.mark.skipif(os.name != "posix", reason="what is written cannot be locked elsewhere")
def test_what_is_being_saved_is_no_run_and_what_a_killed_process_left_is_removed(
    store: Store,
) -> None:
    leftover = store.folder / "runs" / ".b.abcdefgh.new.part"
    leftover.mkdir(parents=True)
    (leftover / "vectors.npz").write_text("half")
    with new_folder(store.folder / "runs" / "a") as part:
        # The folder is locked, so it isn’t abandoned, however old it is.
        os.utime(part, (time.time() - 2 * 86_400,) * 2)
        assert store.load() == ([], [])
        assert part.exists()
        assert not leftover.exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_cannot_be_written_says_so(store: Store) -> None:
    (store.folder / "runs").mkdir(parents=True)
    (store.folder / "runs").chmod(0o500)
    with pytest.raises(UserError, match="Couldn’t write"):
        store.save(record(), embeddings())


def test_a_store_in_the_way_of_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    with pytest.raises(UserError, match="Couldn’t write"):
        Store(tmp_path / "store").save(record(), embeddings())


SAVE_FOR_EVER = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from session.runs.test_store import embeddings, record
from workbench.session.runs.store import NewerRuns, Store
store = Store(Path(sys.argv[1]))
while True:
    one = record()
    store.save(one, embeddings(2000))
    print(one.identifier, flush=True)
"""


def test_killed_while_saving_no_finished_run_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    script = SAVE_FOR_EVER.format(path=[entry for entry in sys.path if entry])
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    identifiers = [child.stdout.readline().strip() for _ in range(3)]
    os.kill(child.pid, signal.SIGKILL)
    rest, _ = child.communicate()
    identifiers += rest.split()
    assert all(identifiers)
    store = Store(folder)
    records, problems = store.load()
    assert problems == []
    # The child may have saved one more run before it could print its identifier.
    assert {found.identifier for found in records} >= set(identifiers)
    assert len(records) <= len(identifiers) + 1
    for found in records:
        assert len(store.vectors(found.identifier)) == 2000


def test_a_run_that_has_come_back_by_another_way_is_there_once_after_undelete(store: Store) -> None:
    one = record()
    store.save(one, embeddings())
    store.delete(one.identifier)
    store.save(one, embeddings())
    store.undelete(one.identifier)
    assert [folder.name for folder in (store.folder / "runs").iterdir()] == [one.identifier]
    assert [found.identifier for found in store.load()[0]] == [one.identifier]


@pytest.mark.parametrize(
    "state", [state for state in State if state not in (State.DONE, State.STOPPED)]
)
def test_what_is_not_finished_is_no_run_of_the_store(store: Store, state: State) -> None:
    one = record()
    store.save(one, embeddings())
    path = store.folder / "runs" / one.identifier / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "state": state.value}))
    records, (problem,) = store.load()
    assert records == []
    assert f"its state is “{state.value}”" in problem.message
    assert (store.folder / "damaged" / one.identifier / "vectors.npz").exists()


def test_a_run_that_is_moved_away_while_it_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process deletes the run between reading and writing."""
    store, other, one = Store(tmp_path), Store(tmp_path), record()
    store.save(one, embeddings())
    write = store_module._write_json

    def write_late(path: Path, values: Mapping[str, Any]) -> None:
        write(path, values)
        other.delete(one.identifier)

    monkeypatch.setattr(store_module, "_write_json", write_late)
    with pytest.raises(UserError, match="no longer in the store"):
        store.rename(one.identifier, "new")
    store.undelete(one.identifier)
    ((found,), problems) = store.load()
    assert (found.name, problems) == (one.name, [])
