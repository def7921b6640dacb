"""Performs the actions of a lesson step one after another, in the real session and panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget
from shiboken6 import isValid

from workbench.core.errors import UserError
from workbench.core.language import percent, tr
from workbench.core.setting import Setting, encode
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.models.base import MODELS
from workbench.session.corpus.opening import parse_remembered
from workbench.session.lessons import prerequisites
from workbench.session.lessons.actions import (
    Ask,
    Compare,
    FigureAction,
    Highlight,
    LessonAction,
    LinesAction,
    Open,
    Press,
    Put,
    Select,
    SettingsAction,
    Show,
    Train,
    View,
)
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.report import ReportPicture
from workbench.session.runs.lesson_notes import lesson_note
from workbench.session.runs.run_record import RunRecord, new_identifier
from workbench.session.selection.words import AnalogyShown
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_states import FieldKey
from workbench.ui.panels.lessons.control_finder import (
    fill_in,
    find_widget,
    panel_of,
    press_button,
    take_picture,
)

# Ticks that a panel must be at rest before its picture is taken, so that results are also drawn.
_SETTLED = 4
# The fields of the analogy.
_ANALOGY = ("analogy.a", "analogy.b", "analogy.c")


@dataclass
class ReaderState:
    """The state before a lesson changed it. ``form``: state of the train panel, if it exists;
    ``settings``: all as JSON; ``values``: of fields that the lesson changed, by panel;
    ``results``: of the panels with these fields; ``fields``: those that the lesson sets in any
    step, at its start.
    """

    source: Mapping[str, Any]
    shown: RunRecord | None
    selection: tuple[str, ...]
    analogy: AnalogyShown | None
    form: Any
    settings: Mapping[str, Any]
    fields: Mapping[FieldKey, Any]
    values: dict[str, dict[FieldKey, Any]] = field(default_factory=dict)
    results: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class LessonStage(QObject):
    """Performs actions of a lesson. ``finished()``: all are done; ``failed(UserError)``: one wasn't
    possible; ``marked(widget)``: a widget to look at. ``doing`` describes the current action.
    """

    finished = Signal()
    failed = Signal(object)
    marked = Signal(object)

    def __init__(self, context: PanelContext, near: QWidget) -> None:
        super().__init__(near)
        self._context = context
        self._session = context.session
        self._near = near
        self._lesson: Lesson | None = None
        self._actions_left: list[LessonAction] = []
        self._wait_condition: Callable[[], bool] | None = None
        self._ticks_at_rest = 0
        self._step = 0
        # The steps done since the lesson was opened, whose effects are still there.
        self._done: set[int] = set()
        self.doing = ""
        self.corpora: dict[str, Corpus] = {}
        self.records: dict[str, RunRecord] = {}
        self.pictures: list[ReportPicture] = []
        self._reader_state: ReaderState | None = None

    @property
    def busy(self) -> bool:
        return self._lesson is not None

    def enter(self) -> None:
        """Start another lesson, whose labels mean other runs."""
        self.stop()
        self.records = {}
        self._done = set()

    def play(self, lesson: Lesson, step: int) -> None:
        """Perform the actions of a step after their prerequisites."""
        self._lesson = lesson
        self._step = step
        self._remember_state(lesson)
        self.pictures = []
        for label in lesson.labels_needed(step):
            self._resolve_label(lesson, label)
        self._actions_left = [
            *prerequisites.preparations(lesson, step, self.corpora, self._session, self._done),
            *lesson.steps[step].actions,
        ]
        self._wait_condition = None
        self.look()

    def stop(self) -> None:
        """Stop the actions; a training already started continues."""
        self._lesson, self._wait_condition, self._actions_left, self.doing = None, None, [], ""

    def _fields(self, lesson: Lesson) -> dict[FieldKey, Any]:
        """The fields that the lesson sets, and their values. A text or run of the
        lesson may change them before: without its analogy, the map leaves the plane. Empty if no
        run is shown: that of the lesson then stays, and so do the views that follow it.
        """
        if self._session.active.run is None:
            return {}
        puts = [
            action.widget
            for step in lesson.steps
            for action in step.actions
            if isinstance(action, Put)
        ]
        found: dict[FieldKey, Any] = {}
        for key in {name.partition(".")[0] for name in puts}:
            panel = self._find_panel(key)
            if panel is not None:
                found |= panel.states.fields_of(puts)
        return found

    def _remember_state(self, lesson: Lesson) -> None:
        """Save the reader’s state before the first step changes it."""
        if self._reader_state is None:
            session, train = self._session, self._find_panel("train")
            form = train.view_state if train is not None else None
            self._reader_state = ReaderState(
                dict(session.corpora.source),
                session.active.run,
                session.selection.words,
                session.selection.answered_analogy,
                form,
                session.settings.all(),
                self._fields(lesson),
            )
            # A run of the lesson may lack words that the reader typed: these leave their fields.
            analogy = self._find_panel("analogy")
            if analogy is not None and any(analogy.states.fields_of(_ANALOGY).values()):
                self._remember_controls(analogy, _ANALOGY)

    def _find_panel(self, key: str) -> Panel | None:
        """A panel that was created already."""
        try:
            found = find_widget(self._near, key)
        except UserError:
            return None
        if not isinstance(found, Panel):
            return None
        return found

    def give_back(self) -> bool:
        """Restore text, run, words, form and controls as they were before the lesson; return
        whether this changes what is shown.
        """
        before, self._reader_state = self._reader_state, None
        if before is None:
            return False
        session, train = self._session, self._find_panel("train")
        if train is not None and before.form is not None:
            train.view_state = before.form
        for panel, values in before.values.items():
            found = find_widget(self._near, panel)
            if isinstance(found, Panel):
                self._restore_settings(panel, before.settings)
                found.restore_results(before.results[panel])
                found.states.put_fields(values)
        source, shown = None, before.shown
        if before.source != session.corpora.source:
            source = parse_remembered(dict(before.source))
        if shown not in session.runs:
            shown = None
        other = source is not None or (shown is not None and shown is not session.active.run)
        if shown is not None:
            session.active.show(shown)
        session.selection.select(before.selection)
        asked = before.analogy
        if shown is not None and asked is not None:
            # Again even if it was the last one answered: words that the lesson’s run lacks left
            # their fields, and with them the plane of the analogy.
            session.requests.analogy.emit(asked.a, asked.b, asked.c)
        if source is not None:
            session.corpora.reopen(source, keep_shown=shown is not None)
        return other

    def _restore_settings(self, panel: str, before: Mapping[str, Any]) -> None:
        """Restore what a panel keeps of its choices: some controls show only part of it."""
        self._session.settings.put(
            {
                setting.key: before.get(setting.key, encode(setting.default))
                for setting in Setting.all()
                if setting.travels and setting.key.startswith(f"{panel}.")
            }
        )

    def look(self) -> None:
        """Continue as far as possible without waiting; called at every tick."""
        try:
            while self._lesson is not None:
                if self._wait_condition is not None:
                    if not self._wait_condition():
                        return
                    self._wait_condition = None
                if not self._actions_left:
                    self._done.add(self._step)
                    self.stop()
                    self.finished.emit()
                    return
                self._act(self._actions_left.pop(0))
        except UserError as error:
            self.stop()
            self.failed.emit(error)

    def _act(self, action: LessonAction) -> None:
        """Perform an action. The focus stays where the reader left it."""
        window = self._near.window()
        focused = window.focusWidget()
        self._do_action(action)
        if focused is not None and isValid(focused) and focused.isVisible():
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _do_action(self, action: LessonAction) -> None:
        session = self._session
        match action:
            case Open():
                self._open_corpus(action)
            case Train():
                self._train_run(action)
            case SettingsAction():
                session.requests.parameters.emit(_as_record(action))
                session.message.emit(
                    tr("The Train panel contains the settings of this step."), "", False
                )
            case View():
                session.active.show(self._labelled_run(action.label), remember=False)
            case Compare():
                session.requests.comparison.emit(
                    [self._labelled_run(action.first), self._labelled_run(action.second)]
                )
            case Show():
                self._bring_panel(action.panel)
            case Select():
                session.selection.select(action.words)
            case Ask():
                self._remember_controls(self._find_panel("analogy"), _ANALOGY)
                session.requests.analogy.emit(action.a, action.b, action.c)
            case LinesAction():
                self._bring_panel("corpus")
                session.requests.lines.emit(action.word, action.near)
            case Put():
                self._fill_control(action)
            case Press():
                self._press(action)
            case Highlight():
                self.marked.emit(self._find_control(action.widget))
            case FigureAction():
                self._ticks_at_rest = 0
                self.doing = tr("Waiting for the figure…")
                self._wait_condition = lambda: self._take_figure(action)
            case _:
                raise TypeError(action)

    def _open_corpus(self, action: Open) -> None:
        session = self._session
        if not prerequisites.is_open(session, action):
            self.doing = tr("Opening the corpus…")
            if action.corpus in _sample_names():
                session.corpora.open_sample(action.corpus)
            else:
                # Lessons ignore the options chosen for this text before.
                session.corpora.open([action.corpus], CorpusOptions())

        def corpus_is_open() -> bool:
            if session.corpora.opening is not None:
                return False
            if session.corpora.error is not None:
                raise session.corpora.error
            if session.corpora.current is None or not prerequisites.is_open(session, action):
                raise UserError(
                    tr("Couldn’t open the corpus of this step."), tr("Repeat the step.")
                )
            self.corpora[action.corpus] = session.corpora.current
            return True

        self._wait_condition = corpus_is_open

    def _train_run(self, action: Train) -> None:
        session = self._session
        assert session.corpora.current is not None
        record = prerequisites.run_for(session, action, session.corpora.current)
        if record is None:
            names = {other.name for other in session.runs}
            title = next(
                name
                for name in (action.title, *(f"{action.title} {n}" for n in range(2, 10_000)))
                if name not in names
            )
            # Shown when it is done, unless the lesson was left meanwhile.
            record = session.training.start(
                TrainingSpec(action.algorithm, action.params, name=title, show=False)
            )
            if self._lesson is not None:
                record.note = lesson_note(self._lesson.title)
                session.runs.changed.emit()
        training = record

        def training_is_over() -> bool:
            if not training.state.over:
                share = ""
                if training.run is not None and training.run.progress.fraction:
                    done = f"{100 * training.run.progress.fraction:.0f}"
                    share = f", {percent(done)}"
                self.doing = tr(
                    "Training {name} ({short}){share}…",
                    name=training.name,
                    short=MODELS[action.algorithm].short,
                    share=share,
                )
                return False
            self.records[action.label] = prerequisites.check_trained(training, action)
            session.active.show(training, remember=False)
            return True

        self.doing = tr("Training {name}…", name=training.name)
        self._wait_condition = training_is_over

    def _resolve_label(self, lesson: Lesson, label: str) -> None:
        opened, train = lesson.trainings[label]
        session = self._session
        if prerequisites.is_open(session, opened) and session.corpora.current is not None:
            self.corpora[opened.corpus] = session.corpora.current
        corpus = self.corpora.get(opened.corpus)
        if corpus is None:
            return
        record = prerequisites.run_for(session, train, corpus)
        if record is not None and record.has_vectors:
            self.records[label] = record

    def _fill_control(self, action: Put) -> None:
        widget = self._find_control(action.widget)
        self._remember_controls(panel_of(widget), [action.widget])
        fill_in(widget, action.value, self._fill_labels)

    def _press(self, action: Press) -> None:
        widget = self._find_control(action.widget)
        panel, names = panel_of(widget), []
        if isinstance(widget, QAbstractButton) and widget.isCheckable():
            group = widget.group()
            buttons = group.buttons() if group is not None else [widget]
            names = [button.objectName() for button in buttons]
        self._remember_controls(panel, names)
        press_button(widget)

    def _remember_controls(self, panel: Panel | None, names: Sequence[str]) -> None:
        """Remember the fields that controls show before the lesson changes them."""
        if self._reader_state is None or panel is None:
            return
        # A button may change something that no control contains.
        self._reader_state.results.setdefault(panel.key, panel.saved_results())
        known = self._reader_state.values.setdefault(panel.key, {})
        # A lesson that has just ended may still be restoring its controls.
        for key, held in panel.states.take_over(names).items():
            known.setdefault(key, self._reader_state.fields.get(key, held))

    def _labelled_run(self, label: str) -> RunRecord:
        record = self.records.get(label)
        if record is None or record not in self._session.runs:
            raise UserError(
                tr("The run “{label}” no longer exists.", label=label),
                tr("Repeat the step."),
            )
        return record

    def _fill_labels(self, value: str) -> str:
        for label, record in self.records.items():
            value = value.replace(f"{{{label}}}", record.name)
        return value

    def _find_control(self, name: str) -> QWidget:
        # A panel behind others is created when it is first needed.
        self._bring_panel(name.partition(".")[0])
        return find_widget(self._near, name)

    def _bring_panel(self, panel: str) -> None:
        self._context.bridge.wanted.emit(panel)

    def _take_figure(self, action: FigureAction) -> bool:
        widget = self._find_control(action.widget)
        panel = panel_of(widget)
        self._ticks_at_rest += 1
        if panel is not None and not panel.idle:
            self._ticks_at_rest = 0
        if self._ticks_at_rest < _SETTLED:
            return False
        self.pictures.append(ReportPicture(take_picture(widget), action.caption))
        return True


def _sample_names() -> tuple[str, ...]:
    from workbench.corpus.samples import SAMPLES

    return tuple(SAMPLES)


def _as_record(action: SettingsAction) -> RunRecord:
    """A run record that only contains settings for the form."""
    values = MODELS[action.algorithm].params_type.from_mapping(dict(action.values)).to_dict()
    return RunRecord(new_identifier(), "", action.algorithm, values, "", "", "")
