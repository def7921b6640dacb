"""Finding words among the rows or the columns of the matrices."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.spelling import spellings
from workbench.ui.measures import sized
from workbench.ui.theme import set_property
from workbench.ui.widgets.word_search import WordSearch


def matches(words: Sequence[str], text: str, options: CorpusOptions | None = None) -> list[int]:
    """Where ``text``, or another spelling of it, stands among words of a corpus read by ``options``: written so, then
    beginning so; or else only within them.
    """
    folded = [word.casefold() for word in words]
    keys = dict.fromkeys(written.casefold() for written in spellings(text, options))
    return next((found for key in keys if (found := _places(folded, key))), [])


def _places(folded: Sequence[str], key: str) -> list[int]:
    same = [at for at, word in enumerate(folded) if word == key]
    begin = [at for at, word in enumerate(folded) if word.startswith(key) and word != key]
    return same + begin or [at for at, word in enumerate(folded) if key in word]


class AxisSearch(WordSearch):
    """One word: Return or F3 goes to it and then from match to match, with Shift backwards; Escape leaves.

    ``sought`` (text, step) asks for the match after, or before, the last one; ``typed`` tells of every letter.
    """

    sought = Signal(str, int)
    typed = Signal(str)

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        self.setPlaceholderText(placeholder)
        sized(self, most_width=170)
        sized(self, least_width=90)
        self.textChanged.connect(lambda text: self.typed.emit(text.strip()))

    @property
    def completions(self) -> QListView:
        """The list of words that begin so."""
        return self._popup

    def seek(self, step: int) -> None:
        """Ask for the next match, or the one before."""
        self._popup.hide()
        text = self.text().strip()
        if text:
            self.sought.emit(text, step)

    def mark(self, found: bool) -> None:
        """Show whether there is such a word."""
        set_property(self, "invalid", "" if found else "true")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if backwards and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.seek(-1)
            return
        super().keyPressEvent(event)

    def _take(self, word: str) -> None:
        self.setText(word)
        self._pick()

    def _pick(self) -> None:
        self.seek(1)
        self.selectAll()


class Finder:
    """Where a search stands on one axis."""

    def __init__(self) -> None:
        self.text = ""
        self.found: list[int] = []
        self.at = -1

    def look(self, words: Sequence[str], text: str, options: CorpusOptions | None = None) -> None:
        """Look for another text, or for the same in other words."""
        self.text, self.at = text, -1
        self.found = matches(words, text, options) if text else []

    def step(self, by: int) -> int | None:
        """The next place, or the one before; None where nothing is found."""
        if not self.found:
            return None
        self.at = (self.at + by) % len(self.found) if self.at >= 0 else (0 if by > 0 else len(self.found) - 1)
        return self.found[self.at]
