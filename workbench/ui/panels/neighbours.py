"""The nearest words of the selected one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout

from workbench.analysis.neighbours import Neighbour, nearest
from workbench.core.errors import UserError
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3
from workbench.ui.widgets.score_list import ScoreList
from workbench.ui.widgets.word_field import WordField
from workbench.ui.widgets.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

_NUMBERS = (10, 20, 50, 100)


@dataclass(frozen=True)
class _Found:
    word: str
    fact: str
    neighbours: tuple[Neighbour, ...]


class NeighboursPanel(Panel):
    """A word, how often it is seen, and its neighbours by cosine in the model that is looked at."""

    key = "neighbours"
    title = "Neighbours"
    area = "right"
    order = 10

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._embeddings: Embeddings | None = None
        self.word = self.named(WordField(), "word", "Word", "Type a word to see its neighbours")
        self.word.setPlaceholderText("Type a word")
        self.word.entered.connect(self._choose)
        self.word.overflow.connect(lambda words: self._choose(words[0]))
        self._title = self.named(QLabel(), "title", "Selected word")
        self._title.setProperty("role", "title")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fact = self.named(QLabel(), "fact", "Count and rank")
        self._fact.setProperty("role", "muted")
        self._heading = QLabel("NEAREST BY COSINE")
        self._heading.setProperty("role", "heading")
        self.number = self.named(QComboBox(), "number", "How many neighbours")
        for number in _NUMBERS:
            self.number.addItem(str(number), number)
        self.number.setCurrentIndex(1)
        self.number.currentIndexChanged.connect(lambda _: self._search())
        self.list = self.named(ScoreList(self.theme), "list", "Nearest words, best first")
        self.list.picked.connect(self._step)
        self.list.word_activated.connect(self._activate)
        self._walked: tuple[str, ...] = ()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        layout.setSpacing(SPACE_1)
        layout.addWidget(self.word)
        layout.addSpacing(SPACE_2)
        layout.addWidget(self._title)
        layout.addWidget(self._fact)
        layout.addSpacing(SPACE_2)
        row = QHBoxLayout()
        row.addWidget(self._heading, 1)
        row.addWidget(self.number)
        layout.addLayout(row)
        layout.addWidget(self.list, 1)
        self.setMinimumWidth(220)
        self.follow(self.session.shown_changed, self._show)
        self.follow(self.session.selection_changed, self._selected)
        self._show()

    def panel_actions(self) -> list[QAction]:
        look = QAction("Look up a word’s neighbours", self)
        look.triggered.connect(self._look_up)
        return [look]

    def _look_up(self) -> None:
        self.raise_requested.emit()
        self.word.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show(self) -> None:
        record = self.session.shown
        embeddings = record.embeddings if record is not None else None
        if embeddings is None:
            self._embeddings = None
            if record is not None and record.stored and record.error is None:
                self.show_busy("Loading the vectors …")
            else:
                self.show_empty("No neighbours yet", "Train a model or open vectors; then pick a word.")
            return
        if embeddings is self._embeddings:
            return
        self._embeddings = embeddings
        self.show_body()
        self.word.set_index(None)
        self.session.jobs.start(
            "Indexing words",
            lambda run: WordIndex(embeddings.words),
            self.word.set_index,
            key="neighbours.index",
            quiet=True,
        )
        self._search()

    def _choose(self, word: str) -> None:
        if word:
            self.session.select([word])
            self._search()

    def _step(self, word: str) -> None:
        """Walking the list selects on the map too, but keeps the list that is walked."""
        focus = self._title.text()
        self._walked = (focus, word)
        self.session.select([focus, word])

    def _activate(self, word: str) -> None:
        """A double click or Return moves on to the word's own neighbours."""
        self.session.select([word])
        self._search()

    def _selected(self) -> None:
        if self.session.selection and self.session.selection == self._walked:
            return
        self._walked = ()
        self._search()

    def _search(self) -> None:
        embeddings, word = self._embeddings, self.session.focus
        if self._walked and self.session.selection == self._walked:
            word = self._walked[0]
        if embeddings is None:
            return
        if word is None:
            self._title.setText("No word selected")
            self._fact.setText("Click one on the map, or type it above.")
            self.word.set_word("")
            self.list.set_scores((), ())
            return
        number = int(self.number.currentData())
        self.session.jobs.start(
            "Finding neighbours",
            lambda run: _find(embeddings, word, number),
            self._found,
            lambda error: self._failed(word, error),
            key=self.key,
            quiet=True,
        )

    def _found(self, found: _Found) -> None:
        self._title.setText(found.word)
        self._fact.setText(found.fact)
        self.word.set_word(found.word)
        self.list.set_scores([n.word for n in found.neighbours], [n.cosine for n in found.neighbours])

    def _failed(self, word: str, error: UserError) -> None:
        self._title.setText(word)
        self._fact.setText(error.message)
        self._fact.setToolTip(error.hint)
        self.word.set_word(word)
        self.word.mark(False)
        self.list.set_scores((), ())


def _find(embeddings: Embeddings, word: str, number: int) -> _Found:
    row = embeddings.row(word)
    fact = f"rank {count(row + 1)} of {count(len(embeddings))}"
    if embeddings.counts is not None:
        fact = f"{count(int(embeddings.counts[row]))} × · {fact}"
    known = embeddings.words[row]
    return _Found(known, fact, nearest(embeddings, known, number))
