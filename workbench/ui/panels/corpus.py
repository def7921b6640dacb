"""Corpus: what is open, how it was read, its words, and where a word stands in the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.contexts import Counting
from workbench.core.language import tr
from workbench.core.tables import to_csv
from workbench.corpus.columns import Columns
from workbench.corpus.concordance import alphabetical
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.documents import DocumentCounts, document_counts
from workbench.corpus.store import LEFT_OUT
from workbench.corpus.telling import encodings, noticed
from workbench.counts.counted import CountedCorpus
from workbench.session.opening import remembered
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_2, SPACE_3, SPACE_4, set_property
from workbench.ui.widgets.column_choice import ColumnChoice
from workbench.ui.widgets.concordance_pane import ConcordancePane
from workbench.ui.widgets.corpus_files import CorpusFiles
from workbench.ui.widgets.corpus_lenses import LINES, CorpusLenses
from workbench.ui.widgets.corpus_options import CorpusOptionsBar
from workbench.ui.widgets.corpus_preview import CorpusPreview
from workbench.ui.widgets.exporting import Export, csv, export_actions
from workbench.ui.widgets.open_actions import (
    ask_files,
    ask_folder,
    chosen_over,
    fill_recent,
    fill_samples,
    keep_options,
    kept_options,
)
from workbench.ui.widgets.word_tables import WordTables

# Tokens of a corpus that takes more than a moment to go through.
_LONG = 5_000_000


class CorpusPanel(Panel):
    key = "corpus"
    title = tr("Corpus")
    area = "centre"
    order = 30
    indent = SPACE_4

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: Corpus | None = None
        self._preview_declined = False
        self._open_action = QAction(tr("Open another file…"), self)
        self._open_action.triggered.connect(lambda _=False: self.ask_files())
        self._cancel_action = QAction(tr("Cancel"), self)
        self._cancel_action.triggered.connect(lambda _=False: self._cancel())
        self._build()
        self._export = Export(self, self.session, tr("The vocabulary"), "vocabulary", texts=csv(self._table))
        self.follow(self.session.corpus_changed, self._corpus_changed)
        self.follow(self.session.selection_changed, self._selection_changed)
        self.follow(self.session.lines_asked, self._lines_asked)
        self.follow(self.session.shown_changed, self._shown_changed)
        # Another order of the table moves the row of the focused word.
        self.vocabulary.sorted_by.connect(lambda _: self._mark_focus())
        self.on_tick(self._tick)
        self._corpus_changed()

    # -- building

    def _build(self) -> None:
        self._name = QLabel()
        self._name.setProperty("role", "title")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._facts = self.named(QLabel(), "facts", tr("Facts about the corpus"))
        self._facts.setProperty("role", "muted")
        self._facts.setWordWrap(True)
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._noticed = self.named(QLabel(), "noticed", tr("What was noticed while reading"))
        self._noticed.setProperty("role", "small")
        self._noticed.setWordWrap(True)
        self._noticed.setTextFormat(Qt.TextFormat.PlainText)
        self._noticed.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words = WordTables()
        self.words.picked.connect(lambda word: self.session.select([word]))
        self.filter = self.named(
            self.words.filter, "filter", tr("Filter words"), tr("Show the words that hold these letters")
        )
        self.vocabulary = self.named(self.words.vocabulary, "vocabulary", tr("Vocabulary"))
        self.phrases = self.named(self.words.phrases, "phrases", tr("Phrases"))
        self.named(self.words.pages, "pages", tr("Words or phrases"))
        self.named(self.words.none, "no_phrases", tr("No phrases"))
        self.concordance = ConcordancePane(self.session, self.theme, self.key)
        self.concordance.picked.connect(lambda word: self.session.select([word]))
        self.lenses = CorpusLenses(self.session, self.theme, self.concordance)
        self.lenses.picked.connect(lambda word: self.session.select([word]))
        self.lines = self.concordance.view
        self._build_options()
        self.asking = ColumnChoice(f"{self.key}.ask")
        self.asking.chosen.connect(self.session.answer)
        self.asking.dismissed.connect(lambda: self.session.answer(""))
        self._arrange()

    def _open_buttons(self) -> QHBoxLayout:
        self.open = self.named(
            QPushButton(tr("Open files…")), "open", tr("Open files"), tr("Open text or vectors (Ctrl+O)")
        )
        self.open.clicked.connect(self.ask_files)
        folder = self.named(
            QPushButton(tr("Folder…")), "open_folder", tr("Open a folder"), tr("Read every text file of a folder")
        )
        folder.clicked.connect(self.ask_folder)
        recent = self.named(QPushButton(tr("Recent")), "recent", tr("Recently opened"), tr("What was open before"))
        samples = self.named(
            QPushButton(tr("Samples")), "samples", tr("Bundled corpora"), tr("Corpora that come with the workbench")
        )
        for button, fill in (
            (recent, lambda menu: fill_recent(menu, self.session)),
            (samples, lambda menu: fill_samples(menu, self.session)),
        ):
            menu = QMenu(button)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(lambda menu=menu, fill=fill: fill(menu))
            button.setMenu(menu)
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        for button in (self.open, folder, recent, samples):
            row.addWidget(button)
        return row

    def _build_options(self) -> None:
        self._options = CorpusOptionsBar(f"{self.key}.option", kept_options(self.session), self.theme)
        self._options.changed.connect(self._options_edited)
        self.preview = CorpusPreview(self.session, self.theme, f"{self.key}.preview")
        self.preview.hide()
        self._preview_button = self.named(
            QPushButton(tr("Preview")), "show_preview", tr("Preview these choices"),
            tr("The first lines of the text, and what becomes of its words, before it is read again"),
        )  # fmt: skip
        self._preview_button.setCheckable(True)
        set_property(self._preview_button, "role", "quiet")
        self._preview_button.toggled.connect(self._show_preview)
        self._again = self.named(
            QPushButton(tr("Read again this way")), "again", tr("Read the corpus again"),
            tr("Read the open files again with these choices"),
        )  # fmt: skip
        self._again.clicked.connect(self._read_again)
        self.files = CorpusFiles(f"{self.key}.of_files")
        self.files.changed.connect(self._options_changed)
        self.files.hide()
        self._files_button = self.named(
            QPushButton(tr("Files and encoding")), "files", tr("Files and encoding"),
            tr("Which files are read, in which encoding, and what was noticed in them"),
        )  # fmt: skip
        self._files_button.setCheckable(True)
        set_property(self._files_button, "role", "quiet")
        self._files_button.toggled.connect(self.files.setVisible)
        self._options.reading.addWidget(self._preview_button)
        self._options.reading.addWidget(self._again)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addLayout(self._open_buttons())
        halves = self._halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.words)
        halves.addWidget(self.lenses)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        halves.setSizes([400, 460])
        column = QVBoxLayout(self.body)
        column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_2)
        column.setSpacing(SPACE_2)
        column.addLayout(head)
        facts = QHBoxLayout()
        facts.addWidget(self._facts, 1)
        facts.addWidget(self._files_button, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.asking)
        column.addLayout(facts)
        column.addWidget(self._noticed)
        column.addWidget(self._options)
        column.addWidget(self.files)
        column.addSpacing(SPACE_2)
        column.addWidget(self.preview, 2)
        column.addWidget(halves, 3)
        self._spare = QWidget()
        self._spare.hide()
        column.addWidget(self._spare, 1)

    # -- opening

    def restore_state(self, kept: Mapping[str, Any]) -> None:
        self._options.put(kept_options(self.session))

    def ask_files(self) -> None:
        """Show the dialog for files."""
        ask_files(self, self.session)

    def ask_folder(self) -> None:
        """Show the dialog for a folder."""
        ask_folder(self, self.session)

    def _read_again(self) -> None:
        last = remembered(self.session.settings.get("corpus"))
        options = self._wanted()
        if last is None or options is None:
            return
        if last.sample:
            self.session.open_sample(last.sample, options)
        else:
            self.session.open(last.paths, options)

    def _wanted(self) -> CorpusOptions | None:
        """How the open files are to be read, or None while something about it is wrong."""
        options = self._options.options()
        return None if options is None else self.files.completed(options)

    def _cancel(self) -> None:
        if self.session.opening is not None:
            self.session.opening.run.cancel()

    def _options_edited(self) -> None:
        options = self._options.options()
        if self._shown is not None and options is not None and not self._preview_declined:
            # What phrases become is seen in no preview.
            here = options.reading().effective().lasting()
            if here != self._shown.options.reading().effective().lasting():
                self._preview_button.setChecked(True)
        self._options_changed()

    def _show_preview(self, shown: bool) -> None:
        # Who closed it does not want it to come by itself.
        self._preview_declined = not shown
        self.preview.setVisible(shown)

    def _options_changed(self) -> None:
        options = self._options.options()
        # What cannot be read with here would keep the next files from being opened.
        if options is not None and self._options.missing.isHidden():
            keep_options(self.session, options, self._shown)
        self._update_again()

    def _update_again(self) -> None:
        last = remembered(self.session.settings.get("corpus"))
        differs = False
        options = self._wanted()
        if self._shown is not None and options is not None and self.session.counted is None:
            differs = options.effective() != self._shown.options.effective()
        self._again.setVisible(differs and last is not None and self._options.missing.isHidden())
        self.preview.show_options(self._shown if self.session.counted is None else None, options)

    # -- following the session

    def _corpus_changed(self) -> None:
        session = self.session
        if session.corpus is not None and session.corpus is not self._shown:
            self._show_corpus(session.corpus)
        elif session.corpus is None and self._shown is not None:
            self._shown = None
            self.words.put(None)
            self.lenses.set_corpus(None)
            self.concordance.set_corpus(None)
        if session.opening is not None:
            self._show_progress()
        elif session.asked is not None:
            self._ask(session.asked)
        elif session.open_error is not None and session.corpus is None:
            self.show_error(session.open_error.message, session.open_error.hint, self._open_action)
        elif session.corpus is None:
            action = QAction(tr("Open files…"), self)
            action.triggered.connect(lambda _=False: self.ask_files())
            self.show_empty(
                tr("Open a text to begin."),
                tr(
                    "Plain text, CSV, JSON, HTML, EPUB or Wikipedia’s dumps, also in .gz, .bz2, .xz or .zip, or a "
                    "folder of them. Files can also be dropped on the window."
                ),
                action,
            )
        else:
            self.asking.hide()
            self._update_again()
            self.show_body()

    def _ask(self, columns: Columns) -> None:
        """Which column of a table to read, above whatever is open."""
        self.asking.show()
        self._show_rest(self._shown is not None)
        self.show_body()
        self.raise_requested.emit()
        self.asking.ask(columns)

    def _show_rest(self, visible: bool) -> None:
        """What belongs to an open corpus, which is not shown below a question without one."""
        for widget in (self._facts, self._options, self._halves, self._spare):
            widget.setVisible(visible if widget is not self._spare else not visible)
        if not visible:
            for widget in (self._noticed, self._files_button, self.files, self._again, self.preview):
                widget.hide()

    def _show_progress(self) -> None:
        job = self.session.opening
        if job is None:
            return
        progress = job.run.progress
        self.show_busy(f"{job.title}…", progress.note, progress.fraction, self._cancel_action)

    def _show_corpus(self, corpus: Corpus) -> None:
        first, self._shown = self._shown is None, corpus
        self._show_rest(True)
        counted = corpus if isinstance(corpus, CountedCorpus) else None
        self._options.setVisible(counted is None)
        self.preview.setVisible(self._preview_button.isChecked() and counted is None)
        self._name.setText(corpus.name)
        self._facts.setText(" · ".join(_facts(corpus) if counted is None else _facts_of_counts(counted)))
        self._facts.setToolTip("\n".join(file.path for file in corpus.files[:40]))
        told = noticed(corpus)
        if counted is not None:
            told = [tr("These are counts without their text: lines and documents are seen where that is open.")]
        self._noticed.setText(" ".join(told))
        self._noticed.setVisible(bool(told))
        last = remembered(self.session.settings.get("corpus"))
        self.files.show_corpus(corpus, last.paths if last is not None else ())
        self._files_button.setVisible(bool(corpus.files) and not corpus.metadata.get("sample"))
        self.files.setVisible(self._files_button.isChecked() and not corpus.metadata.get("sample"))
        # Opened in another way than chosen here: as it was when it was open before, or in a session of another file.
        # A panel that is new, in this window or after a start, shows what was chosen last for this very corpus.
        if counted is None and not (first and chosen_over(self.session, corpus)):
            self._options.put(corpus.options)
        self.words.put(corpus)
        self.lenses.set_corpus(corpus)
        self.lenses.show_lines(counted is None)
        self.concordance.set_corpus(self.session.text)
        if counted is not None:
            self.session.jobs.drop("corpus.documents")
            self._selection_changed()
            return
        self.session.jobs.start(
            tr("Counting what holds each word"),
            lambda run: (alphabetical(corpus), document_counts(corpus, run)),
            self._counted,
            key="corpus.documents",
            quiet=corpus.tokens < _LONG,
        )
        self._selection_changed()

    def _counted(self, found: tuple[NDArray[np.int32], DocumentCounts]) -> None:
        self.vocabulary.words.set_alphabet(found[0])
        self.vocabulary.words.set_documents(found[1])
        self._mark_focus()

    def _selection_changed(self) -> None:
        self._mark_focus()
        self.concordance.look_for(self.session.focus or "")

    def _lines_asked(self, word: str, near: str) -> None:
        """Lines that hold two words, the distance measured as the model looked at measures it."""
        corpus, record = self._shown, self.session.shown
        if corpus is None or self.lacks_lines():
            return
        counting = Counting().like(record.embeddings if record is not None else None)
        size = len(corpus.vocabulary(counting.min_count, counting.max_vocab))
        self.raise_requested.emit()
        self.lenses.choose(LINES)
        self.concordance.look_for(word, near, counting.window, size)

    def lacks_lines(self) -> bool:
        """Whether only counts are open, of which there are no lines; says so."""
        counted = self.session.counted
        if counted is not None:
            self.session.message.emit(
                tr("{name} holds no text.", name=counted.name), tr("Open the text that was counted to see lines."), True
            )
        return counted is not None

    def _shown_changed(self) -> None:
        record = self.session.shown
        if record is not None:
            self.lenses.like(record.parameters)

    @property
    def idle(self) -> bool:
        return self.session.opening is None and super().idle

    commands = export_actions(key, tr("the vocabulary"), lambda panel: panel._export, figure=False)

    def _table(self) -> str:
        """The vocabulary as the table has it, row by row."""
        corpus, words = self._shown, self.vocabulary.words
        if corpus is None:
            return ""
        found = words.documents
        rows = (
            [rank + 1, corpus.words[rank], int(corpus.counts[rank]), float(corpus.counts[rank]) / corpus.tokens]
            + ([int(found.counts[rank])] if found is not None else [])
            for rank in words.shown.tolist()
        )
        header = ["rank", "word", "count", "share"] + ([f"{found.unit}s"] if found is not None else [])
        return to_csv(header, rows)

    def _mark_focus(self) -> None:
        """Where the focused word stands in the table and on the curve."""
        word = self.session.focus
        self.lenses.set_chosen(self.words.rank(word) if word is not None else None)
        self.words.mark(word)

    def _tick(self) -> None:
        if self.session.opening is not None and self.isVisible():
            self._show_progress()


def _facts_of_counts(counted: CountedCorpus) -> list[str]:
    made = counted.counting
    facts = [
        tr("{tokens} tokens", tokens=count(counted.tokens)),
        plural(counted.types, "word"),
        tr(
            "{cells} cells in {shards}",
            cells=count(counted.shards.nnz),
            shards=plural(len(counted.shards.shards), "shard"),
        ),
    ]
    if "window" in made:
        facts.append(
            tr(
                "window {window}, {window_weighting}",
                window=made["window"],
                window_weighting=made.get("window_weighting", "fixed"),
            )
        )
    if not made["symmetric"]:
        facts.append(tr("words after a word only"))
    return [*facts, tr("digest {digest}", digest=counted.digest[:8])]


def _facts(corpus: Corpus) -> list[str]:
    encoded = encodings(corpus)
    facts = [tr("synthetic")] if corpus.metadata.get("synthetic") else []
    facts += [
        tr("{tokens} tokens", tokens=count(corpus.tokens)),
        plural(corpus.types, "type"),
        plural(max(len(corpus.sentences) - 1, 0), "sentence"),
    ]
    if corpus.files:
        left_out = len(corpus.metadata.get(LEFT_OUT, ()))
        files = plural(len(corpus.files), "file")
        whole = count(len(corpus.files) + left_out)
        facts.append(tr("{files} of {whole}", files=files, whole=whole) if left_out else files)
    if encoded:
        facts.append(encoded)
    facts.append(tr("digest {digest}", digest=corpus.digest[:8]))
    return facts
