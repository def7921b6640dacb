"""The page of all lessons: which one comes next, and how far the reader is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.session.lessons import readable_lessons
from workbench.session.lessons.lesson import LEVELS, Lesson
from workbench.session.lessons.progress import COURSE, OWN_LESSONS, Course, own_lessons
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_3, SPACE_5
from workbench.ui.panels.learn.card_grid import CardGrid
from workbench.ui.panels.learn.lesson_card import LEVEL_TITLES, LessonCard
from workbench.ui.widgets.layout.note_label import NoteLabel
from workbench.ui.widgets.layout.panel_tab import Instrument

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
        self._groups: dict[str, tuple[kit.PlainLabel, CardGrid]] = {}
        self._errors = kit.column()
        for group in (OWN, *LEVELS):
            self._groups[group] = (_heading(), CardGrid())
        column = kit.column(
            self._head(),
            self._errors,
            *(part for group in self._groups.values() for part in group),
            kit.stretch(share=1),
            margins=(0, 0, SPACE_3, SPACE_5),
        )
        self._inner = kit.box(column)
        self.scrolled = self.named(
            kit.scroll(self._inner), "page", tr("Scrollable list of lessons")
        )
        kit.fill(self.content, self.scrolled)
        self.main_picture = self.scrolled
        self.theme.text_changed.connect(self._arrange)

    def _head(self) -> QVBoxLayout:
        self.resume = self.named(
            kit.button(role="start", pressed=self._open_next), "resume", tr("Continue learning")
        )
        request = self.context.bridge.action_requested.emit
        self.open = self.named(
            kit.button(tr("Open lesson…"), pressed=lambda: request("lessons.open")),
            "open",
            tr("Open a lesson"),
            tr("Open your own lesson, a Markdown file"),
        )
        self._summary = kit.label(role="muted")
        intro = tr(
            "Predict, let the program do it, and see what was measured. Your progress is saved."
        )
        return kit.column(
            kit.label(tr("Learn by doing"), role="title"),
            kit.label(intro, role="muted", wrap=True),
            kit.bar(self.resume, self.open, self._summary, kit.stretch(), gap=SPACE_3),
        )

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
            kit.add(self._errors, _problem_label(problem))
        if damaged:
            sentence = trn(
                "One of your lessons can’t be read",
                "{number} of your lessons can’t be read",
                len(damaged),
            )
            kit.add(self._errors, _heading(sentence.upper()))
        for number, (path, problem) in enumerate(damaged.items()):
            kit.add(self._errors, self._damaged_row(number, path, problem))

    def _damaged_row(self, number: int, path: str, problem: UserError) -> QWidget:
        name = Path(path).name
        again = kit.button(tr("Try again"), role="link", pressed=lambda: self.refresh())
        remove = kit.button(
            tr("Remove from the list"), role="link", pressed=lambda: self._remove(path)
        )
        self.named(again, f"again.{number}", f"{again.text()}: {name}")
        self.named(remove, f"remove.{number}", f"{remove.text()}: {name}")
        sentence = kit.stretch(_problem_label(problem))
        return kit.box(kit.row(sentence, kit.at_top(again), kit.at_top(remove), gap=SPACE_3))

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
    label = kit.with_role(NoteLabel(f"{problem.message} {problem.hint}"), "error")
    kit.set_margins(label, (0, SPACE_1))
    return label


def _heading(text: str = "") -> kit.PlainLabel:
    return kit.label(text, role="heading", margins=(0, SPACE_3, 0, 0))
