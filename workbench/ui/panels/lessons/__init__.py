"""Lessons panel: list, pages and player of lessons."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind


class LessonsKind(PanelKind):
    key = "lessons"
    title = tr("Lessons")
    synonyms = tr("tutorial, course, exercises, class")
    # Beside the panels that lessons control: most of these are in the centre and on the right.
    area = "left"
    workspaces = ("any",)
    order = 60
    requests: ClassVar = {"lesson": "open_lesson"}

    commands = (
        Action(
            key="lessons.list",
            text=tr("All lessons"),
            description=tr("Show all lessons and your progress."),
            run=lambda panel: panel.leave(),
        ),
        Action(
            key="lessons.open",
            text=tr("Open a lesson…"),
            description=tr("Open your own lesson, a Markdown file."),
            run=lambda panel: panel.ask_lesson(),
            menu="File",
            place=25,
            synonyms=tr("tutorial, my own lesson"),
        ),
        Action(
            key="lessons.do",
            text=tr("Do this step"),
            description=tr("Do this step of the lesson in the real panels."),
            run=lambda panel: panel.do(),
            why_not=lambda panel: panel.why_not_do(),
        ),
        Action(
            key="lessons.next",
            text=tr("Next step"),
            description=tr("Go to the next step of the lesson."),
            run=lambda panel: panel.go(1),
            keys=("Alt+PgDown",),
            why_not=lambda panel: panel.why_not_go(),
        ),
        Action(
            key="lessons.back",
            text=tr("Previous step"),
            description=tr("Go to the previous step of the lesson."),
            run=lambda panel: panel.go(-1),
            keys=("Alt+PgUp",),
            why_not=lambda panel: panel.why_not_go(),
        ),
        Action(
            key="lessons.story",
            text=tr("Save lesson report…"),
            description=tr(
                "Save texts, predictions, values and figures of the lesson as a page to print."
            ),
            run=lambda panel: panel.ask_story(),
            why_not=lambda panel: panel.why_not_go(),
            synonyms=tr("handout, worksheet, print the lesson"),
        ),
        Action(
            key="lessons.hand_in",
            text=tr("Hand in…"),
            description=tr(
                "Save your predictions, measurements and answers in a file for your teacher."
            ),
            run=lambda panel: panel.ask_hand_in(),
            why_not=lambda panel: panel.why_not_go(),
            synonyms=tr("submit, homework, assignment"),
        ),
        Action(
            key="lessons.class",
            text=tr("Class…"),
            description=tr("Open a folder of files that a class handed in."),
            run=lambda panel: panel.ask_class(),
            menu="File",
            place=26,
            synonyms=tr("class, teacher, grades, collect, homework"),
        ),
        Action(
            key="lessons.again",
            text=tr("Restart lesson"),
            description=tr("Discard your predictions and measurements, and start again."),
            run=lambda panel: panel.again(),
            why_not=lambda panel: panel.why_not_go(),
        ),
    )
