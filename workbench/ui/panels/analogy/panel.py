"""The analogy bar: a − b + c = ?, answered while you type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox

from workbench.analysis.analogy.rare_words import Occurrences
from workbench.analysis.analogy.solved import SolvedAnalogy, solved_analogies
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.session.selection.words import AnalogyShown
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import MINUS, true_minus
from workbench.ui.base.theme import SPACE_2, SPACE_3, set_property
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.analogy import AnalogyKind
from workbench.ui.panels.analogy.answers import (
    METHODS,
    AnalogyResult,
    answer_notes,
    as_csv,
    as_text,
    solve_analogy,
)
from workbench.ui.panels.analogy.ground import GROUND_LINE, MOST_OFFERS, GroundLine
from workbench.ui.panels.analogy.menu import AnalogyMenu
from workbench.ui.panels.analogy.question import COUNTS_LINE, Question
from workbench.ui.panels.analogy.slide import AnalogySlide, sign_label
from workbench.ui.widgets.inputs.query_history import Asked, QueryHistory
from workbench.ui.widgets.inputs.word_field import index_of
from workbench.ui.widgets.inputs.word_search import WordIndex
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.score_list import ScoreFlow
from workbench.vectors.embeddings import Embeddings

_FIRST = (("king", "man", "woman"), ("könig", "mann", "frau"))
_APART = "relations"
# Maximum height of the bar, twice as high if it has two rows.
_TALL = 48
_NO_LIMIT = 10_000


@dataclass(frozen=True)
class _IndexedWords:
    """``first`` : an initial question whose words the vocabulary has, or ()"""

    index: WordIndex
    first: tuple[str, ...]


@dataclass(frozen=True)
class AnalogyState(PanelState):
    """words : three words, or an empty tuple; exclude : whether the query words are no answers"""

    words: tuple[str, ...] = choice(())
    method: str = choice("3cosadd", allowed=[value for value, _, _ in METHODS])
    exclude: bool = choice(True)


class AnalogyPanel(AnalogyKind, Panel):
    """Three words and the best answers, with or without the query words."""

    state_kind = AnalogyState
    view_state: AnalogyState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._embeddings: Embeddings | None = None
        self._next = 0
        self._result: AnalogyResult | None = None
        jobs = self.session.jobs
        self._answering = ResultJob(jobs, self.key)
        self._indexing = ResultJob(jobs, f"{self.key}.index")
        self._solving = ResultJob(jobs, f"{self.key}.solved")
        self._history = QueryHistory()
        self._question = Question(self.key, self._history)
        self._question.asked.connect(self._question_asked)
        self.answers = self.named(
            ScoreFlow(self.theme), "answers", tr("Answers, sorted best first")
        )
        self.answers.picked.connect(lambda word: self.session.selection.select([word]))
        self.answers.double_clicked.connect(self.session.requests.analogy_word.emit)
        self.answers.opened.connect(self.session.requests.analogy_word.emit)
        self._problem = self.named(
            kit.ElidedLabel(lines=2), "problem", tr("Problem with the analogy")
        )
        self._note = kit.with_role(kit.ElidedLabel(), "small")
        self.named(self._note, "unseen", tr("Words missing from the corpus"))
        self._note.setIndent(SPACE_2)
        self.method = self.named(
            kit.ChoiceBox.of(
                {value: name for value, name, _ in METHODS}, tips=[tip for _, _, tip in METHODS]
            ),
            "method",
            tr("Analogy method"),
            tr("3CosAdd: nearest to a − b + c. 3CosMul: products instead of sums."),
        )
        self.bind(self.method, "method")
        self.exclude = self.named(
            QCheckBox(tr("Skip query words")),
            "exclude",
            tr("Exclude the three query words from the answers"),
            tr(
                "The standard rule. If off, the nearest word is often one of the three query words."
            ),
        )
        self.bind(self.exclude, "exclude")
        question = self._question
        self.bound.bind_to(
            "words",
            question.fields,
            lambda: question.words if any(question.words) else (),
            lambda words: question.put(words or ("", "", "")),
        )
        self._make_menu()
        self._presented, self._slide = False, AnalogySlide(self.key)
        self.ground = GroundLine()
        self.ground.asked.connect(self._question.ask)
        # Analogies that the model solves; None before they were asked for.
        self._solved: tuple[SolvedAnalogy, ...] | None = None
        self._build()
        self.follow(self.session.active.changed, self._show_model)
        self._show_model()

    def _make_menu(self) -> None:
        self._why = self.named(
            kit.text_button(
                tr("Why?"), role="quiet", pressed=lambda: self.context.bridge.wanted.emit(_APART)
            ),
            "why",
            tr("Explain these answers"),
            tr(
                "Explain the answers: the contribution of each term, and the answers without "
                "vector arithmetic"
            ),
        )
        self._menu = AnalogyMenu(self._history, self.method, self)
        self._more = self.named(
            # Not the button's own menu, whose arrow would take room from the answers.
            kit.text_button("…", role="quiet", pressed=self._open_menu),
            "more",
            tr("More about analogies"),
            tr("Candidates, recent analogies (↑ ↓ in a field), copy"),
        )
        self._menu.restricted.connect(self._answer_question)
        self._menu.again.connect(lambda question: self._question.ask(*question))
        self._menu.apart.triggered.connect(self._why.click)
        self._menu.influence.triggered.connect(lambda _=False: self._ask_influence())
        self._export = Export(
            self,
            self.session,
            tr("Answers of the analogy"),
            "analogy",
            texts=csv(self._answers_csv),
        )
        self._menu.copy_text.triggered.connect(lambda: self._copy_answers(as_text))
        self._menu.copy_csv.triggered.connect(lambda: self._copy_answers(as_csv))

    def _build(self) -> None:
        self._equals = sign_label("=")
        self._answer_row = kit.row(
            self._equals,
            kit.stretch(kit.set_scaled_size(self.answers, least_width=110), 6),
            kit.stretch(self._problem, 6),
            kit.stretch(self._note, 2),
            self.method,
            self.exclude,
            self._why,
            self._more,
        )
        # One below the other if the bar is narrow.
        self._rows = kit.row(kit.stretch(self._question), kit.stretch(self._answer_row, 2))
        rows = (self._rows, self.ground, kit.stretch(self._slide))
        kit.fill(self.body, kit.column(*rows, gap=0, margins=(kit.SPACE_3, kit.SPACE_1)))
        self._problem.hide()
        self._note.hide()
        set_scaled_size(self.body, most_height=self._height)
        self.body.installEventFilter(self)

    def place_origin(self, title: QBoxLayout | None, at: int = 0) -> None:
        """State it between answers and choices: the bar has no room for a line above."""
        super().place_origin(title, at)
        if title is None:
            self._answer_row.insertWidget(self._answer_row.count() - 1, self.origin, 3)
            self.origin.lie_in_title(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._arrange_rows()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arrange_rows()

    def _arrange_rows(self) -> None:
        """Place the answers beside the question, and leave out controls that don't fit; if the row
        is still too long, place the answers below it.
        """
        room = self.width() - 2 * SPACE_3 - self._question.minimumSizeHint().width()
        for place in range(self._answer_row.count()):
            item = self._answer_row.itemAt(place)
            if item is None or item.isEmpty() or item.widget() in (self.method, self._why):
                continue
            room -= item.minimumSize().width() + SPACE_2
        beside = room >= 0
        if not self._problem.isHidden():
            # A problem is read before the choices are of use.
            room -= self._problem.fontMetrics().horizontalAdvance(self._problem.whole)
        # A narrow bar leaves out what the menu offers, too.
        for widget in (self.method, self._why):
            room -= widget.sizeHint().width() + SPACE_2
            widget.setVisible(room >= 0 or not beside)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._rows.direction() != direction:
            self._rows.setDirection(direction)
            self._fit_height()

    @property
    def _height(self) -> int:
        """Height of the rows in unscaled pixels."""
        height = _TALL
        if self._rows.direction() == QBoxLayout.Direction.TopToBottom:
            height *= 2
        if self._question.has_counts:
            height += COUNTS_LINE
        if not self.ground.isHidden():
            height += GROUND_LINE
        return height

    def set_presented(self, on: bool) -> None:
        self._presented = on
        self._show_slide()

    def _show_slide(self) -> None:
        """Show the answers in large letters during a presentation, in place of the bar’s own."""
        if shown := self._presented and self._result is not None:
            self._slide.put(self._result)
        self._slide.setVisible(shown)
        self.answers.setVisible(self._result is not None and not shown)
        self._equals.setMaximumHeight(0 if shown else _NO_LIMIT)
        self._question.give_way(shown)
        self._fit_height()

    def _fit_height(self) -> None:
        most = _NO_LIMIT if self._slide.isVisibleTo(self.body) else self._height
        set_scaled_size(self.body, most_height=most)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The height of its rows; a notice in their place has the same height."""
        return QSize(super().sizeHint().width(), scaled_length(self._height))

    def release(self) -> None:
        self._forget_questions()
        super().release()

    def ask(self) -> None:
        self.raise_requested.emit()
        self._question.fields[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- the model

    def _show_model(self) -> None:
        """Use the model of the active run."""
        record, embeddings = self.session.active.run, self.session.active.embeddings
        if embeddings is None:
            self._forget_questions()
            self._embeddings = None
            self._result = None
            self.answers.set_scores((), ())
            self.session.selection.show_analogy(None)
            self.show_no_vectors(
                record,
                tr("king {minus} man + woman = ?", minus=MINUS),
                tr("Then enter three words. Answers are sorted best first."),
            )
            return
        if embeddings is self._embeddings:
            return
        self._embeddings, self._solved = embeddings, None
        self._solving.forget()
        self._show_ground(())
        self.show_body()
        self._question.set_index(None)
        self._indexing.ask(
            Request(
                (embeddings,),
                tr("Indexing words"),
                lambda run: _IndexedWords(
                    index_of(embeddings),
                    next(
                        (words for words in _FIRST if all(word in embeddings for word in words)),
                        (),
                    ),
                ),
                self._indexing_finished,
                quiet=True,
            )
        )
        # Words that the model before didn't have are back in their fields.
        if self.view_state.words:
            self._question.put(self.view_state.words)
        self._answer_question(standing=True)

    def _indexing_finished(self, indexed: _IndexedWords) -> None:
        self._question.set_index(indexed.index)
        if indexed.first and self._question.untouched and not self.view_state.words:
            self._question.ask(*indexed.first)

    def _forget_questions(self) -> None:
        for job in (self._answering, self._indexing, self._solving):
            job.forget()

    # -- the question

    def _fill_next_field(self, word: str) -> None:
        """Put a double-clicked word into the next empty field, or if all are full, into the next in
        turn.
        """
        before, turn = self._question.words, self._next
        place = next((place for place, word in enumerate(before) if not word), turn)
        self._next = (place + 1) % 3
        after = (*before[:place], word, *before[place + 1 :])
        if after == before:
            return
        self._ask_words(*after)
        undo = self.session.undo
        change = undo.push(
            tr("“{word}” in the analogy", word=word),
            lambda: self._take_back(before, turn),
            lambda: self._ask_words(*after),
            owner=self,
        )
        self.context.bridge.offer(
            tr(
                "“{word}” is now word {letter} of the analogy.",
                word=word,
                letter="abc"[place],
            ),
            tr("Undo"),
            partial(undo.revert, change),
            partial(undo.is_applied, change),
        )

    def _take_back(self, words: Asked, turn: int) -> None:
        self._next = turn
        self._ask_words(*words)

    def _open_menu(self) -> None:
        size = self._menu.sizeHint()
        corner = self._more.mapToGlobal(self._more.rect().topRight())
        self._menu.popup(corner - QPoint(size.width(), size.height()))

    def _ask_influence(self) -> None:
        """Rank the lines behind the margin of the last answer."""
        analogy = self.session.selection.answered_analogy
        if analogy is None:
            self.ask()
        else:
            self.session.requests.influence.emit((analogy.a, analogy.b, analogy.c))

    def _ask_words(self, a: str, b: str, c: str) -> None:
        """Ask a question as if it had been typed."""
        self._question.ask(a, b, c)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the content, whose minimum height changes inside the scroll area without a
        signal.
        """
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange_rows()
        return super().eventFilter(watched, event)

    # -- the answer

    def state_changed(self, before: AnalogyState, after: AnalogyState) -> None:
        self._answer_question()

    def _question_asked(self) -> None:
        if not self.bound.take("words"):
            self._answer_question()

    def _answer_question(self, *, standing: bool = False) -> None:
        """``standing``: the question was asked of another model before, and is now asked of this
        one.
        """
        embeddings = self._embeddings
        if embeddings is None:
            return
        words = self._question.words
        if not all(words):
            self._answering.forget()
            self._show_problem(tr("Type three words. Which word is to c as a is to b?"))
            return
        method, exclude, restrict = (
            self.view_state.method,
            self.view_state.exclude,
            self._menu.restrict,
        )
        self._answering.ask(
            Request(
                # Each is a new one: asked again, the answer is that of all panels again.
                (object(),),
                tr("Solving the analogy"),
                lambda run: solve_analogy(embeddings, words, method, exclude, restrict),
                self._show_answers,
                quiet=True,
                failed=self._standing_question_failed if standing else self._answering_failed,
            )
        )

    def _show_answers(self, found: AnalogyResult) -> None:
        if not found.answers:
            self._show_problem(tr("The vocabulary contains no other word."))
            return
        self._problem.hide()
        if self.isVisible():
            self._arrange_rows()
        self._question.mark()
        (a, b, c), best = found.query, found.answers[0]
        self.answers.set_scores(
            [answer.word for answer in found.answers], [answer.score for answer in found.answers]
        )
        self.answers.setAccessibleDescription(
            f"{a} {MINUS} {b} + {c} = {best.word}, {true_minus(f'{best.score:.2f}')}"
        )
        self._result = found
        self._show_slide()
        self._history.add(found.query)
        self._note.put(answer_notes(found))
        self._note.setVisible(bool(self._note.whole))
        self._show_ground(found.counted)
        shown = AnalogyShown(a, b, c, best.word, found.method, found.exclude, found.restrict)
        # Maps can't place a word that is not in the vocabulary.
        self.session.selection.show_analogy(shown, unseen=bool(found.unseen))

    def _show_ground(
        self, counted: Sequence[Occurrences], lacking: bool = False, advice: str = ""
    ) -> None:
        """Show how often the words occur, and other questions if the model can't answer this one.

        lacking : a word isn't in the vocabulary
        advice : what to do about an error
        """
        self._question.show_counts(counted)
        few = [one for one in counted if one.few]
        self.answers.fade(bool(few))
        if advice:
            self.ground.show_advice(advice)
        else:
            self.ground.show_few(few)
        if few or lacking:
            self._offer_solved()
        self.ground.setVisible(bool(few or advice) or (lacking and bool(self._solved)))
        margin = scaled_length(COUNTS_LINE) if counted else 0
        self._answer_row.setContentsMargins(0, 0, 0, margin)
        self._fit_height()

    def _offer_solved(self) -> None:
        """Find analogies that the model solves, once for each model."""
        embeddings = self._embeddings
        if embeddings is None:
            return
        if self._solved is not None:
            self.ground.offer(self._solved)
            return

        def show_solved(found: tuple[SolvedAnalogy, ...]) -> None:
            self._solved = found
            self.ground.offer(found)
            if found and (self._result is None or self._result.few):
                self.ground.show()
                self._fit_height()

        title = tr("Finding analogies that this model solves")
        work = lambda run: solved_analogies(embeddings, MOST_OFFERS, run=run)  # noqa: E731
        self._solving.ask(Request((embeddings,), title, work, show_solved, quiet=True))

    def _standing_question_failed(self, error: UserError) -> None:
        """Show a hint, not an error: the question was asked of another model. Unknown words leave
        their fields until a model with all of them is active.
        """
        self._question.mark()
        if isinstance(error, UnknownWord):
            words = self._question.words
            self._question.put([word if word not in error.words else "" for word in words])
        self._show_problem(
            error.message, tr("Use words from the vocabulary of this run."), lacking=True
        )

    def _answering_failed(self, error: UserError) -> None:
        unknown: tuple[str, ...] = error.words if isinstance(error, UnknownWord) else ()
        self._question.mark(unknown)
        self._show_problem(error.message, error.hint, is_error=True)

    def _show_problem(
        self, text: str, hint: str = "", *, is_error: bool = False, lacking: bool = False
    ) -> None:
        """``lacking``: a word isn't in the vocabulary."""
        self._problem.put(text)
        self._problem.setToolTip(safe_tip(f"{text}\n{hint}".strip()))
        set_property(self._problem, "role", "error" if is_error else "muted")
        self.answers.set_scores((), ())
        self.answers.setAccessibleDescription("")
        self._note.hide()
        self._problem.show()
        self._result = None
        self._show_slide()
        # The row has room for what is wrong, the line below it for what to do.
        advice = hint if is_error else ""
        self._show_ground((), lacking=lacking or all(self._question.words), advice=advice)
        if self.isVisible():
            self._arrange_rows()
        self.session.selection.show_analogy(None)

    @property
    def lack(self) -> str:
        return super().lack if self._result is not None else tr("No answers yet")

    def exporters(self) -> Sequence[Exporter]:
        return (self._export,)

    def _answers_csv(self) -> str:
        return "" if self._result is None else as_csv(self._result)

    def _copy_answers(self, written: Callable[[AnalogyResult], str]) -> None:
        if self._result is None:
            self.session.message.emit(tr("No answers to copy yet."), "", False)
            return
        QGuiApplication.clipboard().setText(written(self._result))
        self.session.message.emit(tr("Copied the answers."), "", False)
