"""Question for the text column of a table, with a preview of its first rows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from workbench.core.language import tr
from workbench.corpus.ingest.text_sample import Columns
from workbench.ui import kit
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import plural
from workbench.ui.base.theme import SPACE_2, Theme
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
        self._question = kit.label(role="large", name=f"{prefix}.question")
        self.column = kit.ChoiceBox()
        self.column.setObjectName(f"{prefix}.column")
        # Of a question that is answered at once.
        self.column.setProperty("passing", True)
        self.column.setAccessibleName(tr("Column with the text"))
        set_scaled_size(self.column, least_width=160)
        self.column.currentIndexChanged.connect(self._mark_column)
        self.read = kit.button(
            tr("Read column"), role="primary", name=f"{prefix}.read", pressed=self._accept_column
        )
        self.read.setAccessibleName(tr("Read column"))
        self.cancel = kit.button(tr("Cancel"), name=f"{prefix}.cancel", pressed=self.dismissed)
        self.cancel.setAccessibleName(tr("Don’t open the table"))
        self.table = kit.DataTable(theme, sortable=False)
        self.table.setObjectName(f"{prefix}.rows")
        self.table.setAccessibleName(tr("First rows"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.table.horizontalHeader().setSectionsClickable(True)
        set_scaled_size(self.table, height=26 * (_ROWS + 1) + 20)
        self.table.selectionModel().currentColumnChanged.connect(
            lambda index, _: self.column.setCurrentIndex(index.column())
        )
        name = kit.label(tr("Text column"))
        answer = kit.row(name, self.column, self.read, self.cancel, kit.stretch(share=1))
        column = kit.column(self._question, answer, self.table, margins=(0, 0, 0, SPACE_2))
        kit.fill(self, column)

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
