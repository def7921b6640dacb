"""Plan of a grid of trainings: values by parameter, the resulting runs with time and memory, and
combinations that are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import MODELS, Model
from workbench.session.corpus.counts_params import fixed_values
from workbench.session.runs.run_record import RunRecord
from workbench.session.settings.last_params import LastParams
from workbench.session.settings.session_settings import GRID_VALUES
from workbench.session.training.grid import Cell, GridPlan, plan_of
from workbench.session.training.train_api import not_trained
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import approximate_duration, duration, memory, plural
from workbench.ui.base.theme import SPACE_2, SPACE_3
from workbench.ui.panels.runs.grid_form import GridForm
from workbench.ui.widgets.inputs.algorithm_choice import AlgorithmChoice, why_fixed
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.runs_columns import parameter_text
from workbench.ui.widgets.tables.table_model import TableColumn

_QUIET_MS = 200


@dataclass(frozen=True)
class GridState(PanelState):
    """values : the algorithm, and by its key the texts of its parameters
    more : whether all parameters are shown
    """

    values: Mapping[str, Any] = choice(setting=GRID_VALUES, typed=True)
    more: bool = choice(False)


class GridView(Instrument):
    """``started(group)``: the runs of a grid were added to the queue."""

    local = "grid"
    state_kind = GridState
    view_state: GridState

    started = Signal(str)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.plan: GridPlan | None = None
        self._planning = ResultJob(self.session.jobs, self.key)
        self._planning.on_failed(lambda error: self._show_message(f"{error.message} {error.hint}"))
        self._corpus: object = None
        self._base: Mapping[str, Value] = {}
        self._build()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._start_planning)
        self.algorithm.currentIndexChanged.connect(lambda _: self._algorithm_changed())
        self.form.changed.connect(self._values_changed)
        self.bound.bind_to(
            "values", (self.algorithm, self.form), self._texts, lambda _: self._show_values()
        )
        self.bind(self.form.more, "more")
        self.start.clicked.connect(self.train)
        panel.follow(self.session.corpora.changed, self._corpus_changed)
        self._values_changed()

    def _build(self) -> None:
        self.algorithm = self.named(
            AlgorithmChoice(), "algorithm", tr("Algorithm"), tr("Algorithm of all runs")
        )
        self.algorithm.fill("")
        self.algorithm.offer(self.session.corpora.counts)
        self.form = GridForm(f"{self.key}.param", self.theme)
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.fact")
        self.runs = kit.table(self, "plan", tr("Runs of the grid with their cost"))
        self.export = self.runs.offer_files(self.session, tr("Export the plan"), "grid-plan")
        self.start = self.named(
            kit.button(tr("Train"), role="start"), "start", tr("Train the grid")
        )
        kit.add(self.controls, kit.stretch(self.algorithm), self.start)
        hint = tr(
            "Enter one or more values for each setting: 2, 5, 10 or 50..200 step 50 or "
            "1..64 x2. Each combination is a run."
        )
        inside = (kit.label(hint, role="small", wrap=True), self.form, kit.stretch(share=1))
        holder = kit.box(kit.column(*inside, gap=None, margins=(0, 0, SPACE_2, 0)))
        scroll = kit.scroll(holder)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        holder.setAutoFillBackground(False)
        kit.set_scaled_size(scroll, least_width=280, most_width=360)
        plan = kit.column(self.fact, kit.stretch(self.runs))
        kit.fill(self.content, kit.row(kit.stretch(scroll, 2), kit.stretch(plan, 3), gap=SPACE_3))

    # -- requests

    @property
    def kind(self) -> type[Model] | None:
        key = self.algorithm.currentData()
        if not key:
            return None
        return MODELS[str(key)]

    def _show_values(self) -> None:
        key = self.view_state.values.get("algorithm") or LastParams(self.session.settings).last
        if key in MODELS:
            self.algorithm.choose(key)
        self._algorithm_changed()

    def _algorithm_changed(self) -> None:
        kind = self.kind
        if kind is None:
            return
        kept = self.view_state.values.get(kind.key, {})
        known = {spec.name for spec in kind.params_type.specs()}
        texts: dict[str, str] = {}
        if isinstance(kept, dict):
            texts = {name: str(text) for name, text in kept.items() if name in known}
        self.form.fix(self._fixed_values(kind), why_fixed(self.session))
        self._base = LastParams(self.session.settings).form_values(kind)
        self.form.set_model(kind, self._base, texts)

    def _fixed_values(self, kind: type[Model]) -> Mapping[str, Value]:
        """Values fixed by co-occurrence counts opened in place of a text; empty if the counts are
        insufficient.
        """
        try:
            return fixed_values(self.session.corpora.current, kind)
        except UserError:
            return {}

    def _corpus_changed(self) -> None:
        self.algorithm.offer(self.session.corpora.counts)
        if self.kind is not None and self._fixed_values(self.kind) != self.form.fixed_values:
            self._algorithm_changed()
        self.refresh()

    def offer(self, record: RunRecord) -> None:
        """Start with the settings of a run."""
        at = self.algorithm.findData(record.algorithm)
        if at >= 0:
            self.algorithm.setCurrentIndex(at)
            for name, value in record.parameters.items():
                if name in self.form.fields:
                    self.form.write(name, value)

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row shows its text

    def exporters(self) -> Sequence[Exporter]:
        return (self.export,)

    def refresh(self) -> None:
        kind = self.kind
        if not self.isVisible() or kind is None:
            return
        if self._base != LastParams(self.session.settings).form_values(kind):
            # Values were changed in the form for a single training.
            self._algorithm_changed()
        lacking = self.plan is None and not self._soon.isActive()
        if lacking or self.session.corpora.current is not self._corpus:
            self._values_changed()

    def _values_changed(self) -> None:
        self.bound.take("values")
        self.plan = None
        self._update_start()
        self._soon.start()

    def _start_planning(self) -> None:
        """Start a job that estimates the cost of the grid."""
        self._corpus = corpus = self.session.corpora.current
        try:
            grid = self.form.grid()
            if grid is not None and corpus is None:
                raise not_trained(grid.kind.title)
            if grid is not None:
                fixed_values(corpus, grid.kind)
        except UserError as error:
            self._planning.forget()
            self._show_message(f"{error.message} {error.hint}")
            return
        if grid is None or corpus is None:
            self._planning.forget()
            self._show_message(tr("Correct the values marked in red first."))
            return
        # Each is a new one: the free memory and the known durations change.
        title = tr("Estimating the grid")
        work = partial(plan_of, grid, corpus)
        self._planning.ask(Request((object(),), title, work, self._show_plan, quiet=True))

    def _texts(self) -> Mapping[str, Any] | None:
        kind, values = self.kind, self.view_state.values
        if kind is None:
            return None
        before = values.get(kind.key, {})
        # For values fixed by counts, keep those chosen for a text.
        held: dict[str, Any] = {}
        if isinstance(before, dict):
            held = {name: before[name] for name in self.form.fixed_values if name in before}
        return {**values, "algorithm": kind.key, kind.key: held | self.form.texts}

    # -- results

    def _show_plan(self, plan: GridPlan) -> None:
        self.plan = plan
        parts = [plural(len(plan.runs), "run")]
        if plan.runs:
            if plan.seconds is None:
                parts.append(tr("time unknown"))
            else:
                parts.append(tr("{time} in all", time=approximate_duration(plan.seconds)))
            parts.append(
                tr("up to {memory_bytes} of memory", memory_bytes=memory(plan.memory_bytes))
            )
        if plan.left_out:
            parts.append(
                tr(
                    "{number} left out: {why_not}",
                    number=len(plan.left_out),
                    why_not=plan.left_out[0].why_not,
                )
            )
        self.fact.put(" · ".join(parts))
        self._fill_table(plan)
        self._update_start()

    def _show_message(self, text: str) -> None:
        self.plan = None
        self.fact.put(text)
        self.runs.set_columns([])
        self._update_start()

    def _fill_table(self, plan: GridPlan) -> None:
        """List the runs in order, and combinations left out at the end with their reasons."""
        cells = [*plan.runs, *plan.left_out]
        columns = [
            TableColumn(
                plan.grid.kind.params_type.spec(name).label,
                [cell.values[name] for cell in cells],
                text=parameter_text,
            )
            for name in plan.grid.axes
        ]
        columns += [
            TableColumn(
                tr("Time"),
                [cell.seconds for cell in cells],
                texts=list(map(_seconds_text, cells)),
                number=True,
            ),
            TableColumn(
                tr("Memory"),
                [cell.memory_bytes for cell in cells],
                texts=list(map(_memory_text, cells)),
                number=True,
            ),
        ]
        if plan.left_out:
            reasons = [cell.why_not for cell in cells]
            columns.append(
                TableColumn(
                    tr("Left out"), reasons, text=str, tips=reasons, number=False, stretch=True
                )
            )
        self.runs.set_columns(columns)

    def _update_start(self) -> None:
        number, text = 0, tr("Train")
        if self.plan is not None and self.plan.runs:
            number = len(self.plan.runs)
            text = tr("Train {runs}", runs=plural(number, "run"))
        if self.start.text() != text:
            self.start.setText(text)
        self.start.setEnabled(bool(number))

    def train(self) -> None:
        """Queue the runs of the plan."""
        if self.plan is None or self.session.corpora.current is not self._corpus:
            return
        try:
            group = self.session.training.grids.start(self.plan)
        except UserError as error:
            self.session.message.report(error)
            return
        self.started.emit(group)


def _seconds_text(cell: Cell) -> str:
    if cell.seconds is not None:
        return duration(cell.seconds)
    if cell.why_not:
        return ""
    return "–"


def _memory_text(cell: Cell) -> str:
    if cell.memory_bytes is None:
        return ""
    return memory(cell.memory_bytes)
