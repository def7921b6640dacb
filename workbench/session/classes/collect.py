"""A folder of files that a class handed in: answers before and after the results, measurements that
differ, and texts side by side.
"""

from __future__ import annotations

import math
import statistics
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.core.text.text_files import cannot_read
from workbench.session.classes.hand_in import (
    EXIT,
    OPEN,
    HandIn,
    NotHandedIn,
    Unreadable,
    lesson_digest,
    question_text,
    read_hand_in,
)
from workbench.session.lessons import markdown
from workbench.session.lessons.lesson import Lesson

# Files of a folder that are read at most.
MOST_FILES = 5000
# Values that differ by less than this share are equal: several threads and other processors change
# the last digits.
_SAME = 0.02


@dataclass(frozen=True)
class Handed:
    """A file with its contents."""

    file: str
    content: HandIn

    @property
    def who(self) -> str:
        """The name of the student, or of the file if none is given."""
        return self.content.name or self.file


@dataclass(frozen=True)
class LeftOut:
    """A file that doesn’t count, and why, in words that follow its name."""

    file: str
    why: str


@dataclass(frozen=True)
class QuestionResult:
    """Answers to the question of a step, from 0. ``before`` and ``after`` count each choice;
    ``offered`` is how many of them the lesson has, 0 if it isn’t known here; ``right`` is the right
    one, or None.
    """

    step: int
    title: str
    choices: tuple[str, ...]
    offered: int
    right: int | None
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def listed_choices(self) -> list[int]:
        """Indices of the choices of the lesson, and of others that a student chose."""
        given = zip(self.before, self.after, strict=True)
        return [at for at, numbers in enumerate(given) if at < self.offered or any(numbers)]


@dataclass(frozen=True)
class Difference:
    """A measured value that differs from the usual one of the class, and the likely reason."""

    who: str
    step: int
    claim: str
    shown: str
    usual: str
    why: str


