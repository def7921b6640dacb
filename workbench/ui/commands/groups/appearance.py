"""Text size and motion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action, Choices, Declared, setting_entries
from workbench.ui.base.theme import MOTION, TEXT_SIZE, TEXT_SIZES
from workbench.ui.commands.registry import ActionGroup

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
            key="look.larger",
            text=tr("Larger text"),
            description=tr("Show all text one size larger, up to 200%."),
            run=partial(_step, 1),
            keys=("Ctrl++", "Ctrl+="),
            menu="View",
            place=31,
            why_not=partial(_no_step, 1),
        ),
        Action(
            key="look.smaller",
            text=tr("Smaller text"),
            description=tr("Show all text one size smaller, down to 80%."),
            run=partial(_step, -1),
            keys=("Ctrl+-",),
            menu="View",
            place=32,
            why_not=partial(_no_step, -1),
        ),
        Action(
            key="look.usual",
            text=tr("Reset text size"),
            description=tr("Show all text at its default size of 100%."),
            run=_reset,
            keys=("Ctrl+0",),
            menu="View",
            place=33,
            why_not=_usual,
        ),
        Choices(
            key="look.text_size",
            text=TEXT_SIZE.label,
            description=tr("Size of all text, from 80% to 200%."),
            entries=setting_entries(TEXT_SIZE),
            prompt=tr("Text size: "),
            menu="View",
            place=34,
        ),
        Choices(
            key="look.motion",
            text=MOTION.label,
            description=MOTION.hint,
            entries=setting_entries(MOTION),
            prompt=tr("Animation: "),
            menu="View",
            place=35,
        ),
    )
