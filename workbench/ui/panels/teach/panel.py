"""Teach panel: lines typed for a word, and the vector, neighbours and contexts that follow."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from workbench.analysis.rows.still_model import TAUGHT, hold_still
from workbench.analysis.teach.added_word import was_taught
from workbench.analysis.teach.teaching import Taught, Teacher
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond
from workbench.session.requests import TaughtPlace
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.taught import TaughtLines
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_2
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.teach import TeachKind
from workbench.ui.panels.teach.figure import figure_size, paint_figure
from workbench.ui.panels.teach.texts import cautions, context_columns, facts, neighbour_columns
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import unit_rows
from workbench.vectors.own_contexts import no_product_of_words

_WORD = Setting("teach.word", str, "")
_LINES = Setting("teach.lines", str, "")
# Draws of a vector's uncertainty on the map; characters that are read.
_DRAWS, _MOST = 30, 100_000
_ADDED, _INSTEAD = "added", "instead"


@dataclass(frozen=True)
class TeachState(PanelState):
    """The word and its lines, and whether those of a known word in the text count, too."""

    word: str = choice(setting=_WORD, typed=True)
    lines: str = choice(setting=_LINES, typed=True)
    mode: str = choice(_ADDED, allowed=(_ADDED, _INSTEAD))


class _Classroom:
    """A model that is held still, and its teacher, which one thread uses at a time."""

    def __init__(self, embeddings: Embeddings, corpus: Corpus | None, run: JobControl) -> None:
        self._teacher = Teacher(hold_still(embeddings, corpus, run))
        self._lock = threading.Lock()

    def teach(self, lesson: TaughtLines, run: JobControl) -> Taught:
        with self._lock:
            run.check()
            return self._teacher.teach(lesson.word, lesson.lines, instead=lesson.instead, run=run)


@dataclass(frozen=True, eq=False)
class _Shown:
    """What was learned, and what to show on the map."""

    lesson: TaughtLines
    taught: Taught
    place: TaughtPlace


class TeachPanel(TeachKind, Panel):
    """Lines above, and below them what the model makes of the word. What was typed is saved while
    it is typed.
    """

    state_kind = TeachState
    view_state: TeachState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._classroom: _Classroom | None = None
        self._model: tuple[Embeddings | None, Corpus | None] = (None, None)
        self.shown: _Shown | None = None
        self._name_widgets()
        self._build()
        self._connect()
        self._refresh()

    # -- building

    def _name_widgets(self) -> None:
        self.word = self.named(
            QLineEdit(),
            "word",
            tr("Word to teach"),
            tr("A new word, or a known one to see in other lines"),
        )
        self.word.setPlaceholderText(tr("new word, such as blicket"))
        self.word.setMaxLength(200)
        known = {_ADDED: tr("and its lines in the text"), _INSTEAD: tr("in these lines alone")}
        self.mode = self.named(
            kit.ChoiceBox.of(known, _ADDED),
            "mode",
            tr("Lines of a known word"),
            tr("Add the lines of the text, or forget them"),
        )
        self.lines = self.named(
            QPlainTextEdit(),
            "lines",
            tr("Lines with the word"),
            tr("One sentence per line. Each must contain the word."),
        )
        self.lines.setPlaceholderText(
            tr("Type or paste lines that contain the word, one sentence per line.")
        )
        self.lines.setTabChangesFocus(True)
        kit.set_scaled_size(self.lines, least_height=84)
        self.fact = self.named(
            kit.label(role="small", wrap=True), "fact", tr("Lines that were read")
        )
        self.caution = self.named(
            kit.label(role="muted", wrap=True), "caution", tr("How far to trust it")
        )
        self.neighbours = kit.table(
            self,
            "neighbours",
            tr("Nearest words, best first"),
            tr(
                "The line through the dot is one standard error of the cosine on each side, a "
                "lower bound."
            ),
        )
        self.contexts = kit.table(
            self,
            "contexts",
            tr("Contexts of the word, by PMI"),
            tr("Words beside it, how often in expectation, and their PMI in nats"),
        )
        self.add = self.named(
            kit.button(tr("Add to model"), pressed=self.add_to_model),
            "add",
            tr("Add the word to the model"),
            tr("Make a new run that has the word"),
        )
        self.export = Export(
            self,
            self.session,
            tr("A taught word"),
            "taught",
            lambda: figure_size(self.shown.taught if self.shown else None),
            lambda painter: paint_figure(painter, self.shown.taught if self.shown else None),
            csv(self.table),
            ready=lambda: self.shown is not None,
        )

    def _build(self) -> None:
        export = kit.export_button(self, lambda: self.export)
        top = kit.row(kit.stretch(self.word), self.mode, gap=SPACE_1)
        found = kit.column(
            self.fact,
            kit.stretch(self.neighbours, 3),
            kit.stretch(self.contexts, 2),
            self.caution,
            kit.bar(self.add, kit.stretch(), export),
        )
        self.result = ResultView(self, f"{self.key}.work", f"{self.key}.here", kit.box(found))
        page = kit.column(
            top,
            kit.stretch(self.lines, 1),
            kit.stretch(self.result, 4),
            margins=(SPACE_2, SPACE_2),
        )
        kit.fill(self.body, page)
        kit.set_scaled_size(self, least_width=220)

    def _connect(self) -> None:
        self.bind(self.word, "word", by=[self.word.textChanged])
        self.bind_controls(lines=self.lines, mode=self.mode)
        for table in (self.neighbours, self.contexts):
            table.picked.connect(lambda word: self.session.selection.select([word]))
            table.double_clicked.connect(self.session.requests.analogy_word.emit)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.corpora.changed, self._refresh)
        self.result.on_clear(self._clear)
        self.result.on_failed(self._describe_failure)

    # -- what is typed

    def state_changed(self, before: TeachState, after: TeachState) -> None:
        self._refresh()

    def teach(self, word: str) -> None:
        """Put a word into the field, and go to the lines."""
        self.raise_requested.emit()
        if word:
            self.word.setText(word)
        self.lines.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def teach_selected(self) -> None:
        self.teach(self.session.selection.focus or "")

    # -- the model

    def _corpus_of(self, record: RunRecord, embeddings: Embeddings) -> Corpus | None:
        """The open text if the run was trained on it; a run with a taught word has other counts."""
        corpus = self.session.corpora.text
        if corpus is None or TAUGHT in embeddings.metadata:
            return None
        return corpus if bond(record, corpus) is Bond.SAME else None

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if record is None or embeddings is None:
            self.result.forget()
            self._clear()
            self.show_no_vectors(
                record,
                tr("No model to teach yet"),
                tr("Then type lines with a new word to see its vector."),
            )
            return
        self.show_body()
        corpus = self._corpus_of(record, embeddings)
        word, text = self.view_state.word.strip(), self.view_state.lines
        known = bool(word) and embeddings.find(word) is not None
        self.mode.setVisible(known and corpus is not None)
        missing = no_product_of_words(embeddings)
        if missing is not None:
            self.result.show_message(missing.message, missing.hint)
        elif not word:
            self.result.show_message(
                tr("Which word?"), tr("Type a new word above, then lines that contain it.")
            )
        elif not text.strip():
            self.result.show_message(
                tr("No lines yet"),
                tr("Type a sentence with “{word}” to see what the model makes of it.", word=word),
            )
        elif len(text) > _MOST:
            self.result.show_message(
                tr("Too many lines"),
                tr("Keep at most {number} characters.", number=count(_MOST)),
            )
        else:
            self._ask(record, embeddings, corpus, word, text)

    def _ask(
        self,
        record: RunRecord,
        embeddings: Embeddings,
        corpus: Corpus | None,
        word: str,
        text: str,
    ) -> None:
        if self._model[0] is not embeddings or self._model[1] is not corpus:
            self._model, self._classroom = (embeddings, corpus), None
        classroom = self._classroom
        if classroom is None:
            # Counts once; what is typed meanwhile doesn't begin again.
            self.result.ask(
                Request(
                    ("still", embeddings, corpus),
                    tr("Preparing {name} for new lines", name=record.name),
                    lambda run: _Classroom(embeddings, corpus, run),
                    self._prepared,
                    doing=tr("Counting the pairs of the text…"),
                )
            )
            return
        self.context.bridge.hurry()
        instead = corpus is None or self.view_state.mode == _INSTEAD
        lesson = TaughtLines(word, tuple(text.split("\n")), instead)

        def learn(run: JobControl) -> _Shown:
            taught = classroom.teach(lesson, run)
            return _Shown(lesson, taught, _place_of(record, taught))

        self.result.ask(
            Request(
                ("teach", embeddings, corpus, word, text, instead),
                tr("Teaching “{word}”", word=word),
                learn,
                self._show,
                doing=tr("Teaching…"),
                quiet=True,
            )
        )

    def _prepared(self, classroom: _Classroom) -> None:
        self._classroom = classroom
        self._refresh()

    # -- results

    def _show(self, shown: _Shown) -> None:
        self.shown = shown
        taught = shown.taught
        model = self._model[0]
        earlier = model is not None and was_taught(model, taught.word)
        self.fact.setText(facts(taught, alone=shown.lesson.instead, earlier=earlier))
        self.caution.setText(cautions(taught, earlier=earlier))
        self.neighbours.set_columns(neighbour_columns(taught))
        self.contexts.set_columns(context_columns(taught))
        self.contexts.setVisible(bool(taught.contexts))
        self.session.requests.taught.emit(shown.place)

    def _clear(self) -> None:
        if self.shown is not None:
            self.shown = None
            self.session.requests.taught.emit(None)

    def _describe_failure(self, error: UserError) -> UserError | None:
        """Lines that aren't complete are no error: the message says what to type."""
        if self._classroom is None:
            return error
        self.result.show_message(error.message, error.hint)
        return None

    @property
    def lack(self) -> str:
        """What is missing, also in place of the result."""
        return super().lack or self.result.lack

    # -- a run with the word

    def why_not_add(self) -> str:
        """Why the word can't be added now, or ""."""
        if self.shown is None:
            return tr("Type a word and lines that contain it first.")
        return ""

    def add_to_model(self) -> None:
        record, embeddings, shown = (
            self.session.active.run,
            self.session.active.trained,
            self.shown,
        )
        if record is not None and embeddings is not None and shown is not None:
            corpus = self._corpus_of(record, embeddings)
            self.session.runs.teach(record, shown.lesson, corpus)

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        return (self.export,) if self.shown is not None else ()

    def table(self) -> str:
        """The neighbours with their standard errors, then the contexts, as CSV."""
        if self.shown is None:
            return ""
        taught = self.shown.taught
        rows: list[list[Cell]] = [
            ["neighbour", one.word, one.cosine, float(error), None, None]
            for one, error in zip(taught.neighbours, taught.errors, strict=True)
        ]
        rows += [["context", one.word, None, None, one.count, one.pmi] for one in taught.contexts]
        return to_csv(["list", "word", "cosine", "standard error", "count", "PMI"], rows)


def _place_of(record: RunRecord, taught: Taught) -> TaughtPlace:
    """The vector and draws from its uncertainty, at length 1."""
    vectors = taught.vector[None]
    if taught.word_row.covariance is not None:
        vectors = np.concatenate([vectors, taught.cloud(_DRAWS)])
    name = taught.word
    if taught.known:
        name = tr("{word} (taught)", word=name)
    return TaughtPlace(record.identifier, taught.word, name, unit_rows(vectors).astype(np.float32))
