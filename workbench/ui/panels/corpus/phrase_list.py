"""Sortable table of the phrases of a corpus: phrase, count, score, pass."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTableView

from workbench.core.language import tr, trc
from workbench.corpus.phrases.detection import PhraseTable
from workbench.ui.panels.corpus.vocabulary_table import prepare_table
from workbench.ui.plain_text import safe_tip
from workbench.ui.text import count, decimal

_Index = QModelIndex | QPersistentModelIndex
_COLUMNS = (
    (tr("Phrase"), tr("Click to select it everywhere")),
    (trc("noun", "Count"), tr("How often the two words were joined")),
    (
        trc("noun", "Score"),
        tr(
            "How much more often they stand together than by chance, as the chosen score measures "
            "it"
        ),
    ),
    (tr("Pass"), tr("The pass over the text that joined them")),
)
_WORD, _COUNT, _SCORE, _PASS = range(4)


class PhraseModel(QAbstractTableModel):
    """Table model of the phrases that match the filter, best first by default."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: PhraseTable | None = None
        self._rows: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._filter = ""
        self._sorted = (_SCORE, Qt.SortOrder.DescendingOrder)

    def set_phrases(self, table: PhraseTable | None) -> None:
        self._table = table
        self._reorder()

    def set_filter(self, text: str) -> None:
        """Keep the phrases that contain ``text``."""
        self._filter = text.strip().lower()
        self._reorder()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self._reorder()

    def _reorder(self) -> None:
        self.beginResetModel()
        table = self._table
        if table is None:
            self._rows = np.empty(0, dtype=np.intp)
        else:
            # Pairs that overlapped others at every place were never joined.
            shown = [
                row
                for row in np.flatnonzero(table.joined).tolist()
                if self._filter in table.words[row].lower()
            ]
            column, order = self._sorted
            keys = (table.words, table.joined, table.scores, table.passes)[column]
            # Stable either way, and the table has the best first.
            if column == _WORD:
                shown.sort(
                    key=lambda row: str(keys[row]), reverse=order == Qt.SortOrder.DescendingOrder
                )
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
        """Row of a phrase, or −1."""
        if self._table is not None:
            for row, place in enumerate(self._rows.tolist()):
                if self._table.words[place] == word:
                    return row
        return -1

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _COLUMNS[section][0]
            case Qt.ItemDataRole.ToolTipRole:
                return safe_tip(_COLUMNS[section][1])
            case Qt.ItemDataRole.TextAlignmentRole:
                return _column_alignment(section)
            case Qt.ItemDataRole.InitialSortOrderRole:
                falling = section in (_COUNT, _SCORE)
                if falling:
                    return Qt.SortOrder.DescendingOrder
                return Qt.SortOrder.AscendingOrder
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._table is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _column_alignment(index.column())
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
                if 1000 <= abs(score) < math.inf:
                    return count(round(score))
                return decimal(score, 3)
            case _:
                return str(table.passes[row])


class PhraseList(QTableView):
    """Table view; a click on a header sorts by its column."""

    def __init__(self) -> None:
        super().__init__()
        self.phrases = PhraseModel(self)
        prepare_table(self, self.phrases, stretch=_WORD, widths={_COUNT: 68, _SCORE: 80, _PASS: 54})
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        self.setSortingEnabled(True)
        self.sortByColumn(_SCORE, Qt.SortOrder.DescendingOrder)

    def show_phrases(self, table: PhraseTable | None) -> None:
        """Show other phrases; the column of passes only if there are several."""
        self.phrases.set_phrases(table)
        self.setColumnHidden(_PASS, table is None or not (table.passes > 1).any())


def _column_alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight
    if section == _WORD:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
