"""The analogy that is followed through a training, and the word whose rank is told."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.analysis.history.replay import Film
from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.language import tr
from workbench.session.selection.words import AnalogyShown
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size, set_text_role
from workbench.ui.text import MINUS
from workbench.ui.theme import TYPE_LARGE, set_property
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.wrapping_bar import Bar
from workbench.ui.widgets.tables.score_list import shown_score

Words = tuple[str, str, str, str]

# Asked where nobody has asked an analogy, if the vocabulary has the words.
_PRESET: Words = ("king", "man", "woman", "queen")


class TimeQuestion(QWidget):
    """a − b + c = the word that is followed. ``changed``: another one was typed."""

    changed = Signal()

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._typed: dict[tuple[str, str, str], str] = {}
        self._shown: Words | None = None
        self.sum = PlainLabel()
        set_text_role(self.sum, TYPE_LARGE)
        self.answer = panel.named(
            QLineEdit(),
            "answer",
            tr("Answer that is followed"),
            tr("The word whose rank is followed; Return. Empty: the answer"),
        )
        set_scaled_size(self.answer, width=120)
        self.answer.setPlaceholderText(tr("answer"))
        self.told = ElidedLabel(lines=3)
        self.told.setObjectName(f"{panel.key}.answered")
        row = Bar(self)
        for widget in (self.sum, self.answer):
            row.addWidget(widget)
            widget.hide()
        row.addWidget(self.told, 1)
        self.answer.returnPressed.connect(self._take)

    def of(self, asked: AnalogyShown | None, frames: tuple[TrainingFrame, ...]) -> Words | None:
        """What is followed: the analogy asked last, or the preset, with the answer that was typed for it."""
        words = _PRESET
        if asked is not None:
            words = (asked.a, asked.b, asked.c, asked.answer)
        elif any(word not in frames[-1].embeddings for word in _PRESET):
            return None
        return (*words[:3], self._typed.get(words[:3], words[3]))

    def put(self, film: Film) -> None:
        """Show what is asked of a film."""
        asked = film.request.analogy
        if asked != self._shown:
            self._shown = asked
            self.sum.setVisible(asked is not None)
            self.answer.setVisible(asked is not None)
            if asked is not None:
                a, b, c, d = asked
                self.sum.setText(f"{a} {MINUS} {b} + {c} =")
                self.answer.setText(d)

    def tell(self, film: Film, state: int) -> None:
        """Which word is the answer in a state, and how the one followed stands to it."""
        course = film.course
        set_property(self.answer, "invalid", "true" if film.course_problem and self._typed_here else "")
        if course is None:
            self.told.put(film.course_problem)
            return
        row = int(course.first[state])
        if row < 0:
            self.told.put(tr("no direction yet"))
            return
        word, followed = film.frames[-1].embeddings.words[row], course.words[3]
        told = tr("nearest: {word} {shown_score}", word=word, shown_score=shown_score(float(course.first_score[state])))
        self.told.put(told if word == followed else f"{told}; {followed} {shown_score(float(course.score[state]))}")

    @property
    def _typed_here(self) -> bool:
        """Whether the word that is followed was typed into the field."""
        return self._shown is not None and self._shown[:3] in self._typed

    def _take(self) -> None:
        if self._shown is None:
            return
        word = self.answer.text().strip()
        if word:
            self._typed[self._shown[:3]] = word
        else:
            self._typed.pop(self._shown[:3], None)
            self._shown = None
        self.changed.emit()
