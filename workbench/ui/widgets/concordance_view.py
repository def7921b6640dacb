"""Keyword in context: a word's occurrences under one another, the word itself in one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.ui.theme import SPACE_2, Theme, body_font

_Index = QModelIndex | QPersistentModelIndex
_LINE = Qt.ItemDataRole.UserRole
_HEIGHT = 24


class Occurrence(Protocol):
    """A line of a concordance: what stands before, the word, what stands after."""

    @property
    def left(self) -> str: ...
    @property
    def word(self) -> str: ...
    @property
    def right(self) -> str: ...


class _Lines(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines: Sequence[Occurrence] = ()

    def put(self, lines: Sequence[Occurrence]) -> None:
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return f"{line.left} {line.word} {line.right}".strip()
        return line if role == _LINE else None


class _LineDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(100, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: Occurrence = index.data(_LINE)
        colours = self._theme.palette
        box = QRectF(option.rect)
        painter.save()
        painter.setFont(body_font(bold=True))
        width = painter.fontMetrics().horizontalAdvance(line.word)
        # A little left of the middle: what follows a word is read more than what precedes it.
        middle = box.left() + box.width() * 0.45
        word = QRectF(middle - width / 2, box.top(), width + 2, box.height())
        painter.setPen(QColor(colours.accent))
        painter.drawText(word, Qt.AlignmentFlag.AlignCenter, line.word)
        painter.setFont(body_font())
        painter.setPen(QColor(colours.text))
        metrics = QFontMetricsF(painter.font())
        before = QRectF(box.left(), box.top(), word.left() - box.left() - SPACE_2, box.height())
        after = QRectF(word.right() + SPACE_2, box.top(), box.right() - word.right() - SPACE_2, box.height())
        centred = Qt.AlignmentFlag.AlignVCenter
        left = metrics.elidedText(line.left, Qt.TextElideMode.ElideLeft, before.width())
        painter.drawText(before, Qt.AlignmentFlag.AlignRight | centred, left)
        right = metrics.elidedText(line.right, Qt.TextElideMode.ElideRight, after.width())
        painter.drawText(after, Qt.AlignmentFlag.AlignLeft | centred, right)
        painter.restore()


class ConcordanceView(QListView):
    """Lines of a concordance, the word in the middle."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._lines = _Lines(self)
        self.setModel(self._lines)
        self.setItemDelegate(_LineDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)

    def put(self, lines: Sequence[Occurrence]) -> None:
        self._lines.put(lines)
