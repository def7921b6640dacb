"""Vocabulary and phrase tables of a corpus with one shared filter."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.corpus.phrases.detection import phrases_of
from workbench.corpus.word_lookup import corpus_spelling
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import count, decimal, plural
from workbench.ui.base.theme import SPACE_4, Theme
from workbench.ui.panels.corpus.phrase_list import PhraseList
from workbench.ui.panels.corpus.vocabulary_table import FilteredWords, VocabularyTable
from workbench.ui.widgets.inputs.filter_line import FilterLine

_TYPING_MS = 120
_WORDS, _PHRASES = 0, 1


class WordTables(QWidget):
    """Vocabulary and phrase tables. Emits ``picked`` with a word that is clicked or chosen by
    keys.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._ranks: dict[str, int] = {}
        self._corpus: Corpus | None = None
        self._focus: str | None = None
        self.pages = QTabBar()
        self.pages.setDrawBase(False)
        self.pages.setExpanding(False)
        self.pages.addTab(tr("Words"))
        self.pages.addTab(tr("Phrases"))
        self.filter = FilterLine()
        self.filter.setPlaceholderText(tr("Filter words"))
        self._found = kit.label(role="small")
        self.vocabulary = VocabularyTable(theme)
        self.phrases = PhraseList(theme)
        self.none = kit.label(role="muted", wrap=True, margins=(0, SPACE_4, 0, 0))
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._tables = kit.PageStack(self.vocabulary, self.phrases, self.none)
        search = kit.row(kit.stretch(self.filter), self._found, gap=None)
        kit.fill(self, kit.column(self.pages, search, kit.stretch(self._tables)))
        self._filter_soon = QTimer(self)
        self._filter_soon.setSingleShot(True)
        self._filter_soon.setInterval(_TYPING_MS)
        self._filter_soon.timeout.connect(self._filter_tables)
        self.filter.textChanged.connect(lambda _: self._filter_soon.start())
        self.pages.currentChanged.connect(lambda _: self._filter_tables())
        for table in (self.vocabulary, self.phrases):
            table.picked.connect(partial(self._pick_word, table))
            table.opened.connect(partial(self._pick_word, table))
        self.set_corpus(None)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another corpus, with its phrases in front if it has any."""
        self._corpus, self._ranks = corpus, {}
        self.filter.clear()
        if corpus is None:
            self.vocabulary.set_words((), np.empty(0, dtype=np.int64))
        else:
            self.vocabulary.set_words(corpus.words, corpus.counts)
        found = None if corpus is None else phrases_of(corpus)
        self.phrases.show_phrases(found)
        self.pages.setVisible(found is not None)
        title = tr("Phrases")
        if found:
            title = tr("Phrases · {count}", count=count(self.phrases.table.rowCount()))
        self.pages.setTabText(_PHRASES, menu_text(title))
        if corpus is not None and found is not None and not len(found):
            self.none.setText(_no_phrases_text(corpus))
        if found is None:
            self.pages.setCurrentIndex(_WORDS)
        else:
            self.pages.setCurrentIndex(_PHRASES)
        self._filter_tables()

    def rank_of(self, word: str) -> int | None:
        """Rank of a word, from 0, or None."""
        if self._corpus is not None and not self._ranks:
            self._ranks = {known: rank for rank, known in enumerate(self._corpus.words)}
        return self._ranks.get(word)

    def mark_word(self, word: str | None) -> None:
        """Select the row of the focused word in both tables, or no row."""
        self._focus = word
        rank = None if word is None else self.rank_of(word)
        self.vocabulary.pick(-1 if rank is None else rank)
        phrase = self.phrases.words.index(word) if word in self.phrases.words else -1
        self.phrases.pick(phrase)

    def vocabulary_csv(self) -> str:
        """Vocabulary table as CSV, in the current order."""
        corpus, found = self._corpus, self.vocabulary.documents
        if corpus is None:
            return ""
        rows = (
            [
                rank + 1,
                corpus.words[rank],
                int(corpus.counts[rank]),
                float(corpus.counts[rank]) / corpus.tokens,
            ]
            + ([int(found.counts[rank])] if found is not None else [])
            for rank in self.vocabulary.table.order.tolist()
        )
        header = ["rank", "word", "count", "share"] + (
            [f"{found.unit}s"] if found is not None else []
        )
        return to_csv(header, rows)

    def _filter_tables(self) -> None:
        self._filter_soon.stop()
        text = corpus_spelling(
            self.filter.text(), self._corpus.options if self._corpus is not None else None
        )
        on_phrases = self.pages.currentIndex() == _PHRASES
        if on_phrases:
            self.filter.setPlaceholderText(tr("Filter phrases"))
        else:
            self.filter.setPlaceholderText(tr("Filter words"))
        self.vocabulary.set_filter(text)
        self.phrases.set_filter(text)
        shown: FilteredWords = self.phrases if on_phrases else self.vocabulary
        rows = shown.table.rowCount()
        number_text = plural(rows, "word")
        if on_phrases:
            number_text = plural(rows, "phrase")
        if text.strip():
            self._found.setText(number_text)
        else:
            self._found.setText("")
        empty = on_phrases and not text.strip() and not rows
        if empty:
            self._tables.setCurrentWidget(self.none)
        elif on_phrases:
            self._tables.setCurrentWidget(self.phrases)
        else:
            self._tables.setCurrentWidget(self.vocabulary)
        self.filter.setEnabled(not empty)
        self.mark_word(self._focus)

    def _pick_word(self, table: FilteredWords, row: int) -> None:
        self.picked.emit(table.words[row])


def _no_phrases_text(corpus: Corpus) -> str:
    options = corpus.options
    lowest = min(options.thresholds())
    shown = decimal(lowest, 4)
    if lowest >= 1000:
        shown = count(round(lowest))
    return tr(
        "No phrases: no two adjacent words that occur at least {phrase_min_count} × "
        "together score above {shown} ({phrase_score}).\nLower the threshold or the "
        "minimum count, and read the text again.",
        phrase_min_count=count(options.phrase_min_count),
        shown=shown,
        phrase_score=options.phrase_score,
    )
