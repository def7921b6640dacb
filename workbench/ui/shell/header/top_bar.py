"""Header of the window: menus, workspaces, the corpus, the run, training, and the search."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from workbench.analysis.neighbours.query_resolution import left_out_message
from workbench.core.language import tr
from workbench.corpus.word_lookup import look_up, spellings
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length, set_scaled_size, set_text_role
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.text import plural, short_number
from workbench.ui.base.theme import SPACE_2, SPACE_3, TYPE_BODY, Theme
from workbench.ui.commands.menus import fill_menu
from workbench.ui.commands.window_actions import Commands
from workbench.ui.shell.header.chip_text import chip_name_width, put_chip_name
from workbench.ui.shell.header.run_chip import RunChip
from workbench.ui.shell.header.training_button import TrainingButton
from workbench.ui.shell.header.workspace_switch import WorkspaceSwitch
from workbench.ui.widgets.inputs.word_field import spelling_of
from workbench.ui.widgets.inputs.word_search import WordIndex, WordSearch
from workbench.ui.widgets.layout.transient_menu import follow_menu_closing
from workbench.vectors.subwords import subwords_of

# Width of a name in a chip: maximum, minimum before menus give way, and minimum before texts give
# way.
_WIDEST, _SHORT, _LEAST = 190, 64, 44
# Width of the search: with its shortest hint, with ten letters, and with only its icon.
_SEARCH, _IN_USE, _MAGNIFIER = 92, 150, 40
_WAYS = ("file.open", "file.folder", "file.recent", "file.sample")


class _Search(WordSearch):
    """Search field whose hint is as detailed as fits.

    in_use_changed : it got or lost the focus, or its first letter
    """

    in_use_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.textChanged.connect(self.in_use_changed)

    @property
    def in_use(self) -> bool:
        return self.hasFocus() or bool(self.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.in_use_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.in_use_changed.emit()


class TopBar(QWidget):
    """Follows the session until ``release``."""

    def __init__(self, session: Session, bridge: Bridge, theme: Theme, menus: QMenuBar) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._indexed: object = None
        self._room = scaled_length(_WIDEST)
        self._search_least = _SEARCH
        self.setObjectName("window.top")
        self.corpus = kit.button(role="quiet", name="window.corpus")
        set_text_role(self.corpus, TYPE_BODY, bold=True)
        self.corpus_menu = QMenu(self.corpus)
        self.corpus_menu.setToolTipsVisible(True)
        self.corpus.setMenu(self.corpus_menu)
        follow_menu_closing(self.corpus, self.corpus_menu)
        self.workspaces = WorkspaceSwitch()
        self.run = RunChip(session, theme)
        self.training = TrainingButton(session, bridge, theme)
        self.search = _Search()
        self.search.setObjectName("window.search")
        # Beside the magnifier and the cross.
        self.search.set_hints(tr("Find a word (/)"), tr("Find a word"), tr("Find"), beside=52)
        self.search.setAccessibleName(tr("Search words"))
        self.search.setToolTip(
            tr("Type the start of a word (/), several words for a set, or > for actions")
        )
        set_scaled_size(self.search, least_width=_SEARCH, most_width=280)
        self.search.picked.connect(self._pick)
        self.search.in_use_changed.connect(self._arrange)
        self.search.wanted.connect(self.make_index)
        self._magnifier = self.search.addAction(
            theme.icon("search", "muted"), WordSearch.ActionPosition.LeadingPosition
        )
        self._menus = menus
        menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.all_menus = self._menu_button()
        self._arrow = kit.label("▸", role="muted")
        row = kit.row(
            self.all_menus,
            kit.centred_down(menus),
            self.workspaces,
            kit.stretch(share=1),
            # Two chips that belong together: the corpus, and a run on it.
            kit.row(self.corpus, self._arrow, self.run, gap=0),
            self.training,
            kit.stretch(self.search, 2),
            margins=(SPACE_2, 6, SPACE_3, 6),
        )
        kit.fill(self, row)
        session.corpora.changed.connect(self.refresh)
        session.active.changed.connect(self._forget_index)
        self.run.changed.connect(self._arrange)
        self.training.changed.connect(self._arrange)
        theme.changed.connect(self._retheme)
        theme.text_changed.connect(self._arrange)
        self._retheme()
        self.refresh()

    def _menu_button(self) -> QToolButton:
        """The button that opens the menus when the bar has no room for them."""
        button = kit.text_button("", role="quiet", name="window.menus")
        button.setAccessibleName(tr("Menus"))
        button.setToolTip(tr("Menus"))
        kit.set_scaled_size(button, width=34, height=32, icon=18)
        menu = QMenu(button)
        follow_menu_closing(button, menu)
        menu.aboutToShow.connect(lambda: menu.addActions(self._menus.actions()))
        # Not the button's own menu, whose arrow would take room.
        button.clicked.connect(partial(_open_below, menu, button))
        return button

    def sizeHint(self) -> QSize:
        return QSize(800, scaled_length(46))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Divide the room. If it is insufficient, the menu bar becomes a button, the training
        button loses its text, the search shrinks to its icon, and names are elided; workspaces
        always keep their full width.
        """
        chips = [chip for chip in (self.corpus, self.run) if not chip.isHidden()]
        self._arrow.setVisible(len(chips) > 1)
        search = _IN_USE if self.search.in_use else _SEARCH
        room = self.width() - SPACE_3 - 6 * SPACE_2 - scaled_length(search)
        room -= self.workspaces.sizeHint().width() + self._arrow.sizeHint().width()
        room -= sum(_frame_of(chip) for chip in chips)
        short, menus = len(chips) * scaled_length(_SHORT), self._menus.sizeHint().width()
        # The start of a training must not turn the menu bar into a button.
        is_bar = room - menus - self.training.running_width >= short
        if not is_bar:
            menus = self.all_menus.sizeHint().width()
        self._menus.setVisible(is_bar)
        self.all_menus.setHidden(is_bar)
        self.training.set_compact(room - menus - self.training.whole_width < short)
        rest = room - menus - self.training.kept_width
        least = search
        if rest < short and not self.search.in_use:
            least = _MAGNIFIER
            rest += scaled_length(_SEARCH) - scaled_length(_MAGNIFIER)
        if least != self._search_least:
            self._search_least = least
            set_scaled_size(self.search, least_width=least)
        widest = scaled_length(_WIDEST)
        names_fit = min(self._name_width, widest) + min(self.run.name_width, widest) <= rest
        self.training.keep_place(names_fit)
        if not names_fit:
            rest += self.training.free_width
        self._share_room(rest)

    def _share_room(self, room: int) -> None:
        """Elide the names of the corpus and the run, starting with the longer one."""
        least, most = scaled_length(_LEAST), scaled_length(_WIDEST)
        corpus, run = self._name_width, self.run.name_width
        shares = min(corpus, max(room // 2, room - run)), min(run, max(room // 2, room - corpus))
        of_corpus, of_run = (min(max(share, least), most) for share in shares)
        self.run.set_room(of_run)
        if of_corpus != self._room:
            self._room = of_corpus
            self._show_corpus()

    def release(self) -> None:
        """Disconnect from the session."""
        self._session.corpora.changed.disconnect(self.refresh)
        self._session.active.changed.disconnect(self._forget_index)
        self.run.release()
        self.training.release()

    def _pick(self, words: list[str]) -> None:
        """Select words; if there are several, leave out those that neither the model nor the corpus
        contains, with a message.
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
            self._session.message.emit(left_out_message(unknown, places[0].words), "", False)
        self._session.selection.select(words)

    def fill_corpus_menu(self, commands: Commands) -> None:
        """Fill the menu of the corpus with the ways to open another one."""
        fill_menu(self.corpus_menu, _WAYS, commands)

    def refresh(self) -> None:
        self._show_corpus()
        self._arrange()
        self._forget_index()

    @property
    def _name_width(self) -> int:
        """Width of the corpus's name."""
        return chip_name_width(self.corpus, self._corpus_name)

    @property
    def _corpus_name(self) -> str:
        corpus = self._session.corpora.current
        if corpus is None:
            return tr("Open a text")
        return corpus.name

    def _show_corpus(self) -> None:
        corpus, name = self._session.corpora.current, self._corpus_name
        put_chip_name(self.corpus, name, self._room)
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

    # -- the index of the search, created when first needed

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
            else:
                self._forget_missing()

    def _forget_missing(self) -> None:
        """Clear the search if the model shown, or else the open corpus, lacks one of its words."""
        embeddings, corpus = self._session.active.embeddings, self._session.corpora.current
        if embeddings is not None:
            find = embeddings.find
            self.search.forget_missing(lambda word: find(word) is not None)
        elif corpus is not None and self.search.text():
            words, options = frozenset(corpus.words), corpus.options
            self.search.forget_missing(
                lambda word: any(written in words for written in spellings(word, options))
            )

    def make_index(self) -> None:
        words = self._vocabulary()
        if words is None or words is self._indexed:
            return
        self._indexed = words
        options = spelling_of(self._session)
        self._session.jobs.start(
            tr("Sorting words"),
            lambda run: WordIndex(words, options),  # type: ignore[arg-type]
            self.search.set_index,
            key="window.search",
            quiet=True,
        )

    def _retheme(self) -> None:
        self._magnifier.setIcon(self._theme.icon("search", "muted"))
        self.all_menus.setIcon(self._theme.icon("menu"))


def _open_below(menu: QMenu, button: QWidget) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))


def _frame_of(chip: QPushButton) -> int:
    """Width of a chip without its name, in pixels."""
    return chip.sizeHint().width() - chip.fontMetrics().horizontalAdvance(chip.text().rstrip())
