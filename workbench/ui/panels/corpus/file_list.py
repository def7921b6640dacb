"""The files of a corpus, each of which can be left out."""

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
    """A row for each file; ``chosen_changed`` is emitted when one is taken or left out."""

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
        """The paths of the files that are not wanted."""
        return frozenset(self._out)

    def set_all(self, wanted: bool) -> None:
        self._out = set() if wanted else {file.path for file in self._files}
        self._tell(0, len(self._files) - 1)

    def turn(self, row: int) -> None:
        """Take a file that is left out, or the other way round."""
        self._out ^= {self._files[row].path}
        self._tell(row, row)

    def _tell(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, _NOTE))
        self.chosen_changed.emit()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._files)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _NAME else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in (_SIZE, _TOKENS) else LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        file, column = self._files[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(index.row(), column)
        if role == Qt.ItemDataRole.CheckStateRole and column == _NAME:
            return Qt.CheckState.Unchecked if file.path in self._out else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in (_SIZE, _TOKENS) else LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(self._cell(index.row(), column) if column == _NOTE else file.path)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == _NAME:
            name = self._names[index.row()]
            return tr("{name}, left out", name=name) if file.path in self._out else tr("{name}, read", name=name)
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != _NAME:
            return False
        wanted = Qt.CheckState(value) == Qt.CheckState.Checked
        if wanted == (self._files[index.row()].path in self._out):
            self.turn(index.row())
        return True

    def _cell(self, row: int, column: int) -> str:
        file = self._files[row]
        if column == _NAME:
            return self._names[row]
        if column == _SIZE:
            return memory(file.size)
        if column == _ENCODING:
            return file.encoding
        if column == _TOKENS:
            return count(file.tokens) if file.tokens >= 0 else ""
        told = [tr("Column “{column}”.", column=file.column)] if file.column else []
        if file.undecodable:
            lines = ", ".join(map(count, file.lines))
            told.append(
                tr("{places} not decoded: line {lines}.", places=plural(file.undecodable, "place"), lines=lines)
            )
        return " ".join([*told, file.note]).strip()


class FileList(QTableView):
    """The files with check boxes; Space, a click on the box, or a double click takes one or leaves it out."""

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
        self.doubleClicked.connect(lambda index: self.files.turn(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.files.turn(self.currentIndex().row())
            return
        super().keyPressEvent(event)
