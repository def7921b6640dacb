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
