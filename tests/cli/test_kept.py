"""Output and exit codes of commands when nothing can be saved: they don’t report success for data
that are lost when the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from session.runs.test_store import embeddings, record

from workbench.__main__ import main
from workbench.cli import VERBS
from workbench.core import folders, paths
from workbench.core.job_control import JobControl
from workbench.session.files.session_file import Contents, save_session
from workbench.session.runs.store import Store

Capture = pytest.CaptureFixture[str]


STEP = ["--algorithm", "step", "--min-count", "1"]
# By command: arguments, exit code, and whether a message says that something isn’t saved. The code
# is 2 if the result wouldn’t be saved anywhere else.
CASES: dict[str, list[tuple[list[str], int, bool]]] = {
    "train": [(["train", "text.txt", *STEP, "--output", "made.npz"], 0, True)],
    "grid": [
        (["grid", "text.txt", *STEP, "--dim", "2,3"], 2, True),
        (["grid", "text.txt", *STEP, "--dim", "2,3", "--json"], 2, True),
        (["grid", "text.txt", *STEP, "--dim", "2,3", "--output", "made"], 0, True),
    ],
    "runs": [
        (["runs"], 0, True),
        (["runs", "star", "x"], 2, True),
        (["runs", "undelete", "x"], 2, True),
    ],
    "session": [
        (["session", "open", "s.workbench"], 2, True),
        (["session", "show", "s.workbench"], 0, False),
        (["session", "save", "made.workbench"], 0, True),
    ],
    "interrupted": [(["interrupted"], 0, True), (["interrupted", "discard"], 2, True)],
    "corpora": [(["corpora"], 0, False), (["corpora", "get", "text8"], 2, True)],
    "class": [(["class", "answers"], 2, False)],
    "share": [(["share", "nobody's", "--to", "made"], 2, True)],
    "text": [(["text", "text.txt", "--output", "made.txt"], 0, False)],
    "groups": [(["groups", "text.txt", "--words", "cat"], 2, False)],
    "collocations": [(["collocations", "text.txt", "--word", "cat"], 0, False)],
    "documents": [(["documents", "v.vec", "--text", "text.txt", "--find", "cat"], 2, False)],
    "lines": [(["lines", "text.txt", "--find", "the *", "--output", "made.csv"], 0, False)],
    "counts": [(["counts", "text.txt", "--min-count", "1", "--output", "made.npz"], 0, False)],
    "convert": [(["convert", "v.vec", "made.npz"], 0, False)],
    "neighbours": [(["neighbours", "v.vec", "man"], 0, False)],
    "analogy": [(["analogy", "v.vec", "man", "king", "woman"], 0, False)],
    "evaluate": [(["evaluate", "v.vec", "--similarity", "pairs.txt"], 0, False)],
    "relation": [
        (["relation", "text.txt", "--pairs", "cat dog, saw the", "--min-count", "1"], 0, False)
    ],
    "teach": [(["teach", "v.vec", "--lines", "text.txt", "--word", "cat"], 2, False)],
    "influence": [(["influence", "v.vec", "text.txt", "man", "king"], 2, False)],
    "shape": [(["shape", "v.vec", "--words", "made.csv"], 0, False)],
    "project": [(["project", "v.vec", "--method", "pca", "--output", "made.svg"], 0, False)],
    "picture": [(["picture", "face", "--pairs", "1000", "--output", "made.txt"], 0, False)],
    "list": [(["list"], 0, False)],
    "lesson": [(["lesson", "--directives"], 0, False)],
    "install-desktop": [(["install-desktop", "--prefix", "made"], 0, False)],
}
# These write a report, or write to --out; only caches of their inputs are saved.
ELSEWHERE = {"cost", "count-cluster", "picture-figure", "self-check"}


def _session_file(folder: Path) -> None:
    """Save a session file with a run that is not in the store."""
    store = Store(folder.parent / "another")
    one = record()
    store.save(one, embeddings())
    save_session(
        folder / "s.workbench", store, [one], Contents(settings={"map.method": "pca"}), JobControl()
    )


@pytest.fixture
def inputs(folder: Path, text: Path, vectors: Path) -> None:
    (folder / "pairs.txt").write_text("man\tking\t5\nwoman\tqueen\t4\nfrog\tking\t1\n")
    _session_file(folder)


@pytest.fixture
def read_only(inputs: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that can’t be created, because its parent is a file: permissions won’t stop root."""
    (folder.parent / "a file").write_text("")
    monkeypatch.setenv("WORKBENCH_HOME", str(folder.parent / "a file" / "home"))
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(folder.parent / "instead"))
    monkeypatch.setattr(folders, "problems", {})


