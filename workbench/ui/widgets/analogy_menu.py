"""The menu of the analogy bar: candidates, what was asked before, the answers to take along."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from workbench.core.language import tr
from workbench.ui.action import tag
from workbench.ui.plain_text import menu_text
from workbench.ui.text import MINUS
from workbench.ui.widgets.asked import Asked, History

RESTRICTIONS = (
    (0, tr("All words")),
    (10_000, tr("Top 10,000")),
    (30_000, tr("Top 30,000")),
    (100_000, tr("Top 100,000")),
)
_SHOWN = 15


class AnalogyMenu(QMenu):
    """``restricted`` tells that candidates are others, ``again`` which question to ask again."""

    restricted = Signal()
    again = Signal(object)

    def __init__(self, history: History, parent: QWidget) -> None:
        super().__init__(parent)
        self._history = history
        self.copy_text = QAction(tr("Copy the answers"), self)
        self.copy_csv = QAction(tr("Copy the answers as CSV"), self)
        self.apart = QAction(tr("Take the answers apart"), self)
        self.candidates = candidates = self.addMenu(tr("Candidates"))
        for made, key in ((self.copy_text, "copy"), (self.copy_csv, "copy_csv"), (self.apart, "apart")):
            tag(made, f"analogy.{key}")
        tag(candidates, "analogy.candidates")
        candidates.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        for size, name in RESTRICTIONS:
            action = candidates.addAction(menu_text(name))
            action.setData(size)
            action.setCheckable(True)
            action.setToolTip(tr("Answers are looked for among these, the most frequent first"))
            self._group.addAction(action)
        self._group.actions()[0].setChecked(True)
        self._group.triggered.connect(lambda _: self.restricted.emit())
        self.before = self.addMenu(tr("Asked before"))
        tag(self.before, "analogy.again")
        self.before.aboutToShow.connect(self._fill)
        self.addSeparator()
        self.addActions([self.copy_text, self.copy_csv])
        self.addSeparator()
        self.addAction(self.apart)

    @property
    def restrict(self) -> int:
        """How many words are candidates, 0 for all."""
        return int(self._group.checkedAction().data())

    def _fill(self) -> None:
        self.before.clear()
        for asked in self._history.latest_first[:_SHOWN]:
            self._offer(asked)
        if self.before.isEmpty():
            self.before.addAction(tr("Nothing yet")).setEnabled(False)

    def _offer(self, asked: Asked) -> None:
        a, b, c = asked
        self.before.addAction(menu_text(f"{a} {MINUS} {b} + {c}")).triggered.connect(lambda: self.again.emit(asked))
