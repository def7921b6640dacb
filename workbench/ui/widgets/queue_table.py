"""The queue as a table whose rows are dragged, or moved by Alt and the arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView

from workbench.session.queue import Turn
from workbench.session.records import State
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import Theme
from workbench.ui.widgets.data_table import DataTable
from workbench.ui.widgets.table_model import Column, Index, TableModel

_MIME = "application/x-workbench-queue"


class QueueModel(TableModel):
    """Turns in their order. ``dropped(row, place)``: a waiting one was let go before another, counted among all."""

    dropped = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.turns[index.row()].record.state is State.WAITING:
            return flags | Qt.ItemFlag.ItemIsDragEnabled
        return flags if index.isValid() else flags | Qt.ItemFlag.ItemIsDropEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [_MIME]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        data = QMimeData()
        rows = sorted({index.row() for index in indexes})
        data.setData(_MIME, str(rows[0] if rows else -1).encode())
        return data

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        moved = int(data.data(_MIME).toStdString() or -1) if data.hasFormat(_MIME) else -1
        if moved >= 0:
            self.dropped.emit(moved, row if row >= 0 else len(self.turns))
        # The order is the session's; the view must not take rows away.
        return False

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """The order of a queue is its own."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and index.isValid() and index.column() == 1:
            return safe_tip(self.turns[index.row()].record.name)
        return super().data(index, role)


class QueueTable(DataTable):
    """``move_asked(by)``: Alt and an arrow key; −1 up. ``letters`` are commands by key."""

    move_asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.queue = QueueModel()
        self.table = self.queue
        self.setModel(self.queue)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.horizontalHeader().setSectionsClickable(False)
        self.letters: dict[int, Callable[[], object]] = {}

    def put(self, turns: Sequence[Turn], columns: Sequence[Column]) -> None:
        """Show the queue; the current row stays with its run."""
        at = self.currentIndex().row()
        before = self.queue.turns[at].record if 0 <= at < len(self.queue.turns) else None
        self.queue.turns = list(turns)
        self.set_columns(columns)
        row = next((row for row, turn in enumerate(turns) if turn.record is before), min(at, len(turns) - 1))
        if row >= 0:
            self.setCurrentIndex(self.queue.index(row, 1))

    def sort_by(self, column: int, descending: bool | None = None) -> None:
        """The order of a queue is its own."""

    @property
    def current(self) -> Turn | None:
        row = self.currentIndex().row()
        return self.queue.turns[row] if 0 <= row < len(self.queue.turns) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_asked.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        elif not alt and event.key() in self.letters:
            self.letters[event.key()]()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are commands here."""
