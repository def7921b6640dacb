"""Train: an algorithm, its settings, what they will cost, the button, and the runs so far."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.params import Value
from workbench.core.run import Phase
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, Estimate, Model, ModelParams, preset_params
from workbench.session.choices import Choices
from workbench.session.fitting import Shortage, cost, shortage
from workbench.session.records import RunRecord, State
from workbench.session.training import not_trained
from workbench.ui.form import MARK_WIDTH, Form
from workbench.ui.measures import sized
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count, duration, memory
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.editors import ChoiceBox
from workbench.ui.widgets.fit_offer import FitOffer
from workbench.ui.widgets.run_list import RunList
from workbench.ui.widgets.train_on import TrainOn

_FAMILIES = {"predict": "Predict words from their contexts", "count": "Count, then factorise"}
_CLASSROOM = "classroom"
_QUIET_MS = 150


class TrainPanel(Panel):
    key = "train"
    title = "Train"
    area = "left"
    order = 10
    indent = MARK_WIDTH

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._choices = Choices(self.session.settings)
        self._kind: type[Model] | None = None
        self._baseline: Mapping[str, Value] = {}
        self._corpus: Corpus | None = None
        self._compiling = False
        self._build()
        # Typing a number should not start an estimate at every digit.
        self._estimate_soon = QTimer(self)
        self._estimate_soon.setSingleShot(True)
        self._estimate_soon.setInterval(_QUIET_MS)
        self._estimate_soon.timeout.connect(self._start_estimate)
        self.follow(self.session.corpus_changed, self._corpus_changed)
        self.follow(self.session.runs_changed, self._runs_changed)
        self.follow(self.session.shown_changed, self.runs.refresh)
        self.follow(self.session.interrupted.changed, self._runs_changed)
        self.follow(self.session.train_on_asked, self.train_on)
        self.follow(self.session.settings_asked, self.use_settings)
        self.on_tick(self._tick)
        self.theme.changed.connect(self._retheme)
        self._choose_algorithm()
        self._retheme()
        self._runs_changed()
        self._corpus_changed()

    # -- building

    def _build(self) -> None:
        self.algorithm = self.named(ChoiceBox(), "algorithm", "Algorithm", "The algorithm that makes the vectors")
        self._fill_algorithms()
        self._summary = QLabel()
        self._summary.setWordWrap(True)
        self._summary.setProperty("role", "small")
        self.preset = self.named(ChoiceBox(), "preset", "Preset", "Values that belong together")
        self.form = Form("train.param", self.theme)
        self._estimate = self.named(QLabel(), "estimate", "What it will cost")
        self._estimate.setWordWrap(True)
        self._estimate.setProperty("role", "small")
        self._warning = QLabel()
        self._warning.setWordWrap(True)
        self._warning.setProperty("role", "warning")
        self._warning.hide()
        self.fit = self.named(FitOffer(), "fit", "Memory")
        self.fit.taken.connect(self._make_fit)
        self.start = self.named(QPushButton("Train"), "start", "Train", "Train with these settings (Ctrl+Return)")
        self.start.setProperty("role", "primary")
        self.pause = self.named(QToolButton(), "pause", "Pause training", "Pause; what was learned stays (Space)")
        self.stop = self.named(QToolButton(), "stop", "Stop training", "Stop now and keep what was learned")
        for button in (self.pause, self.stop):
            sized(button, width=36, height=36)
            sized(button, icon=16)
        self.algorithm.currentIndexChanged.connect(self._choose_algorithm)
        self.preset.activated.connect(self._choose_preset)
        self.form.changed.connect(self._form_changed)
        self.further = self.named(TrainOn(self.theme), "further", "Train a run on")
        self.further.hide()
        self.further.changed.connect(self._further_changed)
        self.further.left.connect(self.leave_run)
        self.start.clicked.connect(self.train)
        self.pause.clicked.connect(self._toggle_pause)
        self.stop.clicked.connect(self._stop)
        self.runs = self.named(RunList(self.context), "runs", "Runs", "Click a run to look at its vectors")
        self._no_runs = QLabel("Nothing has been trained yet.")
        self._no_runs.setProperty("role", "small")
        self._arrange()

    def _arrange(self) -> None:
        settings = QWidget()
        column = QVBoxLayout(settings)
        column.setContentsMargins(0, SPACE_1, 0, SPACE_2)
        column.setSpacing(SPACE_1)
        head = QVBoxLayout()
        head.setContentsMargins(MARK_WIDTH, 0, SPACE_3, 0)
        head.setSpacing(SPACE_2)
        head.addWidget(self.algorithm)
        head.addWidget(self._summary)
        column.addLayout(head)
        column.addSpacing(SPACE_1)
        preset_row = QHBoxLayout()
        caption = QLabel("Preset")
        caption.setBuddy(self.preset)
        preset_row.addWidget(caption)
        preset_row.addSpacing(SPACE_3)
        preset_row.addWidget(self.preset, 1)
        head.addLayout(preset_row)
        column.addSpacing(SPACE_2)
        column.addWidget(self.form)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(settings)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        settings.setAutoFillBackground(False)
        self._settings, self._scroll = settings, scroll

        foot = QVBoxLayout()
        foot.setContentsMargins(MARK_WIDTH, SPACE_2, SPACE_3, SPACE_3)
        foot.setSpacing(SPACE_2)
        foot.addWidget(self._estimate)
        foot.addWidget(self._warning)
        foot.addWidget(self.fit)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_2)
        buttons.addWidget(self.start, 1)
        buttons.addWidget(self.pause)
        buttons.addWidget(self.stop)
        foot.addLayout(buttons)
        runs = QVBoxLayout()
        runs.setContentsMargins(SPACE_2, SPACE_3, SPACE_2, SPACE_2)
        runs.setSpacing(SPACE_1)
        heading = _heading("Runs")
        for label in (heading, self._no_runs):
            label.setIndent(MARK_WIDTH - SPACE_2)
        runs.addWidget(heading)
        runs.addWidget(self._no_runs)
        runs.addWidget(self.runs, 1)
        runs.addStretch()
        whole = QVBoxLayout(self.body)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scroll, 5)
        whole.addWidget(self.further, 5)
        whole.addLayout(foot)
        whole.addWidget(_hairline())
        whole.addLayout(runs, 3)
        sized(self, least_width=260)

    def sizeHint(self) -> QSize:
        return QSize(316, 700)

    def _fill_algorithms(self) -> None:
        items = QStandardItemModel(self.algorithm)
        for family, caption in _FAMILIES.items():
            kinds = [kind for kind in MODELS if kind.family == family]
            if not kinds:
                continue
            heading = QStandardItem(caption)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            items.appendRow(heading)
            for kind in kinds:
                item = QStandardItem(kind.title)
                item.setData(kind.key, Qt.ItemDataRole.UserRole)
                item.setData(f"{kind.summary}\n{kind.citation}", Qt.ItemDataRole.ToolTipRole)
                items.appendRow(item)
        self.algorithm.setModel(items)
        remembered = self._choices.last
        row = self.algorithm.findData(remembered) if remembered else -1
        if row < 0:
            row = next((r for r in range(items.rowCount()) if items.item(r).isSelectable()), -1)
        self.algorithm.setCurrentIndex(row)

    # -- choosing

    def choose(self, algorithm: str, preset: str = "") -> None:
        """Choose an algorithm by its key, and one of its presets with its values as they are."""
        row = self.algorithm.findData(algorithm)
        if row < 0:
            raise UserError(f"There is no algorithm “{algorithm}”.", f"Choose one of: {', '.join(MODELS.keys())}.")
        self.algorithm.setCurrentIndex(row)
        if preset and self.preset.findText(preset) >= 0:
            self.preset.setCurrentText(preset)
            self._choose_preset()

    def use_settings(self, record: RunRecord) -> None:
        """Put what a run was trained with into the form, to be changed and trained again."""
        if record.algorithm not in MODELS:
            return
        self.leave_run()
        self.choose(record.algorithm)
        # Runs of older versions may have parameters that there are no more.
        values = {name: record.parameters[name] for name in self.form.values() if name in record.parameters}
        self.form.put(self._baseline, values)
        self._form_changed()
        self.form.setFocus()

    def _choose_algorithm(self) -> None:
        key = self.algorithm.currentData()
        if not key:
            self._corpus_changed()
            return
        kind = MODELS[str(key)]
        self._kind = kind
        self._summary.setText(kind.summary)
        self._summary.setToolTip(kind.citation)
        self.preset.clear()
        for preset in kind.presets:
            self.preset.addItem(preset.name)
            self.preset.setItemData(self.preset.count() - 1, preset.source, Qt.ItemDataRole.ToolTipRole)
        if not kind.presets:
            self.preset.addItem("Defaults")
        self.preset.setCurrentIndex(max(self.preset.findText(self._choices.preset(kind, _CLASSROOM)), 0))
        self._put(self._choices.values(kind))

    def _choose_preset(self) -> None:
        self._put({})

    def _put(self, changes: Mapping[str, Value]) -> None:
        assert self._kind is not None
        kind = self._kind
        name = self.preset.currentText()
        chosen = next((p for p in kind.presets if p.name == name), None)
        self._baseline = preset_params(kind, name).to_dict() if chosen is not None else kind.params_type().to_dict()
        self.preset.setToolTip(f"Source: {chosen.source}" if chosen is not None else "The declared defaults")
        self.form.set_kind(kind.params_type, self._baseline, changes)

    def _form_changed(self) -> None:
        if self._kind is not None:
            self._choices.remember(self._kind, self.preset.currentText(), self.form.changes())
        self._update_buttons()
        self._estimate_soon.start()

    # -- what it will cost

    def _start_estimate(self) -> None:
        params = self.form.params()
        corpus, kind = self.session.corpus, self._kind
        if self.further.kind is not None:
            params, kind = self.further.params(), self.further.kind
        if kind is None or corpus is None or not isinstance(params, ModelParams):
            self._say_estimate("", "")
            return
        self.session.jobs.start(
            "Estimating the cost",
            lambda run: _costs(kind, params, corpus),
            lambda found: self._estimated(*found),
            self._not_estimated,
            key=self.key,
            quiet=True,
        )

    def _estimated(self, estimate: Estimate, lacking: Shortage | None) -> None:
        facts = [f"{count(estimate.vocabulary)} words", f"{memory(estimate.memory_bytes)} of memory"]
        if estimate.seconds is not None:
            facts.append("about " + duration(estimate.seconds) if estimate.seconds >= 1 else "under 1 s")
        self._say_estimate(" · ".join(facts), estimate.warning)
        self.fit.show_shortage(lacking, changeable=self.further.record is None)

    def _make_fit(self, name: str, value: int) -> None:
        """Put a value with which the training fits into the form."""
        self.form.put(self._baseline, {**self.form.changes(), name: value})
        self._form_changed()
        self.form.setFocus()

    def _not_estimated(self, error: UserError) -> None:
        self._say_estimate("", f"{error.message} {error.hint}")

    def _say_estimate(self, text: str, warning: str) -> None:
        self.fit.show_shortage(None)
        self._estimate.setText(text)
        self._estimate.setVisible(bool(text))
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))

    # -- training

    def train(self) -> RunRecord | None:
        """Start (or queue) a training with what stands in the form, or of the run that is to be trained on."""
        if self.further.record is not None:
            return self._train_further()
        params = self.form.params()
        if self._kind is None or not isinstance(params, ModelParams):
            self.form.focus_first_error()
            return None
        lacking = self.fit.shortage
        if lacking is not None:
            begin = partial(self._begin, self._kind, params, True)
            self.context.bridge.offer(
                f"{lacking.error.message} It may fail, or slow the computer down.", "Train anyway", begin
            )
            return None
        return self._begin(self._kind, params)

    def _begin(self, kind: type[Model], params: ModelParams, anyway: bool = False) -> RunRecord | None:
        try:
            record = self.session.train(kind.key, params, anyway=anyway)
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
            return None
        self._choices.save(kind)
        return record

    def train_on(self, record: RunRecord) -> None:
        """Ask how much longer a run is to be trained, in the place of the settings of new ones."""
        try:
            parent = self.session.parent_of(record)
            if self.session.corpus is None:
                reading = UserError("The corpus is still being read.", "Train the run on when it is there.")
                raise reading if self.session.opening is not None else not_trained(record.name)
            parent.check(self.session.corpus)
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
            return
        self._scroll.hide()
        self.further.show()
        self.further.ask(record, parent)

    def leave_run(self) -> None:
        """Back to the settings of new trainings."""
        if self.further.record is None:
            return
        focused = self.further.isAncestorOf(self.focusWidget() or self)
        self.further.leave()
        self.further.hide()
        self._scroll.show()
        if focused:
            self.algorithm.setFocus()
        self._update_buttons()
        self._estimate_soon.start()

    def _train_further(self) -> RunRecord | None:
        parent = self.further.record
        if parent is None or self.further.params() is None:
            self.further.form.focus_first_error()
            return None
        try:
            record = self.session.train_on(parent, self.further.passes, self.further.rate)
        except UserError as error:
            self.session.message.emit(error.message, error.hint, True)
            return None
        self.leave_run()
        return record

    def _further_changed(self) -> None:
        self._update_buttons()
        self._estimate_soon.start()

    def _train_current_on(self) -> None:
        record = self.runs.current() or self.session.shown
        if record is not None:
            self.train_on(record)

    def _toggle_pause(self) -> None:
        record = self.session.training
        if record is None:
            return
        if record.state == State.PAUSED:
            self.session.resume(record)
        else:
            self.session.pause(record)

    def _stop(self) -> None:
        record = self.session.training
        if record is not None:
            self.session.stop(record)

    def panel_actions(self) -> list[QAction]:
        train = QAction("Train", self)
        train.setShortcut("Ctrl+Return")
        train.triggered.connect(lambda _=False: self.train())
        on = QAction("Train the run on…", self)
        on.setShortcut("Ctrl+Shift+Return")
        on.triggered.connect(lambda _=False: self._train_current_on())
        return [train, on]

    def restore_state(self, kept: Mapping[str, Any]) -> None:
        self._choices = Choices(self.session.settings)
        if self._choices.last in MODELS:
            self.choose(self._choices.last)

    # -- following the session

    def _corpus_changed(self) -> None:
        if self.session.corpus is not self._corpus:
            self._corpus = self.session.corpus
            self.leave_run()
            self._estimate_soon.start()
        if not len(MODELS):
            self.show_empty("No algorithms are installed.", "Install the workbench again.")
            return
        self._update_buttons()

    def _runs_changed(self) -> None:
        training = self.session.training
        run = training.run if training is not None else None
        compiling = run is not None and run.progress.phase is Phase.COMPILING
        if compiling != self._compiling:
            self._compiling = compiling
            if compiling:
                self._say_estimate("Preparing the algorithm for this computer. This happens once.", "")
            else:
                self._estimate_soon.start()
        self.runs.refresh()
        if self.further.record is not None and self.further.record not in self.session.runs:
            self.leave_run()
        listed = bool(self.session.runs or self.session.interrupted.entries)
        self._no_runs.setVisible(not listed)
        self.runs.setVisible(listed)
        self._update_buttons()

    def _update_buttons(self) -> None:
        training = self.session.training
        reason = ""
        if self.session.corpus is None:
            opening = self.session.opening is not None
            reason = "The corpus is being read." if opening else "Open a corpus first."
        elif (self.form if self.further.record is None else self.further.form).params() is None:
            reason = "Correct the values marked in red first."
        self.start.setEnabled(not reason)
        text, tip = "Train", "Train with these settings (Ctrl+Return)"
        if self.further.record is not None:
            text, tip = "Train on", f"Makes “{self.further.name}” (Ctrl+Return)" if not reason else ""
        self.start.setToolTip(reason or tip)
        self.start.setText(f"{text} next" if training is not None else text)
        if reason and self.session.corpus is None:
            self._say_estimate(reason, "")
        self.pause.setVisible(training is not None)
        self.stop.setVisible(training is not None)
        if training is not None:
            paused = training.state == State.PAUSED
            self.pause.setIcon(self.theme.icon("play" if paused else "pause"))
            self.pause.setAccessibleName("Resume training" if paused else "Pause training")

    def _tick(self) -> None:
        if self.isVisible():
            self.runs.tick()

    def _retheme(self) -> None:
        self.start.setIcon(self.theme.icon("play", "on_accent"))
        self.stop.setIcon(self.theme.icon("stop"))
        self._update_buttons()
        self.runs.viewport().update()


def _costs(kind: type[Model], params: ModelParams, corpus: Corpus) -> tuple[Estimate, Shortage | None]:
    """In a job: what a training costs, and what is lacking for it."""
    estimate = cost(kind, params, corpus, recorded=True)
    return estimate, shortage(kind, params, corpus, estimate, recorded=True)


def _heading(text: str) -> QLabel:
    label = QLabel(text.upper())
    label.setProperty("role", "heading")
    label.setAccessibleName(text)
    return label


def _hairline() -> QFrame:
    line = QFrame()
    sized(line, height=1)
    set_property(line, "role", "hairline")
    line.setContentsMargins(SPACE_4, 0, SPACE_4, 0)
    return line
