"""Tabs of the cross entropy of a normalised model, and of the cost per step of each output
layer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt

from workbench.analysis.step.cost import StepCost, step_costs
from workbench.analysis.theory.objective import PairObjective, objective
from workbench.analysis.theory.pair_counts import PairsKept
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.targets import theory_target
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trc
from workbench.counts.cooccurrence import window_weights
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import count, decimal, duration, mark_unknown, true_minus
from workbench.ui.panels.weights.weights_tab import WeightsInstrument
from workbench.ui.widgets.inputs.model_source import ModelSource
from workbench.ui.widgets.tables.data_table import TableColumn


class WeightsEntropy(WeightsInstrument):
    """For softmax and hierarchical softmax, whose probabilities Q add up to 1."""

    local = "entropy"

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel, pairs)
        self.found: PairObjective | None = None
        self._asked_about: tuple[object, ...] = ()
        self.compute = self.named(
            kit.button(tr("Sum over all words"), pressed=self._start_sums),
            "compute",
            tr("Sum over all words"),
        )
        self.table = kit.table(
            self,
            "table",
            tr("Cross entropy and its minimum"),
            files=kit.Files("cross-entropy", tr("Export the sums")),
        )
        text = tr(
            "Skip-gram with a normalised output minimises Σ X_i · H(P_i, Q_i) over the "
            "whole corpus. This sum can’t fall below Σ X_i · H(P_i), the entropy of "
            "the observed contexts. The rest measures how far Q_i is from P_i."
        )
        export = kit.export_button(self, lambda: self.table.export, tr("Export the table"))
        kit.add(self.controls, self.compute, kit.stretch(), export)
        note = kit.label(text, role="muted", wrap=True)
        kit.fill(self.content, kit.column(note, kit.stretch(self.table)))

    def _entropy_subject(self) -> ModelSource | None:
        basis = self.basis()
        subject = None if basis is None else basis.subject
        if subject is None:
            return None
        try:
            if theory_target(subject.algorithm).score in ("softmax", "tree"):
                return subject
            return None
        except UserError:
            return None

    def exporters(self) -> Sequence[Exporter]:
        return () if self.table.export is None else (self.table.export,)

    def refresh(self) -> None:
        basis, subject = self.basis(), self._entropy_subject()
        enabled = subject is not None
        if self.compute.isEnabled() != enabled:
            self.compute.setEnabled(enabled)
        if basis is None or not self.isVisible() or basis.key == self._asked_about:
            return
        self._asked_about = basis.key
        self.found = None
        if subject is None:
            self.show_message(
                tr("Needs a model with a normalised Q"),
                tr(
                    "Activate a run with the exact or the hierarchical softmax. Negative "
                    "sampling gives no probabilities."
                ),
            )
        else:
            self.show_message(
                tr("No sums yet"),
                tr(
                    "Press “{text}” to sum over every word of {name}.",
                    text=self.compute.text(),
                    name=subject.record.name,
                ),
            )

    def _ask_again(self) -> None:
        self._start_sums()

    def _start_sums(self) -> None:
        basis, subject = self.basis(), self._entropy_subject()
        if basis is None or subject is None:
            return

        def task(run: JobControl) -> PairObjective:
            pairs = self.pairs.get(basis.corpus, basis.counting, 0, subject.embeddings, run)
            return objective(
                pairs,
                PairScores(subject.embeddings, pairs, theory_target(subject.algorithm).score),
                run,
            )

        self.discard_job()
        title, doing = tr("Summing over all words"), tr("Summing over all words…")
        self.start_job(basis.key, title, doing, task, self._show_entropy)

    def _show_entropy(self, found: PairObjective) -> None:
        self.found = found
        rows = [
            (tr("uniform Q, log V"), found.even),
            (tr("model, H(P, Q)"), found.cross),
            (tr("minimum, H(P)"), found.floor),
            (tr("rest, KL(P ‖ Q)"), found.cross - found.floor),
        ]
        self.table.set_columns(
            [
                TableColumn(tr("weighted by X"), [name for name, _ in rows], stretch=True),
                TableColumn(
                    tr("nats per pair"),
                    [value for _, value in rows],
                    text=lambda value: true_minus(f"{value:.4f}"),
                ),
                TableColumn(
                    tr("perplexity"),
                    [math.exp(value) for _, value in rows],
                    tr("e to the entropy"),
                    text=_format_count,
                ),
            ]
        )


@dataclass(frozen=True)
class CostState(PanelState):
    dim: int = choice(100, low=1, high=1000)
    negative: int = choice(5, low=1, high=64)


class WeightsCost(WeightsInstrument):
    """Cost per step, measured on demand; other load on the machine slows it down."""

    local = "cost"
    state_kind = CostState
    view_state: CostState

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel, pairs)
        self.found: tuple[StepCost, ...] = ()
        self._asked_about: tuple[object, ...] = ()
        self.dim = self.named(
            kit.IntBox.of(1, 1000, 100, prefix="d = ", tracking=True),
            "dim",
            tr("Dimensions d"),
            tr("Number of dimensions"),
        )
        kit.set_scaled_size(self.dim, width=96)
        self.negative = self.named(
            kit.IntBox.of(1, 64, 5, prefix="k = ", tracking=True),
            "negative",
            tr("Negative samples k"),
            tr("Negative samples per pair"),
        )
        kit.set_scaled_size(self.negative, width=84)
        self.measure = self.named(
            kit.button(trc("verb", "Measure"), pressed=self._measure_steps),
            "measure",
            tr("Time one step of each output layer"),
        )
        self.fact = kit.with_role(kit.ElidedLabel(), "small", f"{self.key}.fact")
        self.table = kit.table(
            self,
            "table",
            tr("Cost by output layer"),
            files=kit.Files("cost", tr("Export the costs")),
        )
        self.bind(self.dim, "dim")
        self.bind(self.negative, "negative")
        export = kit.export_button(self, lambda: self.table.export, tr("Export the table"))
        numbers = (self.dim, self.negative, self.measure)
        kit.add(self.controls, *numbers, kit.stretch(self.fact), export)
        text = tr(
            "One step: the scores of one pair and the gradients of all vectors "
            "involved, in NumPy on one thread. The compiled trainers are faster. An "
            "epoch covers all pairs of the window; for GloVe, all cells."
        )
        note = kit.label(text, role="muted", wrap=True)
        note.setAlignment(Qt.AlignmentFlag.AlignTop)
        kit.fill(self.content, kit.column(kit.stretch(self.table), note))

    def exporters(self) -> Sequence[Exporter]:
        return () if self.table.export is None else (self.table.export,)

    def refresh(self) -> None:
        basis = self.basis()
        if basis is None or not self.isVisible():
            return
        about = (basis.corpus.digest, basis.counting.min_count)
        if about == self._asked_about:
            return
        self._asked_about = about
        self.found = ()
        size = len(basis.corpus.vocabulary(basis.counting.min_count, basis.counting.max_vocab))
        self.fact.put("")
        self.show_message(
            tr("Not measured yet"),
            tr(
                "Press Measure to time steps on the {size} words of {name}.",
                size=count(size),
                name=basis.corpus.name,
            ),
        )

    def _ask_again(self) -> None:
        self._measure_steps()

    def _measure_steps(self) -> None:
        basis = self.basis()
        if basis is None:
            return
        vocabulary = basis.corpus.vocabulary(basis.counting.min_count, basis.counting.max_vocab)
        dim, negative = self.view_state.dim, self.view_state.negative
        weights, divisor = window_weights(basis.counting.window, basis.counting.window_weighting)
        contexts = 2 * float(weights.sum()) / divisor

        def task(run: JobControl) -> tuple[StepCost, ...]:
            return step_costs(vocabulary.counts, dim, negative, run)

        def show_costs(found: tuple[StepCost, ...]) -> None:
            self.found = found
            pairs = vocabulary.tokens * contexts
            least = min(one.seconds for one in found)
            self.table.set_columns(
                [
                    TableColumn(tr("output layer"), [one.name for one in found], stretch=True),
                    TableColumn(tr("grows as"), [one.order for one in found]),
                    TableColumn(
                        tr("vectors per step"),
                        [one.rows for one in found],
                        tr("Output vectors read and updated"),
                        text=_format_count,
                    ),
                    TableColumn(
                        tr("µs per step"), [1e6 * one.seconds for one in found], text=_format_count
                    ),
                    TableColumn(
                        tr("times"),
                        [one.seconds / least for one in found],
                        tr("Relative to the fastest"),
                        text=_format_count,
                    ),
                    TableColumn(
                        tr("per epoch"),
                        [pairs * one.seconds for one in found],
                        text=duration,
                        number=True,
                        spare=1,
                    ),
                ]
            )
            self.fact.put(
                tr(
                    "V = {count}; an epoch has {decimal} pairs",
                    count=count(len(vocabulary)),
                    decimal=decimal(pairs, 3),
                )
            )

        self.discard_job()
        key = (basis.corpus, basis.counting, dim, negative)
        self.start_job(key, tr("Measuring steps"), tr("Measuring steps…"), task, show_costs)


@mark_unknown
def _format_count(value: float) -> str:
    if value >= 1000:
        return count(round(value))
    return decimal(value, 3)
