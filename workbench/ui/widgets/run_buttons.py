"""Buttons for what can be done with the runs that are selected in a list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QPushButton

from workbench.ui.action import Action
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.subjects import RunTarget
from workbench.ui.plain_text import menu_text, safe_tip
from workbench.ui.theme import SPACE_1
from workbench.ui.widgets.bar import Bar

# Of the commands on runs, those that are in sight.
_BUTTONS = ("run.show", "run.compare", "run.again", "run.settings", "run.delete")


class RunButtons(Bar):
    """A row of them. What cannot be done with the target as it is now is disabled, and its tooltip says why."""

    def __init__(self, named: Callable[[QPushButton, str, str], QPushButton], target: Callable[[], RunTarget]) -> None:
        super().__init__(gap=SPACE_1)
        self._target = target
        self.by_key: dict[str, QPushButton] = {}
        declared = {action.key: action for action in GROUPS["run"].actions}
        self._actions = [action for key in _BUTTONS if isinstance(action := declared[key], Action)]
        for action in self._actions:
            button = named(QPushButton(menu_text(action.text)), action.key.partition(".")[2], action.text)
            button.setProperty("role", "quiet")
            button.clicked.connect(partial(self._do, action))
            self.by_key[action.key] = button
            self.addWidget(button)

    def refresh(self) -> None:
        """Other runs are selected, or something else is true of them."""
        target = self._target()
        for action in self._actions:
            button, reason = self.by_key[action.key], action.why_not(target)
            if button.isEnabled() is bool(reason):
                button.setEnabled(not reason)
            keys = target.context.desk.shortcuts.of(action.key)
            tip = f"{action.description}{f' ({keys[0]})' if keys else ''} {reason}".strip()
            if button.toolTip() != tip:
                button.setToolTip(safe_tip(tip))

    def _do(self, action: Action, checked: bool = False) -> None:
        target = self._target()
        if not action.why_not(target):
            action.run(target)
