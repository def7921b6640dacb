"""A few words as horizontal bars, one of them marked; drawn the same on screen and in files."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget

from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import LIGHT, SPACE_2, SPACE_3, Palette, Theme, body_font
from workbench.ui.export.export_actions import Export
from workbench.ui.widgets.layout.transient_menu import show_menu_once
from workbench.ui.widgets.tables.score_list import shown_score

_ROW = 34
_WIDE = 720


class BarsView(QWidget):
    """``picked``: a word was clicked or reached by keys."""

    picked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.words: tuple[str, ...] = ()
        self.scores: tuple[float, ...] = ()
        self.marked = -1
        self._current = -1
        self.export: Export | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def set_bars(self, words: Sequence[str], scores: Sequence[float], marked: int) -> None:
        """Show other words; ``marked`` is the index of the highlighted one."""
        self.words, self.scores, self.marked = tuple(words), tuple(scores), marked
        self._current = -1
        self.setAccessibleDescription(
            ", ".join(f"{w} {shown_score(s)}" for w, s in zip(words, scores, strict=True))
        )
        set_scaled_size(self, least_height=_ROW * min(len(words), 4) + SPACE_2)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, scaled_length(_ROW) * max(len(self.words), 3) + SPACE_2)

    @property
    def file_size(self) -> QSize:
        return QSize(_WIDE, scaled_length(_ROW) * len(self.words) + 2 * SPACE_3)

    def save_picture(self, painter: QPainter) -> None:
        """Paint the bars on white, for a file of ``file_size``."""
        room = QRectF(0, 0, self.file_size.width(), self.file_size.height())
        painter.fillRect(room, QColor(LIGHT.surface))
        self._draw_bars(painter, room.adjusted(SPACE_3, SPACE_3, -SPACE_3, -SPACE_3), LIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if 0 <= self._current < len(self.words):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent_soft))
            painter.drawRoundedRect(
                QRectF(0, self._current * scaled_length(_ROW), self.width(), scaled_length(_ROW)),
                5,
                5,
            )
        self._draw_bars(painter, QRectF(self.rect()).adjusted(SPACE_2, 0, -SPACE_2, 0), colours)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _draw_bars(self, painter: QPainter, room: QRectF, colours: Palette) -> None:
        """Draw bars from 0 (a line) to 1, negative ones to the left of the line."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font, bold = body_font(15), body_font(15, bold=True)
        metrics = QFontMetricsF(bold)
        wide = min(
            max((metrics.horizontalAdvance(word) for word in self.words), default=0) + 8,
            room.width() * 0.4,
        )
        lowest = min([0.0, *self.scores])
        left, right = room.left() + wide + SPACE_3, room.right() - 56
        zero = left + (right - left) * -lowest / (1 - lowest)
        for at, (word, score) in enumerate(zip(self.words, self.scores, strict=True)):
            top = room.top() + at * scaled_length(_ROW)

            word_font, word_colour, bar_colour = font, colours.text, colours.accent
            if at == self.marked:
                word_font, word_colour, bar_colour = bold, colours.danger, colours.danger
            painter.setFont(word_font)
            painter.setPen(QColor(word_colour))
            text = metrics.elidedText(paintable_text(word), Qt.TextElideMode.ElideRight, wide)
            side = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(QRectF(room.left(), top, wide + 8, scaled_length(_ROW)), side, text)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(bar_colour))
            end = zero + (right - left) * score / (1 - lowest)
            bar = QRectF(
                QPointF(min(zero, end), top + scaled_length(_ROW) / 2 - 5),
                QPointF(max(zero, end), top + scaled_length(_ROW) / 2 + 5),
            )
            painter.drawRoundedRect(bar, 4, 4)
            painter.setPen(QColor(colours.muted))
            painter.setFont(body_font(tabular=True))
            painter.drawText(
                QRectF(right + 8, top, 48, scaled_length(_ROW)), side, shown_score(score)
            )
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(
            QPointF(zero, room.top()),
            QPointF(zero, room.top() + scaled_length(_ROW) * len(self.words)),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pick_row(int(event.position().y() // scaled_length(_ROW)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or not self.words:
            super().keyPressEvent(event)
            return
        self._pick_row(min(max(self._current + step, 0), len(self.words) - 1))

    def _pick_row(self, at: int) -> None:
        if 0 <= at < len(self.words):
            self._current = at
            self.update()
            self.picked.emit(self.words[at])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.export is not None:
            menu = QMenu(self)
            self.export.fill(menu)
            show_menu_once(menu, event.globalPos())
