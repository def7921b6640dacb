"""Tests see folders, variables and settings of their own, and a guard keeps them to these."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import own_folders
import pytest
import surroundings

from workbench.core.processes.child_process import child_environment

ROOT = Path(__file__).resolve().parents[1]


def machine_folder() -> Path:
    """A folder of the machine that is none of the tests’ own."""
    return Path(os.environ[own_folders.FORBIDDEN].split(os.pathsep)[0])


def test_home_and_temporary_files_are_in_folders_of_the_test_run() -> None:
    own = Path(os.environ[own_folders.LOG]).parent
    for place in (Path.home(), tempfile.gettempdir(), os.environ["WORKBENCH_HOME"]):
        assert Path(place).is_relative_to(own), place
    assert time.strftime("%z") == "+0545"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PATH", True),
        ("LD_LIBRARY_PATH", True),
        ("SystemRoot", True),
        ("QT_SCALE_FACTOR", False),
        ("PYTHONWARNINGS", False),
        ("NUMBA_DISABLE_JIT", False),
        ("WORKBENCH_LANGUAGE", False),
        ("OSTYPE", False),
        ("XDG_CONFIG_HOME", False),
        ("http_proxy", False),
    ],
)
def test_variables_of_the_machine_are_kept_only_if_python_needs_them(name: str, kept: bool) -> None:
    assert surroundings.is_kept(name) is kept


ATTEMPTS: dict[str, Callable[[Path, Path], object]] = {
    "write": lambda path, own: path.open("w"),
    "create": lambda path, own: os.open(path, os.O_RDWR | os.O_CREAT),
    "make a folder": lambda path, own: path.mkdir(),
    "move there": lambda path, own: own.rename(path),
    "make a link": lambda path, own: path.symlink_to(own),
    "remove": lambda path, own: path.unlink(),
    "set the time": lambda path, own: os.utime(path),
    "list": lambda path, own: os.listdir(path.parent),
    "read": lambda path, own: path.open(),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_the_guard_forbids_other_folders(attempt: str, tmp_path: Path) -> None:
    path = machine_folder() / "of-the-machine"
    (tmp_path / "own").touch()
    with pytest.raises(PermissionError, match="Outside the folders of the tests"):
        ATTEMPTS[attempt](path, tmp_path / "own")
    assert str(path.parent) in surroundings.pop_log()
    assert not path.exists()


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(machine_folder())
    with pytest.raises(PermissionError, match="Outside the folders of the tests"):
        (tmp_path / "link" / "of-the-machine").touch()
    # The link itself belongs to the test.
    (tmp_path / "link").unlink()
    assert "of-the-machine" in surroundings.pop_log()


def test_child_processes_are_guarded_and_an_error_they_ignore_is_recorded() -> None:
    path = machine_folder() / "of-the-machine"
    code = f"try: open({str(path)!r}, 'w')\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=child_environment(), check=True)
    assert str(path) in surroundings.pop_log()
    assert not path.exists()
