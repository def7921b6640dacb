"""Every lesson in the whole window, with clicks: predicted, done, revealed, saved as a report.

    python tests/window/lessons.py [LESSON ...] [--pictures FOLDER] [--theme light|dark]
    [--unmeasured]

LESSON is the name of a file in ``resources/lessons``, or the path of another; without any, all
lessons are played. Each step's button is clicked as a reader would, and then the window is checked
against the step: the right panel in front, the value in the control, the active run, the saved
picture. A false claim is printed with its line in the lesson's file; the exit code is then 1. With
a folder, a picture of the window after each step and the reports are saved in it. Without
measuring, only the steps that set a control are done, whose texts depend on the language: for a
second language, with the runs of the first. UMAP computes maps only for a lesson about it, or for
pictures.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _TESTS = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(_TESTS.parent), str(_TESTS), str(_TESTS / "helpers")]

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer, qInstallMessageHandler
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QTabBar,
    QTableView,
    QWidget,
)
from umaps import keep_start
from waiting import Calm, keep_priorities

from workbench.core.language import tr
from workbench.corpus.samples import python_docs
from workbench.session.lessons import bundled_lessons, markdown, read_lesson
from workbench.session.lessons import folder as folder_of_lessons
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
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.session import Session
from workbench.ui.base.notice import Notice
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.lessons import panel as lessons_panel
from workbench.ui.panels.lessons import stage
from workbench.ui.panels.lessons.panel import LessonsPanel
from workbench.ui.panels.map import layout_jobs
from workbench.ui.panels.map.layout import AXES, METHODS, PAIR, UMAP, UMAP_3D
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.shell.window import Window
from workbench.ui.widgets.inputs.run_choice import RunsChoice

LEFT = Qt.MouseButton.LeftButton
# Number of consecutive checks, one per timer event, that must find the window idle.
_CALM = 6
# A picture of an empty page has few colours: background, lines, and the shades of some letters.
_COLOURS = 24
_LAY_OUT = layout_jobs.cached_layout


@dataclass
class Reader:
    """A simulated reader, who clicks in the panel of lessons and checks the other panels."""

    window: Window
    folder: Path
    pictures: bool = False
    measuring: bool = True
    problems: list[str] = field(default_factory=list)
    _messages: list[str] = field(default_factory=list)
    _clicks: list[str] = field(default_factory=list)
    _map: bytes = b""

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def panel(self) -> LessonsPanel:
        panel = self.window.docks["lessons"].panel
        assert isinstance(panel, LessonsPanel)
        return panel

    # -- with the mouse

    def read(self, lesson: Lesson) -> list[str]:
        """Play the whole lesson; return a sentence for each failed check."""
        self.problems = []
        layout_jobs.cached_layout = _LAY_OUT if self.pictures or _is_on_umap(lesson) else keep_start
        before = self._contents(lesson)
        self._open(lesson)
        for at, step in enumerate(lesson.steps):
            self._hold(self.panel.at == at, step.line, f"step {at + 1} is not in front")
            if self.measuring or any(isinstance(action, Put) for action in step.actions):
                self._step(lesson, step)
            if self.pictures:
                self.window.grab().save(str(self.folder / f"{lesson.key}-{at + 1}.png"))
            if at == len(lesson.steps) - 1 and self.measuring:
                self._story(lesson)
            self._press("next")
        self._hold(self.panel.lesson is None, 1, "the lesson does not end after its last step")
        self._check_restored(lesson, before)
        row = next(
            (
                row
                for _, rows in self.panel.list._lists.values()
                for row in rows.rows
                if row.text == lesson.title
            ),
            None,
        )
        is_done = row is not None and tr("✓ done") in row.numbers
        self._hold(is_done or not self.measuring, 1, "the list does not say that it is done")
        return [f"{lesson.key}.md, {problem}" for problem in self.problems]

    def _contents(self, lesson: Lesson) -> dict[str, object]:
        """The contents of all controls that a lesson sets, and of the analogy."""
        names = {"analogy.a", "analogy.b", "analogy.c"} | {
            action.widget
            for step in lesson.steps
            for action in step.actions
            if isinstance(action, Put)
        }
        found: dict[str, object] = {}
        for name in names:
            panel = self.window.docks[name.partition(".")[0]].panel
            for value in panel.states.fields_of([name]).values():
                found[name] = value
        return found

    def _differing(self, lesson: Lesson, before: Mapping[str, object]) -> dict[str, object]:
        """Contents of the controls that aren’t as before the lesson. Empty fields may now contain
        words that are only offered, and those of hidden pages are restored when they are shown.
        """
        return {
            name: value
            for name, value in self._contents(lesson).items()
            if before.get(name) not in (None, "", (), value) and self._widget(name).isVisible()
        }

    def _wait_while(self, is_different: Callable[[], object]) -> None:
        """Wait for what follows an answer a moment later, such as the plane of an analogy, or the
        map of a text that is being opened.
        """
        patience = monotonic() + 10.0
        with suppress(TimeoutError):
            until(lambda: not is_different() or monotonic() > patience)

    def _check_restored(self, lesson: Lesson, before: Mapping[str, object]) -> None:
        """After its end, a lesson leaves the controls as they were, and the map as they say."""
        settle(self.window)
        self._wait_while(lambda: self._differing(lesson, before))
        for name, value in self._differing(lesson, before).items():
            self._hold(False, 1, f"{name} is left as {value!r}, not as {before[name]!r}")
        if self.session.active.run is not None and self._is_in_sight("map"):
            for problem in self._map_problems():
                self._hold(False, 1, f"after the lesson, {problem}")

    def _open(self, lesson: Lesson) -> None:
        self.window.raise_panel("lessons")
        if self.panel.lesson is not None:
            self._press("all")
        if not lesson.path.is_relative_to(folder_of_lessons()):
            self.panel.open_file(lesson.path)
            return
        for _, rows in self.panel.list._lists.values():
            for at, row in enumerate(rows.rows):
                if row.text == lesson.title:
                    view = rows.view
                    assert isinstance(view, QTableView)
                    place = view.visualRect(view.model().index(at, 0)).center()
                    QTest.mouseClick(view.viewport(), LEFT, pos=place)
        assert self.panel.lesson is not None, f"{lesson.title} is not in the list"
        if (
            any(
                self.panel.course.chosen_answer(lesson, at) is not None
                for at in range(len(lesson.steps))
            )
            or self.panel.at
        ):
            # The lesson was read before, or left halfway.
            self.window.commands.run("lessons.again")

    def _step(self, lesson: Lesson, step: LessonStep) -> None:
        self._messages, self._clicks = [], []
        question = step.question
        if question is not None:
            self._hold(
                not self.panel.page.act.isEnabled(),
                step.line,
                "it reveals before one has predicted",
            )
            until(lambda: len(self._answers(question.right)) == 1)
            (answer,) = self._answers(question.right)
            QTest.mouseClick(answer, LEFT, pos=answer.rect().center())
        with self._listening(step):
            self._press("do")
            until(lambda: self.panel.idle)
            settle(self.window)
        for sentence in self._messages:
            self._hold(False, step.line, f"the window says “{sentence}”")
        doing = self._text("doing")
        self._hold(not doing, step.line, f"the panel says “{doing}”")
        self._hold(
            self._is_in_sight("lessons"), step.line, "the lesson is not beside what it shows"
        )
        self._look(step)
        for action in self._lasting(step):
            try:
                wrong = self._wrong(lesson, step, action)
            except Exception as error:
                wrong = repr(error)
            self._hold(not wrong, action.line, wrong)

    def _story(self, lesson: Lesson) -> None:
        """Save the report with the dialog, and check it."""
        page = self.folder / f"{lesson.key}.html"
        # Otherwise, the dialog would ask whether to replace the file.
        page.unlink(missing_ok=True)
        self._press("story")
        until(lambda: bool(self._dialogs()))
        dialog = self._dialogs()[0]
        name = dialog.findChild(QLineEdit, "fileNameEdit")
        assert name is not None
        name.selectAll()
        QTest.keyClicks(name, str(page))
        QTest.keyClick(name, Qt.Key.Key_Return)
        if dialog.isVisible():
            # The first Return may only close the list of completions.
            QTest.keyClick(name, Qt.Key.Key_Return)
        until(page.exists)
        until(lambda: not self._dialogs())
        settle(self.window)
        story = page.read_text("utf-8")
        figures = [a for step in lesson.steps for a in step.actions if isinstance(a, FigureAction)]
        number = sum(step.question is not None for step in lesson.steps)
        right = tr(
            "{facts} · {right} of {number} predictions correct",
            facts="",
            right=number,
            number=number,
        )
        self._hold(story.count("data:image/png") == len(figures), 1, "the story lacks a figure")
        self._hold(not number or right in story, 1, "the story forgets predictions")
        self._hold(tr("not true here") not in story, 1, "the story says that a claim is not true")
        self._hold(
            tr("Not measured") not in story, 1, "the story says that a step was not measured"
        )
        self._hold("<b>…</b>" not in story, 1, "the story leaves a value open")

    def _press(self, name: str) -> None:
        button = self.window.findChild(QAbstractButton, f"lessons.{name}")
        assert button is not None
        assert button.isVisible(), name
        assert button.isEnabled(), name
        QTest.mouseClick(button, LEFT)

    def _answers(self, number: int) -> list[QRadioButton]:
        """Visible answers: those of the previous step are hidden until Qt deletes them."""
        every = self.window.findChildren(QRadioButton, f"lessons.answer.{number}")
        return [button for button in every if button.isVisible()]

    def _dialogs(self) -> list[QFileDialog]:
        return [
            w
            for w in QApplication.topLevelWidgets()
            if isinstance(w, QFileDialog) and w.isVisible()
        ]

    # -- checks of the window

    @contextmanager
    def _listening(self, step: LessonStep) -> Iterator[None]:
        def on_message(text: str, hint: str, is_error: bool) -> None:
            if is_error:
                self._messages.append(f"{text} {hint}")

        connections = []
        for action in step.actions:
            button = self._widget(action.widget) if isinstance(action, Press) else None
            if isinstance(button, QAbstractButton):
                name = button.objectName()
                connections.append((button, lambda *_, name=name: self._clicks.append(name)))
        for button, slot in connections:
            button.clicked.connect(slot)
        self.session.message.connect(on_message)

        def on_qt_message(kind: object, where: object, text: str) -> None:
            # The offscreen platform prints this for every window.
            if not text.startswith("This plugin does not support"):
                self._messages.append(f"Qt: {text}")

        before = qInstallMessageHandler(on_qt_message)
        try:
            yield
        finally:
            qInstallMessageHandler(before)
            self.session.message.disconnect(on_message)
            for button, slot in connections:
                button.clicked.disconnect(slot)

    def _hold(self, true: bool, line: int, problem: str) -> None:
        if not true:
            self.problems.append(f"line {line}: {problem}")

    def _text(self, name: str) -> str:
        label = self.window.findChild(QLabel, f"lessons.{name}")
        assert label is not None
        return label.text() if label.isVisible() else ""

    def _look(self, step: LessonStep) -> None:
        """Check for visible errors, unmeasured or false claims, and missing values."""
        self._wait_while(lambda: list(self._states(step)))
        for problem in self._states(step):
            self._hold(False, step.line, problem)
        if not self.measuring:
            return
        table = self._text("measured")
        calls = {claim.call for claim in step.claims}
        self._hold(table.count("<tr>") == len(calls), step.line, "not all is measured")
        self._hold("✗" not in table, step.line, f"a claim does not hold: {table}")
        self._hold(
            bool(self._text("reveal")) == bool(step.reveal), step.line, "nothing is revealed"
        )
        placeholders = markdown.placeholders((*step.text, *step.reveal))
        text = self._text("text") + self._text("reveal")
        self._hold(
            not placeholders or "<b>…</b>" not in text,
            step.line,
            "a value in the text is left open",
        )
        if step.question is not None:
            self._hold(
                tr("Your prediction is correct.") in self._text("verdict"),
                step.line,
                "no verdict on the prediction",
            )

    def _states(self, step: LessonStep) -> Iterator[str]:
        """Visible problems: an error in any panel; a hint, nothing, or an unknown word in a panel
        that the step uses.
        """
        keys = {key for action in step.actions for key in _panels_of(action)}
        for key, dock in self.window.docks.items():
            if not self._is_in_sight(key):
                continue
            panel = dock.panel
            for notice in panel.findChildren(Notice):
                wrong = notice.kind == "error" or (notice.kind != "body" and key in keys)
                if wrong and not notice.visibleRegion().isEmpty():
                    text = " ".join(
                        label.text() for label in notice.findChildren(QLabel) if label.isVisible()
                    )
                    yield f"the panel {key} is {notice.kind}: “{text}”"
            for label in panel.findChildren(QLabel):
                roles = ("error", "warning") if key in keys else ("error",)
                if label.property("role") in roles and label.isVisible() and label.text().strip():
                    yield f"the panel {key} says “{label.text()}”"
            for left_out in panel.findChildren(QWidget, f"{key}.left_out"):
                if left_out.isVisible():
                    yield f"the panel {key} leaves out: {getattr(left_out, 'whole', '')}"
            for entry in panel.findChildren(QLineEdit):
                if key in keys and entry.property("invalid") == "true" and entry.isVisible():
                    yield f"{entry.objectName()} does not know “{entry.text()}”"
        if "map" in keys and self._is_in_sight("map"):
            yield from self._map_problems()

    def _map_problems(self) -> Iterator[str]:
        """Differences between what the controls of the map say and what is drawn."""
        panel, session = self._map_panel, self.session
        layout, chosen = panel._layout, str(panel.method.currentData())
        if layout is None:
            yield "the map draws nothing"
            return
        if layout.method != chosen:
            yield f"the map draws {layout.method}, the box says {chosen}"
        caption = panel.footer.caption.whole
        if METHODS[chosen].title not in caption.split(" · "):
            yield f"the line below the map is “{caption}”"
        run = session.active.run
        if run is None or not layout.request.identifier.startswith(run.identifier):
            yield f"the map draws another run than {run.name if run else None}"
        if panel.parameters.isVisibleTo(panel) != (chosen in (UMAP, UMAP_3D, PAIR)):
            yield f"the settings of UMAP do not fit {chosen}"
        if missing := [word for word in session.selection.words if not panel.view.shows(word)]:
            yield f"the map does not show {', '.join(missing)}"
        if layout.method == AXES:
            axes = layout.request.axes or (None, None)
            pairs = [(axis.low, axis.high) if axis else ("", "") for axis in axes]
            if (ends := tuple(chain.from_iterable(pairs))) != panel.axes.words():
                yield f"the axes are drawn from {ends}, the fields contain {panel.axes.words()}"

    @property
    def _map_panel(self) -> MapPanel:
        panel = self.window.docks["map"].panel
        assert isinstance(panel, MapPanel)
        return panel

    @staticmethod
    def _lasting(step: LessonStep) -> list[LessonAction]:
        """The actions whose effect is still visible at the end of the step."""
        last: dict[object, LessonAction] = {}
        for action in step.actions:
            place = action.widget if isinstance(action, (Put, Press)) else None
            kind = View if isinstance(action, Train) else type(action)
            last[action if isinstance(action, FigureAction) else (kind, place)] = action
        # A page is hidden if the step then turns to another page of the same panel.
        pages = [a for a in last.values() if isinstance(a, Press)]
        for one in pages:
            panel = one.widget.rpartition(".")[0]
            if any(
                other.widget.rpartition(".")[0] == panel and other.line > one.line
                for other in pages
            ):
                del last[Press, one.widget]
        return list(last.values())

    def _widget(self, name: str) -> QWidget:
        # A panel behind others is built when it is first accessed.
        _ = self.window.docks[name.partition(".")[0]].panel
        found = self.window.findChild(QWidget, name) or self.window.findChild(
            QWidget, f"panel.{name}"
        )
        assert found is not None, f"no widget {name}"
        return found

    def _is_in_sight(self, key: str) -> bool:
        return not self.window.docks[key].visibleRegion().isEmpty()

    def _wrong(self, lesson: Lesson, step: LessonStep, action: LessonAction) -> str:
        """Missing effect of an action in the window; "" if there is none."""
        session = self.session
        match action:
            case Open():
                corpus = session.corpora.current
                if corpus is None:
                    return "no corpus is open"
                if corpus.metadata.get("sample") == action.corpus:
                    return ""
                name = corpus.name.lower().replace("-", " ").removesuffix(".txt")
                corpus_name = Path(action.corpus).stem.replace("-", " ").lower()
                return "" if name == corpus_name else f"open is {corpus.name}"
            case Train() | View():
                return self._wrong_run(lesson, action)
            case SettingsAction():
                train_panel = self.window.docks["train"].panel
                assert isinstance(train_panel, TrainPanel)
                form = train_panel.form.values()
                return (
                    ""
                    if all(form.get(n) == v for n, v in action.values.items())
                    else f"the form holds {form}"
                )
            case Compare():
                return self._wrong_comparison(action)
            case Show():
                return (
                    ""
                    if self._is_in_sight(action.panel)
                    else f"the panel {action.panel} is not in sight"
                )
            case Select():
                return self._wrong_selection(step, action)
            case Ask():
                return self._wrong_analogy(action)
            case LinesAction():
                title = self._widget("corpus.lines.title")
                text = title.text() if isinstance(title, QLabel) else str(title.property("text"))
                ok = action.word in text and action.near in text and self._is_in_sight("corpus")
                return "" if ok else f"the lines are “{text}”"
            case Put():
                return self._holds(self._widget(action.widget), action.value)
            case Press():
                button = self._widget(action.widget)
                assert isinstance(button, QAbstractButton)
                if action.widget not in self._clicks:
                    return "was not clicked"
                return (
                    "is not the page in front"
                    if button.isCheckable() and not button.isChecked()
                    else ""
                )
            case Highlight():
                marker = self.panel.marker
                right = marker.target is self._widget(action.widget)
                return "" if right and marker.ring.isVisible() else "is not marked in sight"
            case FigureAction():
                return self._figure(lesson, step, action) if self.measuring else ""
        return f"nobody looks at {action}"

    def _wrong_comparison(self, action: Compare) -> str:
        first, second = (
            self._widget("compare.models.first"),
            self._widget("compare.models.second"),
        )
        assert isinstance(first, QComboBox)
        assert isinstance(second, QComboBox)
        names = [self.panel.stage.records[label].name for label in action.labels]
        shown_names = [first.currentText(), second.currentText()]
        return (
            ""
            if all(n in s for n, s in zip(names, shown_names, strict=True))
            else f"are {shown_names}"
        )

    def _wrong_selection(self, step: LessonStep, action: Select) -> str:
        later = any(
            isinstance(a, (LinesAction, Ask)) and a.line > action.line for a in step.actions
        )
        later |= any(
            isinstance(a, Put) and a.widget == "neighbours.word" and a.line > action.line
            for a in step.actions
        )
        return (
            ""
            if later or self.session.selection.words == action.words
            else f"selected is {self.session.selection.words}"
        )

    def _wrong_analogy(self, action: Ask) -> str:
        analogy = self.session.selection.analogy
        texts = [w.text() for w in map(self._widget, ("analogy.a", "analogy.b", "analogy.c"))]
        if texts != [action.a, action.b, action.c]:
            return f"the bar holds {texts}"
        return (
            ""
            if analogy is not None and (analogy.a, analogy.b, analogy.c) == tuple(texts)
            else "not answered"
        )

    def _wrong_run(self, lesson: Lesson, action: Train | View) -> str:
        run = self.session.active.run
        train = action if isinstance(action, Train) else lesson.trainings[action.label][1]
        if run is None or run.embeddings is None:
            return "no run is looked at"
        differs = {n: v for n, v in train.params.to_dict().items() if run.parameters.get(n) != v}
        runs = self.window.findChild(QTableView, "train.runs")
        if run.algorithm != train.algorithm or differs:
            return f"looked at is {run.name}, not {train.label}"
        assert runs is not None
        model = runs.model()
        names = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
        return "" if run.name in names else f"{run.name} is not in the list"

    def _with_names(self, value: str) -> str:
        for label, record in self.panel.stage.records.items():
            value = value.replace(f"{{{label}}}", record.name)
        return value

    def _holds(self, widget: QWidget, value: str) -> str:
        if isinstance(widget, RunsChoice):
            # The names of runs may contain the commas that separate their labels.
            wanted = {self._with_names(label.strip()) for label in value.split(",")}
            shown = {record.name for record in widget.records}
            return "" if shown == wanted else f"is {shown}"
        value = self._with_names(value)
        if isinstance(widget, QComboBox):
            texts = [widget.currentText(), str(widget.currentData())]
        elif isinstance(widget, QTabBar):
            texts = [widget.tabText(widget.currentIndex())]
        elif isinstance(widget, QAbstractButton):
            texts = ["on" if widget.isChecked() else "off"]
        elif isinstance(widget, QPlainTextEdit):
            texts = [widget.toPlainText()]
        elif isinstance(widget, QLineEdit):
            texts = [widget.text()]
        else:
            texts = [str(widget.property("value"))]
        # Lessons in all languages name values in English; the window shows their translations.
        if not value:
            return "" if texts == [""] else f"is {texts}"
        beginnings = (value.lower(), tr(value).lower())
        return "" if any(text.lower().startswith(beginnings) for text in texts) else f"is {texts}"

    def _figure(self, lesson: Lesson, step: LessonStep, action: FigureAction) -> str:
        report = self.panel._step_reports.get(lesson.steps.index(step))
        pictures = (
            [p.png for p in report.pictures if p.caption == action.caption]
            if report is not None
            else []
        )
        if len(pictures) != 1:
            return f"{len(pictures)} pictures were taken"
        if self.pictures:
            name = f"{lesson.key}-{lesson.steps.index(step) + 1}-figure-{action.widget}.png"
            (self.folder / name).write_bytes(pictures[0])
        image = QImage.fromData(pictures[0]).convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(
            image.height(), image.bytesPerLine() // 4
        )
        colours = len(np.unique(pixels[::2, : image.width() : 2]))
        if colours < _COLOURS:
            return f"the picture is blank: {colours} colours"
        if action.widget == "map":
            same, self._map = self._map == pictures[0], pictures[0]
            if same:
                return "the picture of the map is that of the step before"
        return ""


def _is_on_umap(lesson: Lesson) -> bool:
    """Whether a step of the lesson chooses UMAP."""
    return any(
        isinstance(action, Put) and (action.widget, action.value) == ("map.method", "umap")
        for step in lesson.steps
        for action in step.actions
    )


def _panels_of(action: LessonAction) -> tuple[str, ...]:
    """The panels in which an action has a visible effect."""
    match action:
        case Show():
            return (action.panel,)
        case Put() | Press() | Highlight() | FigureAction():
            return (action.widget.partition(".")[0],)
        case LinesAction():
            return ("corpus",)
        case Compare():
            return ("compare",)
        case Ask():
            return ("analogy",)
    return ()


# -- waiting


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition. Raises TimeoutError once nothing that could fulfil it is running."""
    loop, calm = QEventLoop(), Calm()
    results: list[bool] = []

    def look() -> None:
        if (is_done := bool(condition())) or calm.turned():
            results.append(is_done)
            loop.quit()

    timer = QTimer(interval=20)
    timer.timeout.connect(look)
    timer.start()
    loop.exec()
    if not results[0]:
        raise TimeoutError(
            "Nothing is under way any more that could bring about what is waited for."
        )


