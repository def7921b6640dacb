"""Corpus panel: the open corpus, its reading options, its vocabulary, and concordance lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.analysis.neighbours.shared_contexts import ContextSettings
from workbench.core.language import choice_text, tr
from workbench.corpus.concordance import alphabetical
from workbench.corpus.corpus import Corpus
from workbench.corpus.document_frequency import DocumentCounts, document_counts
from workbench.corpus.ingest.read_warnings import encodings, list_warnings, passed_over
from workbench.corpus.ingest.text_sample import Columns
from workbench.corpus.loader import LEFT_OUT
from workbench.counts.counts_corpus import CountedCorpus, counted_remarks
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_kind import PanelPage
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import count, plural
from workbench.ui.base.theme import SPACE_2, SPACE_3, SPACE_4
from workbench.ui.dialogs.open import ask_files, ask_folder, fill_recent, fill_samples
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.panels.corpus import CorpusKind
from workbench.ui.panels.corpus.charts import LINES, CorpusLenses
from workbench.ui.panels.corpus.column_choice import ColumnChoice
from workbench.ui.panels.corpus.read_options import CorpusReading
from workbench.ui.panels.corpus.word_tables import WordTables
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.concordance_pane import ConcordancePane

# Number of tokens from which going through a corpus takes a while.
_LONG = 5_000_000


@dataclass(frozen=True)
class CorpusState(PanelState):
    """lens : lines of text, or a figure; threshold, exponent : steps of the sliders
    words : words or phrases; filter : of the words; lines_order : of the lines
    reading : options chosen for a text but not applied yet (``CorpusReading.saved_options``)
    preview, files, more : which parts are shown
    """

    lens: str = choice(LINES)
    threshold: int = choice(300, low=0)
    exponent: int = choice(75, low=0, high=100)
    words: str = choice("words", allowed=("words", "phrases"))
    filter: str = choice("")
    lines_order: str = choice("text")
    reading: Mapping[str, Any] = choice({})
    preview: bool = choice(False)
    files: bool = choice(False)
    more: bool = choice(False)


class CorpusPanel(CorpusKind, Panel):
    state_kind = CorpusState
    view_state: CorpusState

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: Corpus | None = None
        self._counting = ResultJob(self.session.jobs, f"{self.key}.documents")
        self._open_action = QAction(tr("Open another file…"), self)
        self._open_action.triggered.connect(lambda _=False: self.ask_files())
        self._cancel_action = QAction(tr("Cancel"), self)
        self._cancel_action.triggered.connect(lambda _=False: self._cancel_opening())
        self._build()
        self._export = Export(
            self,
            self.session,
            tr("Vocabulary table"),
            "vocabulary",
            texts=csv(self.words.vocabulary_csv),
        )
        self.follow(self.session.corpora.changed, self._corpus_changed)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.follow(self.session.active.changed, self._shown_changed)
        self.on_tick(self._poll_progress)
        self._corpus_changed()

    # -- building

    def drawn_runs(self) -> tuple[RunRecord, ...]:
        return ()

    def offered_pages(self) -> Sequence[PanelPage]:
        if self.session.corpora.current is not None:
            return [PanelPage(key, title) for key, title in self.lenses.available_lenses]
        return ()

    def exporters(self) -> Sequence[Exporter]:
        shown = self.concordance.exports() if self.lenses.lens == LINES else self.lenses.exports()
        return (self._export,) if shown is None else (shown, self._export)

    def show_page(self, key: str) -> None:
        self.lenses.choose_lens(key)

    def _build(self) -> None:
        self._name = kit.label(role="title")
        facts, noticed = (
            kit.label(role=role, wrap=True, selectable=True) for role in ("muted", "small")
        )
        self._facts = self.named(facts, "facts", tr("Facts about the corpus"))
        self._noticed = self.named(noticed, "noticed", tr("Warnings from reading"))
        self.words = WordTables(self.theme)
        self.words.picked.connect(lambda word: self.session.selection.select([word]))
        self.filter = self.named(
            self.words.filter,
            "filter",
            tr("Filter words"),
            tr("Show words that contain these letters"),
        )
        self.vocabulary = self.named(self.words.vocabulary, "vocabulary", tr("Vocabulary"))
        self.phrases = self.named(self.words.phrases, "phrases", tr("Phrases"))
        self.named(self.words.pages, "pages", tr("Words or phrases"))
        self.named(self.words.none, "no_phrases", tr("No phrases"))
        self.concordance = ConcordancePane(self.session, self.theme, self.key)
        self.concordance.picked.connect(lambda word: self.session.selection.select([word]))
        self.lenses = CorpusLenses(self.session, self.theme, self.concordance)
        self.bound.bind_buttons(self.lenses.buttons, "lens")
        self.bind(self.lenses.threshold, "threshold")
        self.bind(self.lenses.exponent, "exponent")
        self.bind(self.words.pages, "words", ("words", "phrases"))
        self.bind(self.filter, "filter", by=[self.filter.textChanged])
        self.bind(self.concordance.order, "lines_order")
        self.lenses.picked.connect(lambda word: self.session.selection.select([word]))
        self.lines = self.concordance.view
        self.reading = CorpusReading(self.session, self.theme, self.key, self.named, self)
        self.preview = self.reading.preview
        self._bind_reading()
        self.asking = ColumnChoice(self.theme, f"{self.key}.ask")
        self.asking.chosen.connect(self.session.corpora.choose_column)
        self.asking.dismissed.connect(lambda: self.session.corpora.choose_column(""))
        self._lay_out()

    def _bind_reading(self) -> None:
        reading = self.reading
        self.bound.bind_to(
            "reading",
            reading.editors,
            reading.saved_options,
            reading.restore_options,
            reading.edited,
        )
        self.bind_controls(
            preview=reading.preview_button,
            files=reading.files_button,
            more=reading.options.more,
        )

    def _lay_out(self) -> None:
        opening = OpenButtons(self, self.session, self.named)
        self.open = opening.files
        self._halves = kit.split_into(
            kit.TurningSplitter(), self.words, self.lenses, shares=(2, 3), sizes=(400, 460)
        )
        self._spare = QWidget()
        self._spare.hide()
        files = kit.at_top(self.reading.files_button)
        column = kit.column(
            kit.row(kit.stretch(self._name), opening, gap=None),
            self.asking,
            kit.row(kit.stretch(self._facts), files, gap=None),
            self._noticed,
            self.reading.options,
            self.reading.files,
            kit.space(SPACE_2),
            kit.stretch(self.preview, 2),
            kit.stretch(self._halves, 3),
            kit.stretch(self._spare),
            margins=(SPACE_4, SPACE_3, SPACE_4, SPACE_2),
        )
        kit.fill(self.body, column)

    # -- opening

    def take_focus(self) -> None:
        """Move the focus to the answer, if the panel asks for a column."""
        if self.asking.isVisibleTo(self):
            self.asking.read.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().take_focus()

    def ask_files(self) -> None:
        """Show the dialog for files."""
        ask_files(self, self.session)

    def ask_folder(self) -> None:
        """Show the dialog for a folder."""
        ask_folder(self, self.session)

    def _cancel_opening(self) -> None:
        if self.session.corpora.opening is not None:
            self.session.corpora.opening.run.cancel()

    # -- following the session

    def _corpus_changed(self) -> None:
        session = self.session
        if session.corpora.opening is None and session.corpora.pending_table is not None:
            self._ask_column(session.corpora.pending_table)
            return
        if session.corpora.current is not None and session.corpora.current is not self._shown:
            self._show_corpus(session.corpora.current)
        elif session.corpora.current is None and self._shown is not None:
            self._shown = None
            self.reading.forget_corpus()
            self.words.set_corpus(None)
            self.lenses.set_corpus(None)
            self.concordance.set_corpus(None)
        if session.corpora.opening is not None:
            self._show_progress()
        elif session.corpora.error is not None and session.corpora.current is None:
            self.show_error(
                session.corpora.error.message, session.corpora.error.hint, self._open_action
            )
        elif session.corpora.current is None:
            action = QAction(tr("Open files…"), self)
            action.triggered.connect(lambda _=False: self.ask_files())
            self.show_empty(
                tr("Open a text to start"),
                tr(
                    "Open a file or a folder: plain text, CSV, JSON, HTML, EPUB or a "
                    "Wikipedia dump, also as .gz, .bz2, .xz or .zip. You can also drop "
                    "files on the window."
                ),
                action,
            )
        else:
            self.asking.hide()
            self.reading.update_offer()
            self.show_body()

    def _ask_column(self, columns: Columns) -> None:
        """Ask for the text column of a table, instead of showing the open corpus. (The window shows
        this panel.)
        """
        # The answer shows a corpus again, the same one if there is none.
        self._shown = None
        self._name.setText(Path(columns.path).name)
        self._show_rest(False)
        self.asking.show()
        self.show_body()
        self.asking.ask_column(columns)

    def _show_rest(self, visible: bool) -> None:
        """Show or hide the widgets of an open corpus."""
        for widget in (self._facts, self._halves):
            widget.setVisible(visible)
        self._spare.setVisible(not visible)
        if not visible:
            self._noticed.hide()
            self.reading.hide_options()

    def _show_progress(self) -> None:
        job = self.session.corpora.opening
        if job is None:
            return
        progress = job.run.progress
        self.show_busy(f"{job.title}…", progress.note, progress.fraction, self._cancel_action)

    def _show_corpus(self, corpus: Corpus) -> None:
        self._shown = corpus
        self._show_rest(True)
        counted = isinstance(corpus, CountedCorpus)
        self._name.setText(corpus.name)
        self._facts.setText(" · ".join(corpus_facts(corpus)))
        self._facts.setToolTip(safe_tip("\n".join(file.path for file in corpus.files[:40])))
        remarks = corpus_remarks(corpus)
        self._noticed.setText(" ".join(remarks))
        self._noticed.setVisible(bool(remarks))
        self.reading.show_corpus(corpus)
        self.words.set_corpus(corpus)
        self.lenses.set_corpus(corpus)
        self.lenses.show_lines(not counted)
        self.concordance.set_corpus(self.session.corpora.text)
        # The list of words has just lost its numbers of sentences.
        self._counting.forget()
        if counted:
            self._selection_changed()
            return
        self._counting.ask(
            Request(
                (corpus,),
                tr("Counting sentences and files for each word"),
                lambda run: (alphabetical(corpus), document_counts(corpus, run)),
                self._documents_counted,
                quiet=corpus.tokens < _LONG,
            )
        )
        self._selection_changed()

    def _documents_counted(self, found: tuple[NDArray[np.int32], DocumentCounts]) -> None:
        self.vocabulary.set_documents(found[1], found[0])
        self._mark_focus()

    def _selection_changed(self) -> None:
        self._mark_focus()
        self.concordance.look_for(self.session.selection.focus or "")

    def _show_pair_lines(self, word: str, near: str) -> None:
        """Show lines that contain two words, at the distance that the active model counts."""
        corpus, record = self._shown, self.session.active.run
        if corpus is None or self.lacks_lines():
            return
        counting = ContextSettings().as_counted(record.embeddings if record is not None else None)
        size = len(corpus.vocabulary(counting.min_count, counting.max_vocab))
        self.raise_requested.emit()
        self.lenses.choose_lens(LINES)
        self.concordance.look_for(word, near, counting.window, size)

    def lacks_lines(self) -> bool:
        """Whether only counts are open, without lines; shows a message if so."""
        counted = self.session.corpora.counts
        if counted is not None:
            self.session.message.emit(
                tr("{name} doesn’t contain any text.", name=counted.name),
                tr("Open the original text to see lines."),
                True,
            )
        return counted is not None

    def _shown_changed(self) -> None:
        record = self.session.active.run
        if record is not None:
            self.lenses.use_parameters(record.parameters)

    @property
    def idle(self) -> bool:
        return self.session.corpora.opening is None and super().idle

    def _mark_focus(self) -> None:
        """Mark the focused word in the table and on the curve."""
        word = self.session.selection.focus
        if word is not None:
            self.lenses.set_chosen(self.words.rank_of(word))
        else:
            self.lenses.set_chosen(None)
        self.words.mark_word(word)

    def _poll_progress(self) -> None:
        if self.session.corpora.opening is not None and self.isVisible():
            self._show_progress()


def corpus_facts(corpus: Corpus) -> list[str]:
    """Sizes, counting or encoding, and digest of a corpus, in a few words each."""
    facts = _counts_remarks(corpus) if isinstance(corpus, CountedCorpus) else _text_remarks(corpus)
    return [*facts, tr("checksum {digest}", digest=corpus.digest[:8])]


def corpus_remarks(corpus: Corpus) -> list[str]:
    """Sentences about problems during reading, or about limits of counts."""
    if isinstance(corpus, CountedCorpus):
        remarks = counted_remarks(corpus.shards.metadata)
        return [tr("Counts only. Open the original text to see lines and documents."), *remarks]
    return list_warnings(corpus)


def _counts_remarks(counted: CountedCorpus) -> list[str]:
    counting = counted.counting
    facts = [
        plural(counted.tokens, "token"),
        plural(counted.types, "word"),
        tr(
            "{cells} in {shards}",
            cells=plural(counted.shards.nnz, "cell"),
            shards=plural(len(counted.shards.shards), "shard"),
        ),
    ]
    if "window" in counting:
        facts.append(
            tr(
                "window {window}, {window_weighting}",
                window=counting["window"],
                window_weighting=choice_text(counting.get("window_weighting", "fixed")),
            )
        )
    if not counting["symmetric"]:
        facts.append(tr("only following words"))
    return facts


def _text_remarks(corpus: Corpus) -> list[str]:
    facts = [tr("synthetic")] if corpus.metadata.get("synthetic") else []
    facts += [
        plural(corpus.tokens, "token"),
        plural(corpus.types, "type"),
        plural(max(len(corpus.sentences) - 1, 0), "sentence"),
    ]
    if corpus.files:
        left_out = len(corpus.metadata.get(LEFT_OUT, ())) + len(passed_over(corpus))
        files = plural(len(corpus.files), "file")
        whole = count(len(corpus.files) + left_out)
        if left_out:
            facts.append(tr("{files} of {whole}", files=files, whole=whole))
        else:
            facts.append(files)
    if encoded := encodings(corpus):
        facts.append(encoded)
    return facts


class OpenButtons(kit.Bar):
    """Buttons for files, a folder, recent files and bundled corpora. Dialogs open over ``owner``.

    ``named`` gives each button its object and accessible name.
    """

    def __init__(self, owner: QWidget, session: Session, named: Callable[..., Any]) -> None:
        super().__init__()
        self.files = kit.button(tr("Open files…"), pressed=lambda: ask_files(owner, session))
        named(self.files, "open", tr("Open files"), tr("Open text or vectors. (Ctrl+O)"))
        folder = kit.button(tr("Folder…"), pressed=lambda: ask_folder(owner, session))
        named(folder, "open_folder", tr("Open a folder"), tr("Read all text files in a folder"))
        recent, samples = kit.button(tr("Recent")), kit.button(tr("Samples"))
        named(recent, "recent", tr("Recently opened"), tr("Recently opened files"))
        named(samples, "samples", tr("Bundled corpora"), tr("Corpora included with the program"))
        for button, fill in (
            (recent, lambda menu: fill_recent(menu, session)),
            (samples, lambda menu: fill_samples(menu, session)),
        ):
            menu = QMenu(button)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(lambda menu=menu, fill=fill: fill(menu))
            button.setMenu(menu)
        kit.add(self, self.files, folder, recent, samples)
