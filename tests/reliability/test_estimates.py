"""The comparison of estimated memory with memory used, on a small text."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

_HERE = Path(__file__).resolve().parent


@pytest.fixture
def estimates(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(_HERE))
    return importlib.import_module("estimates")


@pytest.mark.parametrize(
    ("estimate", "peak", "short"),
    [(100, 119, False), (100, 125, True), (1, 16, False), (1, 18, True), (500, 100, False)],
)
def test_estimates_that_are_too_small_are_recognised(
    estimates: ModuleType, estimate: int, peak: int, short: bool
) -> None:
    figures = {"announced": estimate * 10**6, "measured": peak * 10**6}
    assert estimates.short(figures) is short


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up as Linux tells it")
def test_a_training_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    text, report = tmp_path / "text.txt", tmp_path / "told.json"
    text.write_text("the king sees the queen and the queen sees the king\n" * 400)
    command = [
        sys.executable,
        str(_HERE / "estimates.py"),
        str(text),
        "--algorithms",
        "ppmi",
        "--json",
        str(report),
    ]
    process = subprocess.run(command, capture_output=True, text=True, timeout=280)
    (figures,) = json.loads(report.read_text())
    assert (figures["algorithm"], figures["vocabulary"], figures["stopped"]) == ("ppmi", 5, False)
    assert figures["announced"] > 0
    assert 0 <= figures["measured"] < 400_000_000
    assert "| ppmi | text | 5 |" in process.stdout
