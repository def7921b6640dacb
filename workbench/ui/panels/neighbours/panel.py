"""Neighbours panel: the nearest words of the selected word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QSizePolicy,
    QTabBar,
)

from workbench.analysis.neighbours.nearest import Neighbour, nearest
from workbench.analysis.neighbours.query_resolution import NgramPart, find, ngram_parts
from workbench.analysis.neighbours.word_arithmetic import (
    Term,
    format_terms,
    nearest_to_sum,
    terms_of,
)
from workbench.analysis.resampling.neighbour_intervals import (
    NeighbourIntervals,
    neighbour_intervals,
)
from workbench.core import table_export
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import Cell
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.action import set_action_key
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.notice import Notice, NoticeText
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PanelPage
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_2
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.neighbours import NeighboursKind
from workbench.ui.panels.neighbours.columns import NeighbourColumns
from workbench.ui.panels.neighbours.intervals import interval_columns, interval_table
from workbench.ui.panels.neighbours.shared_contexts import SharedContextsView
from workbench.ui.widgets.inputs.error_bars import Drawn, ErrorBars
from workbench.ui.widgets.inputs.word_field import WordField, index_request
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.score_list import ScoreList
from workbench.vectors.crowding import crowding_warning
from workbench.vectors.embeddings import Embeddings

_NUMBERS = (10, 20, 50, 100)
_PAGES = _ONE, _SEVERAL, _WHY = ("0", "1", "2")
_HELP = tr(
    "Click or press an arrow key to show a word on the map, Return for its neighbours. "
    "Double-click to use it in the analogy."
)


@dataclass(frozen=True)
class _SearchResult:
    word: str
    fact: str
    neighbours: tuple[Neighbour, ...]
    parts: tuple[NgramPart, ...] = ()


@dataclass(frozen=True)
class NeighboursState(PanelState):
    """sum : words and signs that were typed, if there are several words; bars : error bars from the
    text
    explanation : by shared n-grams or contexts; lines_of : the word or its neighbour, with a
    shared context; lines_order : of these lines
    """

    sum: tuple[str, ...] = choice(())
    page: str = choice("0", allowed=_PAGES)
    number: int = choice(_NUMBERS[1], allowed=_NUMBERS)
    bars: bool = choice(False)
    explanation: str = choice("ngrams", allowed=("ngrams", "contexts"))
    lines_of: str = choice("word", allowed=("word", "other"))
    lines_order: str = choice("text")


class NeighboursPanel(NeighboursKind, Panel):
    """A word, its frequency, and its neighbours by cosine in the active model."""

    state_kind = NeighboursState
    view_state: NeighboursState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._embeddings: Embeddings | None = None
        # The word whose neighbours are listed, and the selection made by moving through the list.
        self._centre = ""
        self._walked: tuple[str, ...] = ()
        jobs = self.session.jobs
        self._finding = ResultJob(jobs, self.key)
        self._checking = ResultJob(jobs, f"{self.key}.crowding")
        self._indexing = ResultJob(jobs, f"{self.key}.index")
        self._make_question()
        self._make_list()
        self._make_ngrams()
        self._make_pages()
        self._build()
        kit.set_scaled_size(self, least_width=220)
        self._connect()
        self._refresh()

    def _make_question(self) -> None:
        """The word, what is known of it, and how many neighbours are listed."""
        self.word = self.named(
            WordField(),
            "word",
            tr("Word"),
            tr(
                "Type one or more words to see their neighbours. “king queen” adds "
                "vectors, “king − man” subtracts one."
            ),
        )
        self.word.signs = True
        self.word.set_hints(tr("Neighbours of a word"), tr("Type a word"))
        self.word.entered.connect(self._choose_word)
        self.word.overflow.connect(self._choose_sum)
        # It shows the selection.
        self.word.setProperty("passing", True)
        self._title = kit.with_role(kit.ElidedLabel(), "title", f"{self.key}.title")
        self._fact = self.named(kit.label(role="muted", wrap=True), "fact", tr("Count and rank"))
        self._crowded = self.named(kit.label(role="warning", wrap=True), "crowded", tr("Warning"))
        self._crowded.hide()
        self.number = self.named(
            kit.ChoiceBox.of({number: str(number) for number in _NUMBERS}, _NUMBERS[1]),
            "number",
            tr("Number of neighbours"),
            tr("Number of neighbours"),
        )
        self.bind(self.number, "number")

    def _make_list(self) -> None:
        """The neighbours, with or without error bars."""
        self.list = self.named(ScoreList(self.theme), "list", tr("Nearest words, best first"))
        self.list.setToolTip(safe_tip(_HELP))
        self.bars = ErrorBars(self, self, f"{self.key}.bars")
        self.bars.on_clear(lambda: self._show_intervals(None))
        self.bind(self.bars.switch, "bars")
        self.intervals = kit.table(
            self, "intervals", tr("Nearest words with error bars from the text"), _HELP
        )
        self._intervals: NeighbourIntervals | None = None
        self.export = Export(
            self,
            self.session,
            tr("Export the neighbours"),
            "neighbours",
            texts=csv(self._neighbours_csv),
        )
        self._lines_behind = QAction(tr("Which lines did it?"), self)
        set_action_key(self._lines_behind, "neighbours.influence")
        self._lines_behind.triggered.connect(lambda _=False: self.ask_influence())
        teach = QAction(tr("Teach the model new lines with the word"), self)
        set_action_key(teach, "teach.selected")
        asked = self.session.requests.teach.emit
        teach.triggered.connect(lambda _=False: asked(self._current_neighbour or self._centre))
        self.list.addActions([self._lines_behind, teach, *self.export.actions()])
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for view in (self.list, self.intervals):
            view.picked.connect(self._select_neighbour)
            view.opened.connect(lambda word: self.session.selection.select([word]))
            view.double_clicked.connect(self.session.requests.analogy_word.emit)
        self._onward = self.named(
            kit.button(role="link", pressed=self._select_walked),
            "onward",
            tr("Neighbours of the selected word"),
            tr("Show the neighbours of the word (Return)"),
        )
        self.unknown = self.named(
            kit.button(tr("Teach the word"), role="link", pressed=lambda: asked(self._centre)),
            "teach",
            tr("Teach the model the word"),
            tr("Type lines with the word to see its vector"),
        )
        self.unknown.hide()

    def _make_ngrams(self) -> None:
        """What each n-gram of an unseen word contributes."""
        self._parts_of = kit.with_role(kit.ElidedLabel(), "small")
        self.parts = self.named(
            ScoreList(self.theme),
            "ngrams",
            tr("Contribution of each n-gram to the cosine, largest first"),
        )
        self.parts.setToolTip(
            tr(
                "The word vector is the mean of its n-gram vectors. Their contributions "
                "add up to the cosine."
            )
        )

    def _make_pages(self) -> None:
        """The tabs, the pages behind them, and what takes their place without a word."""
        self.pages = self.named(
            QTabBar(), "pages", tr("Neighbours in one model, in several, or an explanation")
        )
        self.columns = NeighbourColumns(self.session, self.theme, self.key)
        self.columns.picked.connect(self._select_neighbour)
        self.columns.opened.connect(lambda word: self.session.selection.select([word]))
        self.columns.word_activated.connect(self.session.requests.analogy_word.emit)
        self.why = SharedContextsView(self.session, self.theme, self.key)
        self.why.picked.connect(lambda word: self.session.selection.select([word]))
        self._none = Notice(f"{self.key}.none")
        hint = tr("Click a word on the map, or type it above.")
        self._none.put(NoticeText(tr("No word selected"), hint))

    def _connect(self) -> None:
        self.bind(self.pages, "page", _PAGES)
        self.bound.bind_buttons(
            {"ngrams": self.why.by_ngrams, "contexts": self.why.by_contexts}, "explanation"
        )
        word, other = self.why.sides
        self.bound.bind_buttons({"word": word, "other": other}, "lines_of")
        self.bind(self.why.lines.order, "lines_order")
        self.follow(self.session.runs.changed, self._page_changed)
        self.follow(self.session.corpora.changed, self._page_changed)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.follow(self.session.files.restored, lambda _: self._page_changed())

    def _build(self) -> None:
        # The button's room stays reserved, so that the list does not move when it appears.
        policy = self._onward.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        policy.setRetainSizeWhenHidden(True)
        self._onward.setSizePolicy(policy)
        self._onward.hide()
        for title, tip in (
            (tr("Nearest"), tr("Nearest words in the active model")),
            (tr("Models"), tr("Several models side by side")),
            (tr("Why"), tr("Contexts that two words share")),
        ):
            self.pages.setTabToolTip(self.pages.addTab(title), safe_tip(tip))
        self.pages.setDrawBase(False)
        self.pages.setProperty("role", "narrow")
        self.pages.setExpanding(False)
        # The words of the list are aligned with everything else; its background extends further
        # left.
        beside = (SPACE_2, 0, SPACE_1, 0)
        about = (self._title, self._fact, self._crowded, kit.row(self.unknown, kit.stretch()))
        question = (self.word, kit.space(SPACE_2), *about)
        column = kit.column(
            kit.column(*question, gap=SPACE_1, margins=beside),
            self.pages,
            kit.stretch(self._build_pages(beside)),
            kit.stretch(self._none),
            # Without a list, the words stay at the top.
            kit.stretch(),
            margins=(SPACE_1, SPACE_2, SPACE_2, SPACE_2),
        )
        kit.fill(self.body, column)

    def _build_pages(self, beside: kit.Margins) -> kit.PageStack:
        """The lists in one model, in several, and the explanation. beside : margins of headings"""
        export = kit.export_button(self, lambda: self.export, tr("Export the neighbours"))
        heading = kit.label(tr("BY COSINE"), role="heading")
        controls = (heading, kit.stretch(), self.number, export)
        self._lists = kit.PageStack(self.list, self.intervals)
        by_cosine = kit.column(
            kit.bar(*controls, gap=SPACE_1, margins=beside),
            self.bars,
            kit.stretch(self._lists),
            kit.row(self._onward, margins=(SPACE_1, 0)),
            gap=SPACE_1,
        )
        adding = kit.label(tr("N-GRAM CONTRIBUTIONS"), role="heading")
        titles = kit.column(adding, self._parts_of, gap=0, margins=beside)
        ngrams = kit.column(
            titles, kit.stretch(self.parts), gap=SPACE_1, margins=(0, SPACE_1, 0, 0)
        )
        self._found_part, self._ngram_part = kit.box(by_cosine), kit.box(ngrams)
        self._ngram_part.hide()
        lists = kit.column(kit.stretch(self._found_part, 3), kit.stretch(self._ngram_part, 2))
        self._stack = kit.PageStack(kit.box(lists), self.columns, self.why)
        return self._stack

    def release(self) -> None:
        self._forget_searches()
        super().release()

    def _neighbours_csv(self) -> str:
        if self._intervals is not None:
            return interval_table(self._intervals)
        rows: list[list[Cell]] = [
            [rank, word, score]
            for rank, (word, score) in enumerate(
                zip(self.list.words, self.list.scores, strict=True), 1
            )
        ]
        return table_export.to_csv(["rank", f"neighbour of {self._centre}", "cosine"], rows)

    def look_up(self) -> None:
        self.raise_requested.emit()
        self.word.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def why_not_influence(self) -> str:
        """Why no cosine can be explained now, or ""."""
        if self._terms or not self._centre or not self.list.words:
            return tr("Choose a single word first.")
        return ""

    def ask_influence(self) -> None:
        """Rank the lines behind the cosine of the word and the current neighbour, by default the
        nearest one.
        """
        if not self.why_not_influence():
            other = self._current_neighbour or self.list.words[0]
            self.session.requests.influence.emit((self._centre, other))

    def _refresh(self) -> None:
        record = self.session.active.run
        embeddings = self.session.active.embeddings
        if embeddings is None:
            self._forget_searches()
            self._embeddings = None
            self.show_no_vectors(
                record,
                tr("No neighbours yet"),
                tr("Then select a word to list its nearest neighbours."),
            )
            return
        if embeddings is self._embeddings:
            return
        self._embeddings = embeddings
        # Another model may not contain the current word of the list.
        self._onward.setVisible(bool(self._current_neighbour))
        self.show_body()
        self.word.set_index(None)
        self._crowded.hide()
        self._checking.ask(
            Request(
                (embeddings,),
                tr("Checking the vectors"),
                lambda run: crowding_warning(embeddings),
                self._set_crowding_notice,
                quiet=True,
            )
        )
        self._indexing.ask(index_request(embeddings, self.word.set_index))
        self._start_search()

    def _set_crowding_notice(self, problem: UserError | None) -> None:
        """Show a notice above the list on why its cosines say little."""
        if problem is None:
            self._crowded.setText("")
        else:
            self._crowded.setText(f"{problem.message} {problem.hint}")
        self._crowded.setVisible(problem is not None)

    @property
    def idle(self) -> bool:
        return super().idle and not (self.columns.busy or self.why.busy or self.bars.busy)

    def drawn_runs(self) -> Sequence[RunRecord]:
        if self.view_state.page == _SEVERAL:
            return self.columns.drawn_runs()
        return super().drawn_runs()

    def offered_pages(self) -> Sequence[PanelPage]:
        if self.pages.isHidden():
            return ()
        return [PanelPage(key, self.pages.tabText(at)) for at, key in enumerate(_PAGES)]

    @property
    def lack(self) -> str:
        return super().lack or ("" if self.list.words else self._none.title)

    def exporters(self) -> Sequence[Exporter]:
        shown: Exporter | None = self.export
        if self.view_state.page == _SEVERAL:
            shown = self.columns.exports()
        elif self.view_state.page == _WHY:
            shown = self.why.exports()
        return () if shown is None else (shown,)

    def show_page(self, key: str) -> None:
        self.view_state = self.view_state.replace(page=key)

    def state_changed(self, before: NeighboursState, after: NeighboursState) -> None:
        if after.sum and after.sum != before.sum:
            words = self.session.selection.words
            self.session.selection.select([term.word for term in self._terms])
            if self.session.selection.words == words:
                self._selection_changed()
        elif after.number != before.number:
            self._start_search()
        if after.bars != before.bars:
            self._ask_intervals()
        if after.page != before.page:
            self._page_changed()

    def _page_changed(self) -> None:
        """Update the current page, which is computed only when shown."""
        page = self.view_state.page
        self._stack.setCurrentIndex(_PAGES.index(page))
        if page == _SEVERAL:
            self.columns.mark_word(self._current_neighbour or self._centre)
            self.columns.show_neighbours(self._centre, self.view_state.number)
        elif page == _WHY:
            nearest_one = self.list.words[0] if self.list.words else ""
            other = self._current_neighbour or nearest_one
            self.why.explain_pair(self._embeddings, self._centre, other)

    # -- error bars

    def _ask_intervals(self) -> None:
        """Ask for the intervals of the neighbours that are listed, if they are wanted."""
        self._show_intervals(None)
        word, number = self._centre, self.view_state.number
        if self.bars.isHidden():
            self.bars.forget()
            return
        active = self.session.active.run
        self.bars.ask_drawn(
            [] if active is None else [active],
            (word, number),
            lambda draws, texts, run: neighbour_intervals(draws, word, number, texts, run),
            lambda found: self._show_intervals(next(iter(found.values()))),
        )

    def _show_intervals(self, found: Drawn[NeighbourIntervals] | None) -> None:
        """Show the neighbours with their intervals, or without any."""
        self._intervals = None if found is None else found.value
        if found is not None:
            self.intervals.set_columns(interval_columns(found.value))
        self._lists.setCurrentWidget(self.list if found is None else self.intervals)

    def _forget_searches(self) -> None:
        self.bars.forget()
        self.columns.drop_search()
        self.why.drop_search()
        for job in (self._finding, self._checking, self._indexing):
            job.forget()

    # -- words

    def _choose_word(self, word: str) -> None:
        if not word:
            self.session.selection.select([])
        elif self.session.selection.words == (word,):
            self._start_search()
        else:
            self.session.selection.select([word])

    def _choose_sum(self, texts: list[str]) -> None:
        terms = terms_of(texts)
        if len(terms) == 1 and terms[0].sign > 0:
            self._choose_word(terms[0].word)
            return
        self._walked = ()
        self.view_state = self.view_state.replace(sum=tuple(texts))

    @property
    def _terms(self) -> tuple[Term, ...]:
        return terms_of(self.view_state.sum)

    @property
    def _current_neighbour(self) -> str:
        """The current word of the list if the model contains it, or ""."""
        word = self._walked[-1] if self._walked else ""
        if self._embeddings is not None and self._embeddings.find(word) is not None:
            return word
        return ""

    @property
    def _query_words(self) -> tuple[str, ...]:
        """The words whose neighbours are listed, without duplicates."""
        return tuple(dict.fromkeys(term.word for term in self._terms)) or (self._centre,)

    def _select_neighbour(self, word: str) -> None:
        """Select a word of the list in all panels, but keep the list."""
        self._walked = (*self._query_words, word)
        self._onward.setText(menu_text(tr("Neighbours of {word} ›", word=word)))
        self._onward.show()
        self.session.selection.select(self._walked)
        self._page_changed()

    def _selection_changed(self) -> None:
        if self._walked and self.session.selection.words == self._walked:
            return
        self._walked = ()
        self._onward.hide()
        if self.session.selection.words != self._query_words:
            self.view_state = self.view_state.replace(sum=())
        self._start_search()

    def _select_walked(self) -> None:
        if self._walked:
            self.session.selection.select([self._walked[-1]])

    # -- search

    def _start_search(self) -> None:
        embeddings, word = self._embeddings, self.session.selection.focus
        if self._walked:
            word = self._walked[0]
        if embeddings is None:
            return
        if word is None:
            self._finding.forget()
            self._show_neighbours("", "", "")
            return
        number, terms = self.view_state.number, self._terms
        title = format_terms(terms) if terms else word

        def search(run: JobControl) -> _SearchResult:
            if terms:
                return find_sum_neighbours(embeddings, terms, number)
            return find_word_neighbours(embeddings, word, number)

        self._finding.ask(
            Request(
                # Each is a new one: it also takes back what was chosen in the list.
                (object(),),
                tr("Finding neighbours"),
                search,
                self._search_finished,
                quiet=True,
                failed=lambda error: self._search_failed(title, error),
            )
        )

    def _search_finished(self, found: _SearchResult) -> None:
        self._show_neighbours(found.word, found.word, found.fact, found.neighbours, found.parts)

    def _search_failed(self, word: str, error: UserError) -> None:
        self._show_neighbours(word, word, str(error))
        self.unknown.setVisible(isinstance(error, UnknownWord) and not self._terms)
        if not self.word.typing:
            self.word.mark(False)

    def _show_neighbours(
        self,
        word: str,
        title: str,
        fact: str,
        neighbours: tuple[Neighbour, ...] = (),
        parts: tuple[NgramPart, ...] = (),
    ) -> None:
        self._centre = word
        self.unknown.hide()
        self._title.put(title)
        self._fact.setText(fact)
        self.word.set_word(word)
        self.list.set_scores(
            [n.word for n in neighbours], [n.cosine for n in neighbours], self._current_neighbour
        )
        self._found_part.setVisible(bool(neighbours))
        if parts:
            self._parts_of.put(tr("to the cosine with {word}", word=neighbours[0].word))
            self.parts.set_scores(
                [p.text for p in parts], [p.cosine for p in parts], full=parts[0].cosine
            )
        self._ngram_part.setVisible(bool(parts))
        # Further details are shown only for the neighbours of one word.
        self.pages.setVisible(bool(neighbours) and not self._terms)
        if self._terms:
            self.view_state = self.view_state.replace(page=_ONE)
        self._stack.setVisible(bool(neighbours))
        self.bars.setVisible(bool(neighbours) and not parts and not self._terms)
        self._ask_intervals()
        for label in (self._title, self._fact):
            label.setVisible(bool(word))
        self._none.setVisible(not word)
        self._page_changed()


def find_sum_neighbours(
    embeddings: Embeddings, terms: Sequence[Term], number: int
) -> _SearchResult:
    neighbours = nearest_to_sum(embeddings, terms, number)
    fact = tr("Nearest to the sum of these unit vectors. The words themselves are left out.")
    return _SearchResult(format_terms(terms), fact, neighbours)


def find_word_neighbours(embeddings: Embeddings, word: str, number: int) -> _SearchResult:
    query = find(embeddings, word)
    neighbours = nearest(embeddings, query.word, number)
    if query.unseen:
        parts = ngram_parts(query, embeddings, neighbours[0].row)
        return _SearchResult(
            query.word,
            tr("not in the corpus: {ngrams}", ngrams=query.known_ngrams),
            neighbours,
            parts,
        )
    fact = tr("rank {rank} of {words}", rank=count(query.row + 1), words=count(len(embeddings)))
    if embeddings.counts is not None:
        fact = f"{count(int(embeddings.counts[query.row]))} × · {fact}"
    return _SearchResult(query.word, fact, neighbours)
