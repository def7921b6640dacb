"""Help: shortcuts, and information on the program."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import ActionGroup


class HelpActions(ActionGroup):
    key = "help"
    title = tr("Help")
    order = 90
    actions = (
        Action(
            key="help.guide",
            text=tr("User guide"),
            description=tr("Open the guide at the section on the active panel."),
            run=lambda window: window.guide.show_user_guide(window.front),
            keys=("F1",),
            menu="Help",
            place=1,
            synonyms=tr("manual, documentation, handbook, help"),
        ),
        Action(
            key="help.lessons",
            text=tr("Lessons"),
            description=tr("Choose a lesson, and see which ones you have done."),
            run=lambda window: window.raise_page("learn", "lessons"),
            menu="Help",
            place=2,
            synonyms=tr("lesson, tutorial, course, exercises"),
        ),
        Action(
            key="help.teaching",
            text=tr("Prepare a class"),
            description=tr(
                "A checklist for teachers: sessions, slides, handouts, your own lessons."
            ),
            run=lambda window: window.raise_page("learn", "teach"),
            menu="Help",
            place=3,
            synonyms=tr("teacher, class, classroom, handout, worksheet, slides, lesson"),
        ),
        Action(
            key="help.lesson_plans",
            text=tr("Lesson plans"),
            description=tr("Open the guide at three plans for classes of 45 minutes."),
            run=lambda window: window.guide.show_user_guide("", "guide/lesson-plans.md"),
            menu="Help",
            place=4,
            synonyms=tr("teacher, class, curriculum"),
        ),
        Action(
            key="help.write_lesson",
            text=tr("How to write a lesson"),
            description=tr("Open the guide at the format of lessons, with a template."),
            run=lambda window: window.guide.show_user_guide("", "lessons.md"),
            menu="Help",
            place=5,
            synonyms=tr("own lesson, template, author"),
        ),
        Action(
            key="help.shortcuts",
            text=tr("Keyboard shortcuts"),
            description=tr("View and change the shortcut of every action."),
            run=lambda window: window.open_preferences("shortcuts"),
            keys=("Ctrl+F1",),
            menu="Help",
            place=20,
            synonyms=tr("hotkeys, key bindings"),
        ),
        Action(
            key="help.about",
            text=tr("About the workbench"),
            description=tr("View the versions of the workbench and its libraries."),
            run=lambda window: window.guide.show_about(),
            menu="Help",
            place=90,
        ),
    )
