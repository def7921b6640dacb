"""Plan a grid of trainings: values by parameter, the runs they make with time and memory, and those left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import MODELS, Model, preset_params
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.from_counts import fixed_values
from workbench.session.training.grid import Cell, Grid, GridPlan, plan_of, shown
from workbench.session.training.last_params import LastParams
from workbench.session.training.train_api import not_trained
from workbench.ui.panel import Panel
from workbench.ui.panels.runs.grid_form import GridForm
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import approximate_duration, duration, memory, plural
from workbench.ui.theme import SPACE_2, SPACE_3
from workbench.ui.widgets.inputs.algorithm_choice import AlgorithmChoice, why_fixed
from workbench.ui.widgets.inputs.form import label_of
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.runs_columns import parameter_text
from workbench.ui.widgets.tables.table_model import TableColumn

_CLASSROOM = "classroom"
_KEPT = "runs.grid"
_QUIET_MS = 200


class GridView(Instrument):
    """``started(group)``: the runs of a grid are in the queue."""

    local = "grid"
    title = tr("Train a grid")

    started = Signal(str)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.plan: GridPlan | None = None
        self._corpus: object = None
        kept = self.session.settings.get(_KEPT, {})
        self._kept: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
        self._build()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._work_out)
        self.algorithm.currentIndexChanged.connect(lambda _: self._choose())
        self.form.changed.connect(self._changed)
        self.start.clicked.connect(self.train)
        panel.follow(self.session.corpus_changed, self._corpus_changed)
        self._choose()

    def _build(self) -> None:
        self.algorithm = self.named(AlgorithmChoice(), "algorithm", tr("Algorithm"), tr("The algorithm of all runs"))
        self.algorithm.fill(str(self._kept.get("algorithm") or LastParams(self.session.settings).last))
        self.algorithm.offer(self.session.counted is not None)
        self.form = GridForm(f"{self.key}.param")
        self.fact = ElidedLabel(lines=2)
        self.fact.setObjectName(f"{self.key}.fact")
        self.runs = self.named(DataTable(self.theme), "plan", tr("Runs of the grid with their cost"))
        self.start = self.named(QPushButton(tr("Train")), "start", tr("Train the grid"))
        self.start.setProperty("role", "start")
        self.controls.addWidget(self.algorithm, 1)
        self.controls.addWidget(self.start)
        hint = PlainLabel(
            tr("One value each, or several: 2, 5, 10 or 50..200 step 50 or 1..64 x2. Every combination is a run.")
        )
        hint.setWordWrap(True)
        hint.setProperty("role", "small")
        holder = QWidget()
        inside = QVBoxLayout(holder)
        inside.setContentsMargins(0, 0, SPACE_2, 0)
        inside.addWidget(hint)
        inside.addWidget(self.form)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(holder)
        scroll.viewport().setAutoFillBackground(False)
        holder.setAutoFillBackground(False)
        set_scaled_size(scroll, least_width=250, most_width=360)
        right = QVBoxLayout()
        right.setSpacing(SPACE_2)
        right.addWidget(self.fact)
        right.addWidget(self.runs, 1)
        row = QHBoxLayout(self.content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_3)
        row.addWidget(scroll, 2)
        row.addLayout(right, 3)

    # -- what is asked for

    @property
    def kind(self) -> type[Model] | None:
        key = self.algorithm.currentData()
        return MODELS[str(key)] if key else None

    def _choose(self) -> None:
        kind = self.kind
        if kind is None:
            return
        kept = self._kept.get(kind.key, {})
        known = {spec.name for spec in kind.params_type.specs()}
        texts = {name: str(text) for name, text in kept.items() if name in known} if isinstance(kept, dict) else {}
        self.form.fix(self._fixed(kind), why_fixed(self.session))
        self.form.set_kind(kind, _base(kind), texts)
        self._changed()

    def _fixed(self, kind: type[Model]) -> Mapping[str, Value]:
        """What counts in the place of a corpus fix; nothing where they do not suffice, which the plan says."""
        try:
            return fixed_values(self.session.corpus, kind)
        except UserError:
            return {}

    def _corpus_changed(self) -> None:
        self.algorithm.offer(self.session.counted is not None)
        if self.kind is not None and self._fixed(self.kind) != self.form.fixed:
            self._choose()
        self.refresh()

    def offer(self, record: RunRecord) -> None:
        """Begin with the settings of a run."""
        at = self.algorithm.findData(record.algorithm)
        if at >= 0:
            self.algorithm.setCurrentIndex(at)
            for name, value in record.parameters.items():
                if name in self.form.lines:
                    self.form.put(name, shown(value))

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row tells its text

    def refresh(self) -> None:
        lacking = self.plan is None and not self._soon.isActive()
        if self.isVisible() and (lacking or self.session.corpus is not self._corpus):
            self._changed()

    def _changed(self) -> None:
        self.plan = None
        self._enable()
        self._soon.start()

    def _work_out(self) -> None:
        """Have a job find out what the grid costs."""
        self._corpus = corpus = self.session.corpus
        try:
            grid = self.form.grid()
            if grid is not None and corpus is None:
                raise not_trained(grid.kind.title)
            if grid is not None:
                fixed_values(corpus, grid.kind)
        except UserError as error:
            self.session.jobs.drop(self.key)
            self._say(f"{error.message} {error.hint}")
            return
        if grid is None or corpus is None:
            self.session.jobs.drop(self.key)
            self._say(tr("Correct the values marked in red first."))
            return
        self._remember(grid)
        self.session.jobs.start(
            tr("Estimating the grid"), lambda run: plan_of(grid, corpus, run), self._planned, self._failed,
            key=self.key, quiet=True,
        )  # fmt: skip

    def _remember(self, grid: Grid) -> None:
        before = self._kept.get(grid.kind.key, {})
        # What counts fix is for a text to choose again.
        held = {name: before[name] for name in self.form.fixed if name in before} if isinstance(before, dict) else {}
        self._kept = {**self._kept, "algorithm": grid.kind.key, grid.kind.key: held | self.form.texts}
        self.session.settings.set(_KEPT, self._kept)

    def _failed(self, error: UserError) -> None:
        self._say(f"{error.message} {error.hint}")

    # -- what it makes

    def _planned(self, plan: GridPlan) -> None:
        self.plan = plan
        told = [plural(len(plan.runs), "run")]
        if plan.runs:
            seconds = plan.seconds
            told.append(
                tr("{time} in all", time=approximate_duration(seconds)) if seconds is not None else tr("time not known")
            )
            told.append(tr("{memory_bytes} of memory at most", memory_bytes=memory(plan.memory_bytes)))
        if plan.left_out:
            told.append(tr("{number} left out: {why_not}", number=len(plan.left_out), why_not=plan.left_out[0].why_not))
        self.fact.put(" · ".join(told))
        self._fill(plan)
        self._enable()

    def _say(self, text: str) -> None:
        self.plan = None
        self.fact.put(text)
        self.runs.set_columns([])
        self._enable()

    def _fill(self, plan: GridPlan) -> None:
        """The runs in order, those left out at the end with their reasons."""
        cells = [*plan.runs, *plan.left_out]
        made = [
            TableColumn(
                label_of(plan.grid.kind.params_type.spec(name)),
                [cell.values[name] for cell in cells],
                text=parameter_text,
            )
            for name in plan.grid.axes
        ]
        made += [
            TableColumn(tr("Time"), [cell.seconds for cell in cells], texts=list(map(_seconds, cells)), number=True),
            TableColumn(
                tr("Memory"), [cell.memory_bytes for cell in cells], texts=list(map(_memory, cells)), number=True
            ),
        ]
        if plan.left_out:
            reasons = [cell.why_not for cell in cells]
            made.append(TableColumn(tr("Left out"), reasons, text=str, tips=reasons, number=False, stretch=True))
        self.runs.set_columns(made)

    def _enable(self) -> None:
        number = len(self.plan.runs) if self.plan is not None else 0
        text = tr("Train {runs}", runs=plural(number, "run")) if number else tr("Train")
        if self.start.text() != text:
            self.start.setText(text)
        self.start.setEnabled(bool(number))

    def train(self) -> None:
        """Queue the runs of the plan that is shown."""
        if self.plan is None or self.session.corpus is not self._corpus:
            return
        try:
            group = self.session.grids.start(self.plan)
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
            return
        self.started.emit(group)


def _base(kind: type[Model]) -> Mapping[str, Value]:
    """The values that the form for one training would begin with."""
    names = [preset.name for preset in kind.presets]
    values = preset_params(kind, _CLASSROOM) if _CLASSROOM in names else kind.params_type()
    return values.to_dict()


def _seconds(cell: Cell) -> str:
    return "" if cell.why_not and cell.seconds is None else "–" if cell.seconds is None else duration(cell.seconds)


def _memory(cell: Cell) -> str:
    return "" if cell.memory_bytes is None else memory(cell.memory_bytes)
