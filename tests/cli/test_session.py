"""Session files and sharing of runs on the command line."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from workbench.__main__ import main
from workbench.session.runs.store import Store
from workbench.session.settings.settings_file import Settings

Capture = pytest.CaptureFixture[str]
GRID = ["grid", "text.txt", "--algorithm", "step", "--min-count", "1", "--dim", "2,3"]


@pytest.fixture
def runs(gate: object, text: Path) -> None:
    """Train the runs “Step dim 2” and “Step dim 3”."""
    assert main(GRID) == 0


@pytest.mark.usefixtures("runs")
def test_named_runs_are_saved_and_opened(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["session", "save", "one", "--run", "Step dim 3"]) == 0
    assert main(["session", "save", "all"]) == 0
    assert "Unknown run “Step dim 4”" in _refusal(
        capsys, "session", "save", "none", "--run", "Step dim 4"
    )
    Settings().put({"corpus": {"digest": "ab", "name": "Elsewhere", "paths": ["/nobody/text.txt"]}})
    assert main(["session", "save", "open"]) == 0
    for name, dims in (("one", [3]), ("all", [2, 3]), ("open", [2, 3])):
        monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / name))
        capsys.readouterr()
        assert main(["session", "open", f"{name}.workbench"]) == 0
        runs = "run" if len(dims) == 1 else "runs"
        assert f"{len(dims)} {runs} added, 0 already there." in capsys.readouterr().out
        assert sorted(record.parameters["dim"] for record in Store().load()[0]) == dims
        assert main(["session", "open", f"{name}.workbench"]) == 0
        assert f"0 runs added, {len(dims)} already there." in capsys.readouterr().out
    # A window started next opens the same corpus.
    settings = Settings().all()["corpus"]
    assert isinstance(settings, dict)
    assert settings["paths"] == ["/nobody/text.txt"]


@pytest.mark.usefixtures("runs")
def test_only_requested_parts_of_a_run_are_shared(capsys: Capture) -> None:
    name = "Step dim 2"
    assert main(["share", name, "--to", "some", "--only", "report", "--words", "cat"]) == 0
    assert [path.name for path in Path("some").iterdir()] == ["report.html"]
    assert main(["share", name, "--to", "every"]) == 0
    assert len(list(Path("every").iterdir())) > 1
    # Neighbours of one word, and of several.
    few, many = (
        Path(folder, "report.html").read_text(encoding="utf-8") for folder in ("some", "every")
    )
    assert 1 == few.count("<ol") < many.count("<ol")


def _refusal(capsys: Capture, *words: str) -> str:
    capsys.readouterr()
    assert main(list(words)) == 2
    return capsys.readouterr().err


@pytest.mark.usefixtures("runs")
def test_errors_without_readable_runs_mention_no_other_runs(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["session", "save", "whole"]) == 0
    with (
        zipfile.ZipFile("whole.workbench") as whole,
        zipfile.ZipFile("damaged.workbench", "w") as copy,
    ):
        for name in whole.namelist():
            copy.writestr(name, b"no vectors" if name.endswith(".npz") else whole.read(name))
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "elsewhere"))
    message = _refusal(capsys, "session", "open", "damaged.workbench")
    assert "damaged.workbench is damaged: the vectors of" in message
    assert "other runs" not in message
    # The same if all runs are in the store already.
    with (
        zipfile.ZipFile("whole.workbench") as whole,
        zipfile.ZipFile("half.workbench", "w") as copy,
    ):
        spoiled = next(name for name in whole.namelist() if name.endswith(".npz"))
        for name in whole.namelist():
            copy.writestr(name, b"no vectors" if name == spoiled else whole.read(name))
    kept = "The other runs are in the store."
    assert kept in _refusal(capsys, "session", "open", "half.workbench")
    again = _refusal(capsys, "session", "open", "half.workbench")
    assert "half.workbench is damaged" in again
    assert kept not in again
