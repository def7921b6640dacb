"""How the cells of a table are painted: numbers with bars or whiskers, dots in the colours of
runs.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from workbench.ui.plain_text import paintable_text, safe_tip
from workbench.ui.scaling import scaled_length, text_factor
from workbench.ui.theme import SPACE_2, SPACE_3, Theme, body_font
from workbench.ui.widgets.tables.table_model import LEFT, RIGHT, Index, TableColumn, TableModel

_NUMBER, _SHORT_NUMBER = 62, 34


def number_width(column: TableColumn) -> int:
    """Room for the number before a bar: a percentage, or a cosine."""
    if column.ranges:
        return scaled_length(_SHORT_NUMBER)
    return scaled_length(_NUMBER)


@cache
def _font(bold: bool, tabular: bool, factor: float) -> QFont:
    return body_font(bold=bold, tabular=tabular)


def _elide_text(text: str, metrics: QFontMetrics, area: QRectF) -> str:
    return metrics.elidedText(
        paintable_text(text), Qt.TextElideMode.ElideRight, int(area.width()) + 1
    )


class TableDelegate(QStyledItemDelegate):
    """Names and numbers in line with their headings; shares as a number and a bar; dots in runs'
    colours.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = self._theme.palette
        # Straight from the model: five calls by way of Qt for each cell were most of a repaint.
        model = index.model()
        assert isinstance(model, TableModel)
        row, column = int(model.order[index.row()]), model.columns[index.column()]
        area = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(colours.accent_soft))
        area.adjust(SPACE_2, 0, -SPACE_2, 0)
        painter.setFont(_font(row in model.bold, index.column() > 0, text_factor()))
        if column.dots and (dot := column.dots[row]) is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.run_colour(dot))
            size = scaled_length(8)
            painter.drawEllipse(QRectF(area.left(), area.center().y() - size / 2, size, size))
            area.setLeft(area.left() + scaled_length(16))
        painter.setPen(
            QColor(colours.muted if column.aside and column.aside[row] else colours.text)
        )
        text = column.cell_text(row, brief=model.brief)
        if column.bar:
            self._bar(painter, area, text, column, row)
        else:
            painter.drawText(
                area,
                RIGHT if column.to_right else LEFT,
                _elide_text(text, painter.fontMetrics(), area),
            )
        painter.restore()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A text that has been cut is told whole, before what else there is to tell."""
        model = index.model()
        if event.type() == QEvent.Type.ToolTip and isinstance(model, TableModel):
            row, column = int(model.order[index.row()]), model.columns[index.column()]
            text = column.cell_text(row, brief=model.brief)
            font = _font(row in model.bold, index.column() > 0, text_factor())
            room = QRectF(option.rect).adjusted(
                SPACE_2 + scaled_length(16) * bool(column.dots), 0, -SPACE_2, 0
            )
            if not column.bar and _elide_text(text, QFontMetrics(font), room) != text:
                more = index.data(Qt.ItemDataRole.ToolTipRole)
                QToolTip.showText(
                    event.globalPos(), safe_tip("\n".join(filter(None, (text, more)))), view
                )
                return True
        return super().helpEvent(event, view, option, index)

    def _bar(
        self, painter: QPainter, area: QRectF, text: str, column: TableColumn, row: int
    ) -> None:
        share = column.values[row]
        colours = self._theme.palette
        wide = number_width(column)
        number = QRectF(area.left(), area.top(), wide, area.height())
        painter.drawText(number, RIGHT, text)
        if area.width() < wide + 24:
            return
        bar = QRectF(
            number.right() + SPACE_3,
            area.center().y() - 3,
            area.right() - number.right() - SPACE_3,
            6,
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(bar, 3, 3)
        if column.ranges:
            if isinstance(share, (int, float)):
                self._whisker(painter, bar, column, float(share), column.ranges[row])
        elif isinstance(share, (int, float)) and share > 0:
            painter.setBrush(
                QColor(colours.accent)
                if column.colour is None
                else self._theme.run_colour(column.colour)
            )
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), max(bar.width() * min(share, 1.0), 3), 6), 3, 3
            )

    def _whisker(
        self,
        painter: QPainter,
        bar: QRectF,
        column: TableColumn,
        value: float,
        ends: tuple[float, float],
    ) -> None:
        low, high = column.span
        x = [
            bar.left() + bar.width() * min(max((one - low) / (high - low), 0.0), 1.0)
            for one in (*ends, value)
        ]
        painter.setBrush(QColor(self._theme.palette.accent))
        painter.drawRect(QRectF(x[0], bar.center().y() - 1, max(x[1] - x[0], 1.0), 2))
        painter.drawEllipse(QRectF(x[2] - 4, bar.center().y() - 4, 8, 8))
