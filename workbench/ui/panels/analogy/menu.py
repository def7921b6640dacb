"""The menu of the analogy bar: method, candidates, earlier questions, and copies of the answers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from workbench.core.language import tr
from workbench.ui.base.action import set_action_key
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.base.text import MINUS
from workbench.ui.panels.analogy.answers import METHODS
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.inputs.query_history import Asked, QueryHistory

RESTRICTIONS = (
    (0, tr("All words")),
    (10_000, tr("Top 10,000")),
    (30_000, tr("Top 30,000")),
    (100_000, tr("Top 100,000")),
)
# Number of earlier questions in the menu; then the initial question, if the vocabulary has its
# words.
_SHOWN = 15


class AnalogyMenu(QMenu):
    """``restricted``: the number of candidates has changed. ``again``: a question to ask again."""

    restricted = Signal()
    again = Signal(object)

    def __init__(self, history: QueryHistory, methods: ChoiceBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._history = history
        self.copy_text = QAction(tr("Copy answers"), self)
        self.copy_csv = QAction(tr("Copy answers as CSV"), self)
        self.apart = QAction(tr("Explain the answers"), self)
        self.influence = QAction(tr("Which lines did it?"), self)
        self.method = self.addMenu(tr("Method"))
        self._offer_methods(methods)
        self.candidates = candidates = self.addMenu(tr("Candidates"))
        for qt_action, key in (
            (self.copy_text, "copy"),
            (self.copy_csv, "copy_csv"),
            (self.apart, "apart"),
            (self.influence, "influence"),
        ):
            set_action_key(qt_action, f"analogy.{key}")
        set_action_key(self.method, "analogy.method")
        set_action_key(candidates, "analogy.candidates")
        candidates.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        for size, name in RESTRICTIONS:
            action = candidates.addAction(menu_text(name))
            action.setData(size)
            action.setCheckable(True)
            action.setToolTip(tr("Limit answers to the most frequent words"))
            self._group.addAction(action)
        self._group.actions()[0].setChecked(True)
        self._group.triggered.connect(lambda _: self.restricted.emit())
        self.before = self.addMenu(tr("Recent analogies"))
        set_action_key(self.before, "analogy.again")
        self.before.aboutToShow.connect(self._fill_history)
        self.addSeparator()
        self.addActions([self.copy_text, self.copy_csv])
        self.addSeparator()
        self.addActions([self.apart, self.influence])

    def _offer_methods(self, methods: ChoiceBox) -> None:
        """Offer the methods of the box, which a narrow bar leaves out."""
        self.method.setToolTipsVisible(True)
        group = QActionGroup(self)
        for _, name, tip in METHODS:
            action = self.method.addAction(menu_text(name))
            action.setCheckable(True)
            action.setToolTip(safe_tip(tip))
            group.addAction(action)
        offers = group.actions()
        offers[methods.currentIndex()].setChecked(True)
        methods.currentIndexChanged.connect(lambda row: offers[row].setChecked(True))
        group.triggered.connect(lambda action: methods.setCurrentIndex(offers.index(action)))

    @property
    def restrict(self) -> int:
        """Number of candidates, 0 for all words."""
        return int(self._group.checkedAction().data())

    def _fill_history(self) -> None:
        self.before.clear()
        for question in self._history.latest_first[:_SHOWN]:
            self._offer_question(question)
        if self.before.isEmpty():
            self.before.addAction(tr("None yet")).setEnabled(False)

    def _offer_question(self, question: Asked) -> None:
        a, b, c = question
        self.before.addAction(menu_text(f"{a} {MINUS} {b} + {c}")).triggered.connect(
            lambda: self.again.emit(question)
        )
