"""Showing and hiding panels, and the theme."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.core.language import tr, trc
from workbench.ui.base.action import (
    Action,
    ChoiceEntry,
    Choices,
    Declared,
    of_menu,
    setting_entries,
)
from workbench.ui.base.theme import THEME
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.shell.workspaces import WORKSPACES, Workspace

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _panels(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=key,
            text=dock.kind.title,
            run=partial(window.raise_panel, key),
            description=tr("Show the panel {title}.", title=dock.kind.title),
            synonyms=dock.kind.synonyms,
        )
        for key, dock in window.docks.items()
    ]


def _pages(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=f"{key}.{page.key}",
            text=f"{dock.kind.title}: {page.title}",
            run=partial(window.raise_page, key, page.key),
            description=tr("Show this page of the panel {title}.", title=dock.kind.title),
            synonyms=page.synonyms,
        )
        for key, dock in window.docks.items()
        for page in dock.pages
    ]


def _panel_entries(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key=key,
            text=dock.kind.title,
            run=dock.toggleViewAction().trigger,
            description=tr("Open or close the panel {title}.", title=dock.kind.title),
            checked=not dock.isHidden(),
        )
        for key, dock in window.docks.items()
    ]


def _workspace_action(number: int, workspace: Workspace) -> Action:
    return Action(
        key=f"view.workspace.{workspace.key}",
        text=tr("Workspace {title}", title=workspace.title),
        description=tr("Show the panels of the workspace {title}.", title=workspace.title),
        run=lambda window: window.layouts.show_workspace(workspace.key),
        keys=(f"Ctrl+{number}",),
        menu="View",
        place=number,
    )


def _step(by: int, window: Window) -> None:
    docks = [dock for dock in window.layouts.area("centre") if not dock.isHidden()]
    front = next((at for at, dock in enumerate(docks) if not dock.visibleRegion().isEmpty()), 0)
    if docks:
        window.raise_panel(docks[(front + by) % len(docks)].kind.key)


class ViewActions(ActionGroup):
    key = "view"
    title = tr("View")
    order = 30
    actions: ClassVar[tuple[Declared, ...]] = (
        Choices(
            key="view.panel",
            text=tr("Go to panel"),
            description=tr("Show a panel and move the focus to it."),
            entries=_panels,
            prompt=tr("Go to "),
            menu="View",
            place=10,
        ),
        Choices(
            key="view.page",
            text=tr("Go to page"),
            description=tr("Show a page of a panel and move the focus to it."),
            entries=_pages,
            prompt=trc("page", "Go to "),
            menu="View",
            place=11,
        ),
        Choices(
            key="view.shown",
            text=tr("Open panels"),
            description=tr("Show or hide panels."),
            entries=_panel_entries,
            prompt=tr("Open or close "),
            menu="View",
            place=12,
            exclusive=False,
        ),
        Choices(
            key="view.run",
            text=tr("Active run"),
            description=tr("Choose the run that all panels show."),
            entries=of_menu(lambda window: window.top.run.run_menu),
            prompt=tr("Show run "),
            menu="View",
            place=13,
            empty=tr("No run has vectors yet"),
        ),
        Action(
            key="view.next_tab",
            text=tr("Next tab"),
            description=tr("Show the next tab of the central area."),
            run=partial(_step, 1),
            keys=("Ctrl+PgDown",),
            menu="View",
            place=20,
        ),
        Action(
            key="view.previous_tab",
            text=tr("Previous tab"),
            description=tr("Show the previous tab of the central area."),
            run=partial(_step, -1),
            keys=("Ctrl+PgUp",),
            menu="View",
            place=21,
        ),
        Choices(
            key="view.theme",
            text=THEME.label,
            description=tr("Colours of the window: light, dark or the system default."),
            entries=setting_entries(THEME),
            prompt=tr("Theme: "),
            menu="View",
            place=30,
        ),
        Choices(
            key="view.choice",
            text=tr("Choose view contents"),
            description=tr("Choose which runs, columns or sets of questions a view shows."),
            entries=lambda window: (),
            place=90,
            exclusive=False,
        ),
        *(_workspace_action(*numbered) for numbered in enumerate(WORKSPACES, 1)),
    )
