"""A process that crashes inside a library leaves its stacks, which the next start reports once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core import crashes
from workbench.core.paths import log_folder
from workbench.core.processes.child_process import child_environment

_CRASH = """
import faulthandler, os, signal, sys
from workbench.core import crashes
with crashes.record_crashes():
    if sys.argv[1] == "crash":
        faulthandler._sigsegv()
    if sys.argv[1] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
"""


def run(how: str) -> int:
    words = [sys.executable, "-c", _CRASH, how]
    return subprocess.run(
        words, env=child_environment(), stderr=subprocess.DEVNULL, timeout=300
    ).returncode


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_crash_is_reported_once_and_its_report_is_kept(home: Path) -> None:
    assert run("crash") < 0
    (report,) = crashes.new_reports()
    text = crashes.read_report(report)
    assert crashes.crash_reason(text) == "Segmentation fault"
    assert 'File "<string>", line 6' in text
    assert crashes.new_reports() == []
    assert report.is_file()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_normal_end_and_a_killed_process_are_not_reported(
    home: Path,
) -> None:
    assert run("well") == 0
    assert list(log_folder().iterdir()) == []
    assert run("kill") < 0
    assert crashes.new_reports() == []
    assert list(log_folder().glob("*.txt")) == []


def test_a_live_process_is_left_alone(home: Path) -> None:
    with crashes.record_crashes():
        (log_folder() / f"crash-{os.getpid()}.txt").write_text("Fatal Python error: Aborted\n")
        assert crashes.new_reports() == []


def test_only_the_latest_reports_are_kept(home: Path) -> None:
    for number in range(crashes.KEPT + 3):
        path = log_folder() / f"crash-{900_000 + number}.txt"
        path.write_text("Fatal Python error: Aborted\n")
        os.utime(path, (number * 1e6, number * 1e6))
    assert len(crashes.new_reports()) == crashes.KEPT + 3
    assert len(list(log_folder().glob("reported-*.txt"))) == crashes.KEPT
