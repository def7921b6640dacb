"""Tabs of pair weights by count over the corpus’s counts, and of GloVe’s biases against log
#(w).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.theory.loss_weights import BiasLook, Weighing, bias_look, compare_weights
from workbench.analysis.theory.pair_counts import PairsKept
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import plural, signed
from workbench.ui.base.theme import SPACE_1
from workbench.ui.export.export_actions import Export, ManyExportsButton
from workbench.ui.panels.weights.weights_tab import TOP, WeightsInstrument
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.plots.chart_view import ChartView


@dataclass(frozen=True)
class CurvesState(PanelState):
    """view : weight of one pair, or of all pairs with the same count"""

    view: str = choice("pair", allowed=("pair", "share"))


class WeightsCurves(WeightsInstrument):
    """Each curve is divided by its mean over the pairs, so that only shapes are compared."""

    local = "curves"
    state_kind = CurvesState
    view_state: CurvesState

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel, pairs)
        self.found: Weighing | None = None
        self.view = self.named(
            kit.ChoiceBox.of(
                {"pair": tr("Weight of one pair"), "share": tr("Share of all weight")}, letters=17
            ),
            "view",
            tr("Quantity drawn"),
            tr("Weight of one pair, or of all pairs with the same count"),
        )
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.above = self.named(ChartView(self.theme), "chart", tr("Weight by count of the pair"))
        self.beneath = self.named(ChartView(self.theme), "counts", tr("Number of pairs by count"))
        self.beneath.follow_x(self.above)
        self.weights_export = _exported(self.above, self.session, tr("Export weights"), "weights")
        self.exports = {
            tr("the weights"): self.weights_export,
            tr("the counts"): _exported(self.beneath, self.session, tr("Export counts"), "counts"),
        }
        export = self.named(
            ManyExportsButton(self.exports), "export", tr("Export figures and data")
        )
        kit.add(self.controls, self.view, kit.stretch(self.fact), export)
        charts = (kit.stretch(self.above, 5), kit.stretch(self.beneath, 3))
        kit.fill(self.content, kit.column(*charts, gap=SPACE_1))
        self.bind(self.view, "view")

    def state_changed(self, before: CurvesState, after: CurvesState) -> None:
        self._draw_curves()

    def exporters(self) -> Sequence[Exporter]:
        return tuple(self.exports.values())

    def refresh(self) -> None:
        basis = self.basis()
        if basis is None or not self.isVisible():
            return
        model = basis.subject.embeddings if basis.subject else None

        def task(run: JobControl) -> Weighing:
            return compare_weights(
                self.pairs.get(basis.corpus, basis.counting, TOP, model, run), basis.setting
            )

        def show_weights(found: Weighing) -> None:
            self.found = found
            setting = basis.setting
            self.fact.put(
                tr(
                    "k = {negative:g}, x_max = {x_max:g}, α = {alpha:g}; {fit}; {pairs}",
                    negative=setting.negative,
                    x_max=setting.x_max,
                    alpha=setting.alpha,
                    fit=basis.counting_text,
                    pairs=plural(int(found.pairs.sum()), "pair"),
                )
            )
            self._draw_curves()

        doing = tr("Counting pairs of words…")
        self.start_job(basis.key, tr("Weighing pairs"), doing, task, show_weights)

    def _draw_curves(self) -> None:
        found = self.found
        if found is None:
            return
        shares = self.view_state.view == "share"
        series = []
        for number, curve in enumerate(found.curves):
            values = found.shares[:, number] if shares else curve.weights
            texts = [
                tr(
                    "{name}\ncount {x:.3g}: {share:.3g}% of all weight",
                    name=curve.name,
                    x=x,
                    share=100 * v,
                )
                if shares
                else tr(
                    "{name}\ncount {x:.3g}: {v:.3g} times the mean weight",
                    name=curve.name,
                    x=x,
                    v=v,
                )
                for x, v in zip(found.counts.tolist(), values.tolist(), strict=True)
            ]
            series.append(
                ChartSeries(found.counts, values, curve.name, number, line=True, texts=texts)
            )
        label = tr("share of all weight") if shares else tr("weight / mean")
        span = (float(found.counts[0]), float(found.counts[-1]))
        self.above.set_chart(
            Chart(
                "",
                label,
                tuple(series),
                log_x=True,
                log_y=not shares,
                percent_y=shares,
                x_range=span,
            )
        )
        texts = [
            tr("count {x:.3g}: {pairs}", x=x, pairs=plural(n, "pair"))
            for x, n in zip(found.counts, found.pairs.tolist(), strict=True)
        ]
        pairs = ChartSeries(found.counts, found.pairs.astype(float), line=True, texts=texts)
        axes = tr("count #(w, c)"), tr("pairs")
        self.beneath.set_chart(Chart(*axes, (pairs,), log_x=True, log_y=True, x_range=span))


def _exported(chart: ChartView, session: Session, title: str, stem: str) -> Export:
    return chart.offer_files(session, title, stem, chart.table, about=chart.accessibleName)


class WeightsBiases(WeightsInstrument):
    """For models with biases; SGNS subtracts the logarithm without a bias."""

    local = "biases"

    def __init__(self, panel: Panel, pairs: PairsKept) -> None:
        super().__init__(panel, pairs)
        self.found: BiasLook | None = None
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.fact")
        self.chart = self.named(
            ChartView(self.theme),
            "chart",
            tr("Bias against log #(w)"),
            tr("Click a point to select its word"),
        )
        _exported(self.chart, self.session, tr("Export biases"), "biases")
        export = kit.export_button(self, lambda: self.chart.export, tr("Export figure and data"))
        kit.add(self.controls, kit.stretch(self.fact), export)
        kit.fill(self.content, self.chart)
        self.chart.picked.connect(lambda word: self.session.selection.select([word]))
        self.panel.follow(self.session.selection.changed, self._selection_changed)

    def _selection_changed(self) -> None:
        self.chart.set_current(self.session.selection.focus or "")

    def exporters(self) -> Sequence[Exporter]:
        return () if self.chart.export is None else (self.chart.export,)

    def refresh(self) -> None:
        basis = self.basis()
        if basis is None or not self.isVisible():
            return
        subject = basis.subject
        if subject is None or subject.embeddings.biases is None:
            self.show_message(
                tr("No biases"),
                tr(
                    "Activate a GloVe run, which learns a bias b for every word. SGNS has "
                    "no biases, because its target subtracts log #(w)."
                ),
            )
            return

        def task(run: JobControl) -> BiasLook | None:
            return bias_look(
                self.pairs.get(basis.corpus, basis.counting, TOP, subject.embeddings, run),
                subject.embeddings,
            )

        doing = tr("Counting pairs of words…")
        self.start_job(basis.key, tr("Comparing biases"), doing, task, self._draw_biases)

    def _draw_biases(self, found: BiasLook | None) -> None:
        self.found = found
        if found is None:
            return
        ends = np.array([found.logs.min(), found.logs.max()])
        point = tr("{word}\nlog #(w) {x:.2f}, b {y}")
        texts = [
            point.format(word=word, x=x, y=signed(y))
            for word, x, y in zip(
                found.words, found.logs.tolist(), found.biases.tolist(), strict=True
            )
        ]
        exact = found.biases.mean() + ends - found.logs.mean()
        series = (
            ChartSeries(found.logs, found.biases, texts=texts, keys=found.words),
            ChartSeries(
                ends,
                found.offset + found.slope * ends,
                tr("least squares, slope {slope:.2f}", slope=found.slope),
                0,
                line=True,
                dots=False,
            ),
            ChartSeries(
                ends, exact, tr("slope 1, as log #(w) in x* of SGNS"), 1, line=True, dots=False
            ),
        )
        self.chart.set_chart(Chart(tr("log #(w)"), tr("bias b of the word"), series))
        self.fact.put(
            tr(
                "b = {offset} + {slope:.2f} · log #(w), r {pearson:.3f}, {words}",
                offset=signed(found.offset),
                slope=found.slope,
                pearson=found.pearson,
                words=plural(len(found.words), "word"),
            )
        )
        self._selection_changed()
