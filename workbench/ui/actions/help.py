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
            "help.shortcuts",
            tr("Keyboard shortcuts"),
            tr("See the keys of every action, and change them."),
            lambda window: window.open_preferences("shortcuts"),
            ("F1",),
            "",
            "Help",
            20,
        ),
        Action(
            "help.about",
            tr("About the workbench"),
            tr("See which versions of the workbench and its libraries run."),
            lambda window: window.guide.show_about(),
            (),
            "",
            "Help",
            90,
        ),
    )
