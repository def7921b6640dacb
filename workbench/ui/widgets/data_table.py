"""A table of values that sorts by any column: by its header, or from its menu by keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from workbench.core.tables import Cell, shown, to_csv
from workbench.ui.theme import SPACE_2, SPACE_3, Theme, body_font
from workbench.ui.widgets.exporting import Export

_Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_COLUMN = Qt.ItemDataRole.UserRole
_ROW = Qt.ItemDataRole.UserRole + 1
_NUMBER, _SHORT_NUMBER = 62, 34
_LEAST = 72


@dataclass(frozen=True)
class Column:
    """One column.

    values : a cell a row, for sorting and for files
    text : how a value is read; None: as ``core.tables.shown`` does; texts : the same a row, where it needs more
    bar : the value is a share in 0..1, drawn as a bar, too, in the colour of a run by ``colour`` or the accent
    ranges : least and greatest a row: the bar is a whisker with a dot at the value, from ``span[0]`` to ``span[1]``
    dots : index of a run's colour a row, drawn before the text
    number : set to the right; None: where its first known value is a number
    stretch : takes the room that is left
    """

    name: str
    values: Sequence[Cell]
    tip: str = ""
    text: Callable[[Any], str] | None = None
    texts: Sequence[str] = ()
    tips: Sequence[str] = ()
    bar: bool = False
    colour: int | None = None
    ranges: Sequence[tuple[float, float]] = ()
    span: tuple[float, float] = (0.0, 1.0)
    dots: Sequence[int | None] = ()
    number: bool | None = None
    stretch: bool = False

    def shown(self, row: int) -> str:
        if self.texts:
            return self.texts[row]
        value = self.values[row]
        return self.text(value) if self.text is not None else shown(value)

    @property
    def to_right(self) -> bool:
        if self.number is not None:
            return self.number
        first = next((value for value in self.values if value is not None), None)
        return isinstance(first, (int, float)) and not isinstance(first, bool)


class TableModel(QAbstractTableModel):
    """Columns of values in an order; nothing is made per row until it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.bold: Collection[int] = ()
        self.order: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self.sorted_by: tuple[str, bool] | None = None

    def set_columns(self, columns: Sequence[Column], bold: Collection[int]) -> None:
        self.beginResetModel()
        self.columns = tuple(columns)
        self.bold = bold
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        size = len(self.columns[0].values) if self.columns else 0
        self.order = np.arange(size)
        names = [column.name for column in self.columns]
        if self.sorted_by is not None and self.sorted_by[0] in names:
            name, descending = self.sorted_by
            self.order = ranked(self.columns[names.index(name)].values, descending)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column, unknown values last; −1 puts the rows back as they came."""
        self.layoutAboutToBeChanged.emit()
        descending = order == Qt.SortOrder.DescendingOrder
        self.sorted_by = (self.columns[column].name, descending) if 0 <= column < len(self.columns) else None
        before = self.persistentIndexList()
        rows = [int(self.order[index.row()]) for index in before]
        self._arrange()
        place = {int(row): at for at, row in enumerate(self.order)} if rows else {}
        moved = [self.index(place[row], index.column()) for row, index in zip(rows, before, strict=True)]
        self.changePersistentIndexList(before, moved)
        self.layoutChanged.emit()

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: _Index = _PLAIN) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.to_right and not column.bar else _LEFT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = int(self.order[index.row()]), self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.shown(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tips[row] if column.tips else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.to_right and not column.bar else _LEFT
        if role == Qt.ItemDataRole.FontRole:
            return body_font(bold=row in self.bold, tabular=index.column() > 0)
        if role == _COLUMN:
            return column
        return row if role == _ROW else None


def ranked(values: Sequence[Cell], descending: bool) -> npt.NDArray[np.intp]:
    """int64[n], rows by value, equal ones as they came, unknown values last whatever the direction."""
    known = [row for row, value in enumerate(values) if not _unknown(value)]
    unknown = [row for row, value in enumerate(values) if _unknown(value)]
    # Columns of parameters may hold words beside numbers.
    words = any(isinstance(values[row], str) for row in known)
    key: Callable[[int], Any] = (lambda row: str(values[row]).lower()) if words else (lambda row: values[row])
    known.sort(key=key, reverse=descending)
    return np.array(known + unknown, dtype=np.intp)


def _unknown(value: Cell) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _number_width(column: Column) -> int:
    """Room for the number before a bar: a percentage, or a cosine."""
    return _SHORT_NUMBER if column.ranges else _NUMBER


class _Delegate(QStyledItemDelegate):
    """Names and numbers in line with their headings; shares as a number and a bar; dots in runs' colours."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        column: Column = index.data(_COLUMN)
        row = int(index.data(_ROW))
        area = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.accent_soft))
        area.adjust(SPACE_2, 0, -SPACE_2, 0)
        painter.setFont(index.data(Qt.ItemDataRole.FontRole))
        if column.dots and (dot := column.dots[row]) is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.run_colour(dot))
            painter.drawEllipse(QRectF(area.left(), area.center().y() - 4, 8, 8))
            area.setLeft(area.left() + 16)
        painter.setPen(QColor(colours.text))
        text = str(index.data())
        if column.bar:
            self._bar(painter, area, text, column, row)
        else:
            metrics = painter.fontMetrics()
            fitted = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()) + 1)
            painter.drawText(area, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), fitted)
        painter.restore()

    def _bar(self, painter: QPainter, area: QRectF, text: str, column: Column, row: int) -> None:
        share = column.values[row]
        colours = self._theme.palette
        wide = _number_width(column)
        number = QRectF(area.left(), area.top(), wide, area.height())
        painter.drawText(number, _RIGHT, text)
        if area.width() < wide + 24:
            return
        bar = QRectF(number.right() + SPACE_3, area.center().y() - 3, area.right() - number.right() - SPACE_3, 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(bar, 3, 3)
        if column.ranges:
            if isinstance(share, (int, float)):
                self._whisker(painter, bar, column, float(share), column.ranges[row])
        elif isinstance(share, (int, float)) and share > 0:
            painter.setBrush(QColor(colours.accent) if column.colour is None else self._theme.run_colour(column.colour))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(bar.width() * min(share, 1.0), 3), 6), 3, 3)

    def _whisker(self, painter: QPainter, bar: QRectF, column: Column, value: float, ends: tuple[float, float]) -> None:
        low, high = column.span
        x = [bar.left() + bar.width() * min(max((one - low) / (high - low), 0.0), 1.0) for one in (*ends, value)]
        painter.setBrush(QColor(self._theme.palette.accent))
        painter.drawRect(QRectF(x[0], bar.center().y() - 1, max(x[1] - x[0], 1.0), 2))
        painter.drawEllipse(QRectF(x[2] - 4, bar.center().y() - 4, 8, 8))


