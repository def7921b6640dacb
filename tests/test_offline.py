"""No process uses the network: the workbench runs here with sockets that raise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.processes.child_process import child_environment
from workbench.launch import diagnose_libraries, qt_folder

# Python runs this in every process that it starts, children of the workbench included.
_SITE = '''
import os, own_folders, socket, traceback

own_folders.set_up()

def refuse(name):
    def called(*arguments, **keywords):
        with open(os.environ["OFFLINE_LOG"], "a") as file:
            file.write(f"{name} {arguments[1:]}\\n" + "".join(traceback.format_stack(limit=12)))
        raise OSError(f"offline: {name}")
    return called

class Offline(socket.socket):
    """Local sockets only."""
    def __init__(self, family=-1, *rest, **keywords):
        if family != getattr(socket, "AF_UNIX", None) and keywords.get("fileno") is None:
            refuse("socket")(self, family)
        super().__init__(family, *rest, **keywords)

socket.socket = Offline
socket.create_connection = refuse("create_connection")
socket.getaddrinfo = refuse("getaddrinfo")
socket.gethostbyname = refuse("gethostbyname")
'''


@pytest.fixture
def offline(tmp_path: Path, home: Path) -> dict[str, str]:
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(_SITE)
    environment = child_environment()
    environment["PYTHONPATH"] = os.pathsep.join([str(site), environment["PYTHONPATH"]])
    return {**environment, "OFFLINE_LOG": str(tmp_path / "asked"), "QT_QPA_PLATFORM": "offscreen"}


def run(environment: dict[str, str], folder: Path, *words: str) -> None:
    command = [sys.executable, *words]
    process = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=900
    )
    log = Path(environment["OFFLINE_LOG"])
    assert not log.exists(), log.read_text()
    assert process.returncode == 0, process.stderr


def test_the_guard_itself_notices(offline: dict[str, str], tmp_path: Path) -> None:
    for attempt in ("socket.socket(socket.AF_INET)", "socket.create_connection(('127.0.0.1', 9))"):
        with pytest.raises(AssertionError, match="socket|create_connection"):
            run(offline, tmp_path, "-c", f"import socket; {attempt}")
        Path(offline["OFFLINE_LOG"]).unlink()


def test_training_and_umap_use_no_network(offline: dict[str, str], tmp_path: Path) -> None:
    workbench = ("-m", "workbench")
    text = tmp_path / "text.txt"
    text.write_text("the cat saw the dog and the bird saw the king\n" * 400)
    few = ("--min-count", "1", "--dim", "8", "--epochs", "2")
    run(
        offline,
        tmp_path,
        *workbench,
        "train",
        "text.txt",
        "--algorithm",
        "sgns",
        *few,
        "--output",
        "v.npz",
    )
    run(
        offline, tmp_path, *workbench, "project", "v.npz", "--method", "umap", "--output", "map.csv"
    )
    assert (tmp_path / "map.csv").is_file()


def test_the_window_uses_no_network(offline: dict[str, str], tmp_path: Path) -> None:
    qt = qt_folder()
    if qt is None or diagnose_libraries(qt, None) or diagnose_libraries(qt, "offscreen"):
        pytest.skip("Qt cannot start")
    picture = tmp_path / "window.png"
    run(
        offline,
        tmp_path,
        "-m",
        "workbench",
        "--screenshot",
        str(picture),
        "--train",
        "sgns",
        "--panel",
        "map",
    )
    assert picture.is_file()
