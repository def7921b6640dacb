"""In German, whose words are long, no panel at its minimum width cuts off a button or scrolls
sideways.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from surroundings import python_path

ROOT = Path(__file__).resolve().parents[2]


def test_nothing_is_cut_off_in_the_narrowest_panels(home: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("least_widths.py"))],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
        env={
            **os.environ,
            "WORKBENCH_LANGUAGE": "de",
            "PYTHONPATH": python_path(ROOT / "tests"),
        },
    )
    cut = json.loads(process.stdout.splitlines()[-1])
    # The star is as wide as its column, and a symbol rather than a text.
    assert [one for one in cut if one[2] != "★"] == []
