"""Every built-in lesson is complete and the same in every language; ``ui/test_lessons_played.py``
plays it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench.core.language import languages
from workbench.session.lessons import bundled_lessons, folder, manual, markdown
from workbench.session.lessons.actions import FigureAction, Train
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.lessons.parser import parse
from workbench.session.lessons.runner import Bench

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEYS = sorted(path.stem for path in folder().glob("*.md"))
# Topics that the built-in lessons must cover.
TOPICS = {
    "window",
    "subsampling",
    "negative-sampling",
    "noise-exponent",
    "sgns-pmi",
    "start-from-counts",
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
    "few-lines",
    "analogy-counts",
    "groups",
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
    for pair in zip(translation.steps, lessons[key].steps, strict=True):
        captions = [
            [each.caption for each in step.actions if isinstance(each, FigureAction)]
            for step in pair
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


def texts_of(language: str) -> dict[str, Lesson]:
    """The lessons in a language; "" is English."""
    return {
        key: parse((folder() / language / f"{key}.md").read_text("utf-8"), folder() / f"{key}.md")
        for key in KEYS
    }


def in_manual() -> Lesson:
    """The lesson that docs/lessons.md prints as a template."""
    page = (DOCS / "lessons.md").read_text("utf-8")
    lines = page.partition("## A lesson in twenty lines")[2].partition("## The head")[0]
    return parse(textwrap.dedent(lines.strip("\n")), DOCS / "template.md")


# The first word of a sentence that makes no sense without the one before.
LEANING = re.compile(
    r"(Its?|They|Their|Theirs|He|She|That|These|Those|The others?|But|So|"
    r"Er|Sie|Es|Seine|Ihre?|Diese|Dieser|Die anderen|Aber|Also) "
)


@pytest.mark.parametrize("language", ["", *sorted(languages())])
def test_a_text_is_whole_before_its_values_are_measured(language: str) -> None:
    wrong = []
    for key, lesson in texts_of(language).items():
        known = dict.fromkeys(lesson.trainings, "run")
        for at, step in enumerate(lesson.steps, 1):
            kept = markdown.without_holes(step.text, known)
            for whole in step.text:
                alone = "".join(one.text for one in markdown.without_holes((whole,), known))
                first = markdown.sentences(whole.text)[0]
                if not alone.startswith(first) and LEANING.match(alone):
                    wrong.append(f"{key}, step {at}, leans on what is missing: {alone[:60]}")
            for place, block in enumerate(kept):
                after = kept[place + 1].kind if place + 1 < len(kept) else "text"
                if (
                    block.text.endswith(":")
                    and after == "text"
                    and block.text != step.text[-1].text
                ):
                    wrong.append(f"{key}, step {at}, introduces nothing: {block.text[-60:]}")
            known |= {claim.name: "1" for claim in step.claims if claim.name}
    assert wrong == []


@pytest.mark.parametrize("language", ["", *sorted(languages())])
def test_no_sentence_begins_with_a_number(language: str) -> None:
    wrong = []
    for key, lesson in texts_of(language).items():
        words = {
            claim.name
            for step in lesson.steps
            for claim in step.claims
            if claim.name and claim.call.measure.gives == "words"
        }
        for at, step in enumerate(lesson.steps, 1):
            for block in (*step.text, *step.reveal):
                for sentence in markdown.sentences(block.text):
                    begun = re.match(r"\{([a-z0-9-]+)\}", sentence.strip())
                    if block.kind == "text" and begun and begun[1] not in words:
                        wrong.append(f"{key}, step {at}: {sentence.strip()[:60]}")
    assert wrong == []


@pytest.mark.parametrize("language", ["", *sorted(languages()), "manual"])
def test_a_value_is_printed_beside_the_words_that_it_is_about(language: str) -> None:
    """A text with the cosine of two words names both of them."""
    lessons = {"template": in_manual()} if language == "manual" else texts_of(language)
    wrong = []
    for key, lesson in lessons.items():
        calls = {
            claim.name: claim.call for step in lesson.steps for claim in step.claims if claim.name
        }
        for at, step in enumerate(lesson.steps, 1):
            question = step.question.blocks if step.question else ()
            blocks = (*step.text, *question, *step.reveal)
            text = " ".join([step.title, *(block.text for block in blocks)])
            for name in markdown.placeholders(blocks):
                if name not in calls:
                    continue
                for argument, value in zip(
                    calls[name].measure.arguments, calls[name].arguments, strict=True
                ):
                    if argument.kind == "word" and not re.search(rf"\b{value}\b", text):
                        wrong.append(f"{key}, step {at}: {{{name}}} is about {value}")
    assert wrong == []


def test_the_template_of_the_manual_is_true(tmp_path: Path) -> None:
    """Numbers of the printed reveal, computed again from the vectors that it is about."""
    lesson, bench = in_manual(), Bench()
    (outcome,) = bench.play(lesson)
    assert outcome.true
    (train,) = [
        action for step in lesson.steps for action in step.actions if isinstance(action, Train)
    ]
    (vectors,) = bench._trained.values()
    assert train.values["epochs"] == 3
    rows = {word: np.asarray(vectors.vectors[at], float) for at, word in enumerate(vectors.words)}

    def cosine(one: str, other: str) -> float:
        a, b = rows[one], rows[other]
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    printed = markdown.to_plain(lesson.steps[0].reveal, outcome.shown)
    near = re.match(r"It is (\w+)\.", printed)
    assert near is not None
    others = {word: cosine("king", word) for word in rows if word != "king"}
    assert near[1] == max(others, key=others.__getitem__)
    numbers = re.findall(r"of (\w+) and (\w+) is (0\.\d+)", printed)
    assert [pair[:2] for pair in numbers] == [("king", "queen"), ("king", "soup")]
    for one, other, number in numbers:
        assert float(number) == pytest.approx(cosine(one, other), abs=0.0051)
