"""Loss panel: live loss curves of all runs on this corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSlider, QToolButton, QWidget

from workbench.core import table_export
from workbench.core.arrays import Doubles
from workbench.core.job_control import Trace
from workbench.core.language import tr
from workbench.core.table_export import Cell
from workbench.models.base import MODELS
from workbench.session.runs import loss_floor
from workbench.session.runs.loss_floor import floor_of
from workbench.session.runs.provenance import ancestry
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.settings.session_settings import LOSS_AXIS, LOSS_SMOOTHING
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.run_marks import run_colour, run_cycle
from workbench.ui.base.text import duration, exact_loss
from workbench.ui.base.theme import SPACE_1, SPACE_3
from workbench.ui.panels.loss import LossKind
from workbench.ui.panels.loss.numbers import (
    NumbersRow,
    curve_names,
    floor_and_gap,
    has_bound,
    objective_of,
    split_unit,
)
from workbench.ui.panels.loss.plot import Axes, LossCurve, LossPlot, floor_text

EPOCHS, TOKENS, SECONDS = "epochs", "tokens", "seconds"
_AXES = {EPOCHS: tr("Epochs"), TOKENS: tr("Tokens"), SECONDS: tr("Seconds")}
_SHARED = tr("Runs with this objective share the axes")
_MOST_RUNS = 12
_CALM_MS = 250
_SMOOTHEST = 20


@dataclass(frozen=True)
class LossState(PanelState):
    """objective : "" follows the active run"""

    objective: str = choice("")
    axis: str = choice(setting=LOSS_AXIS)
    smoothing: int = choice(setting=LOSS_SMOOTHING)
    log_x: bool = choice(False)
    log_y: bool = choice(False)


class LossPanel(LossKind, Panel):
    """Runs with the same objective share the axes; other objectives can be chosen."""

    state_kind = LossState
    view_state: LossState

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._drawn_key: tuple[object, ...] = ()
        self._since_drawn = QElapsedTimer()
        self._since_numbers = QElapsedTimer()
        self._build()
        self.follow(self.session.runs.changed, self._runs_changed)
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.active.changed, self._runs_changed)
        self.on_tick(self._tick)
        self.theme.changed.connect(self._refresh)
        self._refresh()

    def _build(self) -> None:
        self.plot = self.named(LossPlot(self.theme), "plot", tr("Loss over training"))
        self.objective = self.named(kit.ChoiceBox(), "objective", tr("Objective"), _SHARED)
        kit.set_scaled_size(self.objective, least_width=120, most_width=300)
        self._label = kit.with_role(kit.ElidedLabel(), "small")
        self.abscissa = self.named(
            # Leave room for the other controls of the row.
            kit.ChoiceBox.of(_AXES, letters=4),
            "x",
            tr("Horizontal axis"),
            tr("Horizontal axis of the loss curves"),
        )
        self.smooth = self.named(
            QSlider(Qt.Orientation.Horizontal),
            "smooth",
            tr("Smoothing"),
            tr("Strength of the smoothing"),
        )
        self.smooth.setRange(0, _SMOOTHEST)
        kit.set_scaled_size(self.smooth, width=56)
        self.log_x = self._toggle_button("log_x", tr("log x"), tr("Logarithmic horizontal axis"))
        self.log_y = self._toggle_button("log_y", tr("log y"), tr("Logarithmic vertical axis"))
        self.export = self.plot.offer_files(
            self.session,
            tr("Export the loss"),
            "loss",
            self._curves_csv,
            self._drawn_runs,
            lambda: tr("Loss over training: {objective}", objective=self.objective.currentData()),
        )
        export = kit.export_button(self, lambda: self.export)
        export.setToolTip(tr("Save the figure or the data"))
        controls = kit.bar(
            kit.stretch(self._label, 100),
            kit.stretch(self.objective, 100),
            kit.stretch(),
            kit.label(tr("Smooth"), role="small", buddy=self.smooth),
            self.smooth,
            self.abscissa,
            self.log_x,
            self.log_y,
            export,
            margins=(SPACE_3, SPACE_1, SPACE_3, 0),
        )
        self.numbers = self.named(NumbersRow(), "numbers", tr("Run statistics"))
        self.floor_button = self.numbers.floor_button
        self.floor_button.clicked.connect(self._compute_floor)
        picture = self.named(kit.box(self.plot), "view", tr("Loss over training"))
        column = (controls, self.numbers, kit.stretch(picture))
        kit.fill(self.body, kit.column(*column, gap=SPACE_1, margins=(0, 0, 0, SPACE_1)))
        self.bind(self.objective, "objective", by=[self.objective.activated])
        self.bind(self.abscissa, "axis")
        self.bind(self.smooth, "smoothing")
        self.bind(self.log_x, "log_x")
        self.bind(self.log_y, "log_y")
        self.plot.log_chosen.connect(self._choose_scale)

    def _toggle_button(self, local: str, text: str, accessible: str) -> QToolButton:
        button = kit.text_button(text, role="quiet", checkable=True)
        return self.named(button, local, accessible, accessible)

    def _curves_csv(self) -> str:
        """Every point of the drawn curves as CSV, one curve after another."""
        rows: list[list[Cell]] = []
        for record in self._drawn_runs():
            trace = record.trace
            axes = [self._axis_values(record, trace, axis) for axis in _AXES]
            lowest, _ = floor_and_gap(record)
            for at in range(len(trace)):
                where = [_value_at(axis, at) for axis in axes]
                loss, error = float(trace.loss[at]), float(trace.error[at])
                rows.append([record.name, *where, loss, error, lowest])
        return table_export.to_csv(["run", *_AXES, "loss", "standard error", "floor"], rows)

    # -- which runs

    def _leading_run(self) -> RunRecord | None:
        """The run that determines numbers and objective: the one in training, or else the active
        one.
        """
        records = [
            self.session.training.current,
            self.session.active.run,
            *reversed(self.session.runs),
        ]
        known = [record for record in records if record is not None and objective_of(record)]
        chosen = self.view_state.objective
        if chosen:
            known = [record for record in known if objective_of(record) == chosen]
        digest = self._shown_digest()
        here = [record for record in known if record.corpus_digest == digest]
        # Curves of another text are drawn only while one of its runs is active or in training.
        in_view = [
            record
            for record in known
            if record in (self.session.training.current, self.session.active.run)
        ]
        candidates = here or in_view
        if not candidates and self.session.corpora.current is None:
            candidates = known
        return next(iter(candidates), None)

    def _shown_digest(self) -> str:
        """The digest of the text whose curves are drawn: that of the active run, or else of the
        open text.
        """
        shown = self.session.active.run
        if shown is not None and objective_of(shown) and self.session.training.current is None:
            return shown.corpus_digest
        if self.session.corpora.current is not None:
            return self.session.corpora.current.digest
        if shown is not None:
            return shown.corpus_digest
        return ""

    def exporters(self) -> Sequence[Exporter]:
        return (self.export,)

    def drawn_runs(self) -> list[RunRecord]:
        # All runs are of one text.
        return self._drawn_runs()[:1]

    def _drawn_runs(self) -> list[RunRecord]:
        """The latest runs of this corpus with the current objective."""
        first = self._leading_run()
        if first is None:
            return []
        objective, digest = objective_of(first), first.corpus_digest
        same = [
            record
            for record in self.session.runs
            if record.corpus_digest == digest
            and objective_of(record) == objective
            and len(record.trace)
        ]
        return same[-_MOST_RUNS:]

    def _runs_changed(self) -> None:
        training = self.session.training.current
        if training is not None and objective_of(training) not in ("", self.view_state.objective):
            # A new training is what everyone wants to watch.
            self.view_state = self.view_state.replace(objective="")
        self._refresh()

    # -- drawing

    def _refresh(self) -> None:
        self._since_drawn.start()
        records = self._drawn_runs()
        self._drawn_key = self._fingerprint(records)
        self._offer_objectives()
        if not records:
            self._say_why_empty()
            return
        axis = str(self.abscissa.currentData())
        leading = self._leading_run()
        curves = []
        for record, name in zip(records, curve_names(records), strict=True):
            # A live trace may be replaced by a longer one at any time, so it is read only once.
            trace = record.trace
            x = self._axis_values(record, trace, axis)
            if x is not None:
                colour = run_colour(record.colour, self.theme.palette).name()
                pattern = run_cycle(record.colour, self.theme.palette)
                floor, gap = floor_and_gap(record)
                main, bound = record is leading, has_bound(record)
                curves.append(
                    LossCurve(name, colour, x, trace.loss, pattern, main, floor, gap, bound)
                )
        axes = Axes(axis, self.view_state.log_x, self.view_state.log_y)
        self.plot.show_curves(curves, axes, self.view_state.smoothing / _SMOOTHEST)
        self.plot.setAccessibleDescription("; ".join(_describe_curve(curve) for curve in curves))
        self.show_body()
        self._show_numbers()

    def _tick(self) -> None:
        if not self.isVisible():
            return
        if self._fingerprint(self._drawn_runs()) != self._drawn_key:
            # Drawing takes at most a tenth of the time, however busy the machine is; more than four
            # frames per second would show no more of a curve.
            if self.state != "body" or self._since_drawn.elapsed() >= max(
                _CALM_MS, 10 * self.plot.painted_ms
            ):
                self._refresh()
        elif self.session.training.current is not None:
            if self.state == "body":
                if self._since_numbers.elapsed() >= _CALM_MS:
                    self._show_numbers()
            else:
                self._say_why_empty()

    def _fingerprint(self, records: list[RunRecord]) -> tuple[object, ...]:
        return tuple(
            (record.identifier, record.name, len(record.trace), floor_of(record))
            for record in records
        )

    def _axis_values(self, record: RunRecord, trace: Trace, axis: str) -> Doubles | None:
        """float64[n], or None if the run has no such measure."""
        before = ancestry(record.summary)
        if axis == SECONDS:
            return trace.seconds + before.get("seconds", 0.0)
        passes = trace.progress
        epochs = record.parameters.get("epochs")
        if isinstance(epochs, (int, float)):
            passes = passes * float(epochs)
        # The loss of a continued run starts where the loss of its parent ended.
        passes = passes + before.get("epochs", 0.0)
        if axis == EPOCHS:
            return passes
        tokens = self._corpus_tokens(record)
        if not tokens:
            return None
        return passes * tokens

    def _corpus_tokens(self, record: RunRecord) -> int:
        corpus = self.session.corpora.current
        if corpus is not None and corpus.digest == record.corpus_digest:
            return corpus.tokens
        known = record.summary.get("corpus")
        if not isinstance(known, Mapping):
            return 0
        return int(known.get("tokens", 0))

    def _offer_objectives(self) -> None:
        digest = self._shown_digest()
        offered = list(
            dict.fromkeys(
                objective_of(record)
                for record in self.session.runs
                if record.corpus_digest == digest and len(record.trace) and objective_of(record)
            )
        )
        first = self._leading_run()
        current = objective_of(first) if first is not None else ""
        if offered != [self.objective.itemData(index) for index in range(self.objective.count())]:
            self.objective.clear()
            for label in offered:
                # The unit is beside the number.
                self.objective.addItem(split_unit(label)[0], label)
        self.objective.setCurrentIndex(self.objective.findData(current))
        self.objective.setToolTip(safe_tip(f"{current[:1].upper()}{current[1:]}\n{_SHARED}"))
        self.objective.setVisible(len(offered) > 1)
        self._label.setVisible(len(offered) <= 1)
        self._label.put(current[:1].upper() + current[1:])

    def _say_why_empty(self) -> None:
        training = self.session.training.current
        if training is not None and training.run is not None:
            if objective_of(training):
                self.show_busy(tr("Waiting for the first loss value"), training.run.progress.note)
            else:
                self.show_empty(
                    tr("No loss to show"),
                    tr("{name} is computed directly, without training steps.", name=training.name),
                )
        elif self.session.active.run is not None and not objective_of(self.session.active.run):
            self.show_empty(
                tr("No loss to show"),
                tr("{name} wasn’t trained step by step.", name=self.session.active.run.name),
            )
        else:
            self.show_untrained(
                tr("No loss yet"), tr("Then see the loss of every run on this corpus, live.")
            )

    def _show_numbers(self) -> None:
        self._since_numbers.start()
        record = self._leading_run()
        if record is not None:
            self.numbers.show_run(record)
            self.numbers.show_missing_floor(self._missing_floor(record))

    def _missing_floor(self, record: RunRecord) -> str:
        """The reason why the floor of a finished run isn't known, if it can be computed now; else
        "".
        """
        floor = floor_of(record)
        corpus = self.session.corpora.current
        known = floor is not None and floor.value is not None
        if known or record.run is not None or not record.has_vectors:
            return ""
        if corpus is None or corpus.digest != record.corpus_digest:
            return ""
        if not MODELS[record.algorithm].loss_floor.formula:
            return ""
        if floor is not None and floor.state == loss_floor.FAILED:
            return floor.reason
        if floor is not None and floor.seconds is not None:
            return tr(
                "The lowest value that this loss can reach on these counts. Counting takes about "
                "{time}.",
                time=duration(floor.seconds),
            )
        return tr("The lowest value that this loss can reach on these counts.")

    def _compute_floor(self) -> None:
        record, corpus = self._leading_run(), self.session.corpora.current
        if record is not None and corpus is not None:
            self.session.runs.compute_floor(record, corpus)

    # -- choices

    def _choose_scale(self, axis: str, on: bool) -> None:
        self.view_state = self.view_state.replace(**{f"log_{axis}": on})

    def state_changed(self, before: LossState, after: LossState) -> None:
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        training = self.session.training.current
        if event.key() == Qt.Key.Key_Space and training is not None:
            if training.state is State.PAUSED:
                self.session.training.resume(training)
            else:
                self.session.training.pause(training)
        else:
            super().keyPressEvent(event)


def _value_at(axis: Doubles | None, at: int) -> float | None:
    if axis is None:
        return None
    return float(axis[at])


def _describe_curve(curve: LossCurve) -> str:
    text = f"{curve.name}: {exact_loss(curve.y[-1])}"
    if curve.floor is None:
        return text
    return f"{text}, {floor_text(curve)}"
