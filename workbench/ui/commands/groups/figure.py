"""Zooming and other ways to view the figure with the focus, or else the first one of the panel in
front.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.plots.menu import FIGURE_COMMANDS, FigureCommand

if TYPE_CHECKING:
    from workbench.ui.plots.view import FigureView
    from workbench.ui.shell.window import Window


def _figure(window: Window) -> FigureView | None:
    # A window opens without figures, and pyqtgraph takes long to import.
    from workbench.ui.plots.view import FigureView

    focused = QApplication.focusWidget()
    if isinstance(focused, FigureView):
        return focused
    if not window.front or not window.docks[window.front].is_made:
        return None
    figures = window.docks[window.front].panel.findChildren(FigureView)
    return next((figure for figure in figures if figure.isVisible()), None)


def _run(command: FigureCommand, window: Window) -> None:
    figure = _figure(window)
    if figure is not None:
        command.run(figure)


def _why_not(command: FigureCommand, window: Window) -> str:
    figure = _figure(window)
    if figure is None:
        return tr("The active panel has no figure with axes.")
    if not command.possible(figure):
        return tr("The data of this figure can’t be shown on a logarithmic axis.")
    return ""


def _is_checked(command: FigureCommand, window: Window) -> bool:
    figure = _figure(window)
    if figure is None or command.checked is None:
        return False
    return command.checked(figure)


def _declared(command: FigureCommand) -> Action:
    checked = None if command.checked is None else partial(_is_checked, command)
    return Action(
        key=command.key,
        text=command.text,
        description=command.description,
        run=partial(_run, command),
        why_not=partial(_why_not, command),
        checked=checked,
    )


class FigureActions(ActionGroup):
    """Figure actions, also declared for menus of figures."""

    key = "figure"
    title = tr("Figure")
    order = 16
    actions = tuple(_declared(command) for command in FIGURE_COMMANDS)
