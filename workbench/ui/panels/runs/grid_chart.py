"""The results of a grid: score or loss against one parameter, with a line for each combination of
the other parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction

from workbench.core.language import tr, trc
from workbench.core.table_export import Cell
from workbench.models.base import MODELS, Model
from workbench.session.runs.facts import ScoreColumn, facts
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.grid import axes_of, standing
from workbench.session.training.grid_results import (
    SEED,
    GridLine,
    Losses,
    Point,
    by_parameter,
    compare_losses,
)
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import decimal, plural
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.layout.panel_tab import Instrument

# Scores in general, as long as runs have neither scores nor a loss.
_LOSS, _SCORES = "loss", "scores"


@dataclass(frozen=True)
class GridChartState(PanelState):
    """The grid, the parameter and the measure that were chosen; "" for the first."""

    group: str = choice("")
    along: str = choice("")
    measure: str = choice("")


class GridChart(Instrument):
    """``filter_asked(group)``: show the runs of this grid in the table."""

    local = "results"
    state_kind = GridChartState
    view_state: GridChartState

    filter_asked = Signal(str)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._scores: dict[str, dict[str, Cell]] = {}
        self._columns: list[ScoreColumn] = []
        self._last: tuple[object, ...] = ()
        # What the axis states, which may be another quantity than the chosen one.
        self._drawn_measure = ""
        self._rank = QAction(tr("Open the leaderboard"), self)
        self._rank.triggered.connect(self._rank_runs)
        grids = self.session.training.grids
        self._make_controls()
        self.fact = kit.with_role(kit.ElidedLabel(), "muted")
        files = kit.Files(
            "grid",
            tr("Export the results"),
            records=lambda: grids.runs(self.chosen_group),
            about=lambda: tr(
                "{measure} by {along}",
                measure=self._drawn_measure,
                along=self.along.currentText(),
            ),
        )
        self.chart = kit.chart(self, "chart", tr("Results of the grid"), files=files)
        self.export = kit.export_button(
            self, lambda: self.chart.export, tr("Export figure and data")
        )
        by = kit.label(tr("by"))
        kit.add(
            self.controls,
            kit.stretch(self.group, 2),
            by,
            kit.stretch(self.along),
            kit.stretch(self.measure),
            self.filter,
            self.cancel_all,
            self.export,
        )
        # Controls that would be empty or useless without a grid.
        self._about_grid = (
            self.group,
            by,
            self.along,
            self.measure,
            self.filter,
            self.cancel_all,
            self.export,
        )
        kit.fill(self.content, kit.column(self.fact, kit.stretch(self.chart)))
        self.bind_controls(group=self.group, along=self.along, measure=self.measure)
        self.chart.picked.connect(self._show_run)
        panel.follow(self.session.runs.changed, self.refresh)

    def _make_controls(self) -> None:
        self.group = self.named(
            kit.ChoiceBox(), "group", tr("Grid"), tr("Grid whose runs are shown")
        )
        self.along = self.named(kit.ChoiceBox(), "along", tr("Along"), tr("Parameter on the axis"))
        self.measure = self.named(
            kit.ChoiceBox(),
            "measure",
            trc("noun", "Measure"),
            tr(
                "Scores or losses. A loss is the objective of the result, or the mean over the "
                "last epoch. "
                "Compare losses only between runs with the same objective."
            ),
        )
        self.filter = self.named(
            kit.button(
                tr("In the table"), pressed=lambda: self.filter_asked.emit(self.chosen_group)
            ),
            "filter",
            tr("Show the runs of the grid in the table"),
        )
        grids = self.session.training.grids
        self.cancel_all = self.named(
            kit.button(tr("Cancel grid"), pressed=lambda: grids.cancel(self.chosen_group)),
            "cancel",
            tr("Stop the remaining runs of the grid"),
        )

    def exporters(self) -> Sequence[Exporter]:
        return () if self.chart.export is None else (self.chart.export,)

    @property
    def chosen_group(self) -> str:
        """The grid shown, "" if there is none."""
        return str(self.group.currentData() or "")

    def show_group(self, group: str) -> None:
        self._offer_groups()
        self.view_state = self.view_state.replace(group=group)
        self.refresh()

    def take_scores(
        self, scores: dict[str, dict[str, Cell]], columns: Sequence[ScoreColumn]
    ) -> None:
        """Use these scores of the runs, by identifier and column name."""
        self._scores, self._columns = scores, list(columns)
        self._offer_choices()
        self.refresh()

    # -- choices

    def _offer_groups(self) -> None:
        grids = self.session.training.grids
        offers = [(_group_title(group, grids.runs(group)), group) for group in grids.groups]
        if self.group.replace_choices(offers):
            self._offer_choices()

    def state_changed(self, before: GridChartState, after: GridChartState) -> None:
        self._offer_choices()
        self.refresh()

    def _offer_choices(self) -> None:
        runs = self.session.training.grids.runs(self.chosen_group)
        axes = axes_of(runs)
        # The seed is an axis only if no other parameter varies.
        axes = [name for name in axes if name != SEED] or axes
        scored = {name for record in runs for name in self._scores.get(record.identifier, {})}
        measures = [(one.title, one.key) for one in self._columns if one.key in scored]
        kind = _kind_of(runs)
        if kind is not None and kind.loss_label:
            measures.append((tr("Loss ({loss})", loss=kind.loss_label), _LOSS))
        if not measures:
            measures.append((tr("Scores"), _SCORES))
        measures.append((tr("Seconds of training"), "seconds"))
        self.along.replace_choices([(_parameter_label(name, runs), name) for name in axes])
        self.measure.replace_choices(measures)
        # The measure survives a change of the grid only if the user chose it.
        if not self.view_state.measure:
            with self.bound.showing():
                self.measure.setCurrentIndex(self._first_known(runs, [key for _, key in measures]))

    def _first_known(self, runs: Sequence[RunRecord], keys: Sequence[str]) -> int:
        """Index of the first measure that a run has: scores, then the loss; seconds of training
        aren't a useful default.
        """
        found = [facts(record, self._scores.get(record.identifier)) for record in runs]
        for at, key in enumerate(keys[:-1]):
            if any(one.get(key) is not None for one in found):
                return at
        return 0

    # -- drawing

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row shows its text

    def refresh(self) -> None:
        if not self.isVisible():
            return
        self._offer_groups()
        runs = self.session.training.grids.runs(self.chosen_group)
        for widget in self._about_grid:
            if widget.isHidden() == bool(runs):
                widget.setVisible(bool(runs))
        if not runs:
            self._last = ()
            self.show_message(
                tr("No grid yet"),
                tr(
                    "Choose several values of a parameter in “Train a grid”; the results are "
                    "drawn here."
                ),
            )
            return
        going = sum(not record.state.over for record in runs)
        if self.cancel_all.isEnabled() != bool(going):
            self.cancel_all.setEnabled(bool(going))
        key, along = str(self.measure.currentData() or _LOSS), str(self.along.currentData() or "")
        standing_runs = list(standing(runs))
        done = [record for record in standing_runs if record.has_vectors]
        values, losses, measure = self._measure_runs(key, done)
        self._drawn_measure = measure
        request = (
            self.chosen_group,
            key,
            measure,
            along,
            tuple(values.items()),
            tuple(r.name for r in runs),
            len(runs),
            going,
        )
        if request == self._last:
            return
        self._last = request
        self.fact.put(self._results_summary(standing_runs, done, going, losses))
        if key == _SCORES and done:
            self.show_message(
                tr("No scores yet"),
                tr("Score these runs in the leaderboard to compare them here."),
                self._rank,
            )
            return
        if not along or not any(value is not None for value in values.values()):
            hint = tr("No run of this grid has this measure.")
            if going:
                hint = tr("Points appear as runs finish.")
            self.show_message(tr("Nothing to draw yet"), hint)
            return
        self._draw(done, key, values, along)

    def _measure_runs(
        self, key: str, done: Sequence[RunRecord]
    ) -> tuple[dict[str, Cell], Losses | None, str]:
        """Values of the measure ``key`` by run, the losses if it is the loss, and its title."""
        values = {
            record.identifier: facts(record, self._scores.get(record.identifier)).get(key)
            for record in done
        }
        losses = compare_losses(done) if key == _LOSS else None
        measure = self.measure.currentText()
        if losses is not None:
            values = dict(losses.values)
            if losses.gaps:
                measure = tr("Loss above its floor")
        return values, losses, measure

    def _draw(
        self, done: Sequence[RunRecord], key: str, values: Mapping[str, Cell], along: str
    ) -> None:
        lines, names = by_parameter(done, values, along)
        percent = any(one.key == key and one.percent for one in self._columns)
        axis = self.along.currentText()
        if names:
            axis = f"{axis} ({', '.join(f'{at} {name}' for at, name in enumerate(names))})"
        self.chart.set_chart(
            Chart(
                axis,
                self._drawn_measure,
                tuple(
                    _line_series(line, colour, len(lines) > 1, self._drawn_measure)
                    for line, colour in zip(lines, _line_colours(lines), strict=True)
                ),
                percent_y=percent,
            )
        )
        self.show_content()

    def _results_summary(
        self,
        runs: Sequence[RunRecord],
        done: Sequence[RunRecord],
        going: int,
        losses: Losses | None,
    ) -> str:
        parts = [tr("{number} of {runs} trained", number=len(done), runs=plural(len(runs), "run"))]
        if going:
            parts.append(tr("{going} still to train", going=going))
        best = self._best_run(done) if losses is None else _best_loss(done, losses)
        if best:
            parts.append(best)
        return " · ".join(parts)

    def _best_run(self, done: Sequence[RunRecord]) -> str:
        key = str(self.measure.currentData() or "")
        known = [(facts(r, self._scores.get(r.identifier)).get(key), r) for r in done]
        values = [
            (float(v), r)
            for v, r in known
            if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v
        ]
        if not values or key == "seconds":
            return ""
        value, record = max(values, key=lambda pair: pair[0])
        return tr("best: {name} ({shown})", name=record.name, shown=decimal(value, 4))

    def _rank_runs(self) -> None:
        runs = standing(self.session.training.grids.runs(self.chosen_group))
        self.session.requests.ranking.emit([record for record in runs if record.has_vectors])

    def _show_run(self, identifier: str) -> None:
        record = next(
            (record for record in self.session.runs if record.identifier == identifier), None
        )
        if record is not None and record.has_vectors:
            self.chart.set_current(identifier)
            self.session.active.show(record)


def _best_loss(done: Sequence[RunRecord], losses: Losses) -> str:
    """The run with the smallest loss, or nearest to its floor."""
    known = [
        (float(value), record)
        for record in done
        if isinstance(value := losses.values.get(record.identifier), (int, float))
        and value == value
    ]
    if losses.why_not_ranked or not known:
        return losses.why_not_ranked
    value, record = min(known, key=lambda pair: pair[0])
    if losses.gaps:
        return tr(
            "nearest to its floor: {name} ({shown})", name=record.name, shown=decimal(value, 4)
        )
    return tr("minimum: {name} ({shown})", name=record.name, shown=decimal(value, 4))


def _line_colours(lines: Sequence[GridLine]) -> list[int]:
    """Each line’s colour: that of its first run in all lists, if they differ."""
    colours = [line.points[0].runs[0].colour for line in lines]
    return colours if len(set(colours)) == len(colours) else list(range(len(lines)))


def _line_series(line: GridLine, colour: int, several: bool, measure: str) -> ChartSeries:
    points = line.points
    name = line.name if several else ""
    low = high = None
    if any(len(point.runs) > 1 for point in points):
        low, high = (
            np.array([point.low for point in points]),
            np.array([point.high for point in points]),
        )
    return ChartSeries(
        np.array([point.x for point in points]),
        np.array([point.mean for point in points]),
        name=name,
        colour=colour,
        line=True,
        low=low,
        high=high,
        texts=[f"{_point_name(point)}\n{measure}: {decimal(point.mean, 4)}" for point in points],
        keys=[point.runs[0].identifier for point in points],
    )


def _point_name(point: Point) -> str:
    number = len(point.runs)
    if number == 1:
        return point.runs[0].name
    return tr("mean of {number} seeds", number=number)


def _group_title(group: str, runs: Sequence[RunRecord]) -> str:
    return f"{group} · {' × '.join(axes_of(runs)) or tr('one run')}"


def _parameter_label(name: str, runs: Sequence[RunRecord]) -> str:
    kind = _kind_of(runs)
    if kind is None:
        return name
    return kind.params_type.spec(name).label


def _kind_of(runs: Sequence[RunRecord]) -> type[Model] | None:
    """The algorithm of the runs, None if it is unknown."""
    if not runs or runs[0].algorithm not in MODELS:
        return None
    return MODELS[runs[0].algorithm]