def test_every_command_is_tested() -> None:
    assert set(CASES) | ELSEWHERE == set(VERBS)


@pytest.mark.usefixtures("gate", "read_only")
@pytest.mark.parametrize(
    "case", [case for cases in CASES.values() for case in cases], ids=lambda case: " ".join(case[0])
)
def test_commands_report_results_that_could_not_be_saved(
    case: tuple[list[str], int, bool], capsys: Capture
) -> None:
    arguments, code, is_reported = case
    assert main(arguments) == code
    out, err = capsys.readouterr()
    problem = "can’t be saved" in err or "Couldn’t save" in err
    assert problem is is_reported, err
    if is_reported:
        assert err.count("Set WORKBENCH_HOME") == 1
        assert "in the store" not in out
    if code == 0 and any("made" in word for word in arguments):
        assert Path(next(word for word in arguments if "made" in word)).exists()


@pytest.fixture
def full(inputs: None, home: Path) -> None:
    """A store that can’t save runs, like a read-only one or one on a full disk: its folder is a
    file.
    """
    (home / "store").mkdir(parents=True)
    (home / "store" / "runs").write_text("")


@pytest.mark.usefixtures("gate", "full")
def test_unsaved_runs_are_reported_as_a_failure(capsys: Capture) -> None:
    assert main(["grid", "text.txt", *STEP, "--dim", "2,3"]) == 2
    out, err = capsys.readouterr()
    assert "Couldn’t write" in err
    assert err.count("\n") == 1
    assert "The runs are in the store" not in out


@pytest.mark.usefixtures("gate", "full")
def test_vectors_in_an_output_folder_count_as_saved(capsys: Capture) -> None:
    assert main(["grid", "text.txt", *STEP, "--dim", "2,3", "--output", "made"]) == 0
    out, err = capsys.readouterr()
    assert "Couldn’t write" in err
    assert out.count("not saved as a run") == 2
    assert len(list(Path("made").iterdir())) == 2


@pytest.mark.usefixtures("gate", "full")
def test_a_session_with_unsaved_runs_fails(capsys: Capture) -> None:
    assert main(["session", "open", "s.workbench"]) == 2
    assert "Couldn’t save everything from the file" in capsys.readouterr().err


@pytest.mark.usefixtures("inputs")
def test_a_session_with_unsaved_settings_fails(home: Path, capsys: Capture) -> None:
    (home / "settings" / "settings.json").mkdir(parents=True)
    assert main(["session", "open", "s.workbench"]) == 2
    assert "settings.json" in capsys.readouterr().err


@pytest.mark.usefixtures("inputs")
def test_unwritable_caches_are_no_failure(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Caches can be made again, so everything else is saved and there is no warning."""
    home = folder.parent / "a home of its own"
    home.mkdir()
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    monkeypatch.setenv("WORKBENCH_INSTEAD", str(folder.parent / "instead"))
    (home / "cache").write_text("")
    monkeypatch.setattr(folders, "problems", {})
    assert main(["session", "open", "s.workbench"]) == 0
    assert main(["text", "text.txt", "--output", "made.txt"]) == 0
    assert capsys.readouterr().err == ""
    assert paths.storage_problem() is None


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("home", "part"),
    [
        ("~nobody_of_that_name/x", "home folder of an unknown user"),
        ("/dev/null/x", "can’t be saved"),
        ("loop", "can’t be saved"),
        ("n" * 300, "can’t be saved"),
        ("file", "can’t be saved"),
        (" ", ""),
        ("relative", ""),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_home_that_makes_no_sense_is_one_sentence(home: str, part: str, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "file").write_text("")
    environment = {
        **os.environ,
        "WORKBENCH_HOME": home,
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    process = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "runs", "star", "x"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1, process.stderr
    assert (part or "Unknown run") in process.stderr
    assert not (folder / "~nobody_of_that_name").exists()


@pytest.mark.parametrize(
    "command", [["text", "~nobody_of_that_name/x.txt"], ["count-cluster", "~nobody_at_all/x"]]
)
def test_unknown_users_are_one_sentence(command: list[str], capsys: Capture) -> None:
    option = "--output" if command[0] == "text" else "--out"
    assert main([*command, option, "made"]) == 2
    assert "~nobody" in capsys.readouterr().err
