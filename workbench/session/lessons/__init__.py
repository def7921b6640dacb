"""Lessons: Markdown files that are parsed, checked, played, measured and reported."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.folders import resources
from workbench.core.language import tr
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.parser import read_lesson

__all__ = ["Lesson", "bundled_lessons", "folder", "lesson_named", "read_lesson", "readable_lessons"]


def folder() -> Path:
    """Folder of the included lessons."""
    return resources() / "lessons"


def bundled_lessons() -> list[Lesson]:
    """The included lessons, in the order in which they build on one another. Raises
    LessonError.
    """
    found, problems = readable_lessons()
    if problems:
        raise problems[0]
    return found


def readable_lessons() -> tuple[list[Lesson], list[UserError]]:
    """The included lessons that can be read here, and the errors of all others."""
    found: list[Lesson] = []
    problems: list[UserError] = []
    for path in folder().glob("*.md"):
        try:
            found.append(read_lesson(path))
        except UserError as error:
            problems.append(error)
    return sorted(found, key=lambda lesson: (lesson.order, lesson.key)), problems


def lesson_named(name: str) -> Lesson:
    """A lesson by its key, or by the path of its file. Raises UserError."""
    path = Path(name)
    if path.is_file():
        return read_lesson(path)
    inside = folder() / f"{name}.md"
    if path.name == name and inside.is_file():
        return read_lesson(inside)
    keys = ", ".join(sorted(path.stem for path in folder().glob("*.md")))
    raise UserError(
        tr("No lesson or file is named “{name}”.", name=name),
        tr("Choose one of: {keys}.", keys=keys),
    )
