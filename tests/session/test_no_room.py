"""Full or unwritable disks, several processes on one store, and a cache deleted while in use."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from session.fakes import Gate, StepParams, small_corpus, wait_until
from session.runs.test_store import embeddings, record

from workbench.core import folders
from workbench.core.errors import UserError
from workbench.session.runs.run_record import State
from workbench.session.runs.store import Store
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec

_ROOT = Path(__file__).resolve().parents[2]


class FullDisk:
    """A disk that allows ``left`` more writing calls, and then is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 10**9
        self.calls = 0
        for name in ("fsync", "mkdir", "replace", "rename"):
            monkeypatch.setattr(os, name, self._limit(getattr(os, name)))

    def _limit(self, whole: Any) -> Any:
        def limited(*arguments: Any, **keywords: Any) -> Any:
            self.calls += 1
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return whole(*arguments, **keywords)

        return limited


def test_a_disk_that_is_full_at_any_write_loses_nothing_that_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    first = record()
    store.save(first, embeddings())
    disk = FullDisk(monkeypatch)
    store.save(record(), embeddings())
    writes = disk.calls
    assert writes > 3
    store.rename(first.identifier, "Before")
    for left in range(writes):
        disk.left = left
        with pytest.raises(UserError, match="No space left"):
            store.save(record(), embeddings())
        with pytest.raises(UserError, match="No space left"):
            disk.left = left % 3
            store.rename(first.identifier, "After")
        disk.left = 10**9
        records, problems = store.load()
        assert problems == []
        # If only the last sync of the folder fails, the run exists although saving it was reported
        # as failed.
        assert len(records) >= 2
        assert records[0].name in ("Before", "After")
        for one in records:
            assert len(store.vectors(one.identifier)) == len(embeddings())
    assert [name for name in os.listdir(tmp_path / "runs") if name.endswith(".part")] == []


def test_a_run_that_cannot_be_saved_stays_and_is_told_once_in_a_closed_store(
    gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Permissions don’t restrict root, but nobody can create a folder inside a file.
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "a file" / "home"))
    monkeypatch.setattr(folders, "problems", {})
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(tmp_path / "instead"))
    session = Session()
    session.corpora.current = small_corpus()
    messages: list[str] = []
    session.message.connect(lambda text, hint, is_error: messages.append(text))
    for _ in range(2):
        session.training.start(TrainingSpec("step", StepParams(min_count=1)))
        wait_until(session, lambda: session.training.current is None)
    assert [run.state for run in session.runs] == [State.DONE, State.DONE]
    assert len(messages) == 1
    assert "Can’t save your work" in messages[0]
    session.settings.put({"theme": "dark"})
    assert session.settings.all().get("theme") == "dark"
    session.close()


def test_a_full_disk_is_told_of_the_run_and_the_run_is_kept_in_memory(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    session.message.connect(lambda text, hint, is_error: messages.append(text))
    disk = FullDisk(monkeypatch)
    disk.left = 0
    run = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: run.state.over)
    assert run.state is State.DONE
    assert not run.stored
    assert run.embeddings is not None
    assert "No space left" in messages[0]


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="needs a file system of its own"
)
def test_a_small_file_system_that_is_really_full(tmp_path: Path) -> None:
    """A tmpfs of 256 kB, filled run by run: it has exactly the runs reported as saved, complete."""
    place = tmp_path / "small"
    place.mkdir()
    process = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)], capture_output=True
    )
    if process.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        store = Store(place)
        identifiers = []
        with pytest.raises(UserError, match="No space left"):
            for _ in range(1000):
                one = record()
                store.save(one, embeddings(200))
                identifiers.append(one.identifier)
        records, problems = store.load()
        assert [one.identifier for one in records] == identifiers
        assert problems == []
        assert identifiers
        for name in identifiers:
            assert len(store.vectors(name)) == 200
    finally:
        subprocess.run(["umount", str(place)], check=True)


RACER = """
import random, sys
from pathlib import Path
sys.path[:0] = {path!r}
from session.runs.test_store import embeddings, record
from workbench.core.errors import UserError
from workbench.session.runs.store import Store
store, chance = Store(Path(sys.argv[1])), random.Random(int(sys.argv[2]))
saved = set()
for turn in range(60):
    one = record()
    store.save(one, embeddings())
    records, problems = store.load()
    assert not problems, problems
    other = chance.choice(records).identifier
    rename = lambda name: store.rename(name, f"turn {{turn}}")
    try:
        chance.choice((store.delete, store.undelete, rename, store.vectors))(other)
    except UserError as error:
        sentences = ("no longer", "Another window")
        assert any(sentence in str(error) for sentence in sentences), error
print("done")
"""


@pytest.fixture
def racers(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    code = RACER.format(path=[str(_ROOT), str(_ROOT / "tests")])
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            stderr=subprocess.PIPE,
        )
        for number in range(2)
    ]
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def test_two_processes_on_one_store_lose_and_damage_nothing(
    racers: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    for process in racers:
        out, errors = process.communicate(timeout=240)
        assert out.strip() == "done", errors
    store = Store(tmp_path)
    records, problems = store.load()
    assert problems == []
    assert not (tmp_path / "damaged").exists()
    trash = list((tmp_path / "trash").iterdir()) if (tmp_path / "trash").exists() else []
    assert len(records) + len(trash) == 120
    for one in records:
        store.vectors(one.identifier)


def test_a_corpus_deleted_from_the_cache_meanwhile_disturbs_nothing(
    session: Session, gate: Gate, tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the cat saw the dog\n" * 50 + tmp_path.name)
    session.corpora.open([text])
    wait_until(session, lambda: session.corpora.opening is None, seconds=240)
    corpus = session.corpora.current
    assert corpus is not None
    assert corpus.folder is not None
    shutil.rmtree(corpus.folder)
    run = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    wait_until(session, lambda: run.state.over)
    assert run.state is State.DONE
    assert int(corpus.ids.max()) < corpus.types
    session.corpora.open([text])
    wait_until(session, lambda: session.corpora.opening is None)
    assert session.corpora.error is None
    assert corpus.folder.is_dir()
