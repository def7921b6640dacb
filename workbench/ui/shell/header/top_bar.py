"""Header of the window: menus, workspaces, the corpus, the run, training, and the search."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QPushButton, QSizePolicy, QWidget

from workbench.analysis.neighbours.query_resolution import told_left_out
from workbench.core.language import tr
from workbench.corpus.word_lookup import look_up
from workbench.session.session import Session
from workbench.ui.commands.menus import fill_menu
from workbench.ui.commands.window_actions import Commands
from workbench.ui.plain_text import menu_text, paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size, set_text_role, text_factor
from workbench.ui.shell.header.run_chip import RunChip
from workbench.ui.shell.header.training_button import TrainingButton
from workbench.ui.shell.header.workspace_switch import WorkspaceSwitch
from workbench.ui.shell.session_timer import Bridge
from workbench.ui.text import plural, short_number
from workbench.ui.theme import SPACE_2, SPACE_3, TYPE_BODY, Theme
from workbench.ui.widgets.inputs.word_field import spelling_of
from workbench.ui.widgets.inputs.word_search import WordIndex, WordSearch
from workbench.vectors.subwords import subwords_of

# Of a name in a chip, and where the window is narrow for its text.
_WIDEST, _SHORT, _NARROW = 190, 72, 1200
_WAYS = ("file.open", "file.folder", "file.recent", "file.sample")


class TopBar(QWidget):
    """Follows the session; ``release`` ends that."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme, menus: QMenuBar) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._indexed: object = None
        self._room = scaled_length(_WIDEST)
        self.setObjectName("window.top")
        self.corpus = QPushButton()
        self.corpus.setObjectName("window.corpus")
        self.corpus.setProperty("role", "quiet")
        set_text_role(self.corpus, TYPE_BODY, bold=True)
        self.corpus_menu = QMenu(self.corpus)
        self.corpus_menu.setToolTipsVisible(True)
        self.corpus.setMenu(self.corpus_menu)
        self.workspaces = WorkspaceSwitch()
        self.run = RunChip(session, theme)
        self.training = TrainingButton(session, bridge, theme)
        self.search = WordSearch()
        self.search.setObjectName("window.search")
        self.search.setAccessibleName(tr("Search words"))
        self.search.setPlaceholderText(tr("Words  /     Actions  Ctrl+K"))
        self.search.setToolTip(
            tr("Type the beginning of a word (/), several words for a set, or > for actions")
        )
        set_scaled_size(self.search, least_width=110, most_width=280)
        self.search.picked.connect(self._pick)
        self.search.wanted.connect(self.make_index)
        self._magnifier = self.search.addAction(
            theme.icon("search", "muted"), WordSearch.ActionPosition.LeadingPosition
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_2, 6, SPACE_3, 6)
        row.setSpacing(SPACE_2)
        # Menus without room go behind the arrow that Qt puts at the end of the bar.
        menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        set_scaled_size(menus, least_width=60)
        row.addWidget(menus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.workspaces)
        row.addStretch(1)
        # Two chips that belong together: a run of a corpus.
        chips = QHBoxLayout()
        chips.setSpacing(0)
        chips.addWidget(self.corpus)
        chips.addWidget(self.run)
        row.addLayout(chips)
        row.addWidget(self.training)
        row.addWidget(self.search, 2)
        session.corpora.changed.connect(self.refresh)
        session.active.changed.connect(self._forget_index)
        theme.changed.connect(self._retheme)
        theme.text_changed.connect(self._fit_chips)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(800, scaled_length(46))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    def _fit_chips(self) -> None:
        """Elide the names of the corpus and the run where everything else needs the room."""
        narrow = self.width() / text_factor() < _NARROW
        room = scaled_length(_SHORT if narrow else _WIDEST)
        if room != self._room:
            self._room = room
            self.run.set_room(room)
            self.refresh()

    def release(self) -> None:
        """Hear nothing of the session any more."""
        self._session.corpora.changed.disconnect(self.refresh)
        self._session.active.changed.disconnect(self._forget_index)
        self.run.release()
        self.training.release()

    def _pick(self, words: list[str]) -> None:
        """Select words; of several those that neither the model nor the corpus knows are left out,
        and told.
        """
        embeddings, corpus = self._session.active.embeddings, self._session.corpora.current
        composed = embeddings is not None and subwords_of(embeddings) is not None
        places = [
            place
            for place in (embeddings, corpus.vocabulary() if corpus is not None else None)
            if place
        ]
        unknown = [
            word
            for word in words
            if all(look_up(word, one.index, one.options) is None for one in places)
        ]
        if places and not composed and 0 < len(unknown) < len(words):
            words = [word for word in words if word not in unknown]
            self._session.message.emit(told_left_out(unknown, places[0].words), "", False)
        self._session.selection.select(words)

    def fill_corpus_menu(self, commands: Commands) -> None:
        """The ways to open another corpus, under its name."""
        fill_menu(self.corpus_menu, _WAYS, commands)

    def refresh(self) -> None:
        corpus = self._session.corpora.current
        if corpus is not None:
            name = corpus.name
        else:
            name = tr("Open a text")
        shown = self.fontMetrics().elidedText(
            paintable_text(name), Qt.TextElideMode.ElideMiddle, self._room
        )
        # Room for the arrow that says there is a menu.
        self.corpus.setText(menu_text(shown) + "   ")
        self.corpus.setAccessibleName(tr("Corpus: {name}", name=name))
        facts = ""
        if corpus is not None:
            facts = tr(
                "{tokens} tokens · {words}",
                tokens=short_number(corpus.tokens),
                words=plural(corpus.types, "word"),
            )
        elif self._session.corpora.opening is not None:
            facts = tr("reading…")
        tips = [name, facts, tr("Open another corpus")]
        self.corpus.setToolTip(safe_tip("\n".join(tip for tip in tips if tip)))
        self.corpus.setAccessibleDescription(facts)
        self._forget_index()

    # -- the index of the search, made when it is first wanted

    def _vocabulary(self) -> object:
        shown = self._session.active.run
        if shown is not None and shown.embeddings is not None:
            return shown.embeddings.words
        if self._session.corpora.current is not None:
            return self._session.corpora.current.words
        return None

    def _forget_index(self) -> None:
        if self._vocabulary() is not self._indexed:
            self._indexed = None
            self.search.set_index(None)
            if self.search.hasFocus():
                self.make_index()

    def make_index(self) -> None:
        words = self._vocabulary()
        if words is None or words is self._indexed:
            return
        self._indexed = words
        options = spelling_of(self._session)
        self._session.jobs.start(
            tr("Sorting the words"),
            lambda run: WordIndex(words, options),  # type: ignore[arg-type]
            self.search.set_index,
            key="window.search",
            quiet=True,
        )

    def _retheme(self) -> None:
        self._magnifier.setIcon(self._theme.icon("search", "muted"))
