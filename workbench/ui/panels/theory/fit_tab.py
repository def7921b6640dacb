"""Tab that compares a model with its target: density, fit by frequency, and settings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent

from workbench.analysis.theory.fit_ceiling import FitCeiling, fit_ceiling, has_ceiling
from workbench.analysis.theory.pair_counts import PairCountSettings, PairsKept
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import BANDS, Figures, Fit, FitOptions
from workbench.analysis.theory.target_what_if import Look, PairLook, WhatIf, compare_settings
from workbench.analysis.theory.targets import SCORES, TARGETS, TargetSettings
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import plural, tr, trc
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.models.base import TheoryTarget
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.scaling import set_text_role, text_factor
from workbench.ui.base.text import count, decimal, short_number, signed, true_minus
from workbench.ui.base.theme import SPACE_1, TYPE_LARGE
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.theory.density_view import DensityView
from workbench.ui.panels.theory.theory_tab import TheoryInstrument
from workbench.ui.panels.theory.what_if_sliders import MOST_K, MOST_WINDOW, STEPS, TiedSliders
from workbench.ui.widgets.inputs.model_source import Following, ModelSource
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.layout.side_by_side import PagePair
from workbench.ui.widgets.tables.table_model import TableColumn

# Below this width, divided by the text factor, enlarged text leaves no room for two columns.
_NARROW = 900
_FRAME_MS = 16
# Height that the figure and the table keep when one is below the other, as with large text.
_COMFORT = 280
# Room for complete columns that leaves most of the window to the figure.
_SIDE = 332
_TOP = 2000
_OWN = ""


@dataclass(frozen=True, eq=False)
class _FitRequest:
    """The requested comparison; ``counting`` and ``setting`` may differ from the model's own."""

    corpus: Corpus
    subject: ModelSource
    own: TheoryTarget
    target: str
    counting: PairCountSettings
    setting: TargetSettings
    top: int
    by: str
    chosen: tuple[str, ...]
    span: tuple[float, float] | None


def _compute_ceiling(request: _FitRequest, kept: PairsKept, run: JobControl) -> FitCeiling | None:
    """The ceiling of the fit, None without one; in a worker. Raises Cancelled."""
    subject = request.subject
    pairs = kept.get(request.corpus, request.counting, request.top, subject.embeddings, run)
    try:
        return fit_ceiling(
            request.corpus, request.counting, request.setting, request.own, pairs, run
        )
    except UserError:
        return None


def _compute_fit(request: _FitRequest, kept: PairsKept, run: JobControl) -> Look:
    """Compute the fit, in a worker."""
    subject = request.subject
    own_pairs = kept.get(request.corpus, subject.counting, request.top, subject.embeddings, run)
    pairs = own_pairs
    if request.counting != subject.counting:
        pairs = kept.get(request.corpus, request.counting, request.top, subject.embeddings, run)
    scores = PairScores(subject.embeddings, pairs, request.own.score)
    what_if = WhatIf(pairs, request.setting, own_pairs, subject.setting)
    options = FitOptions(by=request.by, span=request.span)
    return compare_settings(
        what_if, request.target, request.own, scores, request.chosen, options, run
    )


@dataclass(frozen=True)
class FitState(PanelState):
    """target : "" for that of the algorithm; top : number of words; by : bands by the count of the
    pair or of its rarer word; weighted : as in the loss
    negative, exponent, window : steps of the sliders, -1 for the model's own settings
    """

    target: str = choice(_OWN, allowed=(_OWN, *TARGETS))
    top: int = choice(_TOP, low=2, high=20_000)
    by: str = choice("pair", allowed=("pair", "word"))
    weighted: bool = choice(True)
    details: bool = choice(False)
    side: str = choice("by_frequency", allowed=("by_frequency", "settings"))
    negative: int = choice(-1, low=-1, high=MOST_K)
    exponent: int = choice(-1, low=-1, high=STEPS)
    window: int = choice(-1, low=-1, high=MOST_WINDOW)


