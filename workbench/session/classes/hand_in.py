"""A file that a student hands in: predictions, measured values and answers of one lesson.

The file is JSON, and contains exactly:

    {"format": "embedding-workbench-answers", "version": 1,
     "lesson": {"key": text, "title": text, "digest": text},
     "name": text, "program": text, "seed": whole number or null,
     "predictions": [{"step": whole number from 1, "before": answer, "after": answer}],
     "measurements": [{"step": whole number from 1, "claim": text, "value": number, text or null,
                       "shown": text, "true": true, false or null}],
     "answers": [{"question": "open" or "exit", "text": text}]}

An answer is a whole number from 1, or null for none: ``before`` was predicted, ``after`` was given
once the result was shown. ``name`` is "" if the student gives none. ``digest`` is the same for all
translations of a lesson.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.core.atomic import replacing
from workbench.core.errors import UserError, error_text
from workbench.core.json_text import json_of_file, json_text
from workbench.core.language import tr
from workbench.core.version import __version__
from workbench.session.lessons import markdown
from workbench.session.lessons.actions import Train
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.lessons.report import StepResults

FORMAT = "embedding-workbench-answers"
VERSION = 1
OPEN, EXIT = "open", "exit"
# Maximum bytes of a file, and entries of a list.
LARGEST, _MOST = 1 << 20, 1000


class NotHandedIn(ValueError):
    """The file is something else."""


class Unreadable(ValueError):
    """The file can’t be read or is damaged; the text says why, without the name of the file."""


@dataclass(frozen=True)
class Answer:
    """Answers to the question of a step, each an index from 0, or None."""

    step: int
    before: int | None
    after: int | None = None


@dataclass(frozen=True)
class Measurement:
    """A measured value of a step; ``true`` is None if nothing was claimed."""

    step: int
    claim: str
    value: float | str | None
    shown: str
    true: bool | None


@dataclass(frozen=True)
class HandIn:
    """Contents of a file; steps and answers count from 0 here, ``texts`` by OPEN and EXIT."""

    key: str
    title: str
    digest: str
    name: str = ""
    program: str = ""
    seed: int | None = None
    answers: tuple[Answer, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


def question_text(step: LessonStep) -> str:
    """The question of a step in one line, or its title without one."""
    if step.question is None:
        return step.title
    return " ".join(markdown.to_plain(step.question.blocks, {}).split())


def lesson_digest(lesson: Lesson) -> str:
    """A hash of what answers refer to: the questions' numbers of choices and right answers, and the
    claims. Texts, which are translated, don’t count.
    """
    parts: list[object] = [lesson.key]
    for step in lesson.steps:
        question = step.question
        parts.append(() if question is None else (len(question.choices), question.right))
        parts.append(tuple(claim.text for claim in step.claims))
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def lesson_seed(lesson: Lesson) -> int | None:
    """The lowest seed of the trainings of a lesson, None without one."""
    seeds = [
        int(action.values["seed"])
        for step in lesson.steps
        for action in step.actions
        if isinstance(action, Train) and "seed" in action.values
    ]
    return min(seeds, default=None)


def hand_in(
    lesson: Lesson,
    reports: Sequence[StepResults],
    name: str = "",
    after: Mapping[int, int] | None = None,
    texts: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> HandIn:
    """What a student hands in. ``after``: answers given after the results, by step from 0; ``seed``
    replaces that of the lesson.
    """
    later = after or {}
    chosen = {each.step: each.chosen for each in reports if each.chosen is not None}
    steps = sorted({*chosen, *later})
    measured = [
        Measurement(each.step, one.claim.text, one.value, one.shown, one.true)
        for each in reports
        for one in each.measured
    ]
    return HandIn(
        lesson.key,
        lesson.title,
        lesson_digest(lesson),
        name.strip(),
        __version__,
        lesson_seed(lesson) if seed is None else seed,
        tuple(Answer(step, chosen.get(step), later.get(step)) for step in steps),
        tuple(measured),
        {key: text.strip() for key, text in (texts or {}).items() if text.strip()},
    )


def write_hand_in(handed: HandIn, path: Path) -> None:
    """Write a file completely or not at all. Raises UserError, also for one that would be too large
    to be read.
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        "lesson": {"key": handed.key, "title": handed.title, "digest": handed.digest},
        "name": handed.name,
        "program": handed.program,
        "seed": handed.seed,
        "predictions": [
            {"step": one.step + 1, "before": _from_one(one.before), "after": _from_one(one.after)}
            for one in handed.answers
        ],
        "measurements": [
            {
                "step": one.step + 1,
                "claim": one.claim,
                "value": one.value,
                "shown": one.shown,
                "true": one.true,
            }
            for one in handed.measurements
        ],
        "answers": [{"question": key, "text": text} for key, text in handed.texts.items()],
    }
    text = json_text(document, indent=1) + "\n"
    if len(text.encode()) > LARGEST:
        raise UserError(
            tr("The answers are too long: a file to hand in contains at most 1 MB."),
            tr("Shorten the answers. “Hand in…” shows them again."),
        )
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def read_hand_in(path: Path) -> HandIn:
    """Read and check a file. Raises NotHandedIn if it is something else, and Unreadable if it can’t
    be read or is damaged.
    """
    try:
        document = json_of_file(path, LARGEST)
    except OSError as error:
        raise Unreadable(tr("couldn’t be read: {why}", why=error_text(error))) from error
    except ValueError as error:
        if path.suffix.lower() != ".json":
            raise NotHandedIn(path.name) from error
        raise Unreadable(tr("damaged: it isn’t complete JSON")) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotHandedIn(path.name)
    version = document.get("version")
    if type(version) is int and version > VERSION:
        raise Unreadable(tr("written by a newer version of the program"))
    try:
        if version != VERSION:
            raise ValueError("version")
        return _parse(document)
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise Unreadable(tr("damaged: a part is missing or has another form")) from error


