"""A short lesson by clicks in the whole window; ``lessons.py`` does so with all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_window_shows_what_each_step_says(home: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("lessons.py")), "one-hot"]
    environment = {**os.environ, "WORKBENCH_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "one-hot: 6 steps, as told\n"
