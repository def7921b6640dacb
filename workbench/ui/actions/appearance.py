"""Text size and motion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action, Choices, Declared, setting_entries
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.theme import MOTION, TEXT_SIZE, TEXT_SIZES

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _step(steps: int, window: Window) -> None:
    window.session.settings[TEXT_SIZE] = window.context.theme.text_size_after(steps)


def _reset(window: Window) -> None:
    window.session.settings[TEXT_SIZE] = TEXT_SIZE.default


def _no_step(steps: int, window: Window) -> str:
    last = TEXT_SIZES[-1 if steps > 0 else 0]
    if window.context.theme.text_size == last:
        return tr("The text size is already {last}%.", last=last)
    return ""


def _usual(window: Window) -> str:
    if window.context.theme.text_size == 100:
        return tr("The text already has its default size.")
    return ""


class LookActions(ActionGroup):
    key = "look"
    title = tr("Appearance")
    order = 35
    actions: ClassVar[tuple[Declared, ...]] = (
        Action(
            "look.larger",
            tr("Larger text"),
            tr("Show all text one size larger, up to 200%."),
            partial(_step, 1),
            ("Ctrl++", "Ctrl+="),
            "",
            "View",
            31,
            partial(_no_step, 1),
        ),
        Action(
            "look.smaller",
            tr("Smaller text"),
            tr("Show all text one size smaller, down to 80%."),
            partial(_step, -1),
            ("Ctrl+-",),
            "",
            "View",
            32,
            partial(_no_step, -1),
        ),
        Action(
            "look.usual",
            tr("Reset text size"),
            tr("Show all text at its default size of 100%."),
            _reset,
            ("Ctrl+0",),
            "",
            "View",
            33,
            _usual,
        ),
        Choices(
            "look.text_size",
            TEXT_SIZE.label,
            tr("Size of all text, from 80% to 200%."),
            setting_entries(TEXT_SIZE),
            tr("Text size: "),
            "",
            "View",
            34,
        ),
        Choices(
            "look.motion",
            MOTION.label,
            MOTION.hint,
            setting_entries(MOTION),
            tr("Animation: "),
            "",
            "View",
            35,
        ),
    )
