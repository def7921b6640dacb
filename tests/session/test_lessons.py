"""Every built-in lesson is complete and the same in every language; ``ui/test_lessons_played.py``
plays it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.language import languages
from workbench.session.lessons import bundled_lessons, folder, manual, markdown
from workbench.session.lessons.actions import FigureAction, Train
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.lessons.parser import parse

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEYS = sorted(path.stem for path in folder().glob("*.md"))
# Topics that the built-in lessons must cover.
TOPICS = {
    "window",
    "subsampling",
    "negative-sampling",
    "noise-exponent",
    "sgns-pmi",
    "glove-ratios",
    "svd-weighting",
    "subwords",
    "cbow-skipgram",
    "analogies",
    "umap",
    "bias",
    "one-hot",
    "frequent-words",
    "dimensions",
    "by-frequency",
    "real-text",
    "picture",
}


@pytest.fixture(scope="module")
def lessons() -> dict[str, Lesson]:
    return {lesson.key: lesson for lesson in bundled_lessons()}


def test_every_topic_has_its_lesson(lessons: dict[str, Lesson]) -> None:
    assert set(lessons) >= TOPICS


@pytest.mark.parametrize("key", KEYS)
def test_it_is_a_whole_lesson(key: str, lessons: dict[str, Lesson]) -> None:
    lesson = lessons[key]
    assert 5 <= len(lesson.steps) <= 9
    assert lesson.sources
    assert len(lesson.objectives) >= 2
    assert lesson.notes
    assert lesson.open_question
    assert lesson.exit_question.endswith(("?", "."))
    assert any(step.question for step in lesson.steps)
    assert all(step.claims for step in lesson.steps)
    trainings = [
        action for step in lesson.steps for action in step.actions if isinstance(action, Train)
    ]
    for train in trainings:
        # All readers get the same numbers.
        if "seed" in train.values:
            assert train.values["threads"] == 1
    assert any(
        isinstance(action, FigureAction) and action.caption
        for step in lesson.steps
        for action in step.actions
    )


def test_the_manual_says_what_is_declared() -> None:
    page = (DOCS / "lessons.md").read_text("utf-8")
    assert manual.fill_tables(page) == page


def outline(lesson: Lesson) -> tuple[object, ...]:
    """Everything in a lesson except its prose."""
    return (
        lesson.key,
        lesson.level,
        lesson.minutes,
        lesson.order,
        len(lesson.sources),
        len(lesson.objectives),
        len(lesson.notes),
        *map(outline_of, lesson.steps),
    )


def outline_of(step: LessonStep) -> tuple[object, ...]:
    question = step.question
    kinds = sorted(block.kind for block in (*step.text, *step.reveal))
    return (
        [
            replace(action, line=0, **({"caption": ""} if isinstance(action, FigureAction) else {}))
            for action in step.actions
        ],
        [claim.text for claim in step.claims],
        None if question is None else [choice.right for choice in question.choices],
        sorted(markdown.placeholders(step.text)),
        sorted(markdown.placeholders(step.reveal)),
        () if question is None else sorted(markdown.placeholders(question.blocks)),
        kinds,
    )


@pytest.mark.parametrize("language", sorted(languages()))
@pytest.mark.parametrize("key", KEYS)
def test_a_translation_does_and_claims_the_same(
    key: str, language: str, lessons: dict[str, Lesson]
) -> None:
    path = folder() / f"{key}.md"
    translation = parse((folder() / language / path.name).read_text("utf-8"), path)
    assert outline(translation) == outline(lessons[key])
    assert translation.title != lessons[key].title
    for mine, other in (
        (translation.objectives, lessons[key].objectives),
        (translation.notes, lessons[key].notes),
        ({translation.open_question}, {lessons[key].open_question}),
        ({translation.exit_question}, {lessons[key].exit_question}),
    ):
        assert not set(mine) & set(other)
    for mine, other in zip(translation.steps, lessons[key].steps, strict=True):
        captions = [
            [each.caption for each in step.actions if isinstance(each, FigureAction)]
            for step in (mine, other)
        ]
        assert not set(captions[0]) & set(captions[1])


def test_a_lesson_is_read_in_the_language_of_the_process() -> None:
    code = (
        "from workbench.session.lessons import lesson_named\n"
        "lesson = lesson_named('glove-ratios')\n"
        "print(lesson.key, lesson.path.parent.name, lesson.title, "
        "lesson.steps[0].actions[0].corpus)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "WORKBENCH_LANGUAGE": "de", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    text = str(folder() / "ice-and-steam.txt")
    assert process.stdout.strip() == f"glove-ratios lessons Die Verhältnisse von GloVe {text}"
