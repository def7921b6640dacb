"""Vocabulary table: rank, word, count, share, documents, subsampling, and noise probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from workbench.core.language import tr, trc
from workbench.corpus.document_frequency import DocumentCounts
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.ui.plain_text import safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size, set_text_role
from workbench.ui.text import count, decimal

_Index = QModelIndex | QPersistentModelIndex
SAMPLE, NS_EXPONENT = 1e-3, 0.75
_COLUMNS = (
    (tr("Rank"), tr("1 is the most frequent word")),
    (tr("Word"), tr("Click to select it everywhere")),
    (trc("noun", "Count"), tr("How often it stands in the corpus")),
    (tr("Share"), tr("Of all tokens")),
    (tr("Sentences"), tr("How many sentences hold it")),
    (
        tr("Kept"),
        tr(
            "Share of its occurrences that subsampling keeps at t = {SAMPLE:g} (word2vec’s rule)",
            SAMPLE=SAMPLE,
        ),
    ),
    (
        tr("Noise"),
        tr(
            "Probability of being drawn as a negative sample: counts to the power {NS_EXPONENT:g}",
            NS_EXPONENT=NS_EXPONENT,
        ),
    ),
)
RANK, WORD, COUNT, SHARE, DOCUMENTS, KEPT, NOISE = range(len(_COLUMNS))
_WIDTHS = {RANK: 70, COUNT: 80, SHARE: 92, DOCUMENTS: 92, KEPT: 72, NOISE: 92}
# In a narrow table the word itself needs the room of these, the first to go first.
_GIVE_WAY = (NOISE, KEPT, DOCUMENTS, SHARE)
_WORD_ROOM = 96
# By these the greatest come first at the first click.
_FALLING = (COUNT, SHARE, DOCUMENTS, KEPT, NOISE)


class VocabularyModel(QAbstractTableModel):
    """Rows are the words of a corpus that hold the filter's text, most frequent first.

    Nothing is made per row until it is painted, so hundreds of thousands of types cost nothing.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: Sequence[str] = ()
        self._counts: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._kept = self._noise = np.empty(0)
        self._total = 1
        self._rows: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._filter = ""
        self._sorted: tuple[int, bool] = (RANK, False)
        self._documents: DocumentCounts | None = None
        self._alphabet: npt.NDArray[np.int32] | None = None

    def set_words(self, words: Sequence[str], counts: npt.NDArray[np.int64]) -> None:
        self.beginResetModel()
        self._words, self._counts = words, counts
        self._total = max(int(counts.sum()), 1)
        if len(counts):
            self._kept = keep_probabilities(counts, SAMPLE)
            self._noise = noise_distribution(counts, NS_EXPONENT)
        else:
            self._kept = np.empty(0)
            self._noise = np.empty(0)
        self._documents = self._alphabet = None
        self._filter = ""
        self._rows = self._filtered_rows()
        self.endResetModel()

    def set_documents(self, found: DocumentCounts) -> None:
        """Set the number of documents per word once counted."""
        self._documents = found
        self._reorder()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, DOCUMENTS, DOCUMENTS)

    def set_alphabet(self, places: npt.NDArray[np.int32]) -> None:
        """int32[V], the place of every word in the alphabet; without it words are in order of
        rank.
        """
        self._alphabet = places
        if self._sorted[0] == WORD:
            self._reorder()

    def clear_words(self) -> None:
        self.set_words((), np.empty(0, dtype=np.int64))

    def set_filter(self, text: str) -> None:
        """Keep the words that hold ``text``; while the order is that of ranks, those that begin
        with it come first.
        """
        self._filter = text.strip().lower()
        self._reorder()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by any column; ties by rank."""
        self._sorted = (column, order == Qt.SortOrder.DescendingOrder)
        self._reorder()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(_COLUMNS) - 1)

    def _reorder(self) -> None:
        self.beginResetModel()
        rows = self._filtered_rows()
        key = self._sort_values()
        if key is not None and len(rows):
            values = key[np.sort(rows)]
            rows = np.sort(rows)[np.argsort(-values if self._sorted[1] else values, kind="stable")]
        elif self._sorted[1]:
            rows = np.sort(rows)[::-1]
        self._rows = rows
        self.endResetModel()

    def _sort_values(self) -> npt.NDArray[Any] | None:
        """Sort key of every word; None for ranks, and for values not known yet."""
        match self._sorted[0]:
            case 1:
                return self._alphabet
            case 2 | 3:
                return self._counts
            case 4:
                if self._documents is not None:
                    return self._documents.counts
                return None
            case 5:
                return self._kept
            case 6:
                return self._noise
        return None

    def _filtered_rows(self) -> npt.NDArray[np.intp]:
        needle = self._filter
        if not needle:
            return np.arange(len(self._words))
        found = [row for row, word in enumerate(self._words) if needle in word.lower()]
        begins = [row for row in found if self._words[row].lower().startswith(needle)]
        inside = [row for row in found if not self._words[row].lower().startswith(needle)]
        return np.array(begins + inside, dtype=np.intp)

    @property
    def visible_ranks(self) -> npt.NDArray[np.intp]:
        """Ranks (from 0) of the rows, from top to bottom."""
        return self._rows

    @property
    def documents(self) -> DocumentCounts | None:
        return self._documents

    def word(self, row: int) -> str:
        return self._words[int(self._rows[row])]

    def row_of_rank(self, rank: int) -> int:
        """Row of the word of a rank (from 0), or −1."""
        if rank < len(self._rows) and self._rows[rank] == rank:
            return rank
        found = np.flatnonzero(self._rows == rank)
        if len(found):
            return int(found[0])
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
        files = (
            section == DOCUMENTS and self._documents is not None and self._documents.unit == "file"
        )
        if role == Qt.ItemDataRole.DisplayRole:
            # Qt would draw its arrow over the text.
            if section == self._sorted[0]:
                arrow = " ▴"
                if self._sorted[1]:
                    arrow = " ▾"
            else:
                arrow = ""
            return (tr("Files") if files else _COLUMNS[section][0]) + arrow
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(tr("How many files hold it") if files else _COLUMNS[section][1])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _column_alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell_text(int(self._rows[index.row()]), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _column_alignment(index.column())
        return None

    def _cell_text(self, rank: int, column: int) -> str:
        match column:
            case 0:
                return count(rank + 1)
            case 1:
                return self._words[rank]
            case 2:
                return count(int(self._counts[rank]))
            case 3:
                return f"{decimal(100 * float(self._counts[rank]) / self._total, 2)} %"
            case 4:
                if self._documents is not None:
                    return count(int(self._documents.counts[rank]))
                return "…"
            case 5:
                return f"{100 * self._kept[rank]:.3g} %"
            case _:
                return decimal(float(self._noise[rank]), 3)


class VocabularyTable(QTableView):
    """The view: one word a line, the word's column takes the room that is left. A click on a header
    sorts.
    """

    # The column that is sorted by now.
    sorted_by = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.words = VocabularyModel(self)
        self._by = (RANK, Qt.SortOrder.AscendingOrder)
        prepare_table(self, self.words, stretch=WORD, widths=_WIDTHS)
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort_by)

    def sort_by(self, column: int) -> None:
        """Sort by a column, or reverse the order if it is sorted by it."""
        falling, rising = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
        order = rising
        if column in _FALLING:
            order = falling
        if self._by[0] == column:
            order = falling
            if self._by[1] == falling:
                order = rising
        self._by = (column, order)
        self.words.sort(column, order)
        self.sorted_by.emit(column)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - scaled_length(_WORD_ROOM) - sum(_WIDTHS.values())
        for column in _GIVE_WAY:
            self.setColumnHidden(column, room < 0)
            if room < 0:
                room += _WIDTHS[column]


def prepare_table(
    view: QTableView, model: QAbstractTableModel, stretch: int, widths: Mapping[int, int]
) -> None:
    """Make a view a table of words: one line each, chosen as a whole; one column takes the room
    that is left.
    """
    view.setModel(model)
    set_text_role(view, tabular=True)
    set_scaled_size(view, least_width=240)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setCornerButtonEnabled(False)
    view.setTabKeyNavigation(False)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    rows = view.verticalHeader()
    rows.hide()
    rows.setMinimumSectionSize(20)
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    set_scaled_size(rows, rows=26)
    columns = view.horizontalHeader()
    columns.setHighlightSections(False)
    columns.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    columns.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
    for column, width in widths.items():
        view.setColumnWidth(column, width)


def _column_alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight
    if column == WORD:
        side = Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