def settle(window: Window) -> None:
    """Wait until all panels and the session are idle."""
    session, calm = window.session, 0

    def still() -> bool:
        nonlocal calm
        busy = (
            not window.idle
            or session.corpora.opening is not None
            or session.training.current is not None
        )
        calm = 0 if busy or session.jobs.active else calm + 1
        return calm >= _CALM

    until(still)


@contextmanager
def reader(
    context: PanelContext, folder: Path, pictures: bool = False, measuring: bool = True
) -> Iterator[Reader]:
    """A reader in a window on the open corpus; the window is closed at the end."""
    window = Window(context, remembering=False)
    window.resize(1600, 1000)
    window.show()
    window.raise_panel("lessons")
    settle(window)
    person = Reader(window, folder, pictures, measuring)
    try:
        yield person
    finally:
        window.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="LESSON")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--unmeasured", action="store_true")
    arguments = parser.parse_args()
    by_key = {lesson.key: lesson for lesson in bundled_lessons()}
    by_key |= {name: read_lesson(Path(name)) for name in arguments.lessons if Path(name).is_file()}
    if unknown := set(arguments.lessons) - set(by_key):
        parser.error(
            f"there is no lesson {', '.join(sorted(unknown))}; there are {', '.join(by_key)}"
        )
    with TemporaryDirectory() as scratch:
        os.environ.setdefault("WORKBENCH_HOME", scratch)
        folder = arguments.pictures or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if arguments.unmeasured:
            lessons_panel.measure_step = lambda *_: ()
            stage.take_picture = lambda _: b""
        lessons = [by_key[key] for key in arguments.lessons or by_key]
        return _read(
            lessons, folder, bool(arguments.pictures), arguments.theme, not arguments.unmeasured
        )


