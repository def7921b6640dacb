"""The analogy bar: a − b + c = ?, answered as one types."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout

from workbench.analysis.analogy import Answer, solve
from workbench.analysis.queries import Query, find, suggestion
from workbench.core.errors import UnknownWord, UserError
from workbench.session.session import AnalogyShown
from workbench.ui.panel import Context, Panel
from workbench.ui.text import MINUS
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, TYPE_TITLE, body_font, set_property
from workbench.ui.widgets.editors import ChoiceBox
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.score_list import ScoreList
from workbench.ui.widgets.word_field import WordField, index_of
from workbench.ui.widgets.word_search import WordIndex
from workbench.vectors.embeddings import Embeddings

_METHODS = (
    ("3cosadd", "3CosAdd", "The word nearest to a − b + c."),
    ("3cosmul", "3CosMul", "Products instead of sums, so that no single term outweighs the others."),
)
# Shown first where the vocabulary has them.
_FIRST = ("king", "man", "woman")
_ANSWERS = 8
# Room for “woman” at least; words of ten letters are seen whole where there is room.
_FIELD_LEAST, _FIELD_MOST = 92, 132


@dataclass(frozen=True)
class _Indexed:
    """``first`` : whether the vocabulary has the words that are asked first."""

    index: WordIndex
    first: bool


@dataclass(frozen=True)
class _Solved:
    """``query`` as the vocabulary writes the words; ``unseen`` those of them made of their n-grams."""

    query: tuple[str, str, str]
    answers: tuple[Answer, ...]
    unseen: tuple[str, ...] = ()


class _UnknownWords(UserError):
    def __init__(self, words: list[str], embeddings: Embeddings) -> None:
        named = [f"“{word}”" for word in words]
        listed = f"{', '.join(named[:-1])} and {named[-1]} are" if len(named) > 1 else f"{named[0]} is"
        meant = suggestion(embeddings.words, words[0]) if len(words) == 1 else ""
        message = f"{listed} not in the vocabulary. {meant}".rstrip()
        super().__init__(message, "Check the spelling, or lower min_count and train again.")
        self.words = words


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
            field.setFont(body_font(TYPE_TITLE))
            field.setMinimumWidth(_FIELD_LEAST)
            field.setMaximumWidth(_FIELD_MOST)
            field.setPlaceholderText(local)
            field.entered.connect(lambda _: self._answer())
            field.overflow.connect(lambda words, field=field: self._spread(field, words))
        self.answers = self.named(ScoreList(self.theme, flowing=True), "answers", "Answers, best first")
        self.answers.picked.connect(lambda word: self.session.select([word]))
        self.answers.word_activated.connect(self.session.word_activated.emit)
        self.answers.opened.connect(self.session.word_activated.emit)
        self._problem = self.named(QLabel(), "problem", "What is wrong with the analogy")
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._note = self.named(ElidedLabel(), "unseen", "Words that are not in the corpus")
        self._note.setProperty("role", "small")
        self._note.setIndent(SPACE_2)
        self.method = self.named(ChoiceBox(), "method", "How analogies are answered")
        for value, name, tip in _METHODS:
            self.method.addItem(name, value)
            self.method.setItemData(self.method.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.method.setToolTip("3CosAdd: nearest to a − b + c. 3CosMul: products instead of sums.")
        self.method.currentIndexChanged.connect(lambda _: self._answer())
        self.exclude = self.named(
            QCheckBox("Skip query words"),
            "exclude",
            "Leave the three query words out of the answers",
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
        row = QHBoxLayout(self.body)
        row.setContentsMargins(SPACE_3, SPACE_1, SPACE_3, SPACE_1)
        row.setSpacing(SPACE_2)
        for sign, field in zip(("", MINUS, "+"), self._fields, strict=True):
            if sign:
                row.addWidget(_sign(sign))
            row.addWidget(field, 2)
        row.addWidget(self._swap)
        row.addWidget(_sign("="))
        choices = QVBoxLayout()
        choices.setSpacing(SPACE_1)
        choices.addStretch()
        choices.addWidget(self.method)
        choices.addWidget(self.exclude)
        choices.addStretch()
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.answers.setMinimumWidth(140)
        found = QVBoxLayout()
        found.setSpacing(0)
        found.addStretch()
        found.addWidget(self.answers)
        found.addWidget(self._note)
        found.addStretch()
        row.addLayout(found, 5)
        row.addWidget(self._problem, 5)
        row.addLayout(choices)
        self._problem.hide()
        self._note.hide()
        self.body.setMaximumHeight(84)

    def release(self) -> None:
        self._forget_questions()
        super().release()

    def panel_actions(self) -> list[QAction]:
        focus = QAction("Ask an analogy", self)
        focus.triggered.connect(self._ask)
        return [focus]

    def _ask(self) -> None:
        self.raise_requested.emit()
        self._fields[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- the model

    def _show(self) -> None:
        """Take over the model that is looked at now."""
        record = self.session.shown
        embeddings = record.embeddings if record is not None else None
        if embeddings is None:
            self._forget_questions()
            self._embeddings = None
            self.answers.set_scores((), ())
            self.session.show_analogy(None)
            if record is not None and record.stored and record.error is None:
                self.show_busy("Loading the vectors …")
            else:
                self.show_empty(
                    f"king {MINUS} man + woman = ?", "Train a model, open vectors or click a run; then ask here."
                )
            return
        if embeddings is self._embeddings:
            return
        self._embeddings = embeddings
        self.show_body()
        for field in self._fields:
            field.set_index(None)
        self.session.jobs.start(
            "Indexing words",
            lambda run: _Indexed(index_of(embeddings), all(word in embeddings for word in _FIRST)),
            self._indexed,
            key=f"{self.key}.index",
            quiet=True,
        )
        self._answer()

    def _indexed(self, indexed: _Indexed) -> None:
        for field in self._fields:
            field.set_index(indexed.index)
        if indexed.first and not any(field.word or field.typing for field in self._fields):
            for field, word in zip(self._fields, _FIRST, strict=True):
                field.set_word(word)
            self._answer()

    def _forget_questions(self) -> None:
        for key in (self.key, f"{self.key}.index"):
            self.session.jobs.drop(key)

    # -- the question

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

    # -- the answer

    def _answer(self) -> None:
        embeddings = self._embeddings
        if embeddings is None:
            return
        words = (self._fields[0].word, self._fields[1].word, self._fields[2].word)
        if not all(words):
            self.session.jobs.drop(self.key)
            self._tell("Three words: what is to c as a is to b?")
            return
        method, exclude = str(self.method.currentData()), self.exclude.isChecked()
        self.session.jobs.start(
            "Answering the analogy",
            lambda run: _solve(embeddings, words, method, exclude),
            self._answered,
            self._failed,
            key=self.key,
            quiet=True,
        )

    def _answered(self, solved: _Solved) -> None:
        if not solved.answers:
            self._tell("The vocabulary holds no other word.")
            return
        self._problem.hide()
        self.answers.show()
        for field in self._fields:
            field.mark(True)
        (a, b, c), best = solved.query, solved.answers[0]
        self.answers.set_scores([answer.word for answer in solved.answers], [answer.score for answer in solved.answers])
        self.answers.setAccessibleDescription(f"{a} {MINUS} {b} + {c} = {best.word}, {best.score:.2f}")
        self._note.put(_composed(solved.unseen))
        self._note.setVisible(bool(solved.unseen))
        # Maps have no place for a word that is not in the vocabulary.
        self.session.show_analogy(None if solved.unseen else AnalogyShown(a, b, c, best.word))

    def _failed(self, error: UserError) -> None:
        unknown = error.words if isinstance(error, _UnknownWords) else ()
        for field in self._fields:
            field.mark(field.word not in unknown)
        self._tell(error.message, error.hint, is_error=True)

    def _tell(self, text: str, hint: str = "", *, is_error: bool = False) -> None:
        self._problem.setText(text)
        self._problem.setToolTip(hint)
        set_property(self._problem, "role", "error" if is_error else "muted")
        self.answers.set_scores((), ())
        self.answers.setAccessibleDescription("")
        self.answers.hide()
        self._note.hide()
        self._problem.show()
        self.session.show_analogy(None)


def _composed(unseen: tuple[str, ...]) -> str:
    """Which words are made of their n-grams, in one sentence."""
    named = [f"“{word}”" for word in unseen]
    if len(named) < 2:
        return f"{''.join(named)} is not in the corpus: made of its n-grams."
    return f"{', '.join(named[:-1])} and {named[-1]} are not in the corpus: made of their n-grams."


def _sign(text: str) -> QLabel:
    sign = QLabel(text)
    sign.setProperty("role", "title")
    return sign


def _solve(embeddings: Embeddings, words: tuple[str, str, str], method: str, exclude: bool) -> _Solved:
    unknown: list[str] = []
    queries: list[Query] = []
    for word in words:
        try:
            queries.append(find(embeddings, word))
        except UnknownWord:
            unknown.append(word)
    if unknown:
        raise _UnknownWords(list(dict.fromkeys(unknown)), embeddings)
    a, b, c = (query.word for query in queries)
    unseen = tuple(dict.fromkeys(query.word for query in queries if query.unseen))
    return _Solved((a, b, c), solve(embeddings, a, b, c, method, _ANSWERS, exclude), unseen)
