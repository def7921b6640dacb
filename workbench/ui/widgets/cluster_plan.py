"""What a count on a cluster will take, as a small table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from workbench.core.language import tr
from workbench.counts.cluster import Plan
from workbench.ui.measures import sized
from workbench.ui.plain_text import PlainLabel, safe_tip
from workbench.ui.theme import SPACE_2, set_property
from workbench.ui.widgets.cluster_where import named

_ROW = 26


class ClusterPlan(QWidget):
    """The rows of a plan below its warnings; or in their place what keeps it from being made."""

    def __init__(self) -> None:
        super().__init__()
        self.table = named(QTableWidget(0, 2), "plan", tr("What the count will take"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        sized(self.table.verticalHeader(), rows=_ROW)
        sized(self.table, height=9 * _ROW + 4)
        self.note = named(PlainLabel(), "note", tr("What is to be said of the count"))
        self.note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.note)
        column.addWidget(self.table)
        self._shown: Plan | None = None
        # Its room stays, so that nothing below moves when a plan comes or goes.
        kept = self.table.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.table.setSizePolicy(kept)
        self.table.hide()
        self.note.hide()

    def show_plan(self, plan: Plan | None) -> None:
        """Put its rows in; nothing changes where it is shown already."""
        if plan is self._shown:
            return
        self._shown = plan
        self.table.setVisible(plan is not None)
        rows = plan.rows() if plan is not None else []
        self.table.setRowCount(len(rows))
        for at, (name, value) in enumerate(rows):
            for column, text in enumerate((name[:1].upper() + name[1:], value)):
                item = QTableWidgetItem(text)
                item.setToolTip(safe_tip(text))
                self.table.setItem(at, column, item)

    def say(self, text: str, role: str = "muted") -> None:
        """A sentence above the table, "muted", "warning" or "error"."""
        if (text, role) != (self.note.text(), self.note.property("role")):
            set_property(self.note, "role", role)
            self.note.setText(text)
            self.note.setVisible(bool(text))
