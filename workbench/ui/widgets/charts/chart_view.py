"""A chart in the window: hovering tells, a click picks, the arrow keys walk the points, a menu
saves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
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
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from workbench.ui.plain_text import visible_text
from workbench.ui.scaling import set_scaled_size
from workbench.ui.theme import LIGHT, TYPE_SMALL, Theme, body_font
from workbench.ui.widgets.charts.chart import (
    Chart,
    ChartFrame,
    ChartSeries,
    colour_of,
    describe_chart,
    draw_chart,
)
from workbench.ui.widgets.charts.export_actions import Export
from workbench.ui.widgets.layout.transient_menu import show_menu_once

_REACH = 12.0
_FILE = QSize(720, 460)


class ChartView(QWidget):
    """``picked`` tells the key of a point that was clicked or walked to. ``export`` fills its
    menu.
    """

    picked = Signal(str)

    def __init__(self, theme: Theme, export: Export | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._chart: Chart | None = None
        self._frame: ChartFrame | None = None
        self._still = QPixmap()
        self._screen: npt.NDArray[np.float64] = np.empty((0, 2))
        self._texts: list[str] = []
        self._keys: list[str] = []
        self._owner: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._silent: npt.NDArray[np.bool_] = np.empty(0, dtype=bool)
        self._hover = -1
        self._current = ""
        self._ringed: list[int] = []
        self.export = export
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=200, least_height=140)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(420, 300)

    @property
    def chart(self) -> Chart | None:
        return self._chart

    @property
    def current(self) -> str:
        """The key of the point with a ring around it, "" for none."""
        return self._current

    @property
    def tooltip_text(self) -> str:
        """What is told of the point under the pointer."""
        if self._hover >= 0:
            return self._texts[self._hover]
        return ""

    def set_chart(self, chart: Chart | None) -> None:
        """Draw another chart; the ring stays where its key still is."""
        self._chart = chart
        series: tuple[ChartSeries, ...] = ()
        description = ""
        if chart is not None:
            series, description = chart.series, describe_chart(chart)
        self.setAccessibleDescription(description)
        self._hover = -1
        self._texts, self._keys = [], []
        owners = []
        for number, one in enumerate(series):
            size = len(one.x)
            self._texts += one.texts or [""] * size
            self._keys += one.keys or [""] * size
            owners += [number] * size
        self._owner = np.array(owners, dtype=np.intp)
        self._find_ringed()
        self._silent = np.array([not text for text in self._texts], dtype=bool)
        self._redraw()

    def set_current(self, key: str) -> None:
        """Put the ring around the points of a key; tells nobody."""
        if key != self._current:
            self._current = key
            self._find_ringed()
            self.update()

    def _find_ringed(self) -> None:
        if self._current:
            self._ringed = [at for at, key in enumerate(self._keys) if key == self._current]
        else:
            self._ringed = []

    def place_of(self, key: str) -> QPointF:
        """Where the first point of a key is drawn."""
        return QPointF(*self._screen[self._keys.index(key)].tolist())

    def save_picture(self, painter: QPainter) -> None:
        """The chart on white, for a file of ``file_size``."""
        if self._chart is not None:
            room = QRectF(0, 0, self.file_size.width(), self.file_size.height())
            painter.fillRect(room, QColor(LIGHT.surface))
            draw_chart(painter, self._chart, ChartFrame(self._chart, room), LIGHT)

    @property
    def file_size(self) -> QSize:
        return self.size().expandedTo(_FILE)

    # -- drawing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def _redraw(self) -> None:
        self._still = QPixmap()
        self._frame = None
        if self._chart is not None and self.width() > 90 and self.height() > 80:
            self._frame = ChartFrame(self._chart, QRectF(self.rect()))
            parts = [
                np.stack([self._frame.x(one.x), self._frame.y(one.y)], axis=1)
                for one in self._chart.series
            ]
            self._screen = np.concatenate([np.empty((0, 2)), *parts])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._chart is None or self._frame is None:
            return
        ratio = self.devicePixelRatioF()
        if self._still.isNull() or self._still.devicePixelRatioF() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)
            still = QPainter(self._still)
            draw_chart(still, self._chart, self._frame, self._theme.palette)
            still.end()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._still)
        if self._current:
            for at in self._ringed:
                self._ring(painter, at, told=self._hover < 0)
        if self._hover >= 0:
            self._ring(painter, self._hover, told=True)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _ring(self, painter: QPainter, at: int, told: bool) -> None:
        assert self._chart is not None
        colours = self._theme.palette
        place = QPointF(*self._screen[at].tolist())
        series = self._chart.series[int(self._owner[at])]
        painter.setPen(QPen(QColor(colours.surface), 4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(place, 5.5, 5.5)
        painter.setPen(
            QPen(QColor(colours.accent if series.colour is None else colour_of(series, colours)), 2)
        )
        painter.setBrush(QColor(colours.surface))
        painter.drawEllipse(place, 5, 5)
        if told and self._texts[at]:
            self._show_tooltip(painter, place, self._texts[at])

    def _show_tooltip(self, painter: QPainter, place: QPointF, text: str) -> None:
        """A label beside a point, kept inside the chart."""
        colours = self._theme.palette
        font = body_font(TYPE_SMALL, tabular=True)
        metrics = QFontMetricsF(font)
        text = visible_text(text)
        lines = text.split("\n")
        wide = max(metrics.horizontalAdvance(line) for line in lines) + 16
        high = metrics.lineSpacing() * len(lines) + 8
        if place.x() + 12 + wide < self.width():
            left = place.x() + 12
        else:
            left = place.x() - 12 - wide
        top = min(max(place.y() - high / 2, 2.0), self.height() - high - 2)
        box = QRectF(max(left, 2.0), top, wide, high)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.raised))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        painter.drawText(box.adjusted(8, 4, -8, -4), int(Qt.AlignmentFlag.AlignLeft), text)

    # -- mouse and keys

    def _nearest(self, place: QPointF) -> int:
        if not len(self._screen):
            return -1
        away = np.hypot(self._screen[:, 0] - place.x(), self._screen[:, 1] - place.y())
        away[self._silent | ~np.isfinite(away)] = np.inf
        at = int(np.argmin(away))
        if away[at] <= _REACH:
            return at
        return -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._nearest(event.position())
        if at != self._hover:
            self._hover = at
            pickable = at >= 0 and bool(self._keys[at])
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if pickable else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def leaveEvent(self, event: object) -> None:
        if self._hover >= 0:
            self._hover = -1
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            at = self._nearest(event.position())
        else:
            at = -1
        if at >= 0 and self._keys[at]:
            self._pick_point(self._keys[at])
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        step = steps.get(Qt.Key(event.key()))
        order = [
            at for at in np.argsort(self._screen[:, 0], kind="stable").tolist() if self._keys[at]
        ]
        if step is None or not order:
            super().keyPressEvent(event)
            return
        keys = [self._keys[at] for at in order]
        if self._current in keys:
            now = keys.index(self._current)
        elif step > 0:
            now = -1
        else:
            now = len(keys)
        self._hover = -1
        self._pick_point(keys[min(max(now + step, 0), len(keys) - 1)])

    def _pick_point(self, key: str) -> None:
        self.set_current(key)
        self.picked.emit(key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.export is None:
            return
        menu = QMenu(self)
        self.export.fill(menu)
        show_menu_once(menu, event.globalPos())
