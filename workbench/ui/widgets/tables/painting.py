"""The delegate of all tables, and the painting of cells: numbers with bars or whiskers, dots in the
colours of runs, check boxes.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from workbench.ui.base.plain_text import paintable_text, safe_tip
from workbench.ui.base.run_marks import draw_run_mark, run_colour
from workbench.ui.base.scaling import scaled_length, text_factor
from workbench.ui.base.theme import SPACE_2, SPACE_3, Theme, body_font
from workbench.ui.widgets.tables.table_model import (
    RIGHT,
    Index,
    PaintedCell,
    TableColumn,
    TableModel,
)

_NUMBER, _SHORT_NUMBER = 62, 34
_RADIUS = 5
_HEADING = 26


def number_width(column: TableColumn) -> int:
    """Room for the number before a bar: a percentage or a cosine."""
    if column.ranges:
        return scaled_length(_SHORT_NUMBER)
    return scaled_length(_NUMBER)


@cache
def _font(bold: bool, tabular: bool, factor: float) -> QFont:
    return body_font(bold=bold, tabular=tabular)


def _value_font(model: TableModel, row: int, at: int) -> QFont:
    column = model.columns[at]
    bold = row in model.bold or column.is_strong(row)
    return _font(bold, at > 0 or column.to_right, text_factor())


def _elide_text(text: str, metrics: QFontMetrics, area: QRectF) -> str:
    return metrics.elidedText(
        paintable_text(text), Qt.TextElideMode.ElideRight, int(area.width()) + 1
    )


def paint_ground(
    cell: PaintedCell, margin: float = 1, *, chosen: bool = False, usable: bool = True
) -> None:
    """Paint the rounded ground of a cell for its state, and a ring around the focused cell.

    ``margin``: free pixels on the left and right; ``usable``: whether the cell can be clicked.
    """
    painter, colours = cell.painter, cell.theme.palette
    area = cell.area.adjusted(margin, 1, -margin, -1)
    chosen = chosen or cell.selected
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if usable and (chosen or cell.pointed):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent_soft if chosen else colours.hover))
        painter.drawRoundedRect(area, _RADIUS, _RADIUS)
    if cell.current:
        painter.setPen(QColor(colours.accent))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)


def paint_text(
    cell: PaintedCell,
    area: QRectF,
    text: str,
    font: QFont,
    colour: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """Paint a text on one line, shortened if necessary. Returns its width."""
    metrics = QFontMetricsF(font)
    shown = metrics.elidedText(paintable_text(text), cut, max(area.width(), 0))
    cell.painter.setFont(font)
    cell.painter.setPen(QColor(colour))
    cell.painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)
    return metrics.horizontalAdvance(shown)


def paint_bar(cell: PaintedCell, bar: QRectF, share: float, colour: QColor | None = None) -> None:
    """Paint a share as part of a bar; negative values have the colour of errors."""
    painter, colours = cell.painter, cell.theme.palette
    radius = bar.height() / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.raised))
    painter.drawRoundedRect(bar, radius, radius)
    if share:
        painter.setBrush(colour or QColor(colours.accent if share > 0 else colours.danger))
        width = bar.width() * min(abs(share), 1.0)
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), radius, radius)


def heading_height() -> int:
    """Height of the heading above a group of rows."""
    return scaled_length(_HEADING)


def below_heading(area: QRect, model: TableModel, index: Index) -> QRect:
    """The part of a row's area below its group heading, if it has one."""
    if model.heading(index.row()):
        return area.adjusted(0, heading_height(), 0, 0)
    return area


