"""A field that finds words by their first letters and selects them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from workbench.analysis.neighbours.word_arithmetic import SIGNS
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.suggestions import near_spellings
from workbench.corpus.word_lookup import spellings
from workbench.ui.base.scaling import scaled_length

_OFFERED = 12


class WordIndex:
    """Words by their beginnings. Creating an index of 400,000 words takes some tenths of a
    second.
    """

    def __init__(self, words: Sequence[str], options: CorpusOptions | None = None) -> None:
        """words : most frequent first, which is also the order of completions
        options : reading options of their corpus, whose spelling is applied to typed text
        """
        self._words = words
        self._options = options
        order = sorted(range(len(words)), key=lambda rank: words[rank].casefold())
        self._keys = [words[rank].casefold() for rank in order]
        self._ranks = order

    def beginning(self, text: str, n: int = _OFFERED) -> list[str]:
        """The ``n`` most frequent words that begin with ``text``, or another spelling of it; the
        exact word first.
        """
        keys = dict.fromkeys(written.casefold() for written in spellings(text, self._options))
        return next((found for key in keys if (found := self._from(key, n))), [])

    def spelt_like(self, text: str) -> list[str]:
        """Words with a spelling similar to ``text``, most similar first."""
        return list(near_spellings(self._words, text))

    def _from(self, key: str, n: int) -> list[str]:
        low = bisect_left(self._keys, key)
        high = bisect_left(self._keys, key + "\U0010ffff")
        exact = [
            rank
            for rank in self._ranks[low : min(low + 4, high)]
            if self._words[rank].casefold() == key
        ]
        best = sorted(self._ranks[low:high])[:n]
        return [self._words[rank] for rank in dict.fromkeys(exact + best)][:n]

    def find(self, text: str) -> str | None:
        """The word spelt like ``text``, ignoring case if necessary."""
        for written in dict.fromkeys(spellings(text, self._options)):
            found = self._from(written.casefold(), 4)
            if written in found:
                return written
            if found and found[0].casefold() == written.casefold():
                return found[0]
        return None


class WordSearch(QLineEdit):
    """Field for words, separated by spaces; Return picks them.

    ``wanted`` is emitted at the first letter of a search, so that the index can be created.
    """

    picked = Signal(list)
    wanted = Signal()
    # ">" was typed at the beginning, followed by this text: actions are wanted instead of words.
    actions_asked = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        # Whether “+” and “−” are allowed between words.
        self.signs = False
        self._hints: tuple[str, ...] = ()
        self._beside = 0
        self._index: WordIndex | None = None
        self._offers = QStringListModel(self)
        self._completer = QCompleter(self._offers, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setWidget(self)
        self._popup = QListView()
        self._popup.setProperty("role", "popup")
        self._popup.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._completer.setPopup(self._popup)
        # This takes the popup out of the window, and thus out of its style sheet.
        self._popup.setParent(self, self._popup.windowFlags())
        self._completer.setMaxVisibleItems(_OFFERED)
        self._completer.activated.connect(self._take_word)
        self.textEdited.connect(self._text_edited)
        self.setClearButtonEnabled(True)

    def set_hints(self, *hints: str, beside: int = 20) -> None:
        """Show the first of these hints for which there is room while the field is empty.

        beside : pixels beside the hint
        """
        self._hints, self._beside = hints, beside
        self._fit_hint()

    def _fit_hint(self) -> None:
        if self._hints:
            room, metrics = self.width() - scaled_length(self._beside), self.fontMetrics()
            fitting = (hint for hint in self._hints if metrics.horizontalAdvance(hint) <= room)
            self.setPlaceholderText(next(fitting, ""))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_hint()

    def set_index(self, index: WordIndex | None) -> None:
        self._index = index
        if index is not None and self.hasFocus() and self.text().strip():
            self._offer()

    def forget_missing(self, known: Callable[[str], bool]) -> None:
        """Clear the field if one of its words isn't known."""
        if not all(map(known, self.text().split())):
            self.clear()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.wanted.emit()
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.selectAll()

    @property
    def takes_escape(self) -> bool:
        """Whether Esc is handled by this field and not by the window's shortcut, which clears the
        selection.
        """
        return True

    def event(self, event: QEvent) -> bool:
        wants_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if wants_key and event.key() == Qt.Key.Key_Escape and self.takes_escape:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self._popup
        if event.key() == Qt.Key.Key_Escape:
            if popup.isVisible():
                popup.hide()
            else:
                self.clear()
                self.left.emit()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if popup.isVisible() and popup.currentIndex().isValid():
                self._take_word(str(popup.currentIndex().data()))
            else:
                self._pick()
            return
        super().keyPressEvent(event)

    @property
    def index(self) -> WordIndex | None:
        """The index of the vocabulary, once it has been needed."""
        return self._index

    def _text_edited(self, text: str) -> None:
        if text.lstrip().startswith(">"):
            self.clear()
            self.actions_asked.emit(text.lstrip().removeprefix(">"))
        else:
            self._offer()

    def _words(self) -> list[str]:
        return self.text().replace(",", " ").split()

    def _offer(self) -> None:
        words = self._words()
        if (
            self._index is None
            or not words
            or self.text().endswith((" ", ","))
            or (self.signs and words[-1] in SIGNS)
        ):
            self._popup.hide()
            return
        beginning = self._index.beginning(words[-1])
        self._offers.setStringList(beginning or self._index.spelt_like(words[-1]))
        self._completer.complete()
        if not beginning:
            # Return takes the typed text: only prefixes are completed automatically.
            self._popup.setCurrentIndex(QModelIndex())

    def _take_word(self, word: str) -> None:
        words = self._words()
        self.setText(" ".join([*words[:-1], word]))
        self._pick()

    def _match_word(self, word: str, index: WordIndex, alone: bool) -> str:
        if self.signs and word in SIGNS and not alone:
            return word
        return index.find(word) or next(iter(index.beginning(word, 1)), word)

    def _pick(self) -> None:
        self._popup.hide()
        words = self._words()
        if self._index is not None:
            # A prefix is completed to the most frequent word that begins with it.
            found = [self._match_word(word, self._index, alone=len(words) == 1) for word in words]
            self.setText(" ".join(found))
            words = found
        if words:
            self.picked.emit(words)
        self.selectAll()
