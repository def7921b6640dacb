"""Does what a step of a lesson says, one thing after another, with the real session and the real panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.models.base import MODELS
from workbench.session.corpus.opening import sought
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
from workbench.session.runs.run_record import RunRecord, new_identifier
from workbench.session.selection.words import AnalogyShown
from workbench.ui.panel import Panel, PanelContext
from workbench.ui.panels.lessons.control_finder import find_widget, panel_of, picture, press, put
from workbench.ui.shell.kept_inputs import Kept

# Ticks that a panel must be at rest before its picture is taken: what was computed is also drawn.
_SETTLED = 4


@dataclass
class Before:
    """What a reader had before a lesson changed it. ``values``: of controls, by panel and object name."""

    source: Mapping[str, Any]
    shown: RunRecord | None
    selection: tuple[str, ...]
    analogy: AnalogyShown | None
    form: Mapping[str, Any]
    values: dict[str, dict[str, Kept]] = field(default_factory=dict)


class LessonStage(QObject):
    """``finished()`` when all is done, ``failed(UserError)`` at what could not be, ``marked(widget)`` for a widget to
    look at. ``doing`` says what is under way.
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
        self._left: list[LessonAction] = []
        self._wait: Callable[[], bool] | None = None
        self._rest = 0
        self.doing = ""
        self.corpora: dict[str, Corpus] = {}
        self.records: dict[str, RunRecord] = {}
        self.pictures: list[ReportPicture] = []
        self._before: Before | None = None

    @property
    def busy(self) -> bool:
        return self._lesson is not None

    def enter(self) -> None:
        """Another lesson begins: labels mean other runs."""
        self.stop()
        self.records = {}

    def play(self, lesson: Lesson, step: int) -> None:
        """Do the actions of a step, and before them what they stand on."""
        self._lesson = lesson
        self._remember()
        self.pictures = []
        for label in lesson.labels_needed(step):
            self._resolve(lesson, label)
        self._left = [
            *prerequisites.preparations(lesson, step, self.corpora, self._session),
            *lesson.steps[step].actions,
        ]
        self._wait = None
        self.look()

    def stop(self) -> None:
        """Do nothing more of it; a training that was begun goes on."""
        self._lesson, self._wait, self._left, self.doing = None, None, [], ""

    def _remember(self) -> None:
        """What the reader has now; what an earlier step has changed is none of it."""
        if self._before is None:
            session, train = self._session, self._train_panel()
            self._before = Before(
                dict(session.source), session.shown, session.selection, session.answered,
                train.kept_state() if train is not None else {},
            )  # fmt: skip

    def _train_panel(self) -> Panel | None:
        try:
            found = find_widget(self._near, "train")
        except UserError:
            return None
        return found if isinstance(found, Panel) else None

    def give_back(self) -> bool:
        """Put text, run, words, form and controls back to what they were before the lesson; whether that shows
        something else than now.
        """
        before, self._before = self._before, None
        if before is None:
            return False
        session, train = self._session, self._train_panel()
        if train is not None and before.form:
            train.restore_state(before.form)
        for panel, values in before.values.items():
            found = find_widget(self._near, panel)
            if isinstance(found, Panel):
                found.inputs.put(values)
        wanted = sought(dict(before.source)) if before.source != session.source else None
        shown = before.shown if before.shown in session.runs else None
        other = wanted is not None or (shown is not None and shown is not session.shown)
        if shown is not None:
            session.show(shown)
            session.select(before.selection)
            if before.analogy is not None and before.analogy != session.answered:
                session.analogy_asked.emit(before.analogy.a, before.analogy.b, before.analogy.c)
        if wanted is not None:
            session.reopen(wanted, keep_shown=shown is not None)
        return other

    def look(self) -> None:
        """At every tick: go on as far as is possible without waiting."""
        try:
            while self._lesson is not None:
                if self._wait is not None:
                    if not self._wait():
                        return
                    self._wait = None
                if not self._left:
                    self.stop()
                    self.finished.emit()
                    return
                self._do(self._left.pop(0))
        except UserError as error:
            self.stop()
            self.failed.emit(error)

    def _do(self, action: LessonAction) -> None:
        session = self._session
        match action:
            case Open():
                self._open(action)
            case Train():
                self._train(action)
            case SettingsAction():
                session.settings_asked.emit(_as_record(action))
                session.message.emit(tr("The form in Train holds the settings of this step."), "", False)
            case View():
                session.show(self._record(action.label))
            case Compare():
                session.compare_asked.emit([self._record(action.first), self._record(action.second)])
            case Show():
                self._bring(action.panel)
            case Select():
                session.select(action.words)
            case Ask():
                session.analogy_asked.emit(action.a, action.b, action.c)
            case LinesAction():
                self._bring("corpus")
                session.lines_asked.emit(action.word, action.near)
            case Put():
                self._put(action)
            case Press():
                press(self._found(action.widget))
            case Highlight():
                self.marked.emit(self._found(action.widget))
            case FigureAction():
                self._rest = 0
                self.doing = tr("Waiting for the figure …")
                self._wait = lambda: self._photographed(action)
            case _:
                raise TypeError(action)

    def _open(self, action: Open) -> None:
        session = self._session
        if not prerequisites.is_open(session, action):
            self.doing = tr("Opening the corpus …")
            if action.corpus in _samples():
                session.open_sample(action.corpus)
            else:
                # As lessons read, whatever was chosen for this text before.
                session.open([action.corpus], CorpusOptions())

        def opened() -> bool:
            if session.opening is not None:
                return False
            if session.open_error is not None:
                raise session.open_error
            if session.corpus is None or not prerequisites.is_open(session, action):
                raise UserError(tr("The corpus of this step was not opened."), tr("Do the step again."))
            self.corpora[action.corpus] = session.corpus
            return True

        self._wait = opened

    def _train(self, action: Train) -> None:
        session = self._session
        assert session.corpus is not None
        record = prerequisites.run_for(session, action, session.corpus)
        if record is None:
            names = {other.name for other in session.runs}
            title = next(
                name for name in (action.title, *(f"{action.title} {n}" for n in range(2, 10_000))) if name not in names
            )
            # It is looked at when it is done unless the lesson was left meanwhile.
            record = session.train(action.algorithm, action.params, name=title, show=False)
            if self._lesson is not None:
                record.note = prerequisites.lesson_note(self._lesson)
                session.runs_changed.emit()
        training = record

        def trained() -> bool:
            if not training.state.over:
                progress = training.run.progress if training.run is not None else None
                share = f", {progress.fraction:.0%}" if progress is not None and progress.fraction else ""
                self.doing = tr(
                    "Training {name} ({short}){share} …",
                    name=training.name,
                    short=MODELS[action.algorithm].short,
                    share=share,
                )
                return False
            self.records[action.label] = prerequisites.checked(training, action)
            session.show(training)
            return True

        self.doing = tr("Training {name} …", name=training.name)
        self._wait = trained

    def _resolve(self, lesson: Lesson, label: str) -> None:
        opened, train = lesson.trainings[label]
        session = self._session
        if prerequisites.is_open(session, opened) and session.corpus is not None:
            self.corpora[opened.corpus] = session.corpus
        corpus = self.corpora.get(opened.corpus)
        record = prerequisites.run_for(session, train, corpus) if corpus is not None else None
        if record is not None and record.has_vectors:
            self.records[label] = record

    def _put(self, action: Put) -> None:
        widget = self._found(action.widget)
        panel = panel_of(widget)
        if self._before is not None and panel is not None:
            known = self._before.values.setdefault(panel.key, {})
            # A lesson that has just ended may still be giving its controls back.
            known.setdefault(action.widget, panel.inputs.take_over(action.widget))
        put(widget, self._filled(action.value))

    def _record(self, label: str) -> RunRecord:
        record = self.records.get(label)
        if record is None or record not in self._session.runs:
            raise UserError(tr("The run “{label}” is not there any more.", label=label), tr("Do the step again."))
        return record

    def _filled(self, value: str) -> str:
        for label, record in self.records.items():
            value = value.replace(f"{{{label}}}", record.name)
        return value

    def _found(self, name: str) -> QWidget:
        # A panel behind others is made when it is first asked for.
        self._bring(name.partition(".")[0])
        return find_widget(self._near, name)

    def _bring(self, panel: str) -> None:
        """To the front; the keyboard stays with the reader."""
        focused = QApplication.focusWidget()
        self._context.bridge.wanted.emit(panel)
        if focused is not None and focused.isVisible():
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _photographed(self, action: FigureAction) -> bool:
        widget = self._found(action.widget)
        panel = panel_of(widget)
        self._rest = self._rest + 1 if panel is None or panel.idle else 0
        if self._rest < _SETTLED:
            return False
        self.pictures.append(ReportPicture(picture(widget), action.caption))
        return True


def _samples() -> tuple[str, ...]:
    from workbench.corpus.samples import SAMPLES

    return tuple(SAMPLES)


def _as_record(action: SettingsAction) -> RunRecord:
    """What a form is filled in with: a run that was never made."""
    values = MODELS[action.algorithm].params_type.from_mapping(dict(action.values)).to_dict()
    return RunRecord(new_identifier(), "", action.algorithm, values, "", "", "")
