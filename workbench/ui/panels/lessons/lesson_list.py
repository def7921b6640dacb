"""The list of lessons by level, with the progress of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from workbench.core.language import tr
from workbench.session.lessons.lesson import LEVELS, Lesson
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3
from workbench.ui.widgets.tables.row_list import ListRow, RowList

OWN = "yours"
_TITLES = {
    OWN: tr("your own"),
    "beginner": tr("beginner"),
    "intermediate": tr("intermediate"),
    "advanced": tr("advanced"),
}


class LessonList(QWidget):
    """``picked``: a lesson was clicked. ``asked``: the user wants to open a lesson from a file."""

    picked = Signal(str)
    lesson_requested = Signal()

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._lists: dict[str, tuple[QLabel, RowList]] = {}
        intro = tr(
            "Guided demonstrations in the real panels. You can leave at any time and continue "
            "later."
        )
        for group in (OWN, *LEVELS):
            margins = (SPACE_2, SPACE_3, 0, 0)
            head = kit.label(_TITLES[group].upper(), role="heading", margins=margins)
            rows = RowList(
                panel.theme,
                f"{panel.key}.list.{group}",
                tr("Lessons: {group}", group=_TITLES[group]),
                whole=True,
                wraps=True,
                reserved=(tr("✓ done"), tr("{step} of {steps}", step=10, steps=10)),
            )
            rows.picked.connect(self.picked.emit)
            rows.opened.connect(self.picked.emit)
            self._lists[group] = (head, rows)
        page = kit.column(
            kit.label(intro, role="muted", wrap=True, margins=(SPACE_2, 0)),
            *chain.from_iterable(self._lists.values()),
            kit.stretch(share=1),
            gap=SPACE_1,
            margins=(0, 0, SPACE_1, 0),
        )
        scroll = panel.named(kit.scroll(page), "lists", tr("Scrollable list of lessons"))
        self.open = panel.named(
            kit.button(tr("Open lesson…"), pressed=self.lesson_requested),
            "open",
            tr("Open a lesson"),
            tr("Open your own lesson, a Markdown file"),
        )
        foot = kit.column(self.open, margins=(SPACE_2, 0))
        kit.fill(self, kit.column(kit.stretch(scroll), foot, margins=(SPACE_1, SPACE_2)))

    def focus_lesson(self, lesson: Lesson) -> None:
        """Focus the row of a lesson."""
        for _, rows in self._lists.values():
            for at, row in enumerate(rows.rows):
                if row.key == str(lesson.path):
                    rows.view.setCurrentIndex(rows.view.model().index(at, 0))
                    rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def put(
        self, own: Sequence[Lesson], bundled: Sequence[Lesson], places: Mapping[str, str]
    ) -> None:
        """Show these lessons; ``places`` contains the progress of each lesson by key."""
        for group, (head, rows) in self._lists.items():
            chosen = own
            if group != OWN:
                chosen = [lesson for lesson in bundled if lesson.level == group]
            shown = [
                ListRow(
                    lesson.title,
                    (places.get(str(lesson.path), tr("{minutes} min", minutes=lesson.minutes)),),
                    key=str(lesson.path),
                    tip=tr(
                        "{about} {level}, {minutes} minutes, {number} steps.",
                        about=lesson.about,
                        level=_TITLES[lesson.level].capitalize(),
                        minutes=lesson.minutes,
                        number=len(lesson.steps),
                    ),
                )
                for lesson in chosen
            ]
            if tuple(shown) != rows.rows:
                rows.put((), shown)
            head.setVisible(bool(shown))
            rows.setVisible(bool(shown))
