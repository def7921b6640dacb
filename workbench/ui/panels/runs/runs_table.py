"""The table of runs, with several selected rows, names and notes edited in place, and stars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.core.language import tr
from workbench.core.table_export import Cell
from workbench.session.runs.run_record import RunRecord
from workbench.ui.plain_text import safe_tip
from workbench.ui.scaling import scaled_length
from workbench.ui.theme import Theme
from workbench.ui.widgets.charts.export_actions import Export
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import TableDelegate
from workbench.ui.widgets.tables.runs_columns import NAME, NOTE, STAR
from workbench.ui.widgets.tables.table_model import Index, TableColumn, TableModel, sorted_rows

RECORD = Qt.ItemDataRole.UserRole + 1
_STAR = 13


class RunsModel(TableModel):
    """Runs by row, those that pass the filter. ``written(record, key, text)``: a name or a note was
    typed.
    """

    written = Signal(object, str, str)

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []
        self.records: list[RunRecord] = []
        self.passing: Callable[[int], bool] = lambda row: True

    def put(
        self,
        keys: Sequence[str],
        columns: Sequence[TableColumn],
        records: Sequence[RunRecord],
        shown: int,
    ) -> None:
        """Other runs or other values; the row ``shown`` is drawn bold."""
        self.keys, self.records = list(keys), list(records)
        self.set_columns(columns, (shown,))

    def set_passing(self, passing: Callable[[int], bool]) -> None:
        """Show only rows of which this is true."""
        self.beginResetModel()
        self.passing = passing
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        rows = np.arange(len(self.records))
        names = [column.name for column in self.columns]
        if self.sorted_by is not None and self.sorted_by[0] in names:
            name, descending = self.sorted_by
            rows = sorted_rows(self.columns[names.index(name)].values, descending)
        self.order = np.array([row for row in rows if self.passing(int(row))], dtype=np.intp)

    def replace(self, row: int, cells: dict[str, Cell]) -> None:
        """Put other values into a row, which stays where it is."""
        for key, value in cells.items():
            if key in self.keys:
                values = self.columns[self.keys.index(key)].values
                assert isinstance(values, list)
                values[row] = value
        at = np.flatnonzero(self.order == row)
        if len(at):
            self.dataChanged.emit(
                self.index(int(at[0]), 0), self.index(int(at[0]), len(self.keys) - 1)
            )

    def record(self, index: Index) -> RunRecord:
        return self.records[int(self.order[index.row()])]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.keys[index.column()] in (NAME, NOTE):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        key, record = self.keys[index.column()], self.record(index)
        if role == RECORD:
            return record
        if role == Qt.ItemDataRole.EditRole:
            if key == NOTE:
                return record.note
            return record.name
        if role == Qt.ItemDataRole.AccessibleTextRole and key == STAR:
            if record.star:
                return tr("starred")
            return tr("not starred")
        if role == Qt.ItemDataRole.ToolTipRole:
            if key == NAME:
                from workbench.ui.widgets.tables.run_list import describe

                return safe_tip(describe(record))
            if key == NOTE:
                return safe_tip(record.note) or None
            return None
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self.written.emit(self.record(index), self.keys[index.column()], str(value))
        return True


class RunsDelegate(TableDelegate):
    """Stars; and a line around the cell that has the focus."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, RunsModel)
        area, colours = QRectF(option.rect), self._theme.palette
        if model.keys[index.column()] == STAR:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.fillRect(area, QColor(colours.accent_soft))
            self._draw_star(painter, area.center(), model.record(index).star)
        else:
            super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))

    def _draw_star(self, painter: QPainter, middle: QPointF, on: bool) -> None:
        colours = self._theme.palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.point), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if on:
            painter.setPen(QPen(QColor(colours.warning), 1))
            painter.setBrush(QColor(colours.warning))
        painter.drawPolygon(star_shape(middle, scaled_length(_STAR) / 2))
        painter.restore()


def star_shape(middle: QPointF, radius: float) -> QPolygonF:
    """Five points, one of them up."""
    corners = []
    for number in range(10):
        angle = math.pi * (number / 5 - 0.5)
        far = radius
        if number % 2:
            far *= 0.42
        corners.append(
            QPointF(middle.x() + far * math.cos(angle), middle.y() + far * math.sin(angle))
        )
    return QPolygonF(corners)


