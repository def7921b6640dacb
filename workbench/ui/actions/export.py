"""Saving a figure or data of the panel in front."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.panel_kind import PANELS

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window

_KINDS = ("figure", "data", "copy")


def _of_front(kind: str, window: Window) -> str:
    """The key of the action with which the panel in front saves this kind of data, or ""."""
    front = window.front
    keys = []
    if front:
        keys = [action.key for action in PANELS[front].commands]
    wanted = {
        "figure": ("save_figure", "figure", "save_png"),
        "data": ("save_data", "data", "save_tsv"),
    }
    ends = wanted.get(kind, ("copy_data", "copy"))
    return next((key for end in ends for key in keys if key.endswith((f".{end}", f"_{end}"))), "")


def _run(kind: str, window: Window) -> None:
    window.commands.run(_of_front(kind, window))


def _why_not(kind: str, window: Window) -> str:
    key = _of_front(kind, window)
    if key:
        return window.commands.why_not(key)
    return tr("The active panel has nothing of this kind to save.")


class ExportActions(ActionGroup):
    """Export actions, also declared for menus of charts and tables."""

    key = "export"
    title = tr("Export")
    order = 15
    actions = (
        Action(
            "export.figure",
            tr("Save figure…"),
            tr("Save the active panel’s figure as PNG, SVG or PDF."),
            partial(_run, "figure"),
            ("Ctrl+E",),
            "export",
            "File",
            30,
            partial(_why_not, "figure"),
        ),
        Action(
            "export.data",
            tr("Save data…"),
            tr("Save the numbers behind the active panel’s figure as a table."),
            partial(_run, "data"),
            ("Ctrl+Shift+E",),
            "export",
            "File",
            31,
            partial(_why_not, "data"),
        ),
        Action(
            "export.copy",
            tr("Copy data"),
            tr("Copy the numbers behind the active panel’s figure to the clipboard."),
            partial(_run, "copy"),
            (),
            "",
            "File",
            32,
            partial(_why_not, "copy"),
        ),
    )
