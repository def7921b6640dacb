"""Find bar of the matrices: one search field per axis, and the offer to add a missing word."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QListView

from workbench.analysis.matrix.board import Board
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.suggestions import suggestion
from workbench.corpus.word_lookup import spellings
from workbench.ui import kit
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import Panel
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import count
from workbench.ui.base.theme import set_property
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.widgets.inputs.word_field import spelling_of
from workbench.ui.widgets.inputs.word_search import WordIndex, WordSearch
from workbench.ui.widgets.layout.result_view import Request, ResultJob

ROW, COLUMN = 0, 1


class MatrixFinding(QObject):
    """Search of rows and columns; ``word_requested`` (axis, word) asks to add a word."""

    word_requested = Signal(int, str)

    def __init__(self, panel: Panel, view: MatrixView) -> None:
        super().__init__(panel)
        self._panel = panel
        self._view = view
        self._vocabulary: tuple[str, ...] = ()
        self._known: frozenset[str] = frozenset()
        self._indexing = ResultJob(panel.session.jobs, f"{panel.key}.index")
        self._last = ROW
        self._coming: tuple[int, str] | None = None
        self._offered = ""
        keys = tr("Return or F3: next; with Shift: previous")
        self.fields = (
            panel.named(
                AxisSearch(tr("Find row")), "find_row", tr("Find a word among the rows"), keys
            ),
            panel.named(
                AxisSearch(tr("Find column")),
                "find_column",
                tr("Find a word among the columns"),
                keys,
            ),
        )
        self._finders = (MatchCursor(), MatchCursor())
        self.note = ElidedLabel()
        self.note.setObjectName(f"{panel.key}.found")
        self.note.setProperty("role", "muted")
        self.note.hide()
        self.add = panel.named(
            kit.button(tr("Add"), pressed=self._add_missing),
            "add_word",
            tr("Add the word to the matrix"),
        )
        self.add.hide()
        for axis, field in enumerate(self.fields):
            field.typed.connect(lambda text, axis=axis: self._text_changed(axis, text))
            field.match_requested.connect(
                lambda text, step, axis=axis: self._go_to_match(axis, text, step)
            )
            field.wanted.connect(self._make_index)
            field.left.connect(view.setFocus)
        for key, step in (
            (Qt.Key.Key_F3, 1),
            (Qt.Key.Key_F3 | Qt.KeyboardModifier.ShiftModifier, -1),
        ):
            shortcut = QShortcut(
                QKeySequence(key), panel, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
            )
            shortcut.activated.connect(lambda step=step: self.fields[self._last].seek_match(step))

    def add_to_row(self, row: kit.Bar) -> None:
        kit.add(row, *map(kit.stretch, self.fields), kit.stretch(self.note), self.add)

    def set_vocabulary(self, words: tuple[str, ...]) -> None:
        """Set all words that can be added."""
        self._vocabulary = words

    def set_board(self, board: Board | None) -> None:
        """Search in other matrices; the current search continues in them."""
        self._set_message("")
        for axis, field in enumerate(self.fields):
            self._search_axis(axis, field.text().strip())
        self._mark_matches()
        coming, self._coming = self._coming, None
        if coming is not None and board is not None:
            self._go_to_match(*coming, 1)

    def _axis_words(self, axis: int) -> tuple[str, ...]:
        board = self._view.board
        if board is None:
            return ()
        if axis == ROW:
            return board.words
        return board.columns

    def _make_index(self) -> None:
        """Index for completion: words of the matrices first, then all others."""
        words = (self._axis_words(ROW), self._axis_words(COLUMN), self._vocabulary)
        options = spelling_of(self._panel.session)

        def make(run: object) -> tuple[list[WordIndex], frozenset[str]]:
            indexes = [
                WordIndex(list(dict.fromkeys([*words[axis], *words[2]])), options)
                for axis in (ROW, COLUMN)
            ]
            return indexes, frozenset(words[2])

        self._indexing.ask(Request(words, tr("Indexing words"), make, self._set_index, quiet=True))

    def _set_index(self, new_index: tuple[list[WordIndex], frozenset[str]]) -> None:
        for field, index in zip(self.fields, new_index[0], strict=True):
            field.set_index(index)
        self._known = new_index[1]

    # -- searching

    def _search_axis(self, axis: int, text: str) -> None:
        self._finders[axis].search_words(
            self._axis_words(axis), text, spelling_of(self._panel.session)
        )

    def _text_changed(self, axis: int, text: str) -> None:
        self._last = axis
        self._search_axis(axis, text)
        self.fields[axis].show_match_state(True)
        self._set_message("")
        self._mark_matches()

    def _go_to_match(self, axis: int, text: str, step: int) -> None:
        finder, field = self._finders[axis], self.fields[axis]
        self._last = axis
        if finder.text != text:
            self._search_axis(axis, text)
        place = finder.next_place(step)
        field.show_match_state(place is not None or self._view.board is None)
        if place is None:
            self._offer_missing(axis, text)
            return
        word = self._axis_words(axis)[place]
        number = len(finder.found)
        if axis == ROW:
            message = tr("“{word}” is row {place}.", word=word, place=count(place + 1))
        else:
            message = tr("“{word}” is column {place}.", word=word, place=count(place + 1))
        if number > 1:
            message = tr(
                "{query} {at} of {number} found.",
                query=message,
                at=count(finder.at + 1),
                number=count(number),
            )
        self._set_message(message)
        self._mark_matches()
        if axis == ROW:
            self._view.go_to(place, None)
        else:
            self._view.go_to(None, place)

    def _offer_missing(self, axis: int, text: str) -> None:
        if self._view.board is None:
            return
        known = self._known or frozenset(self._vocabulary)
        options = spelling_of(self._panel.session)
        word = next((written for written in spellings(text, options) if written in known), None)
        if word is not None:
            text = tr("“{word}” isn’t in the columns.", word=word)
            if axis == ROW:
                text = tr("“{word}” isn’t in the rows.", word=word)
            self._set_message(text, word)
        else:
            sentence = tr("“{text}” isn’t in the vocabulary.", text=text)
            meant = suggestion(self._vocabulary, text)
            self._set_message(f"{sentence} {meant}".rstrip())

    def _mark_matches(self) -> None:
        """Mark the current match, or all matches before the first step."""
        marked = [[f.found[f.at]] if f.at >= 0 else f.found for f in self._finders]
        self._view.mark_lines(tuple(marked[ROW]), tuple(marked[COLUMN]))

    def _set_message(self, text: str, offered: str = "") -> None:
        self.note.put(text)
        # Without a text, it would keep the height of the row while a presentation hides the others.
        self.note.setVisible(bool(text))
        if self.add.isHidden() == bool(offered):
            self.add.setVisible(bool(offered))
        self._offered = offered
        if offered:
            self.add.setAccessibleName(tr("Add “{offered}” to the matrix", offered=offered))

    def _add_missing(self) -> None:
        axis, word = self._last, self._offered
        self.fields[axis].setText(word)
        self._coming = (axis, word)
        self.word_requested.emit(axis, word)


def matching_places(
    words: Sequence[str], text: str, options: CorpusOptions | None = None
) -> list[int]:
    """Positions of words that match ``text``, or its spelling in a corpus read with ``options``:
    whole words, then prefixes; only without either, matches inside words.
    """
    folded = [word.casefold() for word in words]
    keys = dict.fromkeys(written.casefold() for written in spellings(text, options))
    return next((found for key in keys if (found := _ordered_places(folded, key))), [])


def _ordered_places(folded: Sequence[str], key: str) -> list[int]:
    same = [at for at, word in enumerate(folded) if word == key]
    begin = [at for at, word in enumerate(folded) if word.startswith(key) and word != key]
    return same + begin or [at for at, word in enumerate(folded) if key in word]


class AxisSearch(WordSearch):
    """Search field for one axis: Return or F3 goes to the next match, with Shift to the previous
    one; Escape leaves the field.

    ``sought`` (text, step) requests the next or the previous match; ``typed`` is emitted for each
    letter.
    """

    match_requested = Signal(str, int)
    typed = Signal(str)

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        # What is typed is a step to a match, not a choice.
        self.setProperty("passing", True)
        self.setPlaceholderText(placeholder)
        set_scaled_size(self, most_width=170)
        set_scaled_size(self, least_width=90)
        self.textChanged.connect(lambda text: self.typed.emit(text.strip()))

    @property
    def completions(self) -> QListView:
        """Completion list."""
        return self._popup

    def seek_match(self, step: int) -> None:
        """Request the next or previous match."""
        self._popup.hide()
        text = self.text().strip()
        if text:
            self.match_requested.emit(text, step)

    def show_match_state(self, found: bool) -> None:
        """Show whether there is a match."""
        if found:
            set_property(self, "invalid", "")
        else:
            set_property(self, "invalid", "true")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if backwards and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.seek_match(-1)
            return
        super().keyPressEvent(event)

    def _take_word(self, word: str) -> None:
        self.setText(word)
        self._pick()

    def _pick(self) -> None:
        self.seek_match(1)
        self.selectAll()


class MatchCursor:
    """Position of a search on one axis."""

    def __init__(self) -> None:
        self.text = ""
        self.found: list[int] = []
        self.at = -1

    def search_words(
        self, words: Sequence[str], text: str, options: CorpusOptions | None = None
    ) -> None:
        """Search for another text, or for the same text in other words."""
        self.text, self.at = text, -1
        if text:
            self.found = matching_places(words, text, options)
        else:
            self.found = []

    def next_place(self, by: int) -> int | None:
        """Next or previous match; None without matches."""
        if not self.found:
            return None
        if self.at >= 0:
            self.at = (self.at + by) % len(self.found)
        elif by > 0:
            self.at = 0
        else:
            self.at = len(self.found) - 1
        return self.found[self.at]
