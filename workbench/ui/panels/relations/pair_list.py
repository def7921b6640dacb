"""The pairs of a relation by how well each offset agrees with the mean, outliers first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from workbench.analysis.analogy.offsets import Offset, Relation
from workbench.core.language import tr
from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length
from workbench.ui.text import count, true_minus
from workbench.ui.theme import SPACE_1, SPACE_2, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.plain_list import PlainList, paint_ground
from workbench.ui.widgets.tables.score_list import shown_score

_Index = QModelIndex | QPersistentModelIndex
_PLAIN = QModelIndex()
_PLACE, _OFFSET = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_TALL, _NUMBER, _BAR, _RANK = 26, 34, 44, 54


def pair_description(one: Offset, top: int) -> str:
    """The numbers of a pair in words."""
    place = tr("no candidate")
    if one.rank:
        place = tr("place {rank} of {top}", rank=count(one.rank), top=count(top))
    return tr(
        "{a} → {b}: cosine with the mean offset {cosine}, mean cosine with the others "
        "{agreement}, length "
        "{length:.2f}. {a} + the others’ mean offset: {b} is {found}",
        a=one.a,
        b=one.b,
        cosine=true_minus(f"{one.cosine:.3f}"),
        agreement=true_minus(f"{one.agreement:.3f}"),
        length=one.length,
        found=place,
    )


def _pair_text(one: Offset) -> str:
    return f"{one.a} → {one.b}"


class PairModel(QAbstractListModel):
    """Offsets, the least typical first."""

    def __init__(self) -> None:
        super().__init__()
        self.relation: Relation | None = None
        self.order: tuple[int, ...] = ()
        self._longest_by_font: dict[str, float] = {}

    def put(self, relation: Relation | None) -> None:
        self.beginResetModel()
        self.relation = relation
        self.order = ()
        if relation is not None:
            cosines = [one.cosine for one in relation.offsets]
            self.order = tuple(sorted(range(len(cosines)), key=cosines.__getitem__))
        self._longest_by_font = {}
        self.endResetModel()

    def longest(self, font: QFont) -> float:
        """Pixels that the longest pair takes."""
        key = font.key()
        if key not in self._longest_by_font:
            metrics = QFontMetricsF(font)
            offsets = self.relation.offsets if self.relation is not None else ()
            self._longest_by_font = {
                key: max(
                    (metrics.horizontalAdvance(_pair_text(one)) for one in offsets), default=0.0
                )
            }
        return self._longest_by_font[key]

    def rowCount(self, parent: _Index = _PLAIN) -> int:
        if parent.isValid():
            return 0
        return len(self.order)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.relation is None or not 0 <= index.row() < len(self.order):
            return None
        place = self.order[index.row()]
        one = self.relation.offsets[place]
        if role == Qt.ItemDataRole.DisplayRole:
            return _pair_text(one)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return safe_tip(pair_description(one, self.relation.top))
        return {_PLACE: place, _OFFSET: one}.get(role)


class _Delegate(QStyledItemDelegate):
    """Pair, cosine as a number and a bar, and the second word's place among the answers."""

    def __init__(self, theme: Theme, model: PairModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(
            scaled_length(_NUMBER) + scaled_length(_BAR) + scaled_length(_RANK) + 100,
            scaled_length(_TALL),
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        one: Offset = index.data(_OFFSET)
        colours = self._theme.palette
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option, colours, 0)
        inner = area.adjusted(SPACE_2, 0, -SPACE_2, 0)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        rank = QRectF(
            inner.right() - scaled_length(_RANK), inner.top(), scaled_length(_RANK), inner.height()
        )
        font = body_font(TYPE_BODY)
        # Where the longest pair needs the room of the bar, no row has one.
        others = scaled_length(_RANK) + scaled_length(_NUMBER) + SPACE_2 + SPACE_1
        wide = 0
        if inner.width() - others - scaled_length(_BAR) >= self._model.longest(font):
            wide = scaled_length(_BAR)
        bar = QRectF(rank.left() - wide, inner.center().y() - 2.5, wide, 5)
        number = QRectF(
            bar.left() - SPACE_2 - scaled_length(_NUMBER),
            inner.top(),
            scaled_length(_NUMBER),
            inner.height(),
        )
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        room = number.left() - inner.left() - SPACE_1
        painter.drawText(
            inner,
            middle,
            QFontMetricsF(font).elidedText(
                paintable_text(str(index.data())), Qt.TextElideMode.ElideMiddle, room
            ),
        )
        painter.setFont(body_font(TYPE_SMALL, tabular=True))
        painter.setPen(QColor(colours.muted))
        painter.drawText(number, right, shown_score(one.cosine))
        place, colour = "–", colours.muted
        if one.rank == 1:
            place, colour = "✓", colours.good
        elif one.rank:
            place = f"#{count(one.rank)}"
        painter.setPen(QColor(colour))
        painter.drawText(rank, right, place)
        painter.setPen(Qt.PenStyle.NoPen)
        if wide:
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(bar, 2.5, 2.5)
        if wide and one.cosine > 0:
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), bar.width() * min(one.cosine, 1), 5), 2.5, 2.5
            )
        painter.restore()


class PairList(PlainList):
    """A click, the arrow keys or Return pick a pair, told by its place in the relation.

    ``pointed`` tells the pair under the mouse, −1 for none.
    """

    picked = Signal(int)
    pointed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.contents = PairModel()
        self._delegate = _Delegate(theme, self.contents)
        self.setModel(self.contents)
        self.setItemDelegate(self._delegate)
        self.clicked.connect(lambda index: self.picked.emit(index.data(_PLACE)))
        self.entered.connect(lambda index: self.pointed.emit(index.data(_PLACE)))
        theme.changed.connect(self.viewport().update)

    def put(self, relation: Relation | None) -> None:
        self.contents.put(relation)
        self.scrollToTop()

    def mark(self, place: int) -> None:
        """Show a pair as picked, −1 for none, without a signal."""
        index = _PLAIN
        if place in self.contents.order:
            index = self.contents.index(self.contents.order.index(place))
        if index.row() != self.currentIndex().row():
            self.setCurrentIndex(index)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and before.isValid():
            self.picked.emit(before.data(_PLACE))
            return
        super().keyPressEvent(event)
        now = self.currentIndex()
        if now.isValid() and now != before:
            self.picked.emit(now.data(_PLACE))
