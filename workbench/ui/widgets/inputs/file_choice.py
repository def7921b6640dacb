"""A list of files: those of the program or the corpus, those opened before, and an entry to open
another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal

from workbench.core.paths import exists
from workbench.core.setting import Setting, Strings
from workbench.session.session import Session
from workbench.ui.base.file_dialogs import WORD_FILES, ask_folder, ask_open
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.widgets.inputs.editors import ChoiceBox

_KEPT = 8


def known_files(session: Session, setting: Setting[Strings]) -> list[str]:
    """The existing files among those opened before, latest first."""
    return [path for path in session.settings[setting] if exists(path)]


def remember_file(session: Session, setting: Setting[Strings], path: Path) -> str:
    """Put a file first among those opened before; returns its absolute path."""
    wanted = str(path.absolute())
    others = [known for known in known_files(session, setting) if known != wanted]
    session.settings[setting] = (wanted, *others)[:_KEPT]
    return wanted


class FileChoice(ChoiceBox):
    """Choice of one file. ``changed``: another file was chosen, or the same was opened again;
    ``none`` is the text for no file.

    setting : paths of files opened before
    own : returns the files of the program or the open corpus, title by path; called at every
    ``refresh``
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        setting: Setting[Strings],
        own: Callable[[], Mapping[str, str]],
        none: str,
        kinds: str,
    ) -> None:
        super().__init__()
        self._session = session
        self._setting = setting
        self._own = own
        self._none = none
        self._kinds = kinds
        self.setMinimumContentsLength(15)
        set_scaled_size(self, most_width=300)
        self.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.refresh()

    @property
    def path(self) -> Path | None:
        chosen = str(self.currentData() or "")
        if chosen:
            return Path(chosen)
        return None

    def refresh(self) -> None:
        """Offer the current files. The user's choice, ``wanted``, stays if it still exists;
        otherwise, the first is chosen.
        """
        offers = {path: Path(path).name for path in known_files(self._session, self._setting)}
        offers = {**self._own(), **offers} or {"": self._none}
        if list(offers.items()) == [
            (self.itemData(row), self.itemText(row)) for row in range(self.count())
        ]:
            return
        chosen = self.currentData()
        self.blockSignals(True)
        self.clear()
        for path, name in offers.items():
            self.addItem(name, path)
            if Path(path).is_absolute():
                self.setItemData(self.count() - 1, safe_tip(path), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(max(self.findData(self.wanted) if self.wanted else 0, 0))
        self.blockSignals(False)
        if self.currentData() != chosen:
            self.changed.emit()

    def ask(self, title: str) -> bool:
        """Let the user choose a file in the system's dialog; returns whether one was chosen."""
        path = ask_open(self, self._session.settings, WORD_FILES, title, self._kinds)
        if path is not None:
            self.open_file(path)
        return path is not None

    def ask_folder(self, title: str) -> bool:
        """Let the user choose a folder in the system's dialog; returns whether one was chosen."""
        path = ask_folder(self, self._session.settings, WORD_FILES, title)
        if path is not None:
            self.open_file(path)
        return path is not None

    def open_file(self, path: Path) -> None:
        """Offer a file, now and in later sessions, and choose it."""
        wanted = remember_file(self._session, self._setting, path)
        before = self.currentData()
        self.refresh()
        at = self.findData(wanted)
        self.setCurrentIndex(at)
        # Also if it was shown already, without having been chosen.
        self.activated.emit(at)
        if before == wanted:
            # Its content may have changed.
            self.changed.emit()
