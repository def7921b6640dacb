"""Analogy questions by the hundred: how many the model answers, by section."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
)

from workbench.analysis.analogy import AnalogyReport, evaluate
from workbench.analysis.questions import load_questions
from workbench.core.errors import UserError
from workbench.session.jobs import Job
from workbench.session.records import RunRecord
from workbench.ui.panel import Context, Panel
from workbench.ui.text import count
from workbench.ui.theme import SPACE_2, SPACE_3, SPACE_4, Theme, body_font, set_property

_Index = QModelIndex | QPersistentModelIndex
_SHARE_ROLE = Qt.ItemDataRole.UserRole
_PLAIN = QModelIndex()
_COLUMNS = ("Section", "Accuracy", "Right", "Asked", "In the file")
_RESTRICTIONS = ((30_000, "30,000 most frequent words"), (100_000, "100,000 most frequent words"), (0, "all words"))


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
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            share = "–" if math.isnan(row.share) else f"{100 * row.share:.1f} %"
            return (row.name, share, count(row.correct), count(row.asked), count(row.total))[index.column()]
        if role == Qt.ItemDataRole.FontRole:
            return body_font(bold=row.summary, tabular=index.column() > 0)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() > 1:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == _SHARE_ROLE:
            return row.share
        return None


class _ShareDelegate(QStyledItemDelegate):
    """A share as a number and a bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        share = float(index.data(_SHARE_ROLE))
        colours = self._theme.palette
        area = QRectF(option.rect).adjusted(SPACE_2, 0, -SPACE_2, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(index.data(Qt.ItemDataRole.FontRole))
        painter.setPen(QColor(colours.text))
        number = QRectF(area.left(), area.top(), 56, area.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        bar = QRectF(number.right() + SPACE_3, area.center().y() - 3, max(area.right() - number.right() - 12, 8), 7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(bar, 3, 3)
        if share > 0:
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), 3, 3)
        painter.restore()


class EvaluatePanel(Panel):
    """A question file, the model that is looked at, and the accuracy of every section."""

    key = "evaluate"
    title = "Evaluate"
    area = "centre"
    order = 40

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._files: list[Path] = []
        self._job: Job[AnalogyReport] | None = None
        self._record: RunRecord | None = None
        self.questions = self.named(QComboBox(), "questions", "Question file")
        self.questions.setMinimumWidth(200)
        self.questions.currentIndexChanged.connect(lambda _: self._forget())
        self._open = self.named(
            QPushButton("Open file …"), "open", "Open a question file", "A file of the questions-words.txt format"
        )
        self._open.clicked.connect(self._choose_file)
        self.method = self.named(QComboBox(), "method", "How analogies are answered")
        self.method.addItem("3CosAdd", "3cosadd")
        self.method.addItem("3CosMul", "3cosmul")
        self.method.currentIndexChanged.connect(lambda _: self._forget())
        self.restrict = self.named(
            QComboBox(), "restrict", "Candidates", "Questions and answers are limited to these words"
        )
        for size, name in _RESTRICTIONS:
            self.restrict.addItem(name, size)
        self.restrict.currentIndexChanged.connect(lambda _: self._forget())
        self.start = self.named(QPushButton("Answer all"), "start", "Answer all questions")
        self.start.setProperty("role", "primary")
        self.start.clicked.connect(self._run_or_cancel)
        self._fact = self.named(QLabel(), "fact", "Outcome")
        self._fact.setProperty("role", "muted")
        self._fact.setTextFormat(Qt.TextFormat.PlainText)
        self._progress = self.named(QProgressBar(), "progress", "Progress")
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 1000)
        self._progress.hide()
        self._model = _Model()
        self._delegate = _ShareDelegate(self.theme)
        self.table = self.named(QTableView(), "sections", "Accuracy by section")
        self._build()
        self.follow(self.session.shown_changed, self._refresh)
        self.follow(self.session.corpus_changed, self._offer_files)
        context.bridge.tick.connect(self._tick)
        self._offer_files()
        self._refresh()

    def _build(self) -> None:
        table = self.table
        table.setModel(self._model)
        table.setItemDelegateForColumn(1, self._delegate)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(28)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        row.addWidget(self.questions)
        row.addWidget(self._open)
        row.addSpacing(SPACE_2)
        row.addWidget(self.method)
        row.addWidget(self.restrict)
        row.addStretch()
        row.addWidget(self.start)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_4, SPACE_3, SPACE_4, SPACE_3)
        layout.setSpacing(SPACE_2)
        layout.addLayout(row)
        layout.addWidget(self._fact)
        layout.addWidget(self._progress)
        layout.addWidget(table, 1)

    def panel_actions(self) -> list[QAction]:
        open_file = QAction("Open a question file …", self)
        open_file.triggered.connect(self._choose_file)
        return [open_file]

    def _offer_files(self) -> None:
        own = self.session.questions_path
        opened = [Path(path) for path in self.session.settings.get("question_files", []) if Path(path).is_file()]
        files = ([own] if own is not None else []) + opened
        if files == self._files and self.questions.count():
            return
        self._files = files
        self.questions.blockSignals(True)
        self.questions.clear()
        for path in files:
            name = f"{self.session.corpus.name}’s own" if path == own and self.session.corpus else path.name
            self.questions.addItem(name, str(path))
        if not files:
            self.questions.addItem("No question file yet", "")
        self.questions.blockSignals(False)
        self._forget()

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open a question file", "", "Questions (*.txt);;All files (*)")
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> None:
        """Offer a question file, now and at the next start, and choose it."""
        known = [entry for entry in self.session.settings.get("question_files", []) if entry != str(path)]
        self.session.settings.set("question_files", [str(path), *known][:8])
        self._offer_files()
        self.questions.setCurrentIndex(self.questions.findData(str(path)))
        self.raise_requested.emit()

    def _refresh(self) -> None:
        record = self.session.shown
        if record is None or record.embeddings is None:
            self._record = None
            self.show_empty("No model to question yet", "Train a model or open vectors; then answer analogies here.")
            return
        if record is not self._record:
            self._record = record
            self._forget()
        self.show_body()

    def _forget(self) -> None:
        """What was answered no longer fits what is chosen."""
        if self._job is not None:
            self._job.run.cancel()
            self._job = None
        self._model.set_rows([])
        self._progress.hide()
        self._offer_start()
        chosen = bool(self.questions.currentData())
        name = self._record.name if self._record is not None else "the model"
        self._say(
            f"Asks {name} every question of the file: a is to b as c is to which word?"
            if chosen
            else "Open a file of analogy questions: lines of four words under “: section” headings."
        )

    def _offer_start(self) -> None:
        busy = self._job is not None
        self.start.setText("Cancel" if busy else "Answer all")
        self.start.setAccessibleName("Cancel answering" if busy else "Answer all questions")
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
        )
        self._progress.setValue(0)
        self._progress.show()
        self._say("Answering …")
        self._offer_start()

    def _tick(self) -> None:
        if self._job is not None and self._progress.isVisible():
            self._progress.setValue(round(1000 * (self._job.run.progress.fraction or 0.0)))

    def _done(self, report: AnalogyReport) -> None:
        self._job = None
        self._progress.hide()
        self._model.set_rows(_rows(report))
        covered = f"{100 * report.covered:.0f} %" if report.total else "none"
        name = self._record.name if self._record is not None else ""
        self._say(
            f"{name}: {count(report.correct)} of {count(report.asked)} right. The vocabulary covers {covered} of "
            f"{count(report.total)} questions."
        )
        self._offer_start()

    def _failed(self, error: UserError) -> None:
        self._job = None
        self._progress.hide()
        self._say(str(error), is_error=True)
        self._offer_start()

    def _say(self, text: str, is_error: bool = False) -> None:
        self._fact.setText(text)
        set_property(self._fact, "role", "error" if is_error else "muted")
