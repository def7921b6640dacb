"""Question for the text column of a table, with a preview of its first rows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.language import tr
from workbench.corpus.ingest.text_sample import Columns
from workbench.ui.plain_text import PlainLabel
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import plural
from workbench.ui.theme import SPACE_2, Theme, set_property
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn

_ROWS = 6
_LETTERS = 200
_WIDTH, _NARROW, _TEXT = 280, 72, 480


class ColumnChoice(QWidget):
    """A question with the first rows of a table.

    ``chosen`` carries the column's name; ``dismissed`` means that no column is to be read.
    """

    chosen = Signal(str)
    dismissed = Signal()

    def __init__(self, theme: Theme, prefix: str) -> None:
        super().__init__()
        self._columns: Columns | None = None
        self._question = PlainLabel()
        self._question.setProperty("role", "large")
        self._question.setObjectName(f"{prefix}.question")
        self.column = ChoiceBox()
        self.column.setObjectName(f"{prefix}.column")
        self.column.setAccessibleName(tr("Column with the text"))
        set_scaled_size(self.column, least_width=160)
        self.column.currentIndexChanged.connect(self._mark_column)
        self.read = QPushButton(tr("Read column"))
        self.read.setObjectName(f"{prefix}.read")
        self.read.setAccessibleName(tr("Read column"))
        set_property(self.read, "role", "primary")
        self.read.clicked.connect(self._accept_column)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setObjectName(f"{prefix}.cancel")
        self.cancel.setAccessibleName(tr("Don’t open the table"))
        self.cancel.clicked.connect(self.dismissed)
        self.table = DataTable(theme, sortable=False)
        self.table.setObjectName(f"{prefix}.rows")
        self.table.setAccessibleName(tr("First rows"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.table.horizontalHeader().setSectionsClickable(True)
        set_scaled_size(self.table, height=26 * (_ROWS + 1) + 20)
        self.table.selectionModel().currentColumnChanged.connect(
            lambda index, _: self.column.setCurrentIndex(index.column())
        )
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        row.addWidget(PlainLabel(tr("Text column")))
        row.addWidget(self.column)
        row.addWidget(self.read)
        row.addWidget(self.cancel)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, SPACE_2)
        column.setSpacing(SPACE_2)
        column.addWidget(self._question)
        column.addLayout(row)
        column.addWidget(self.table)

    def ask_column(self, columns: Columns) -> None:
        """Show a table and mark the column that most likely contains the text."""
        if columns is self._columns:
            return
        self._columns = columns
        name = Path(columns.path).name
        self._question.setText(
            tr(
                "{name} has {columns}. Which one contains the text?",
                name=name,
                columns=plural(len(columns.names), "column"),
            )
        )
        rows = columns.preview.rows[:_ROWS]
        shown = []
        for at, heading in enumerate(columns.names):
            longest = max((len(row[at]) for row in rows), default=0)
            width = 9 * max(min(longest, _LETTERS), len(heading) + 2) + 16
            most = _TEXT if at == columns.text_column else _WIDTH
            texts = [" ".join(row[at][:_LETTERS].split()) for row in rows]
            shown.append(
                TableColumn(heading, texts, number=False, width=max(_NARROW, min(width, most)))
            )
        self.table.set_columns(shown)
        self.column.clear()
        self.column.addItems(list(columns.names))
        self.column.setCurrentIndex(columns.text_column)
        self._mark_column(columns.text_column)
        self.table.horizontalScrollBar().setValue(0)
        self.read.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return read the column, and Escape dismiss the question."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.cancel.hasFocus():
            self._accept_column()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)

    def _mark_column(self, at: int) -> None:
        if self._columns is not None and 0 <= at < len(self._columns.names):
            self.table.selectColumn(at)

    def _accept_column(self) -> None:
        if self._columns is not None:
            self.chosen.emit(self._columns.names[self.column.currentIndex()])
