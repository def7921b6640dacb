"""Word sets of the map: lasso selection, isolation, and sets saved by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from workbench.core.language import plural, tr
from workbench.session.session import Session
from workbench.session.settings.session_settings import MAP_SETS
from workbench.session.settings.settings_file import Settings
from workbench.ui import kit
from workbench.ui.base.action import set_action_key
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from workbench.ui.widgets.layout.transient_menu import clear_menu
from workbench.vectors.embeddings import Embeddings

_FEWEST = 2


@dataclass(frozen=True)
class WordSet:
    """Named set of words; the name is empty for an unsaved set."""

    name: str
    words: tuple[str, ...]


def load_sets(settings: Settings) -> list[WordSet]:
    """The saved sets."""
    return [WordSet(entry["name"], tuple(entry["words"])) for entry in settings[MAP_SETS]]


def save_sets(settings: Settings, sets: Sequence[WordSet]) -> None:
    settings[MAP_SETS] = tuple({"name": kept.name, "words": kept.words} for kept in sets)


class NamePopover(QFrame):
    """Popover that asks for a name and passes it to ``named``."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("map.sets.popover")
        self.setProperty("passing", True)
        self.setAccessibleName(tr("Name of the set"))
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._named: Callable[[str], None] | None = None
        self.title = kit.label()
        self.field = kit.with_role(QLineEdit(), "", "map.sets.name")
        self.field.setAccessibleName(tr("Name of the set"))
        kit.set_scaled_size(self.field, least_width=220)
        self.button = kit.button(
            tr("Save"), role="primary", name="map.sets.save", pressed=self._accept_name
        )
        self.field.returnPressed.connect(self._accept_name)
        self.field.textChanged.connect(lambda text: self.button.setEnabled(bool(text.strip())))
        name = kit.row(kit.stretch(self.field), self.button, gap=None)
        kit.fill(self, kit.column(self.title, name, margins=(SPACE_4, SPACE_3)))

    def ask_name(self, under: QWidget, title: str, name: str, named: Callable[[str], None]) -> None:
        self._named = named
        self.title.setText(title)
        self.field.setText(name)
        self.button.setEnabled(bool(name))
        self.adjustSize()
        self.move(under.mapToGlobal(QPoint(0, under.height() + SPACE_1)))
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def _accept_name(self) -> None:
        name = " ".join(self.field.text().split())
        if name and self._named is not None:
            self.hide()
            self._named(name)


