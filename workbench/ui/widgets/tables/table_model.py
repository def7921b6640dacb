"""Columns of values in an order: the model behind every sortable table."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.core.table_export import Cell, format_cell
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import body_font

Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class TableColumn:
    """One column.

    values : a cell a row, for sorting and for files
    text : how a value is read; None: as ``core.tables.shown`` does; texts : the same a row, where
    it needs more
    brief : less of ``texts``, a row, shown where the column that stretches would have too little
    room
    bar : the value is a share in 0..1, drawn as a bar, too, in the colour of a run by ``colour`` or
    the accent
    ranges : least and greatest a row: the bar is a whisker with a dot at the value, from
    ``span[0]`` to ``span[1]``
    dots : index of a run's colour a row, drawn before the text
    number : set to the right; None: where its first known value is a number
    stretch : takes the room that is left
    spare : not shown where there is too little room; those of a higher number give way first, of
    one number the last
    aside : a row, whether its value stands aside: painted pale and, whatever the direction, sorted
    after the others
    """

    name: str
    values: Sequence[Cell]
    tip: str = ""
    text: Callable[[Any], str] | None = None
    texts: Sequence[str] = ()
    brief: Sequence[str] = ()
    tips: Sequence[str] = ()
    bar: bool = False
    colour: int | None = None
    ranges: Sequence[tuple[float, float]] = ()
    span: tuple[float, float] = (0.0, 1.0)
    dots: Sequence[int | None] = ()
    number: bool | None = None
    stretch: bool = False
    spare: int = 0
    aside: Sequence[bool] = ()

    @cached_property
    def two_line_name(self) -> str:
        """The heading in two lines of about one length, where it has several words."""
        words = self.name.split(" ")
        ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        if ways:
            return "\n".join(min(ways, key=lambda way: max(map(len, way))))
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

    @cached_property
    def to_right(self) -> bool:
        if self.number is not None:
            return self.number
        first = next((value for value in self.values if value is not None), None)
        return isinstance(first, (int, float)) and not isinstance(first, bool)


class TableModel(QAbstractTableModel):
    """Columns of values in an order; nothing is made per row until it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[TableColumn, ...] = ()
        self.bold: Collection[int] = ()
        # Whether columns show less where they have less.
        self.brief = False
        # Whether headings of several words have two lines.
        self.folds = False
        self.order: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self.sorted_by: tuple[str, bool] | None = None

    def set_columns(self, columns: Sequence[TableColumn], bold: Collection[int]) -> None:
        self.beginResetModel()
        self.columns = tuple(columns)
        self.bold = bold
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        size = 0
        if self.columns:
            size = len(self.columns[0].values)
        self.order = np.arange(size)
        names = [column.name for column in self.columns]
        if self.sorted_by is not None and self.sorted_by[0] in names:
            name, descending = self.sorted_by
            column = self.columns[names.index(name)]
            self.order = sorted_rows(column.values, descending, column.aside)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column, unknown values last; −1 puts the rows back as they came."""
        self.layoutAboutToBeChanged.emit()
        descending = order == Qt.SortOrder.DescendingOrder
        if 0 <= column < len(self.columns):
            self.sorted_by = (self.columns[column].name, descending)
        else:
            self.sorted_by = None
        before = self.persistentIndexList()
        rows = [int(self.order[index.row()]) for index in before]
        self._arrange()
        if rows:
            place = {int(row): at for at, row in enumerate(self.order)}
        else:
            place = {}
        moved = [
            self.index(place[row], index.column()) for row, index in zip(rows, before, strict=True)
        ]
        self.changePersistentIndexList(before, moved)
        self.layoutChanged.emit()

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
            if column.to_right and not column.bar:
                return RIGHT
            return LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = int(self.order[index.row()]), self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return column.cell_text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            whole = []
            if self.brief and column.brief:
                whole = [column.cell_text(row)]
            return (
                safe_tip("\n".join([*whole, *([column.tips[row]] if column.tips else [])])) or None
            )
        if role == Qt.ItemDataRole.TextAlignmentRole:
            if column.to_right and not column.bar:
                return RIGHT
            return LEFT
        if role == Qt.ItemDataRole.FontRole:
            return body_font(bold=row in self.bold, tabular=index.column() > 0)
        if role == ROW:
            return row
        return None


def sorted_rows(
    values: Sequence[Cell], descending: bool, aside: Sequence[bool] = ()
) -> npt.NDArray[np.intp]:
    """int64[n], rows by value, equal ones as they came; whatever the direction those ``aside`` come
    after the others, and unknown values last.
    """
    if any(aside):
        order = sorted_rows(values, descending).tolist()
        known = [row for row in order if not _unknown(values[row])]
        last = [row for row in order if _unknown(values[row])]
        return np.array(
            [row for row in known if not aside[row]] + [row for row in known if aside[row]] + last,
            dtype=np.intp,
        )
    known = [row for row, value in enumerate(values) if not _unknown(value)]
    unknown = [row for row, value in enumerate(values) if _unknown(value)]
    # Columns of parameters may hold words beside numbers.
    if any(isinstance(values[row], str) for row in known):
        known.sort(key=lambda row: str(values[row]).lower(), reverse=descending)
    else:
        known.sort(key=lambda row: values[row], reverse=descending)
    return np.array(known + unknown, dtype=np.intp)


def _unknown(value: Cell) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
