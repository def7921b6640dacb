"""The rows of the page of shortcuts: where an action belongs, what it is called, its keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.shortcuts import Shortcuts, shown
from workbench.ui.measures import body_font
from workbench.ui.plain_text import safe_tip

_Index = QModelIndex | QPersistentModelIndex
KEY = Qt.ItemDataRole.UserRole
_COLUMNS = (tr("Where"), tr("Action"), tr("Keys"))


class ShortcutTable(QAbstractTableModel):
    """Actions that fit a search; those whose keys were changed are bold."""

    def __init__(self, shortcuts: Shortcuts, parent: QObject) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._every = [known for known in shortcuts.known.values() if isinstance(known.action, Action)]
        self._shown = list(self._every)
        self._keys = shortcuts.all()

    @property
    def every_word(self) -> str:
        return " ".join(f"{known.home.title} {known.action.text}" for known in self._every)

    def refresh(self) -> None:
        """Take the keys anew."""
        self._keys = self._shortcuts.all()
        if self._shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 2))

    def filter(self, typed: str) -> int:
        """Only actions whose place, name, description or keys hold every word typed; how many."""
        words = typed.casefold().split()
        fits = [known for known in self._every if all(word in self._words(known.action.key) for word in words)]
        if fits != self._shown:
            self.beginResetModel()
            self._shown = fits
            self.endResetModel()
        return len(fits)

    def _words(self, key: str) -> str:
        known = self._shortcuts.known[key]
        keys = " ".join((*self._keys[key], *map(shown, self._keys[key])))
        return f"{known.home.title} {known.action.text} {known.action.description} {keys}".casefold()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index | None = None) -> int:
        return len(_COLUMNS)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        wanted = way == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return _COLUMNS[section] if wanted else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        known = self._shown[index.row()]
        key = known.action.key
        if role == KEY:
            return key
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(known.action.description)
        if role == Qt.ItemDataRole.FontRole and index.column() == 2 and self._shortcuts.is_changed(key):
            font: QFont = body_font(bold=True)
            return font
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (known.home.title, known.action.text, "   ".join(map(shown, self._keys[key])))[index.column()]
