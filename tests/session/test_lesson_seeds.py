"""Claims of lessons hold with another seed than the reader’s: they are about methods, not about one
draw of random numbers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.session.lessons import bundled_lessons
from workbench.session.lessons.actions import Train
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.runner import Bench

pytestmark = pytest.mark.slow

SEED = 2
# One lesson’s text depends on the computer, the other waits for a process that compiles.
LEFT_OUT = {"real-text", "umap"}


def with_a_seed(lesson: Lesson) -> bool:
    """Whether a training of the lesson sets its seed."""
    return any(
        isinstance(action, Train) and "seed" in action.values
        for step in lesson.steps
        for action in step.actions
    )


LESSONS = [
    lesson for lesson in bundled_lessons() if with_a_seed(lesson) and lesson.key not in LEFT_OUT
]


@pytest.fixture(scope="module")
def bench() -> Bench:
    # Lessons share trainings.
    return Bench()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_claims_hold_with_another_seed(lesson: Lesson, bench: Bench, home: Path) -> None:
    false = [
        (one.claim.text, one.shown)
        for outcome in bench.play(lesson, seed=SEED)
        for one in outcome.measured
        if one.true is False
    ]
    assert not false
