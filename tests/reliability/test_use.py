"""The long-use test: a short run of it, and checks that its user really uses visible widgets."""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

_HERE = Path(__file__).resolve().parent


def test_a_person_uses_the_window(tmp_path: Path) -> None:
    report = tmp_path / "told.json"
    # A user who waits for tasks, so that actions depend on the seed and not on how busy the machine
    # is.
    options = ["--patient", "--seed", "1", "--actions", "12", "--every", "6", "--json", str(report)]
    # The user's own folder, which stays as it is.
    users = tmp_path / "users"
    users.mkdir()
    environment = {**os.environ, "WORKBENCH_HOME": str(users)}
    command = [sys.executable, str(_HERE / "use.py"), *options]
    process = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=280)
    assert process.returncode == 0, f"{process.stdout}\n{process.stderr}"
    report_json = json.loads(report.read_text())
    assert [note["actions"] for note in report_json["notes"]] == [0, 6, 12]
    assert sum(report_json["done"].values()) == 12
    assert report_json["errors"] == {}
    # Every panel is built before the first record, so that later ones only show what grows.
    first, *_, last = report_json["notes"]
    assert last["widgets"] < 1.2 * first["widgets"]
    assert 0 < first["anonymous"] < first["rss"] or sys.platform != "linux"
    assert len(first["commands"]) == first["children"]
    assert list(users.iterdir()) == []


def test_a_crash_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(_HERE))
    use = importlib.import_module("use")
    # A process that ends as if by a crash, in place of the window.
    crash = "import os, pathlib, signal; home = pathlib.Path(os.environ['WORKBENCH_HOME']);"
    crash += (
        "home.joinpath('crash-1.txt').write_text('in paintEvent'); os.kill(os.getpid(), "
        "signal.SIGSEGV)"
    )
    monkeypatch.setattr(sys, "argv", ["-c", crash])
    monkeypatch.setattr(
        use.argparse.ArgumentParser, "parse_args", lambda self: use.argparse.Namespace(actions=1)
    )
    monkeypatch.delenv("WORKBENCH_HOME", raising=False)
    assert use.main() == 1
    out = capsys.readouterr().out
    assert "in paintEvent" in out
    assert "SIGSEGV" in out


def test_hands_press_and_type_what_they_see(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(_HERE))
    hands = importlib.import_module("hands")
    page = QWidget()
    qtbot.addWidget(page)
    button, field, hidden_button, nameless = (
        QPushButton("Count"),
        QLineEdit(),
        QPushButton("Hidden"),
        QPushButton("No name"),
    )
    rows = QVBoxLayout(page)
    presses: list[str] = []
    entries: list[str] = []
    for widget, name in (
        (button, "a.count"),
        (field, "a.word"),
        (hidden_button, "a.hidden"),
        (nameless, ""),
    ):
        widget.setObjectName(name)
        rows.addWidget(widget)
    hidden_button.hide()
    for one in (button, hidden_button, nameless):
        one.clicked.connect(lambda _=False, one=one: presses.append(one.objectName()))
    field.textEdited.connect(entries.append)
    page.show()
    qtbot.waitExposed(page)
    person = hands.Hands(random.Random(1), lambda: ["queen"], lambda dialog: None)
    actions = {person.use(page) for _ in range(30)}
    assert actions == {"button a.count", "field a.word"}
    assert set(presses) == {"a.count"}
    assert "queen" in entries


def test_the_place_of_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(_HERE))
    watching = importlib.import_module("watching")
    there, over = threading.Event(), threading.Event()

    def inner() -> None:
        there.set()
        over.wait(10)

    thread = threading.Thread(target=inner)
    thread.start()
    there.wait(10)
    places = watching.place(thread.ident)
    here = watching.place(threading.get_ident())
    over.set()
    thread.join()
    assert any(one.startswith("test_use.py:") and one.endswith(" inner") for one in places)
    assert here[-1].startswith("watching.py:")
    assert len(here) == 6
