"""Inspector panel: facts about the selected word in the text, in training and in the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QPushButton, QWidget

from workbench.analysis.neighbours.shared_contexts import (
    Contexts,
    ContextSettings,
    contexts_in_text,
)
from workbench.analysis.neighbours.word_facts import Inspection, inspect_word
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr, trn
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.concordance import Concordance, concordance
from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.inspector import InspectorKind
from workbench.ui.panels.inspector.word_facts import (
    WordFacts,
    context_rows,
    path_rows,
    path_summary,
)
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.concordance_pane import LONG
from workbench.ui.widgets.tables.concordance_view import ConcordanceView
from workbench.ui.widgets.tables.ngram_rows import ngram_rows
from workbench.ui.widgets.tables.row_list import ListRow, RowList
from workbench.ui.widgets.tables.score_list import shown_score

_NEIGHBOURS, _CONTEXTS, _LINES = 10, 12, 8
_LINE = 24
_WIDTH = 8


@dataclass(frozen=True)
class _TextFindings:
    contexts: Contexts | None
    problem: str
    lines: Concordance | None


@dataclass(frozen=True)
class InspectorState(PanelState):
    """order : of the contexts"""

    order: str = choice("pmi", allowed=("pmi", "count"))


class InspectorPanel(InspectorKind, Panel):
    """Page of facts about one word; each word on it can be clicked."""

    state_kind = InspectorState
    view_state: InspectorState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        jobs, key = self.session.jobs, self.key
        self._inspecting = ResultJob(jobs, key, self.isVisible)
        self._reading = ResultJob(jobs, f"{key}.text", self.isVisible)
        self._reading.on_failed(
            lambda error: self._show_text_findings(_TextFindings(None, error.message, None))
        )
        self._history = self.session.selection.history
        # The word whose page was shown last.
        self._known = ""
        self._back = self._add_action(
            tr("Back to the previous word"), lambda: self._go_to(self._history.go_back())
        )
        self._forward = self._add_action(
            tr("Forward to the next word"), lambda: self._go_to(self._history.go_forward())
        )
        self._build()
        self._export = Export(
            self,
            self.session,
            tr("Facts about the selected word"),
            "word",
            texts=csv(self._page_table),
        )
        kit.set_scaled_size(self, least_width=220)
        for event in (
            self.session.selection.changed,
            self.session.active.changed,
            self.session.corpora.changed,
        ):
            self.follow(event, self._focus_changed)
        self._focus_changed()

    def _add_action(self, text: str, slot: object) -> QAction:
        action = QAction(menu_text(text), self)
        action.triggered.connect(lambda _=False: slot())  # type: ignore[operator]
        return action

    # -- building

    def _build(self) -> None:
        self.back = self._arrow_button("←", "back", self._back)
        self.forward = self._arrow_button("→", "forward", self._forward)
        self._word = kit.with_role(kit.ElidedLabel(), "title", f"{self.key}.word")
        self._note = kit.label(role="muted", name=f"{self.key}.note", wrap=True)
        self.facts = WordFacts(f"{self.key}.facts")
        self.neighbours = self._word_rows("neighbours", tr("Nearest words by cosine"))
        self.contexts = self._word_rows("contexts", tr("Contexts of the word in the corpus"))
        self.ngrams = self._word_rows("ngrams", tr("Contribution of each n-gram to the vector"))
        self.path = self._word_rows("path", tr("Path to the word in the Huffman tree"))
        self.lines = self.named(
            ConcordanceView(self.theme), "lines", tr("Concordance lines of the word")
        )
        self.lines.picked.connect(self._select_word)
        self.all_lines = self.named(
            kit.button(
                role="link",
                pressed=lambda: self.session.requests.lines.emit(self._word.whole, ""),
            ),
            "all_lines",
            tr("Show all lines in the Corpus panel"),
        )
        self._note_box = _indented_box(self._note)
        self._sections: dict[str, tuple[QLabel, QWidget]] = {}
        page = kit.column(
            self._note_box,
            _indented_box(self.facts),
            self._section("neighbours", tr("NEIGHBOURS"), self.neighbours),
            self._section("contexts", tr("CONTEXTS"), self.contexts, self._order_box()),
            self._section("lines", tr("LINES"), self.lines, self.all_lines),
            self._section("ngrams", tr("N-GRAMS"), self.ngrams),
            self._section("path", tr("PATH IN THE TREE"), self.path),
            kit.stretch(share=1),
            gap=SPACE_1,
            margins=(0, 0, SPACE_1, SPACE_3),
        )
        self._page = kit.box(page)
        scroll = self.named(kit.scroll(self._page), "page", tr("Details of the word"))
        word = (kit.stretch(self._word), self.back, self.forward)
        head = kit.row(*word, gap=0, margins=(SPACE_2, 0, 0, 0))
        margins = (SPACE_1, SPACE_2, SPACE_1, 0)
        kit.fill(self.body, kit.column(head, kit.stretch(scroll), margins=margins))

    def _arrow_button(self, text: str, name: str, action: QAction) -> QPushButton:
        button = kit.button(text, role="quiet", pressed=lambda: action.trigger())
        kit.set_scaled_size(button, width=42, height=28)
        return self.named(button, name, action.text(), action.text())

    def _word_rows(self, name: str, accessible: str) -> RowList:
        rows = RowList(self.theme, f"{self.key}.{name}", accessible, whole=True)
        rows.picked.connect(self._select_word)
        rows.opened.connect(self._select_word)
        rows.double_clicked.connect(self.session.requests.analogy_word.emit)
        return rows

    def _order_box(self) -> QWidget:
        self.orders: dict[str, QPushButton] = {}
        for key, title, tip in (
            (
                "pmi",
                tr("by PMI"),
                tr("Sort by how much more often the words co-occur than by chance"),
            ),
            (
                "count",
                tr("by count"),
                tr("Sort by co-occurrence count, with closer positions weighted more"),
            ),
        ):
            self.orders[key] = self.named(
                kit.button(title, role="quiet", checkable=True),
                f"order.{key}",
                tr("Contexts {order}", order=title),
                tip,
            )
        box = kit.box(kit.row(*self.orders.values(), gap=0))
        group = QButtonGroup(box)
        for button in self.orders.values():
            group.addButton(button)
        self.bound.bind_buttons(self.orders, "order")
        return box

    def state_changed(self, before: InspectorState, after: InspectorState) -> None:
        self._read_text()

    def _section(self, key: str, title: str, content: QWidget, *beside: QWidget) -> QWidget:
        """A heading with controls beside it, a note, and the content."""
        heading = kit.stretch(kit.label(title, role="heading"))
        head = kit.bar(heading, *beside, gap=SPACE_1, margins=(SPACE_2, 0, SPACE_1, 0))
        note = kit.label(role="small", name=f"{self.key}.{key}.note", wrap=True)
        parts = (head, _indented_box(note), content)
        section = kit.box(kit.column(*parts, gap=SPACE_1, margins=(0, SPACE_3, 0, 0)))
        self._sections[key] = (note, section)
        return section

    # -- session events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._inspecting.start_if_seen()
        self._reading.start_if_seen()

    def _select_word(self, word: str) -> None:
        self.session.selection.select([word])

    def _go_to(self, word: str | None) -> None:
        if word is not None:
            self.session.selection.select([word])

    def _focus_changed(self) -> None:
        self._update_history_buttons()
        self._find_facts()

    def _update_history_buttons(self) -> None:
        for action, button, possible in (
            (self._back, self.back, self._history.can_go_back),
            (self._forward, self.forward, self._history.can_go_forward),
        ):
            if action.isEnabled() != possible:
                action.setEnabled(possible)
                button.setEnabled(possible)

    def _find_facts(self) -> None:
        """Start the search for facts once the panel is visible."""
        session = self.session
        embeddings = session.active.embeddings
        corpus, word = session.corpora.current, session.selection.focus
        if corpus is None and embeddings is None:
            self._drop_jobs()
            self.show_empty(
                tr("Nothing to inspect yet"),
                tr("Open a text or vectors, then select a word."),
                self.window_action("file.open", tr("Open files…")),
            )
            return
        if word is None:
            self._drop_jobs()
            self.show_empty(
                tr("No word selected"),
                tr(
                    "Click a word on the map or in a list, or search for one, to see its "
                    "contexts and lines."
                ),
                self.window_action("edit.search", tr("Search words")),
            )
            return
        self._inspecting.ask(
            Request(
                (word, corpus, embeddings),
                tr("Inspecting “{word}”", word=word),
                lambda run: inspect_word(corpus, embeddings, word, _NEIGHBOURS),
                self._show_findings,
                quiet=True,
                failed=lambda error: self._facts_failed(word, error),
            )
        )
        self._read_text()

    def _drop_jobs(self) -> None:
        self._inspecting.forget()
        self._reading.forget()

    def _read_text(self) -> None:
        """Read contexts and lines, which means going through the whole corpus. Counts alone only
        have contexts.
        """
        corpus, word, record = (
            self.session.corpora.current,
            self.session.selection.focus,
            self.session.active.run,
        )
        if corpus is None or word is None:
            self._reading.forget()
            self._show_text_findings(_TextFindings(None, "", None))
            return
        counting = ContextSettings().as_counted(record.embeddings if record is not None else None)
        order = self.view_state.order
        self._reading.ask(
            Request(
                (corpus, word, counting, order),
                tr("Reading about “{word}”", word=word),
                lambda run: _find_in_text(corpus, word, counting, order, run),
                self._show_text_findings,
                quiet=corpus.tokens < LONG,
            )
        )

    def _facts_failed(self, word: str, error: UserError) -> None:
        if isinstance(error, UnknownWord):
            # Going back to the word would lead nowhere.
            self._history.forget_word(word)
            self._update_history_buttons()
            if word == self._known:
                self.show_empty(
                    tr("“{word}” isn’t in the active run or open text", word=word),
                    tr("The word was in the previous run or corpus. Choose another word."),
                    self.window_action("edit.search", tr("Search words")),
                )
                return
        self.show_empty(error.message, error.hint)

    # -- facts

    def _show_findings(self, found: Inspection) -> None:
        self.show_body()
        self._known = found.word
        self._word.put(found.word)
        self._note.setText(found.problem)
        self._note_box.setVisible(bool(found.problem))
        record = self.session.active.run
        if record is not None:
            self.facts.set_facts(found, record.name)
        else:
            self.facts.set_facts(found, "")
        near = [
            ListRow(one.word, (shown_score(one.cosine),), max(one.cosine, 0.0), key=one.word)
            for one in found.neighbours
        ]
        self.neighbours.put(("", tr("cosine")), near)
        self._show_section("neighbours", bool(near))
        self.ngrams.put((tr("n-gram"), tr("contribution")), ngram_rows(found.ngrams, 2))
        parts = tr(
            "The word vector is the mean of these n-gram vectors. The contributions add up to "
            "its norm."
        )
        self._show_section("ngrams", bool(found.ngrams), parts)
        self.path.put((tr("branch, away from"), tr("tokens")), path_rows(found))
        self._show_section("path", found.path is not None, path_summary(found))

    def _show_text_findings(self, found: _TextFindings) -> None:
        contexts = found.contexts
        rows = context_rows(contexts) if contexts is not None else []
        counted = contexts is not None and contexts.counted
        if counted:
            self.contexts.put(("", tr("count"), tr("PMI")), rows)
        else:
            self.contexts.put(("", tr("times"), tr("PMI")), rows)
        note = found.problem
        if contexts is not None:
            met, window = count(contexts.number), contexts.counting.window
            note = trn("{met} within {number} word", "{met} within {number} words", window, met=met)
            if not contexts.number:
                note = trn(
                    "No other word within {number} word of this one.",
                    "No other word within {number} words of this one.",
                    window,
                )
            elif contexts.least > 1:
                note = tr(
                    "{note} that co-occur at least {least} times", note=note, least=contexts.least
                )
        self._show_section("contexts", contexts is not None or bool(found.problem), note)
        lines = found.lines
        if lines is not None:
            self.lines.put(lines)
        else:
            self.lines.put(())
        number = len(lines) if lines is not None else 0
        kit.set_scaled_size(self.lines, height=_LINE * number + 2)
        self._show_section("lines", number > 0)
        if lines is not None:
            self.all_lines.setText(tr("All {total} ›", total=count(lines.total)))
        else:
            self.all_lines.setText("")

    def _show_section(self, key: str, shown: bool, text: str = "") -> None:
        note, section = self._sections[key]
        if note.text() != text:
            note.setText(text)
        note.parentWidget().setVisible(bool(text))  # type: ignore[union-attr]
        section.setVisible(shown)

    def exporters(self) -> Sequence[Exporter]:
        return (self._export,)

    def _page_table(self) -> str:
        """The page as a table: section, name, and up to three values."""
        rows: list[list[Cell]] = [["word", self._word.whole]]
        rows += [["fact", name, value] for name, value in self.facts.visible_facts.items()]
        for name, shown in (
            ("neighbour", self.neighbours),
            ("context", self.contexts),
            ("n-gram", self.ngrams),
        ):
            rows += [[name, row.text, *row.numbers] for row in shown.rows]
        rows += [["step", row.text, row.note, *row.numbers] for row in self.path.rows]
        lines = self.lines.lines
        rows += [
            ["line", lines[at].left, lines[at].word, lines[at].right] for at in range(len(lines))
        ]
        return to_csv(
            ["section", "name", "value", "second value"],
            [[*row, *[None] * (4 - len(row))] for row in rows],
        )


def _find_in_text(
    corpus: Corpus, word: str, counting: ContextSettings, order: str, run: JobControl
) -> _TextFindings:
    lines = None
    if isinstance(corpus, CountedCorpus):
        try:
            return _TextFindings(
                contexts_in_text(corpus, word, counting, _CONTEXTS, order, run=run), "", None
            )
        except UnknownWord:
            return _TextFindings(None, "", None)
    try:
        lines = concordance(corpus, word, most=_LINES, width=_WIDTH, run=run)
        contexts = contexts_in_text(corpus, lines.word, counting, _CONTEXTS, order, run=run)
    except UnknownWord as error:
        return _TextFindings(None, error.hint if lines is not None else "", lines)
    return _TextFindings(contexts, "", lines)


def _indented_box(content: QWidget) -> QWidget:
    return kit.box(kit.row(content, margins=(SPACE_2, 0, SPACE_4, 0)))
