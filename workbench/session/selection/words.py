"""Selected words and the last answered analogy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.language import tr

if TYPE_CHECKING:
    from workbench.session.session import Session


@dataclass(frozen=True)
class AnalogyShown:
    """The analogy answered last: a − b + c = answer, by a method of ``analysis.analogy``.

    ``exclude``: the three words are left out of the answers; ``restrict``: candidates are so many
    first words, 0 for all.
    """

    a: str
    b: str
    c: str
    answer: str
    method: str = "3cosadd"
    exclude: bool = True
    restrict: int = 0


class WordSelection:
    """A part of the session.

    words : those that are selected, the one picked last at the end
    analogy : the one that views draw; answered : the same, or one of words that have no place on a
    map because no row of the vectors is theirs
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.words: tuple[str, ...] = ()
        self.analogy: AnalogyShown | None = None
        self.answered_analogy: AnalogyShown | None = None

    def select(self, words: Sequence[str], add: bool) -> None:
        wanted = list(dict.fromkeys(words))
        if add:
            wanted = [word for word in self.words if word not in set(wanted)] + wanted
        if tuple(wanted) != self.words:
            before, self.words = self.words, tuple(wanted)
            if not wanted:
                what = tr("clearing of the selection")
            else:
                what = tr("selection of {number} words", number=len(wanted))
            if len(wanted) == 1:
                what = tr("selection of “{wanted}”", wanted=wanted[0])
            else:
                what = what
            self._session.undo.push(
                what, lambda: self.select(before, False), lambda: self.select(wanted, False)
            )
            self._session.selection_changed.emit()

    def show_analogy(self, analogy: AnalogyShown | None, unseen: bool) -> None:
        if unseen:
            drawn = None
        else:
            drawn = analogy
        if (drawn, analogy) != (self.analogy, self.answered_analogy):
            self.analogy, self.answered_analogy = drawn, analogy
            self._session.analogy_changed.emit()