class TheoryFit(TheoryInstrument):
    """Comparison of a model with its target, updated for every snapshot during training."""

    local = "fit"
    state_kind = FitState
    view_state: FitState

    def __init__(self, panel: Panel, following: Following, pairs: PairsKept) -> None:
        super().__init__(panel, following, pairs)
        self._drawn: tuple[object, ...] = ()
        self._ceiling = ResultJob(self.session.jobs, f"{self.key}.ceiling")
        self._ceilings: dict[tuple[object, ...], FitCeiling | None] = {}
        self._make_choices()
        self.density = self.named(
            DensityView(self.theme),
            "density",
            tr("Model against target"),
            tr("All pairs; model and target are equal on the dashed line"),
        )
        self.sliders = self.named(
            TiedSliders(panel, self.local), "sliders", tr("Effect of the settings")
        )
        self.figures = kit.with_role(kit.ElidedLabel(lines=2), "", f"{self.key}.figures")
        set_text_role(self.figures, TYPE_LARGE, tabular=True)
        self.facts = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.facts")
        self.pair = kit.with_role(kit.ElidedLabel(lines=3), "", f"{self.key}.pair")
        # Three lines always have room, so that other numbers don't move the widgets above.
        kit.set_scaled_size(self.pair, least_height=3 * 16 + SPACE_1)
        self.pair.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.readout = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.readout")
        self.bands = kit.table(
            self,
            "bands",
            tr("Figures by frequency"),
            files=kit.Files("theory-bands", tr("Export figures by frequency")),
        )
        self._make_exports()
        self._build()
        self._connect()

    def _make_choices(self) -> None:
        tips = [f"{one.formula}\n{one.words}" for one in TARGETS.values()]
        self.target = self.named(
            kit.ChoiceBox.of(
                {_OWN: tr("Own target"), **{key: one.title for key, one in TARGETS.items()}},
                tips=["", *tips],
                letters=13,
            ),
            "target",
            tr("Target"),
            tr("Target that the model is compared with, over the same pairs"),
        )
        self.top = self.named(
            kit.IntBox.of(2, 20_000, _TOP, suffix=tr(" words")),
            "top",
            tr("Words"),
            tr("Compare all pairs of this many most frequent words"),
        )
        kit.set_scaled_size(self.top, width=112)
        self.by = self.named(
            kit.ChoiceBox.of(
                {"pair": tr("By pair count"), "word": tr("By rarer word")}, letters=13
            ),
            "by",
            tr("Bands"),
            tr("Bands by the count of the pair or of its rarer word"),
        )
        self.weighted = self.named(
            kit.ChoiceBox.of({True: tr("Loss weights"), False: tr("Equal weights")}, letters=13),
            "weighted",
            tr("Weights"),
            tr("Weight each pair as in the algorithm’s loss, or all pairs equally"),
        )

    def _make_exports(self) -> None:
        export = self.density.offer_files(
            self.session,
            tr("Export the comparison"),
            "theory",
            lambda: pairs_csv(self.fit),
            about=lambda: tr("Model scores w·c against their target values"),
        )
        assert self.bands.export is not None
        self.density_export = export
        self.exports = {tr("the density"): export, tr("figures by frequency"): self.bands.export}

    def _build(self) -> None:
        self.details = self.named(
            kit.button(tr("Details"), role="quiet", checkable=True),
            "details",
            tr("Show figures and settings beside the density"),
        )
        export = self.named(ManyExportsButton(self.exports), "export", tr("Export figure and data"))
        kit.add(self.controls, self.target, self.top, kit.stretch(self.facts), self.details, export)
        choices = kit.row(self.weighted, self.by, kit.stretch(), gap=SPACE_1)
        page = kit.box(kit.column(choices, kit.stretch(self.bands), gap=SPACE_1))
        self.side = self.named(
            PagePair(
                (
                    ("by_frequency", tr("By frequency"), page),
                    ("settings", tr("Settings"), self.sliders),
                )
            ),
            "side",
            tr("Details"),
        )
        self._right = kit.box(kit.column(self.figures, kit.stretch(self.side), self.pair))
        # Wide enough at any text size for the table and the choices below it.
        kit.set_scaled_size(self._right, least_width=300)
        self.main_picture = kit.box(self.density)
        parts = kit.split_into(
            kit.TurningSplitter(_COMFORT),
            self.main_picture,
            self._right,
            shares=(1,),
            sizes=(760, _SIDE),
        )
        kit.fill(self.content, kit.column(kit.stretch(parts), self.readout, gap=SPACE_1))

    def _make_room(self) -> None:
        """Give enlarged text in a narrow window the whole width for the density, until the details
        are asked for.
        """
        factor = text_factor()
        narrow = factor > 1 and self.width() / factor < _NARROW
        self.details.setVisible(narrow)
        self._right.setVisible(not narrow or self.view_state.details)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _connect(self) -> None:
        self.theme.text_changed.connect(self._make_room)
        self.bind_controls(
            target=self.target,
            top=self.top,
            by=self.by,
            weighted=self.weighted,
            details=self.details,
        )
        self.bound.bind_buttons(self.side.by_key, "side")
        for field, slider in self.sliders.by_field.items():
            sliders = self.sliders
            self.bound.bind_to(
                field,
                slider,
                partial(sliders.moved_to, field),
                partial(sliders.put_step, field),
                slider.valueChanged,
            )
        self.sliders.moved.connect(self.refresh)
        self.density.readout_changed.connect(self._show_readout)
        self.density.picked.connect(
            lambda word, context: self.session.selection.select((context, word))
        )
        self.panel.follow(self.session.selection.changed, self.refresh)

    # -- requests

    def state_changed(self, before: FitState, after: FitState) -> None:
        # What follows the sliders waits until they are at rest.
        at_rest = {field: getattr(before, field) for field in self.sliders.by_field}
        if after != before and after.replace(**at_rest) == before:
            return
        self._make_room()
        self._show_figures()
        self.refresh()

    def _choose_own(self) -> None:
        """Move the sliders to the settings of another model."""
        with self.bound.showing():
            self.view_state = self.view_state.replace(negative=-1, exponent=-1, window=-1)

    def exporters(self) -> Sequence[Exporter]:
        return tuple(self.exports.values())

    def refresh(self) -> None:
        """Compare again if the request changed, once the tab is visible."""
        subject = self.subject
        if not self.isVisible() or subject is None:
            return
        own = self.own(subject)
        if own is None:
            self._forget_fit()
            return
        target = self.view_state.target or own.target
        if self.sliders.set_own(subject.counting, subject.setting, target):
            self._choose_own()
        for field in self.sliders.by_field:
            with self.bound.showing():
                self.sliders.put_step(field, getattr(self.view_state, field))
        counting, setting = self.sliders.chosen_settings
        chosen = self.session.selection.words[-1:-3:-1]
        corpus = self.session.corpora.current
        assert corpus is not None
        what = (subject.record, target, self.view_state.top, corpus.digest)
        wanted = (*what, subject.embeddings, counting, setting, self.view_state.by, chosen)
        seen = self.density.look
        span = None
        if seen is not None and what == self._drawn:
            span = (seen.fit.low, seen.fit.high)
        request = _FitRequest(
            corpus,
            subject,
            own,
            target,
            counting,
            setting,
            self.view_state.top,
            self.view_state.by,
            chosen,
            span,
        )

        def show_fit(found: Look) -> None:
            self._drawn = what
            self._draw_fit(found, request)
            self._ask_ceiling(request)

        known = all(
            self.pairs.holds(corpus, one, request.top, subject.embeddings)
            for one in (counting, subject.counting)
        )
        task = partial(_compute_fit, request, self.pairs)
        if known and seen is not None:
            self.work_quietly(wanted, tr("Comparing with the target"), task, show_fit)
        else:
            title, doing = tr("Comparing with the target"), tr("Counting pairs of words…")
            self.start_job(wanted, title, doing, task, show_fit)

    def _ask_ceiling(self, request: _FitRequest) -> None:
        """Ask for the ceiling of the fit, once for each counting, and not during a training."""
        self.density.set_ceiling(None)
        key = (
            *(request.corpus.digest, request.counting, request.setting, request.top),
            *(request.own.target, len(request.subject.embeddings)),
        )

        def done(found: FitCeiling | None) -> None:
            self._ceilings[key] = found
            self.density.set_ceiling(found)
            self._show_figures()

        if not has_ceiling(request.target) or self.session.training.current is not None:
            self._ceiling.forget()
        elif key in self._ceilings:
            done(self._ceilings[key])
        else:
            title = tr("Comparing the halves of the text")
            work = partial(_compute_ceiling, request, self.pairs)
            self._ceiling.ask(Request(key, title, work, done, quiet=True))

    def _forget_fit(self) -> None:
        self.discard_job()
        self._drawn = ()
        self.density.set_look(None)

    def show_error(self, error: UserError) -> None:
        self._drawn = ()
        self.density.set_look(None)
        super().show_error(error)

    def on_cancelled(self) -> None:
        """Stop counting; the button counts again."""
        again = QAction(tr("Count again"), self)
        again.triggered.connect(self._retry)
        self.show_cancelled(
            tr("Counting was cancelled"), tr("The counts so far were discarded."), again
        )

    def _retry(self) -> None:
        self.discard_job()
        self.refresh()

    # -- results

    def _draw_fit(self, found: Look, request: _FitRequest) -> None:
        target = TARGETS[request.target]
        name = SCORES[request.own.score]
        self.density.set_look(
            found, (tr("target {title}", title=target.title), tr("model {name}", name=name))
        )
        words = tr(
            "{words}, {pairs}",
            words=plural(len(found.fit.words), "word"),
            pairs=plural(found.fit.pairs, "observed pair"),
        )
        note = target.words if self.view_state.target else request.own.note
        self.facts.put(" · ".join(part for part in (target.formula, words, note) if part))
        if found.pair:
            self.pair.put(pair_text(found.pair, request.target, name))
        else:
            self.pair.put("")
        # During training, the figure is updated in this frame and the numbers in the next: together
        # they would take too long.
        if self.session.training.current is None:
            self._show_figures()
        else:
            QTimer.singleShot(_FRAME_MS, self, self._show_figures)
        self._show_readout(self.density.describe_cell(self.density.cell))

    def _show_readout(self, text: str) -> None:
        """Show the readout under the pointer, or the number of pairs without a target."""
        found = self.fit
        if not text and found is not None and found.unseen_pairs:
            text = tr(
                "{pairs}: model {unseen_mean} on average, deviation {unseen_deviation}",
                pairs=plural(found.unseen_pairs, "unobserved pair"),
                unseen_mean=signed(found.unseen_mean),
                unseen_deviation=signed(found.unseen_deviation),
            )
        self.readout.put(text)

    @property
    def fit(self) -> Fit | None:
        """The fit shown."""
        if self.density.look is not None:
            return self.density.look.fit
        return None

    def _show_figures(self) -> None:
        found = self.fit
        if found is None:
            return
        weighted = self.view_state.weighted
        figures = found.weighted if weighted else found.plain
        parts = [("R²", figures.r2, 3), (tr("slope"), figures.slope, 2), ("r", figures.pearson, 3)]
        text = "   ".join(
            f"{name} {signed(value, places)}"
            for name, value, places in parts
            if math.isfinite(value)
        )
        ceiling = self.density.ceiling
        if ceiling is not None and weighted and math.isfinite(ceiling.r2.low):
            text += "   " + tr(
                "ceiling {low} to {high}",
                low=signed(ceiling.r2.low, 2),
                high=signed(ceiling.r2.high, 2),
            )
        self.figures.put(text)
        self.bands.set_columns(band_columns(found, weighted, self.view_state.by))


