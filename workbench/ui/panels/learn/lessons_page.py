"""The page of all lessons: which one comes next, and how far the reader is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.session.lessons import readable_lessons
from workbench.session.lessons.lesson import LEVELS, Lesson
from workbench.session.lessons.progress import COURSE, OWN_LESSONS, Course, own_lessons
from workbench.ui.panel import Panel
from workbench.ui.panels.learn.card_grid import CardGrid
from workbench.ui.panels.learn.lesson_card import LEVEL_TITLES, LessonCard
from workbench.ui.plain_text import PlainLabel, menu_text
from workbench.ui.scaling import scaled_length
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_5
from workbench.ui.widgets.layout.note_label import NoteLabel
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.scroll_frame import ScrollFrame
from workbench.ui.widgets.layout.wrapping_bar import Bar

OWN = "yours"
_TITLES = {OWN: tr("your own"), **LEVEL_TITLES}


class LessonsPage(Instrument):
    """Cards by level, the reader’s own first. Follows the progress that the settings contain."""

    local = "lessons"

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._course = Course(self.session.settings)
        self._bundled: Sequence[Lesson] | None = None
        self._problems: Sequence[UserError] = ()
        self._shown: object = None
        self._next: Lesson | None = None
        self._groups: dict[str, tuple[PlainLabel, CardGrid]] = {}
        self._inner = inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, SPACE_3, SPACE_5)
        column.setSpacing(SPACE_2)
        column.addLayout(self._head())
        self._errors = QVBoxLayout()
        self._errors.setSpacing(SPACE_2)
        column.addLayout(self._errors)
        for group in (OWN, *LEVELS):
            head = PlainLabel()
            head.setProperty("role", "heading")
            head.setContentsMargins(0, SPACE_3, 0, 0)
            grid = CardGrid()
            column.addWidget(head)
            column.addWidget(grid)
            self._groups[group] = (head, grid)
        column.addStretch(1)
        self.scrolled = self.named(ScrollFrame(inner), "page", tr("Scrollable list of lessons"))
        self.scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self.content)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.scrolled)
        self.main_picture = self.scrolled
        self.theme.text_changed.connect(self._arrange)

    def _head(self) -> QVBoxLayout:
        title = PlainLabel(tr("Learn by doing"))
        title.setProperty("role", "title")
        intro = PlainLabel(
            tr("Predict, let the program do it, and see what was measured. Your progress is saved.")
        )
        intro.setProperty("role", "muted")
        intro.setWordWrap(True)
        self.resume = self.named(QPushButton(), "resume", tr("Continue learning"))
        self.resume.setProperty("role", "start")
        self.resume.clicked.connect(self._open_next)
        self.open = self.named(
            QPushButton(tr("Open lesson…")),
            "open",
            tr("Open a lesson"),
            tr("Open your own lesson, a Markdown file"),
        )
        self.open.clicked.connect(
            lambda _=False: self.context.bridge.action_requested.emit("lessons.open")
        )
        self._summary = PlainLabel()
        self._summary.setProperty("role", "muted")
        row = Bar(gap=SPACE_3)
        row.addWidget(self.resume)
        row.addWidget(self.open)
        row.addWidget(self._summary)
        row.addStretch()
        column = QVBoxLayout()
        column.setSpacing(SPACE_2)
        column.addWidget(title)
        column.addWidget(intro)
        column.addLayout(row)
        return column

    # -- content

    def refresh(self) -> None:
        """Read the lessons: the reader’s own may have changed since."""
        self._shown = None
        self.tick()

    def tick(self) -> None:
        super().tick()
        settings = self.session.settings
        now = (settings[COURSE], settings[OWN_LESSONS])
        if now == self._shown:
            return
        self._shown = now
        if self._bundled is None:
            self._bundled, self._problems = readable_lessons()
        own, damaged = own_lessons(settings)
        self._put_errors(damaged)
        self._put_cards(own, self._bundled)
        self._put_next([*self._bundled])

    def _put_cards(self, own: Sequence[Lesson], bundled: Sequence[Lesson]) -> None:
        focused = next((card.lesson.path for card in self.cards if card.hasFocus()), None)
        for group, (head, grid) in self._groups.items():
            lessons = own if group == OWN else [one for one in bundled if one.level == group]
            cards = []
            for lesson in lessons:
                local = f"{self.key}.card.{group}.{lesson.key}"
                card = LessonCard(self.theme, lesson, self._course.standing(lesson), local)
                card.clicked.connect(partial(self._open, lesson))
                card.arrow.connect(partial(self._move_focus, card))
                cards.append(card)
            grid.put(cards)
            done = sum(card.standing.done for card in cards)
            title = _TITLES[group].upper()
            if done:
                title = f"{title} · " + tr("{done} of {number} done", done=done, number=len(cards))
            head.setText(title)
            head.setVisible(bool(cards))
            grid.setVisible(bool(cards))
        again = next((card for card in self.cards if card.lesson.path == focused), None)
        if again is not None:
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _put_next(self, bundled: Sequence[Lesson]) -> None:
        """Name the lesson that comes next: one in progress, or else the first that isn’t done."""
        standings = {lesson.path: self._course.standing(lesson) for lesson in bundled}
        begun = [lesson for lesson in bundled if standings[lesson.path].started]
        left = [lesson for lesson in bundled if not standings[lesson.path].done]
        self._next = next(iter((*begun, *left)), None)
        self.resume.setVisible(self._next is not None)
        if self._next is not None:
            if begun:
                text = tr("Continue: {title}", title=self._next.title)
            else:
                text = tr("Start: {title}", title=self._next.title)
            self.resume.setText(menu_text(text))
            self.resume.setAccessibleName(text)
        minutes = sum(lesson.minutes for lesson in left)
        done = len(bundled) - len(left)
        if not left:
            summary = tr("All {number} lessons done", number=len(bundled))
        elif done:
            summary = tr(
                "{done} of {number} lessons done, {minutes} minutes left",
                done=done,
                number=len(bundled),
                minutes=minutes,
            )
        else:
            summary = tr(
                "{number} lessons, {minutes} minutes", number=len(bundled), minutes=minutes
            )
        self._summary.setText(summary)

    def _put_errors(self, damaged: Mapping[str, UserError]) -> None:
        """Name the lessons that can’t be read, with their reasons."""
        while (item := self._errors.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for problem in self._problems:
            self._errors.addWidget(_problem_label(problem))
        if damaged:
            head = PlainLabel(
                trn(
                    "One of your lessons can’t be read",
                    "{number} of your lessons can’t be read",
                    len(damaged),
                ).upper()
            )
            head.setProperty("role", "heading")
            head.setContentsMargins(0, SPACE_3, 0, 0)
            self._errors.addWidget(head)
        for number, (path, problem) in enumerate(damaged.items()):
            self._errors.addWidget(self._damaged_row(number, path, problem))

    def _damaged_row(self, number: int, path: str, problem: UserError) -> QWidget:
        row = QWidget()
        box = QHBoxLayout(row)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE_3)
        box.addWidget(_problem_label(problem), 1)
        name = Path(path).name
        for local, button, slot in (
            ("again", QPushButton(tr("Try again")), self.refresh),
            ("remove", QPushButton(tr("Remove from the list")), partial(self._remove, path)),
        ):
            self.named(button, f"{local}.{number}", f"{button.text()}: {name}")
            button.setProperty("role", "link")
            button.clicked.connect(lambda _=False, slot=slot: slot())
            box.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _remove(self, path: str) -> None:
        settings, before = self.session.settings, self.session.settings[OWN_LESSONS]
        after = tuple(other for other in before if other != path)

        def put(paths: tuple[str, ...]) -> None:
            settings[OWN_LESSONS] = paths

        put(after)
        self.session.undo.push(
            tr("removing a lesson from the list"), partial(put, before), partial(put, after)
        )

    # -- opening, keys

    @property
    def cards(self) -> list[LessonCard]:
        return [card for _, grid in self._groups.values() for card in grid.cards]

    def _open(self, lesson: Lesson) -> None:
        self.session.requests.lesson.emit(str(lesson.path))

    def _open_next(self) -> None:
        if self._next is not None:
            self._open(self._next)

    def _move_focus(self, card: LessonCard, key: int) -> None:
        """Move the focus to the nearest card in the direction of an arrow key."""
        cards = self.cards
        at = cards.index(card)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            to = at + (1 if key == Qt.Key.Key_Right else -1)
            target = cards[to] if 0 <= to < len(cards) else None
        else:
            target = self._card_below(card, key == Qt.Key.Key_Down)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            self.scrolled.ensureWidgetVisible(target, 0, scaled_length(SPACE_5))

    def _card_below(self, card: LessonCard, below: bool) -> LessonCard | None:
        def place(other: LessonCard) -> QPoint:
            return other.mapTo(self._inner, other.rect().center())

        here, sign = place(card), 1 if below else -1
        further = [
            (sign * (place(other).y() - here.y()), abs(place(other).x() - here.x()), at)
            for at, other in enumerate(self.cards)
            if sign * (place(other).y() - here.y()) > card.height() // 2
        ]
        if not further:
            return None
        row = min(further)[0]
        near = [entry for entry in further if entry[0] < row + card.height() // 2]
        return self.cards[min(near, key=lambda entry: entry[1])[2]]

    def _arrange(self) -> None:
        for _, grid in self._groups.values():
            grid.arrange()


def _problem_label(problem: UserError) -> NoteLabel:
    label = NoteLabel(f"{problem.message} {problem.hint}")
    label.setProperty("role", "error")
    label.setContentsMargins(0, SPACE_1, 0, SPACE_1)
    return label
