"""Table model and painting of the neighbours in several models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from workbench.analysis.neighbours.side_by_side import (
    ModelNeighbours,
    ModelsSideBySide,
    PlacedNeighbour,
)
from workbench.core.language import tr
from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.text import count
from workbench.ui.theme import SPACE_1, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.score_list import shown_score

_Index = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole
UP, DOWN, SAME = "▲", "▼", "="


def rank_change_text(rise: int | None) -> str:
    """3 → "▲3", −12 → "▼12", 1234 → "▲1.2k", 0 → "=", None → "–"."""
    if rise is None:
        return "–"
    size = abs(rise)
    if size < 1000:
        text = str(size)
    elif size < 9950:
        text = f"{size / 1000:.1f}k"
    else:
        text = f"{size / 1000:.0f}k"
    if rise == 0:
        return SAME
    return f"{UP if rise > 0 else DOWN}{text}"


class ModelColumnsModel(QAbstractTableModel):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.found: ModelsSideBySide | None = None
        self.colours: Sequence[int] = ()

    def put(self, found: ModelsSideBySide | None, colours: Sequence[int]) -> None:
        self.beginResetModel()
        self.found, self.colours = found, colours
        self.endResetModel()

    @property
    def columns(self) -> tuple[ModelNeighbours, ...]:
        if self.found is not None:
            return self.found.columns
        return ()

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return max(
            (max(len(column.neighbours), bool(column.problem)) for column in self.columns),
            default=0,
        )

    def columnCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self.columns)

    def cell(self, index: _Index) -> PlacedNeighbour | None:
        if not index.isValid():
            return None
        neighbours = self.columns[index.column()].neighbours
        if index.row() < len(neighbours):
            return neighbours[index.row()]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        placed = self.cell(index)
        if placed is None:
            column = None
            if index.isValid():
                column = self.columns[index.column()]
            told = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            if column is not None and told and index.row() == 0:
                return column.problem
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return placed.word
        if role == CELL:
            return placed
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return safe_tip(self._tip_text(placed, index))
        return None

    def _tip_text(self, placed: PlacedNeighbour, index: _Index) -> str:
        text = tr(
            "{word}: rank {value}, cosine {cosine}",
            word=placed.word,
            value=index.row() + 1,
            cosine=shown_score(placed.cosine),
        )
        if index.column():
            first = self.columns[0].name
            if placed.before:
                text += tr("; rank {before} in {first}", before=count(placed.before), first=first)
            else:
                text += tr("; not in {first}", first=first)
        return tr(
            "{text}; in {models} of {number} lists",
            text=text,
            models=placed.models,
            number=len(self.columns),
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return str(section + 1)
            return None
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
                return safe_tip(tr("{name}: the others are compared with it", name=column.name))
            return safe_tip(
                tr(
                    "{name}: {shared} of {number} also in {reference}",
                    name=column.name,
                    shared=column.shared,
                    number=len(column.neighbours),
                    reference=self.columns[0].name,
                )
            )
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return left
        return None


class ModelColumnsDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QTableView) -> None:
        super().__init__(view)
        self._theme = theme
        self.chosen = ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        area = QRectF(option.rect).adjusted(SPACE_1, 0, -SPACE_1, 0)
        state: QStyle.StateFlag = option.state
        placed: PlacedNeighbour | None = index.data(CELL)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if placed is None:
            painter.setFont(body_font(TYPE_SMALL))
            painter.setPen(QColor(colours.muted))
            text = QFontMetricsF(painter.font()).elidedText(
                paintable_text(str(index.data() or "")), Qt.TextElideMode.ElideRight, area.width()
            )
            painter.drawText(area, middle | left, text)
            painter.restore()
            return
        if placed.word == self.chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            if placed.word == self.chosen:
                painter.setBrush(QColor(colours.accent_soft))
            else:
                painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(area.adjusted(-2, 1, 2, -1), 5, 5)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(-1.5, 1.5, 1.5, -1.5), 5, 5)
        lists = index.model().columnCount()
        # A full dot: in every list; a ring: in some; nothing: here alone.
        if placed.models > 1:
            painter.setPen(QColor(colours.accent))
            if placed.models == lists:
                painter.setBrush(QColor(colours.accent))
            else:
                painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRectF(area.left() + 1, area.center().y() - 2.5, 5, 5))
        rise = placed.rise(index.row() + 1)
        text = rank_change_text(rise)
        if index.column() == 0:
            text = shown_score(placed.cosine)
        painter.setFont(body_font(TYPE_BODY - 1, tabular=True))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text)
        colour = colours.muted
        if index.column() > 0 and rise is not None and rise > 0:
            colour = colours.good
        elif index.column() > 0 and rise is not None and rise < 0:
            colour = colours.danger
        painter.setPen(QColor(colour))
        painter.drawText(area, middle | right, text)
        painter.setFont(body_font(bold=placed.models == lists > 1))
        painter.setPen(QColor(colours.text))
        box = area.adjusted(11, 0, -wide - SPACE_1, 0)
        word = QFontMetricsF(painter.font()).elidedText(
            paintable_text(placed.word), Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, middle | left, word)
        painter.restore()


class ModelColumnsView(QTableView):
    """Return opens the current word."""

    opened = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        word = self.currentIndex().data()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and word:
            self.opened.emit(word)
            return
        super().keyPressEvent(event)
