"""A field for one word of the model that is looked at, with completion by frequency."""

from __future__ import annotations

from PySide6.QtCore import Signal

from workbench.ui.theme import set_property
from workbench.ui.widgets.word_search import WordSearch


class WordField(WordSearch):
    """One word. ``entered`` tells the word when Return, a completion or leaving the field settles it.

    Several words typed at once are told one after another by ``overflow``: "king man woman" in the
    first of three fields fills all three.
    """

    entered = Signal(str)
    overflow = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(False)
        self._settled = ""
        self.picked.connect(self._settle)
        self.editingFinished.connect(lambda: self._settle(self.text().split()))
        self.textEdited.connect(lambda _: self.mark(True))

    @property
    def word(self) -> str:
        return self._settled

    def set_word(self, word: str) -> None:
        """Show a word without telling anybody."""
        self._settled = word
        self.setText(word)
        self.mark(True)

    def mark(self, known: bool) -> None:
        """Show whether the word is in the vocabulary."""
        set_property(self, "invalid", "" if known else "true")

    def _settle(self, words: list[str]) -> None:
        first = words[0] if words else ""
        if len(words) > 1:
            self.setText(first)
            self._settled = first
            self.overflow.emit(words)
        elif first != self._settled:
            self._settled = first
            self.entered.emit(first)
