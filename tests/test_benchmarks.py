"""Benchmarks start, and the document is written from their figures and notes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FOLDER = ROOT / "tests" / "benchmarks"
_SCRIPT = """
import importlib, sys
sys.path.insert(0, {folder!r})
import run
for one in run.BENCHMARKS:
    assert callable(importlib.import_module(one.script).markdown), one.script
run._DOCUMENT = run.Path({target!r})
sys.argv = ["run.py", "--write"]
run.main()
"""


def test_the_document_matches_the_figures(tmp_path: Path) -> None:
    target = tmp_path / "BENCHMARKS.md"
    script = _SCRIPT.format(folder=str(_FOLDER), target=str(target))
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    document = (ROOT / "docs" / "BENCHMARKS.md").read_text(encoding="utf-8")
    assert target.read_text(encoding="utf-8") == document