def band_columns(found: Fit, weighted: bool, by: str) -> list[TableColumn]:
    """Columns for all pairs, then for each frequency band, then for the unobserved pairs."""
    names, pairs = [trc("pairs", "all")], [found.pairs]
    chosen: list[Figures] = [found.weighted if weighted else found.plain]
    for band in found.bands:
        names.append(_range_text(band.low, band.high))
        pairs.append(band.pairs)
        if weighted:
            chosen.append(band.weighted)
        else:
            chosen.append(band.plain)
    head = tr("count") if by == "pair" else tr("rarer word")
    tip = tr(
        "Model’s scores of unobserved pairs: mean {unseen_mean}, deviation {unseen_deviation}",
        unseen_mean=signed(found.unseen_mean),
        unseen_deviation=signed(found.unseen_deviation),
    )
    pairs.append(found.unseen_pairs)
    columns = [
        TableColumn(
            head,
            [*names, tr("unobserved")],
            tr("Frequency bands with edges at {edges}", edges=_edges_text(by)),
            tips=[""] * len(names) + [tip],
            number=False,
            stretch=True,
        ),
        TableColumn(
            tr("pairs"), pairs, tips=[count(number) for number in pairs], text=short_number
        ),
    ]
    return columns + _figure_columns(chosen)


