"""Saving a figure or data of the panel in front."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.exporter import Exporter, What
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.commands.registry import ActionGroup

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _of_front(kind: What, window: Window) -> Exporter | None:
    """What the panel in front saves in this way: the view with the focus, or else the first one."""
    dock = window.docks.get(window.front)
    if dock is None or not dock.is_made:
        return None
    offers = [each for each in dock.panel.exporters() if each.offers(kind)]
    focused = QApplication.focusWidget()
    here = (each for each in offers if each.owner is not dock.panel and _holds(each.owner, focused))
    return next(here, next(iter(offers), None))


def _holds(owner: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (owner is focused or owner.isAncestorOf(focused))


def _run(kind: What, window: Window) -> None:
    found = _of_front(kind, window)
    if found is not None:
        found.ask(kind)


def _why_not(kind: What, window: Window) -> str:
    if _of_front(kind, window) is not None:
        return ""
    if not window.front:
        return tr("No panel is open.")
    title = PANELS[window.front].title
    if kind == "figure":
        return tr("{panel} shows no figure that can be saved.", panel=title)
    return tr("{panel} shows no data that can be saved.", panel=title)


class ExportActions(ActionGroup):
    """Export actions, also declared for menus of charts and tables."""

    key = "export"
    title = tr("Export")
    order = 15
    actions = (
        Action(
            key="export.figure",
            text=tr("Save figure…"),
            description=tr("Save the active panel’s figure as PNG, SVG or PDF."),
            run=partial(_run, "figure"),
            keys=("Ctrl+E",),
            icon="export",
            menu="File",
            place=30,
            why_not=partial(_why_not, "figure"),
        ),
        Action(
            key="export.data",
            text=tr("Save data…"),
            description=tr("Save the numbers behind the active panel’s figure as a table."),
            run=partial(_run, "data"),
            keys=("Ctrl+Shift+E",),
            icon="export",
            menu="File",
            place=31,
            why_not=partial(_why_not, "data"),
        ),
        Action(
            key="export.copy",
            text=tr("Copy data"),
            description=tr("Copy the numbers behind the active panel’s figure to the clipboard."),
            run=partial(_run, "copy"),
            menu="File",
            place=32,
            why_not=partial(_why_not, "copy"),
        ),
    )