def _gather_library_alone() -> None:
    """Leave installed packages out of Python’s documentation: those of the tests would make it six
    times as long as stated in the lesson’s notes.
    """
    library = python_docs._folders()[:1]
    gather = (
        "import sys; from pathlib import Path; from workbench.corpus.samples import python_docs; "
        f"python_docs._folders = lambda: [Path({str(library[0])!r})]; "
        "sys.exit(python_docs.main(sys.argv[1]))"
    )
    python_docs._folders = lambda: library
    python_docs.module_command = lambda _, path: [sys.executable, "-c", gather, path]


def _read(lessons: list[Lesson], folder: Path, pictures: bool, theme: str, measuring: bool) -> int:
    from workbench.session.corpus.controller import FIRST_SAMPLE
    from workbench.ui.base.session_timer import Bridge
    from workbench.ui.base.theme import Theme
    from workbench.ui.shell.application import make_application
    from workbench.ui.shell.gc_control import collected_here

    keep_priorities()
    _gather_library_alone()
    application = make_application()
    session = Session()
    context = PanelContext(session, Bridge(session), Theme(application, theme))
    if any(lesson.path.is_relative_to(folder_of_lessons()) for lesson in lessons):
        session.corpora.open_sample(FIRST_SAMPLE)
    problems = []
    with (
        # As in the program: in a worker's thread, the collector would delete widgets there.
        collected_here(lambda: bool(session.jobs.active)),
        reader(context, folder, pictures, measuring) as person,
    ):
        for lesson in lessons:
            found = person.read(lesson)
            problems += found
            outcome = "NOT as told" if found else "as told"
            print(f"{lesson.key}: {len(lesson.steps)} steps, {outcome}", flush=True)
            for problem in found:
                print(f"  {problem}", flush=True)
    application.processEvents()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
