"""Rows of a word, some numbers and a bar, under quiet headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.theme import SPACE_2, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.plain_list import PlainList, paint_ground

_Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole
_HEIGHT, _HEAD, _BAR = 24, 18, 44


@dataclass(frozen=True)
class ListRow:
    """``note`` stands muted behind the text; ``bar`` is −1 to 1 of the bar's length; ``key`` is
    what is told when the row is picked ("": nothing can be picked).
    """

    text: str
    numbers: tuple[str, ...] = ()
    bar: float | None = None
    note: str = ""
    key: str = ""
    tip: str = ""


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ListRow, ...] = ()

    def put(self, rows: Sequence[ListRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (row.text, row.note, *row.numbers)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(row.tip) or None
        return None


class _Columns:
    """How wide the numbers are, and where, from the right edge leftwards."""

    def __init__(self) -> None:
        self.widths: list[float] = []
        self.bar = False

    def measure(self, heads: Sequence[str], rows: Sequence[ListRow]) -> None:
        small = QFontMetricsF(body_font(TYPE_SMALL))
        metrics = QFontMetricsF(body_font(TYPE_BODY - 1, tabular=True))
        numbers = max((len(row.numbers) for row in rows), default=0)
        self.bar = any(row.bar is not None for row in rows)
        self.widths = [
            max(
                [small.horizontalAdvance(heads[i + 1]) if i + 1 < len(heads) else 0.0]
                + [
                    metrics.horizontalAdvance(row.numbers[i])
                    for row in rows
                    if i < len(row.numbers)
                ]
            )
            for i in range(numbers)
        ]

    def boxes(self, area: QRectF) -> tuple[QRectF, list[QRectF], QRectF]:
        """Places of the text, of each number and of the bar in an area."""
        right = area.right() - SPACE_2
        bar = QRectF()
        if self.bar:
            bar = QRectF(
                right - scaled_length(_BAR), area.center().y() - 2.5, scaled_length(_BAR), 5
            )
            right -= scaled_length(_BAR) + SPACE_2
        boxes = []
        for width in reversed(self.widths):
            boxes.append(QRectF(right - width - 1, area.top(), width + 1, area.height()))
            right -= width + SPACE_2 + 2
        left = area.left() + SPACE_2
        return QRectF(left, area.top(), max(right - left, 0), area.height()), boxes[::-1], bar


class _Heads(QWidget):
    """Headings over the columns of ``view``, which is narrower where it has a scroll bar."""

    def __init__(self, theme: Theme, columns: _Columns, view: _View) -> None:
        super().__init__()
        self._theme, self._columns, self._view = theme, columns, view
        self.heads: tuple[str, ...] = ()
        set_scaled_size(self, height=_HEAD)
        theme.changed.connect(self.update)
        view.widened.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(body_font(TYPE_SMALL))
        painter.setPen(QColor(self._theme.palette.muted))
        text, numbers, _ = self._columns.boxes(
            QRectF(0, 0, self._view.viewport().width(), self.height())
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        for head, box, side in zip(
            self.heads,
            [text, *numbers],
            [Qt.AlignmentFlag.AlignLeft] + [Qt.AlignmentFlag.AlignRight] * len(numbers),
            strict=False,
        ):
            painter.drawText(box, middle | side, head)
        painter.end()


class _Delegate(QStyledItemDelegate):
    """``wraps``: a text too long for its line goes on in the next one."""

    def __init__(self, theme: Theme, columns: _Columns, wraps: bool) -> None:
        super().__init__()
        self._theme, self._columns, self._wraps = theme, columns, wraps
        # Of the list, which rows are asked for before they have one.
        self.width = 0

    def tall(self, row: ListRow) -> int:
        """How high a row is."""
        if not self._wraps or not self.width:
            return scaled_length(_HEIGHT)
        text, _, _ = self._columns.boxes(QRectF(0, 0, self.width, 0))
        metrics = QFontMetricsF(body_font())
        needed = metrics.boundingRect(
            text.adjusted(0, 0, 0, 1000), Qt.TextFlag.TextWordWrap, row.text
        ).height()
        return scaled_length(_HEIGHT) + max(round(needed - metrics.height()), 0)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(80, self.tall(index.data(_ROW)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: ListRow = index.data(_ROW)
        colours = self._theme.palette
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option, colours, usable=bool(row.key))
        text, numbers, bar = self._columns.boxes(area)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(body_font())
        metrics = QFontMetricsF(painter.font())
        shown = row.text
        if not self._wraps:
            shown = metrics.elidedText(
                paintable_text(row.text), Qt.TextElideMode.ElideRight, text.width()
            )
        painter.setPen(QColor(colours.text))
        if self._wraps:
            wrap = Qt.TextFlag.TextWordWrap
        else:
            wrap = Qt.TextFlag(0)
        painter.drawText(text, middle | Qt.AlignmentFlag.AlignLeft | wrap, shown)
        painter.setPen(QColor(colours.muted))
        if row.note:
            painter.setFont(body_font(TYPE_SMALL))
            rest = text.adjusted(metrics.horizontalAdvance(shown) + SPACE_2, 0, 0, 0)
            note = QFontMetricsF(painter.font()).elidedText(
                paintable_text(row.note), Qt.TextElideMode.ElideRight, max(rest.width(), 0)
            )
            painter.drawText(rest, middle | Qt.AlignmentFlag.AlignLeft, note)
        painter.setFont(body_font(TYPE_BODY - 1, tabular=True))
        for number, box in zip(row.numbers, numbers, strict=False):
            painter.drawText(box, middle | Qt.AlignmentFlag.AlignRight, number)
        if row.bar is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(bar, 2.5, 2.5)
            painter.setBrush(QColor(colours.accent if row.bar >= 0 else colours.danger))
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), bar.width() * min(abs(row.bar), 1.0), 5), 2.5, 2.5
            )
        painter.restore()


class _View(PlainList):
    """``whole``: as tall as its rows, and scrolled by what it stands in."""

    def __init__(self, whole: bool) -> None:
        super().__init__()
        self._whole = whole
        if whole:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._whole:
            event.ignore()
        else:
            super().wheelEvent(event)


class RowList(QWidget):
    """A list of Rows. A click or the arrow keys tell ``picked`` the row's key, Return ``opened``, a
    double click ``activated``. The object name goes to the list inside. ``whole``: it is as high as
    its rows; then these may have several lines (``wraps``).
    """

    picked = Signal(str)
    opened = Signal(str)
    activated = Signal(str)

    def __init__(
        self, theme: Theme, name: str, accessible: str, *, whole: bool = False, wraps: bool = False
    ) -> None:
        super().__init__()
        self._whole, self._wraps = whole, wraps
        self._columns = _Columns()
        self._model = _Model()
        self.view = _View(whole)
        self._heads = _Heads(theme, self._columns, self.view)
        self.view.setModel(self._model)
        self._delegate = _Delegate(theme, self._columns, wraps)
        if wraps:
            self.view.setUniformItemSizes(False)
            self.view.widened.connect(self._fit)
        self.view.setItemDelegate(self._delegate)
        self.view.setObjectName(name)
        self.view.setAccessibleName(accessible)
        self.view.clicked.connect(lambda index: self._tell(self.picked, index))
        self.view.doubleClicked.connect(lambda index: self._tell(self.activated, index))
        self.view.installEventFilter(self)
        self.setFocusProxy(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._heads)
        column.addWidget(self.view, 1)
        theme.changed.connect(self.view.viewport().update)
        theme.text_changed.connect(self._measure)

    @property
    def rows(self) -> tuple[ListRow, ...]:
        return self._model.rows

    @property
    def heads(self) -> tuple[str, ...]:
        return self._heads.heads

    def put(self, heads: Sequence[str], rows: Sequence[ListRow], current: str = "") -> None:
        """Show other rows, with the one of key ``current`` picked. Tells nobody."""
        self._columns.measure(heads, rows)
        self._model.put(rows)
        self._heads.heads = tuple(heads)
        self._heads.setVisible(any(heads))
        self._heads.update()
        if self._whole:
            self._fit()
        else:
            self.view.scrollToTop()
        for number, row in enumerate(rows):
            if current and row.key == current:
                self.view.setCurrentIndex(self._model.index(number))

    def _measure(self) -> None:
        """Text has another size."""
        self._columns.measure(self.heads, self.rows)
        self._heads.update()
        if self._wraps:
            self._fit()

    def _fit(self) -> None:
        """Be as high as all rows are."""
        if not self._wraps:
            set_scaled_size(self.view, height=_HEIGHT * len(self.rows) + 2)
            return
        self._delegate.width = self.view.viewport().width()
        tall = sum(map(self._delegate.tall, self.rows)) + 2
        if self.view.height() != tall:
            self.view.setFixedHeight(tall)
        self.view.doItemsLayout()

    def _tell(self, signal: Any, index: _Index) -> None:
        if index.isValid():
            row = index.data(_ROW)
        else:
            row = None
        if row is not None and row.key:
            signal.emit(row.key)

    def eventFilter(self, watched: Any, event: Any) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QKeyEvent.Type.KeyPress
            and watched is self.view
        ):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._tell(self.opened, self.view.currentIndex())
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self._whole:
                before = self.view.currentIndex()
                if event.key() == Qt.Key.Key_Down:
                    step = 1
                else:
                    step = -1
                place = min(max(before.row() + step, 0), len(self.rows) - 1)
                if self.rows and place != before.row():
                    self.view.setCurrentIndex(self._model.index(place))
                    self._tell(self.picked, self.view.currentIndex())
                return True
        return bool(super().eventFilter(watched, event))
