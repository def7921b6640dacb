"""List of the files of a corpus, with a check box for each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from workbench.core.language import tr
from workbench.corpus.corpus import SourceFile
from workbench.ui.plain_text import safe_tip
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import count, memory, plural
from workbench.ui.widgets.tables.table_model import LEFT, RIGHT

_Index = QModelIndex | QPersistentModelIndex
_NAME, _SIZE, _ENCODING, _TOKENS, _NOTE = range(5)
_COLUMNS = (tr("File"), tr("Size"), tr("Encoding"), tr("Tokens"), tr("Noticed"))


class FileModel(QAbstractTableModel):
    """Table model with one row per file; emits ``chosen_changed``."""

    chosen_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._files: tuple[SourceFile, ...] = ()
        self._names: list[str] = []
        self._out: set[str] = set()

    def set_files(self, files: Sequence[SourceFile], out: Collection[str]) -> None:
        self.beginResetModel()
        self._files = tuple(files)
        parts = [PurePath(file.path).parent.parts for file in files]
        # What all have in front says nothing about any.
        same = 0
        while parts and all(len(each) > same and each[same] == parts[0][same] for each in parts):
            same += 1
        self._names = ["/".join(PurePath(file.path).parts[same:]) for file in files]
        self._out = set(out)
        self.endResetModel()

    @property
    def left_out(self) -> frozenset[str]:
        """Paths of the excluded files."""
        return frozenset(self._out)

    def set_all(self, wanted: bool) -> None:
        if wanted:
            self._out = set()
        else:
            self._out = {file.path for file in self._files}
        self._emit_changed(0, len(self._files) - 1)

    def toggle_file(self, row: int) -> None:
        """Include or exclude a file."""
        self._out ^= {self._files[row].path}
        self._emit_changed(row, row)

    def _emit_changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, _NOTE))
        self.chosen_changed.emit()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid():
            return 0
        return len(self._files)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid():
            return 0
        return len(_COLUMNS)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == _NAME:
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            if section in (_SIZE, _TOKENS):
                return RIGHT
            return LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        file, column = self._files[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell_text(index.row(), column)
        if role == Qt.ItemDataRole.CheckStateRole and column == _NAME:
            if file.path in self._out:
                return Qt.CheckState.Unchecked
            return Qt.CheckState.Checked
        if role == Qt.ItemDataRole.TextAlignmentRole:
            if column in (_SIZE, _TOKENS):
                return RIGHT
            return LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(self._cell_text(index.row(), column) if column == _NOTE else file.path)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == _NAME:
            name = self._names[index.row()]
            if file.path in self._out:
                return tr("{name}, left out", name=name)
            return tr("{name}, read", name=name)
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != _NAME:
            return False
        wanted = Qt.CheckState(value) == Qt.CheckState.Checked
        if wanted == (self._files[index.row()].path in self._out):
            self.toggle_file(index.row())
        return True

    def _cell_text(self, row: int, column: int) -> str:
        file = self._files[row]
        if column == _NAME:
            return self._names[row]
        if column == _SIZE:
            return memory(file.size)
        if column == _ENCODING:
            return file.encoding
        if column == _TOKENS:
            if file.tokens >= 0:
                return count(file.tokens)
            return ""
        told = []
        if file.column:
            told = [tr("Column “{column}”.", column=file.column)]
        if file.undecodable:
            lines = ", ".join(map(count, file.lines))
            told.append(
                tr(
                    "{places} not decoded: line {lines}.",
                    places=plural(file.undecodable, "place"),
                    lines=lines,
                )
            )
        return " ".join([*told, file.note]).strip()


class FileList(QTableView):
    """The files with check boxes; Space, a click on the box, or a double click takes one or leaves
    it out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.files = FileModel()
        self.setModel(self.files)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        set_scaled_size(rows, rows=26)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        for column, width in ((_NAME, 230), (_SIZE, 72), (_ENCODING, 128), (_TOKENS, 96)):
            self.setColumnWidth(column, width)
        self.doubleClicked.connect(lambda index: self.files.toggle_file(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.files.toggle_file(self.currentIndex().row())
            return
        super().keyPressEvent(event)
