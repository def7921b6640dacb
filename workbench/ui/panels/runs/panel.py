"""The Runs panel: the table of all runs, the queue, grids and their results."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QShowEvent

from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_state import choice
from workbench.ui.panels.runs import RunsKind
from workbench.ui.panels.runs.grid_chart import GridChart
from workbench.ui.panels.runs.grid_view import GridView
from workbench.ui.panels.runs.queue_view import QueueView
from workbench.ui.panels.runs.runs_view import RunsView
from workbench.ui.widgets.layout.panel_tab import Instrument, InstrumentPanel, PageState

_PAGE = Setting("runs.shown", str, "")


@dataclass(frozen=True)
class RunsState(PageState):
    page: str = choice(setting=_PAGE)


class RunsPanel(RunsKind, InstrumentPanel):
    """Four pages; the current one is remembered."""

    state_kind = RunsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.runs = RunsView(self)
        self.queue = QueueView(self)
        self.grid = GridView(self)
        self.results = GridChart(self)
        self.put_instruments([self.runs, self.queue, self.grid, self.results])
        self.runs.scored.connect(self.results.take_scores)
        self.grid.started.connect(self._grid_started)
        self.results.filter_asked.connect(self.show_group)
        self.follow(self.session.training.queue.changed, self._count_queue)
        self.show_body()

    def show_results(self, group: str) -> None:
        """Show the chart of a grid."""
        self.runs.read_scores()
        self._show_instrument(self.results)
        self.results.show_group(group)

    def show_group(self, group: str) -> None:
        """Show the runs of a grid in the table."""
        self.runs.show_only(f'group="{group}"')
        self._show_instrument(self.runs)

    def plan_like(self, record: RunRecord) -> None:
        """Plan a grid that starts with the settings of a run."""
        self._show_instrument(self.grid)
        self.grid.offer(record)

    def open_instrument(self, instrument: Instrument) -> None:
        """Show a page; in the table, focus the filter."""
        self._show_instrument(instrument)
        if instrument is self.runs:
            self.runs.filter.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count_queue()

    def _show_instrument(self, instrument: Instrument) -> None:
        self.instruments.show_instrument(instrument.local)

    def _grid_started(self, group: str) -> None:
        """Show the new runs in the table."""
        self.show_group(group)

    def _count_queue(self) -> None:
        waiting = len(self.session.training.queue.waiting)
        button = self.instruments.buttons[self.instruments.all.index(self.queue)]
        text = tr("Queue ({waiting})", waiting=waiting) if waiting else tr("Queue")
        if self.session.training.queue.paused:
            text += " ⏸"
        if button.text() != text:
            button.setText(text)
