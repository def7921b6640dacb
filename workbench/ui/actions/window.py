"""More windows on the same session, and the layouts of their panels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.action import Action, ChoiceEntry, Choices
from workbench.ui.commands.registry import ActionGroup

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _layouts(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            f"own.{name}",
            name,
            partial(window.layouts.choose, name),
            tr("A layout that you saved."),
        )
        for name in window.layouts.names
    ]


def _deletable_layouts(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            name,
            name,
            partial(window.layouts.delete, name),
            tr("Forget the layout “{name}”.", name=name),
        )
        for name in window.layouts.names
    ]


def _windows(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            str(number),
            f"{number}  {other.windowTitle()}",
            other.bring_to_front,
            tr("Bring this window to the front."),
            checked=other is window,
        )
        for number, other in enumerate(window.context.desk.windows, start=1)
    ]


class WindowActions(ActionGroup):
    key = "window"
    title = tr("Window")
    order = 50
    actions = (
        Action(
            "window.new",
            tr("New window"),
            tr("Open another window on the same session, with panels and a layout of its own."),
            lambda window: window.open_another(),
            ("Ctrl+Shift+N",),
            "",
            "Window",
            10,
        ),
        Action(
            "window.close",
            tr("Close window"),
            tr("Close this window; the session ends with the last one."),
            lambda window: window.close(),
            ("Ctrl+W",),
            "",
            "Window",
            11,
        ),
        Choices(
            "window.layout",
            tr("Layouts"),
            tr("Arrange the panels as in a layout that was saved."),
            _layouts,
            tr("Layout: "),
            "",
            "Window",
            20,
            tr("No layout was saved"),
        ),
        Action(
            "window.save_layout",
            tr("Save layout as…"),
            tr("Keep the arrangement of the panels under a name."),
            lambda window: window.ask_layout_name(),
            (),
            "",
            "Window",
            21,
        ),
        Choices(
            "window.delete_layout",
            tr("Delete layout"),
            tr("Forget a layout that was saved."),
            _deletable_layouts,
            tr("Delete layout: "),
            "",
            "Window",
            22,
            tr("No layout was saved"),
        ),
        Action(
            "window.reset_layout",
            tr("Reset this workspace"),
            tr("Put every panel of the workspace back to where it is at first."),
            lambda window: window.layouts.reset(),
            (),
            "",
            "Window",
            23,
        ),
        Choices(
            "window.other",
            tr("Go to window"),
            tr("Bring another window of this session to the front."),
            _windows,
            tr("Go to window: "),
            "",
            "Window",
            30,
        ),
    )
