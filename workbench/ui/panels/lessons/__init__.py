"""Lessons panel: list, pages and player of lessons."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.panel_kind import PanelKind


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
            "lessons.list",
            tr("All lessons"),
            tr("Show all lessons and your progress."),
            lambda panel: panel.leave(),
        ),
        Action(
            "lessons.open",
            tr("Open a lesson…"),
            tr("Open your own lesson, a Markdown file."),
            lambda panel: panel.ask_lesson(),
            (),
            "",
            "File",
            25,
            synonyms=tr("tutorial, my own lesson"),
        ),
        Action(
            "lessons.do",
            tr("Do this step"),
            tr("Do this step of the lesson in the real panels."),
            lambda panel: panel.do(),
            why_not=lambda panel: panel.why_not_do(),
        ),
        Action(
            "lessons.next",
            tr("Next step"),
            tr("Go to the next step of the lesson."),
            lambda panel: panel.go(1),
            ("Alt+PgDown",),
            why_not=lambda panel: panel.why_not_go(),
        ),
        Action(
            "lessons.back",
            tr("Previous step"),
            tr("Go to the previous step of the lesson."),
            lambda panel: panel.go(-1),
            ("Alt+PgUp",),
            why_not=lambda panel: panel.why_not_go(),
        ),
        Action(
            "lessons.story",
            tr("Save lesson report…"),
            tr("Save texts, predictions, values and figures of the lesson as a page to print."),
            lambda panel: panel.ask_story(),
            why_not=lambda panel: panel.why_not_go(),
            synonyms=tr("handout, worksheet, print the lesson"),
        ),
        Action(
            "lessons.again",
            tr("Restart lesson"),
            tr("Discard your predictions and measurements, and start again."),
            lambda panel: panel.again(),
            why_not=lambda panel: panel.why_not_go(),
        ),
    )
