"""Keyword in context: a word's occurrences, one per line, with the word itself in one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from PySide6.QtCore import QPoint, QRectF, Qt, SignalInstance
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent

from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.theme import SPACE_2, Theme, body_font
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_text
from workbench.ui.widgets.tables.table_model import Index, PaintedCell, TableColumn

_HEIGHT = 24
# Maximum number of visible characters of a line on one side.
_SEEN = 1_000


class Occurrence(Protocol):
    """A line of a concordance: the words before, the word, the words after; and which other words
    are marked, by their distance in tokens from the word.
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
    """A sequence whose items are created on request."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Occurrence: ...


class _Layout:
    """Positions of the parts of a line, for both painting and clicking."""

    def __init__(self, line: Occurrence, area: QRectF) -> None:
        self.metrics = QFontMetricsF(body_font())
        # Slightly left of the middle: people read more of what follows a word than of what precedes
        # it.
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
        """Position of the ``number``-th word from the keyword; empty if the word is cut off."""
        advance = self.metrics.horizontalAdvance
        if number < 0:
            text, room = (line.left, self.before)
        else:
            text, room = (line.right, self.after)
        words = text.split(" ")
        at = len(words) + number if number < 0 else number - 1
        if not 0 <= at < len(words) or not words[at]:
            return QRectF()
        # A text that is too long ends in an ellipsis.
        cut = advance("…") if advance(text) > room.width() else 0.0
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
        """The word at a horizontal position in the line, or ""."""
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


def _line_text(line: Occurrence) -> str:
    return f"{line.left} {line.word} {line.right}".strip()


def _paint_line(cell: PaintedCell) -> None:
    """Paint the words before, the keyword in the accent colour, and the words after; other words
    are marked.
    """
    line: Occurrence = cell.value
    painter, colours = cell.painter, cell.theme.palette
    mark = colours.accent_soft
    if cell.selected:
        painter.fillRect(cell.area, QColor(colours.accent_soft))
        mark = colours.line
    layout = _Layout(line, cell.area)
    for number in line.marks:
        place = layout.token(line, number)
        if not place.isEmpty():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(mark))
            painter.drawRoundedRect(place.adjusted(-2, 3, 2, -3), 3, 3)
    painter.setFont(body_font(bold=True))
    painter.setPen(QColor(colours.accent))
    painter.drawText(layout.word, Qt.AlignmentFlag.AlignCenter, paintable_text(line.word))
    font, right = body_font(), Qt.AlignmentFlag.AlignRight
    cut = Qt.TextElideMode.ElideLeft
    paint_text(cell, layout.before, line.left[-_SEEN:], font, colours.text, right, cut)
    paint_text(cell, layout.after, line.right, font, colours.text)


class ConcordanceView(DataTable):
    """Lines of a concordance, the word in the middle. ``picked`` carries a clicked word, wherever
    it is in the line; Return picks the marked word of the current line, or the first word beside
    the keyword.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, plain=True, rows=_HEIGHT)
        self.setProperty("role", "")
        self.setFrameShape(DataTable.Shape.StyledPanel)
        self.lines: LazyLines = ()

    def put(self, lines: LazyLines) -> None:
        """Show other lines, starting with the first."""
        self.lines = lines
        column = TableColumn(
            "",
            cast(Sequence[Any], lines),
            text=_line_text,
            tips=lambda row: _line_text(lines[row]),
            paint=_paint_line,
            number=False,
        )
        self.set_columns([column])
        self.scrollToTop()

    def _tell(self, signal: SignalInstance, index: Index) -> None:
        """Do nothing: words are picked, not lines."""

    def word_at(self, place: QPoint) -> str:
        """The word under a place of the viewport, or ""."""
        index = self.indexAt(place)
        if not index.isValid():
            return ""
        line = self.lines[index.row()]
        return _Layout(line, QRectF(self.visualRect(index))).hit(line, place.x())

    def place_of(self, row: int, number: int) -> QPoint:
        """The middle of a word in a line, ``number`` words from the keyword."""
        line = self.lines[row]
        layout = _Layout(line, QRectF(self.visualRect(self.table.index(row, 0))))
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
            line = self.lines[index.row()]
            if line.marks:
                number = line.marks[0]
            elif line.right:
                number = 1
            else:
                number = -1
            words = (line.left if number < 0 else line.right).split(" ")
            at = len(words) + number if number < 0 else number - 1
            if 0 <= at < len(words) and words[at]:
                self.picked.emit(words[at])
            return
        super().keyPressEvent(event)
