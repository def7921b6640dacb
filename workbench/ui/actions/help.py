"""What keys there are, and what this program is."""

from __future__ import annotations

from workbench.ui.action import Action
from workbench.ui.commands.registry import Group


class HelpActions(Group):
    key = "help"
    title = "Help"
    order = 90
    actions = (
        Action(
            "help.shortcuts", "Keyboard shortcuts", "See the keys of every action, and change them.",
            lambda window: window.open_preferences("shortcuts"), ("F1",), "", "Help", 20,
        ),
        Action(
            "help.about", "About the workbench", "See which versions of the workbench and its libraries run.",
            lambda window: window.guide.show_about(), (), "", "Help", 90,
        ),
    )  # fmt: skip