def _parse(document: Mapping[str, Any]) -> HandIn:
    lesson = document["lesson"]
    answers = []
    for one in _list(document["predictions"]):
        answers.append(
            Answer(_index(one["step"]), _optional(one["before"]), _optional(one["after"]))
        )
    measured = []
    for one in _list(document["measurements"]):
        value, true = one["value"], one["true"]
        if isinstance(value, bool) or not isinstance(value, (int, float, str, type(None))):
            raise ValueError("value")
        if not (true is None or isinstance(true, bool)):
            raise ValueError("true")
        if isinstance(value, str):
            value = _text(value)
        elif value is not None and not math.isfinite(value):
            raise ValueError("value")
        measured.append(
            Measurement(_index(one["step"]), _text(one["claim"]), value, _text(one["shown"]), true)
        )
    texts = {}
    for one in _list(document["answers"]):
        if one["question"] not in (OPEN, EXIT):
            raise ValueError("question")
        texts[one["question"]] = _text(one["text"])
    seed = document["seed"]
    if seed is not None and (type(seed) is not int or abs(seed) > 2**63):
        raise ValueError("seed")
    if len({one.step for one in answers}) < len(answers):
        raise ValueError("predictions")
    return HandIn(
        _text(lesson["key"]),
        _text(lesson["title"]),
        _text(lesson["digest"]),
        _text(document["name"]),
        _text(document["program"]),
        seed,
        tuple(answers),
        tuple(measured),
        texts,
    )


def _list(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST:
        raise ValueError("list")
    if not all(isinstance(one, dict) for one in value):
        raise ValueError("list")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def _index(value: object) -> int:
    if type(value) is not int or not 1 <= value <= _MOST:
        raise ValueError("step")
    return value - 1


def _optional(value: object) -> int | None:
    return None if value is None else _index(value)


def _from_one(answer: int | None) -> int | None:
    return None if answer is None else answer + 1
