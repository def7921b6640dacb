"""Runs panel: table, filter, queue and grids of runs."""

from __future__ import annotations

from typing import ClassVar

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.panel_kind import PanelKind, PanelPage


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
            "runs.find",
            tr("Find runs"),
            tr("Filter the table of all runs."),
            lambda panel: panel.open_instrument(panel.runs),
        ),
        Action(
            "runs.queue",
            tr("Show the queue"),
            tr("Show and reorder the current and queued runs."),
            lambda panel: panel.open_instrument(panel.queue),
        ),
        Action(
            "runs.plan",
            tr("Train a grid…"),
            tr("Train every combination of hyperparameter values."),
            lambda panel: panel.open_instrument(panel.grid),
            menu="Run",
            place=12,
        ),
        Action(
            "runs.results",
            tr("Show results of grids"),
            tr("Plot scores or losses of a grid by parameter."),
            lambda panel: panel.open_instrument(panel.results),
        ),
        Action(
            "runs.pause_queue",
            tr("Pause the queue"),
            tr("Don’t start queued runs. The current run continues."),
            lambda panel: panel.queue.toggle_pause(),
            checked=lambda panel: panel.session.training.queue.paused,
            raises=False,
        ),
        Action(
            "runs.cancel_queue",
            tr("Empty the queue"),
            tr("Remove all queued runs."),
            lambda panel: panel.queue.remove_all(),
            raises=False,
            why_not=lambda panel: (
                "" if panel.session.training.queue.waiting else tr("The queue is empty.")
            ),
        ),
        Action(
            "runs.export",
            tr("Export the table of runs…"),
            tr("Save the table as CSV or TSV."),
            lambda panel: panel.runs.export.ask_data(),
            place=60,
        ),
    )
