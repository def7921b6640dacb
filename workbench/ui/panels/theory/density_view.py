"""Widget of the density of scores against targets, with a readout and selection of a pair."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
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

from workbench.analysis.theory.target_what_if import Look
from workbench.core.language import tr
from workbench.ui.panels.theory.density_painting import DensityFrame, paint_density
from workbench.ui.scaling import set_scaled_size
from workbench.ui.text import MINUS, mark_unknown, plural
from workbench.ui.theme import LIGHT, Theme
from workbench.ui.widgets.charts.export_actions import Export
from workbench.ui.widgets.layout.transient_menu import show_menu_once

_FILE = QSize(640, 560)


class DensityView(QWidget):
    """``picked`` tells the word and the context of a pair; ``told`` what is under the pointer."""

    picked = Signal(str, str)
    told = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.look: Look | None = None
        self._labels = ("", "")
        self._still = QPixmap()
        self.cell: tuple[int, int] | None = None
        self.export: Export | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=240, least_height=180)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(440, 400)

    def set_look(self, look: Look | None, labels: tuple[str, str] = ("", "")) -> None:
        """Draw another comparison; labels are of the target’s axis and of the scores’."""
        self.look, self._labels = look, labels
        if look is None:
            self.cell = None
        else:
            found = look.fit
            self.setAccessibleDescription(
                tr(
                    "{pairs}, R² {r2:.3f}, slope {slope:.2f}",
                    pairs=plural(found.pairs, "observed pair"),
                    r2=found.weighted.r2,
                    slope=found.weighted.slope,
                )
            )
        self._redraw()

    # -- where things are

    def _current_frame(self) -> DensityFrame | None:
        if self.look is None:
            return None
        return DensityFrame.inside(QRectF(self.rect()), self.look.fit.low, self.look.fit.high)

    def place_of(self, target: float, score: float) -> QPointF:
        """Position of a pair."""
        frame = self._current_frame()
        assert frame is not None
        return frame.place_of(target, score)

    def _point_at(self, cell: tuple[int, int] | None) -> None:
        if cell == self.cell:
            return
        self.cell = cell
        self.told.emit(self.describe_cell(cell))
        self.update()

    def describe_cell(self, cell: tuple[int, int] | None) -> str:
        """Describe a cell, "" for none."""
        if cell is None or self.look is None:
            return ""
        found = self.look.fit
        bins = found.histogram.shape[0]
        size = (found.high - found.low) / bins
        column, row = cell
        target, score = (_format_number(found.low + (at + 0.5) * size) for at in cell)
        text = tr(
            "target {target}, model {score}: {pairs}",
            target=target,
            score=score,
            pairs=plural(int(found.histogram[row, column]), "pair"),
        )
        pair = self._nearest_pair(cell)
        if pair:
            return tr(
                "{told}, such as {word} · {context}", told=text, word=pair[0], context=pair[1]
            )
        return text

    def _nearest_pair(self, cell: tuple[int, int]) -> tuple[str, str] | None:
        """Nearest sampled pair to a cell, if it is within one cell."""
        assert self.look is not None
        found = self.look.fit
        if not len(found.targets):
            return None
        scale = found.histogram.shape[0] / (found.high - found.low)
        x, y = ((values - found.low) * scale - 0.5 for values in (found.targets, found.scores))
        away = np.maximum(np.abs(x - cell[0]), np.abs(y - cell[1]))
        at = int(np.argmin(away))
        if away[at] > 1.0:
            return None
        return found.words[int(found.rows[at])], found.words[int(found.columns[at])]

    # -- drawing

    def _redraw(self) -> None:
        self._still = QPixmap()
        self.update()

    def resizeEvent(self, event: object) -> None:
        self._redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self._current_frame()
        if self.look is None or frame is None:
            return
        ratio = self.devicePixelRatioF()
        colours = self._theme.palette
        if self._still.isNull() or self._still.devicePixelRatioF() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            still = QPainter(self._still)
            paint_density(still, QRectF(self.rect()), self.look, self._labels, colours)
            still.end()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._still)
        self._paint_pair(painter, frame)
        if self.cell is not None:
            bins = self.look.fit.histogram.shape[0]
            wide, high = frame.plot.width() / bins, frame.plot.height() / bins
            left = frame.plot.left() + self.cell[0] * wide
            top = frame.plot.bottom() - (self.cell[1] + 1) * high
            painter.setPen(QPen(QColor(colours.text), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(left - 1, top - 1, wide + 2, high + 2))
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_pair(self, painter: QPainter, frame: DensityFrame) -> None:
        """Paint the selected pair, and its position under the model’s own settings."""
        pair = None
        if self.look is not None:
            pair = self.look.pair
        if pair is None or not math.isfinite(pair.target):
            return
        colours = self._theme.palette
        now = frame.place_of(pair.target, pair.score)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if math.isfinite(pair.own_target) and abs(pair.own_target - pair.target) > 1e-9:
            before = frame.place_of(pair.own_target, pair.score)
            painter.setPen(QPen(QColor(colours.surface), 4))
            painter.drawLine(before, now)
            painter.setPen(QPen(QColor(colours.danger), 1.6))
            painter.drawLine(before, now)
            painter.drawEllipse(before, 3, 3)
        painter.setPen(QPen(QColor(colours.surface), 5))
        painter.drawEllipse(now, 6, 6)
        painter.setPen(QPen(QColor(colours.danger), 2))
        painter.drawEllipse(now, 6, 6)

    def save_picture(self, painter: QPainter) -> None:
        """The density on white, for a file of ``file_size``."""
        if self.look is not None:
            room = QRectF(0, 0, self.file_size.width(), self.file_size.height())
            painter.fillRect(room, QColor(LIGHT.surface))
            paint_density(painter, room, self.look, self._labels, LIGHT)

    @property
    def file_size(self) -> QSize:
        return self.size().expandedTo(_FILE)

    # -- mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self._current_frame()
        if frame is not None and self.look is not None:
            self._point_at(frame.cell(event.position(), self.look.fit.histogram.shape[0]))

    def leaveEvent(self, event: object) -> None:
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        frame = self._current_frame()
        if (
            event.button() == Qt.MouseButton.LeftButton
            and frame is not None
            and self.look is not None
        ):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            cell = frame.cell(event.position(), self.look.fit.histogram.shape[0])
            self._point_at(cell)
            self._pick_pair(cell)

    def _pick_pair(self, cell: tuple[int, int] | None) -> None:
        pair = None
        if cell is not None:
            pair = self._nearest_pair(cell)
        if pair is not None:
            self.picked.emit(*pair)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        step = steps.get(Qt.Key(event.key()))
        if self.look is None or (
            step is None and event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            super().keyPressEvent(event)
            return
        if step is None:
            self._pick_pair(self.cell)
            return
        last = self.look.fit.histogram.shape[0] - 1
        fullest = np.unravel_index(
            int(np.argmax(self.look.fit.histogram)), self.look.fit.histogram.shape
        )
        column, row = self.cell or (int(fullest[1]) - step[0], int(fullest[0]) - step[1])
        self._point_at((min(max(column + step[0], 0), last), min(max(row + step[1], 0), last)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.export is not None:
            menu = QMenu(self)
            self.export.fill(menu)
            show_menu_once(menu, event.globalPos())


@mark_unknown
def _format_number(value: float) -> str:
    return f"{value:.2f}".replace("-", MINUS)
