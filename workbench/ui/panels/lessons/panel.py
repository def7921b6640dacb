"""Lessons: guided demonstrations that control the other panels, with predictions and measured
claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trn
from workbench.core.setting import Setting
from workbench.session.classes.hand_in import HandIn, lesson_digest
from workbench.session.lessons import read_lesson, readable_lessons
from workbench.session.lessons.assertions import ClaimResult
from workbench.session.lessons.context import LessonCache, LessonScene
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.measure_registry import Value
from workbench.session.lessons.progress import OWN_LESSONS, Course, own_lessons
from workbench.session.lessons.report import StepResults, story
from workbench.session.lessons.runner import measure_step
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.file_dialogs import EXPORTS, ask_folder, file_dialog, remember_folder
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.theme import Theme
from workbench.ui.export.file_jobs import write_text_in_job
from workbench.ui.panels.lessons import LessonsKind
from workbench.ui.panels.lessons.lesson_list import LessonList
from workbench.ui.panels.lessons.lesson_page import LessonPage
from workbench.ui.panels.lessons.stage import LessonStage
from workbench.ui.shell.messages.bubble import Ring, seen_part
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_AROUND = 4
# Path of the open lesson, and the folder in which the reader’s own were last opened.
OPEN_LESSON = Setting("lessons.open", str, "")
LESSONS_FOLDER = Setting("lessons.folder", str, "")
CLASS_FOLDER = Setting("lessons.class_folder", str, "")
_MOST_OWN = 20
# The file of a lesson, and the digest of its questions and claims when it was read.
_LessonKey = tuple[Path, str]


class LessonsPanel(LessonsKind, Panel):
    """The list of lessons, or a step of the open one. The window stays usable meanwhile."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.course = Course(self.session.settings)
        self.lesson: Lesson | None = None
        self._bundled: list[Lesson] | None = None
        self._own: list[Lesson] = []
        self._cache = LessonCache()
        self._measured_values: dict[str, Value] = {}
        self._value_texts: dict[str, str] = {}
        # Message of the last file that couldn't be opened as a lesson.
        self._unread = ""
        self._step_reports: dict[int, StepResults] = {}
        # What was measured, and what was written to hand in, by lesson, also after it was left.
        self._all_reports: dict[_LessonKey, dict[int, StepResults]] = {}
        self._drafts: dict[_LessonKey, HandIn] = {}
        self._measuring = ResultJob(self.session.jobs, f"{self.key}.measure")
        self._measuring.on_failed(self._step_failed)
        self._measuring.on_cancelled(self._measuring_cancelled)
        # Whether the step was started from the lesson, which then gets the focus back.
        self._started_here = False
        self.list = LessonList(self)
        self.page = LessonPage(self)
        self.marker = LessonMarker(self.theme)
        self.stage = LessonStage(context, self)
        self._pages_of = kit.PageStack(self.list, self.page)
        kit.fill(self.body, self._pages_of)
        self.list.picked.connect(lambda path: self.open_file(Path(path)))
        self.list.lesson_requested.connect(self.ask_lesson)
        self.page.leave.connect(self.leave)
        self.page.do.connect(self.do)
        self.page.back.connect(partial(self.go, -1))
        self.page.next.connect(partial(self.go, 1))
        self.page.story.connect(self.ask_story)
        self.page.hand_in.connect(self.ask_hand_in)
        self.page.chosen.connect(self._predict_answer)
        self.stage.finished.connect(self._step_finished)
        self.stage.failed.connect(self._step_failed)
        self.stage.marked.connect(self.marker.mark)
        self.on_tick(self._update_stage)

    def drawn_runs(self) -> tuple[RunRecord, ...]:
        return ()

    @property
    def idle(self) -> bool:
        return super().idle and not self.stage.busy

    @property
    def at(self) -> int:
        """The current step, from 0."""
        if self.lesson is None:
            return 0
        return self.course.place(self.lesson)

    # -- which lesson

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._bundled is None:
            self._read_all()

    def _read_all(self) -> None:
        """Read all lessons when the panel is first shown, and continue the lesson left open."""
        self._bundled, problems = readable_lessons()
        for problem in problems[:1]:
            self.session.message.emit(problem.message, problem.hint, True)
        # Those removed or damaged since then are left out: opening them again reports that.
        self._own, _ = own_lessons(self.session.settings)
        self.show_body()
        last = self.session.settings[OPEN_LESSON]
        every = {str(lesson.path): lesson for lesson in (*self._own, *self._bundled)}
        if last in every:
            self._enter_lesson(every[last])
        else:
            self._fill_list()

    def open_file(self, path: Path) -> None:
        """Open a lesson by its file; a lesson of the reader's own is remembered."""
        try:
            lesson = read_lesson(path)
        except UserError as error:
            self._unread = error.message
            self.session.message.report(error)
            return
        self.session.message.retracted.emit(self._unread)
        if self._bundled is None:
            self._read_all()
        if all(lesson.path != other.path for other in self._bundled or []):
            self._own = [lesson, *(other for other in self._own if other.path != lesson.path)][
                :_MOST_OWN
            ]
            self.session.settings[OWN_LESSONS] = tuple(str(other.path) for other in self._own)
        self._enter_lesson(lesson)

    def open_lesson(self, path: str) -> None:
        """Open a lesson that another panel asks for."""
        self.raise_requested.emit()
        self.open_file(Path(path))
        if self.lesson is not None:
            self.page.take_focus()

    def ask_lesson(self) -> None:
        """Ask for a lesson file in a dialog that doesn’t block the window."""
        dialog = file_dialog(self, self.session.settings, LESSONS_FOLDER, tr("Open a lesson"))
        dialog.setNameFilters([tr("Lessons (*.md)"), tr("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.open_file(Path(path)))
        dialog.open()

    def _enter_lesson(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._measured_values, self._value_texts, self._step_reports = {}, {}, {}
        self.stage.enter()
        self.session.settings[OPEN_LESSON] = str(lesson.path)
        # The focus of the window, which a file dialog may cover. At start, or elsewhere in the
        # window, the focus stays.
        focused = self.window().focusWidget()
        reading = focused is not None and self.isAncestorOf(focused)
        self._pages_of.setCurrentWidget(self.page)
        self._put_step()
        if reading:
            self.page.take_focus()

    def leave(self) -> None:
        """Return to the list, and remember the step of the lesson."""
        self._forget_work()
        focused, before = self.window().focusWidget(), self.lesson
        reading = focused is not None and self.page.isAncestorOf(focused)
        if self.stage.give_back():
            self.session.message.emit(
                tr("Restored the corpus and the run from before the lesson."),
                tr("The runs of the lesson are in the Runs panel."),
                False,
            )
        self.lesson = None
        self.session.settings[OPEN_LESSON] = ""
        self._fill_list()
        if reading and before is not None:
            self.list.focus_lesson(before)

    def again(self) -> None:
        """Restart the open lesson."""
        if self.lesson is not None:
            self._forget_work()
            self.course.forget(self.lesson)
            self._all_reports.pop(_key(self.lesson), None)
            self._enter_lesson(self.lesson)

    def _fill_list(self) -> None:
        lessons = [*self._own, *(self._bundled or [])]
        self.list.put(self._own, self._bundled or [], self.course.places(lessons))
        self._pages_of.setCurrentWidget(self.list)

    # -- which step

    def go(self, by: int) -> None:
        """Go to another step; after the last one, the lesson is finished."""
        lesson = self.lesson
        if lesson is None:
            return
        self._forget_work()
        to = self.at + by
        if to >= len(lesson.steps):
            self._finish_lesson(lesson)
            return
        focused = self.window().focusWidget()
        reading = focused is not None and self.page.isAncestorOf(focused)
        self.course.go(lesson, max(to, 0))
        self._put_step()
        if reading:
            # Not left on “Next”: Return would skip the question of the step.
            self.page.take_focus()

    def _finish_lesson(self, lesson: Lesson) -> None:
        """Finish the lesson; it counts as done if every question has an answer."""
        missing = self.course.open_questions(lesson)
        self.course.finish(lesson)
        self.leave()
        if missing:
            self.session.message.emit(
                trn(
                    "One question of this lesson is still unanswered.",
                    "{number} questions of this lesson are still unanswered.",
                    len(missing),
                ),
                tr("Open the lesson again and answer every question to complete the lesson."),
                False,
            )

    def _put_step(self) -> None:
        assert self.lesson is not None
        self.page.put(self.lesson, self.at, self.course.chosen_answer(self.lesson, self.at))
        self._show_state()

    def _show_state(self) -> None:
        assert self.lesson is not None
        report = self._step_reports.get(self.at)
        measured = None if report is None else report.measured
        busy = self.stage.busy or self._measuring.busy
        self.page.show_state(
            self._label_names(), measured, self.course.chosen_answer(self.lesson, self.at), busy
        )

    def _label_names(self) -> Mapping[str, str]:
        """Values for the names in braces: measured values, and names of runs."""
        lesson = self.lesson
        assert lesson is not None
        runs = {label: train.title for label, (_, train) in lesson.trainings.items()}
        return {
            **runs,
            **{
                label: _run_name(runs.get(label, label), record.name)
                for label, record in self.stage.records.items()
            },
            **self._value_texts,
        }

    def _predict_answer(self, answer: int) -> None:
        if self.lesson is not None:
            self.course.predict(self.lesson, self.at, answer)
            self._show_state()

    # -- doing a step

    def why_not_do(self) -> str:
        """The reason why the step can't be done now, for the palette."""
        reason = self.why_not_go()
        if not reason and not self.page.act.isEnabled():
            reason = tr("Predict the answer first.")
        return reason

    def why_not_go(self) -> str:
        if self.lesson is None:
            return tr("No lesson is open.")
        return ""

    def do(self) -> None:
        """Do the step, or stop it."""
        if self.lesson is None:
            return
        if self.stage.busy or self._measuring.busy:
            self._forget_work()
            self._show_state()
            return
        self.page.tell("")
        self.marker.leave()
        focused = self.window().focusWidget()
        self._started_here = focused is not None and self.page.isAncestorOf(focused)
        self._play_step()

    def _play_step(self) -> None:
        assert self.lesson is not None
        self.stage.play(self.lesson, self.at)
        self._show_state()

    def _forget_work(self) -> None:
        self.stage.stop()
        self._measuring.forget()
        self.marker.leave()
        self.page.tell("")

    def _update_stage(self) -> None:
        self.stage.look()
        self.marker.keep_place()
        if self.stage.busy:
            self.page.tell(self.stage.doing)

    def _step_finished(self) -> None:
        """Measure the claims after all actions of the step."""
        lesson, at = self.lesson, self.at
        assert lesson is not None
        if not self.isVisible():
            # A panel in the same place was shown.
            self.raise_requested.emit()
        needed = [
            step for step in lesson.steps_needed(at) if step == at or step not in self._step_reports
        ]
        runs = {
            label: (record, self.stage.corpora[lesson.trainings[label][0].corpus])
            for label, record in self.stage.records.items()
            if lesson.trainings[label][0].corpus in self.stage.corpora
        }
        corpora, store, kept = dict(self.stage.corpora), self.session.store, self._cache
        found, shown = dict(self._measured_values), dict(self._value_texts)
        loaded = {label: record.embeddings for label, (record, _) in runs.items()}

        def work(
            run: JobControl,
        ) -> tuple[dict[str, Value], dict[str, str], dict[int, tuple[ClaimResult, ...]]]:
            vectors = {
                label: (loaded[label] or store.vectors(record.identifier), corpus)
                for label, (record, corpus) in runs.items()
            }
            measured = {}
            for step in needed:
                opened, corpus = lesson.corpus_at(step), None
                if opened is not None:
                    corpus = corpora.get(opened.corpus)
                scene = LessonScene(corpus, vectors, run, kept)
                measured[step] = measure_step(lesson.steps[step], scene, found, shown)
            return found, shown, measured

        self.page.tell(tr("Measuring…"))
        pictures = tuple(self.stage.pictures)
        self._measuring.ask(
            Request(
                (object(),),
                tr("Measuring “{title}”", title=lesson.steps[at].title),
                work,
                lambda result: self._show_measurements(at, result, pictures),
            )
        )
        self._show_state()

    def _show_measurements(self, at: int, result: Any, pictures: tuple[Any, ...]) -> None:
        assert self.lesson is not None
        self._measured_values, self._value_texts, measured = result
        for step, values in measured.items():
            figures: tuple[Any, ...] = ()
            if step == at:
                figures = pictures
            elif step in self._step_reports:
                figures = self._step_reports[step].pictures
            self._step_reports[step] = StepResults(
                step, values, self.course.chosen_answer(self.lesson, step), figures
            )
        self._all_reports.setdefault(_key(self.lesson), {}).update(self._step_reports)
        self.page.tell("")
        self._show_state()
        self._focus_next()

    def _focus_next(self) -> None:
        """Return the focus to *Next*, even if the step has shown or hidden the widget that had it,
        but not while the reader is typing in another field.
        """
        if self._started_here and not _is_typed_in(self.window().focusWidget()):
            self.page.onward.setFocus()
        self._started_here = False

    def _measuring_cancelled(self) -> None:
        self.page.tell("")
        self._show_state()

    def _step_failed(self, error: UserError) -> None:
        if self.lesson is not None:
            self._show_state()
        self.page.tell(str(error), is_error=True)

    # -- handing in, and what a class handed in

    def ask_hand_in(self) -> None:
        """Show the dialog in which a student hands in."""
        from workbench.ui.panels.lessons.hand_in_dialog import HandInDialog

        lesson = self.lesson
        if lesson is None:
            return
        shown = self.findChild(HandInDialog)
        if shown is not None:
            shown.close()
        key = _key(lesson)
        dialog = HandInDialog(
            self.session, lesson, self.step_results(), self, self._drafts.get(key)
        )
        dialog.finished.connect(lambda _: self._drafts.update({key: dialog.content()}))
        dialog.show()

    def ask_class(self) -> None:
        """Ask for a folder of files that a class handed in, and show what they contain."""
        from workbench.ui.panels.lessons.class_dialog import ClassDialog

        title = tr("Open the folder of a class")
        folder = ask_folder(self, self.session.settings, CLASS_FOLDER, title)
        if folder is not None:
            remember_folder(self.session.settings, CLASS_FOLDER, folder)
            lessons = [*self._own, *(self._bundled or readable_lessons()[0])]
            ClassDialog(self.session, self.theme, folder, lessons, self).show()

    def step_results(self) -> list[StepResults]:
        """The results of every step of the open lesson, also of those that weren’t done, or were
        done before the lesson was left.
        """
        lesson = self.lesson
        if lesson is None:
            return []
        known = self._all_reports.get(_key(lesson), {})
        return [
            known.get(at, StepResults(at, (), self.course.chosen_answer(lesson, at)))
            for at in range(len(lesson.steps))
        ]

    # -- the story

    def ask_story(self) -> None:
        """Ask for the file of the lesson’s story."""
        if self.lesson is None:
            return
        title = tr("Save lesson report")
        dialog = file_dialog(self, self.session.settings, EXPORTS, title, save=True)
        dialog.setNameFilters([tr("Web page (*.html)")])
        dialog.setDefaultSuffix("html")
        dialog.selectFile(f"{self.lesson.key}.html")
        dialog.fileSelected.connect(lambda path: self.save_story(Path(path)))
        dialog.open()

    def save_story(self, path: Path) -> None:
        """Write the story in a job and report the result as a message."""
        lesson = self.lesson
        if lesson is None:
            return
        text = story(lesson, self.step_results(), dict(self._label_names()))
        write_text_in_job(self.session, path, text, f"{self.key}.story")

    def restore_results(self, kept: Mapping[str, Any]) -> None:
        """Restore the progress of the lessons from the settings of a session file."""
        self.course = Course(self.session.settings)
        if self.lesson is None:
            self._fill_list()
        else:
            self._put_step()

    def release(self) -> None:
        self.stage.stop()
        self.marker.release()
        super().release()


def _key(lesson: Lesson) -> _LessonKey:
    return lesson.path, lesson_digest(lesson)


def _run_name(title: str, name: str) -> str:
    """The name of a run in the list. A run of another lesson has another title there."""
    if name.startswith(title):
        return name
    return tr("{title} (in Runs: {name})", title=title, name=name)


def _is_typed_in(widget: QWidget | None) -> bool:
    """Whether a field has the focus and contains typed text, not only text set by the program."""
    if isinstance(widget, QAbstractSpinBox):
        widget = widget.findChild(QLineEdit)
    if isinstance(widget, QPlainTextEdit):
        return widget.document().isModified()
    return isinstance(widget, QLineEdit) and widget.isModified()


class LessonMarker:
    """Marks a widget with a ring. ``keep_place``, called at every tick, moves the ring only if its
    place has changed.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.ring = self._create_ring()
        self._target: QWidget | None = None
        self._last_place: tuple[object, ...] = ()

    def _create_ring(self) -> Ring:
        ring = Ring(self._theme)
        ring.setObjectName("lessons.ring")
        return ring

    @property
    def target(self) -> QWidget | None:
        return self._target

    def mark(self, target: QWidget) -> None:
        """Draw the ring around another widget."""
        self._target = target
        self._last_place = ()
        if self.ring.parentWidget() is not target.window():
            self.ring.setParent(target.window())
        self.keep_place()

    def leave(self) -> None:
        """Remove the mark."""
        if self._target is None:
            return
        self._target = None
        if not isValid(self.ring):
            # The window was closed, and its ring deleted with it.
            self.ring = self._create_ring()
            return
        self.ring.hide()
        self.ring.setParent(None)

    def keep_place(self) -> None:
        """Follow the widget; hide the ring while the widget isn't visible."""
        target = self._target
        if target is None:
            return
        if not isValid(target) or not isValid(self.ring):
            self.leave()
            return
        visible, host = target.isVisible(), target.window()
        seen = rectangle = None
        if visible:
            seen = seen_part(target, host)
        if seen is not None:
            rectangle = seen.getRect()
        now = (visible, rectangle, host.size())
        if now == self._last_place:
            return
        self._last_place = now
        if seen is None or seen.isEmpty():
            self.ring.hide()
            return
        self.ring.setGeometry(seen.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & host.rect())
        self.ring.show()
        self.ring.raise_()

    def release(self) -> None:
        """Delete the ring when the panel is closed."""
        self.leave()
        self.ring.deleteLater()
