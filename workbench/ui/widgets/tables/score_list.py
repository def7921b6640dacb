"""A list of words with their scores as numbers and bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.text import MINUS, mark_unknown, true_minus
from workbench.ui.theme import SPACE_1, SPACE_2, SPACE_4, TYPE_BODY, TYPE_TITLE, Theme, body_font
from workbench.ui.widgets.tables.plain_list import PlainList, paint_ground

_Index = QModelIndex | QPersistentModelIndex
_SCORE_ROLE = Qt.ItemDataRole.UserRole
_SHARE_ROLE = _SCORE_ROLE + 1
_PLAIN = QModelIndex()
_TALL, _BAR = 52, 40
# From this width on rows have bars, below it only where these leave room for the longest word.
_BARRED = 240


class ScoreModel(QAbstractListModel):
    """Words and scores, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.words: tuple[str, ...] = ()
        self.scores: tuple[float, ...] = ()
        self._measured: dict[str, int] = {}
        # The score whose bar is full.
        self.full = 1.0

    def set_scores(self, words: Sequence[str], scores: Sequence[float], full: float = 1.0) -> None:
        self.beginResetModel()
        if full > 0:
            self.full = full
        else:
            self.full = 1.0
        self.words, self.scores = tuple(words), tuple(scores)
        self._measured = {}
        self.endResetModel()

    def longest(self, font: QFont) -> int:
        """Pixels that the longest word takes."""
        key = font.key()
        if key not in self._measured:
            metrics = QFontMetrics(font)
            self._measured = {
                key: max((metrics.horizontalAdvance(word) for word in self.words), default=0)
            }
        return self._measured[key]

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        if parent.isValid():
            return 0
        return len(self.words)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.words):
            return None
        word, score = self.words[index.row()], self.scores[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return word
        if role == _SCORE_ROLE:
            return score
        if role == _SHARE_ROLE:
            return min(max(score / self.full, 0.0), 1.0)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{word}, {shown_score(score)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(f"{word}: {true_minus(f'{score:.4f}')}")
        return None


@mark_unknown
def shown_score(score: float) -> str:
    """0.7134 → ".71", 1 → "1.00", −0.2 → "−.20": two digits, as cosines are read."""
    text = f"{abs(score):.2f}"
    if text.startswith("0."):
        text = text[1:]
    return (MINUS if score < 0 and float(f"{score:.2f}") != 0 else "") + text


class _Delegate(QStyledItemDelegate):
    """Upright: word, number and bar in one row. Flowing: the word large, number and bar under
    it.
    """

    def __init__(self, theme: Theme, flowing: bool) -> None:
        super().__init__()
        self._theme = theme
        self._flowing = flowing

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        if not self._flowing:
            return QSize(80, scaled_length(26))
        wide = QFontMetricsF(self._font(index)).horizontalAdvance(str(index.data()))
        return QSize(
            max(math.ceil(wide), scaled_length(34) + scaled_length(_BAR)) + 2 * SPACE_2 + 1,
            scaled_length(_TALL),
        )

    def _font(self, index: _Index) -> QFont:
        first = self._flowing and index.row() == 0
        size = TYPE_BODY
        if first:
            size = TYPE_TITLE
        elif self._flowing:
            size = TYPE_BODY + 2
        return body_font(size, bold=first)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self._theme.palette
        area: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option, colours, 2)
        if self._flowing:
            self._paint_flowing(painter, area, index)
        else:
            self._paint_row(painter, area, index)
        painter.restore()

    def _paint_row(self, painter: QPainter, area: QRect, index: _Index) -> None:
        inner = area.adjusted(SPACE_2, 0, -SPACE_2, 0)
        # In a narrow list the bar gives way first: the word is what is read.
        long, wide = min(scaled_length(56), area.width() // 5), scaled_length(34)
        model = index.model()
        assert isinstance(model, ScoreModel)
        # A text of just the width of its room is cut, too.
        left = inner.width() - long - wide - 2 * SPACE_2 - 2
        if area.width() < scaled_length(_BARRED) and left <= model.longest(self._font(index)):
            long = -SPACE_2
        bar = QRectF(inner.right() - long, inner.center().y() - 2, long, 5)
        number = QRect(inner.right() - long - SPACE_2 - wide, inner.top(), wide, inner.height())
        word = QRect(
            inner.left(), inner.top(), number.left() - inner.left() - SPACE_2, inner.height()
        )
        self._paint_word(painter, word, index)
        self._paint_number(painter, number, index, Qt.AlignmentFlag.AlignRight)
        if long > 0:
            self._paint_bar(painter, bar, index)

    def _paint_flowing(self, painter: QPainter, area: QRect, index: _Index) -> None:
        inner = area.adjusted(SPACE_2, SPACE_1, -SPACE_2, -SPACE_1)
        high = scaled_length(26)
        word = QRect(inner.left(), inner.top(), inner.width(), high)
        self._paint_word(painter, word, index)
        number = QRect(inner.left(), inner.top() + high, scaled_length(30), inner.height() - high)
        self._paint_number(painter, number, index, Qt.AlignmentFlag.AlignLeft)
        self._paint_bar(
            painter,
            QRectF(
                inner.left() + scaled_length(34), number.center().y() - 2, scaled_length(_BAR), 5
            ),
            index,
        )

    def _paint_word(self, painter: QPainter, area: QRect, index: _Index) -> None:
        font = self._font(index)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.palette.text))
        text = QFontMetrics(font).elidedText(
            paintable_text(str(index.data())), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_number(
        self, painter: QPainter, area: QRect, index: _Index, side: Qt.AlignmentFlag
    ) -> None:
        painter.setFont(body_font(TYPE_BODY - 1, tabular=True))
        painter.setPen(QColor(self._theme.palette.muted))
        painter.drawText(
            area, Qt.AlignmentFlag.AlignVCenter | side, shown_score(float(index.data(_SCORE_ROLE)))
        )

    def _paint_bar(self, painter: QPainter, area: QRectF, index: _Index) -> None:
        colours = self._theme.palette
        share = float(index.data(_SHARE_ROLE))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(area, 2.5, 2.5)
        if share > 0:
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(
                QRectF(area.left(), area.top(), area.width() * share, area.height()), 2.5, 2.5
            )


class ScoreList(PlainList):
    """Words with scores, from top to bottom or, ``flowing``, from left to right.

    A click or the arrow keys pick a word, a double click activates it, Return opens it. A flowing
    list shows only words that fit whole.
    """

    picked = Signal(str)
    word_activated = Signal(str)
    opened = Signal(str)

    def __init__(self, theme: Theme, *, flowing: bool = False) -> None:
        super().__init__()
        self._flowing = flowing
        self._model = ScoreModel()
        self._delegate = _Delegate(theme, flowing)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(not flowing)
        if flowing:
            self.setFlow(QListView.Flow.LeftToRight)
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            set_scaled_size(self, height=_TALL + SPACE_1)
        self.clicked.connect(lambda index: self.picked.emit(index.data()))
        self.doubleClicked.connect(lambda index: self.word_activated.emit(index.data()))
        theme.changed.connect(self.viewport().update)

    def set_scores(
        self, words: Sequence[str], scores: Sequence[float], current: str = "", full: float = 1.0
    ) -> None:
        """Show other words, from the first or with ``current`` picked as before. Tells nobody.

        full : the score whose bar is full
        """
        self._model.set_scores(words, scores, full)
        self.scrollToTop()
        if current in self.words:
            self.setCurrentIndex(self._model.index(self.words.index(current)))
        self._trim()

    @property
    def words(self) -> tuple[str, ...]:
        return self._model.words

    @property
    def scores(self) -> tuple[float, ...]:
        return self._model.scores

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._trim()

    def _trim(self) -> None:
        """Hide what would be cut off at the right; the first word always stays."""
        if not self._flowing:
            return
        room = self.viewport().width()
        for row in range(len(self.words)):
            room -= self.sizeHintForIndex(self._model.index(row)).width()
            self.setRowHidden(row, row > 0 and room < 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self.opened.emit(before.data())
            return
        super().keyPressEvent(event)
        now = self.currentIndex()
        if now.isValid() and now != before:
            self.picked.emit(now.data())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), SPACE_4 * 8)
