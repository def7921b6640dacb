"""A whole session in one file: it is restored on any machine, and nothing else is accepted."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import regex
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.analysis.projection.word_attributes import load_column
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.session.files.session_archive import is_session
from workbench.session.files.session_file import (
    Contents,
    corpora_of,
    open_session,
    read_contents,
    save_session,
)
from workbench.session.runs.migrations import STEPS, VERSION
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec

Edit = Callable[[dict[str, bytes]], None]


def train(session: Session, **params: Any) -> None:
    before = len(session.runs)
    session.training.start(TrainingSpec("step", StepParams(min_count=1, **params)))
    wait_until(session, lambda: len(session.runs) > before and session.training.current is None)


@pytest.fixture
def session_file(session: Session, tmp_path: Path) -> Path:
    """A session file with two runs, selected words, a word set, and a panel’s array."""
    train(session)
    train(session, seed=2)
    session.runs.rename(session.runs[0], "Renamed")
    session.selection.select(["cat", "dog"])
    session.selection.show_analogy(AnalogyShown("cat", "dog", "the", "saw"))
    session.settings.put({"map.sets": [{"name": "pets", "words": ["cat", "dog"]}]})
    session.settings.put({"recent": [["/private"]]})
    path = tmp_path / "all.workbench"
    places = np.arange(6, dtype=np.float32).reshape(3, 2)
    session.files.save(path, {"map": {"layouts": [{"positions": places, "method": "umap"}]}})
    messages: list[str] = []
    session.message.connect(lambda text, hint, is_error: messages.append(text))
    wait_until(session, lambda: messages)
    assert messages == [f"Saved the session in {path}."]
    return path


def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: bool = True) -> Session:
    """A session on another machine, whose store is empty."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "elsewhere"))
    new_session = Session()
    new_session.corpora.current = small_corpus() if corpus else None
    return new_session


def open_file(session: Session, path: Path) -> list[str]:
    """Open a file, and return the messages shown meanwhile."""
    messages: list[str] = []
    session.message.connect(lambda text, hint, is_error: messages.append(text))
    session.corpora.open([path])
    wait_until(session, lambda: messages and session.corpora.opening is None)
    return messages


