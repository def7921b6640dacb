"""A field for one word of the active model, with completion by frequency."""

from __future__ import annotations

import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.session.session import Session
from workbench.ui.base.theme import set_property
from workbench.ui.widgets.inputs.word_search import WordIndex, WordSearch
from workbench.ui.widgets.layout.result_view import Request
from workbench.vectors.embeddings import Embeddings

_made: WeakKeyDictionary[Embeddings, WordIndex] = WeakKeyDictionary()
_making = threading.Lock()


def index_of(embeddings: Embeddings) -> WordIndex:
    """The index of a model's words, created once for all fields. Run it in a job: it takes a
    while.
    """
    with _making:
        index = _made.get(embeddings)
        if index is None:
            _made[embeddings] = index = WordIndex(embeddings.words, embeddings.options)
        return index


def index_request(embeddings: Embeddings, show: Callable[[WordIndex], None]) -> Request[WordIndex]:
    """Asks for the index of a model's words."""
    title = tr("Indexing words")
    return Request((embeddings,), title, lambda run: index_of(embeddings), show, quiet=True)


def spelling_of(session: Session) -> CorpusOptions | None:
    """The spelling rules of the active vectors, or of the open corpus; None if unknown."""
    if session.active.embeddings is not None:
        return session.active.embeddings.options
    if session.corpora.current is not None:
        return session.corpora.current.options
    return None


class WordField(WordSearch):
    """Field for one word. ``entered`` carries the word when it is confirmed by Return, a
    completion, or leaving the field.

    ``overflow`` reports several words typed at once: "king man woman" in the first of three fields
    fills all three. Escape restores the confirmed word.
    """

    entered = Signal(str)
    overflow = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(False)
        self._settled = ""
        self._clicked_in = False
        self.picked.connect(self._settle)
        self.editingFinished.connect(self._leave_field)
        self.textEdited.connect(lambda _: self.mark(True))

    @property
    def word(self) -> str:
        return self._settled

    @property
    def typing(self) -> bool:
        """Whether the field contains typed text that isn't confirmed."""
        return self.hasFocus() and self.text() != self._settled

    @property
    def offering(self) -> bool:
        """Whether completions are shown."""
        return self._popup.isVisible()

    @property
    def takes_escape(self) -> bool:
        return self.typing or self.offering

    def set_index(self, index: WordIndex | None) -> None:
        """Complete from other words. Shows completions at once only while the user is typing."""
        self._index = index
        if index is not None and self.typing:
            self._offer()

    def set_word(self, word: str) -> None:
        """Show a word without a signal, unless the user is typing."""
        typing = self.typing
        self._settled = word
        if not typing:
            self.setText(word)
            self.setCursorPosition(0)
            self.mark(True)

    def mark(self, known: bool) -> None:
        """Show whether the word is in the vocabulary; suggest words for an unknown one that was
        just typed.
        """
        set_property(self, "invalid", "" if known else "true")
        if not known and self.hasFocus() and not self.offering:
            self._offer()

    def event(self, event: QEvent) -> bool:
        tabbed = isinstance(event, QKeyEvent) and event.key() in (
            Qt.Key.Key_Tab,
            Qt.Key.Key_Backtab,
        )
        if tabbed and event.type() == QEvent.Type.KeyPress and self._popup.isVisible():
            offered = self._popup.currentIndex()
            if offered.isValid():
                self._take_word(str(offered.data()))
            self._popup.hide()
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._clicked_in = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the word on the click that focuses the field, so that typing replaces it."""
        super().mouseReleaseEvent(event)
        if self._clicked_in and not self.hasSelectedText():
            self.selectAll()
        self._clicked_in = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._popup.isVisible():
            self.setText(self._settled)
            self.mark(True)
            self.selectAll()
            return
        super().keyPressEvent(event)

    def _pick(self) -> None:
        super()._pick()
        if not self._words():
            self._settle([])

    def _leave_field(self) -> None:
        """Confirm the typed text when the field is left, as Return does."""
        if self.text() != self._settled:
            self._pick()
            self.deselect()

    def _settle(self, words: list[str]) -> None:
        first = words[0] if words else ""
        if len(words) > 1:
            self.setText(first)
            self._settled = first
            self.overflow.emit(words)
        else:
            self._settled = first
            self.setText(first)
            self.entered.emit(first)
