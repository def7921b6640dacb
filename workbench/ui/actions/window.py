"""Further windows on the same session, and the layouts of their panels."""

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
            tr("Delete the layout “{name}”.", name=name),
        )
        for name in window.layouts.names
    ]


def _windows(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            str(number),
            f"{number}  {other.windowTitle()}",
            other.bring_to_front,
            tr("Switch to this window."),
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
            tr("Open a window with its own text, selection and training."),
            lambda window: window.open_another(),
            ("Ctrl+Shift+N",),
            "",
            "Window",
            9,
        ),
        Action(
            "window.view",
            tr("New view"),
            tr("Open a second window on this text and these runs, with its own panels."),
            lambda window: window.open_view(),
            (),
            "",
            "Window",
            10,
        ),
        Action(
            "window.close",
            tr("Close window"),
            tr("Close this window. Closing the last window quits the program."),
            lambda window: window.close(),
            ("Ctrl+W",),
            "",
            "Window",
            11,
        ),
        Choices(
            "window.layout",
            tr("Layouts"),
            tr("Arrange the panels as in a saved layout."),
            _layouts,
            tr("Layout: "),
            "",
            "Window",
            20,
            tr("No saved layouts"),
        ),
        Action(
            "window.save_layout",
            tr("Save layout as…"),
            tr("Save the arrangement of the panels under a name."),
            lambda window: window.ask_layout_name(),
            (),
            "",
            "Window",
            21,
        ),
        Choices(
            "window.delete_layout",
            tr("Delete layout"),
            tr("Delete a saved layout."),
            _deletable_layouts,
            tr("Delete layout: "),
            "",
            "Window",
            22,
            tr("No saved layouts"),
        ),
        Action(
            "window.reset_layout",
            tr("Reset this workspace"),
            tr("Move every panel of this workspace back to its default position."),
            lambda window: window.layouts.reset(),
            (),
            "",
            "Window",
            23,
        ),
        Choices(
            "window.other",
            tr("Go to window"),
            tr("Switch to another window of this session."),
            _windows,
            tr("Go to window: "),
            "",
            "Window",
            30,
        ),
    )
