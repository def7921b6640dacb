"""The page for teachers: a checklist to prepare a class, and what is used in class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QWidget

from workbench.core.language import tr
from workbench.core.setting import Setting, Strings, strings
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import SPACE_1, SPACE_3, SPACE_4, SPACE_5
from workbench.ui.widgets.layout.panel_tab import Instrument

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
        column = kit.column(
            kit.label(tr("Prepare a class"), role="title"),
            self._progress_row(),
            self._card(BEFORE, checked=True),
            _heading(tr("in class")),
            self._card(IN_CLASS, checked=False),
            _heading(tr("to read")),
            self._card(READING, checked=False),
            kit.stretch(share=1),
            margins=(0, 0, SPACE_3, SPACE_5),
        )
        inner = kit.set_scaled_size(kit.box(column), most_width=880)
        self.scrolled = self.named(kit.scroll(inner), "page", tr("Scrollable checklist"))
        kit.fill(self.content, self.scrolled)
        self.main_picture = self.scrolled

    def _progress_row(self) -> QHBoxLayout:
        self._progress = kit.label(role="muted")
        self.clear = self.named(
            kit.button(tr("Uncheck all"), role="link", pressed=lambda: self._store(())),
            "clear",
            tr("Uncheck all tasks before class"),
        )
        return kit.row(self._progress, self.clear, kit.stretch(), gap=SPACE_3)

    def _card(self, tasks: Sequence[Task], *, checked: bool) -> QWidget:
        rows = [self._row(task, checked=checked) for task in tasks]
        card = kit.with_role(QFrame(), "card")
        margins = (SPACE_4, SPACE_3)
        return kit.fill(
            card, kit.grid(*rows, gap=SPACE_3, row_gap=SPACE_4, margins=margins, shares=(0, 1))
        )

    def _row(self, task: Task, *, checked: bool) -> tuple[kit.Part | None, ...]:
        """A task: its box if it can be checked off, its texts and its button."""
        box = self._check_box(task) if checked else None
        title = kit.label(task.title, role="strong", wrap=True, buddy=box)
        texts = kit.column(title, kit.label(task.text, role="muted", wrap=True), gap=SPACE_1)
        request = partial(self.context.bridge.action_requested.emit, task.action)
        button = self.named(
            kit.button(task.button, pressed=request),
            f"do.{task.key}",
            f"{task.button}: {task.title}",
        )
        return None if box is None else kit.at_top(box), texts, kit.centred_down(button)

    def _check_box(self, task: Task) -> QCheckBox:
        box = self.named(kit.with_role(QCheckBox(), "bare"), f"done.{task.key}", task.title)
        # The settings contain it, not session files.
        box.setProperty("passing", True)
        box.clicked.connect(self._checked)
        self.boxes[task.key] = box
        return box

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


def _heading(text: str) -> kit.PlainLabel:
    return kit.label(text.upper(), role="heading", margins=(0, SPACE_3, 0, 0))