def test_everything_comes_back_elsewhere(
    session_file: Path, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = elsewhere(tmp_path, monkeypatch)
    signals: list[Any] = []
    there.files.restored.connect(signals.append)
    assert open_file(there, session_file) == ["Opened all.workbench: 2 runs added."]
    assert [record.name for record in there.runs] == ["Renamed", "Step 2"]
    for mine, theirs in zip(session.runs, there.runs, strict=True):
        assert theirs.identifier == mine.identifier
        assert theirs.stored
        assert theirs.parameters == dict(mine.parameters)
        np.testing.assert_array_equal(theirs.trace.loss, mine.trace.loss)
        np.testing.assert_array_equal(
            there.store.vectors(theirs.identifier).vectors,
            session.store.vectors(mine.identifier).vectors,
        )
    wait_until(there, lambda: there.active.embeddings is not None)
    assert there.active.run is there.runs[-1]
    assert there.selection.words == ("cat", "dog")
    assert there.settings.all().get("map.sets") == [{"name": "pets", "words": ["cat", "dog"]}]
    assert there.settings.all().get("recent") == [[str(session_file)]]
    (panels,) = signals
    (layout,) = panels["map"]["layouts"]
    np.testing.assert_array_equal(layout["positions"], [[0, 1], [2, 3], [4, 5]])
    there.close()
    # The store on the other machine contains the runs, too.
    assert [record.name for record in Session().runs] == ["Renamed", "Step 2"]


def test_runs_that_are_here_stay_as_they_are(session_file: Path, session: Session) -> None:
    session.runs.rename(session.runs[0], "Otherwise")
    assert (
        open_file(session, session_file)[-1]
        == "Opened all.workbench: its 2 runs were already open."
    )
    assert [record.name for record in session.runs] == ["Otherwise", "Step 2"]


def test_a_run_that_a_session_has_brought_back_is_not_undeleted_again(
    session_file: Path, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug found by hours of use: a run listed twice made the next session file unreadable."""
    deleted_run = session.runs[0]
    session.runs.delete(deleted_run)
    open_file(session, session_file)
    assert [record.name for record in session.runs] == ["Renamed", "Step 2"]
    session.runs.undelete()
    assert [record.name for record in session.runs] == ["Renamed", "Step 2"]
    assert session.active.run is session.runs[0]
    assert not session.runs.can_undelete
    records, problems = session.store.load()
    assert sorted(record.identifier for record in records) == [
        record.identifier for record in session.runs
    ]
    assert not problems
    again = tmp_path / "again.workbench"
    session.files.save(again)
    wait_until(session, again.exists)
    assert open_file(elsewhere(tmp_path, monkeypatch), again) == [
        "Opened again.workbench: 2 runs added."
    ]


@pytest.mark.parametrize("paused", [False, True])
def test_what_is_being_saved_is_saved_when_the_window_closes(
    session_file: Path,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    paused: bool,
) -> None:
    path = tmp_path / "last.workbench"
    session.files.save(path)
    (job,) = [job for job in session.jobs.active if "last" in job.title]
    if paused:
        job.run.pause()
    cancellations: list[JobControl] = []
    monkeypatch.setattr(JobControl, "cancel", cancellations.append)
    session.close()
    assert job.run not in cancellations
    assert len(read_contents(path)[1]) == 2


def test_what_could_not_be_saved_as_the_window_closed_is_told_by_the_next(
    session_file: Path, session: Session
) -> None:
    session.files.save(session_file.parent / "no" / "last.workbench")
    session.close()
    for expected in (1, 0):
        again = Session()
        messages: list[str] = []
        again.message.connect(lambda text, *_, heard=messages: heard.append(text))
        again.pump()
        again.close()
        assert len(messages) == expected
        assert all(
            "When the window last closed" in text and "last.workbench" in text for text in messages
        )


def test_two_files_are_saved_at_once(session_file: Path, session: Session, tmp_path: Path) -> None:
    paths = [tmp_path / "one.workbench", tmp_path / "other.workbench"]
    for path in paths:
        session.files.save(path)
    session.files.open(session_file)
    wait_until(session, lambda: not session.jobs.active)
    assert [len(read_contents(path)[1]) for path in paths] == [2, 2]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_a_pipe_is_no_session_and_is_not_waited_for(session: Session, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.workbench"
    os.mkfifo(pipe)
    assert not is_session(pipe)
    with pytest.raises(UserError, match="isn’t a regular file"):
        read_contents(pipe)


def test_a_missing_text_keeps_nothing_else_from_opening(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the cat saw the dog\n" * 9)
    session.corpora.open([text])
    wait_until(
        session,
        lambda: session.corpora.current is not None and session.corpora.current.name == "text",
    )
    train(session)
    path = tmp_path / "s.workbench"
    save_session(path, session.store, session.runs, session.files.contents(), JobControl())
    text.unlink()
    here = os.environ["WORKBENCH_HOME"]
    there = elsewhere(tmp_path, monkeypatch, corpus=False)
    errors: list[UserError] = []
    there.corpora.text_missed.connect(errors.append)
    open_file(there, path)
    wait_until(there, lambda: errors)
    assert "text.txt." in errors[0].message
    assert there.active.embeddings is not None or there.active.run is there.runs[0]
    assert there.corpora.current is None
    there.close()
    # On this machine, the cache still contains the text.
    monkeypatch.setenv("WORKBENCH_HOME", here)
    session.corpora.current = None
    open_file(session, path)
    wait_until(session, lambda: session.corpora.current is not None)


def test_the_same_session_gives_the_same_bytes(
    session_file: Path, session: Session, tmp_path: Path
) -> None:
    contents = Contents(selection=("a",))
    for name in "ab":
        save_session(tmp_path / name, session.store, session.runs, contents, JobControl())
    with zipfile.ZipFile(tmp_path / "a") as first, zipfile.ZipFile(tmp_path / "b") as second:
        for name in first.namelist():
            if name != "manifest.json":  # contains the time
                assert first.read(name) == second.read(name)


def edited_file(path: Path, edit: Edit, method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    edit(members)
    target = path.with_name("edited.workbench")
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


def manifest(**changes: Any) -> Edit:
    def edit(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps(
            {**json.loads(members["manifest.json"]), **changes}
        ).encode()

    return edit


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (manifest(version=VERSION + 1), "newer version of Embedding Workbench"),
        (manifest(version=None), "doesn’t state its format version"),
        (manifest(version=True), "doesn’t state its format version"),
        (manifest(runs=["../../etc"]), "its manifest isn’t valid"),
        (manifest(runs=["a", "a"]), "its manifest isn’t valid"),
        (manifest(selection=[1]), "its manifest isn’t valid"),
        (manifest(panels={"map": {"array": 7}}), "isn’t an array of numbers"),
        (lambda members: members.update({"../../climbs.txt": b"x"}), "isn’t part of a session"),
        (lambda members: members.update({"/etc/passwd": b"x"}), "isn’t part of a session"),
        (lambda members: members.update({"runs/a/code.py": b"x"}), "isn’t part of a session"),
        (lambda members: members.update({"manifest.json": b"[" * 100_000}), "manifest.json"),
        (
            lambda members: members.update({"manifest.json": b'{"a": NaN}'}),
            "manifest.json couldn’t be read",
        ),
        (
            lambda members: members.update({"arrays/0.npy": b"\x93NUMPY"}),
            "isn’t an array of numbers",
        ),
        (lambda members: members.pop("manifest.json"), "manifest.json"),
    ],
)
def test_what_is_no_session_is_refused(
    session_file: Path, tmp_path: Path, edit: Edit, says: str
) -> None:
    store = Store(tmp_path / "empty")
    with pytest.raises(UserError, match=says):
        open_session(edited_file(session_file, edit), store, JobControl())
    assert store.load() == ([], [])
    assert not (tmp_path / "climbs.txt").exists()


def test_an_archive_that_expands_without_end_is_refused(session_file: Path, tmp_path: Path) -> None:
    bomb = edited_file(
        session_file,
        lambda members: members.update({"arrays/9.npy": bytes(80 << 20)}),
        zipfile.ZIP_DEFLATED,
    )
    assert bomb.stat().st_size < 1 << 20
    with pytest.raises(UserError, match="declares more data than the file contains"):
        open_session(bomb, Store(tmp_path / "empty"), JobControl())


def test_objects_are_not_unpickled(session_file: Path, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    damaged_file = edited_file(
        session_file, lambda members: members.update({"arrays/0.npy": buffer.getvalue()})
    )
    with pytest.raises(UserError, match="isn’t an array of numbers"):
        open_session(damaged_file, Store(tmp_path / "empty"), JobControl())


def test_a_damaged_run_keeps_no_other_from_opening(
    session_file: Path, session: Session, tmp_path: Path
) -> None:
    first, second = (record.identifier for record in session.runs)
    damaged_file = edited_file(
        session_file, lambda members: members.update({f"runs/{first}/vectors.npz": b"PK\x03\x04"})
    )
    there = open_session(damaged_file, Store(tmp_path / "empty"), JobControl())
    assert [record.identifier for record in there.records] == [second]
    assert [problem.message for problem in there.problems] == [
        f"edited.workbench is damaged: the vectors of {session.runs[0].name} are damaged."
    ]


def test_what_could_not_be_opened_is_told_with_what_could(
    session_file: Path, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = session.runs[0].identifier
    damaged_file = edited_file(
        session_file, lambda members: members.update({f"runs/{first}/vectors.npz": b"PK\x03\x04"})
    )
    messages = open_file(elsewhere(tmp_path, monkeypatch), damaged_file)
    assert messages[0] == (
        "Opened edited.workbench without one of its runs. edited.workbench is damaged: the vectors "
        f"of {session.runs[0].name} are damaged."
    )


def test_a_run_of_a_newer_version_asks_for_that_version(
    session_file: Path, session: Session, tmp_path: Path
) -> None:
    name = f"runs/{session.runs[0].identifier}/run.json"

    def newer(members: dict[str, bytes]) -> None:
        members[name] = json.dumps({**json.loads(members[name]), "format": 9}).encode()

    (problem,) = open_session(
        edited_file(session_file, newer), Store(tmp_path / "empty"), JobControl()
    ).problems
    assert (
        "newer version of Embedding Workbench (format 9; this version reads 2)" in problem.message
    )
    assert problem.hint == "Install the latest version to open the session."


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "a.workbench is empty."),
        (
            b"once upon a time",
            "isn’t a session file (it isn’t a zip file, or it is truncated).",
        ),
    ],
)
def test_a_file_that_is_no_archive(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.workbench"
    path.write_bytes(content)
    with pytest.raises(UserError) as failure:
        open_session(path, Store(tmp_path / "empty"), JobControl())
    assert says in failure.value.message


def test_an_archive_of_other_things(session_file: Path, tmp_path: Path) -> None:
    def other(members: dict[str, bytes]) -> None:
        members.clear()
        members["tales.txt"] = b"once upon a time"

    with pytest.raises(UserError, match=r"damaged: it doesn’t contain manifest\.json\."):
        open_session(edited_file(session_file, other), Store(tmp_path / "empty"), JobControl())


def test_the_end_of_an_archive_in_it_is_not_taken_for_its_own(
    session_file: Path, tmp_path: Path
) -> None:
    """Vectors are archives, too: if a session file is cut after them, their end comes last."""
    content = session_file.read_bytes()
    end = content.rfind(b"PK\x05\x06", 0, content.rfind(b"PK\x05\x06")) + 22
    cut_file = tmp_path / "cut.workbench"
    cut_file.write_bytes(content[:end])
    assert zipfile.is_zipfile(cut_file)
    with pytest.raises(UserError, match=r"damaged: its end is missing\."):
        open_session(cut_file, Store(tmp_path / "empty"), JobControl())


def test_a_text_of_which_nobody_says_where_it_lies_is_told(
    session_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = edited_file(session_file, manifest(corpora=[{"digest": "x", "name": "Tales"}], open="x"))
    messages = open_file(elsewhere(tmp_path, monkeypatch, corpus=False), path)
    assert "Couldn’t find the corpus “Tales”: the session doesn’t state its location." in messages


@pytest.mark.parametrize("pattern", ["a" * 2_001, "a{50}" * 100], ids=["long", "repeated"])
def test_a_pattern_beyond_the_bounds_is_not_compiled(
    pattern: str, session_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tmp_path / "tales.txt"
    text.write_text("the cat saw the dog\n" * 9, encoding="utf-8")
    options = {"tokeniser": "regex", "pattern": pattern}
    corpus = {"digest": "x", "name": "tales", "paths": [str(text)], "options": options}
    path = edited_file(session_file, manifest(corpora=[corpus], open="x"))
    compiled: list[str] = []
    compile_pattern = regex.compile

    def record(pattern: str, *flags: Any, **more: Any) -> Any:
        compiled.append(pattern)
        return compile_pattern(pattern, *flags, **more)

    monkeypatch.setattr(regex, "compile", record)
    there = elsewhere(tmp_path, monkeypatch, corpus=False)
    open_file(there, path)
    wait_until(there, lambda: there.corpora.current is not None)
    assert there.corpora.current is not None
    # The text is read with the usual options instead.
    assert there.corpora.current.options.tokeniser == "words"
    assert len(there.runs) == 2
    there.close()
    # Also at the next start.
    again = Session()
    again.corpora.restore()
    wait_until(again, lambda: again.corpora.current is not None)
    again.close()
    assert pattern not in compiled


def test_a_column_of_another_computer_is_read_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "column.tsv"
    with path.open("wb") as file:
        file.truncate(32_000_001)
    with pytest.raises(UserError, match="is too large"):
        load_column(path)
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe.tsv"
        os.mkfifo(pipe)
        with pytest.raises(UserError, match="isn’t a regular file"):
            load_column(pipe)


def test_what_is_a_persons_own_stays_with_the_person(session_file: Path, session: Session) -> None:
    own = {
        "language": "de",
        "text_size": 200,
        "motion": "off",
        "tooltips": False,
        "notices": False,
        "theme": "dark",
    }
    session.settings.put({"text_size": 110})
    open_file(session, edited_file(session_file, manifest(settings={**own, "map.method": "pca"})))
    assert session.settings.all().get("text_size") == 110
    assert session.settings.all().get("map.method") == "pca"
    assert not {"language", "motion", "tooltips", "notices", "theme"} & set(session.settings.all())
    assert "text_size" not in session.files.contents().settings


def test_a_file_cut_short_is_refused(session_file: Path, tmp_path: Path) -> None:
    cut_file = tmp_path / "cut.workbench"
    cut_file.write_bytes(session_file.read_bytes()[:-40])
    assert is_session(cut_file)
    with pytest.raises(UserError, match="isn’t a session file, or"):
        open_session(cut_file, Store(tmp_path / "empty"), JobControl())


def test_a_session_of_version_0_is_migrated(session_file: Path, session: Session) -> None:
    def older(members: dict[str, bytes]) -> None:
        now = json.loads(members["manifest.json"])
        members["manifest.json"] = json.dumps(
            {
                "version": 0,
                "runs": now["runs"],
                "shown": now["shown"],
                "corpus": {"name": "tiny", "digest": "feed", "paths": ["/a.txt"]},
                "sets": [{"name": "pets", "words": ["cat"]}],
                "map": "pca",
                "layout": {"docks": []},
            }
        ).encode()

    contents, runs = read_contents(edited_file(session_file, older))
    assert list(runs) == [record.identifier for record in session.runs]
    assert contents.open == "feed"
    assert contents.corpora == ({"name": "tiny", "digest": "feed", "paths": ["/a.txt"]},)
    assert contents.settings["map.sets"] == [{"name": "pets", "words": ["cat"]}]
    assert contents.settings["map.method"] == "pca"
    assert sorted(STEPS) == list(range(VERSION)), "a step is missing"


def test_where_the_store_cannot_be_written_runs_are_looked_at_all_the_same(
    session_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = elsewhere(tmp_path, monkeypatch)
    (there.store.folder / "runs").write_text("a file where a folder should be")
    assert "2 runs added" in open_file(there, session_file)[-1]
    assert [record.stored for record in there.runs] == [False, False]
    assert there.active.embeddings is not None
    there.close()


def test_a_run_that_is_gone_is_told(session: Session, gate: Gate, tmp_path: Path) -> None:
    train(session)
    record = session.runs[0]
    session.store.delete(record.identifier)
    record.embeddings = None
    with pytest.raises(UserError, match="no longer in the store"):
        save_session(tmp_path / "s.workbench", session.store, [record], Contents(), JobControl())
    assert list(tmp_path.glob("s.workbench*")) == []


# -- contents that a session file may change, and private ones that it leaves out

FOREIGN = {
    "cluster.params": {"scheduler": "tcp://evil.example:8786"},
    "cluster.folder": "/private",
    "evaluate.questions": "/private/questions.txt",
    "map.questions": "/private/questions.txt",
    "corpus.options": {"stop_words": "@/private/words"},
    "recent": [["/private"]],
    "a name of tomorrow": "/private",
}


def _session_file(tmp_path: Path, manifest: dict[str, Any], **members: bytes) -> Path:
    path = tmp_path / "made.workbench"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"version": VERSION, **manifest}))
        for name, content in members.items():
            archive.writestr(f"runs/{name}/vectors.npz", content)
    return path


def test_settings_of_a_person_or_a_machine_are_neither_taken_nor_handed_on(
    session: Session, tmp_path: Path
) -> None:
    session.settings.put({**FOREIGN, "map.method": "pca"})
    assert session.files.contents().settings == {"map.method": "pca"}
    path = tmp_path / "mine.workbench"
    save_session(path, session.store, [], Contents(settings=session.settings.all()), JobControl())
    with zipfile.ZipFile(path) as archive:
        text = archive.read("manifest.json").decode()
    assert "evil.example" not in text
    assert "/private" not in text
    assert "map.method" in text
    contents, _ = read_contents(
        _session_file(tmp_path, {"settings": {**FOREIGN, "map.method": "umap"}})
    )
    assert contents.settings == {"map.method": "umap"}


def test_of_a_text_comes_only_how_it_is_opened_and_no_list_in_a_file(tmp_path: Path) -> None:
    corpus = {
        "digest": "ab",
        "sample": "small-world",
        "options": {
            "stop_words": "@/dev/zero",
            "keep_words": " @/dev/zero",
            "lowercase": False,
            "strange": 1,
        },
        "scheduler": "tcp://evil.example:8786",
        "name": ["no name"],
    }
    contents, _ = read_contents(_session_file(tmp_path, {"corpora": [corpus], "open": "ab"}))
    options = {"stop_words": "", "keep_words": "", "lowercase": False}
    assert contents.corpora == ({"digest": "ab", "sample": "small-world", "options": options},)


def test_words_of_a_list_go_along_in_place_of_its_path(tmp_path: Path) -> None:
    words = tmp_path / "stop.txt"
    words.write_text("the\nand\n")
    corpus = {"digest": "ab", "paths": ["/a/text.txt"], "options": {"stop_words": f"@{words}"}}
    path = tmp_path / "mine.workbench"
    save_session(path, Store(tmp_path / "store"), [], Contents(corpora=(corpus,)), JobControl())
    (there,) = read_contents(path)[0].corpora
    assert there == {**corpus, "options": {"stop_words": "the and"}}
    (tmp_path / "stop.txt").write_text("of course,no\n")
    save_session(path, Store(tmp_path / "store"), [], Contents(corpora=(corpus,)), JobControl())
    (there,) = read_contents(path)[0].corpora
    assert there["options"] == {"stop_words": ""}


def test_a_run_that_is_brought_reads_no_list_either(session_file: Path, tmp_path: Path) -> None:
    source = {
        "paths": ["/a"],
        "options": {"stop_words": "@/dev/zero"},
        "scheduler": "tcp://evil.example:8786",
    }
    path = tmp_path / "edited.workbench"
    with zipfile.ZipFile(session_file) as archive, zipfile.ZipFile(path, "w") as other:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith("run.json"):
                values = json.loads(content)
                values["summary"]["source"] = source
                content = json.dumps(values).encode()
            other.writestr(name, content)
    result = open_session(path, Store(tmp_path / "another"), JobControl())
    assert result.problems == ()
    for one in (*result.records, *Store(tmp_path / "another").load()[0]):
        assert one.summary["source"] == {"paths": ["/a"], "options": {"stop_words": ""}}


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("words", [False, True])
def test_arrays_of_a_run_that_unpack_to_far_more_than_the_file_are_not_unpacked(
    session_file: Path, tmp_path: Path, packing: int, words: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sizes in the archive’s table of contents are checked before anything is unpacked."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", packing) as archive:
        with archive.open("words.npy", "w") as file:
            np.lib.format.write_array(file, np.array(["a", "b" * (20_000 if words else 1)]))
        with archive.open("vectors.npy", "w") as file:
            np.lib.format.write_array(file, np.zeros((2, 4 if words else 20_000), np.float32))
    monkeypatch.setattr("workbench.session.files.session_archive._GRANTED", 0)
    monkeypatch.setattr("workbench.session.files.session_archive._EXPANSION", 2)
    monkeypatch.setattr("workbench.session.files.session_archive._MOST_WORDS", 0)
    path = tmp_path / "edited.workbench"
    with (
        zipfile.ZipFile(session_file) as archive,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as other,
    ):
        for name in archive.namelist():
            other.writestr(name, inner.getvalue() if name.endswith(".npz") else archive.read(name))
    monkeypatch.setattr(
        "workbench.vectors.formats.load_vectors",
        lambda *_: pytest.fail("they were looked at all the same"),
    )
    result = open_session(path, Store(tmp_path / "another"), JobControl())
    assert result.records == ()
    assert len(result.problems) == 2
    assert all("more data than the file contains" in str(problem) for problem in result.problems)


def test_a_session_packed_as_no_session_is_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "made.workbench"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("manifest.json", json.dumps({"version": VERSION}))
    with pytest.raises(UserError, match="compression method"):
        read_contents(path)


def test_every_text_of_a_session_goes_along_once_and_the_open_one_first() -> None:
    def record(digest: str, name: str, **summary: object) -> RunRecord:
        return RunRecord(
            f"{digest}{name}", name, "step", {}, name, digest, "2026-01-01", summary=summary
        )

    runs = [
        record("b", "Tales", source={"paths": ["/tales.txt"], "options": {"lowercase": False}}),
        record("a", "old name of the open one", source={"paths": ["/elsewhere.txt"]}),
        record("b", "Tales again", source={"paths": ["/copy.txt"]}),
        record("c", "Of no known place", source="/private"),
        record("", "vectors of a file"),
        record(
            "d",
            "Of a sample",
            source={"sample": "small-world", "digest": "of another", "name": "Other"},
        ),
    ]
    of_runs = [
        {"paths": ["/tales.txt"], "options": {"lowercase": False}, "digest": "b", "name": "Tales"},
        {"digest": "c", "name": "Of no known place"},
        {"sample": "small-world", "digest": "d", "name": "Of a sample"},
    ]
    here = {"paths": ["/open.txt"], "digest": "a", "name": "Open"}
    assert corpora_of(runs, {"paths": ["/open.txt"]}, "a", "Open") == [here, *of_runs]
    elsewhere = {"paths": ["/elsewhere.txt"], "digest": "a", "name": "old name of the open one"}
    assert corpora_of(runs, {}, "", "") == [of_runs[0], elsewhere, *of_runs[1:]]
    assert corpora_of([], {}, "", "") == []


def test_texts_of_runs_without_vectors_do_not_go_along(session: Session, gate: Gate) -> None:
    train(session)
    failed_run = session.training.start(
        TrainingSpec("step", StepParams(min_count=1, failing="user"))
    )
    wait_until(session, lambda: failed_run.state.over)
    assert failed_run.state is State.FAILED
    failed_run.corpus_digest, failed_run.corpus_name = "another", "Another"
    assert [corpus["digest"] for corpus in session.files.contents().corpora] == ["feed"]
