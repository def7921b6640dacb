"""The page for teachers: a checklist to prepare a class, and what is used in class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.language import tr
from workbench.core.setting import Setting, Strings, strings
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel, menu_text
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, SPACE_5
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.scroll_frame import ScrollFrame

# Keys of the tasks that are checked off.
PREPARED = Setting[Strings]("learn.prepared", strings, ())


class Task(NamedTuple):
    """A line of the page: ``action`` is the key of the window’s action that its button runs."""

    key: str
    title: str
    text: str
    button: str
    action: str


BEFORE = (
    Task(
        "play",
        tr("Do the lesson once on the computer of the class"),
        tr(
            "This trains the models, which the lesson then reuses at once. Teacher’s notes are on "
            "its first page."
        ),
        tr("Choose a lesson"),
        "help.lessons",
    ),
    Task(
        "own",
        tr("Check a lesson of your own"),
        tr(
            "The first mistake is reported with its line when you open the lesson. With another "
            "seed, “workbench lesson my-lesson.md --seed 2” shows what is true only by luck."
        ),
        tr("Open lesson…"),
        "lessons.open",
    ),
    Task(
        "session",
        tr("Save a session"),
        tr(
            "A session contains corpus, models, words and layout. Open the file in class to start "
            "at once."
        ),
        tr("Save session…"),
        "file.save_session",
    ),
    Task(
        "handout",
        tr("Print a handout"),
        tr(
            "The report of the open lesson: texts, figures, measured values, and room for the "
            "answers to the last questions."
        ),
        tr("Save lesson report…"),
        "lessons.story",
    ),
    Task(
        "text",
        tr("Set text size and contrast for the projector"),
        tr("150% and high contrast can be read from the last row."),
        tr("Preferences…"),
        "edit.preferences",
    ),
    Task(
        "slides",
        tr("Try the presentation"),
        tr("Each panel becomes a slide. Page down shows the next one, Esc ends."),
        tr("Present"),
        "guide.present",
    ),
)
IN_CLASS = (
    Task(
        "open",
        tr("Open the session"),
        tr("Everything is as you saved it, without training."),
        tr("Open session…"),
        "file.open_session",
    ),
    Task(
        "again",
        tr("Clear the answers of the class before"),
        tr("Restarts the open lesson. Its models stay."),
        tr("Restart lesson"),
        "lessons.again",
    ),
)
READING = (
    Task(
        "plans",
        tr("Lesson plans"),
        tr("Three plans for classes of 45 minutes, with times and questions."),
        tr("Read the plans"),
        "help.lesson_plans",
    ),
    Task(
        "write",
        tr("Write a lesson"),
        tr("A text file in Markdown, without programming. Start from the template."),
        tr("Read how"),
        "help.write_lesson",
    ),
)


class TeachingPage(Instrument):
    """Tasks by occasion; those before class can be checked off."""

    local = "teach"

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.boxes: dict[str, QCheckBox] = {}
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, SPACE_3, SPACE_5)
        column.setSpacing(SPACE_2)
        title = PlainLabel(tr("Prepare a class"))
        title.setProperty("role", "title")
        column.addWidget(title)
        column.addLayout(self._progress_row())
        column.addWidget(self._card(BEFORE, checked=True))
        for heading, tasks in ((tr("in class"), IN_CLASS), (tr("to read"), READING)):
            label = PlainLabel(heading.upper())
            label.setProperty("role", "heading")
            label.setContentsMargins(0, SPACE_3, 0, 0)
            column.addWidget(label)
            column.addWidget(self._card(tasks, checked=False))
        column.addStretch(1)
        set_scaled_size(inner, most_width=880)
        self.scrolled = self.named(ScrollFrame(inner), "page", tr("Scrollable checklist"))
        self.scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self.content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.scrolled)
        self.main_picture = self.scrolled

    def _progress_row(self) -> QHBoxLayout:
        self._progress = PlainLabel()
        self._progress.setProperty("role", "muted")
        self.clear = self.named(
            QPushButton(tr("Uncheck all")), "clear", tr("Uncheck all tasks before class")
        )
        self.clear.setProperty("role", "link")
        self.clear.clicked.connect(lambda _=False: self._store(()))
        row = QHBoxLayout()
        row.setSpacing(SPACE_3)
        row.addWidget(self._progress)
        row.addWidget(self.clear)
        row.addStretch()
        return row

    def _card(self, tasks: Sequence[Task], *, checked: bool) -> QWidget:
        card = QFrame()
        card.setProperty("role", "card")
        grid = QGridLayout(card)
        grid.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_3)
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_4)
        grid.setColumnStretch(1, 1)
        for row, task in enumerate(tasks):
            if checked:
                box = self.named(QCheckBox(), f"done.{task.key}", task.title)
                box.setProperty("role", "bare")
                # The settings contain it, not session files.
                box.setProperty("passing", True)
                box.clicked.connect(self._checked)
                self.boxes[task.key] = box
                grid.addWidget(box, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(self._texts(task), row, 1)
            button = self.named(
                QPushButton(menu_text(task.button)),
                f"do.{task.key}",
                f"{task.button}: {task.title}",
            )
            button.clicked.connect(partial(self.context.bridge.action_requested.emit, task.action))
            grid.addWidget(button, row, 2, Qt.AlignmentFlag.AlignVCenter)
        return card

    def _texts(self, task: Task) -> QVBoxLayout:
        title, text = PlainLabel(task.title), PlainLabel(task.text)
        title.setProperty("role", "strong")
        title.setWordWrap(True)
        text.setProperty("role", "muted")
        text.setWordWrap(True)
        if task.key in self.boxes:
            title.setBuddy(self.boxes[task.key])
        column = QVBoxLayout()
        column.setSpacing(SPACE_1)
        column.addWidget(title)
        column.addWidget(text)
        return column

    # -- checking off

    def refresh(self) -> None:
        """Show the tasks that are checked off."""
        done = self.session.settings[PREPARED]
        for key, box in self.boxes.items():
            box.setChecked(key in done)
        number = sum(box.isChecked() for box in self.boxes.values())
        self._progress.setText(tr("{done} of {number} done", done=number, number=len(self.boxes)))
        self.clear.setVisible(bool(number))

    def _checked(self) -> None:
        self._store(tuple(key for key, box in self.boxes.items() if box.isChecked()))

    def _store(self, keys: tuple[str, ...]) -> None:
        self.session.settings[PREPARED] = keys
        self.refresh()