class DataTable(QTableView):
    """``picked`` and ``opened`` (Return, double click) tell the row in the order in which the values came."""

    picked = Signal(int)
    opened = Signal(int)

    def __init__(self, theme: Theme, export: Export | None = None) -> None:
        super().__init__()
        self.table = TableModel()
        self.export = export
        self._delegate = _Delegate(theme)
        self.setModel(self.table)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(20)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(26)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(False)
        header.setMinimumSectionSize(32)
        header.sectionClicked.connect(self.sort_by)
        self.clicked.connect(lambda index: self.picked.emit(int(index.data(_ROW))))
        self.doubleClicked.connect(lambda index: self.opened.emit(int(index.data(_ROW))))
        theme.changed.connect(self.viewport().update)

    def set_columns(self, columns: Sequence[Column], bold: Collection[int] = ()) -> None:
        """Show other values, in the order chosen before if there is still such a column; ``bold`` rows."""
        same = [column.name for column in columns] == [column.name for column in self.table.columns]
        self.table.set_columns(columns, bold)
        self._show_order()
        for at, column in enumerate(columns):
            if same:
                # Whoever has drawn a column wider keeps it so.
                if not column.stretch:
                    self.setColumnWidth(at, max(self._width(at), self.columnWidth(at)))
            else:
                self.setColumnWidth(at, self._width(at))
        self._stretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()

    def _stretch(self) -> None:
        """Give the room that is left to the column that takes it, but never less than its words need to be read."""
        columns = self.table.columns
        at = next((at for at, column in enumerate(columns) if column.stretch), -1)
        if at >= 0:
            others = sum(self.columnWidth(other) for other in range(len(columns)) if other != at)
            self.setColumnWidth(at, max(self.viewport().width() - others, _LEAST))

    def _width(self, at: int) -> int:
        """Room for the heading and for the first few hundred texts."""
        column = self.table.columns[at]
        metrics = self.fontMetrics()
        sample = range(min(len(column.values), 200))
        widest = max((metrics.horizontalAdvance(column.shown(row)) for row in sample), default=0)
        if column.bar:
            widest = _number_width(column) + 60
        return min(max(widest + 20 + 16 * bool(column.dots), metrics.horizontalAdvance(column.name) + 20), 260)

    def sort_by(self, column: int, descending: bool | None = None) -> None:
        """By a column: numbers downwards first, words upwards; once more turns it round."""
        name = self.table.columns[column].name
        before = self.table.sorted_by
        if descending is None:
            first = self.table.columns[column].to_right or self.table.columns[column].bar
            descending = not before[1] if before is not None and before[0] == name else first
        self.table.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
        self._show_order()

    def _show_order(self) -> None:
        header = self.horizontalHeader()
        names = [column.name for column in self.table.columns]
        chosen = self.table.sorted_by
        header.setSortIndicatorShown(chosen is not None and chosen[0] in names)
        if chosen is not None and chosen[0] in names:
            order = Qt.SortOrder.DescendingOrder if chosen[1] else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(names.index(chosen[0]), order)

    def pick(self, row: int) -> None:
        """Make a row (as the values came) the current one; tells nobody."""
        found = np.flatnonzero(self.table.order == row)
        if len(found):
            self.setCurrentIndex(self.table.index(int(found[0]), 0))
        else:
            self.clearSelection()

    @property
    def current_row(self) -> int:
        """The current row as the values came, −1 for none."""
        index = self.currentIndex()
        return int(index.data(_ROW)) if index.isValid() else -1

    def texts(self) -> list[list[str]]:
        """What the cells read, as sorted now."""
        return [[column.shown(int(row)) for column in self.table.columns] for row in self.table.order]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self.opened.emit(int(before.data(_ROW)))
            return
        if event.matches(QKeySequence.StandardKey.Copy) and before.isValid():
            row = int(before.data(_ROW))
            QGuiApplication.clipboard().setText("\t".join(column.shown(row) for column in self.table.columns))
            return
        super().keyPressEvent(event)
        now = self.currentIndex()
        if now.isValid() and now.row() != before.row():
            self.picked.emit(int(now.data(_ROW)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        menu.exec(event.globalPos())

    def menu(self) -> QMenu:
        """Sorting by each column, and what can be saved."""
        menu = QMenu(self)
        order = menu.addMenu("Sort by")
        for at, column in enumerate(self.table.columns):
            action = QAction(column.name or "–", order)
            action.triggered.connect(lambda _=False, at=at: self.sort_by(at))
            order.addAction(action)
        if self.export is not None:
            menu.addSeparator()
            self.export.fill(menu)
        return menu


def table_csv(view: DataTable) -> str:
    """The values in full, in the order that is shown."""
    columns = view.table.columns
    rows = [[column.values[int(row)] for column in columns] for row in view.table.order]
    return to_csv([column.name for column in columns], rows)
