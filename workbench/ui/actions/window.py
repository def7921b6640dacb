"""More windows on the same session, and the layouts of their panels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.action import Action, Choices, Entry
from workbench.ui.commands.registry import Group
from workbench.ui.layouts import BUILT_IN

if TYPE_CHECKING:
    from workbench.ui.window import Window


def _layouts(window: Window) -> list[Entry]:
    built = [
        Entry(name, name, partial(window.layouts.choose, name), description)
        for name, (description, _) in BUILT_IN.items()
    ]
    return built + [
        Entry(f"own.{name}", name, partial(window.layouts.choose, name), "A layout that you saved.", section="Saved")
        for name in window.layouts.names
    ]


def _own(window: Window) -> list[Entry]:
    return [
        Entry(name, name, partial(window.layouts.delete, name), f"Forget the layout “{name}”.")
        for name in window.layouts.names
    ]


def _windows(window: Window) -> list[Entry]:
    return [
        Entry(
            str(number), f"{number}  {other.windowTitle()}", other.bring_to_front, "Bring this window to the front.",
            checked=other is window,
        )
        for number, other in enumerate(window.context.desk.windows, start=1)
    ]  # fmt: skip


class WindowActions(Group):
    key = "window"
    title = "Window"
    order = 50
    actions = (
        Action(
            "window.new", "New window",
            "Open another window on the same session, with panels and a layout of its own.",
            lambda window: window.open_another(), ("Ctrl+Shift+N",), "", "Window", 10,
        ),
        Action(
            "window.close", "Close window", "Close this window; the session ends with the last one.",
            lambda window: window.close(), ("Ctrl+W",), "", "Window", 11,
        ),
        Choices(
            "window.layout", "Layouts", "Arrange the panels as in a layout that is built in or was saved.",
            _layouts, "Layout: ", "", "Window", 20,
        ),
        Action(
            "window.save_layout", "Save layout as…", "Keep the arrangement of the panels under a name.",
            lambda window: window.ask_layout_name(), (), "", "Window", 21,
        ),
        Choices(
            "window.delete_layout", "Delete layout", "Forget a layout that was saved.", _own, "Delete layout: ",
            "", "Window", 22, "No layout was saved",
        ),
        Action(
            "window.reset_layout", "Reset layout", "Put every panel back to where it is at first.",
            lambda window: window.layouts.reset(), (), "", "Window", 23,
        ),
        Choices(
            "window.other", "Go to window", "Bring another window of this session to the front.", _windows,
            "Go to window: ", "", "Window", 30,
        ),
    )  # fmt: skip
