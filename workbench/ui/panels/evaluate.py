"""Analogy questions by the hundred: how many the model answers, by section."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QPainter
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.analogy import AnalogyReport, evaluate
from workbench.analysis.questions import load_questions
from workbench.core.errors import UserError
from workbench.session.jobs import Job
from workbench.session.records import RunRecord
from workbench.session.settings import exists
from workbench.ui.panel import Context, Notice, Panel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_2, SPACE_3, Theme, body_font
from workbench.ui.widgets.editors import ChoiceBox
from workbench.ui.widgets.elided import ElidedLabel

_Index = QModelIndex | QPersistentModelIndex
_SHARE_ROLE = Qt.ItemDataRole.UserRole
_PLAIN = QModelIndex()
_START = "Answer all"
_NUMBERS_SIDE = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_NAMES_SIDE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_COLUMNS = ("Section", "Accuracy", "Right", "Asked", "In the file")
_RESTRICTIONS = ((30_000, "Top 30,000"), (100_000, "Top 100,000"), (0, "All words"))


@dataclass(frozen=True)
class _Row:
    name: str
    share: float
    correct: int
    asked: int
    total: int
    summary: bool


def _rows(report: AnalogyReport) -> list[_Row]:
    """The totals first, then the sections in the file's order."""
    semantic = [s for name, s in report.sections.items() if not name.startswith("gram")]
    syntactic = [s for name, s in report.sections.items() if name.startswith("gram")]
    rows = [
        _Row(name, share, sum(s.correct for s in part), sum(s.asked for s in part), sum(s.total for s in part), True)
        for name, share, part in (
            ("All questions", report.all, semantic + syntactic),
            ("Semantic", report.semantic, semantic),
            ("Syntactic", report.syntactic, syntactic),
        )
        if part
    ]
    rows += [_Row(name, s.accuracy, s.correct, s.asked, s.total, False) for name, s in report.sections.items()]
    return rows


def _percent(row: _Row) -> str:
    """100.0 % only where every answer is right, 0.0 % only where none is."""
    if math.isnan(row.share):
        return "–"
    percent = round(100 * row.share, 1)
    if row.correct < row.asked:
        percent = min(percent, 99.9)
    if row.correct:
        percent = max(percent, 0.1)
    return f"{percent:.1f} %"


