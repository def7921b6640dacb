"""The question of the analogy bar: three fields with signs between them, and counts below."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.rare_words import Occurrences
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import SHOWN_WORDS
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_scaled_size, set_text_role
from workbench.ui.base.text import MINUS, count
from workbench.ui.base.theme import TYPE_LARGE, TYPE_SMALL, set_property
from workbench.ui.panels.analogy.slide import sign_label
from workbench.ui.widgets.inputs.query_history import Asked, QueryHistory
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.ui.widgets.inputs.word_search import WordIndex

# Minimum room for “woman”; words of ten letters fit if there is enough room.
_FIELD_LEAST, _FIELD_MOST = 80, 124
# Height of the counts below the words.
COUNTS_LINE = 12
_NO_LIMIT = 10_000


class Question(QWidget):
    """Three words, typed or asked for; Up and Down step through earlier questions.

    key : prefix of the object names
    asked : the words have changed
    """

    asked = Signal()

    def __init__(self, key: str, history: QueryHistory) -> None:
        super().__init__()
        self._history = history
        self.fields = [WordField() for _ in range(3)]
        self._counts = [kit.label(name=f"{key}.count.{letter}") for letter in "abc"]
        minus, plus = sign_label(MINUS), sign_label("+")
        swap = kit.text_button("⇄", role="quiet", name=f"{key}.swap", pressed=self._swap_words)
        swap.setAccessibleName(tr("Swap b and c"))
        swap.setToolTip(tr("Swap b and c to reverse the analogy"))
        for letter, field, label in zip("abc", self.fields, self._counts, strict=True):
            self._set_up_field(field, key, letter)
            label.setIndent(kit.SPACE_2)
            label.hide()
        (a, b, c), (count_a, count_b, count_c) = self.fields, self._counts
        words = (a, minus, b, plus, c, swap)
        counts = (count_a, None, count_b, None, count_c)
        kit.fill(self, kit.grid(words, counts, row_gap=0, shares=(2, 0, 2, 0, 2)))
        # What a slide shows in its own letters.
        self._plain = (minus, plus, *self._counts)

    def _set_up_field(self, field: WordField, key: str, letter: str) -> None:
        field.setObjectName(f"{key}.{letter}")
        field.setAccessibleName(tr("Analogy word {letter}", letter=letter))
        field.setToolTip(tr("Type a word. Press Return to solve the analogy."))
        # The question is what a slide shows.
        field.setProperty(SHOWN_WORDS, True)
        set_text_role(field, TYPE_LARGE)
        set_scaled_size(field, least_width=_FIELD_LEAST)
        set_scaled_size(field, most_width=_FIELD_MOST)
        field.setPlaceholderText(letter)
        field.entered.connect(lambda _: self.asked.emit())
        field.overflow.connect(lambda words: self._distribute_words(field, words))
        field.installEventFilter(self)

    @property
    def words(self) -> Asked:
        """The three confirmed words, "" for an empty field."""
        a, b, c = (field.word for field in self.fields)
        return a, b, c

    @property
    def untouched(self) -> bool:
        return not any(field.word or field.typing for field in self.fields)

    @property
    def has_counts(self) -> bool:
        """Whether counts are shown below the words."""
        return not self._counts[0].isHidden()

    def put(self, words: Sequence[str]) -> None:
        """Fill in words without asking."""
        for field, word in zip(self.fields, words, strict=True):
            field.set_word(word)

    def ask(self, *words: str) -> None:
        """Ask a question as if it had been typed."""
        self.put(words)
        self.asked.emit()

    def set_index(self, index: WordIndex | None) -> None:
        """Complete typed words from ``index``."""
        for field in self.fields:
            field.set_index(index)

    def mark(self, unknown: Collection[str] = ()) -> None:
        """Mark the fields of unknown words as wrong, and all others as right."""
        for field in self.fields:
            field.mark(field.word not in unknown)

    def show_counts(self, counted: Sequence[Occurrences]) -> None:
        """Show below each word how often it occurs; nothing if ``counted`` is empty."""
        number_of = {each.word: each for each in counted}
        for label, field in zip(self._counts, self.fields, strict=True):
            number = number_of.get(field.word) or number_of.get(field.word.lower())
            few = number is not None and number.few
            label.setText(f"{count(number.count)} ×" if number is not None else "")
            set_property(label, "role", "warning" if few else "small")
            set_text_role(label, TYPE_SMALL)
            label.setToolTip(safe_tip(number.sentence if number is not None else ""))
            label.setVisible(bool(counted))

    def give_way(self, to_slide: bool) -> None:
        """Leave signs, counts and words to a slide that shows them in large letters."""
        for part in self._plain:
            part.setMaximumHeight(0 if to_slide else _NO_LIMIT)
        for field in self.fields:
            field.setProperty(SHOWN_WORDS, not to_slide)

    def _distribute_words(self, field: WordField, words: list[str]) -> None:
        """Fill several words typed into one field into this field and the following ones."""
        start = self.fields.index(field)
        for target, word in zip(self.fields[start:], words, strict=False):
            target.set_word(word)
        self.asked.emit()

    def _swap_words(self) -> None:
        a, b, c = self.words
        self.ask(a, c, b)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Step through earlier questions with Up and Down, unless completions are shown."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        up, down = event.key() == Qt.Key.Key_Up, event.key() == Qt.Key.Key_Down
        if not (up or down) or not isinstance(watched, WordField) or watched.offering:
            return super().eventFilter(watched, event)
        question = self._history.step(forward=down)
        if question is not None:
            # Discards text being typed, too.
            watched.setText(watched.word)
            self.ask(*question)
            watched.selectAll()
        return True