def _figure_columns(chosen: Sequence[Figures]) -> list[TableColumn]:
    """Columns of these figures; the last row, of unobserved pairs, has none."""
    figures = (
        (
            "R²",
            [one.r2 for one in chosen],
            tr("1 − Σ f (m − t)² / Σ f (t − t̄)²: 1 = on target, below 0 = worse than the mean"),
            0,
        ),
        (
            tr("slope"),
            [one.slope for one in chosen],
            tr("Slope of the least squares line of the model on the target"),
            0,
        ),
        (
            "m − t",
            [one.mean_difference for one in chosen],
            tr("Mean of model minus target, in nats"),
            1,
        ),
        (
            tr("rms"),
            [one.rms for one in chosen],
            tr("Root mean square of model minus target, in nats"),
            2,
        ),
    )
    return [
        TableColumn(name, [*values, math.nan], tip, text=signed, number=True, spare=spare)
        for name, values, tip, spare in figures
    ]


def _edges_text(by: str) -> str:
    return ", ".join(true_minus(f"{edge:g}") for edge in BANDS[by])


def _range_text(low: float, high: float) -> str:
    if not low:
        return f"< {count(int(high))}"
    if math.isfinite(high):
        return f"{count(int(low))}–{count(int(high))}"
    return f"≥ {count(int(low))}"