class _Model(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[_Row] = []

    def set_rows(self, rows: list[_Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _PLAIN) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _NUMBERS_SIDE if section > 1 else _NAMES_SIDE
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (row.name, _percent(row), count(row.correct), count(row.asked), count(row.total))[index.column()]
        if role == Qt.ItemDataRole.FontRole:
            return body_font(bold=row.summary, tabular=index.column() > 0)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _NUMBERS_SIDE if index.column() > 1 else _NAMES_SIDE
        if role == _SHARE_ROLE:
            return row.share
        return None


class _Delegate(QStyledItemDelegate):
    """Names and numbers in line with their headings; a share as a number and a bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        state: QStyle.StateFlag = option.state
        area = QRectF(option.rect)
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.accent_soft))
        area.adjust(SPACE_2, 0, -SPACE_2, 0)
        painter.setFont(index.data(Qt.ItemDataRole.FontRole))
        painter.setPen(QColor(colours.text))
        if index.column() != 1:
            painter.drawText(area, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), str(index.data()))
        else:
            self._paint_share(painter, area, str(index.data()), float(index.data(_SHARE_ROLE)))
        painter.restore()

    def _paint_share(self, painter: QPainter, area: QRectF, text: str, share: float) -> None:
        colours = self._theme.palette
        number = QRectF(area.left(), area.top(), 62, area.height())
        painter.drawText(number, _NUMBERS_SIDE, text)
        bar = QRectF(number.right() + SPACE_3, area.center().y() - 3, max(area.right() - number.right() - 12, 8), 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(bar, 3, 3)
        if share > 0:
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(bar.width() * share, 3), bar.height()), 3, 3)


class EvaluatePanel(Panel):
    """A question file, the model that is looked at, and the accuracy of every section."""

    key = "evaluate"
    title = "Evaluate"
    area = "centre"
    order = 40

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._job: Job[AnalogyReport] | None = None
        self._record: RunRecord | None = None
        self.questions = self.named(ChoiceBox(), "questions", "Question file")
        self.questions.setMinimumContentsLength(14)
        self.questions.setMaximumWidth(320)
        self.questions.currentIndexChanged.connect(lambda _: self._forget())
        self._open = self.named(
            QPushButton("Open file …"), "open", "Open a question file", "A file of the questions-words.txt format"
        )
        self._open.clicked.connect(self._choose_file)
        self.method = self.named(ChoiceBox(), "method", "How analogies are answered")
        self.method.setMinimumContentsLength(5)
        self.method.addItem("3CosAdd", "3cosadd")
        self.method.addItem("3CosMul", "3cosmul")
        self.method.setToolTip("3CosAdd: nearest to b − a + c. 3CosMul: products instead of sums.")
        self.method.currentIndexChanged.connect(lambda _: self._forget())
        self.restrict = self.named(
            ChoiceBox(), "restrict", "Candidates", "Questions and answers are limited to the most frequent words"
        )
        for size, name in _RESTRICTIONS:
            self.restrict.addItem(name, size)
        self.restrict.setMinimumContentsLength(8)
        self.restrict.currentIndexChanged.connect(lambda _: self._forget())
        self.start = self.named(QPushButton(_START), "start", _START)
        self.start.setProperty("role", "primary")
        self.start.clicked.connect(self._run_or_cancel)
        self._fact = ElidedLabel()
        self._fact.setObjectName(f"{self.key}.fact")
        self._model = _Model()
        self._delegate = _Delegate(self.theme)
        self.table = self.named(QTableView(), "sections", "Accuracy by section")
        self._instead = Notice(f"{self.key}.here")
        self._inner = QStackedWidget()
        self._open_action = QAction(self._open.text(), self)
        self._open_action.triggered.connect(self._choose_file)
        self._build()
        self.follow(self.session.shown_changed, self._refresh)
        self.follow(self.session.runs_changed, self._renamed)
        self.follow(self.session.corpus_changed, self._offer_files)
        context.bridge.tick.connect(self._tick)
        self._offer_files()
        self._refresh()

    def _build(self) -> None:
        table = self.table
        table.setModel(self._model)
        table.setItemDelegate(self._delegate)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(28)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        row.addWidget(self.questions, 1)
        row.addWidget(self._open)
        row.addWidget(self.method)
        row.addWidget(self.restrict)
        row.addStretch()
        row.addWidget(self.start)
        answered = QWidget()
        column = QVBoxLayout(answered)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self._fact)
        column.addWidget(table, 1)
        self._inner.addWidget(answered)
        self._inner.addWidget(self._instead)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_3)
        layout.setSpacing(SPACE_3)
        layout.addLayout(row)
        layout.addWidget(self._inner, 1)

    def release(self) -> None:
        self.context.bridge.tick.disconnect(self._tick)
        self.session.jobs.drop(self.key)
        super().release()

    def panel_actions(self) -> list[QAction]:
        open_file = QAction("Open a question file …", self)
        open_file.triggered.connect(self._choose_file)
        return [open_file]

    # -- which file

    def _known_files(self) -> list[str]:
        """The question files opened before that are still there, the latest first."""
        kept = self.session.settings.get("question_files")
        return [path for path in kept if isinstance(path, str) and exists(path)] if isinstance(kept, list) else []

    def _offer_files(self) -> None:
        own, corpus = self.session.questions_path, self.session.corpus
        offers = {path: Path(path).name for path in self._known_files()}
        if own is not None and corpus is not None:
            offers = {str(own): f"{corpus.name}’s questions", **offers}
        if not offers:
            offers = {"": "No question file yet"}
        if list(offers) == [self.questions.itemData(row) for row in range(self.questions.count())]:
            return
        chosen = self.questions.currentData()
        self.questions.blockSignals(True)
        self.questions.clear()
        for path, name in offers.items():
            self.questions.addItem(name, path)
            self.questions.setItemData(self.questions.count() - 1, path, Qt.ItemDataRole.ToolTipRole)
        self.questions.setCurrentIndex(max(self.questions.findData(chosen) if chosen else 0, 0))
        self.questions.blockSignals(False)
        if self.questions.currentData() != chosen:
            self._forget()

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open a question file", "", "Questions (*.txt);;All files (*)")
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Offer a question file, now and at the next start, and choose it."""
        wanted = str(path.absolute())
        others = [known for known in self._known_files() if known != wanted]
        self.session.settings.set("question_files", [wanted, *others][:8])
        self._offer_files()
        self.questions.setCurrentIndex(self.questions.findData(wanted))
        self.raise_requested.emit()

    # -- which model

    def _refresh(self) -> None:
        record = self.session.shown
        if record is None or record.embeddings is None:
            self._record = None
            self._forget()
            if record is not None and record.stored and record.error is None:
                self.show_busy("Loading the vectors …")
            else:
                self.show_empty(
                    "No model to question yet",
                    "Train a model, open vectors or click a run; then it answers analogies here.",
                )
            return
        if record is not self._record:
            self._record = record
            self._forget()
        self.show_body()

    def _renamed(self) -> None:
        if self._instead.kind == "empty" and self._inner.currentWidget() is self._instead:
            self._invite()

    # -- asking

    def _forget(self) -> None:
        """What was answered no longer fits what is chosen."""
        self.session.jobs.drop(self.key)
        self._job = None
        self._model.set_rows([])
        self._offer_start()
        self._invite()

    def _invite(self) -> None:
        if self.questions.currentData():
            name = self._record.name if self._record is not None else "the model"
            title = f"How many analogies does {name} get right?"
            self._instead.set_content(title, f"“{_START}” asks every question of the file: a is to b as c is to what?")
        else:
            hint = "Lines of four words under “: section” headings, as in questions-words.txt."
            self._instead.set_content("Open a file of analogy questions", hint, action=self._open_action)
        self._inner.setCurrentWidget(self._instead)

    def _offer_start(self) -> None:
        busy = self._job is not None
        self.start.setText("Cancel" if busy else _START)
        self.start.setAccessibleName("Cancel answering" if busy else _START)
        self.start.setEnabled(busy or bool(self.questions.currentData()))

    def _run_or_cancel(self) -> None:
        if self._job is not None:
            self._forget()
            return
        record, path = self._record, str(self.questions.currentData() or "")
        if record is None or record.embeddings is None or not path:
            return
        embeddings, method, restrict = record.embeddings, str(self.method.currentData()), self.restrict.currentData()
        self._job = self.session.jobs.start(
            f"Answering {Path(path).name}",
            lambda run: evaluate(embeddings, load_questions(path), method, int(restrict), run),
            self._done,
            self._failed,
            key=self.key,
            # The activity list can cancel it too.
            cancelled=self._forget,
        )
        self._tick()
        self._inner.setCurrentWidget(self._instead)
        self._offer_start()

    def _tick(self) -> None:
        if self._job is not None:
            fraction = self._job.run.progress.fraction
            self._instead.set_content("Answering the questions …", "", fraction=fraction or 0.0, busy=True)

    def _done(self, report: AnalogyReport) -> None:
        self._job = None
        self._model.set_rows(_rows(report))
        name = self._record.name if self._record is not None else ""
        covered = f"{100 * report.covered:.0f} %" if report.total else "none"
        self._fact.put(
            f"{name}: {count(report.correct)} of {count(report.asked)} right · {covered} of "
            f"{plural(report.total, 'question')} known"
        )
        self._inner.setCurrentIndex(0)
        self._offer_start()

    def _failed(self, error: UserError) -> None:
        self._job = None
        self._instead.set_content(error.message, error.hint, is_error=True)
        self._inner.setCurrentWidget(self._instead)
        self._offer_start()
