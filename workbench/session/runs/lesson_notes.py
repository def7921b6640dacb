"""Notes that mark the runs of lessons."""

from __future__ import annotations

from workbench.core.language import tr


def lesson_note(title: str) -> str:
    """The note on a run that the lesson of this title trained."""
    return tr("Lesson: {title}", title=title)


def is_of_lesson(note: str) -> bool:
    """Whether ``lesson_note`` wrote it, in the language of the process."""
    return note.startswith(lesson_note(""))
