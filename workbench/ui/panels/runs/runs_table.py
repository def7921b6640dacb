"""The table of runs, with several selected rows, names and notes edited in place, and stars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QWidget,
)

from workbench.core.arrays import Places
from workbench.core.table_export import Cell
from workbench.session.runs.groups import RunGroup
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.theme import Theme
from workbench.ui.export.export_actions import Export
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.runs_columns import NAME, NOTE, STAR
from workbench.ui.widgets.tables.table_model import TableColumn


class RunsTable(DataTable):
    """``chosen``: the selection has changed. ``star_asked(record)``: its star was clicked.
    ``menu_asked(place)``. ``written(record, key, text)``: a name or a note was edited.
    """

    chosen = Signal()
    star_asked = Signal(object)
    menu_asked = Signal(object)
    written = Signal(object, str, str)
    edited = Signal()
    note_hidden = Signal()

    def __init__(self, theme: Theme, export: Export) -> None:
        super().__init__(theme, export, ring=True)
        self.records: list[RunRecord] = []
        # Whether a row passes the filter.
        self.passing: Callable[[int], bool] = lambda row: True
        self.quiet = False
        self.table.folds = True
        self.table.edited.connect(self._tell_written)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.selectionModel().selectionChanged.connect(self._report_selection)

    # -- rows

    def put(
        self, columns: Sequence[TableColumn], groups: Sequence[RunGroup[RunRecord]], shown: int
    ) -> None:
        """Show other runs or values, with the row ``shown`` in bold; the selection stays."""
        with _KeptSelection(self):
            self.records = [record for group in groups for record in group.runs]
            titles = [group.title for group in groups for _ in group.runs]
            self.set_columns(columns, (shown,), self._passing_rows(), titles)

    def replace(self, row: int, cells: dict[str, Cell]) -> None:
        """Replace the values of a row, which stays in place."""
        for column in self.table.columns:
            if column.key in cells:
                assert isinstance(column.values, list)
                column.values[row] = cells[column.key]
        self.table.repaint_row(row)
        self.widen(row)

    def filter_rows(self) -> None:
        """Show the rows that pass."""
        with _KeptSelection(self):
            self.table.set_passing(self._passing_rows())

    def _passing_rows(self) -> Places:
        return np.array(
            [row for row in range(len(self.records)) if self.passing(row)], dtype=np.intp
        )

    def _tell_written(self, row: int, at: int, text: str) -> None:
        self.written.emit(self.records[row], self.keys[at], text)

    @property
    def keys(self) -> list[str]:
        return [column.key for column in self.table.columns]

    def _copied_columns(self) -> Sequence[TableColumn]:
        """All columns except the star."""
        return self.table.columns[1:]

    def _run_at(self, place: int) -> RunRecord:
        return self.records[int(self.table.order[place])]

    # -- selection

    def _report_selection(self, *_: object) -> None:
        if not self.quiet:
            self.chosen.emit()

    @property
    def selected_runs(self) -> list[RunRecord]:
        """Selected runs, from the first row to the last."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return [self._run_at(row) for row in rows]

    @property
    def current(self) -> RunRecord | None:
        index = self.currentIndex()
        if not index.isValid():
            return None
        return self._run_at(index.row())

    def runs_in_hand(self) -> list[RunRecord]:
        """The runs that commands apply to."""
        return self.selected_runs

    def select(self, identifiers: Sequence[str], current: str = "") -> None:
        """Select these runs, if they are visible."""
        wanted = set(identifiers)
        chosen, focus = QItemSelection(), -1
        for at in range(len(self.table.order)):
            identifier = self._run_at(at).identifier
            if identifier in wanted:
                chosen.merge(
                    QItemSelection(
                        self.table.index(at, 0), self.table.index(at, len(self.keys) - 1)
                    ),
                    QItemSelectionModel.SelectionFlag.Select,
                )
            if identifier == current or (not current and focus < 0 and identifier in wanted):
                focus = at
        model = self.selectionModel()
        if focus >= 0:
            name, column = self.keys.index(NAME), self.currentIndex().column()
            if column < name or self.isColumnHidden(column):
                column = name
            model.setCurrentIndex(
                self.table.index(focus, column), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        model.select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    # -- editing in place

    @property
    def editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def edit_run(self, record: RunRecord) -> bool:
        """Edit a run's name in place; False if the filter hides the run."""
        return self._edit_cell(record, NAME)

    def edit_note(self, record: RunRecord) -> None:
        """Edit a run's note in place; the caller shows the column first if it is hidden."""
        if NOTE not in self.keys:
            self.note_hidden.emit()
        self._edit_cell(record, NOTE)

    def _edit_cell(self, record: RunRecord, key: str) -> bool:
        row = next((at for at in range(len(self.table.order)) if self._run_at(at) is record), -1)
        if row >= 0 and key in self.keys and not self.editing:
            there = self.table.index(row, self.keys.index(key))
            self.selectionModel().setCurrentIndex(there, QItemSelectionModel.SelectionFlag.NoUpdate)
            if not self.selected_runs:
                self.selectRow(row)
                self.selectionModel().setCurrentIndex(
                    there, QItemSelectionModel.SelectionFlag.NoUpdate
                )
            self.scrollTo(there)
            self.edit(there)
        return row >= 0

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.edited.emit()

    # -- mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if (
            index.isValid()
            and self.keys[index.column()] == STAR
            and event.button() == Qt.MouseButton.LeftButton
        ):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.star_asked.emit(self._run_at(index.row()))
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.keys[index.column()] == NOTE:
            self._edit_cell(self._run_at(index.row()), NOTE)
        elif index.isValid() and self.keys[index.column()] != STAR:
            super().mouseDoubleClickEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Ignore the search of Qt: letters are commands here, and the filter searches."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_asked.emit(event.globalPos())


class _KeptSelection:
    """Keeps selection, current run and scroll bars while the model is rebuilt."""

    def __init__(self, view: RunsTable) -> None:
        self._view = view

    def __enter__(self) -> None:
        view = self._view
        self._selected = [record.identifier for record in view.selected_runs]
        self._current = ""
        if view.current is not None:
            self._current = view.current.identifier
        self._places = view.horizontalScrollBar().value(), view.verticalScrollBar().value()
        view.quiet = True

    def __exit__(self, *_: object) -> None:
        view = self._view
        view.select(self._selected, self._current)
        view.quiet = False
        across, down = self._places
        view.horizontalScrollBar().setValue(across)
        view.verticalScrollBar().setValue(down)
        view.chosen.emit()
