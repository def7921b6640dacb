"""The analogy bar: a − b + c = ?, answered as one types."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout

from workbench.analysis.analogy import Answer, solve
from workbench.core.errors import UnknownWord, UserError
from workbench.session.session import AnalogyShown
from workbench.ui.panel import Context, Panel
from workbench.ui.text import MINUS
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.score_list import ScoreList
from workbench.ui.widgets.word_field import WordField
from workbench.ui.widgets.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

_METHODS = (
    ("3cosadd", "3CosAdd", "The word nearest to a − b + c."),
    ("3cosmul", "3CosMul", "Products instead of sums, so that no single term outweighs the others."),
)
# Shown first where the vocabulary has them.
_FIRST = ("king", "man", "woman")
_ANSWERS = 8


class AnalogyPanel(Panel):
    """Three words, the best answers, and what the answer looks like with the query words let in."""

    key = "analogy"
    title = "Analogy"
    area = "bottom"
    order = 10

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._embeddings: Embeddings | None = None
        self._next = 0
        self._fields = [WordField() for _ in range(3)]
        for field, local in zip(self._fields, "abc", strict=True):
            self.named(field, local, f"Analogy word {local}", "A word; Return answers the analogy")
            field.setFixedWidth(124)
            field.setPlaceholderText(local)
            field.entered.connect(lambda _: self._answer())
            field.overflow.connect(lambda words, field=field: self._spread(field, words))
        self.answers = self.named(ScoreList(self.theme, flowing=True), "answers", "Answers, best first")
        self.answers.picked.connect(lambda word: self.session.select([word]))
        self.answers.word_activated.connect(self.session.word_activated.emit)
        self._problem = self.named(QLabel(), "problem", "What is wrong with the analogy")
        self._problem.setProperty("role", "muted")
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self.method = self.named(QComboBox(), "method", "How analogies are answered")
        for value, name, tip in _METHODS:
            self.method.addItem(name, value)
            self.method.setItemData(self.method.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.method.setToolTip("3CosAdd: nearest to a − b + c. 3CosMul: products instead of sums.")
        self.method.currentIndexChanged.connect(lambda _: self._answer())
        self.exclude = self.named(
            QCheckBox("Leave out query words"),
            "exclude",
            "Leave out the three query words",
            "The usual rule. Switched off, the nearest word is often one of the three themselves.",
        )
        self.exclude.setChecked(True)
        self.exclude.toggled.connect(lambda _: self._answer())
        self._swap = self.named(
            QToolButton(), "swap", "Exchange b and c", "Exchange b and c: the analogy the other way round"
        )
        self._swap.setText("⇄")
        self._swap.setProperty("role", "quiet")
        self._swap.clicked.connect(self._exchange)
        self._build()
        self.follow(self.session.shown_changed, self._show)
        self.follow(self.session.word_activated, self._take)
        self._show()

    def _build(self) -> None:
        query = QHBoxLayout()
        query.setSpacing(SPACE_2)
        for place, field in enumerate(self._fields):
            if place:
                sign = QLabel((MINUS, "+")[place - 1])
                sign.setProperty("role", "large")
                query.addWidget(sign)
            query.addWidget(field)
        query.addWidget(self._swap)
        equals = QLabel("=")
        equals.setProperty("role", "large")
        query.addWidget(equals)
        choices = QVBoxLayout()
        choices.setSpacing(SPACE_1)
        choices.addStretch()
        choices.addWidget(self.method)
        choices.addWidget(self.exclude)
        choices.addStretch()
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self.body)
        row.setContentsMargins(SPACE_4, SPACE_1, SPACE_4, SPACE_1)
        row.setSpacing(SPACE_3)
        row.addLayout(query)
        row.addWidget(self.answers, 1)
        row.addWidget(self._problem, 1)
        row.addLayout(choices)
        self._problem.hide()
        self.body.setMaximumHeight(84)

    def panel_actions(self) -> list[QAction]:
        focus = QAction("Ask an analogy", self)
        focus.triggered.connect(self._ask)
        return [focus]

    def _ask(self) -> None:
        self.raise_requested.emit()
        self._fields[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show(self) -> None:
        """Take over the model that is looked at now."""
        record = self.session.shown
        embeddings = record.embeddings if record is not None else None
        if embeddings is self._embeddings:
            if embeddings is None:
                self.show_empty("king − man + woman = ?", "Train a model or open vectors, and ask it here.")
            return
        self._embeddings = embeddings
        if embeddings is None:
            self.session.show_analogy(None)
            self.answers.set_scores((), ())
            loading = record is not None and record.stored and record.error is None
            self.show_empty(
                "Loading the vectors …" if loading else "king − man + woman = ?",
                "" if loading else "Train a model or open vectors, and ask it here.",
            )
            return
        self.show_body()
        for field in self._fields:
            field.set_index(None)
        self.session.jobs.start(
            "Indexing words",
            lambda run: WordIndex(embeddings.words),
            self._set_index,
            key="analogy.index",
            quiet=True,
        )
        if not any(field.word for field in self._fields) and all(word in embeddings for word in _FIRST):
            for field, word in zip(self._fields, _FIRST, strict=True):
                field.set_word(word)
        self._answer()

    def _set_index(self, index: WordIndex) -> None:
        for field in self._fields:
            field.set_index(index)

    def _spread(self, field: WordField, words: list[str]) -> None:
        """Several words typed into one field go to it and to those after it."""
        start = self._fields.index(field)
        for place, word in zip(range(start, 3), words, strict=False):
            self._fields[place].set_word(word)
        self._answer()

    def _take(self, word: str) -> None:
        """A word double-clicked somewhere fills the next free field, or the next in turn."""
        free = [place for place, field in enumerate(self._fields) if not field.word]
        place = free[0] if free else self._next
        self._next = (place + 1) % 3
        self._fields[place].set_word(word)
        self._answer()

    def _exchange(self) -> None:
        b, c = self._fields[1].word, self._fields[2].word
        self._fields[1].set_word(c)
        self._fields[2].set_word(b)
        self._answer()

    def _answer(self) -> None:
        embeddings = self._embeddings
        a, b, c = (field.word for field in self._fields)
        if embeddings is None:
            return
        if not (a and b and c):
            self._tell("Type three words: a is to b as ? is to c.")
            return
        method, exclude = str(self.method.currentData()), self.exclude.isChecked()
        self.session.jobs.start(
            "Answering the analogy",
            lambda run: solve(embeddings, a, b, c, method, _ANSWERS, exclude),
            lambda answers: self._answered((a, b, c), answers),
            self._failed,
            key=self.key,
            quiet=True,
        )

    def _answered(self, query: tuple[str, str, str], answers: tuple[Answer, ...]) -> None:
        if not answers:
            self._tell("The vocabulary holds no other word.")
            return
        self._problem.hide()
        self.answers.show()
        for field in self._fields:
            field.mark(True)
        self.answers.set_scores([answer.word for answer in answers], [answer.score for answer in answers])
        self.answers.setAccessibleDescription(
            f"{query[0]} {MINUS} {query[1]} + {query[2]} = {answers[0].word}, {answers[0].score:.2f}"
        )
        self.session.show_analogy(AnalogyShown(*query, answers[0].word))

    def _failed(self, error: UserError) -> None:
        if isinstance(error, UnknownWord):
            for field in self._fields:
                field.mark(field.word != error.word)
        self._tell(str(error), is_error=True)

    def _tell(self, text: str, is_error: bool = False) -> None:
        self._problem.setText(text)
        self._problem.setToolTip(text)
        set_property(self._problem, "role", "error" if is_error else "muted")
        self.answers.set_scores((), ())
        self.answers.hide()
        self._problem.show()
        self.session.show_analogy(None)
