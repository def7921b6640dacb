"""How large text is, and whether things move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action, ChoiceEntry, Choices, Declared
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.theme import TEXT_SIZES

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window

TEXT_SIZE, MOTION = "text_size", "motion"
_MOTIONS = {
    "system": (tr("As the system"), tr("Move where the desktop does not ask for less motion.")),
    "on": (tr("On"), tr("Show where points go when a map changes.")),
    "off": (tr("Off"), tr("Show at once how things stand.")),
}


def _keep(window: Window) -> None:
    window.session.settings.set(TEXT_SIZE, window.context.theme.text_size)


def _choose(percent: int, window: Window) -> None:
    window.context.theme.choose_text_size(percent)
    _keep(window)


def _step(steps: int, window: Window) -> None:
    window.context.theme.step_text_size(steps)
    _keep(window)


def _no_step(steps: int, window: Window) -> str:
    last = TEXT_SIZES[-1 if steps > 0 else 0]
    if window.context.theme.text_size == last:
        return tr("Text has {last} % already.", last=last)
    return ""


def _usual(window: Window) -> str:
    if window.context.theme.text_size == 100:
        return tr("Text has its usual size.")
    return ""


def _sizes(window: Window) -> list[ChoiceEntry]:
    now = window.context.theme.text_size
    return [
        ChoiceEntry(
            str(size),
            f"{size} %",
            partial(_choose, size, window),
            tr("Show all text at {size} % of its usual size.", size=size),
            checked=size == now,
        )
        for size in TEXT_SIZES
    ]


def _choose_motion(choice: str, window: Window) -> None:
    window.context.theme.choose_motion(choice)
    window.session.settings.set(MOTION, choice)


def _motions(window: Window) -> list[ChoiceEntry]:
    now = window.context.theme.motion_choice
    return [
        ChoiceEntry(
            choice, text, partial(_choose_motion, choice, window), told, checked=choice == now
        )
        for choice, (text, told) in _MOTIONS.items()
    ]


class LookActions(ActionGroup):
    key = "look"
    title = tr("Look")
    order = 35
    actions: ClassVar[tuple[Declared, ...]] = (
        Action(
            "look.larger",
            tr("Larger text"),
            tr("Show all text one size larger, up to 200 %."),
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
            tr("Show all text one size smaller, down to 80 %."),
            partial(_step, -1),
            ("Ctrl+-",),
            "",
            "View",
            32,
            partial(_no_step, -1),
        ),
        Action(
            "look.usual",
            tr("Usual size of text"),
            tr("Show all text at 100 % again."),
            partial(_choose, 100),
            ("Ctrl+0",),
            "",
            "View",
            33,
            _usual,
        ),
        Choices(
            "look.text_size",
            tr("Text size"),
            tr("How large all text is, from 80 to 200 %."),
            _sizes,
            tr("Text size: "),
            "",
            "View",
            34,
        ),
        Choices(
            "look.motion",
            tr("Motion"),
            tr("Whether points move when a map changes, or stand at once where they belong."),
            _motions,
            tr("Motion: "),
            "",
            "View",
            35,
        ),
    )
