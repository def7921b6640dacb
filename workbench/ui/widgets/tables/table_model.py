"""The model of all tables: columns of values, declared as data, and the order of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPixmap

from workbench.core.arrays import Places
from workbench.core.table_export import Cell, format_cell
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.theme import Theme, body_font

Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_MIME = "application/x-workbench-row"


@dataclass(slots=True)
class PaintedCell:
    """Area and state of a cell, for the painter of a column.

    row : original index; current : whether the cell has the focus
    """

    painter: QPainter
    area: QRectF
    theme: Theme
    column: TableColumn
    row: int
    selected: bool
    pointed: bool
    current: bool

    @property
    def value(self) -> Any:
        return self.column.values[self.row]


@dataclass(frozen=True)
class TableColumn:
    """One column.

    values : one value per row, for sorting and for files; any objects, if there is a painter
    text : formats a value; None: ``core.tables.shown``; texts : text of each row, if the value
    isn't enough to format it
    brief : shorter ``texts`` of each row, shown if the column that stretches would have too little
    room
    tips : tooltip of each row, or a function from row to tooltip; spoken : text for screen readers
    bar : the value is a share in 0..1, drawn as a bar, too, in the colour of a run by ``colour`` or
    the accent
    ranges : minimum and maximum of a row: the bar is a whisker with a dot at the value, from
    ``span[0]`` to ``span[1]``
    dots : index of a run's colour for each row, for a dot before the text
    paint : draws the whole cell instead
    number : aligned right; None: if the first known value is a number
    width : pixels of the column at the default text size, 0 for the width of heading and texts
    stretch : takes the remaining room, or an equal part of it beside other such columns
    spare : above 0, hidden if there is too little room; higher numbers are hidden first, among
    equal ones the last
    strong : for each row, whether its value is bold
    aside : for each row, whether its value is pale and, whatever the direction, sorted after the
    others
    key : name of the column, independent of the language
    keys : values carried by the signals of the table for each row; (): the row's index; None among
    them: the cell can't be picked
    places : numbers to sort by in place of the values; natural : the rows are already in this order
    edits : text of a row to edit in place, or None; checked : state of its check box
    icon : picture beside the heading
    """

    name: str
    values: Sequence[Any] | npt.NDArray[Any]
    tip: str = ""
    text: Callable[[Any], str] | None = None
    texts: Sequence[str] = ()
    brief: Sequence[str] = ()
    tips: Sequence[str] | Callable[[int], str] = ()
    spoken: Callable[[int], str] | None = None
    bar: bool = False
    colour: int | None = None
    ranges: Sequence[tuple[float, float]] = ()
    span: tuple[float, float] = (0.0, 1.0)
    dots: Sequence[int | None] = ()
    paint: Callable[[PaintedCell], None] | None = None
    number: bool | None = None
    width: int = 0
    stretch: bool = False
    spare: int = 0
    strong: Sequence[bool] = ()
    aside: Sequence[bool] = ()
    key: str = ""
    keys: Sequence[object] = ()
    places: npt.NDArray[Any] | None = None
    natural: bool = False
    edits: Callable[[int], str | None] | None = None
    checked: Callable[[int], bool] | None = None
    icon: Callable[[], QPixmap] | None = None

    @property
    def identity(self) -> str:
        """Name by which a table remembers a column."""
        return self.key or self.name

    @cached_property
    def two_line_name(self) -> str:
        """The heading on two lines of similar length, if it has several words. A number stays with
        the word before it, as in "GloVe 1".
        """
        words = self.name.split(" ")
        ways = [
            (" ".join(words[:at]), " ".join(words[at:]))
            for at in range(1, len(words))
            if not words[at].isdecimal()
        ]
        if ways:
            best = min(ways, key=_break_cost)
            return "\n".join(best)
        return self.name

    def cell_text(self, row: int, *, brief: bool = False) -> str:
        if brief and self.brief:
            return self.brief[row]
        if self.texts:
            return self.texts[row]
        value = self.values[row]
        if self.text is not None:
            return self.text(value)
        return format_cell(value)

    def cell_tip(self, row: int) -> str:
        if callable(self.tips):
            return self.tips(row)
        if self.tips:
            return self.tips[row]
        return ""

    def is_strong(self, row: int) -> bool:
        return bool(self.strong) and self.strong[row]

    @cached_property
    def to_right(self) -> bool:
        if self.number is not None:
            return self.number
        first = next((value for value in self.values if value is not None), None)
        return isinstance(first, (int, float, np.number)) and not isinstance(first, bool)

    @property
    def alignment(self) -> int:
        if self.to_right and not self.bar:
            return RIGHT
        return LEFT


class TableModel(QAbstractTableModel):
    """Columns of values, and the order of rows; rows are only created when painted.

    ``edited(row, column, text)``: a text was edited; ``toggled(row)``: a check box was clicked;
    ``dropped(row, place)``: a row was dropped before another, both in the order shown.
    """

    edited = Signal(int, int, str)
    toggled = Signal(int)
    dropped = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[TableColumn, ...] = ()
        self.bold: Collection[int] = ()
        # Whether columns show their brief texts.
        self.brief = False
        # Whether headings of several words take two lines.
        self.folds = False
        self.order: Places = np.empty(0, dtype=np.intp)
        # Group heading of each row, by original index; () for rows without groups.
        self.groups: Sequence[str] = ()
        # The rows that pass a filter, in their unsorted order; None for all.
        self.passing: Places | None = None
        self.sorted_by: tuple[str, bool] | None = None
        # Returns whether a row can be dragged to another place.
        self.movable: Callable[[int], bool] | None = None

    def set_columns(
        self,
        columns: Sequence[TableColumn],
        bold: Collection[int] = (),
        passing: Places | None = None,
    ) -> None:
        self.beginResetModel()
        self.columns = tuple(columns)
        self.bold = bold
        self.passing = passing
        self._arrange()
        self.endResetModel()

    def set_passing(self, rows: Places | None) -> None:
        """Show only these rows; None shows all."""
        self.beginResetModel()
        self.passing = rows
        self._arrange()
        self.endResetModel()

    @property
    def size(self) -> int:
        """Number of rows without a filter."""
        return max((len(column.values) for column in self.columns), default=0)

    def _arrange(self) -> None:
        rows = self.passing
        if rows is None:
            rows = np.arange(self.size)
        column, descending = None, False
        if self.sorted_by is not None:
            name, descending = self.sorted_by
            column = next((one for one in self.columns if one.identity == name), None)
        if column is not None and (descending or not column.natural):
            rows = sorted_rows(_sort_values(column), descending, column.aside, np.sort(rows))
        if len(self.groups) == self.size > 0:
            ranks = {title: rank for rank, title in enumerate(dict.fromkeys(self.groups))}
            places = np.array([ranks[self.groups[row]] for row in rows], dtype=np.intp)
            rows = np.asarray(rows)[np.argsort(places, kind="stable")]
        self.order = rows

    def heading(self, place: int) -> str:
        """Heading above a place in the order shown, which is above the first row of a group."""
        if not self.groups or not 0 <= place < len(self.order):
            return ""
        title = self.groups[int(self.order[place])]
        if place and self.groups[int(self.order[place - 1])] == title:
            return ""
        return title

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, unknown values last; −1 restores the original order."""
        self.layoutAboutToBeChanged.emit()
        descending = order == Qt.SortOrder.DescendingOrder
        if 0 <= column < len(self.columns):
            self.sorted_by = (self.columns[column].identity, descending)
        else:
            self.sorted_by = None
        before = self.persistentIndexList()
        rows = [int(self.order[index.row()]) for index in before]
        self._arrange()
        moved = [
            self.index(self.place_of(row), index.column())
            for row, index in zip(rows, before, strict=True)
        ]
        self.changePersistentIndexList(before, moved)
        self.layoutChanged.emit()

    def place_of(self, row: int) -> int:
        """The place of a row in the order shown, or −1."""
        # Fast for unsorted rows, such as those of tables of a million rows at first.
        if 0 <= row < len(self.order) and self.order[row] == row:
            return row
        found = np.flatnonzero(self.order == row)
        if len(found):
            return int(found[0])
        return -1

    def repaint_row(self, row: int) -> None:
        """Repaint the changed values of a row, which stays in its place."""
        place = self.place_of(row)
        if place >= 0:
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(self.columns) - 1))

    def rowCount(self, parent: Index = _PLAIN) -> int:
        if parent.isValid():
            return 0
        return len(self.order)

    def columnCount(self, parent: Index = _PLAIN) -> int:
        if parent.isValid():
            return 0
        return len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            if self.folds:
                return column.two_line_name
            return column.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(column.tip) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.alignment
        if role == Qt.ItemDataRole.DecorationRole and column.icon is not None:
            return column.icon()
        return None

    def cell(self, index: Index) -> tuple[int, TableColumn] | None:
        """Original row index, and column; None beyond the end of the column."""
        if not index.isValid() or index.row() >= len(self.order):
            return None
        row, column = int(self.order[index.row()]), self.columns[index.column()]
        if row < len(column.values):
            return row, column
        return None

    def key(self, index: Index) -> object:
        """The key of a cell; None if it can't be picked."""
        cell = self.cell(index)
        if cell is None:
            return None
        row, column = cell
        if len(column.keys):
            return column.keys[row]
        return row

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        cell = self.cell(index)
        if cell is None:
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        row, column = cell
        if column.edits is not None and column.edits(row) is not None:
            flags |= Qt.ItemFlag.ItemIsEditable
        if column.checked is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        if self.movable is not None and self.movable(row):
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self.cell(index)
        if cell is None:
            return None
        row, column = cell
        if role == Qt.ItemDataRole.AccessibleTextRole and column.spoken is not None:
            return column.spoken(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.cell_text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = column.cell_tip(row)
            if self.brief and column.brief:
                tip = "\n".join(filter(None, (column.cell_text(row), tip)))
            return safe_tip(tip) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.alignment
        if role == Qt.ItemDataRole.FontRole:
            bold = row in self.bold or column.is_strong(row)
            return body_font(bold=bold, tabular=index.column() > 0)
        if role == Qt.ItemDataRole.EditRole and column.edits is not None:
            return column.edits(row)
        if role == Qt.ItemDataRole.CheckStateRole and column.checked is not None:
            if column.checked(row):
                return Qt.CheckState.Checked
            return Qt.CheckState.Unchecked
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        cell = self.cell(index)
        if cell is None:
            return False
        if role == Qt.ItemDataRole.CheckStateRole and cell[1].checked is not None:
            self.toggled.emit(cell[0])
            return True
        if role == Qt.ItemDataRole.EditRole and cell[1].edits is not None:
            self.edited.emit(cell[0], index.column(), str(value))
            return True
        return False

    # -- dragging rows

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [_MIME]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        data = QMimeData()
        row = min((index.row() for index in indexes), default=-1)
        data.setData(_MIME, str(row).encode())
        return data

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        moved = int(data.data(_MIME).toStdString() or -1) if data.hasFormat(_MIME) else -1
        if row < 0:
            row = len(self.order)
        if moved >= 0:
            self.dropped.emit(moved, row)
        # The owner of the rows determines their order; the view must not remove rows.
        return False


def _break_cost(lines: tuple[str, str]) -> tuple[int, bool]:
    """How bad a line break of a heading is: the length of the longer line, then whether it isn't
    after a comma.
    """
    return max(map(len, lines)), not lines[0].endswith(",")


def _sort_values(column: TableColumn) -> Sequence[Any] | npt.NDArray[Any]:
    if column.places is not None:
        return column.places
    return column.values


def sorted_rows(
    values: Sequence[Cell] | npt.NDArray[Any],
    descending: bool,
    aside: Sequence[bool] = (),
    rows: Places | None = None,
) -> Places:
    """int64[n], these rows (None: all) by value, stable for equal values; in either direction, rows
    in ``aside`` come after the others, and unknown values last.
    """
    if rows is None:
        rows = np.arange(len(values))
    if isinstance(values, np.ndarray) and not any(aside):
        keys = values[rows]
        if keys.dtype.kind in "bu":
            keys = keys.astype(np.int64)
        if descending:
            keys = -keys
        return rows[np.argsort(keys, kind="stable")]
    known = [row for row in rows.tolist() if not _unknown(values[row])]
    unknown = [row for row in rows.tolist() if _unknown(values[row])]
    # Columns of parameters may contain words as well as numbers.
    if any(isinstance(values[row], str) for row in known):
        known.sort(key=lambda row: str(values[row]).lower(), reverse=descending)
    else:
        known.sort(key=lambda row: values[row], reverse=descending)
    if any(aside):
        known.sort(key=aside.__getitem__)
    return np.array(known + unknown, dtype=np.intp)


def _unknown(value: Cell) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