def pair_text(pair: PairLook, key: str, score: str) -> str:
    """Target of one pair with its numbers, then the model's score."""
    head = f"{pair.word} · {pair.context}:  "
    said = f"{score} = {signed(pair.score)}"
    if not pair.count:
        return tr(
            "{head}unobserved, so the target is undefined;  model {score}", head=head, score=said
        )
    met = decimal(pair.count, 4)
    steps = {
        "logx": f"log {met}",
        "logp": f"log {met} − log {decimal(pair.row_sum, 4)}",
    }.get(
        key, f"log {met} − log({pair.k:g} · {decimal(pair.row_sum, 4)} · {decimal(pair.chance, 3)})"
    )
    if key == "sppmi":
        steps = f"max({steps}, 0)"
    moved = ""
    if abs(pair.target - pair.own_target) > 1e-9:
        moved = tr(" (model’s settings: {own_target})", own_target=signed(pair.own_target))
    return tr(
        "{head}target = {steps} = {target}{moved};  model {score}",
        head=head,
        steps=steps,
        target=signed(pair.target),
        moved=moved,
        score=said,
    )


def pairs_csv(found: Fit | None) -> str:
    """A random sample of pairs, with target and score in full precision."""
    if found is None:
        return ""
    places = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    values = zip(places, found.targets.tolist(), found.scores.tolist(), strict=True)
    rows = [[found.words[row], found.words[column], t, m] for (row, column), t, m in values]
    return to_csv(["word", "context", "target", "model"], rows)