@dataclass(frozen=True)
class LessonResult:
    """What a class handed in for one lesson. ``lesson`` is None if it isn’t known here."""

    key: str
    title: str
    lesson: Lesson | None
    handed: tuple[Handed, ...]

    @property
    def questions(self) -> tuple[QuestionResult, ...]:
        """The questions in order of the lesson."""
        steps = sorted({one.step for each in self.handed for one in each.content.answers})
        return tuple(self._question(step) for step in steps)

    def _question(self, step: int) -> QuestionResult:
        title, texts, right = tr("Step {number}", number=step + 1), [], None
        if self.lesson is not None and step < len(self.lesson.steps):
            known = self.lesson.steps[step]
            title = question_text(known)
            if known.question is not None:
                texts = [markdown.inline_plain(one.text, {}) for one in known.question.choices]
                right = known.question.right
        given = [one for each in self.handed for one in each.content.answers if one.step == step]
        before = Counter(one.before for one in given if one.before is not None)
        after = Counter(one.after for one in given if one.after is not None)
        offered = len(texts)
        number = max(offered, *(at + 1 for at in (*before, *after)), 1)
        if right is None:
            texts = [tr("Answer {number}", number=at + 1) for at in range(number)]
        choices = tuple(texts[at] if at < len(texts) else str(at + 1) for at in range(number))
        return QuestionResult(
            step,
            title,
            choices,
            offered,
            right,
            tuple(before[at] for at in range(number)),
            tuple(after[at] for at in range(number)),
        )

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Measured values that differ from those of most of the class, in order of the lesson."""
        found = []
        for step, claim in self._claims():
            values = [
                (each, one)
                for each in self.handed
                for one in each.content.measurements
                if (one.step, one.claim) == (step, claim)
            ]
            usual = _usual([one.value for _, one in values])
            like_most = [(each, one) for each, one in values if _same(one.value, usual)]
            text = like_most[0][1].shown if like_most else _value_text(usual)
            others = [each for each, _ in like_most]
            found += [
                Difference(each.who, step, claim, one.shown, text, _reason(each, others))
                for each, one in values
                if not _same(one.value, usual)
            ]
        return tuple(found)

    def _claims(self) -> list[tuple[int, str]]:
        seen = {
            (one.step, one.claim): None for each in self.handed for one in each.content.measurements
        }
        return sorted(seen, key=lambda pair: pair[0])

    def texts(self, question: str) -> tuple[tuple[str, str], ...]:
        """Who answered the open or the exit question, and what."""
        return tuple(
            (each.who, each.content.texts[question])
            for each in self.handed
            if each.content.texts.get(question)
        )

    def right_answers(self, handed: HandIn) -> tuple[int, int]:
        """Number of right answers before and after the results; 0 if the lesson isn’t known."""
        right = {one.step: one.right for one in self.questions if one.right is not None}
        answers = [one for one in handed.answers if one.step in right]
        return (
            sum(one.before == right[one.step] for one in answers),
            sum(one.after == right[one.step] for one in answers),
        )


@dataclass(frozen=True)
class ClassResult:
    """What a folder contains: results by lesson, the files that don’t count, and files that count
    but are perhaps a second attempt of a student.
    """

    lessons: tuple[LessonResult, ...]
    left_out: tuple[LeftOut, ...]
    repeated: tuple[LeftOut, ...] = ()

    @property
    def number(self) -> int:
        """Number of files that count."""
        return sum(len(lesson.handed) for lesson in self.lessons)


def collect(
    folder: Path, lessons: Sequence[Lesson] = (), run: JobControl | None = None
) -> ClassResult:
    """Read all files of a folder and its subfolders. Damaged, repeated and other files are left out
    with a reason. ``lessons`` are those whose questions are known.

    Raises UserError if the folder can’t be read or has no such files, and Cancelled.
    """
    run = run or JobControl()
    if not folder.is_dir():
        raise UserError(
            tr("{path} isn’t a folder.", path=folder),
            tr("Name the folder with the files that the class handed in."),
        )
    try:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
    except OSError as error:
        raise cannot_read(folder, error) from error
    paths = [path for path in paths if not path.name.startswith(".")]
    left_out = []
    if len(paths) > MOST_FILES:
        left_out.append(
            LeftOut(str(folder), tr("only the first {number:,} files are read", number=MOST_FILES))
        )
    known = {lesson_digest(lesson): lesson for lesson in lessons}
    handed: dict[str, list[Handed]] = {}
    damaged = []
    for at, path in enumerate(paths[:MOST_FILES]):
        run.check()
        run.advance(at / len(paths))
        name = str(path.relative_to(folder))
        try:
            content = read_hand_in(path)
        except NotHandedIn:
            left_out.append(LeftOut(name, tr("not a file that was handed in")))
        except Unreadable as error:
            damaged.append(LeftOut(name, str(error)))
        else:
            problem = _impossible(content, known.get(content.digest))
            if problem:
                damaged.append(LeftOut(name, problem))
                continue
            same = handed.setdefault(repr(content), [])
            if same and content.name:
                left_out.append(LeftOut(name, tr("the same as {file}", file=same[0].file)))
            else:
                same.append(Handed(name, content))
    if not handed:
        raise _nothing(folder, damaged)
    all_handed = sorted(chain.from_iterable(handed.values()), key=lambda one: one.file)
    left_out = sorted([*damaged, *left_out], key=lambda one: one.file)
    return ClassResult(_by_lesson(all_handed, known), tuple(left_out), _repeated(all_handed))


def _impossible(content: HandIn, lesson: Lesson | None) -> str:
    """Why answers can’t be those of the lesson, or ""."""
    if lesson is None:
        return ""
    for one in content.answers:
        question = lesson.steps[one.step].question if one.step < len(lesson.steps) else None
        if question is None:
            return tr("damaged: step {number} has no question", number=one.step + 1)
        if max(one.before or 0, one.after or 0) >= len(question.choices):
            return tr("damaged: step {number} has no such answer", number=one.step + 1)
    return ""


def _repeated(handed: Sequence[Handed]) -> tuple[LeftOut, ...]:
    """Files with the name of an earlier one for the same lesson, or without a name and with the
    same content. Both count: it may be a second attempt or a copy, or another student.
    """
    first: dict[tuple[str, str], str] = {}
    found = []
    for each in handed:
        content = each.content
        if content.name:
            # macOS writes accents as letters of their own.
            which = (content.digest, unicodedata.normalize("NFC", content.name).casefold())
            why = tr("has the name of {file}, too", file=first.get(which, ""))
        else:
            which = ("", repr(content))
            why = tr("has no name and the same content as {file}", file=first.get(which, ""))
        if which in first:
            found.append(LeftOut(each.file, why))
        first.setdefault(which, each.file)
    return tuple(found)


def _nothing(folder: Path, damaged: Sequence[LeftOut]) -> UserError:
    """The error for a folder without a file that counts; it names a damaged one."""
    hint = tr("Students write them with “Hand in…” at the end of a lesson.")
    if damaged:
        one = damaged[0]
        return UserError(
            tr(
                "No file in {path} counts, for example {file} ({why}).",
                path=folder,
                file=one.file,
                why=one.why,
            ),
            hint,
        )
    return UserError(tr("{path} contains no files that were handed in.", path=folder), hint)


def grade_book(result: ClassResult) -> str:
    """CSV with a row for each file that counts: right answers, every answer, and texts. Cells are
    safe from formulas.
    """
    steps = sorted(
        {
            one.step
            for lesson in result.lessons
            for each in lesson.handed
            for one in each.content.answers
        }
    )
    header = [
        *("file", "name", "lesson", "seed", "version", "questions", "right_before", "right_after"),
        *("claims", "claims_true"),
        *(f"step_{step + 1}_{when}" for step in steps for when in ("before", "after")),
        *("open_answer", "exit_answer"),
    ]
    rows: list[list[Cell]] = []
    for lesson in result.lessons:
        for each in lesson.handed:
            content = each.content
            before, after = lesson.right_answers(content)
            given = {one.step: one for one in content.answers}
            answers: list[Cell] = []
            for step in steps:
                one = given.get(step)
                for value in (one.before, one.after) if one else (None, None):
                    answers.append(None if value is None else value + 1)
            known = lesson.lesson is not None
            claims = [one.true for one in content.measurements if one.true is not None]
            rows.append(
                [
                    *(each.file, content.name, lesson.key, content.seed, content.program),
                    *(len(content.answers), before if known else None, after if known else None),
                    *(len(claims), sum(claims)),
                    *answers,
                    *(content.texts.get(OPEN, ""), content.texts.get(EXIT, "")),
                ]
            )
    return to_csv(header, rows)


def _by_lesson(handed: Sequence[Handed], known: Mapping[str, Lesson]) -> tuple[LessonResult, ...]:
    groups: dict[tuple[str, str], list[Handed]] = {}
    for each in handed:
        groups.setdefault((each.content.key, each.content.digest), []).append(each)
    found = []
    for (key, digest), members in groups.items():
        lesson = known.get(digest)
        title = lesson.title if lesson is not None else members[0].content.title
        if lesson is None and any(other != digest for name, other in groups if name == key):
            title = tr("{title} (another version)", title=title)
        found.append(LessonResult(key, title, lesson, tuple(members)))
    return tuple(sorted(found, key=lambda one: (-len(one.handed), one.key)))


def _usual(values: Sequence[float | str | None]) -> float | str | None:
    """The median of numbers, or else the most frequent value."""
    numbers = [float(value) for value in values if isinstance(value, (int, float))]
    if len(numbers) * 2 >= len(values) and numbers:
        # The lower of two middle values, which is a measured one.
        return statistics.median_low(numbers)
    return Counter(values).most_common(1)[0][0]


def _same(value: float | str | None, usual: float | str | None) -> bool:
    if isinstance(value, (int, float)) and isinstance(usual, (int, float)):
        return math.isclose(value, usual, rel_tol=_SAME, abs_tol=1e-9)
    return value == usual


def _value_text(value: float | str | None) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)


def _reason(each: Handed, like_most: Sequence[Handed]) -> str:
    """Why a value differs, as far as the files tell."""
    others = [most.content for most in like_most]
    if others and all(other.seed != each.content.seed for other in others):
        return tr("another seed ({seed})", seed=_value_text(each.content.seed))
    if others and all(other.program != each.content.program for other in others):
        return tr("another version of the program ({version})", version=each.content.program)
    return tr("unknown: perhaps other settings or a changed text")


def tables(result: LessonResult) -> Mapping[str, tuple[Sequence[str], list[Sequence[Cell]]]]:
    """Heading and rows of the results of a lesson, by name: questions, measurements, texts."""
    questions: list[Sequence[Cell]] = [
        (
            f"{one.step + 1}. {one.title}",
            ("✓ " if at == one.right else "") + one.choices[at],
            one.before[at],
            one.after[at],
        )
        for one in result.questions
        for at in one.listed_choices
    ]
    measurements: list[Sequence[Cell]] = [
        (one.who, one.step + 1, one.claim, one.shown, one.usual, one.why)
        for one in result.differences
    ]
    texts: list[Sequence[Cell]] = [
        (title, who, text)
        for question, title in ((OPEN, tr("Open question")), (EXIT, tr("Exit question")))
        for who, text in result.texts(question)
    ]
    return {
        "questions": ((tr("Question"), tr("Answer"), tr("Before"), tr("After")), questions),
        "measurements": (
            (tr("Who"), tr("Step"), tr("Measured"), tr("Value"), tr("Usual"), tr("Reason")),
            measurements,
        ),
        "texts": ((tr("Question"), tr("Who"), tr("Answer")), texts),
    }
