"""Help: shortcuts, and information on the program."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.registry import ActionGroup


class HelpActions(ActionGroup):
    key = "help"
    title = tr("Help")
    order = 90
    actions = (
        Action(
            "help.guide",
            tr("User guide"),
            tr("Open the guide at the section on the active panel."),
            lambda window: window.guide.show_user_guide(window.front),
            ("F1",),
            "",
            "Help",
            1,
            synonyms=tr("manual, documentation, handbook, help"),
        ),
        Action(
            "help.lessons",
            tr("Lessons"),
            tr("Choose a lesson, and see which ones you have done."),
            lambda window: window.raise_page("learn", "lessons"),
            (),
            "",
            "Help",
            2,
            synonyms=tr("lesson, tutorial, course, exercises"),
        ),
        Action(
            "help.teaching",
            tr("Prepare a class"),
            tr("A checklist for teachers: sessions, slides, handouts, your own lessons."),
            lambda window: window.raise_page("learn", "teach"),
            (),
            "",
            "Help",
            3,
            synonyms=tr("teacher, class, classroom, handout, worksheet, slides, lesson"),
        ),
        Action(
            "help.lesson_plans",
            tr("Lesson plans"),
            tr("Open the guide at three plans for classes of 45 minutes."),
            lambda window: window.guide.show_user_guide("", "guide/lesson-plans.md"),
            (),
            "",
            "Help",
            4,
            synonyms=tr("teacher, class, curriculum"),
        ),
        Action(
            "help.write_lesson",
            tr("How to write a lesson"),
            tr("Open the guide at the format of lessons, with a template."),
            lambda window: window.guide.show_user_guide("", "lessons.md"),
            (),
            "",
            "Help",
            5,
            synonyms=tr("own lesson, template, author"),
        ),
        Action(
            "help.shortcuts",
            tr("Keyboard shortcuts"),
            tr("View and change the shortcut of every action."),
            lambda window: window.open_preferences("shortcuts"),
            ("Ctrl+F1",),
            "",
            "Help",
            20,
            synonyms=tr("hotkeys, key bindings"),
        ),
        Action(
            "help.about",
            tr("About the workbench"),
            tr("View the versions of the workbench and its libraries."),
            lambda window: window.guide.show_about(),
            (),
            "",
            "Help",
            90,
        ),
    )
