"""Tab of the modes of W·Cᵀ: their growth during training, and the order predicted from counts."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.analysis.theory.mode_order import (
    ModeStudy,
    departures,
    missing_prediction,
    predicted_modes,
    study_modes,
)
from workbench.analysis.theory.pair_counts import PairsKept
from workbench.analysis.theory.targets import declared_target
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trc
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import mismatch
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import signed
from workbench.ui.panels.theory.modes_chart import PREDICTED, VALUES, ModesChart, mode_columns
from workbench.ui.panels.theory.modes_dial import ModesDial
from workbench.ui.panels.theory.theory_tab import TheoryInstrument
from workbench.ui.widgets.inputs.model_source import Following, ModelSource
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import Modes, missing_modes

# Number of most frequent words: no more than snapshots contain.
_WORDS = 5000
_MODES = 12

Known = weakref.WeakKeyDictionary[TrainingFrame, tuple[Doubles, Doubles]]


@dataclass
class _Prediction:
    """The last prediction with its inputs, and the snapshots compared with it."""

    key: tuple[object, ...]
    modes: tuple[Modes, Sequence[str]] | None
    problem: str
    known: Known


def _snapshots(subject: ModelSource) -> tuple[TrainingFrame, ...]:
    """The snapshots of a run, or its vectors if it has no snapshots."""
    frames = subject.record.history.frames
    if frames and frames[-1].embeddings.contexts is not None:
        return frames
    whole = subject.embeddings
    size = min(len(whole), _WORDS)
    assert whole.contexts is not None
    first = Embeddings(whole.words[:size], whole.inputs[:size], contexts=whole.contexts[:size])
    return (TrainingFrame(1.0, 0.0, float("nan"), first, len(whole)),)


@dataclass(frozen=True)
class ModesState(PanelState):
    measure: str = choice(PREDICTED, allowed=(PREDICTED, VALUES))
    number: int = choice(_MODES, low=2, high=50)
    # Number of modes that panels show, 0 for all.
    kept: int = choice(0, low=0)


class TheoryModes(TheoryInstrument):
    """Singular values, or predicted modes, and the dial."""

    local = "modes"
    state_kind = ModesState
    view_state: ModesState

    def __init__(self, panel: Panel, following: Following, pairs: PairsKept) -> None:
        super().__init__(panel, following, pairs)
        self.study: ModeStudy | None = None
        self._prediction: _Prediction | None = None
        self.measure = self.named(
            kit.ChoiceBox.of(
                {PREDICTED: tr("Predicted modes"), VALUES: tr("Singular values")}, letters=15
            ),
            "measure",
            tr("Curves"),
            tr("Observed modes, or those predicted"),
        )
        self.number = self.named(
            kit.IntBox.of(2, 50, _MODES),
            "number",
            tr("Number of modes"),
            tr("Number of modes to compare"),
        )
        kit.set_scaled_size(self.number, width=76)
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.fact")
        self.chart = self.named(
            ModesChart(self.theme),
            "chart",
            tr("Modes during training"),
            tr("Point at a curve to see its words"),
        )
        self.table = kit.table(
            self,
            "table",
            tr("Modes"),
            tr("Each mode by its extreme words. Click one to select them."),
        )
        self.parted = kit.with_role(kit.ElidedLabel(lines=3), "small", f"{self.key}.parted")
        self.dial = ModesDial(panel)
        self.chart.offer_files(
            self.session,
            tr("Export the modes"),
            "modes",
            self.chart.table,
            about=self.chart.accessibleName,
        )
        self._build()
        self.table.picked.connect(self._select_words)
        self.bind(self.measure, "measure")
        self.bind(self.number, "number")
        dial = self.dial
        self.bound.bind_to(
            "kept",
            dial.slider,
            lambda: dial.first_modes,
            dial.put_first_modes,
            dial.slider.valueChanged,
        )
        panel.follow(self.session.active.changed, self._follow_dial)

    def state_changed(self, before: ModesState, after: ModesState) -> None:
        if after.kept != self.session.active.modes:
            self.dial.ask(after.kept)
        if after.number != before.number:
            self.refresh()
        else:
            self._draw()

    def _build(self) -> None:
        kit.add(
            self.controls,
            self.measure,
            self.number,
            kit.label(trc("number of modes", "modes")),
            kit.stretch(self.fact),
            kit.export_button(self, lambda: self.chart.export, tr("Export figure and data")),
        )
        parts = kit.split_into(kit.TurningSplitter(), self.chart, self.table, sizes=(560, 440))
        column = kit.column(
            kit.stretch(parts), self.parted, kit.space(kit.SPACE_2), self.dial, gap=kit.SPACE_1
        )
        kit.fill(self.content, column)

    def _follow_dial(self) -> None:
        if self.dial.is_moving:
            return
        with self.bound.showing():
            self.view_state = self.view_state.replace(kept=self.session.active.modes)
        if self.subject is not None:
            self.dial.refresh(self.subject.live)

    def tick(self) -> None:
        """Check for new snapshots during training."""
        super().tick()
        live = self.subject is not None and self.subject.live
        if live and not self.busy and self.state != "error":
            self.refresh()

    def exporters(self) -> Sequence[Exporter]:
        return () if self.chart.export is None else (self.chart.export,)

    def refresh(self) -> None:
        """Compare the snapshots if they or the choices have changed, once the tab is visible."""
        subject = self.subject
        if not self.isVisible() or subject is None:
            return
        self.dial.refresh(subject.live)
        problem = missing_modes(subject.embeddings)
        if problem is not None:
            self._forget_study()
            self.show_message(problem.message, problem.hint)
            return
        frames = _snapshots(subject)
        corpus = self.session.corpora.current
        if mismatch(subject.record, corpus) is not None:
            corpus = None
        digest = "" if corpus is None else corpus.digest
        number = self.view_state.number
        alone = subject.embeddings if frames[-1].seconds == 0 and len(frames) == 1 else None
        wanted = (
            subject.record,
            digest,
            number,
            alone if alone is not None else frames[-1],
            len(frames),
        )
        key = (subject.record, digest, number, frames[-1].embeddings.words)
        prediction = self._prediction
        if prediction is None or prediction.key != key:
            prediction = None

        def show_study(found: tuple[_Prediction, ModeStudy]) -> None:
            self._prediction, self.study = found
            self._draw()

        task = partial(self._study, subject, corpus, frames, key, prediction)
        if prediction is not None and self.study is not None:
            self.work_quietly(wanted, tr("Following the modes"), task, show_study)
        else:
            self.start_job(
                wanted,
                tr("Following the modes"),
                tr("Predicting the order from the counts…"),
                task,
                show_study,
            )

    def _study(
        self,
        subject: ModelSource,
        corpus: Corpus | None,
        frames: Sequence[TrainingFrame],
        key: tuple[object, ...],
        prediction: _Prediction | None,
        run: JobControl,
    ) -> tuple[_Prediction, ModeStudy]:
        """Predict once, then compare all snapshots; in a worker."""
        number = int(str(key[2]))
        if prediction is None:
            modes, problem = None, tr("Open the corpus of this run to predict the order.")
            if corpus is not None:
                modes, problem = self._predict(subject, corpus, frames[-1].embeddings, number, run)
            prediction = _Prediction(key, modes, problem, weakref.WeakKeyDictionary())
        study = study_modes(
            frames, number, prediction.modes, prediction.problem, prediction.known, run
        )
        return prediction, study

    def _predict(
        self,
        subject: ModelSource,
        corpus: Corpus,
        words: Embeddings,
        number: int,
        run: JobControl,
    ) -> tuple[tuple[Modes, Sequence[str]] | None, str]:
        own = declared_target(subject.algorithm)
        problem = missing_prediction(own)
        if problem is not None:
            return None, problem.message
        try:
            pairs = self.pairs.get(corpus, subject.counting, 0, words, run)
            return (predicted_modes(pairs, subject.setting, own, number, run), pairs.words), ""
        except UserError as error:
            return None, error.message

    def on_cancelled(self) -> None:
        """Stop; a new choice or another snapshot starts again."""
        self.study = None
        self.chart.set_chart(None)
        self.show_cancelled(
            tr("Following the modes was cancelled"), tr("Change the number of modes to restart.")
        )

    def _forget_study(self) -> None:
        self.discard_job()
        self.study = None
        self.chart.set_chart(None)

    # -- drawing

    @property
    def _kind(self) -> str:
        """The kind of drawing: singular values if nothing could be predicted."""
        if self.study is None or self.study.predicted is None:
            return VALUES
        return self.view_state.measure

    def _draw(self) -> None:
        study, subject = self.study, self.subject
        if study is None or subject is None:
            return
        self.chart.show_study(study, self._kind)
        # A single snapshot makes no curves.
        self.chart.setVisible(len(study.course.progress) > 1)
        self.table.set_columns(mode_columns(study, self._kind))
        self.fact.put(self._fact(study))
        self.parted.put(" ".join(self._departures(study, subject)))
        self.parted.setVisible(bool(self.parted.whole))

    def _select_words(self, mode: object) -> None:
        """Select the extreme words of a mode."""
        if self.study is None or not isinstance(mode, int):
            return
        ends = self.study.observed_ends
        if self._kind == PREDICTED:
            ends = self.study.predicted_ends
        high, low = ends[mode].words
        self.session.selection.select((*high, *low))

    def _fact(self, study: ModeStudy) -> str:
        """The correlation of both orders, or the reason why there is none."""
        if study.problem:
            return study.problem
        if np.isnan(study.correlation):
            return tr("No observed order: this run has no snapshots. Train it again to see one.")
        subject = self.subject
        live = subject is not None and subject.live
        text = tr(
            "Predicted against observed order of {number} modes: Spearman’s ρ = {rho}",
            number=study.compared,
            rho=signed(study.correlation),
        )
        if live:
            return tr("{text}, so far", text=text)
        return text

    def _departures(self, study: ModeStudy, subject: ModelSource) -> list[str]:
        if study.predicted is None:
            return []
        frames = _snapshots(subject)
        left_out = frames[-1].total - len(frames[-1].embeddings)
        own = declared_target(subject.algorithm)
        return departures(own, subject.parameters, left_out)
