"""The vocabulary as a table on arrays: rank, word, count, share kept, share among the noise words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.ui.text import count, decimal
from workbench.ui.theme import body_font

_Index = QModelIndex | QPersistentModelIndex
SAMPLE, NS_EXPONENT = 1e-3, 0.75
_COLUMNS = (
    ("Rank", "1 is the most frequent word"),
    ("Word", "Click to select it everywhere"),
    ("Count", "How often it stands in the corpus"),
    ("Kept", f"Share of its occurrences that subsampling keeps at t = {SAMPLE:g} (word2vec’s rule)"),
    ("Noise", f"Probability of being drawn as a negative sample: counts to the power {NS_EXPONENT:g}"),
)
_WORD, _NOISE = 1, 4
# Below this width the words themselves need the room of the last column.
_ROOMY = 420


class VocabularyModel(QAbstractTableModel):
    """Rows are the words of a corpus that hold the filter's text, most frequent first.

    Nothing is made per row until it is painted, so hundreds of thousands of types cost nothing.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: Sequence[str] = ()
        self._counts: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._kept = self._noise = np.empty(0)
        self._rows: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)

    def set_words(self, words: Sequence[str], counts: npt.NDArray[np.int64]) -> None:
        self.beginResetModel()
        self._words, self._counts = words, counts
        self._kept = keep_probabilities(counts, SAMPLE) if len(counts) else np.empty(0)
        self._noise = noise_distribution(counts, NS_EXPONENT) if len(counts) else np.empty(0)
        self._rows = np.arange(len(words))
        self.endResetModel()

    def clear(self) -> None:
        self.set_words((), np.empty(0, dtype=np.int64))

    def set_filter(self, text: str) -> None:
        """Keep the words that hold ``text``; those that begin with it come first."""
        needle = text.strip().lower()
        self.beginResetModel()
        if needle:
            found = [row for row, word in enumerate(self._words) if needle in word.lower()]
            begins = [row for row in found if self._words[row].lower().startswith(needle)]
            inside = [row for row in found if not self._words[row].lower().startswith(needle)]
            self._rows = np.array(begins + inside, dtype=np.intp)
        else:
            self._rows = np.arange(len(self._words))
        self.endResetModel()

    def word(self, row: int) -> str:
        return self._words[int(self._rows[row])]

    def row_of_rank(self, rank: int) -> int:
        """Where the word of a rank (0 is the first) stands in the table now, or −1."""
        if rank < len(self._rows) and self._rows[rank] == rank:
            return rank
        found = np.flatnonzero(self._rows == rank)
        return int(found[0]) if len(found) else -1

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return _COLUMNS[section][1]
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(int(self._rows[index.row()]), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        return None

    def _text(self, rank: int, column: int) -> str:
        match column:
            case 0:
                return count(rank + 1)
            case 1:
                return self._words[rank]
            case 2:
                return count(int(self._counts[rank]))
            case 3:
                return f"{100 * self._kept[rank]:.3g} %"
            case _:
                return decimal(float(self._noise[rank]), 3)


class VocabularyTable(QTableView):
    """The view: one word a line, the word's column takes the room that is left."""

    def __init__(self) -> None:
        super().__init__()
        self.words = VocabularyModel(self)
        self.setModel(self.words)
        self.setFont(body_font(tabular=True))
        self.setMinimumWidth(330)
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
        rows.setMinimumSectionSize(20)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(26)
        columns = self.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        columns.setSectionResizeMode(_WORD, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 64), (2, 84), (3, 76), (_NOISE, 92)):
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnHidden(_NOISE, self.width() < _ROOMY)


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == _WORD else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
