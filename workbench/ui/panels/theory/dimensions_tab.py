"""Tab of the residual by number of dimensions, one curve per algorithm."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.analysis.theory.fit_ceiling import FitCeiling, fit_ceiling, has_ceiling
from workbench.analysis.theory.pair_counts import PairCounts, PairsKept
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import Figures, FitOptions, fit
from workbench.analysis.theory.targets import theory_target
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trc
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, TheoryTarget
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.vector_loader import loader
from workbench.session.settings.session_settings import THEORY_RUNS
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import plural, signed
from workbench.ui.panels.theory.theory_tab import TheoryInstrument
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.inputs.model_source import Following, ModelSource, subject_of
from workbench.ui.widgets.inputs.run_choice import RunsChoice
from workbench.vectors.embeddings import Embeddings

_WORDS = 2000
_MEASURES = {"rms": tr("Residual, rms (nats)"), "r2": "R²"}


@dataclass(frozen=True)
class _RunResidual:
    """Residual of one run. ``why`` is the reason why it couldn't be compared, or ""; ``ceiling``
    of its target, if that is PMI.
    """

    dim: int
    figures: Figures | None
    why: str = ""
    ceiling: FitCeiling | None = None


class _Ceilings:
    """The ceiling of each counting and weighting, which most runs share."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], FitCeiling | None] = {}

    def of(
        self,
        corpus: Corpus,
        subject: ModelSource,
        own: TheoryTarget,
        pairs: PairCounts,
        run: JobControl,
    ) -> FitCeiling | None:
        """The ceiling for a model, None without one. Raises Cancelled."""
        if not has_ceiling(own.target):
            return None
        key = (subject.counting, subject.setting, own.target, len(pairs.words))
        if key not in self._known:
            try:
                self._known[key] = fit_ceiling(
                    corpus, subject.counting, subject.setting, own, pairs, run
                )
            except UserError:
                self._known[key] = None
        return self._known[key]


def _measure_runs(
    corpus: Corpus,
    runs: list[tuple[RunRecord, Callable[[], Embeddings]]],
    kept: PairsKept,
    run: JobControl,
) -> dict[str, _RunResidual]:
    """Residuals by run identifier; in a worker. Raises Cancelled."""
    found = {}
    ceilings = _Ceilings()
    for number, (record, load) in enumerate(runs):
        run.check()
        run.advance(
            number / len(runs),
            tr("{name}, {value} of {number}", name=record.name, value=number + 1, number=len(runs)),
        )
        try:
            subject = subject_of(record, load())
            own = theory_target(subject.algorithm)
            pairs = kept.get(corpus, subject.counting, _WORDS, subject.embeddings, run)
            scores = PairScores(subject.embeddings, pairs, own.score)
            fitted = fit(pairs, subject.setting, own.target, own, scores, FitOptions(sample=0), run)
        except UserError as error:
            found[record.identifier] = _RunResidual(0, None, error.message)
        else:
            found[record.identifier] = _RunResidual(
                int(subject.embeddings.inputs.shape[1]),
                fitted.weighted,
                ceiling=ceilings.of(corpus, subject, own, pairs, run),
            )
    return found


@dataclass(frozen=True)
class DimsState(PanelState):
    measure: str = choice("rms", allowed=_MEASURES)


