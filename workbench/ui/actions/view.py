"""Panels, brought to the front or put away, and the theme."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.ui.action import Action, Choices, Declared, Entry
from workbench.ui.commands.registry import Group

if TYPE_CHECKING:
    from workbench.ui.window import Window

_TABS = 9


def _panels(window: Window) -> list[Entry]:
    return [
        Entry(
            key, dock.kind.title, partial(window.raise_panel, key), f"Bring the panel {dock.kind.title} to the front."
        )
        for key, dock in window.docks.items()
    ]


def _shown(window: Window) -> list[Entry]:
    return [
        Entry(
            key, dock.kind.title, dock.toggleViewAction().trigger,
            f"Open the panel {dock.kind.title}, or close it.", checked=not dock.isHidden(),
        )
        for key, dock in window.docks.items()
    ]  # fmt: skip


def _themes(window: Window) -> list[Entry]:
    now = window.context.theme.choice
    texts = {"system": "As the system", "light": "Light", "dark": "Dark"}
    return [
        Entry(choice, text, partial(window.choose_theme, choice), f"Colours: {text.lower()}.", checked=choice == now)
        for choice, text in texts.items()
    ]


def _raise_tab(number: int, window: Window) -> None:
    window.raise_panel(window.layouts.area("centre")[number - 1].kind.key)


def _no_tab(number: int, window: Window) -> str:
    return "" if len(window.layouts.area("centre")) >= number else f"There are fewer than {number} tabs."


def _tab(number: int) -> Action:
    return Action(
        f"view.tab{number}", f"Go to tab {number}", f"Bring tab {number} of the centre to the front.",
        partial(_raise_tab, number), (f"Ctrl+{number}",), why_not=partial(_no_tab, number),
    )  # fmt: skip


def _step(by: int, window: Window) -> None:
    docks = [dock for dock in window.layouts.area("centre") if not dock.isHidden()]
    front = next((at for at, dock in enumerate(docks) if not dock.visibleRegion().isEmpty()), 0)
    if docks:
        window.raise_panel(docks[(front + by) % len(docks)].kind.key)


class ViewActions(Group):
    key = "view"
    title = "View"
    order = 30
    actions: ClassVar[tuple[Declared, ...]] = (
        Choices(
            "view.panel", "Go to panel", "Bring a panel to the front and give it the focus.", _panels, "Go to ",
            "", "View", 10,
        ),
        Choices(
            "view.shown", "Open panels", "Which panels are open; closed ones come back with their tick.", _shown,
            "Open or close ", "", "View", 11, exclusive=False,
        ),
        Action(
            "view.next_tab", "Next tab", "Bring the next tab of the centre to the front.", partial(_step, 1),
            ("Ctrl+PgDown",), "", "View", 20,
        ),
        Action(
            "view.previous_tab", "Previous tab", "Bring the tab before to the front.", partial(_step, -1),
            ("Ctrl+PgUp",), "", "View", 21,
        ),
        Choices(
            "view.theme", "Theme", "The colours of the window: light, dark, or as the system has it.", _themes,
            "Theme: ", "", "View", 30,
        ),
        Choices(
            "view.choice",
            "What a view shows",
            "Which runs, columns or sets of questions are shown, ticked in the menu of its button.",
            lambda window: (),
            place=90,
            exclusive=False,
        ),
        *(_tab(number) for number in range(1, _TABS + 1)),
    )  # fmt: skip
