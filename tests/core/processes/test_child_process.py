from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.core.operating_system import Linux, MacOs, OperatingSystem
from workbench.core.processes import child_process
from workbench.core.processes.child_process import (
    child_environment,
    module_command,
    restore_environment,
    run_module,
)

ROOT = Path(child_process.__file__).parents[3]


@pytest.fixture
def bundled_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)


def test_children_import_this_workbench_before_other_folders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/one", "/two"]))
    assert child_environment()["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "/one", "/two"]
    monkeypatch.delenv("PYTHONPATH")
    # An empty entry would stand for the child’s working directory.
    assert child_environment()["PYTHONPATH"] == str(ROOT)


def test_a_module_of_the_folder_where_a_child_starts_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    command = module_command("workbench", "--version")
    process = subprocess.run(
        command, cwd=tmp_path, env=child_environment(), capture_output=True, text=True
    )
    assert (process.returncode, process.stderr) == (0, "")


def test_a_bundled_program_runs_its_own_modules(
    bundled_program: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "workbench.core.processes.child_process"
    command = module_command(module, "one", "two")
    assert command == [sys.executable, "--run-module", module, "one", "two"]
    # runpy replaces the module of that name while it runs.
    monkeypatch.setattr(sys, "argv", command)
    with pytest.warns(RuntimeWarning, match="found in sys.modules"):
        assert run_module(command[1:])
    assert sys.argv == [module, "one", "two"]


def test_programs_started_by_a_bundled_program_load_the_libraries_of_the_system(
    bundled_program: None,
    run_as: Callable[[OperatingSystem], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variables = {
        "LD_LIBRARY_PATH": "/bundle/_internal",
        "LD_LIBRARY_PATH_ORIG": "/opt/lib",
        "QT_PLUGIN_PATH": "/bundle/plugins",
        "QML2_IMPORT_PATH": "/bundle/qml",
        "_PYI_PARENT_PROCESS_LEVEL": "1",
        "QT_SCALE_FACTOR": "2",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    run_as(MacOs())
    restore_environment()
    assert os.environ["QT_PLUGIN_PATH"] == "/bundle/plugins"
    run_as(Linux())
    restore_environment()
    left = {name: os.environ[name] for name in variables if name in os.environ}
    assert left == {"LD_LIBRARY_PATH": "/opt/lib", "QT_SCALE_FACTOR": "2"}


def test_an_installed_program_keeps_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    restore_environment()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/lib"


@pytest.mark.parametrize("words", [["--run-module"], ["--run-module", "http.server"]])
def test_a_bundled_program_runs_no_other_modules(bundled_program: None, words: list[str]) -> None:
    with pytest.raises(SystemExit, match="modules of workbench only"):
        run_module(words)


def test_an_installed_program_has_no_such_argument() -> None:
    assert not run_module(["--run-module", "workbench.core.processes.child_process"])
    assert not run_module([])
