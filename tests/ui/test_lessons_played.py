"""Every built-in lesson in the whole window, played by ``window/lessons.py``: its controls and
panels exist, and its claims are true.

The test trains and measures in English. Other languages have the same directives and claims
(``session/test_lessons.py``): there, the window reuses the runs, and the test plays the steps that
set a control.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.language import languages
from workbench.session.lessons import bundled_lessons

SCRIPT = Path(__file__).parents[1] / "window" / "lessons.py"
WRONG = """# Wrong in three ways
level: beginner
minutes: 1
about: A lesson for a test.

## A word that is not there

Look.

```do
open town.txt
train few: svd dim=3 min_count=1 threads=1
set matrix.source typed
set matrix.words cat dragon
show matrix
```

## An empty panel

Look.

```do
set neighbours.word dragon
show neighbours
```

## A claim

Look.

```do
select cat
```

```claims
count(cat) > 1000
```
"""


def play(home: Path, language: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "WORKBENCH_HOME": str(home),
        "WORKBENCH_LANGUAGE": language,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, str(SCRIPT), *arguments]
    process = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=1700
    )
    # An error in a slot is only printed; the window keeps running.
    assert "Traceback" not in process.stderr, process.stderr
    return process


# The duration of trainings depends on the machine; the limit only guards against hanging.
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_window_shows_what_each_step_says_and_claims_are_true(home: Path) -> None:
    report = "".join(
        f"{lesson.key}: {len(lesson.steps)} steps, as told\n" for lesson in bundled_lessons()
    )
    for language in ("en", *sorted(languages())):
        process = play(home, language, *([] if language == "en" else ["--unmeasured"]))
        assert process.returncode == 0, process.stdout + process.stderr
        assert process.stdout == report


def test_what_a_window_does_not_show_is_told_with_its_line(home: Path, tmp_path: Path) -> None:
    text = "the cat saw the dog\nthe dog saw the cat\na cat and a dog sat there\n"
    (tmp_path / "town.txt").write_text(6 * text, "utf-8")
    path = tmp_path / "wrong.md"
    path.write_text(WRONG, "utf-8")
    process = play(home, "en", str(path))
    assert process.returncode == 1, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert lines[0] == "wrong: 3 steps, NOT as told"
    for line, what in ((6, "dragon"), (18, "dragon"), (27, "✗")):
        assert any(
            each.startswith(f"  wrong.md, line {line}:") and what in each for each in lines
        ), process.stdout
