"""Progress in lessons and predicted answers, kept in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.setting import Object, Setting, Strings, mapping_of, strings
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.parser import read_lesson
from workbench.session.settings.settings_file import Settings

# {"at": step, "chosen": {step: answer}, "done": whether it was finished}, by the path of a lesson.
COURSE = Setting[Object]("lessons.course", mapping_of(dict), {})

# Paths of the reader’s own lessons, the last opened first.
OWN_LESSONS = Setting[Strings]("lessons.own", strings, ())


class Standing(NamedTuple):
    """A reader’s progress in a lesson: whether it was ever finished, whether it is in progress, and
    the step where it continues, from 1.
    """

    done: bool
    started: bool
    step: int


def own_lessons(settings: Settings) -> tuple[list[Lesson], dict[str, UserError]]:
    """The reader’s own lessons, and by their paths the errors of those that can’t be read."""
    found: list[Lesson] = []
    problems: dict[str, UserError] = {}
    for path in settings[OWN_LESSONS]:
        try:
            found.append(read_lesson(Path(path)))
        except UserError as error:
            problems[path] = error
    return found, problems


class Course:
    """Progress by the path of a lesson's file: ``at`` is the current step, ``chosen`` the answers
    by step, ``done`` whether the lesson was ever finished.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def place(self, lesson: Lesson) -> int:
        """The step where the lesson was left, from 0."""
        at = self._lesson_entry(lesson).get("at")
        if isinstance(at, int):
            return min(max(at, 0), len(lesson.steps) - 1)
        return 0

    def go(self, lesson: Lesson, step: int) -> None:
        self._store_lesson(lesson, at=step)

    def open_questions(self, lesson: Lesson) -> list[int]:
        """The steps, from 0, whose questions have no answers yet."""
        with_question = [at for at, step in enumerate(lesson.steps) if step.question is not None]
        return [at for at in with_question if self.chosen_answer(lesson, at) is None]

    def finish(self, lesson: Lesson) -> None:
        """Mark a lesson as done, so that it starts from the beginning the next time. With
        unanswered questions, it isn't marked, and continues at the first of them.
        """
        missing = self.open_questions(lesson)
        if missing:
            self._store_lesson(lesson, at=missing[0])
        else:
            self._store_lesson(lesson, at=0, done=True)

    def forget(self, lesson: Lesson) -> None:
        """Forget the progress of a lesson, except that it was finished once."""
        self._store_lesson(lesson, at=0, chosen={})

    def chosen_answer(self, lesson: Lesson, step: int) -> int | None:
        """The answer predicted in a step, or None."""
        kept = self._lesson_entry(lesson).get("chosen")
        question = lesson.steps[step].question
        answer = kept.get(str(step)) if isinstance(kept, Mapping) else None
        if question and isinstance(answer, int) and 0 <= answer < len(question.choices):
            return answer
        return None

    def predict(self, lesson: Lesson, step: int, answer: int) -> None:
        kept = self._lesson_entry(lesson).get("chosen")
        self._store_lesson(
            lesson, chosen={**(kept if isinstance(kept, dict) else {}), str(step): answer}
        )

    def places(self, lessons: Iterable[Lesson]) -> dict[str, str]:
        """Labels by path: “3 of 7” for a lesson in progress, a check mark for a finished one."""
        found = {}
        for lesson in lessons:
            standing = self.standing(lesson)
            if standing.started:
                found[str(lesson.path)] = tr(
                    "{step} of {steps}", step=standing.step, steps=len(lesson.steps)
                )
            elif standing.done:
                found[str(lesson.path)] = tr("✓ done")
        return found

    def standing(self, lesson: Lesson) -> Standing:
        """The progress of a lesson. A finished lesson is in progress again after its first step."""
        at, entry = self.place(lesson), self._lesson_entry(lesson)
        done = entry.get("done") is True
        return Standing(done, bool(at) or (bool(entry.get("chosen")) and not done), at + 1)

    def _lesson_entry(self, lesson: Lesson) -> Object:
        entry: Object = self._settings[COURSE].get(str(lesson.path), {})
        return entry

    def _store_lesson(self, lesson: Lesson, **changes: Any) -> None:
        course, entry = self._settings[COURSE], self._lesson_entry(lesson)
        self._settings[COURSE] = {**course, str(lesson.path): {**entry, **changes}}
