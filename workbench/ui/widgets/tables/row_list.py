"""Lists of a word, some numbers and a bar, below muted headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.base.boxes import column, fill, stretch
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.theme import SPACE_2, SPACE_4, TYPE_BODY, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_bar, paint_ground, paint_text
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

_HEIGHT, _HEAD, _BAR = 24, 18, 44
# From this width on, bars are longer, up to this length.
_WIDE, _LONG_BAR = 480, 240


@dataclass(frozen=True)
class ListRow:
    """A row: ``note`` follows the text, muted; ``bar`` is −1 to 1 of the bar's length; ``key`` is
    reported when the row is picked ("": can't be picked); ``good``: the last number has the colour
    of correct answers.
    """

    text: str
    numbers: tuple[str, ...] = ()
    bar: float | None = None
    note: str = ""
    key: str = ""
    tip: str = ""
    good: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.text, self.note, *self.numbers)))


def _text_width(row: ListRow, body: QFontMetricsF, small: QFontMetricsF) -> float:
    """Width of a text with the note behind it."""
    note = SPACE_2 + small.horizontalAdvance(row.note) if row.note else 0.0
    return body.horizontalAdvance(row.text) + note


class RowPainter:
    """Paints rows with aligned numbers and bars.

    barred : width from which rows have bars even if these leave too little room for the longest
    text; wraps : long texts continue on the next line; cut : where a text is elided; reserved :
    numbers that always have room, so that texts don’t wrap differently when numbers arrive
    """

    def __init__(
        self,
        *,
        barred: int = 0,
        wraps: bool = False,
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        reserved: Sequence[str] = (),
    ) -> None:
        self._reserved = reserved
        self._barred, self._wraps, self._cut = barred, wraps, cut
        self._widths: list[float] = []
        self._bar = False
        self._longest = self._taken = 0.0

    def columns(self, rows: Sequence[ListRow], keys: Sequence[object] = ()) -> list[TableColumn]:
        """The single column of a list; ``keys``: keys of the rows in place of their own."""
        return [
            TableColumn(
                "",
                rows,
                text=lambda row: row.text,
                tips=lambda at: rows[at].tip,
                spoken=lambda at: rows[at].spoken,
                keys=keys or [row.key or None for row in rows],
                paint=self.paint,
                number=False,
            )
        ]

    def measure(self, heads: Sequence[str], rows: Sequence[ListRow]) -> None:
        """Measure the widths of texts and numbers."""
        small, body = QFontMetricsF(body_font(TYPE_SMALL)), QFontMetricsF(body_font())
        metrics = QFontMetricsF(body_font(TYPE_BODY - 1, tabular=True))
        numbers = max((len(row.numbers) for row in rows), default=0)
        self._bar = any(row.bar is not None for row in rows)
        self._longest = max((body.horizontalAdvance(row.text) for row in rows), default=0.0)
        texts = [_text_width(row, body, small) for row in rows]
        self._taken = max([*texts, *map(small.horizontalAdvance, heads[:1])], default=0.0)
        self._widths = [
            max(metrics.horizontalAdvance(row.numbers[at]) for row in rows if at < len(row.numbers))
            for at in range(numbers)
        ]
        for at, head in enumerate(heads[1 : numbers + 1]):
            self._widths[at] = max(self._widths[at], small.horizontalAdvance(head))
        for text in self._reserved:
            needed = metrics.horizontalAdvance(text)
            self._widths = [max(width, needed) for width in self._widths]

    def boxes(self, area: QRectF) -> tuple[QRectF, list[QRectF], QRectF]:
        """Rectangles of the text, each number and the bar in an area."""
        left, right = area.left() + SPACE_2, area.right() - SPACE_2
        bar = QRectF()
        beside = sum(self._widths) + len(self._widths) * (SPACE_2 + 2)
        long: float = scaled_length(_BAR)
        roomy = right - left - beside - long - SPACE_2 - 1 > self._longest
        if self._bar and not self._wraps and area.width() >= scaled_length(_WIDE):
            # Numbers stay near their texts, and the bars take the rest.
            fixed = self._taken + SPACE_4 + beside + SPACE_2
            long = min(max(right - left - fixed, long), scaled_length(_LONG_BAR))
            right = min(right, left + fixed + long)
        if self._bar and (roomy or area.width() >= scaled_length(self._barred)):
            bar = QRectF(right - long, area.center().y() - 2.5, long, 5)
            right -= long + SPACE_2
        boxes = []
        for width in reversed(self._widths):
            boxes.append(QRectF(right - width - 1, area.top(), width + 1, area.height()))
            right -= width + SPACE_2 + 2
        return QRectF(left, area.top(), max(right - left, 0), area.height()), boxes[::-1], bar

    def tall(self, row: ListRow, width: float) -> int:
        """Height of a row in a list of this width."""
        text, _, _ = self.boxes(QRectF(0, 0, width, 0))
        metrics = QFontMetricsF(body_font())
        needed = metrics.boundingRect(
            text.adjusted(0, 0, 0, 1000), Qt.TextFlag.TextWordWrap, row.text
        ).height()
        return scaled_length(_HEIGHT) + max(round(needed - metrics.height()), 0)

    def paint(self, cell: PaintedCell) -> None:
        """Paint a row."""
        row: ListRow = cell.value
        colours = cell.theme.palette
        paint_ground(cell, usable=bool(row.key))
        text, numbers, bar = self.boxes(cell.area)
        if self._wraps:
            cell.painter.setFont(body_font())
            cell.painter.setPen(QColor(colours.text))
            cell.painter.drawText(
                text, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, row.text
            )
        else:
            wide = paint_text(cell, text, row.text, body_font(), colours.text, cut=self._cut)
            rest = text.adjusted(wide + SPACE_2, 0, 0, 0)
            paint_text(cell, rest, row.note, body_font(TYPE_SMALL), colours.muted)
        font, right = body_font(TYPE_BODY - 1, tabular=True), Qt.AlignmentFlag.AlignRight
        for at, (number, box) in enumerate(zip(row.numbers, numbers, strict=False), start=1):
            colour = colours.good if row.good and at == len(row.numbers) else colours.muted
            paint_text(cell, box.adjusted(-2, 0, 0, 0), number, font, colour, right)
        if row.bar is not None and not bar.isNull():
            paint_bar(cell, bar, row.bar)


class _Heads(QWidget):
    """Headings above the columns of ``view``, which is narrower if it has a scroll bar."""

    def __init__(self, theme: Theme, painter: RowPainter, view: DataTable) -> None:
        super().__init__()
        self._theme, self._row_painter, self._view = theme, painter, view
        self.heads: tuple[str, ...] = ()
        set_scaled_size(self, height=_HEAD)
        theme.changed.connect(self.update)
        view.widened.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(body_font(TYPE_SMALL))
        painter.setPen(QColor(self._theme.palette.muted))
        area = QRectF(0, 0, self._view.viewport().width(), self.height())
        text, numbers, _ = self._row_painter.boxes(area)
        side = Qt.AlignmentFlag.AlignLeft
        for head, box in zip(self.heads, [text, *numbers], strict=False):
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | side, head)
            side = Qt.AlignmentFlag.AlignRight
        painter.end()


class _WholeTable(DataTable):
    """A table as tall as its rows, in a scrolling container."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class RowList(QWidget):
    """A list of rows. The signals carry the row's key: ``picked`` by a click or the arrow keys,
    ``opened`` by Return, ``double_clicked``. The table inside has the object name. ``whole``: the
    list is as high as its rows, which may then have several lines (``wraps``), and arrow keys don't
    pick.
    """

    picked = Signal(object)
    opened = Signal(object)
    double_clicked = Signal(object)

    def __init__(
        self,
        theme: Theme,
        name: str,
        accessible: str,
        *,
        whole: bool = False,
        wraps: bool = False,
        reserved: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._whole, self._wraps = whole, wraps
        self.rows: tuple[ListRow, ...] = ()
        self._painter = RowPainter(wraps=wraps, reserved=reserved)
        kind = _WholeTable if whole else DataTable
        self.view = kind(theme, plain=True, rows=_HEIGHT)
        self.view.walks = not whole
        if whole:
            self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if wraps:
            self.view.widened.connect(self._fit)
        self.view.setObjectName(name)
        self.view.setAccessibleName(accessible)
        self.view.picked.connect(self.picked)
        self.view.opened.connect(self.opened)
        self.view.double_clicked.connect(self.double_clicked)
        self.setFocusProxy(self.view)
        self._heads = _Heads(theme, self._painter, self.view)
        fill(self, column(self._heads, stretch(self.view), gap=0))
        theme.text_changed.connect(self._measure)

    @property
    def heads(self) -> tuple[str, ...]:
        return self._heads.heads

    def put(self, heads: Sequence[str], rows: Sequence[ListRow], current: str = "") -> None:
        """Show other rows, with the one with key ``current`` picked, without a signal."""
        self.rows, self._heads.heads = tuple(rows), tuple(heads)
        self._heads.setVisible(any(heads))
        self.view.set_columns(self._painter.columns(self.rows))
        self._measure()
        if not self._whole:
            self.view.scrollToTop()
        if current:
            self.view.mark(current)

    def _measure(self) -> None:
        """Measure again, because the rows or the text size have changed."""
        self._painter.measure(self.heads, self.rows)
        self._heads.update()
        if self._whole:
            self._fit()

    def _fit(self) -> None:
        """Set the height to that of all rows."""
        if not self._wraps:
            set_scaled_size(self.view, height=_HEIGHT * len(self.rows) + 2)
            return
        heights = [self._painter.tall(row, self.view.viewport().width()) for row in self.rows]
        for at, height in enumerate(heights):
            self.view.setRowHeight(at, height)
        self.view.setFixedHeight(sum(heights) + 2)
