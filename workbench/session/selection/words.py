"""Selected words and the last answered analogy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.core.events import Signal
from workbench.core.language import tr
from workbench.session.selection.undo import Undo
from workbench.session.selection.word_history import WordHistory


@dataclass(frozen=True)
class AnalogyShown:
    """The analogy answered last: a − b + c = answer, by a method of ``analysis.analogy``.

    ``exclude``: the three words are excluded from the answers; ``restrict``: number of most
    frequent words that are candidates, 0 for all.
    """

    a: str
    b: str
    c: str
    answer: str
    method: str = "3cosadd"
    exclude: bool = True
    restrict: int = 0


class WordSelection:
    """Selected words and the analogy on display, the same in all panels.

    changed : other words are selected
    analogy_changed : another analogy was answered, or the analogy was cleared
    words : the selected words, the last picked one at the end
    analogy : the analogy that views draw
    answered_analogy : the same, or an analogy with words that aren’t in the vocabulary, so it
    can’t be drawn
    history : the words that were in focus
    """

    def __init__(self, undo: Undo) -> None:
        self.changed = Signal[()]()
        self.analogy_changed = Signal[()]()
        self.words: tuple[str, ...] = ()
        self.analogy: AnalogyShown | None = None
        self.answered_analogy: AnalogyShown | None = None
        self.history = WordHistory()
        self._undo = undo

    @property
    def focus(self) -> str | None:
        """The word that was picked last."""
        if self.words:
            return self.words[-1]
        return None

    def select(self, words: Sequence[str], add: bool = False) -> None:
        """Select words (replacing, or adding to, the selection). The last one is in focus."""
        wanted = list(dict.fromkeys(words))
        if add:
            wanted = [word for word in self.words if word not in set(wanted)] + wanted
        if tuple(wanted) == self.words:
            return
        before, self.words = self.words, tuple(wanted)
        if not wanted:
            what = tr("clearing of the selection")
        elif len(wanted) == 1:
            what = tr("selection of “{wanted}”", wanted=wanted[0])
        else:
            what = tr("selection of {number} words", number=len(wanted))
        self._undo.push(what, lambda: self.select(before), lambda: self.select(wanted))
        self._announce()

    def keep(self, known: Callable[[str], bool]) -> None:
        """Drop the selected words that a new vocabulary doesn't have. This isn't a change to undo:
        it follows from opening another text.
        """
        kept = tuple(word for word in self.words if known(word))
        if kept != self.words:
            self.words = kept
            self._announce()

    def _announce(self) -> None:
        if self.focus is not None:
            self.history.visit_word(self.focus)
        self.changed.emit()

    def show_analogy(self, analogy: AnalogyShown | None, *, unseen: bool = False) -> None:
        """Set the analogy answered last; None clears it.

        ``unseen``: not all of its words are in the vocabulary, so views can’t draw it.
        """
        drawn = None if unseen else analogy
        if (drawn, analogy) != (self.analogy, self.answered_analogy):
            self.analogy, self.answered_analogy = drawn, analogy
            self.analogy_changed.emit()
