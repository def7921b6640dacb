"""Corpus: what is open, how it was read, its words, and where a word stands in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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

from workbench.core.errors import UserError
from workbench.corpus.corpus import Corpus
from workbench.session.opening import remembered
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from workbench.ui.widgets.concordance_view import ConcordanceView
from workbench.ui.widgets.corpus_options import CorpusOptionsBar
from workbench.ui.widgets.open_actions import (
    ask_files,
    ask_folder,
    fill_recent,
    fill_samples,
    keep_options,
    kept_options,
)
from workbench.ui.widgets.word_tables import WordTables
from workbench.ui.widgets.zipf import ZipfPlot

if TYPE_CHECKING:
    from workbench.corpus.concordance import Line

_LINES = 40
_WIDTH = 10


class CorpusPanel(Panel):
    key = "corpus"
    title = "Corpus"
    area = "centre"
    order = 30
    indent = SPACE_4

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._shown: Corpus | None = None
        self._open_action = QAction("Open another file…", self)
        self._open_action.triggered.connect(lambda _=False: self.ask_files())
        self._cancel_action = QAction("Cancel", self)
        self._cancel_action.triggered.connect(lambda _=False: self._cancel())
        self._build()
        self.follow(self.session.corpus_changed, self._corpus_changed)
        self.follow(self.session.selection_changed, self._selection_changed)
        context.bridge.tick.connect(self._tick)
        self._corpus_changed()

    # -- building

    def _build(self) -> None:
        self._name = QLabel()
        self._name.setProperty("role", "title")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._facts = self.named(QLabel(), "facts", "Facts about the corpus")
        self._facts.setProperty("role", "muted")
        self._facts.setWordWrap(True)
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words = WordTables()
        self.words.picked.connect(lambda word: self.session.select([word]))
        self.filter = self.named(self.words.filter, "filter", "Filter words", "Show the words that hold these letters")
        self.vocabulary = self.named(self.words.vocabulary, "vocabulary", "Vocabulary")
        self.phrases = self.named(self.words.phrases, "phrases", "Phrases")
        self.named(self.words.pages, "pages", "Words or phrases")
        self.named(self.words.none, "no_phrases", "No phrases")
        self._zipf = self.named(
            ZipfPlot(self.theme), "zipf", "Zipf’s plot",
            "How often a word stands in the text against its rank, both logarithmic. "
            "The dashed line is Zipf’s law: the count falls as 1/rank.",
        )  # fmt: skip
        self._lines_title = QLabel("LINES")
        self._lines_title.setProperty("role", "heading")
        self._lines_note = QLabel("Click a word to see where it stands in the text.")
        self._lines_note.setProperty("role", "muted")
        self._lines_note.setWordWrap(True)
        self.lines = self.named(ConcordanceView(self.theme), "lines", "Lines of the text that hold the word")
        self._build_options()
        self._arrange()

    def _open_buttons(self) -> QHBoxLayout:
        self.open = self.named(QPushButton("Open files…"), "open", "Open files", "Open text or vectors (Ctrl+O)")
        self.open.clicked.connect(self.ask_files)
        folder = self.named(QPushButton("Folder…"), "open_folder", "Open a folder", "Read every text file of a folder")
        folder.clicked.connect(self.ask_folder)
        recent = self.named(QPushButton("Recent"), "recent", "Recently opened", "What was open before")
        samples = self.named(
            QPushButton("Samples"), "samples", "Bundled corpora", "Corpora that come with the workbench"
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
        self._options = CorpusOptionsBar(f"{self.key}.option", kept_options(self.session))
        self._options.changed.connect(self._options_changed)
        self._again = self.named(
            QPushButton("Read again this way"), "again", "Read the corpus again",
            "Read the open files again with these choices",
        )  # fmt: skip
        self._again.clicked.connect(self._read_again)
        self._again_note = QLabel()
        self._again_note.setProperty("role", "small")
        self._options.reading.addWidget(self._again)
        self._options.reading.addWidget(self._again_note)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addLayout(self._open_buttons())
        text = QWidget()
        right = QVBoxLayout(text)
        right.setContentsMargins(0, SPACE_1, 0, 0)
        right.setSpacing(SPACE_1)
        right.addWidget(self._lines_title)
        right.addWidget(self._lines_note)
        right.addWidget(self.lines, 3)
        caption = QLabel("COUNT BY RANK")
        caption.setAccessibleName("Count by rank")
        caption.setProperty("role", "heading")
        right.addSpacing(SPACE_2)
        right.addWidget(caption)
        right.addWidget(self._zipf, 2)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.words)
        halves.addWidget(text)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        halves.setSizes([400, 460])
        column = QVBoxLayout(self.body)
        column.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_2)
        column.setSpacing(SPACE_2)
        column.addLayout(head)
        column.addWidget(self._facts)
        column.addWidget(self._options)
        column.addSpacing(SPACE_2)
        column.addWidget(halves, 1)

    # -- opening

    def ask_files(self) -> None:
        """Show the dialog for files."""
        ask_files(self, self.session)

    def ask_folder(self) -> None:
        """Show the dialog for a folder."""
        ask_folder(self, self.session)

    def _read_again(self) -> None:
        last = remembered(self.session.settings.get("corpus"))
        options = self._options.options()
        if last is not None and last.paths and options is not None:
            self.session.open(last.paths, options)

    def _cancel(self) -> None:
        if self.session.opening is not None:
            self.session.opening.run.cancel()

    def _options_changed(self) -> None:
        options = self._options.options()
        if options is not None:
            keep_options(self.session, options)
        self._update_again()

    def _update_again(self) -> None:
        corpus, options = self._shown, self._options.options()
        differs = corpus is not None and options is not None and corpus.options.effective() != options.effective()
        last = remembered(self.session.settings.get("corpus"))
        files = last is not None and bool(last.paths)
        self._again.setVisible(differs and files)
        self._again_note.setText("Applies to the next files you open." if differs and not files else "")
        self._again_note.setVisible(bool(self._again_note.text()))

    # -- following the session

    def _corpus_changed(self) -> None:
        session = self.session
        if session.corpus is not None and session.corpus is not self._shown:
            self._show_corpus(session.corpus)
        elif session.corpus is None and self._shown is not None:
            self._shown = None
            self.words.put(None)
        if session.opening is not None:
            self._show_progress()
        elif session.open_error is not None and session.corpus is None:
            self.show_error(session.open_error.message, session.open_error.hint, self._open_action)
        elif session.corpus is None:
            action = QAction("Open files…", self)
            action.triggered.connect(lambda _=False: self.ask_files())
            self.show_empty(
                "Open a text to begin.",
                "Plain text, .gz, .bz2, .xz or .zip, or a folder of them. Files can also be dropped on the window.",
                action,
            )
        else:
            self._update_again()
            self.show_body()

    def _show_progress(self) -> None:
        job = self.session.opening
        if job is None:
            return
        progress = job.run.progress
        self.show_busy(f"{job.title}…", progress.note, progress.fraction, self._cancel_action)

    def _show_corpus(self, corpus: Corpus) -> None:
        self._shown = corpus
        self._name.setText(corpus.name)
        self._facts.setText(" · ".join(_facts(corpus)))
        self._facts.setToolTip("\n".join(file.path for file in corpus.files[:40]))
        self.words.put(corpus)
        self._zipf.set_counts(corpus.counts)
        self._selection_changed()

    def _selection_changed(self) -> None:
        self._mark_focus()
        corpus, word = self._shown, self.session.focus
        if corpus is None or word is None:
            self._show_lines("", ())
            return
        from workbench.corpus.concordance import find

        self.session.jobs.start(
            f"Finding “{word}”", lambda run: find(corpus, word, n=_LINES, width=_WIDTH),
            lambda lines: self._show_lines(word, lines), lambda error: self._no_lines(word, error),
            key="corpus.lines", quiet=True,
        )  # fmt: skip

    @property
    def idle(self) -> bool:
        return not (self.session.jobs.busy(self.key) or self.session.jobs.busy("corpus.lines"))

    def _mark_focus(self) -> None:
        """Where the focused word stands in the table and on the curve."""
        word = self.session.focus
        rank = self.words.rank(word) if word is not None else None
        self._zipf.set_mark(None if rank is None else rank + 1)
        self.words.mark(word)

    def _show_lines(self, word: str, lines: Sequence[Line]) -> None:
        self.lines.put(lines)
        self.lines.setVisible(bool(lines))
        self._lines_note.setVisible(not lines)
        if not word:
            self._lines_title.setText("LINES")
            self._lines_note.setText("Click a word to see where it stands in the text.")
            return
        rank = self.words.rank(word)
        total = int(self._shown.counts[rank]) if rank is not None and self._shown is not None else 0
        shown = f" · {count(len(lines))} of {count(total)}" if lines else ""
        self._lines_title.setText(f"LINES WITH “{word}”{shown}")
        self._lines_note.setText(f"“{word}” does not stand in this corpus.")

    def _no_lines(self, word: str, error: UserError) -> None:
        self._show_lines(word, ())
        self._lines_note.setText(f"{error.message} {error.hint}")

    def _tick(self) -> None:
        if self.session.opening is not None and self.isVisible():
            self._show_progress()


def _facts(corpus: Corpus) -> list[str]:
    encodings = sorted({file.encoding for file in corpus.files if file.encoding})
    facts = ["synthetic"] if corpus.metadata.get("synthetic") else []
    facts += [
        f"{count(corpus.tokens)} tokens",
        f"{plural(corpus.types, 'type')}",
        plural(max(len(corpus.sentences) - 1, 0), "sentence"),
    ]
    if corpus.files:
        facts.append(plural(len(corpus.files), "file"))
    if encodings:
        facts.append(", ".join(encodings))
    facts.append(f"digest {corpus.digest[:8]}")
    return facts
