"""Commands of every figure with axes, for its menu, the palette and the manual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.core.language import tr
from workbench.ui.base.action import set_action_key
from workbench.ui.base.plain_text import menu_text


class FigureExport(Protocol):
    """The exports of a figure."""

    def fill(self, menu: QMenu) -> None: ...


class Figure(Protocol):
    """A figure with axes, as far as its commands need it."""

    @property
    def export(self) -> FigureExport | None: ...
    def fit(self) -> None: ...
    def can_log(self, axis: str) -> bool: ...
    def is_log(self, axis: str) -> bool: ...
    def choose_log(self, axis: str, on: bool) -> None: ...
    def copy_picture(self) -> None: ...


@dataclass(frozen=True)
class FigureCommand:
    """A command of a figure. ``possible`` says whether it is available for a figure; ``checked`` is
    for commands that switch something on or off.
    """

    key: str
    text: str
    description: str
    run: Callable[[Figure], object]
    possible: Callable[[Figure], bool] = lambda figure: True
    checked: Callable[[Figure], bool] | None = None


def _log_command(axis: str, text: str, description: str) -> FigureCommand:
    return FigureCommand(
        f"figure.log_{axis}",
        text,
        description,
        lambda figure: figure.choose_log(axis, not figure.is_log(axis)),
        lambda figure: figure.can_log(axis),
        lambda figure: figure.is_log(axis),
    )


FIGURE_COMMANDS = (
    FigureCommand(
        "figure.fit",
        tr("Show everything"),
        tr("Show all data of the figure again, as a double click or Home does."),
        lambda figure: figure.fit(),
    ),
    _log_command("x", tr("Logarithmic x axis"), tr("Make the horizontal axis logarithmic.")),
    _log_command("y", tr("Logarithmic y axis"), tr("Make the vertical axis logarithmic.")),
    FigureCommand(
        "figure.copy",
        tr("Copy image"),
        tr("Copy the figure to the clipboard as an image."),
        lambda figure: figure.copy_picture(),
    ),
)


def fill_figure_menu(menu: QMenu, figure: Figure) -> None:
    """Add the commands of a figure to a menu, including those that save it."""
    for command in FIGURE_COMMANDS:
        if command.key == "figure.copy":
            menu.addSeparator()
        action = QAction(menu_text(command.text), menu)
        set_action_key(action, command.key)
        action.triggered.connect(partial(_run, command, figure))
        action.setEnabled(command.possible(figure))
        if command.checked is not None:
            action.setCheckable(True)
            action.setChecked(command.checked(figure))
        menu.addAction(action)
    if figure.export is not None:
        figure.export.fill(menu)


def _run(command: FigureCommand, figure: Figure, checked: bool = False) -> None:
    command.run(figure)
