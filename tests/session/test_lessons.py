"""Every lesson that comes along: each step is done without a window, and what it claims is measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.session.lessons import bundled, folder, manual, prose
from workbench.session.lessons.actions import Figure, Train
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.playing import Bench

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEYS = sorted(path.stem for path in folder().glob("*.md"))
# What the classroom was promised.
TOPICS = {
    "window", "subsampling", "negative-sampling", "noise-exponent", "sgns-pmi", "glove-ratios", "svd-weighting",
    "subwords", "cbow-skipgram", "analogies", "umap", "bias", "one-hot", "frequent-words", "dimensions",
    "by-frequency",
}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """Lessons share corpora and trainings."""
    made = Bench()
    yield made
    made.close()


@pytest.fixture(scope="module")
def lessons() -> dict[str, Lesson]:
    return {lesson.key: lesson for lesson in bundled()}


@pytest.mark.parametrize("key", KEYS)
def test_its_claims_are_true(key: str, bench: Bench, lessons: dict[str, Lesson]) -> None:
    for outcome in bench.play(lessons[key]):
        untrue = [f"line {o.claim.line}: {o.claim.text}: {o.shown}" for o in outcome.measured if o.true is False]
        assert untrue == [], outcome.step.title
        # Nothing that a reader sees is left open.
        named = prose.placeholders((*outcome.step.text, *outcome.step.reveal))
        assert [name for name in named if name not in outcome.shown] == []
    bench.close()


def test_every_topic_has_its_lesson(lessons: dict[str, Lesson]) -> None:
    assert set(lessons) >= TOPICS


@pytest.mark.parametrize("key", KEYS)
def test_it_is_a_whole_lesson(key: str, lessons: dict[str, Lesson]) -> None:
    lesson = lessons[key]
    assert 5 <= len(lesson.steps) <= 9
    assert lesson.sources
    assert any(step.question for step in lesson.steps)
    assert all(step.claims for step in lesson.steps)
    trainings = [action for step in lesson.steps for action in step.actions if isinstance(action, Train)]
    for train in trainings:
        # Everybody gets the same numbers.
        if "seed" in train.values:
            assert train.values["threads"] == 1
    assert any(isinstance(action, Figure) and action.caption for step in lesson.steps for action in step.actions)


def test_the_manual_says_what_is_declared() -> None:
    page = (DOCS / "lessons.md").read_text("utf-8")
    assert manual.filled(page) == page
