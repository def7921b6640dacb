"""The start of a program is measured from outside, by its windows and files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from desktop import Desktop
from surroundings import python_path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
# Program that shows a window, names a corpus in its title, and writes a run and a map when the key
# of Train is pressed.
PROGRAM = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget
home = Path(os.environ["WORKBENCH_HOME"])
def train():
    for file in ("store/runs/a/run.json", "cache/layouts/b.npy"):
        (home / file).parent.mkdir(parents=True)
        (home / file).touch()
application = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Embedding Workbench")
QShortcut(QKeySequence("Ctrl+Return"), window, train)
QTimer.singleShot(0, lambda: window.setWindowTitle(f"{sys.argv[1]} — Embedding Workbench"))
window.show()
application.exec()
"""
MEASURE = """
import json, sys
from pathlib import Path
import start
cold = start.start_program(Path(sys.argv[1]), "tales", Path(sys.argv[2]))
print(json.dumps([cold, start.markdown({"cold": [cold], "warm": []})]))
"""


def test_marks_follow_each_other(desktop: Desktop, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    environment = {
        **desktop.environment,
        "PYTHONPATH": python_path(BENCHMARKS),
    }
    process = subprocess.run(
        [sys.executable, "-c", MEASURE, str(program), str(tmp_path / "home")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    marks, text = json.loads(process.stdout)
    assert list(marks) == ["painted", "opened", "trained", "mapped"]
    assert sorted(marks.values()) == list(marks.values())
    rows = [line.split(" | ")[0] for line in text.splitlines()[2:]]
    assert rows == [
        "| the window is painted",
        "| the corpus is open",
        "| the run is trained",
        "| the map is laid out and named",
    ]
