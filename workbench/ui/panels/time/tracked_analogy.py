"""The analogy tracked through a training, and the word whose rank is shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.analysis.history.replay import Film
from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.language import tr
from workbench.core.setting import Strings
from workbench.session.selection.words import AnalogyShown
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.scaling import set_scaled_size, set_text_role
from workbench.ui.base.text import MINUS
from workbench.ui.base.theme import TYPE_LARGE, set_property
from workbench.ui.widgets.tables.score_list import shown_score

Words = tuple[str, str, str, str]

# Used before the user has asked an analogy, if the vocabulary contains the words.
_PRESET: Words = ("king", "man", "woman", "queen")


class TimeQuestion(QWidget):
    """a − b + c = the tracked word. ``changed``: another answer was typed."""

    changed = Signal()

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._typed_answers: dict[tuple[str, str, str], str] = {}
        self._shown_words: Words | None = None
        self._tracked = ""  # the answer in the field
        self.sum = set_text_role(kit.label(), TYPE_LARGE)
        self.answer = panel.named(
            QLineEdit(),
            "answer",
            tr("Tracked answer"),
            tr("Word whose rank is tracked (Return). Leave empty for the answer."),
        )
        set_scaled_size(self.answer, width=120)
        self.answer.setPlaceholderText(tr("answer"))
        self.readout = kit.with_role(kit.ElidedLabel(lines=3), "", f"{panel.key}.answered")
        for widget in (self.sum, self.answer):
            widget.hide()
        kit.fill(self, kit.bar(self.sum, self.answer, kit.stretch(self.readout)))
        self.answer.returnPressed.connect(self._answer_entered)

    @property
    def answers(self) -> Strings:
        """The words of each question with an answer that was typed for it, four by four."""
        return tuple(
            word for question, answer in self._typed_answers.items() for word in (*question, answer)
        )

    def put_answers(self, answers: Strings) -> None:
        """Restore ``answers``."""
        fours = zip(*(answers[at::4] for at in range(4)), strict=False)
        self._typed_answers = {(a, b, c): answer for a, b, c, answer in fours}
        self._shown_words = None

    def of(self, analogy: AnalogyShown | None, frames: tuple[TrainingFrame, ...]) -> Words | None:
        """The tracked analogy: the last one asked, or the preset, with the answer typed for it."""
        words = _PRESET
        if analogy is not None:
            words = (analogy.a, analogy.b, analogy.c, analogy.answer)
        elif any(word not in frames[-1].embeddings for word in _PRESET):
            return None
        return (*words[:3], self._typed_answers.get(words[:3], words[3]))

    def put(self, film: Film) -> None:
        """Show the analogy of a film."""
        analogy = film.request.analogy
        tracked = analogy[3] if analogy is not None else ""
        if film.course is not None:
            tracked = film.course.words[3]
        if (analogy, tracked) != (self._shown_words, self._tracked):
            self._shown_words, self._tracked = analogy, tracked
            self.sum.setVisible(analogy is not None)
            self.answer.setVisible(analogy is not None)
            if analogy is not None:
                a, b, c, _ = analogy
                self.sum.setText(f"{a} {MINUS} {b} + {c} =")
                self.answer.setText(tracked)

    def tell(self, film: Film, state: int) -> None:
        """Show the answer at a state beside the tracked word."""
        course = film.course
        typed = self.is_typed(self._shown_words)
        invalid = "true" if film.course_problem and typed else ""
        set_property(self.answer, "invalid", invalid)
        if course is None:
            self.readout.put(film.course_problem)
            return
        row = int(course.first[state])
        if row < 0:
            self.readout.put(tr("no direction yet"))
            return
        word, followed = film.frames[-1].embeddings.words[row], course.words[3]
        text = tr(
            "nearest: {word} {shown_score}",
            word=word,
            shown_score=shown_score(float(course.first_score[state])),
        )
        if word != followed:
            text = f"{text}; {followed} {shown_score(float(course.score[state]))}"
        if film.course_note:
            text = f"{text}. {film.course_note}"
        self.readout.put(text)

    def is_typed(self, words: Words | None) -> bool:
        """Whether the answer of these words was typed into the field."""
        return words is not None and words[:3] in self._typed_answers

    def _answer_entered(self) -> None:
        if self._shown_words is None:
            return
        word = self.answer.text().strip()
        if word:
            self._typed_answers[self._shown_words[:3]] = word
        else:
            self._typed_answers.pop(self._shown_words[:3], None)
            self._shown_words = None
            self.answer.setText(self._tracked)
        self.changed.emit()