class IsolationBar(QWidget):
    """Notice that only some words are shown. ``left``: show all words again."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.label = kit.with_role(kit.ElidedLabel(), "small")
        self.back = kit.button(tr("Show all words again"), role="link", pressed=self.left)
        margins = (SPACE_4, 0, SPACE_3, SPACE_2)
        kit.fill(self, kit.row(kit.stretch(self.label), self.back, gap=SPACE_3, margins=margins))


class MapSets(QObject):
    """The words shown in isolation, and the menu of sets.

    ``isolated_changed()``: other words are isolated, or all are shown again; ``message(text)``: a
    message to show briefly.
    """

    isolated_changed = Signal()
    message = Signal(str)

    def __init__(
        self, session: Session, button: QToolButton, tools: Sequence[QAction], parent: QObject
    ) -> None:
        """``tools`` are the first entries of the menu."""
        super().__init__(parent)
        self._session = session
        self._button = button
        self._tools = tools
        self._deleted: WordSet | None = None
        self.sets = load_sets(session.settings)
        self.isolated: WordSet | None = None
        self.popover = NamePopover(button)
        self.menu = QMenu(button)
        set_action_key(self.menu, "map.words")
        self.menu.setObjectName("map.sets.menu")
        self.menu.aboutToShow.connect(self._fill_menu)
        button.setMenu(self.menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill_menu()

    def reload_sets(self) -> None:
        """Load the sets from the settings."""
        self.sets = load_sets(self._session.settings)

    # -- isolation

    def isolate_words(self, words: WordSet | None) -> None:
        """Show only these words; None shows all words again."""
        if words is not None and len(words.words) < _FEWEST:
            self.message.emit(tr("To show only some words, select at least two"))
            return
        if words != self.isolated:
            self.isolated = words
            self.isolated_changed.emit()

    def isolate_selection(self) -> None:
        chosen = self._session.selection.words
        self.isolate_words(WordSet("", chosen))
        if self.isolated is not None:
            # Select only the focused word, or else all of them would be marked.
            self._session.selection.select(chosen[-1:])

    def isolated_rows(self, embeddings: Embeddings) -> tuple[int, ...] | None:
        """Rows of the isolated words; None shows all."""
        if self.isolated is None:
            return None
        index = embeddings.index
        return tuple(sorted({index[word] for word in self.isolated.words if word in index}))

    def describe(self, known: int) -> str:
        """Describe the isolation with ``known`` words in the model."""
        if self.isolated is None:
            return ""
        whole = len(self.isolated.words)
        if known == whole:
            words = plural(known, "word")
        else:
            words = tr("{known} of {whole} words", known=count(known), whole=count(whole))
        named = tr(" of “{name}”", name=self.isolated.name) if self.isolated.name else ""
        return tr("Layout of only {words}{named}", words=words, named=named)

    # -- sets

    def save_set(self, name: str, words: tuple[str, ...]) -> None:
        """Save words under a name; replaces a set of that name."""
        others = [kept for kept in self.sets if kept.name != name]
        self._change_sets(tr("saving the set “{name}”", name=name), [*others, WordSet(name, words)])
        self.message.emit(
            tr("Saved {words} as “{name}”", words=plural(len(words), "word"), name=name)
        )

    def rename_set(self, old: WordSet, name: str) -> None:
        others = {kept.name for kept in self.sets} - {old.name}
        if name in others:
            self.message.emit(tr("A set “{name}” already exists", name=name))
            return
        new = WordSet(name, old.words)
        self._change_sets(
            tr("renaming the set “{name}”", name=old.name),
            [new if kept == old else kept for kept in self.sets],
        )
        if self.isolated == old:
            self.isolated = new
            self.isolated_changed.emit()

    def delete_set(self, words: WordSet) -> None:
        self._deleted = words
        self._change_sets(
            tr("deleting the set “{name}”", name=words.name),
            [kept for kept in self.sets if kept != words],
        )
        self.message.emit(tr("Deleted “{name}”. Restore it from the Words menu.", name=words.name))

    def _change_sets(self, what: str, sets: Sequence[WordSet]) -> None:
        """Replace the sets; the change can be undone."""
        before = list(self.sets)
        self._set_sets(sets)
        self._session.undo.push(
            what, lambda: self._set_sets(before), lambda: self._set_sets(sets), owner=self.parent()
        )

    def _set_sets(self, sets: Sequence[WordSet]) -> None:
        self.sets = sorted(sets, key=lambda kept: kept.name.casefold())
        save_sets(self._session.settings, self.sets)

    # -- the menu

    def _fill_menu(self) -> None:
        menu, chosen = clear_menu(self.menu), self._session.selection.words
        menu.addActions(self._tools)
        menu.addSeparator()
        enough = len(chosen) >= _FEWEST
        self._add_entry(
            menu,
            tr("Show only the selected words"),
            self.isolate_selection,
            "map.sets.isolate",
            enough,
        )
        back = self.isolated is not None
        self._add_entry(
            menu,
            tr("Show all words again"),
            lambda: self.isolate_words(None),
            "map.sets.back",
            back,
        )
        menu.addSeparator()
        self._add_entry(
            menu,
            tr("Save selected words as a set…"),
            self._ask_name,
            "map.sets.keep",
            bool(chosen),
        )
        for kept in self.sets:
            sub = menu.addMenu(menu_text(f"{kept.name}  ({count(len(kept.words))})"))
            name = f"map.sets.{kept.name}"
            self._add_entry(
                sub,
                tr("Select"),
                partial(self._session.selection.select, kept.words),
                f"{name}.select",
            )
            self._add_entry(
                sub, tr("Show only these"), partial(self.isolate_words, kept), f"{name}.isolate"
            )
            self._add_entry(sub, tr("Rename…"), partial(self._ask_rename, kept), f"{name}.rename")
            self._add_entry(sub, tr("Delete"), partial(self.delete_set, kept), f"{name}.delete")
        if self._deleted is not None:
            gone = self._deleted
            self._add_entry(
                menu,
                tr("Restore “{name}”", name=gone.name),
                self._restore_deleted,
                "map.sets.undelete",
            )

    def _add_entry(
        self, menu: QMenu, text: str, slot: Callable[[], object], name: str, enabled: bool = True
    ) -> None:
        action = menu.addAction(menu_text(text))
        action.setObjectName(name)
        action.setEnabled(enabled)
        action.triggered.connect(lambda _=False: slot())

    def _ask_name(self) -> None:
        words = self._session.selection.words
        title = tr("Save {words} as", words=plural(len(words), "word"))
        self.popover.ask_name(
            self._button, title, self._free_name(), lambda name: self.save_set(name, words)
        )

    def _ask_rename(self, kept: WordSet) -> None:
        self.popover.ask_name(
            self._button,
            tr("Rename “{name}”", name=kept.name),
            kept.name,
            lambda name: self.rename_set(kept, name),
        )

    def _restore_deleted(self) -> None:
        if self._deleted is not None:
            kept, self._deleted = self._deleted, None
            self.save_set(kept.name, kept.words)

    def _free_name(self) -> str:
        used = {kept.name for kept in self.sets}
        return next(
            name
            for number in range(1, len(used) + 2)
            if (name := tr("Set {number}", number=number)) not in used
        )
