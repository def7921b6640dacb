"""Vocabulary and phrase tables of a corpus with one shared filter."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.corpus.phrases.detection import phrases_of
from workbench.corpus.word_lookup import corpus_spelling
from workbench.ui.panels.corpus.phrase_list import PhraseList, PhraseModel
from workbench.ui.panels.corpus.vocabulary_table import VocabularyModel, VocabularyTable
from workbench.ui.plain_text import PlainLabel, menu_text
from workbench.ui.text import count, decimal, plural
from workbench.ui.theme import SPACE_2, SPACE_4
from workbench.ui.widgets.inputs.filter_line import FilterLine

_TYPING_MS = 120
_WORDS, _PHRASES = 0, 1


class WordTables(QWidget):
    """Vocabulary and phrase tables. Emits ``picked`` with a clicked word, or one chosen by
    Enter.
    """

    picked = Signal(str)

    def __init__(self) -> None:
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
        self._found = PlainLabel()
        self._found.setProperty("role", "small")
        self.vocabulary = VocabularyTable()
        self.phrases = PhraseList()
        self.none = PlainLabel()
        self.none.setProperty("role", "muted")
        self.none.setWordWrap(True)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.none.setContentsMargins(0, SPACE_4, 0, 0)
        self._tables = QStackedWidget()
        for page in (self.vocabulary, self.phrases, self.none):
            self._tables.addWidget(page)
        search = QHBoxLayout()
        search.addWidget(self.filter, 1)
        search.addWidget(self._found)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.pages)
        column.addLayout(search)
        column.addWidget(self._tables, 1)
        self._filter_soon = QTimer(self)
        self._filter_soon.setSingleShot(True)
        self._filter_soon.setInterval(_TYPING_MS)
        self._filter_soon.timeout.connect(self._filter_tables)
        self.filter.textChanged.connect(lambda _: self._filter_soon.start())
        self.pages.currentChanged.connect(lambda _: self._filter_tables())
        for table in (self.vocabulary, self.phrases):
            table.clicked.connect(self._pick_word)
            table.activated.connect(self._pick_word)
        # Another order moves the row of the focused phrase.
        self.phrases.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self._mark_phrase())
        self.set_corpus(None)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another corpus: its phrases first, if it has any."""
        self._corpus, self._ranks = corpus, {}
        self.filter.clear()
        if corpus is None:
            self.vocabulary.words.clear_words()
        else:
            self.vocabulary.words.set_words(corpus.words, corpus.counts)
        found = None
        if corpus is not None:
            found = phrases_of(corpus)
        self.phrases.show_phrases(found)
        self.pages.setVisible(found is not None)
        title = tr("Phrases")
        if found:
            title = tr("Phrases · {count}", count=count(self.phrases.phrases.rowCount()))
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
        """Select the row of the focused word in both tables, or none."""
        self._focus = word
        rank = None
        if word is not None:
            rank = self.rank_of(word)
        if rank is None:
            _select_row(self.vocabulary, -1)
        else:
            _select_row(self.vocabulary, self.vocabulary.words.row_of_rank(rank))
        self._mark_phrase()

    def vocabulary_csv(self) -> str:
        """Vocabulary table as CSV, in the current order."""
        corpus, words = self._corpus, self.vocabulary.words
        if corpus is None:
            return ""
        found = words.documents
        rows = (
            [
                rank + 1,
                corpus.words[rank],
                int(corpus.counts[rank]),
                float(corpus.counts[rank]) / corpus.tokens,
            ]
            + ([int(found.counts[rank])] if found is not None else [])
            for rank in words.visible_ranks.tolist()
        )
        header = ["rank", "word", "count", "share"] + (
            [f"{found.unit}s"] if found is not None else []
        )
        return to_csv(header, rows)

    def _mark_phrase(self) -> None:
        if self._focus is not None:
            _select_row(self.phrases, self.phrases.phrases.row_of(self._focus))
        else:
            _select_row(self.phrases, -1)

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
        self.vocabulary.words.set_filter(text)
        self.phrases.phrases.set_filter(text)
        shown: VocabularyModel | PhraseModel = self.vocabulary.words
        if on_phrases:
            shown = self.phrases.phrases
        rows = shown.rowCount()
        told = plural(rows, "word")
        if on_phrases:
            told = plural(rows, "phrase")
        if text.strip():
            self._found.setText(told)
        else:
            self._found.setText("")
        empty = on_phrases and not text.strip() and not shown.rowCount()
        if empty:
            self._tables.setCurrentWidget(self.none)
        elif on_phrases:
            self._tables.setCurrentWidget(self.phrases)
        else:
            self._tables.setCurrentWidget(self.vocabulary)
        self.filter.setEnabled(not empty)
        self.mark_word(self._focus)

    def _pick_word(self, index: QModelIndex) -> None:
        if index.isValid():
            model = index.model()
            words: VocabularyModel | PhraseModel = self.vocabulary.words
            if model is self.phrases.phrases:
                words = self.phrases.phrases
            self.picked.emit(words.word(index.row()))


def _select_row(table: VocabularyTable | PhraseList, row: int) -> None:
    if row < 0:
        table.clearSelection()
    elif table.currentIndex().row() != row or not table.selectionModel().hasSelection():
        table.selectRow(row)


def _no_phrases_text(corpus: Corpus) -> str:
    options = corpus.options
    lowest = min(options.thresholds())
    shown = decimal(lowest, 4)
    if lowest >= 1000:
        shown = count(round(lowest))
    return tr(
        "No phrases: no two neighbours seen at least {phrase_min_count} × score above {shown} "
        "({phrase_score}).\nLower the threshold or the least count, and read the text again.",
        phrase_min_count=count(options.phrase_min_count),
        shown=shown,
        phrase_score=options.phrase_score,
    )
