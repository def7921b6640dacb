"""Further windows on the same session, and the layouts of their panels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.base.action import Action, ChoiceEntry, Choices
from workbench.ui.commands.registry import ActionGroup

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _layouts(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=f"own.{name}",
            text=name,
            run=partial(window.layouts.choose, name),
            description=tr("A layout that you saved."),
        )
        for name in window.layouts.names
    ]


def _deletable_layouts(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=name,
            text=name,
            run=partial(window.layouts.delete, name),
            description=tr("Delete the layout “{name}”.", name=name),
        )
        for name in window.layouts.names
    ]


def _windows(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=str(number),
            text=f"{number}  {other.windowTitle()}",
            run=other.bring_to_front,
            description=tr("Switch to this window."),
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
            key="window.new",
            text=tr("New window"),
            description=tr("Open a window with its own text, selection and training."),
            run=lambda window: window.open_another(),
            keys=("Ctrl+Shift+N",),
            menu="Window",
            place=9,
        ),
        Action(
            key="window.view",
            text=tr("New view"),
            description=tr(
                "Open a second window on this text and these runs, with its own panels."
            ),
            run=lambda window: window.open_view(),
            menu="Window",
            place=10,
        ),
        Action(
            key="window.close",
            text=tr("Close window"),
            description=tr("Close this window. Closing the last window quits the program."),
            run=lambda window: window.close(),
            keys=("Ctrl+W",),
            menu="Window",
            place=11,
        ),
        Choices(
            key="window.layout",
            text=tr("Layouts"),
            description=tr("Arrange the panels as in a saved layout."),
            entries=_layouts,
            prompt=tr("Layout: "),
            menu="Window",
            place=20,
            empty=tr("No saved layouts"),
        ),
        Action(
            key="window.save_layout",
            text=tr("Save layout as…"),
            description=tr("Save the arrangement of the panels under a name."),
            run=lambda window: window.ask_layout_name(),
            menu="Window",
            place=21,
        ),
        Choices(
            key="window.delete_layout",
            text=tr("Delete layout"),
            description=tr("Delete a saved layout."),
            entries=_deletable_layouts,
            prompt=tr("Delete layout: "),
            menu="Window",
            place=22,
            empty=tr("No saved layouts"),
        ),
        Action(
            key="window.reset_layout",
            text=tr("Reset this workspace"),
            description=tr("Move every panel of this workspace back to its default position."),
            run=lambda window: window.layouts.reset(),
            menu="Window",
            place=23,
        ),
        Choices(
            key="window.other",
            text=tr("Go to window"),
            description=tr("Switch to another window of this session."),
            entries=_windows,
            prompt=tr("Go to window: "),
            menu="Window",
            place=30,
        ),
    )