class RunsTable(DataTable):
    """``chosen``: other rows are selected. ``star_asked(record)``: its star was clicked.
    ``menu_asked(place)``.
    """

    chosen = Signal()
    star_asked = Signal(object)
    menu_asked = Signal(object)
    edited = Signal()
    note_hidden = Signal()

    def __init__(self, theme: Theme, export: Export) -> None:
        super().__init__(theme, export)
        self.runs = RunsModel()
        self.runs.folds = True
        self.table = self.runs
        self._delegate = RunsDelegate(theme)
        self.setItemDelegate(self._delegate)
        self.setModel(self.runs)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.runs.dataChanged.connect(self._row_changed)
        self.quiet = False
        self.selectionModel().selectionChanged.connect(self._report_selection)

    # -- what is shown

    def put(
        self,
        keys: Sequence[str],
        columns: Sequence[TableColumn],
        records: Sequence[RunRecord],
        shown: int,
    ) -> None:
        """Show other runs or values; what was selected stays so."""
        with _KeptSelection(self):
            self._replace(
                keys == self.runs.keys, lambda: self.runs.put(keys, columns, records, shown)
            )

    def _row_changed(self, first: Index) -> None:
        self.widen(int(self.runs.order[first.row()]))

    def set_passing(self, passing: Callable[[int], bool]) -> None:
        with _KeptSelection(self):
            self.runs.set_passing(passing)

    def _width(self, at: int) -> int:
        if self.runs.keys[at] == STAR:
            return scaled_length(34)
        return super()._width(at)

    # -- what is selected

    def _report_selection(self, *_: object) -> None:
        if not self.quiet:
            self.chosen.emit()

    @property
    def selected_runs(self) -> list[RunRecord]:
        """From the first row to the last."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return [self.runs.records[int(self.runs.order[row])] for row in rows]

    @property
    def current(self) -> RunRecord | None:
        index = self.currentIndex()
        if not index.isValid():
            return None
        return self.runs.record(index)

    def runs_in_hand(self) -> list[RunRecord]:
        """For commands that do something with runs."""
        return self.selected_runs

    def select(self, identifiers: Sequence[str], current: str = "") -> None:
        """Select these runs, those of them that are shown."""
        wanted = set(identifiers)
        chosen, focus = QItemSelection(), -1
        for at, row in enumerate(self.runs.order):
            identifier = self.runs.records[int(row)].identifier
            if identifier in wanted:
                chosen.merge(
                    QItemSelection(
                        self.runs.index(at, 0), self.runs.index(at, len(self.runs.keys) - 1)
                    ),
                    QItemSelectionModel.SelectionFlag.Select,
                )
            if identifier == current or (not current and focus < 0 and identifier in wanted):
                focus = at
        model = self.selectionModel()
        if focus >= 0:
            name, column = self.runs.keys.index(NAME), self.currentIndex().column()
            if column < name or self.isColumnHidden(column):
                column = name
            model.setCurrentIndex(
                self.runs.index(focus, column), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        model.select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    # -- writing in place

    @property
    def editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def edit_run(self, record: RunRecord) -> bool:
        """Write its name in place; False where the filter hides it."""
        return self._edit_cell(record, NAME)

    def edit_note(self, record: RunRecord) -> None:
        """Write its note in place; somebody shows the column first where it is hidden."""
        if NOTE not in self.runs.keys:
            self.note_hidden.emit()
        self._edit_cell(record, NOTE)

    def _edit_cell(self, record: RunRecord, key: str) -> bool:
        row = next(
            (at for at, row in enumerate(self.runs.order) if self.runs.records[int(row)] is record),
            -1,
        )
        if row >= 0 and key in self.runs.keys and not self.editing:
            there = self.runs.index(row, self.runs.keys.index(key))
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

    # -- by mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if (
            index.isValid()
            and self.runs.keys[index.column()] == STAR
            and event.button() == Qt.MouseButton.LeftButton
        ):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.star_asked.emit(self.runs.record(index))
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.runs.keys[index.column()] == NOTE:
            self._edit_cell(self.runs.record(index), NOTE)
        elif index.isValid() and self.runs.keys[index.column()] != STAR:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            columns = self.runs.columns
            rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
            texts = [
                [column.cell_text(int(self.runs.order[row])) for column in columns[1:]]
                for row in rows
            ]
            if texts:
                QGuiApplication.clipboard().setText("\n".join("\t".join(line) for line in texts))
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are commands here; the filter searches."""

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
