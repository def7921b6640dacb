"""Widget of W × Cᵀ = M that marks the same cell in all four matrices."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QMenu, QWidget

from workbench.analysis.theory.factors import Factors
from workbench.core.language import tr
from workbench.ui.panels.theory.factors_painting import MatrixPlaces, paint_factors
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import signed
from workbench.ui.theme import LIGHT, Theme
from workbench.ui.widgets.charts.export_actions import Export
from workbench.ui.widgets.layout.transient_menu import show_menu_once

_FILE = QSize(900, 560)


class FactorsView(QWidget):
    """``picked`` tells the word and the context of a cell; ``told`` what is looked at."""

    picked = Signal(str, str)
    told = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.factors: Factors | None = None
        self._titles = ("", "")
        self._still = QPixmap()
        self.cell: tuple[int, int, int] | None = None
        self.export: Export | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=320, least_height=220)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(760, 440)

    def set_factors(self, found: Factors | None, titles: tuple[str, str] = ("", "")) -> None:
        """Draw other matrices; the marked cell stays if it still exists."""
        if found is None or self.factors is None or found.words != self.factors.words:
            self.cell = None
        self.factors, self._titles = found, titles
        self._redraw()
        self.told.emit(self.describe_cell())

    def describe_cell(self) -> str:
        """Describe the marked cell, "" for none."""
        found = self.factors
        if found is None or self.cell is None:
            return ""
        row, column, dimension = self.cell
        if row < 0:
            value = signed(found.C[column, dimension], 3)
            return tr(
                "dimension {dimension} of the context {context}: {value}",
                dimension=dimension + 1,
                context=found.words[column],
                value=value,
            )
        if column < 0:
            return tr(
                "dimension {dimension} of {word}: {value}",
                dimension=dimension + 1,
                word=found.words[row],
                value=signed(found.W[row, dimension], 3),
            )
        model, target, count = (m[row, column] for m in (found.model, found.target, found.counts))
        head = tr(
            "{word} · {context}: model {model}",
            word=found.words[row],
            context=found.words[column],
            model=signed(model),
        )
        if not math.isfinite(target):
            return tr("{head}, never met", head=head)
        return tr(
            "{head}, target {target}, residual {signed}, #(w,c) = {count:.4g}",
            head=head,
            target=signed(target),
            signed=signed(model - target),
            count=count,
        )

    # -- drawing

    def _redraw(self) -> None:
        self._still = QPixmap()
        self.update()

    def resizeEvent(self, event: object) -> None:
        self._redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.factors is None:
            return
        ratio = self.devicePixelRatioF()
        if self._still.isNull() or self._still.devicePixelRatioF() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            still = QPainter(self._still)
            row = -1
            if self.cell is not None:
                row = self.cell[0]
            paint_factors(
                still, QRectF(self.rect()), self.factors, self._titles, self._theme.palette, row
            )
            still.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._still)
        self._paint_links(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_links(self, painter: QPainter) -> None:
        """The row of the word in W, M and target, the column of the context in Cᵀ, M and target."""
        if self.cell is None or self.factors is None:
            return
        found, (row, column, dimension) = self.factors, self.cell
        places = MatrixPlaces.within(QRectF(self.rect()), found)
        size = len(found.words)
        boxes = []
        if row >= 0:
            for area in (places.W, places.model, places.target):
                high = area.height() / size
                boxes.append(QRectF(area.left(), area.top() + row * high, area.width(), high))
        if column >= 0:
            areas = [places.model, places.target] + ([places.C] if places.C.height() else [])
            for area in areas:
                wide = area.width() / size
                boxes.append(QRectF(area.left() + column * wide, area.top(), wide, area.height()))
        if dimension >= 0:
            wide = places.W.width() / found.W.shape[1]
            boxes.append(
                QRectF(places.W.left() + dimension * wide, places.W.top(), wide, places.W.height())
            )
            if places.C.height():
                high = places.C.height() / found.C.shape[1]
                boxes.append(
                    QRectF(
                        places.C.left(), places.C.top() + dimension * high, places.C.width(), high
                    )
                )
        painter.setPen(QPen(QColor(self._theme.palette.text), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects(boxes)

    @property
    def file_size(self) -> QSize:
        return self.size().expandedTo(_FILE)

    def save_picture(self, painter: QPainter) -> None:
        """The matrices on white, for a file of ``file_size``."""
        if self.factors is not None:
            room = QRectF(0, 0, self.file_size.width(), self.file_size.height())
            painter.fillRect(room, QColor(LIGHT.surface))
            paint_factors(painter, room.adjusted(8, 8, -8, -8), self.factors, self._titles, LIGHT)

    # -- mouse and keys

    def look_at(self, cell: tuple[int, int, int] | None) -> None:
        """Mark a cell: row, column, dimension, −1 for what it does not have."""
        if cell == self.cell:
            return
        other = (cell[0] if cell else -1) != (self.cell[0] if self.cell else -1)
        self.cell = cell
        if other:
            # The name of its row stands out.
            self._still = QPixmap()
        self.told.emit(self.describe_cell())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.factors is not None:
            self.look_at(
                MatrixPlaces.within(QRectF(self.rect()), self.factors).cell(
                    event.position(), self.factors
                )
            )

    def leaveEvent(self, event: object) -> None:
        self.look_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.mouseMoveEvent(event)
            self._pick_cell()

    def _pick_cell(self) -> None:
        if self.factors is not None and self.cell is not None:
            row, column, _ = self.cell
            words = [self.factors.words[at] for at in (row, column) if at >= 0]
            self.picked.emit(words[0], words[-1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if self.factors is not None and step is not None:
            last = len(self.factors.words) - 1
            row, column, _ = self.cell or (0, 0, -1)
            moved = self.cell is not None
            row, column = (
                min(max(max(v, 0) + d * moved, 0), last)
                for v, d in zip((row, column), step, strict=True)
            )
            self.look_at((row, column, -1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick_cell()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.export is not None:
            menu = QMenu(self)
            self.export.fill(menu)
            show_menu_once(menu, event.globalPos())
