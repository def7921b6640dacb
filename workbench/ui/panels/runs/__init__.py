"""Runs panel: table, filter, queue and grids of runs."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.base.panel_kind import PanelKind, PanelPage


class RunsKind(PanelKind):
    key = "runs"
    title = tr("Runs")
    synonyms = tr("models, trainings, experiments")
    area = "centre"
    workspaces = ("train", "evaluate")
    order = 55
    requests: ClassVar = {"grid": "show_results", "grid_plan": "plan_like"}
    fixed_pages = (
        PanelPage("table", tr("All runs")),
        PanelPage("queue", tr("Queue"), tr("waiting runs, queued runs")),
        PanelPage("grid", tr("Train a grid"), tr("grid search, hyperparameter search, sweep")),
        PanelPage("results", tr("Grid results")),
    )

    commands = (
        Action(
            key="runs.find",
            text=tr("Find runs"),
            description=tr("Filter the table of all runs."),
            run=lambda panel: panel.open_instrument(panel.runs),
        ),
        Action(
            key="runs.queue",
            text=tr("Show the queue"),
            description=tr("Show and reorder the current and queued runs."),
            run=lambda panel: panel.open_instrument(panel.queue),
        ),
        Action(
            key="runs.plan",
            text=tr("Train a grid…"),
            description=tr("Train every combination of hyperparameter values."),
            run=lambda panel: panel.open_instrument(panel.grid),
            menu="Run",
            place=12,
        ),
        Action(
            key="runs.results",
            text=tr("Show results of grids"),
            description=tr("Plot scores or losses of a grid by parameter."),
            run=lambda panel: panel.open_instrument(panel.results),
        ),
        Action(
            key="runs.pause_queue",
            text=tr("Pause the queue"),
            description=tr("Don’t start queued runs. The current run continues."),
            run=lambda panel: panel.queue.toggle_pause(),
            checked=lambda panel: panel.session.training.queue.paused,
            raises=False,
        ),
        Action(
            key="runs.cancel_queue",
            text=tr("Empty the queue"),
            description=tr("Remove all queued runs."),
            run=lambda panel: panel.queue.remove_all(),
            raises=False,
            why_not=lambda panel: (
                "" if panel.session.training.queue.waiting else tr("The queue is empty.")
            ),
        ),
        Action(
            key="runs.export",
            text=tr("Export the table of runs…"),
            description=tr("Save the table as CSV or TSV."),
            run=lambda panel: panel.runs.export.ask_data(),
            place=60,
        ),
    )