class TheoryDims(TheoryInstrument):
    """Curves of the runs by algorithm; a click shows a run."""

    local = "dims"
    state_kind = DimsState
    view_state: DimsState

    def __init__(self, panel: Panel, following: Following, pairs: PairsKept) -> None:
        super().__init__(panel, following, pairs)
        self._known: dict[str, _RunResidual] = {}
        self.runs = self.named(
            RunsChoice(panel, THEORY_RUNS),
            "runs",
            tr("Runs compared"),
            tr("Runs of this corpus"),
        )
        self.measure = self.named(
            kit.ChoiceBox.of(_MEASURES, letters=17),
            "measure",
            trc("noun", "Measure"),
            tr("Weighted as in the loss of each algorithm"),
        )
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.chart = kit.chart(
            self,
            "chart",
            tr("Residual by dimension"),
            tr("Each point is a run. Click one to activate it."),
            files=kit.Files(
                "residual",
                tr("Export residuals by dimension"),
                records=self._chosen_runs,
                about=lambda: tr("Residuals of the fit by dimension"),
            ),
        )
        export = kit.export_button(self, lambda: self.chart.export, tr("Export figure and data"))
        kit.add(self.controls, self.runs, self.measure, kit.stretch(self.fact), export)
        kit.fill(self.content, self.chart)
        self.runs.changed.connect(self.refresh)
        self.bind(self.measure, "measure")
        self.chart.picked.connect(self._show_run)
        self.panel.follow(self.session.corpora.changed, self._forget_results)

    def state_changed(self, before: DimsState, after: DimsState) -> None:
        self._draw_chart()

    def _forget_results(self) -> None:
        self.discard_job()
        self._known.clear()

    def _chosen_runs(self) -> list[RunRecord]:
        digest = ""
        if self.session.corpora.current is not None:
            digest = self.session.corpora.current.digest
        return [one for one in self.runs.records if one.algorithm and one.corpus_digest == digest]

    def drawn_runs(self) -> list[RunRecord]:
        return self._chosen_runs()

    def exporters(self) -> Sequence[Exporter]:
        return () if self.chart.export is None else (self.chart.export,)

    def refresh(self) -> None:
        """Measure the runs that aren’t measured yet, once the tab is visible."""
        if not self.isVisible():
            return
        corpus = self.session.corpora.current
        if corpus is None:
            self.show_message(
                tr("No counts to compare"),
                tr("Open the corpus that the runs were trained on."),
            )
            return
        chosen = self._chosen_runs()
        if not chosen:
            self.show_message(
                tr("No runs of this corpus"),
                tr(
                    "Train an algorithm with several numbers of dimensions d. Each run is "
                    "shown as a point."
                ),
            )
            return
        missing = [one for one in chosen if one.identifier not in self._known]
        if not missing:
            self.discard_job()
            self.show_content()
            self._draw_chart()
        elif not self.busy:
            runs = [(one, loader(self.session.store, one)) for one in missing]
            task = partial(_measure_runs, corpus, runs, self.pairs)
            self.start_job(
                (corpus, *(one.identifier for one in missing)),
                tr("Comparing {runs}", runs=plural(len(runs), "run")),
                tr("Comparing runs with their targets…"),
                task,
                self._runs_measured,
            )

    def _runs_measured(self, found: dict[str, _RunResidual]) -> None:
        self._known.update(found)
        self.refresh()

    def on_cancelled(self) -> None:
        """Stop; a new choice of runs measures again."""
        self.show_cancelled(tr("Comparing was cancelled"), tr("Choose runs above to compare them."))

    def _draw_chart(self) -> None:
        measure = str(self.view_state.measure)
        series, left_out = [], []
        chosen = self._chosen_runs()
        for algorithm in dict.fromkeys(one.algorithm for one in chosen):
            points = []
            for record in chosen:
                point = self._known.get(record.identifier)
                if record.algorithm != algorithm or point is None:
                    continue
                if point.figures is None:
                    left_out.append(f"{record.name}: {point.why}")
                else:
                    points.append(
                        (point.dim, float(getattr(point.figures, measure)), record, point.figures)
                    )
            points.sort(key=lambda one: (one[0], one[2].identifier))
            if points:
                series.append(
                    ChartSeries(
                        np.array([one[0] for one in points], dtype=np.float64),
                        np.array([one[1] for one in points]),
                        MODELS[algorithm].short if algorithm in MODELS else algorithm,
                        points[0][2].colour,
                        line=True,
                        texts=[
                            tr(
                                "{name}, d = {dim}\nresidual {residual}, R² {r2}",
                                name=record.name,
                                dim=dim,
                                residual=signed(figures.rms, 3),
                                r2=signed(figures.r2, 3),
                            )
                            for dim, _, record, figures in points
                        ],
                        keys=[one[2].identifier for one in points],
                    )
                )
        band = self._ceiling_band(measure, series)
        if band is not None:
            series.insert(0, band)
        ends = [value for one in series for value in one.y.tolist() if math.isfinite(value)]
        base = (0.0, max(ends, default=1.0)) if measure == "rms" else None
        self.chart.set_chart(
            Chart(tr("dimension d"), _MEASURES[measure], tuple(series), log_x=True, y_range=base)
        )
        self.fact.put(
            " · ".join(left_out)
            or tr(
                "Compared with each run’s own target, over the observed pairs of at most 2,000 "
                "words"
            )
        )

    def _ceiling_band(self, measure: str, series: Sequence[ChartSeries]) -> ChartSeries | None:
        """A grey band: what the noise of the text lets a fit to PMI reach."""
        known = [
            one.ceiling
            for record in self._chosen_runs()
            if (one := self._known.get(record.identifier)) is not None and one.ceiling is not None
        ]
        places = [x for one in series for x in one.x.tolist()]
        if not known or not places:
            return None
        low, high = (
            (min(one.r2.low for one in known), max(one.r2.high for one in known))
            if measure == "r2"
            else (0.0, max(one.noise for one in known))
        )
        if not (math.isfinite(low) and math.isfinite(high)):
            return None
        left, right = min(places), max(places)
        if left == right:
            left, right = left / 2, right * 2
        x = np.array([left, right])
        name = tr("R² that the text allows") if measure == "r2" else tr("noise of the text")
        ends = np.full(2, low), np.full(2, high)
        middle = np.full(2, (low + high) / 2)
        return ChartSeries(
            x, middle, name, dots=False, low=ends[0], high=ends[1], role="muted", fill=True
        )

    def _show_run(self, identifier: str) -> None:
        record = next((one for one in self.session.runs if one.identifier == identifier), None)
        if record is not None:
            self.session.active.show(record)
