"""The Relations panel: the parts of an analogy’s scores, the offsets of a relation, and both in the
counts of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup

from workbench.analysis.analogy.decomposition import Anatomy, decompose_analogy
from workbench.analysis.analogy.offsets import Applied, Relation, apply_relation, measure_relation
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.belonging import Bond, bond
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import MINUS
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, set_property
from workbench.ui.export.export_actions import (
    Export,
    ExportButton,
    csv,
    lack_of,
    nothing_to_save,
)
from workbench.ui.panels.relations import RelationsKind
from workbench.ui.panels.relations.away_page import AwayPage
from workbench.ui.panels.relations.counts_page import ALL, ANY, CountsPage
from workbench.ui.panels.relations.decomposition_page import AnatomyPage
from workbench.ui.panels.relations.relation_choice import RESTRICTIONS, RelationChoice
from workbench.ui.panels.relations.relation_page import RelationPage
from workbench.ui.widgets.inputs.word_field import index_request
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.vectors.embeddings import Embeddings

# Number of answers to an analogy, and of answers when a relation is applied.
_PARTED, _ANSWERS = 20, 10
_WHICH_PAIRS = (
    tr("Which pairs?"),
    tr("Type pairs of words above, or choose a section of a question file."),
)
_NO_TEXT = (tr("No text"), tr("Open the text to see where its analogies come from."))
_NO_ANALOGY = tr("king {minus} man + woman = ?", minus=MINUS)


_PAGES = ("one", "many", "apart", "dots")
_PAIRS = Setting("relations.pairs", str, "")


@dataclass(frozen=True)
class RelationsState(PanelState):
    """page : the one in front; file, section : of a relation, "" for the first
    typed : pairs instead of a section; restrict : number of candidates, 0 for all words
    word : to which the relation is applied; contexts : those compared in the counts
    """

    page: str = choice("one", allowed=_PAGES)
    file: str = choice("")
    section: str = choice("")
    typed: str = choice(setting=_PAIRS, typed=True)
    restrict: int = choice(0, allowed=RESTRICTIONS)
    word: str = choice("")
    contexts: str = choice(ANY, allowed=(ANY, ALL))


class RelationsPanel(RelationsKind, Panel):
    """Four pages: the decomposition of the current analogy, the offsets of a relation, its accuracy
    without its pairs, and the current analogy in the counts.
    """

    state_kind = RelationsState
    view_state: RelationsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._embeddings: Embeddings | None = None
        self._dissected: object = None
        self.anatomy = AnatomyPage(self)
        self.choice = RelationChoice(self.session, f"{self.key}.file", self)
        self.relation = RelationPage(self)
        self.away = AwayPage(self)
        self.counts = CountsPage(self)
        self._name_widgets()
        self._build()
        self._connect()
        self.choice.offer_files()
        self._show_model()

    # -- building

    def _name_widgets(self) -> None:
        one, many, choice = self.anatomy, self.relation, self.choice
        self.named(one.bars, "bars", tr("Answers with the contribution of each term, best first"))
        self.named(one.baselines, "baselines", tr("Answers of plain nearest neighbours"))
        self.named(one.verdict, "verdict", tr("Comparison with plain neighbours"))
        self.named(one.readout, "parts", tr("The numbers of an answer"))
        self.named(
            choice.typed,
            "typed",
            tr("Pairs of words"),
            tr("Pairs such as: man king, woman queen (Return)"),
        )
        self.named(
            many.pairs,
            "pairs",
            tr("Pairs, outliers first. Press Return to solve one as an analogy."),
        )
        self.named(many.view, "offsets", tr("Offsets from one origin"))
        self.named(many.fact, "fact", tr("Agreement of the offsets"))
        self.named(
            many.word,
            "word",
            tr("Word to apply the relation to"),
            tr("Add the mean offset to a word (Return)"),
        )
        self.named(
            many.answers,
            "answers",
            tr("Nearest words to the word plus the mean offset, best first"),
        )
        self.one = self.named(
            kit.button(tr("Analogy"), role="quiet", checkable=True),
            "one",
            tr("One analogy"),
            tr("Breakdown of the last analogy"),
        )
        self.many = self.named(
            kit.button(tr("Relation"), role="quiet", checkable=True),
            "many",
            tr("A relation"),
            tr("Offsets of many pairs"),
        )
        self.apart = self.named(
            kit.button(tr("Without its pairs"), role="quiet", checkable=True),
            "apart",
            tr("A relation without its pairs"),
            tr("Delete the pairs from the counts"),
        )
        self.dots = self.named(
            kit.button(tr("In the counts"), role="quiet", checkable=True),
            "dots",
            tr("The analogy in the counts"),
            tr("Each context a dot"),
        )
        self.named(
            choice.section,
            "section",
            tr("Relation"),
            tr("A section of the file, or your own pairs"),
        )
        self.named(choice.file, "file", tr("Question file"), tr("File with the sections"))
        self.named(
            choice.open,
            "open",
            tr("Open question file"),
            tr("Open a file in the questions-words.txt format"),
        )
        tip = tr("Limit answers and ranks to the most frequent words")
        self.named(choice.restrict, "restrict", tr("Candidates"), tip)
        self.export = self.named(
            ExportButton(self.page_export),
            "export",
            tr("Export"),
            tr("Save the figure or the data"),
        )

    def _build(self) -> None:
        group = QButtonGroup(self)
        buttons = (self.one, self.many, self.apart, self.dots)
        for button in buttons:
            group.addButton(button)
        self.bound.bind_buttons(dict(zip(_PAGES, buttons, strict=True)), "page")
        pages = kit.PageStack(self.anatomy, self.relation, self.away, self.counts)
        self._sides = self.named(pages, "view", tr("Relations"))
        chosen = kit.column(kit.bar(*self.choice.controls, kit.stretch()), self.choice.typed)
        self._chosen = kit.box(chosen)
        column = kit.column(
            kit.bar(*buttons, kit.stretch(), self.export),
            kit.space(SPACE_1),
            self.anatomy.verdict,
            self._chosen,
            kit.stretch(self._sides),
            gap=0,
            margins=(SPACE_3, SPACE_2),
        )
        kit.fill(self.body, column)

    def _connect(self) -> None:
        session, one, many, choice = self.session, self.anatomy, self.relation, self.choice
        self.bind_controls(
            file=choice.file,
            section=choice.section,
            restrict=choice.restrict,
            contexts=self.counts.contexts,
        )
        # Each letter is saved; Return asks.
        self.bind(choice.typed, "typed", by=[choice.typed.textChanged])
        choice.typed.editingFinished.connect(self._choice_changed)
        self.bound.bind_to(
            "word", many.word, lambda: many.word.word, many.word.set_word, many.word.entered
        )
        for words in (one.bars, one.baselines, many.answers):
            words.picked.connect(lambda word: session.selection.select([word]))
            words.double_clicked.connect(session.requests.analogy_word.emit)
            words.opened.connect(session.requests.analogy_word.emit)
        many.pairs.picked.connect(self._ask_pair)
        many.view.picked.connect(self._ask_pair)
        many.word.overflow.connect(self._use_first_word)
        choice.changed.connect(self._choice_changed)
        choice.failed.connect(self._show_failure)
        choice.opened.connect(lambda: self._raise_page("many"))
        self.follow(session.active.changed, self._show_model)
        self.follow(session.selection.analogy_changed, self._analogy_changed)
        self.follow(session.selection.changed, self._mark_selection)
        self.follow(session.corpora.changed, self._corpus_changed)
        self._indexing = ResultJob(self.session.jobs, f"{self.key}.index")
        self._applying = ResultJob(self.session.jobs, f"{self.key}.apply")
        self._applying.on_failed(self._applying_failed)
        self.relation.result.on_failed(self._describe_failure)
        self.relation.result.describe_cancelled(
            tr("Cancelled"),
            tr("Choose a section or type pairs to compare their offsets."),
            tr("Compute again"),
        )
        self.context.bridge.wanted.connect(self._panel_requested)

    def release(self) -> None:
        self.context.bridge.wanted.disconnect(self._panel_requested)
        super().release()

    def state_changed(self, before: RelationsState, after: RelationsState) -> None:
        if after.file != before.file:
            self.choice.read_questions()
        self.choice.show_typed()
        if after.word != before.word:
            self._apply_relation()
        if after.page != before.page:
            self._turn_page()
        elif after.typed == before.typed or not self.choice.typed.isModified():
            self._show_current()

    def _raise_page(self, page: str) -> None:
        self.show_page(page)
        self.raise_requested.emit()

    def _panel_requested(self, key: str) -> None:
        """Show the analogy page when the panel is requested, in place of the offsets."""
        if key == self.key and self.view_state.page == "many":
            self.show_page("one")

    def show_page(self, key: str) -> None:
        self.view_state = self.view_state.replace(page=key)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was postponed while the panel was hidden."""
        super().showEvent(event)
        self._turn_page()

    def _turn_page(self) -> None:
        page = self._current_page
        chosen = page in (self.relation, self.away)
        self._sides.setCurrentWidget(page)
        self._chosen.setVisible(chosen)
        self.choice.restrict.setVisible(page is self.relation)
        self.anatomy.verdict.setVisible(page is self.anatomy)
        if page is not self.anatomy:
            self.choice.read_questions()
        self._show_current()

    def _show_current(self) -> None:
        """Compute what the page in front shows, if it isn't shown yet."""
        if not self.isVisible():
            return
        page = self._current_page
        if page is self.anatomy:
            self._dissect()
        elif page is self.relation:
            self._measure_relation()
        elif page is self.away:
            self._take_pairs_away()
        else:
            self._compare_contexts()

    def _choice_changed(self) -> None:
        if self._current_page in (self.relation, self.away):
            self._show_current()

    def _analogy_changed(self) -> None:
        if self._current_page in (self.anatomy, self.counts):
            self._show_current()

    # -- the model

    def _corpus_changed(self) -> None:
        self.choice.offer_files()
        if self.isVisible() and self._current_page in (self.relation, self.away):
            self.choice.read_questions()
        self._show_current()

    def _show_model(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.embeddings
        if embeddings is self._embeddings and embeddings is not None:
            return
        self._embeddings = embeddings
        self.relation.result.forget()
        self.relation.word.set_index(None)
        if embeddings is None:
            self.anatomy.result.forget()
            self._applying.forget()
            self._indexing.forget()
            self.show_no_vectors(
                record,
                tr("No analogies yet"),
                tr("Explain relations such as man and woman, king and queen, pair by pair."),
            )
            return
        self.show_body()
        self._indexing.ask(index_request(embeddings, self.relation.word.set_index))
        self._show_current()

    # -- analogy

    @property
    def lack(self) -> str:
        """What is missing, also on the page in front. A hidden panel computes nothing, so its page
        may still show an earlier analogy or message.
        """
        lack = super().lack
        if lack or self._embeddings is None or self.view_state.page != "one":
            return lack or self._current_page.lack
        analogy = self.session.selection.answered_analogy
        if analogy is None:
            return _NO_ANALOGY
        return self.anatomy.lack if self._dissected == (self._embeddings, analogy) else ""

    def _dissect(self) -> None:
        embeddings, analogy = self._embeddings, self.session.selection.answered_analogy
        if embeddings is None:
            return
        self._dissected = (embeddings, analogy)
        if analogy is None:
            self.anatomy.result.show_message(
                _NO_ANALOGY, tr("Solve an analogy in the bar below to see it explained.")
            )
            return
        question = (analogy.a, analogy.b, analogy.c, analogy.method)
        exclude, restrict = analogy.exclude, analogy.restrict
        title = tr("Explaining the analogy")
        self.anatomy.result.ask(
            Request(
                (embeddings, question, exclude, restrict),
                title,
                lambda run: decompose_analogy(embeddings, *question, _PARTED, exclude, restrict),
                self._show_anatomy,
                doing=f"{title} …",
                quiet=True,
            )
        )

    def _show_anatomy(self, anatomy: Anatomy) -> None:
        self.anatomy.put(anatomy)
        self._mark_selection()

    def _mark_selection(self) -> None:
        """Mark the selected words in both pages."""
        self.anatomy.bars.mark(self.session.selection.focus)
        relation = self.relation.relation
        chosen = self.session.selection.words[-2:]
        place = -1
        if relation is not None and chosen in relation.pairs:
            place = relation.pairs.index(chosen)
        self.relation.mark(place)

    def why_not_influence(self) -> str:
        """Why no analogy can be explained by its lines now, or ""."""
        if self.session.selection.answered_analogy is None:
            return tr("Solve an analogy first.")
        return ""

    def ask_influence(self) -> None:
        analogy = self.session.selection.answered_analogy
        if analogy is not None:
            self.session.requests.influence.emit((analogy.a, analogy.b, analogy.c))

    # -- computing

    def _measure_relation(self) -> None:
        embeddings = self._embeddings
        if embeddings is None:
            return
        try:
            chosen = self.choice.pairs()
        except UserError as error:
            self._show_failure(error)
            return
        if chosen is None:
            return
        (name, pairs), restrict = chosen, self.view_state.restrict
        set_property(self.choice.typed, "invalid", "")
        if not pairs:
            self.relation.result.show_message(*_WHICH_PAIRS)
            return
        self.relation.result.ask(
            Request(
                (embeddings, name, pairs, restrict),
                tr("Comparing the offsets of {name}", name=name),
                lambda run: measure_relation(embeddings, pairs, restrict, run=run),
                lambda relation: self._show_relation(relation, name),
                doing=tr("Comparing offsets…"),
                quiet=len(pairs) < 200,
            )
        )

    def _show_relation(self, relation: Relation, name: str) -> None:
        self.relation.put(relation, name)
        self.page_export()
        self._mark_selection()
        self._apply_relation()

    def _show_failure(self, error: UserError) -> None:
        self.relation.result.show_error(self._describe_failure(error))

    def _describe_failure(self, error: UserError) -> UserError:
        invalid = "true" if self.choice.own else ""
        set_property(self.choice.typed, "invalid", invalid)
        return error

    def _ask_pair(self, place: int) -> None:
        """Solve for b with the most typical other pair: its b − its a + this a."""
        relation = self.relation.relation
        if relation is None:
            return
        pair, typical = relation.offsets[place], relation.offsets[relation.typical(place)]
        self.session.selection.select([pair.a, pair.b])
        self.session.requests.analogy.emit(typical.b, typical.a, pair.a)

    # -- in the counts

    def _counted_text(self) -> tuple[Corpus, RunRecord | None] | None:
        """The open text, and the active run if it was trained on it; None without a text."""
        corpus, record = self.session.corpora.text, self.session.active.run
        if corpus is None:
            return None
        same = record is not None and bond(record, corpus) is Bond.SAME
        return corpus, record if same else None

    def _take_pairs_away(self) -> None:
        basis = self._counted_text()
        if basis is None:
            self.away.result.show_message(*_NO_TEXT)
            return
        try:
            chosen = self.choice.pairs()
        except UserError as error:
            self.away.result.show_error(self._describe_failure(error))
            return
        if chosen is None:
            return
        name, pairs = chosen
        if not pairs:
            self.away.result.show_message(*_WHICH_PAIRS)
            return
        self.away.ask(*basis, name, pairs)

    def _compare_contexts(self) -> None:
        basis, analogy = self._counted_text(), self.session.selection.answered_analogy
        if basis is None:
            self.counts.result.show_message(*_NO_TEXT)
        elif analogy is None or self._embeddings is None:
            self.counts.result.show_message(
                _NO_ANALOGY, tr("Solve an analogy in the bar below to see it explained.")
            )
        else:
            self.counts.ask(*basis, self._embeddings, analogy)

    # -- applying the relation

    def _apply_relation(self) -> None:
        embeddings, relation, word = (
            self._embeddings,
            self.relation.relation,
            self.relation.word.word,
        )
        if embeddings is None or relation is None:
            return
        if not word:
            self._applying.forget()
            self.relation.no_answer(tr("Type a word to apply the relation to it."))
            return
        pairs, restrict = relation.pairs, self.view_state.restrict
        self._applying.ask(
            Request(
                (embeddings, relation, word, restrict),
                tr("Applying the relation"),
                lambda run: apply_relation(embeddings, pairs, word, _ANSWERS, True, restrict),
                self._show_applied,
                quiet=True,
            )
        )

    def _use_first_word(self, words: list[str]) -> None:
        """Use the first of several words typed at once."""
        self.view_state = self.view_state.replace(word=words[0])

    def _show_applied(self, applied: Applied) -> None:
        self.relation.answer(applied)

    def _applying_failed(self, error: UserError) -> None:
        self.relation.word.mark(False)
        self.relation.no_answer(str(error), is_error=True)

    # -- export

    @property
    def _current_page(self) -> AnatomyPage | RelationPage | AwayPage | CountsPage:
        pages = (self.anatomy, self.relation, self.away, self.counts)
        return pages[_PAGES.index(self.view_state.page)]

    def page_export(self) -> Export | None:
        """The export of the current page, None while the page is empty."""
        page = self._current_page
        if not page.table():
            return None
        if isinstance(page, (AwayPage, CountsPage)):
            return page.export
        if isinstance(page, RelationPage):
            stem = page.name.lower().replace(" ", "-") or "relation"
            return page.view.offer_files(self.session, page.title, stem, page.table)
        assert page.anatomy is not None
        return Export(
            self,
            self.session,
            page.title,
            "-".join(page.anatomy.query),
            page.figure_size,
            page.paint_figure,
            csv(page.table),
        )

    def exporters(self) -> Sequence[Exporter]:
        found = self.page_export()
        return () if found is None else (found,)

    def _export_page(self, what: str) -> None:
        export = self.page_export()
        if export is None:
            error = nothing_to_save(self, lack_of(self))
            self.session.message.emit(error.message, error.hint, False)
        else:
            {"figure": export.ask_figure, "data": export.ask_data, "copy": export.copy}[what]()
