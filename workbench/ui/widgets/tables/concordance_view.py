"""Keyword in context: a word's occurrences under one another, the word itself in one column."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.theme import SPACE_2, Theme, body_font

_Index = QModelIndex | QPersistentModelIndex
_LINE = Qt.ItemDataRole.UserRole
_HEIGHT = 24
# Letters of a line that may be in sight on one side.
_SEEN = 1_000


class Occurrence(Protocol):
    """A line of a concordance: what stands before, the word, what stands after; which other words
    are marked, in tokens from the word.
    """

    @property
    def left(self) -> str: ...
    @property
    def word(self) -> str: ...
    @property
    def right(self) -> str: ...
    @property
    def marks(self) -> tuple[int, ...]: ...


class LazyLines(Protocol):
    """A sequence whose items are made when they are asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Occurrence: ...


class _Model(QAbstractTableModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: LazyLines = ()

    def put(self, lines: LazyLines) -> None:
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self.lines)

    def columnCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{line.left} {line.word} {line.right}".strip()
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(f"{line.left} {line.word} {line.right}".strip())
        if role == _LINE:
            return line
        return None


class _Layout:
    """Where the parts of a line are, the same for painting and for clicking."""

    def __init__(self, line: Occurrence, area: QRectF) -> None:
        self.metrics = QFontMetricsF(body_font())
        # A little left of the middle: what follows a word is read more than what precedes it.
        middle = area.left() + area.width() * 0.45
        width = QFontMetricsF(body_font(bold=True)).horizontalAdvance(line.word)
        top, tall = area.top(), area.height()
        self.word = QRectF(middle - width / 2, top, width + 2, tall)
        self.before = QRectF(
            area.left(), top, max(self.word.left() - area.left() - SPACE_2, 0), tall
        )
        self.after = QRectF(
            self.word.right() + SPACE_2,
            top,
            max(area.right() - self.word.right() - SPACE_2, 0),
            tall,
        )

    def token(self, line: Occurrence, number: int) -> QRectF:
        """Where the ``number``-th word beside the middle one stands; empty where it is cut off."""
        advance = self.metrics.horizontalAdvance
        if number < 0:
            text, room = (line.left, self.before)
        else:
            text, room = (line.right, self.after)
        words = text.split(" ")
        if number < 0:
            at = len(words) + number
        else:
            at = number - 1
        if not 0 <= at < len(words) or not words[at]:
            return QRectF()
        # Of a text that is too long the end gives way to an ellipsis.
        cut = 0.0
        if advance(text) > room.width():
            cut = advance("…")
        wide = advance(words[at])
        if number < 0:
            left = room.right() - wide
            if at + 1 < len(words):
                left -= advance(" " + " ".join(words[at + 1 :]))
            seen = left >= room.left() + cut
        else:
            left = room.left()
            if at:
                left += advance(" ".join(words[:at]) + " ")
            seen = left + wide <= room.right() - cut
        if seen:
            return QRectF(left, room.top(), wide, room.height())
        return QRectF()

    def hit(self, line: Occurrence, x: float) -> str:
        """The word under a place across the line, or ""."""
        if self.word.left() - 3 <= x <= self.word.right() + 3:
            return line.word
        side, words = 1, line.right.split(" ")
        if x < self.word.left():
            side, words = -1, line.left.split(" ")
        for step in range(1, len(words) + 1):
            box = self.token(line, side * step)
            if box.isEmpty():
                return ""
            if box.left() - 2 <= x <= box.right() + 2:
                if side < 0:
                    return words[-step]
                return words[step - 1]
        return ""


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(100, scaled_length(_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line: Occurrence = index.data(_LINE)
        colours = self._theme.palette
        box = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(colours.accent_soft))
        layout = _Layout(line, box)
        for number in line.marks:
            place = layout.token(line, number)
            if not place.isEmpty():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(
                    QColor(
                        colours.accent_soft
                        if not state & QStyle.StateFlag.State_Selected
                        else colours.line
                    )
                )
                painter.drawRoundedRect(place.adjusted(-2, 3, 2, -3), 3, 3)
        centred = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(body_font(bold=True))
        painter.setPen(QColor(colours.accent))
        painter.drawText(layout.word, Qt.AlignmentFlag.AlignCenter, paintable_text(line.word))
        painter.setFont(body_font())
        painter.setPen(QColor(colours.text))
        left = layout.metrics.elidedText(
            paintable_text(line.left[-_SEEN:]), Qt.TextElideMode.ElideLeft, layout.before.width()
        )
        painter.drawText(layout.before, Qt.AlignmentFlag.AlignRight | centred, left)
        right = layout.metrics.elidedText(
            paintable_text(line.right), Qt.TextElideMode.ElideRight, layout.after.width()
        )
        painter.drawText(layout.after, Qt.AlignmentFlag.AlignLeft | centred, right)
        painter.restore()


class ConcordanceView(QTableView):
    """Lines of a concordance, the word in the middle. ``picked`` tells the word that was clicked
    on, in whatever place of the line; Return picks the marked word of the current line, or the
    first one beside.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A table, because a list view lays out every line, which takes seconds where there are
        # 100,000.
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        columns.hide()
        rows.setMinimumSectionSize(12)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        set_scaled_size(rows, rows=_HEIGHT)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        theme.changed.connect(self.viewport().update)

    def put(self, lines: LazyLines) -> None:
        """Show other lines, from the first."""
        self._model.put(lines)
        self.scrollToTop()

    @property
    def lines(self) -> LazyLines:
        return self._model.lines

    def word_at(self, place: QPoint) -> str:
        """The word under a place of the viewport, or ""."""
        index = self.indexAt(place)
        if not index.isValid():
            return ""
        line = self._model.lines[index.row()]
        return _Layout(line, QRectF(self.visualRect(index))).hit(line, place.x())

    def place_of(self, row: int, number: int) -> QPoint:
        """The middle of a word of a line, ``number`` words from the middle one."""
        line = self._model.lines[row]
        layout = _Layout(line, QRectF(self.visualRect(self._model.index(row, 0))))
        return (layout.token(line, number) if number else layout.word).center().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.word_at(event.position().toPoint()):
            over = Qt.CursorShape.PointingHandCursor
        else:
            over = Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() != over:
            self.viewport().setCursor(over)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        word = self.word_at(event.position().toPoint())
        if word and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(word)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            line = self._model.lines[index.row()]
            if line.marks:
                number = line.marks[0]
            elif line.right:
                number = 1
            else:
                number = -1
            words = (line.left if number < 0 else line.right).split(" ")
            if number < 0:
                at = len(words) + number
            else:
                at = number - 1
            if 0 <= at < len(words) and words[at]:
                self.picked.emit(words[at])
            return
        super().keyPressEvent(event)