class TableDelegate(QStyledItemDelegate):
    """Names and numbers aligned with their headings; shares as a number and a bar; dots in runs'
    colours. A column may have its own painter.

    ``ring``: the focused cell has a ring.
    """

    def __init__(self, theme: Theme, *, ring: bool = False) -> None:
        super().__init__()
        self._theme, self._ring = theme, ring

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Size of a cell, with the row height of tables for views that request it."""
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(size.height(), scaled_length(26)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        # Directly from the model: five calls through Qt for each cell took most of a repaint.
        model = index.model()
        assert isinstance(model, TableModel)
        found = model.cell(index)
        if found is None:
            return
        row, column = found
        state: QStyle.StateFlag = option.state
        option.rect = below_heading(option.rect, model, index)
        cell = PaintedCell(
            painter,
            QRectF(option.rect),
            self._theme,
            column,
            row,
            bool(state & QStyle.StateFlag.State_Selected),
            bool(state & QStyle.StateFlag.State_MouseOver),
            bool(state & QStyle.StateFlag.State_HasFocus),
        )
        painter.save()
        if column.paint is not None:
            column.paint(cell)
        else:
            self._paint_value(cell, option, index, model)
        if self._ring and cell.current:
            painter.setPen(QColor(self._theme.palette.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(cell.area.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.restore()

    def _paint_value(
        self, cell: PaintedCell, option: QStyleOptionViewItem, index: Index, model: TableModel
    ) -> None:
        painter, column, row, colours = cell.painter, cell.column, cell.row, self._theme.palette
        if cell.selected:
            painter.fillRect(cell.area, QColor(colours.accent_soft))
        area = cell.area.adjusted(SPACE_2, 0, -SPACE_2, 0)
        if column.checked is not None:
            area.setLeft(self._paint_box(painter, option, index) + SPACE_2)
        painter.setFont(_value_font(model, row, index.column()))
        if column.dots and (dot := column.dots[row]) is not None:
            size = scaled_length(8)
            mark = QRectF(area.left(), area.center().y() - size / 2, size, size)
            draw_run_mark(painter, dot, mark, colours)
            area.setLeft(area.left() + scaled_length(16))
        painter.setPen(
            QColor(colours.muted if column.aside and column.aside[row] else colours.text)
        )
        text = column.cell_text(row, brief=model.brief)
        if column.bar:
            self._paint_share(cell, area, text)
        else:
            painter.drawText(area, column.alignment, _elide_text(text, painter.fontMetrics(), area))

    def _paint_box(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> float:
        """Paint the check box at the position where clicks are detected. Returns its right edge."""
        self.initStyleOption(option, index)
        widget: QWidget = option.widget
        style = widget.style()
        option.rect = style.subElementRect(
            QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, widget
        )
        option.state &= ~QStyle.StateFlag.State_HasFocus
        if option.checkState == Qt.CheckState.Checked:
            option.state |= QStyle.StateFlag.State_On
        else:
            option.state |= QStyle.StateFlag.State_Off
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck, option, painter, widget
        )
        return option.rect.right()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the complete text of a cell that is cut off, before other tooltips."""
        model = index.model()
        # Beside the cells, Qt passes an index without a model.
        if not isinstance(model, TableModel):
            return super().helpEvent(event, view, option, index)
        found = model.cell(index)
        if event.type() == QEvent.Type.ToolTip and found is not None and found[1].paint is None:
            row, column = found
            text = column.cell_text(row, brief=model.brief)
            font = _value_font(model, row, index.column())
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

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Place the editor so that a dot stays visible beside it."""
        model = index.model()
        assert isinstance(model, TableModel)
        left = SPACE_2 + scaled_length(14) if model.columns[index.column()].dots else 0
        editor.setGeometry(option.rect.adjusted(left, 1, -1, -1))

    def _paint_share(self, cell: PaintedCell, area: QRectF, text: str) -> None:
        column, share = cell.column, cell.value
        wide = number_width(column)
        number = QRectF(area.left(), area.top(), wide, area.height())
        cell.painter.drawText(number, RIGHT, text)
        if area.width() < wide + 24:
            return
        left = number.right() + SPACE_3
        bar = QRectF(left, area.center().y() - 3, area.right() - left, 6)
        if not isinstance(share, (int, float)) or column.ranges:
            paint_bar(cell, bar, 0.0)
        elif share > 0:
            colour = None
            if column.colour is not None:
                colour = run_colour(column.colour, self._theme.palette)
            paint_bar(cell, bar, max(share, 3 / bar.width()), colour)
        else:
            paint_bar(cell, bar, 0.0)
        if column.ranges and isinstance(share, (int, float)):
            self._paint_whisker(cell, bar)

    def _paint_whisker(self, cell: PaintedCell, bar: QRectF) -> None:
        low, high = cell.column.span
        shares = [
            min(max((one - low) / (high - low), 0.0), 1.0)
            for one in (*cell.column.ranges[cell.row], float(cell.value))
        ]
        least, most, value = (bar.left() + bar.width() * share for share in shares)
        middle = bar.center().y()
        cell.painter.setBrush(QColor(self._theme.palette.accent))
        cell.painter.drawRect(QRectF(least, middle - 1, max(most - least, 1.0), 2))
        cell.painter.drawEllipse(QRectF(value - 4, middle - 4, 8, 8))
