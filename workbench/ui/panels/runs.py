"""Every run there is or will be: a table of all, the queue, grids of runs and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtGui import QAction, QShowEvent

from workbench.ui.panel import Context
from workbench.ui.widgets.grid_chart import GridChart
from workbench.ui.widgets.grid_view import GridView
from workbench.ui.widgets.instrument import Instrument, InstrumentPanel
from workbench.ui.widgets.queue_view import QueueView
from workbench.ui.widgets.runs_view import RunsView


class RunsPanel(InstrumentPanel):
    """Four instruments; which one is seen is remembered."""

    key = "runs"
    title = "Runs"
    area = "centre"
    order = 55
    remembers = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.runs = RunsView(self)
        self.queue = QueueView(self)
        self.grid = GridView(self)
        self.results = GridChart(self)
        self.put_instruments([self.runs, self.queue, self.grid, self.results])
        self.runs.grid_asked.connect(self.show_results)
        self.runs.scored.connect(self.results.take_scores)
        self.runs.plan_asked.connect(self.plan_like)
        self.grid.started.connect(self._grid_started)
        self.results.filter_asked.connect(self.show_group)
        self.follow(self.session.queue.changed, self._count_queue)
        self.show_body()

    def show_results(self, group: str) -> None:
        """The chart of a grid."""
        self.runs.read_scores()
        self._bring(self.results)
        self.results.show_group(group)

    def show_group(self, group: str) -> None:
        """The runs of a grid in the table."""
        self.runs.show_only(f"group:{group}")
        self._bring(self.runs)

    def plan_like(self, record: Any) -> None:
        """Plan a grid that begins with the settings of a run."""
        self._bring(self.grid)
        self.grid.offer(record)

    def panel_actions(self) -> list[QAction]:
        actions = []
        for text, instrument in (
            ("Find runs", self.runs),
            ("Show the queue", self.queue),
            ("Train a grid…", self.grid),
            ("Show results of grids", self.results),
        ):
            action = QAction(text, self)
            action.triggered.connect(partial(self.open_instrument, instrument))
            actions.append(action)
        pause = QAction("Pause or go on with the queue", self)
        pause.triggered.connect(lambda _=False: self.queue.toggle_pause())
        export = QAction("Export the runs…", self)
        export.triggered.connect(lambda _=False: self.runs.export.ask_data())
        return [*actions, pause, export]

    def open_instrument(self, instrument: Instrument, checked: bool = False) -> None:
        """Bring one to the front, with the panel; the filter of the table takes the keys."""
        self.raise_requested.emit()
        self._bring(instrument)
        if instrument is self.runs:
            self.runs.filter.setFocus()

    def restore_state(self, kept: Mapping[str, Any]) -> None:
        self.runs.restore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count_queue()

    def _bring(self, instrument: Instrument) -> None:
        self.instruments.show_instrument(instrument.local)

    def _grid_started(self, group: str) -> None:
        """What was asked for is seen in the table, where it can be followed."""
        self.show_group(group)

    def _count_queue(self) -> None:
        waiting = len(self.session.queue.waiting)
        button = self.instruments.buttons[self.instruments.all.index(self.queue)]
        text = f"Queue ({waiting})" if waiting else "Queue"
        text += " ⏸" if self.session.queue.paused else ""
        if button.text() != text:
            button.setText(text)
