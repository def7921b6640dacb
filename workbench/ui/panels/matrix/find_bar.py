"""Two fields that find words in the matrices, and the offer to add one that is not there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QListView, QPushButton

from workbench.analysis.matrix.board import Board
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.word_lookup import spellings
from workbench.ui.panel import Panel
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import count
from workbench.ui.theme import set_property
from workbench.ui.widgets.inputs.word_field import spelling_of
from workbench.ui.widgets.inputs.word_search import WordIndex, WordSearch
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.ui.widgets.layout.wrapping_bar import Bar

ROW, COLUMN = 0, 1


class MatrixFinding(QObject):
    """``wanted`` (axis, word) asks for a word to be added to the rows (0) or the columns (1)."""

    wanted = Signal(int, str)

    def __init__(self, panel: Panel, view: MatrixView) -> None:
        super().__init__(panel)
        self._panel = panel
        self._view = view
        self._vocabulary: tuple[str, ...] = ()
        self._known: frozenset[str] = frozenset()
        self._indexed: tuple[object, ...] = ()
        self._last = ROW
        self._coming: tuple[int, str] | None = None
        self._offered = ""
        keys = tr("Return or F3: next, with Shift: before")
        self.fields = (
            panel.named(AxisSearch(tr("Find row")), "find_row", tr("Find a word among the rows"), keys),
            panel.named(AxisSearch(tr("Find column")), "find_column", tr("Find a word among the columns"), keys),
        )
        self._finders = (Finder(), Finder())
        self.note = ElidedLabel()
        self.note.setObjectName(f"{panel.key}.found")
        self.note.setProperty("role", "muted")
        self.add = panel.named(QPushButton(tr("Add it")), "add_word", tr("Add the word to the matrix"))
        # The button comes and goes; what is below stays in its place.
        policy = self.add.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.add.setSizePolicy(policy)
        self.add.hide()
        for axis, field in enumerate(self.fields):
            field.typed.connect(lambda text, axis=axis: self._typed(axis, text))
            field.sought.connect(lambda text, step, axis=axis: self._seek(axis, text, step))
            field.wanted.connect(self._make_index)
            field.left.connect(view.setFocus)
        self.add.clicked.connect(self._add)
        for key, step in ((Qt.Key.Key_F3, 1), (Qt.Key.Key_F3 | Qt.KeyboardModifier.ShiftModifier, -1)):
            shortcut = QShortcut(QKeySequence(key), panel, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self.fields[self._last].seek(step))

    def fill(self, row: Bar) -> None:
        for field in self.fields:
            row.addWidget(field)
        row.addWidget(self.note, 1)
        row.addWidget(self.add)

    def set_vocabulary(self, words: tuple[str, ...]) -> None:
        """All words that could be added."""
        self._vocabulary = words

    def put(self, board: Board | None) -> None:
        """Other words stand in the matrices; a search that is under way goes on in them."""
        self._say("")
        for axis, field in enumerate(self.fields):
            self._look(axis, field.text().strip())
        self._mark()
        coming, self._coming = self._coming, None
        if coming is not None and board is not None:
            self._seek(*coming, 1)

    def _words(self, axis: int) -> tuple[str, ...]:
        board = self._view.board
        return () if board is None else board.words if axis == ROW else board.columns

    def _make_index(self) -> None:
        """Complete from the words that are there, then from all others."""
        wanted = (self._words(ROW), self._words(COLUMN), self._vocabulary)
        if wanted == self._indexed:
            return
        self._indexed = wanted
        words, options = wanted, spelling_of(self._panel.session)

        def make(run: object) -> tuple[list[WordIndex], frozenset[str]]:
            made = [WordIndex(list(dict.fromkeys([*words[axis], *words[2]])), options) for axis in (ROW, COLUMN)]
            return made, frozenset(words[2])

        self._panel.session.jobs.start(
            tr("Sorting the words"), make, self._take_index, key=f"{self._panel.key}.index", quiet=True
        )

    def _take_index(self, made: tuple[list[WordIndex], frozenset[str]]) -> None:
        for field, index in zip(self.fields, made[0], strict=True):
            field.set_index(index)
        self._known = made[1]

    # -- searching

    def _look(self, axis: int, text: str) -> None:
        self._finders[axis].look(self._words(axis), text, spelling_of(self._panel.session))

    def _typed(self, axis: int, text: str) -> None:
        self._last = axis
        self._look(axis, text)
        self.fields[axis].mark(True)
        self._say("")
        self._mark()

    def _seek(self, axis: int, text: str, step: int) -> None:
        finder, field = self._finders[axis], self.fields[axis]
        self._last = axis
        if finder.text != text:
            self._look(axis, text)
        place = finder.step(step)
        field.mark(place is not None or self._view.board is None)
        if place is None:
            self._miss(axis, text)
            return
        word = self._words(axis)[place]
        number = len(finder.found)
        told = (
            tr("“{word}” is row {place}.", word=word, place=count(place + 1))
            if axis == ROW
            else tr("“{word}” is column {place}.", word=word, place=count(place + 1))
        )
        if number > 1:
            told = tr("{told} {at} of {number} found.", told=told, at=count(finder.at + 1), number=count(number))
        self._say(told)
        self._mark()
        self._view.go_to(place if axis == ROW else None, place if axis == COLUMN else None)

    def _miss(self, axis: int, text: str) -> None:
        if self._view.board is None:
            return
        known = self._known or frozenset(self._vocabulary)
        options = spelling_of(self._panel.session)
        word = next((written for written in spellings(text, options) if written in known), None)
        if word is not None:
            self._say(
                tr("“{word}” is not among the rows shown.", word=word)
                if axis == ROW
                else tr("“{word}” is not among the columns shown.", word=word),
                word,
            )
        else:
            self._say(tr("“{text}” is not in the vocabulary.", text=text))

    def _mark(self) -> None:
        """The match that was gone to; before, all."""
        marked = [[f.found[f.at]] if f.at >= 0 else f.found for f in self._finders]
        self._view.mark(tuple(marked[ROW]), tuple(marked[COLUMN]))

    def _say(self, text: str, offered: str = "") -> None:
        self.note.put(text)
        if self.add.isHidden() == bool(offered):
            self.add.setVisible(bool(offered))
        self._offered = offered
        if offered:
            self.add.setAccessibleName(tr("Add “{offered}” to the matrix", offered=offered))

    def _add(self) -> None:
        axis, word = self._last, self._offered
        self.fields[axis].setText(word)
        self._coming = (axis, word)
        self.wanted.emit(axis, word)


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
        set_scaled_size(self, most_width=170)
        set_scaled_size(self, least_width=90)
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

    def _take_word(self, word: str) -> None:
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
