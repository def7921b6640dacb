"""``workbench lesson``: listing, checking, playing and reporting lessons."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.fakes import Gate

from workbench.cli import main

LESSON = """# Mine
level: beginner
minutes: 1
about: A test.

## Step

There are {tokens} words.

```do
open town.txt
```

```claims
tokens = tokens() > 5
```
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    (tmp_path / "town.txt").write_text("the cat saw the dog\n" * 4, "utf-8")
    path = tmp_path / "mine.md"
    path.write_text(LESSON, "utf-8")
    return path


def test_all_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson"]) == 0
    assert "What a window does" in capsys.readouterr().out


def test_a_lesson_is_played_and_reported(lesson: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = lesson.parent / "story.html"
    assert main(["lesson", str(lesson), "--story", str(page)]) == 0
    out = capsys.readouterr().out
    assert "There are 20 words." in out
    assert "✓" in out
    assert "<b>20</b>" in page.read_text("utf-8")


def test_a_claim_that_does_not_hold_is_an_error(
    lesson: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson.write_text(LESSON.replace("> 5", "> 500"), "utf-8")
    assert main(["lesson", str(lesson)]) == 2
    assert "mine.md, line 15: tokens = tokens() > 500 (measured 20)" in capsys.readouterr().err


def test_a_word_that_a_panel_does_not_know_is_an_error(
    lesson: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson.write_text(
        LESSON.replace("open town.txt", "open town.txt\nset matrix.words cat bread"), "utf-8"
    )
    assert main(["lesson", str(lesson)]) == 2
    assert (
        "Unknown words: mine.md, line 12: “bread” isn’t in the text “town”."
        in capsys.readouterr().err
    )


def test_another_seed_replaces_the_seeds_of_trainings(
    lesson: Path, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    trainings = "train one: step seed=5 steps=3 min_count=1\ntrain other: step steps=4 min_count=1"
    lesson.write_text(LESSON.replace("open town.txt", f"open town.txt\n{trainings}"), "utf-8")
    for arguments, seeds in (([], [5, 1]), (["--seed", "77"], [77, 1]), (["--seed", "0"], [0, 1])):
        gate.fits.clear()
        assert main(["lesson", str(lesson), *arguments]) == 0, capsys.readouterr().err
        assert gate.fits == seeds


def test_runs_that_differ_in_the_seed_still_do_with_another_seed(
    lesson: Path, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    trainings = "".join(f"\ntrain seed-{n}: step seed={n} steps=3 min_count=1" for n in (3, 4))
    lesson.write_text(LESSON.replace("open town.txt", f"open town.txt{trainings}"), "utf-8")
    gate.fits.clear()
    assert main(["lesson", str(lesson), "--seed", "8"]) == 0, capsys.readouterr().err
    assert gate.fits == [8, 9]


def test_a_file_is_checked_without_training(
    lesson: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lesson", "--check", str(lesson)]) == 0
    assert "1 step, 1 claim" in capsys.readouterr().out
    lesson.write_text(LESSON.replace("open town.txt", "open the door"), "utf-8")
    assert main(["lesson", "--check", str(lesson)]) == 2
    assert "mine.md, line 11:" in capsys.readouterr().err


def test_the_vocabulary_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "--measures", "--directives"]) == 0
    out = capsys.readouterr().out
    assert "cosine(run, a, b)" in out
    assert "open CORPUS" in out
