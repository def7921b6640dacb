"""The phrases of a corpus as a sortable table: phrase, how often it was joined, score, pass."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTableView

from workbench.core.language import tr, trc
from workbench.corpus.phrases.detection import PhraseTable
from workbench.ui.panels.corpus.vocabulary_table import prepare
from workbench.ui.plain_text import safe_tip
from workbench.ui.text import count, decimal

_Index = QModelIndex | QPersistentModelIndex
_COLUMNS = (
    (tr("Phrase"), tr("Click to select it everywhere")),
    (trc("noun", "Count"), tr("How often the two words were joined")),
    (
        trc("noun", "Score"),
        tr("How much more often they stand together than by chance, as the chosen score measures it"),
    ),
    (tr("Pass"), tr("The pass over the text that joined them")),
)
_WORD, _COUNT, _SCORE, _PASS = range(4)


class PhraseModel(QAbstractTableModel):
    """Rows are the phrases that hold the filter's text, best first until sorted otherwise."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: PhraseTable | None = None
        self._rows: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._filter = ""
        self._sorted = (_SCORE, Qt.SortOrder.DescendingOrder)

    def set_phrases(self, table: PhraseTable | None) -> None:
        self._table = table
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Keep the phrases that hold ``text``."""
        self._filter = text.strip().lower()
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        table = self._table
        if table is None:
            self._rows = np.empty(0, dtype=np.intp)
        else:
            # Pairs that overlapped others at every place were never joined.
            shown = [row for row in np.flatnonzero(table.joined).tolist() if self._filter in table.words[row].lower()]
            column, order = self._sorted
            keys = (table.words, table.joined, table.scores, table.passes)[column]
            # Stable either way, and the table has the best first.
            if column == _WORD:
                shown.sort(key=lambda row: str(keys[row]), reverse=order == Qt.SortOrder.DescendingOrder)
                self._rows = np.array(shown, dtype=np.intp)
            else:
                rows = np.array(shown, dtype=np.intp)
                values = np.asarray(keys)[rows]
                falling = order == Qt.SortOrder.DescendingOrder
                self._rows = rows[np.argsort(-values if falling else values, kind="stable")]
        self.endResetModel()

    def word(self, row: int) -> str:
        assert self._table is not None
        return self._table.words[int(self._rows[row])]

    def row_of(self, word: str) -> int:
        """Where a phrase stands in the table now, or −1."""
        if self._table is not None:
            for row, place in enumerate(self._rows.tolist()):
                if self._table.words[place] == word:
                    return row
        return -1

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _COLUMNS[section][0]
            case Qt.ItemDataRole.ToolTipRole:
                return safe_tip(_COLUMNS[section][1])
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
            case Qt.ItemDataRole.InitialSortOrderRole:
                falling = section in (_COUNT, _SCORE)
                return Qt.SortOrder.DescendingOrder if falling else Qt.SortOrder.AscendingOrder
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._table is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        row = int(self._rows[index.row()])
        table = self._table
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(
                tr(
                    "“{left}” and “{right}”, seen together {count} ×",
                    left=table.left[row],
                    right=table.right[row],
                    count=count(int(table.counts[row])),
                )
            )
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match index.column():
            case 0:
                return table.words[row]
            case 1:
                return count(int(table.joined[row]))
            case 2:
                score = float(table.scores[row])
                return count(round(score)) if 1000 <= abs(score) < math.inf else decimal(score, 3)
            case _:
                return str(table.passes[row])


class PhraseList(QTableView):
    """The view; a click on a column's name sorts by it."""

    def __init__(self) -> None:
        super().__init__()
        self.phrases = PhraseModel(self)
        prepare(self, self.phrases, stretch=_WORD, widths={_COUNT: 68, _SCORE: 80, _PASS: 54})
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        self.setSortingEnabled(True)
        self.sortByColumn(_SCORE, Qt.SortOrder.DescendingOrder)

    def put(self, table: PhraseTable | None) -> None:
        """Show other phrases; the column of passes only where there were several."""
        self.phrases.set_phrases(table)
        self.setColumnHidden(_PASS, table is None or not (table.passes > 1).any())


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if section == _WORD else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
