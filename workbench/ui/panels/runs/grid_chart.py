"""The results of a grid: score or loss against one of its parameters, a line for every combination of the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from workbench.core.language import tr, trc
from workbench.core.table_export import Cell
from workbench.models.base import MODELS
from workbench.session.runs.facts import ScoreColumn, facts
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.grid import axes_of, standing
from workbench.session.training.grid_results import SEED, GridLine, Point, by_parameter
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel
from workbench.ui.text import decimal, plural
from workbench.ui.theme import SPACE_2
from workbench.ui.widgets.charts.chart import Chart, ChartSeries, chart_csv
from workbench.ui.widgets.charts.chart_view import ChartView
from workbench.ui.widgets.charts.export_actions import Export, csv
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.inputs.form import label_of
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.panel_tab import Instrument

_LOSS = "loss"


class GridChart(Instrument):
    """``filter_asked(group)``: somebody wants its runs in the table."""

    local = "results"
    title = tr("Grid results")

    filter_asked = Signal(str)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._scores: dict[str, dict[str, Cell]] = {}
        self._columns: list[ScoreColumn] = []
        self._last: tuple[object, ...] = ()
        self._filling = False
        self.group = self.named(ChoiceBox(), "group", tr("Grid"), tr("Whose runs are shown"))
        self.along = self.named(ChoiceBox(), "along", tr("Along"), tr("The parameter on the axis"))
        self.measure = self.named(
            ChoiceBox(),
            "measure",
            trc("noun", "Measure"),
            tr(
                "Scores or losses. A loss is the objective of the result, or the mean over the last epoch. "
                "Compare losses only between runs with the same objective."
            ),
        )
        self.filter = self.named(QPushButton(tr("In the table")), "filter", tr("Show its runs in the table"))
        self.cancel_all = self.named(QPushButton(tr("Cancel grid")), "cancel", tr("End what is left of the grid"))
        self.fact = ElidedLabel()
        self.fact.setProperty("role", "muted")
        self.chart = self.named(ChartView(self.theme), "chart", tr("Results of the grid"), "")
        self.chart.export = Export(
            self, self.session, tr("Export the results"), "grid", lambda: self.chart.file_size, self.chart.save_picture,
            csv(lambda: chart_csv(self.chart.chart)), lambda: self.session.grids.runs(self.chosen),
            lambda: tr("{measure} by {along}", measure=self.measure.currentText(), along=self.along.currentText()),
        )  # fmt: skip
        self.controls.addWidget(self.group, 2)
        by = PlainLabel(tr("by"))
        self.controls.addWidget(by)
        for box in (self.along, self.measure):
            self.controls.addWidget(box, 1)
        self.controls.addWidget(self.filter)
        self.controls.addWidget(self.cancel_all)
        # What would be empty, or do nothing, while there is no grid.
        self._about_grid = (self.group, by, self.along, self.measure, self.filter, self.cancel_all)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.fact)
        column.addWidget(self.chart, 1)
        self.group.currentIndexChanged.connect(lambda _: self._other_group())
        for box in (self.along, self.measure):
            box.currentIndexChanged.connect(lambda _: None if self._filling else self.refresh())
        self.filter.clicked.connect(lambda: self.filter_asked.emit(self.chosen))
        self.cancel_all.clicked.connect(lambda: self.session.grids.cancel(self.chosen))
        self.chart.picked.connect(self._show_run)
        panel.follow(self.session.runs_changed, self.refresh)

    @property
    def chosen(self) -> str:
        """The grid that is shown, "" where there is none."""
        return str(self.group.currentData() or "")

    def show_group(self, group: str) -> None:
        self._offer_groups()
        self.group.setCurrentIndex(max(self.group.findData(group), 0))
        self.refresh()

    def take_scores(self, scores: dict[str, dict[str, Cell]], columns: Sequence[ScoreColumn]) -> None:
        """What the runs scored, by identifier and name of the column."""
        self._scores, self._columns = scores, list(columns)
        self._offer_choices()
        self.refresh()

    # -- choices

    def _offer_groups(self) -> None:
        grids = self.session.grids
        offers = [(_title(group, grids.runs(group)), group) for group in grids.groups]
        if offers != [(self.group.itemText(at), self.group.itemData(at)) for at in range(self.group.count())]:
            before = self.chosen
            self._filling = True
            self.group.clear()
            for text, group in offers:
                self.group.addItem(text, group)
            self.group.setCurrentIndex(max(self.group.findData(before), 0) if offers else -1)
            self._filling = False
            self._offer_choices()

    def _other_group(self) -> None:
        if not self._filling:
            self._offer_choices()
            self.refresh()

    def _offer_choices(self) -> None:
        runs = self.session.grids.runs(self.chosen)
        axes = axes_of(runs)
        # A seed is asked about where nothing else differs.
        axes = [name for name in axes if name != SEED] or axes
        scored = {name for record in runs for name in self._scores.get(record.identifier, {})}
        measures = [(one.title, one.key) for one in self._columns if one.key in scored]
        loss = MODELS[runs[0].algorithm].loss_label if runs and runs[0].algorithm in MODELS else ""
        if loss:
            measures.append((tr("Loss ({loss})", loss=loss), _LOSS))
        measures.append((tr("Seconds of training"), "seconds"))
        self._filling = True
        for box, offers in ((self.along, [(_label(name, runs), name) for name in axes]), (self.measure, measures)):
            if offers != [(box.itemText(at), box.itemData(at)) for at in range(box.count())]:
                before = box.currentData()
                box.clear()
                for text, key in offers:
                    box.addItem(text, key)
                box.setCurrentIndex(max(box.findData(before), 0) if offers else -1)
        self._filling = False

    # -- what is drawn

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row tells its text

    def refresh(self) -> None:
        if not self.isVisible() or self._filling:
            return
        self._offer_groups()
        runs = self.session.grids.runs(self.chosen)
        for widget in self._about_grid:
            if widget.isHidden() == bool(runs):
                widget.setVisible(bool(runs))
        if not runs:
            self._last = ()
            self.show_message(
                tr("No grid yet"),
                tr("Choose several values of a parameter in “Train a grid”; the results are drawn here."),
            )
            return
        going = sum(not record.state.over for record in runs)
        if self.cancel_all.isEnabled() != bool(going):
            self.cancel_all.setEnabled(bool(going))
        key, along = str(self.measure.currentData() or _LOSS), str(self.along.currentData() or "")
        asked = list(standing(runs))
        done = [record for record in asked if record.has_vectors]
        values = {record.identifier: facts(record, self._scores.get(record.identifier)).get(key) for record in done}
        made = (self.chosen, key, along, tuple(values.items()), tuple(r.name for r in runs), len(runs), going)
        if made == self._last:
            return
        self._last = made
        self.fact.put(self._told(asked, done, going))
        if not along or not any(value is not None for value in values.values()):
            hint = (
                tr("The first points appear when runs have ended.")
                if going
                else tr("None of its runs has this measure.")
            )
            self.show_message(tr("Nothing to draw yet"), hint)
            return
        lines, names = by_parameter(done, values, along)
        percent = any(one.key == key and one.percent for one in self._columns)
        self.chart.set_chart(
            Chart(
                f"{self.along.currentText()} ({', '.join(f'{at} {name}' for at, name in enumerate(names))})"
                if names
                else self.along.currentText(),
                self.measure.currentText(),
                tuple(_series(line, at, len(lines) > 1, self.measure.currentText()) for at, line in enumerate(lines)),
                percent_y=percent,
            )
        )
        self.show_content()

    def _told(self, runs: Sequence[RunRecord], done: Sequence[RunRecord], going: int) -> str:
        told = [tr("{number} of {runs} trained", number=len(done), runs=plural(len(runs), "run"))]
        if going:
            told.append(tr("{going} to come", going=going))
        best = self._best(done)
        return " · ".join([*told, *([best] if best else [])])

    def _best(self, done: Sequence[RunRecord]) -> str:
        key = str(self.measure.currentData() or "")
        known = [(facts(r, self._scores.get(r.identifier)).get(key), r) for r in done]
        values = [(float(v), r) for v, r in known if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v]
        if not values or key == "seconds":
            return ""
        pick = min if key == _LOSS else max
        value, record = pick(values, key=lambda pair: pair[0])
        shown = decimal(value, 4)
        if key == _LOSS:
            return tr("least: {name} ({shown})", name=record.name, shown=shown)
        return tr("best: {name} ({shown})", name=record.name, shown=shown)

    def _show_run(self, identifier: str) -> None:
        record = next((record for record in self.session.runs if record.identifier == identifier), None)
        if record is not None and record.has_vectors:
            self.chart.set_current(identifier)
            self.session.show(record)


def _series(line: GridLine, at: int, several: bool, measure: str) -> ChartSeries:
    points = line.points
    bars = any(len(point.runs) > 1 for point in points)
    return ChartSeries(
        np.array([point.x for point in points]),
        np.array([point.mean for point in points]),
        name=line.name if several else "",
        colour=at,
        line=True,
        low=np.array([point.low for point in points]) if bars else None,
        high=np.array([point.high for point in points]) if bars else None,
        texts=[f"{_named(point)}\n{measure}: {decimal(point.mean, 4)}" for point in points],
        keys=[point.runs[0].identifier for point in points],
    )


def _named(point: Point) -> str:
    number = len(point.runs)
    return point.runs[0].name if number == 1 else tr("mean of {number} seeds", number=number)


def _title(group: str, runs: Sequence[RunRecord]) -> str:
    return f"{group}: {' × '.join(axes_of(runs)) or tr('one run')}"


def _label(name: str, runs: Sequence[RunRecord]) -> str:
    kind = MODELS[runs[0].algorithm] if runs and runs[0].algorithm in MODELS else None
    return label_of(kind.params_type.spec(name)) if kind is not None else name
