"""The neighbours of one word in several models, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetricsF, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.side_by_side import Column, Placed, SideBySide, side_by_side
from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.core.tables import to_csv
from workbench.session.records import RunRecord
from workbench.session.session import Session
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, SPACE_2, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ExportButton, csv
from workbench.ui.widgets.score_list import shown_score
from workbench.vectors.embeddings import Embeddings

_Index = QModelIndex | QPersistentModelIndex
_CELL = Qt.ItemDataRole.UserRole
_SETTING = "neighbours.runs"
_MOST = 8
_FIRST_OTHERS = 2
_ROW, _NARROWEST = 26, 112
UP, DOWN, SAME = "▲", "▼", "="


def change(rise: int | None) -> str:
    """3 → "▲3", −12 → "▼12", 0 → "=", None → "–"."""
    if rise is None:
        return "–"
    return SAME if rise == 0 else f"{UP}{count(rise)}" if rise > 0 else f"{DOWN}{count(-rise)}"


class _Table(QAbstractTableModel):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.found: SideBySide | None = None
        self.colours: Sequence[int] = ()

    def put(self, found: SideBySide | None, colours: Sequence[int]) -> None:
        self.beginResetModel()
        self.found, self.colours = found, colours
        self.endResetModel()

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.found.columns if self.found is not None else ()

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return max((max(len(column.neighbours), bool(column.problem)) for column in self.columns), default=0)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def cell(self, index: _Index) -> Placed | None:
        found = self.columns[index.column()].neighbours if index.isValid() else ()
        return found[index.row()] if index.row() < len(found) else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        placed = self.cell(index)
        if placed is None:
            column = self.columns[index.column()] if index.isValid() else None
            told = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            return column.problem if column is not None and told and index.row() == 0 else None
        if role == Qt.ItemDataRole.DisplayRole:
            return placed.word
        if role == _CELL:
            return placed
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._told(placed, index)
        return None

    def _told(self, placed: Placed, index: _Index) -> str:
        text = f"{placed.word}: rank {index.row() + 1}, cosine {shown_score(placed.cosine)}"
        if index.column():
            first = self.columns[0].name
            text += f"; rank {count(placed.before)} in {first}" if placed.before else f"; not in {first}"
        return f"{text}; in {placed.models} of {len(self.columns)} lists"

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role == Qt.ItemDataRole.DecorationRole:
            dot = QPixmap(9, 9)
            dot.fill(Qt.GlobalColor.transparent)
            painter = QPainter(dot)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.run_colour(self.colours[section]))
            painter.drawEllipse(0, 0, 8, 8)
            painter.end()
            return dot
        if role == Qt.ItemDataRole.ToolTipRole:
            if section == 0:
                return f"{column.name}: the others are compared with it"
            return f"{column.name}: {column.shared} of {len(column.neighbours)} also in {self.columns[0].name}"
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return left if role == Qt.ItemDataRole.TextAlignmentRole else None


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme = theme
        self.chosen = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        area = QRectF(option.rect).adjusted(SPACE_1, 0, -SPACE_1, 0)
        state: QStyle.StateFlag = option.state
        placed: Placed | None = index.data(_CELL)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if placed is None:
            painter.setFont(body_font(TYPE_SMALL))
            painter.setPen(QColor(colours.muted))
            text = QFontMetricsF(painter.font()).elidedText(
                str(index.data() or ""), Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(area, middle | left, text)
            painter.restore()
            return
        if placed.word == self.chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent_soft if placed.word == self.chosen else colours.hover))
            painter.drawRoundedRect(area.adjusted(-2, 1, 2, -1), 5, 5)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(-1.5, 1.5, 1.5, -1.5), 5, 5)
        lists = index.model().columnCount()
        # A full dot: in every list; a ring: in some; nothing: here alone.
        if placed.models > 1:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(QColor(colours.accent) if placed.models == lists else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRectF(area.left() + 1, area.center().y() - 2.5, 5, 5))
        rise = placed.rise(index.row() + 1)
        text = shown_score(placed.cosine) if index.column() == 0 else change(rise)
        painter.setFont(body_font(TYPE_BODY - 1, tabular=True))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text)
        up = index.column() > 0 and rise is not None and rise > 0
        down = index.column() > 0 and rise is not None and rise < 0
        painter.setPen(QColor(colours.good if up else colours.danger if down else colours.muted))
        painter.drawText(area, middle | right, text)
        painter.setFont(body_font(bold=placed.models == lists > 1))
        painter.setPen(QColor(colours.text))
        box = area.adjusted(11, 0, -wide - SPACE_1, 0)
        word = QFontMetricsF(painter.font()).elidedText(placed.word, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, middle | left, word)
        painter.restore()


class _View(QTableView):
    """Return opens the current word."""

    opened = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        word = self.currentIndex().data()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and word:
            self.opened.emit(word)
            return
        super().keyPressEvent(event)


class NeighbourColumns(QWidget):
    """A click or the arrow keys pick a word (``picked``), Return opens its own neighbours (``opened``), a double
    click activates it. The model looked at comes first; the other runs are chosen in a menu and remembered.
    """

    picked = Signal(str)
    opened = Signal(str)
    word_activated = Signal(str)

    def __init__(self, session: Session, theme: Theme, owner: str) -> None:
        super().__init__()
        self._session = session
        self._key = f"{owner}.columns"
        self._word, self._number = "", 20
        self._asked: tuple[object, ...] = ()
        self.runs = QPushButton("Models")
        self.runs.setObjectName(f"{self._key}.runs")
        self.runs.setAccessibleName("Which models stand side by side")
        self.runs.setToolTip("Which models stand beside the one that is looked at")
        menu = QMenu(self.runs)
        menu.aboutToShow.connect(self._fill)
        self.runs.setMenu(menu)
        self.export = ExportButton(self.exports)
        self.export.setObjectName(f"{self._key}.export")
        self.export.setAccessibleName("Export the columns")
        self.summary = ElidedLabel()
        self.summary.setProperty("role", "small")
        self.summary.setObjectName(f"{self._key}.summary")
        self._table = _Table(theme)
        self.view = _View()
        self._delegate = _Delegate(theme, self.view)
        self._prepare()
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_2, 0, SPACE_1, 0)
        row.addWidget(self.runs)
        row.addStretch()
        row.addWidget(self.export)
        line = QHBoxLayout()
        line.setContentsMargins(SPACE_2, 0, SPACE_1, 0)
        line.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_1)
        column.addLayout(row)
        column.addLayout(line)
        column.addWidget(self.view, 1)
        theme.changed.connect(self.view.viewport().update)

    def _prepare(self) -> None:
        view = self.view
        view.setModel(self._table)
        view.setItemDelegate(self._delegate)
        view.setObjectName(f"{self._key}.list")
        view.setAccessibleName("Neighbours in several models; a row is a rank")
        view.setProperty("role", "plain")
        view.setMouseTracking(True)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setCornerButtonEnabled(False)
        view.setTabKeyNavigation(False)
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, columns = view.verticalHeader(), view.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(_ROW)
        columns.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setCornerWidget(QWidget())
        columns.setMinimumSectionSize(_NARROWEST)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        columns.setHighlightSections(False)
        view.selectionModel().currentChanged.connect(lambda index, _: self._pick(index))
        view.clicked.connect(self._pick)
        view.doubleClicked.connect(
            lambda index: self.word_activated.emit(str(index.data())) if self._known(index) else None
        )
        view.opened.connect(self.opened)

    # -- which models

    def _others(self) -> list[RunRecord]:
        """The chosen runs beside the shown one; until some were chosen, the newest."""
        usable = [record for record in self._session.runs if record.has_vectors and record is not self._session.shown]
        kept = self._session.settings.get(_SETTING)
        if not isinstance(kept, list):
            return usable[-_FIRST_OTHERS:]
        return [record for record in usable if record.identifier in kept][:_MOST]

    def _fill(self) -> None:
        menu = self.runs.menu()
        menu.clear()
        chosen = self._others()
        for record in self._session.runs:
            if not record.has_vectors:
                continue
            action = QAction(record.name, menu)
            action.setCheckable(True)
            action.setChecked(record in chosen or record is self._session.shown)
            action.setEnabled(record is not self._session.shown)
            action.toggled.connect(lambda on, record=record: self._choose(record, on))
            menu.addAction(action)

    def _choose(self, record: RunRecord, on: bool) -> None:
        wanted = [one.identifier for one in self._others() if one is not record] + [record.identifier] * on
        self._session.settings.set(_SETTING, wanted)
        self.look_at(self._word, self._number)

    # -- what they say

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(self._key)

    @property
    def found(self) -> SideBySide | None:
        return self._table.found

    def look_at(self, word: str, number: int) -> None:
        """List the neighbours of another word."""
        session = self._session
        self._word, self._number = word, number
        shown = session.shown
        records = [shown, *self._others()] if shown is not None and shown.embeddings is not None else []
        asked = (word, number, *records)
        if asked == self._asked and (self._table.found is not None or self.busy):
            return
        self._asked = asked
        if not word or not records:
            self.drop()
            self._put(None, ())
            return
        vectors = [(record, record.embeddings) for record in records]
        store = session.store

        def work(run: Run) -> tuple[SideBySide, list[Embeddings]]:
            loaded = []
            for at, (record, embeddings) in enumerate(vectors):
                run.check()
                run.advance(at / len(vectors), f"Loading {record.name}")
                loaded.append(embeddings if embeddings is not None else store.vectors(record.identifier))
            named = [(record.name, one) for record, one in zip(records, loaded, strict=True)]
            return side_by_side(named, word, number), loaded

        def done(result: tuple[SideBySide, list[Embeddings]]) -> None:
            for record, one in zip(records, result[1], strict=True):
                session.keep(record, one)
            self._put(result[0], [record.colour for record in records])

        waits = any(embeddings is None for _, embeddings in vectors)
        session.jobs.start("Setting models side by side", work, done, self._failed, key=self._key, quiet=not waits)

    def drop(self) -> None:
        """Forget what is under way."""
        self._session.jobs.drop(self._key)

    def mark(self, word: str) -> None:
        """Show where the selected word stands in every column."""
        if word != self._delegate.chosen:
            self._delegate.chosen = word
            self.view.viewport().update()

    def _failed(self, error: UserError) -> None:
        self._put(None, ())
        self.summary.put(str(error))

    def _put(self, found: SideBySide | None, colours: Sequence[int]) -> None:
        self._table.put(found, colours)
        self.export.setEnabled(found is not None)
        self.summary.put(_summary(found) if found is not None else "")

    def _known(self, index: _Index) -> bool:
        return index.isValid() and index.data(_CELL) is not None

    def _activate(self, index: _Index) -> None:
        if self._known(index):
            self.word_activated.emit(str(index.data()))

    def _pick(self, index: _Index) -> None:
        if self._known(index) and index.data() != self._delegate.chosen:
            self.mark(str(index.data()))
            self.picked.emit(str(index.data()))

    def exports(self) -> Export | None:
        found = self._table.found
        if found is None:
            return None

        def table() -> str:
            rows = (
                (column.name, rank, one.word, one.cosine, one.before, one.models)
                for column in found.columns
                for rank, one in enumerate(column.neighbours, start=1)
            )
            return to_csv(["model", "rank", "word", "cosine", f"rank in {found.columns[0].name}", "lists"], rows)

        title, stem = f"Neighbours of {found.word}", f"neighbours-{found.word}"
        return Export(self, self._session, title, stem, texts=csv(table))


def _summary(found: SideBySide) -> str:
    if len(found.columns) == 1:
        return "Choose other models to compare with."
    first = found.columns[0]
    parts = [f"{column.shared} with {column.name}" for column in found.columns[1:] if not column.problem]
    shared = (
        f"Of {len(first.neighbours)} in {first.name}, shared: {', '.join(parts)}" if parts else "Nothing to compare"
    )
    return shared + (f"; in all: {found.in_all}" if len(found.columns) > 2 else "")
