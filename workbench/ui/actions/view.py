"""Showing and hiding panels, and the theme."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from workbench.core.language import tr, trc
from workbench.ui.action import (
    Action,
    ChoiceEntry,
    Choices,
    Declared,
    of_menu,
    setting_entries,
)
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.shell.workspaces import WORKSPACES, Workspace
from workbench.ui.theme import THEME

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _panels(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key,
            dock.kind.title,
            partial(window.raise_panel, key),
            tr("Show the panel {title}.", title=dock.kind.title),
            synonyms=dock.kind.synonyms,
        )
        for key, dock in window.docks.items()
    ]


def _pages(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            f"{key}.{page.key}",
            f"{dock.kind.title}: {page.title}",
            partial(window.raise_page, key, page.key),
            tr("Show this page of the panel {title}.", title=dock.kind.title),
            synonyms=page.synonyms,
        )
        for key, dock in window.docks.items()
        for page in dock.pages
    ]


def _panel_entries(window: Window) -> list[ChoiceEntry]:
    return [
        ChoiceEntry(
            key,
            dock.kind.title,
            dock.toggleViewAction().trigger,
            tr("Open or close the panel {title}.", title=dock.kind.title),
            checked=not dock.isHidden(),
        )
        for key, dock in window.docks.items()
    ]


def _workspace_action(number: int, workspace: Workspace) -> Action:
    return Action(
        f"view.workspace.{workspace.key}",
        tr("Workspace {title}", title=workspace.title),
        tr("Show the panels of the workspace {title}.", title=workspace.title),
        lambda window: window.layouts.show_workspace(workspace.key),
        (f"Ctrl+{number}",),
        "",
        "View",
        number,
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
            "view.panel",
            tr("Go to panel"),
            tr("Show a panel and move the focus to it."),
            _panels,
            tr("Go to "),
            "",
            "View",
            10,
        ),
        Choices(
            "view.page",
            tr("Go to page"),
            tr("Show a page of a panel and move the focus to it."),
            _pages,
            trc("page", "Go to "),
            "",
            "View",
            11,
        ),
        Choices(
            "view.shown",
            tr("Open panels"),
            tr("Show or hide panels."),
            _panel_entries,
            tr("Open or close "),
            "",
            "View",
            12,
            exclusive=False,
        ),
        Choices(
            "view.run",
            tr("Active run"),
            tr("Choose the run that all panels show."),
            of_menu(lambda window: window.top.run.run_menu),
            tr("Show run "),
            "",
            "View",
            13,
            tr("No run has vectors yet"),
        ),
        Action(
            "view.next_tab",
            tr("Next tab"),
            tr("Show the next tab of the central area."),
            partial(_step, 1),
            ("Ctrl+PgDown",),
            "",
            "View",
            20,
        ),
        Action(
            "view.previous_tab",
            tr("Previous tab"),
            tr("Show the previous tab of the central area."),
            partial(_step, -1),
            ("Ctrl+PgUp",),
            "",
            "View",
            21,
        ),
        Choices(
            "view.theme",
            THEME.label,
            tr("Colours of the window: light, dark or the system default."),
            setting_entries(THEME),
            tr("Theme: "),
            "",
            "View",
            30,
        ),
        Choices(
            "view.choice",
            tr("Choose view contents"),
            tr("Choose which runs, columns or sets of questions a view shows."),
            lambda window: (),
            place=90,
            exclusive=False,
        ),
        *(_workspace_action(*numbered) for numbered in enumerate(WORKSPACES, 1)),
    )
