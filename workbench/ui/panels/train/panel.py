"""The Train panel: algorithm, settings, estimated cost, buttons and the list of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import UserError
from workbench.core.job_control import Phase
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Model, preset_params
from workbench.models.params import ModelParams
from workbench.session.corpus.counts_constraints import CountedChoice
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.settings.last_params import LastParams
from workbench.session.settings.session_settings import TRAIN_ALGORITHM, TRAIN_VALUES
from workbench.session.training.request import TrainingSpec
from workbench.session.training.train_api import not_trained
from workbench.ui import kit
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_2, SPACE_3
from workbench.ui.panels.train import TrainKind
from workbench.ui.panels.train.arrangement import (
    arrange_foot,
    arrange_runs,
    arrange_settings,
    hairline,
)
from workbench.ui.panels.train.carried_line import CarriedLine
from workbench.ui.panels.train.continuation import TrainOn
from workbench.ui.panels.train.cost import CostRequest, TrainingCost
from workbench.ui.panels.train.params_undo import FormState, SettingChanges
from workbench.ui.panels.train.run_list import RunList
from workbench.ui.panels.train.setting_finder import SettingFinder
from workbench.ui.widgets.inputs.algorithm_choice import AlgorithmChoice, why_fixed
from workbench.ui.widgets.inputs.form import MARK_WIDTH, Form

_CLASSROOM = "classroom"
# Minimum width in pixels.
_NARROWEST = 260
# Height below which the form needs most of it.
_LOW = 460


@dataclass(frozen=True)
class TrainState(PanelState):
    """algorithm : "" for the last one
    forms : preset and other values of each algorithm that was chosen (``LastParams``)
    more : whether all settings are shown
    """

    algorithm: str = choice("")
    forms: Mapping[str, Any] = choice(setting=TRAIN_VALUES)
    more: bool = choice(False)


class TrainPanel(TrainKind, Panel):
    state_kind = TrainState
    view_state: TrainState

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._kind: type[Model] | None = None
        # Whether an algorithm takes over shared settings of the previous one.
        self._carrying = True
        self._baseline: Mapping[str, Value] = {}
        self._corpus: Corpus | None = None
        # The reason why nothing can be trained now, or "".
        self.why_not = ""
        self._counted = CountedChoice(lambda: self.session.corpora.current)
        self._compiling = False
        self._changes = SettingChanges(self.session.undo, self._go_back_to, self)
        self._build()
        self.follow(self.session.corpora.changed, self._corpus_changed)
        self.follow(self.session.runs.changed, self._runs_changed)
        self.follow(self.session.active.changed, self.runs.refresh)
        self.follow(self.session.corpora.changed, self.runs.refresh)
        self.follow(self.session.recovery.changed, self._runs_changed)
        # Its duration corrects the estimate of the next one.
        self.follow(self.session.training.finished, lambda record: self.cost.ask())
        self.on_tick(self._tick)
        self.theme.changed.connect(self._retheme)
        self._bind()
        self._retheme()
        self._runs_changed()
        self._corpus_changed()

    # -- building

    def _bind(self) -> None:
        controls = (self.algorithm, self.preset, self.form)
        self.bound.bind_to(
            "algorithm",
            controls,
            lambda: getattr(self._kind, "key", ""),
            lambda _: self._show_settings(),
        )
        self.bound.bind_to("forms", controls, self._forms, lambda _: self._show_settings())
        self.bind(self.form.more, "more")
        self.bound.take("algorithm", "forms")

    def _build(self) -> None:
        self.algorithm = self.named(
            AlgorithmChoice(),
            "algorithm",
            tr("Algorithm"),
            tr("How the vectors are learned. The line below describes the algorithm."),
        )
        self.algorithm.fill(LastParams(self.session.settings).last)
        self.summary = kit.label(role="small", wrap=True)
        self.preset = self.named(
            kit.ChoiceBox(),
            "preset",
            tr("Preset"),
            tr("Set of values that belong together, from a paper or a program"),
        )
        self.carried = self.named(CarriedLine(), "carried", tr("Retained settings"))
        self.carried.reset.connect(self.reset_carried)
        self.form = Form("train.param", self.theme)
        self.cost = TrainingCost(self, self._cost_request)
        self.fit = self.cost.fit
        self.fit.taken.connect(self._make_fit)
        self.finding = SettingFinder(self, self.form)
        self.finder = self.finding.field
        self._make_buttons()
        self.algorithm.currentIndexChanged.connect(self._choose_algorithm)
        self.preset.activated.connect(self._choose_preset)
        self.form.changed.connect(self._form_changed)
        self.further = self.named(TrainOn(self.theme), "further", tr("Continue training a run"))
        # Of one run, and for a moment.
        self.further.setProperty("passing", True)
        self.further.hide()
        self.further.changed.connect(self._further_changed)
        self.further.left.connect(self.leave_run)
        self.runs = self.named(
            RunList(self.context), "runs", tr("Runs"), tr("Click a run to activate it")
        )
        self.no_runs = kit.label(tr("Nothing has been trained yet."), role="small")
        self._scroll = arrange_settings(
            self.algorithm, self.summary, self.preset, self.finding, self.carried, self.form
        )
        self._settings_rows = kit.column(
            kit.stretch(self._scroll, 5),
            kit.stretch(self.further, 5),
            arrange_foot(self.cost, self.start, self.pause, self.stop),
            hairline(),
            kit.stretch(arrange_runs(self.no_runs, self.runs), 3),
            gap=0,
        )
        kit.fill(self.body, self._settings_rows)
        self.form.more.toggled.connect(lambda _: self._give_room())

    def _make_buttons(self) -> None:
        self.start = self.named(
            kit.button(tr("Train"), role="primary", pressed=self.train),
            "start",
            tr("Train"),
            tr("Train with these settings (Ctrl+Return)"),
        )
        self.pause = self.named(
            kit.icon_button(self.theme, "pause", pressed=self.toggle_pause),
            "pause",
            tr("Pause training"),
            tr("Pause without losing the result so far (Space)"),
        )
        self.stop = self.named(
            kit.icon_button(self.theme, "stop", pressed=self.stop_training),
            "stop",
            tr("Stop training"),
            tr("Stop now and save what was learned"),
        )
        for button in (self.pause, self.stop):
            kit.set_scaled_size(button, width=36, height=36, icon=16)

    def _give_room(self) -> None:
        """Give further settings, and a form in a low panel, most of the height of the runs."""
        wanted = self.form.more.isChecked() or self.height() < scaled_length(_LOW)
        self._settings_rows.setStretch(0, 12 if wanted else 5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def minimumSizeHint(self) -> QSize:
        """Width of the buttons during a training: nothing is cut off when one starts."""
        buttons = self.pause.minimumWidth() + self.stop.minimumWidth() + 2 * SPACE_2
        texts = (tr("Train"), tr("Add to queue"), tr("Continue training"))
        metrics, now = self.start.fontMetrics(), self.start.text()
        around = self.start.sizeHint().width() - metrics.horizontalAdvance(now)
        longest = max(map(metrics.horizontalAdvance, texts)) + around
        foot = longest + buttons + MARK_WIDTH + SPACE_3
        hint = super().minimumSizeHint()
        return QSize(max(hint.width(), foot, scaled_length(_NARROWEST)), hint.height())

    def sizeHint(self) -> QSize:
        return QSize(max(316, self.minimumSizeHint().width()), 700)

    # -- choices

    @property
    def _choices(self) -> LastParams:
        """The last values of each algorithm."""
        return LastParams(self.session.settings)

    def choose(self, algorithm: str, preset: str = "") -> None:
        """Choose an algorithm by its key and one of its presets, without taking settings over."""
        self._choose_own(algorithm)
        if preset and self.preset.findData(preset) >= 0:
            self.preset.setCurrentIndex(self.preset.findData(preset))
            self._choose_preset()

    def use_settings(self, record: RunRecord) -> None:
        """Put the settings of a run into the form, to be changed and trained again."""
        if record.algorithm not in MODELS:
            return
        self.leave_run()
        self.choose(record.algorithm)
        # Runs of older versions may have parameters that no longer exist.
        values = {
            name: record.parameters[name]
            for name in self.form.values()
            if name in record.parameters
        }
        self.form.put(self._baseline, values)
        self._form_changed()
        self.form.setFocus()

    def _choose_algorithm(self) -> None:
        key = self.algorithm.currentData()
        if not key:
            self._corpus_changed()
            return
        kind, before, left = MODELS[str(key)], self._kind, self.form.changes()
        self._kind = kind
        self.summary.setText(kind.summary)
        self.summary.setToolTip(safe_tip(kind.citation))
        self.preset.clear()
        for preset in kind.presets:
            self.preset.addItem(preset.display_title, preset.name)
            self.preset.setItemData(
                self.preset.count() - 1, safe_tip(preset.source), Qt.ItemDataRole.ToolTipRole
            )
        if not kind.presets:
            self.preset.addItem(tr("Defaults"), "")
        self.preset.setCurrentIndex(
            max(self.preset.findData(self._choices.preset(kind, _CLASSROOM)), 0)
        )
        own = self._choices.values(kind)
        if self._carrying and before is not None and before is not kind:
            own = self.carried.carry(before, left, kind, own)
        else:
            self.carried.forget()
        self._fill_form(own)

    def _choose_own(self, key: str) -> None:
        """Choose an algorithm with its own settings, not those of the previous one."""
        self._carrying = False
        try:
            self.algorithm.choose(key)
        finally:
            self._carrying = True

    def reset_carried(self) -> None:
        """Restore the algorithm's own settings in place of those taken over."""
        own = {name: value for name, value in self.carried.own.items() if name in self.form.fields}
        self.carried.forget()
        self._fill_form(own)
        self.form.setFocus()

    def _choose_preset(self) -> None:
        self.carried.forget()
        self._fill_form({})

    def _fill_form(self, changes: Mapping[str, Value]) -> None:
        assert self._kind is not None
        kind = self._kind
        name = self.preset.currentData()
        chosen = next((p for p in kind.presets if p.name == name), None)
        if chosen is None:
            self._baseline = kind.params_type().to_dict()
            self.preset.setToolTip(safe_tip(tr("Default values")))
        else:
            self._baseline = preset_params(kind, name).to_dict()
            self.preset.setToolTip(safe_tip(tr("Source: {source}", source=chosen.source)))
        self.form.fix(self._counted.values(kind), why_fixed(self.session))
        self.form.set_kind(kind.params_type, self._baseline, changes)

    def why_not_with(self, kind: type[Model]) -> str:
        """The reason why ``train_with`` can't train an algorithm now, whatever its settings, or
        "".
        """
        if self.session.corpora.current is None:
            return self.why_not
        return self._counted.why_not(kind)

    def _form_changed(self) -> None:
        if self._kind is not None:
            settings = FormState(
                self._kind, self.preset.currentData(), self._form_changes(self._kind)
            )
            self.bound.take("algorithm", "forms")
            self._changes.record_change(settings)
            self.carried.follow(settings.changes)
        self._update_buttons()
        self.cost.ask()

    def _form_changes(self, kind: type[Model]) -> dict[str, Value]:
        """Values that differ from the preset; for those fixed by counts, the last ones chosen for a
        text.
        """
        kept = self._choices.values(kind)
        return {
            name: kept[name] for name in self.form.fixed_values if name in kept
        } | self.form.changes()

    def _forms(self) -> Mapping[str, Any]:
        """The values in the form, and the last ones of other algorithms."""
        kind = self._kind
        if kind is None:
            return self.view_state.forms
        now = {"preset": self.preset.currentData(), "values": self._form_changes(kind)}
        return {**self.view_state.forms, kind.key: now}

    def _go_back_to(self, settings: FormState) -> None:
        """Restore an earlier state of the form, for undo and redo."""
        self.leave_run()
        kind, preset, changes = settings
        forms = {**self.view_state.forms, kind.key: {"preset": preset, "values": dict(changes)}}
        self.view_state = self.view_state.replace(algorithm=kind.key, forms=forms)

    def _show_settings(self) -> None:
        """Show the algorithm of the state with its values."""
        key = self.view_state.algorithm or self._choices.last
        self._changes.forget_last()
        if key in MODELS:
            self._choose_own(key)
        # Even if that algorithm was chosen already.
        self._choose_algorithm()
        self._choose_trainable()

    def choose_preset(self, name: str) -> None:
        """Put the values of a preset into the form."""
        self.preset.setCurrentIndex(self.preset.findData(name))
        self._choose_preset()

    def reset_settings(self) -> None:
        """Reset every value to the preset's."""
        self._fill_form({})

    def train_with(self, key: str) -> None:
        """Choose an algorithm, and train with its last settings."""
        self.leave_run()
        self.choose(key)
        self.train()

    def find_setting(self) -> None:
        """Focus the field that finds settings."""
        self.leave_run()
        self.finding.begin()

    # -- cost

    def _cost_request(self) -> CostRequest | str:
        """The training that would start now, or a sentence on why none can."""
        params, kind, corpus = self.form.params(), self._kind, self.session.corpora.current
        if self.further.kind is not None:
            params, kind = self.further.params(), self.further.kind
        if corpus is None or not self._can_train:
            return self.why_not
        if kind is None or not isinstance(params, ModelParams):
            return ""
        return CostRequest(kind, params, corpus, changeable=self.further.record is None)

    @property
    def _can_train(self) -> bool:
        """Whether the open data is sufficient for the training."""
        return not self._counted.lacking or self.further.record is not None

    def _make_fit(self, name: str, value: int) -> None:
        """Put a value into the form that makes the training fit into memory."""
        self.form.put(self._baseline, {**self.form.changes(), name: value})
        self.form.setFocus()

    # -- training

    def train(self) -> RunRecord | None:
        """Start (or queue) a training with the settings of the form, or of the run to continue."""
        if self.further.record is not None:
            return self._train_further()
        params = self.form.params()
        if self._kind is None or not isinstance(params, ModelParams):
            self.form.focus_first_error()
            return None
        lacking = self.fit.shortage
        if lacking is not None:
            begin = partial(self._start_training, self._kind, params, True)
            self.context.bridge.offer(
                tr(
                    "{message} It may fail, or slow the computer down.",
                    message=lacking.error.message,
                ),
                tr("Train anyway"),
                begin,
            )
            return None
        return self._start_training(self._kind, params)

    def _start_training(
        self, kind: type[Model], params: ModelParams, anyway: bool = False
    ) -> RunRecord | None:
        try:
            record = self.session.training.start(TrainingSpec(kind.key, params, anyway=anyway))
        except UserError as error:
            self.session.message.report(error)
            return None
        self.session.settings[TRAIN_ALGORITHM] = kind.key
        return record

    def train_on(self, record: RunRecord) -> None:
        """Show the form to continue a run, in place of the settings of new trainings."""
        try:
            parent = self.session.training.parent_of(record)
            if self.session.corpora.current is None:
                reading = UserError(
                    tr("The corpus is still being read."),
                    tr("Wait until the corpus has loaded, then continue the run."),
                )
                if self.session.corpora.opening is None:
                    raise not_trained(record.name)
                raise reading
            parent.check(self.session.corpora.current)
        except UserError as error:
            self.session.message.report(error)
            return
        self._scroll.hide()
        self.further.show()
        self.further.ask(record, parent)

    def leave_run(self) -> None:
        """Return to the settings of new trainings."""
        if self.further.record is None:
            return
        focused = self.further.isAncestorOf(self.focusWidget() or self)
        self.further.leave()
        self.further.hide()
        self._scroll.show()
        if focused:
            self.algorithm.setFocus()
        self._update_buttons()
        self.cost.ask()

    def _train_further(self) -> RunRecord | None:
        parent = self.further.record
        if parent is None or self.further.params() is None:
            self.further.form.focus_first_error()
            return None
        try:
            record = self.session.training.continue_run(
                parent, self.further.passes, self.further.rate
            )
        except UserError as error:
            self.session.message.report(error)
            return None
        self.leave_run()
        return record

    def _further_changed(self) -> None:
        self._update_buttons()
        self.cost.ask()

    def train_current_on(self) -> None:
        record = self.runs.current() or self.session.active.run
        if record is not None:
            self.train_on(record)

    def toggle_pause(self) -> None:
        record = self.session.training.current
        if record is None:
            return
        if record.state == State.PAUSED:
            self.session.training.resume(record)
        else:
            self.session.training.pause(record)

    def stop_training(self) -> None:
        record = self.session.training.current
        if record is not None:
            self.session.training.stop(record)

    # -- following the session

    def drawn_runs(self) -> tuple[RunRecord, ...]:
        return ()

    def _corpus_changed(self) -> None:
        if self.session.corpora.current is not self._corpus:
            self._corpus = self.session.corpora.current
            self.leave_run()
            self.algorithm.offer(self.session.corpora.counts)
            self._choose_trainable()
            if (
                self._kind is not None
                and self._counted.values(self._kind) != self.form.fixed_values
            ):
                self._fill_form(self._form_changes(self._kind))
            self.cost.ask()
        if not len(MODELS):
            self.show_empty(
                tr("No algorithms are installed."), tr("Reinstall Embedding Workbench.")
            )
            return
        self._update_buttons()

    def _choose_trainable(self) -> None:
        """Choose an algorithm that can be trained with the open data, unless the chosen one can."""
        key = self._counted.instead_of(self._kind)
        if key:
            # The user didn't make this change, so it can't be undone.
            self._changes.forget_last()
            self.choose(key)

    def _runs_changed(self) -> None:
        training = self.session.training.current
        compiling = False
        if training is not None and training.run is not None:
            compiling = training.run.progress.phase is Phase.COMPILING
        if compiling != self._compiling:
            self._compiling = compiling
            if compiling:
                self.cost.set_message(
                    tr("Preparing the algorithm for this computer. This happens once.")
                )
            else:
                self.cost.ask()
        self.runs.refresh()
        if self.further.record is not None and self.further.record not in self.session.runs:
            self.leave_run()
        listed = bool(self.session.runs or self.session.recovery.interrupted)
        self.no_runs.setVisible(not listed)
        self.runs.setVisible(listed)
        self._update_buttons()

    def _update_buttons(self) -> None:
        training = self.session.training.current
        reason = ""
        if self.session.corpora.current is None:
            reason = tr("Open a corpus first.")
            if self.session.corpora.opening is not None:
                reason = tr("The corpus is being read.")
        elif not self._can_train:
            reason = self._counted.lacking
        elif (self.form if self.further.record is None else self.further.form).params() is None:
            reason = tr("Correct the values marked in red first.")
        self.why_not = reason
        self.start.setEnabled(not reason)
        text, after = tr("Train"), tr("Add to queue")
        tip = tr("Train with these settings (Ctrl+Return)")
        if self.further.record is not None:
            text, after = tr("Continue training"), tr("Add to queue")
            tip = "" if reason else tr("Creates “{name}” (Ctrl+Return)", name=self.further.name)
        self.start.setToolTip(safe_tip(reason or tip))
        if training is not None:
            text = after
        self.start.setText(text)
        if reason and (self.session.corpora.current is None or not self._can_train):
            self.cost.set_message(reason)
        self.pause.setVisible(training is not None)
        self.stop.setVisible(training is not None)
        if training is not None:
            icon, accessible = "pause", tr("Pause training")
            if training.state == State.PAUSED:
                icon, accessible = "play", tr("Resume training")
            self.pause.show_icon(icon)
            self.pause.setAccessibleName(accessible)

    def _tick(self) -> None:
        if self.isVisible():
            self.runs.tick()

    def _retheme(self) -> None:
        self.start.setIcon(self.theme.icon("play", "on_accent"))
        self.finding.setIcon(self.theme.icon("search", "muted"))
        self._update_buttons()
        self.runs.viewport().update()
