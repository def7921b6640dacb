"""The widget of a figure with axes: zooming, panning, pointing, its menu and its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QMenu, QStyleOptionGraphicsItem, QWidget

from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import LIGHT, Palette, Theme
from workbench.ui.export.export_actions import Export, csv
from workbench.ui.export.figure_export import figure_image
from workbench.ui.plots.frame import Extent, Frame, Interval, united
from workbench.ui.plots.menu import fill_figure_menu
from workbench.ui.plots.painting import draw_focus, draw_headings
from workbench.ui.plots.pane import Pane, X, Y
from workbench.ui.widgets.layout.transient_menu import show_menu_once

_FILE = QSize(720, 460)
# A key zooms by this factor and pans by this share of the visible part.
_ZOOM, _PAN = 0.75, 0.1
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_OTHER_KEYS = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class Layer(pg.GraphicsObject):  # type: ignore[misc]
    """A picture over the whole figure, in its pixels. If ``kept``, it is painted again only after
    ``update``.
    """

    def __init__(self, paint: Callable[[QPainter], None], height: float, *, kept: bool) -> None:
        super().__init__()
        self._paint = paint
        self._room = QRectF()
        self.setZValue(height)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        if kept:
            self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def set_room(self, room: QRectF) -> None:
        """Set the size of the figure."""
        self.prepareGeometryChange()
        self._room = room
        self.update()

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint(painter)


class FigureView(pg.GraphicsView):  # type: ignore[misc]
    """A figure. Subclasses define its extent, draw it, and read it off; see the package’s
    docstring.

    ``looked`` is emitted when the range changes. ``export`` fills the menu and the files;
    ``headings`` are lines above the figure in files, the first of them large.
    """

    looked = Signal()
    headings: Sequence[str] = ()
    # Set here as well, because the constructor of the base class already resizes the figure.
    panes: Sequence[Pane] = ()
    leading: Sequence[Pane] = ()

    def __init__(self, theme: Theme, panes: Sequence[Pane] = ()) -> None:
        super().__init__(background=None)
        self.theme = theme
        self.export: Export | None = None
        self.zoomed = False
        self._extents: dict[Pane, Extent | None] = {}
        self._kind: object = None
        self._scales: tuple[bool, ...] = ()
        self._linked: list[FigureView] = []
        self._linking = False
        self._log_offers = {X: (False, False), Y: (False, False)}
        self._log_choices: dict[str, bool] = {}
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.viewport().setAutoFillBackground(False)
        self._picture = Layer(self._paint_picture, -200.0, kept=True)
        self._overlay = Layer(self._paint_overlay, 200.0, kept=False)
        self.addItem(self._picture)
        self.addItem(self._overlay)
        self.panes = self.leading = tuple(panes) or (Pane(),)
        for pane in self.panes:
            self.addItem(pane)
            for axis in pane.axes:
                self.addItem(axis)
            pane.sigRangeChanged.connect(self._range_changed)
            pane.sigRangeChangedManually.connect(self._zoomed_by_hand)
        self.scene().sigMouseClicked.connect(self._mouse_clicked)
        theme.changed.connect(self._theme_changed)
        self._theme_changed()

    # -- for subclasses

    def extent(self, pane: Pane) -> Extent | None:
        """The extent of all data in a pane, in the units of its axes; None without data."""
        raise NotImplementedError

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Draw the contents of a pane, on the screen or in a file; nothing clips them."""
        raise NotImplementedError

    def draw_around(self, painter: QPainter, frames: Sequence[Frame], colours: Palette) -> None:
        """Draw parts that belong to all panes, such as a legend."""

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Draw marks that change while the figure stays, only on the screen: rings, readouts."""

    def margins(self) -> QMarginsF:
        """Room around a single pane."""
        pane = self.panes[0]
        left = pane.left.thickness() if pane.left is not None else scaled_length(14.0)
        bottom = pane.bottom.thickness() if pane.bottom is not None else scaled_length(10.0)
        return QMarginsF(left, scaled_length(10.0), scaled_length(14.0), bottom)

    def areas(self, room: QRectF) -> list[QRectF]:
        """Areas of the panes in the room of a figure."""
        area = room.marginsRemoved(self.margins())
        return [QRectF(area.topLeft(), area.size().expandedTo(QSize(20, 20)))]

    def link(self, moved: Pane) -> None:
        """Link panes, so that they follow the one that is moved. Keys move the ``leading`` ones."""

    def point(self, place: QPointF | None) -> None:
        """Read off a position; None once the pointer has left."""

    def click(self, place: QPointF) -> None:
        """Pick something at a position."""

    def walk(self, key: Qt.Key) -> bool:
        """Move to another point by a key; False for keys without an effect."""
        return False

    # -- visible range

    @property
    def pane(self) -> Pane:
        """The only pane, or the first one."""
        return self.panes[0]

    @property
    def frame(self) -> Frame:
        """Positions on the screen, in the only pane or the first one."""
        return self._frames(QRectF(self.rect()))[0]

    @property
    def frames(self) -> list[Frame]:
        return self._frames(QRectF(self.rect()))

    def _frames(self, room: QRectF) -> list[Frame]:
        areas = self.areas(room)
        return [pane.frame(room, area) for pane, area in zip(self.panes, areas, strict=True)]

    def update_figure(self, kind: object = None) -> None:
        """Update the figure after a change of the data. A zoomed view stays if the figure is of the
        same ``kind``, such as its titles, and some data is still visible.
        """
        scales = tuple(self.pane.log.values())
        self._extents = {pane: self.extent(pane) for pane in self.panes}
        stays = self.is_zoomed and (kind, scales) == (self._kind, self._scales)
        self._kind, self._scales = kind, scales
        self._arrange()
        for pane, extent in self._extents.items():
            stays = stays and (extent is None or pane.shows(extent))
            pane.set_extent(extent)
        if not stays:
            self.fit()
        self.redraw()

    @property
    def is_zoomed(self) -> bool:
        """Whether the user chose the range, here or in a figure with the same x axis."""
        return any(view.zoomed for view in (self, *self._linked))

    def fit(self) -> None:
        """Show everything."""
        for view in (self, *self._linked):
            view.zoomed = False
            for pane, extent in view._extents.items():
                if extent is not None:
                    pane.show_range(view._shared_x(pane, extent), extent[1])

    def _shared_x(self, pane: Pane, extent: Extent) -> Interval:
        shared = extent[0]
        if pane is self.pane:
            for view in self._linked:
                other = view._extents.get(view.pane)
                if other is not None:
                    shared = united(shared, other[0])
        return shared

    def zoom(self, factor: float) -> None:
        """Show ``factor`` times as much, around the middle."""
        for pane in self.leading:
            pane.scaleBy((factor, factor))
        self.zoomed = True

    def pan(self, across: float, up: float) -> None:
        """Pan by shares of the visible part."""
        for pane in self.leading:
            (left, right), (low, high) = pane.viewRange()
            pane.translateBy((across * (right - left), up * (high - low)))
        self.zoomed = True

    def show_place(self, x: float, y: float) -> None:
        """Move a position to the middle if it isn't visible."""
        frame = self.frame
        place = frame.place(x, y)
        away = place - frame.area.center()
        if not frame.area.adjusted(-1, -1, 1, 1).contains(place):
            self.pan(away.x() / frame.area.width(), -away.y() / frame.area.height())

    def follow_x(self, other: FigureView) -> None:
        """Show the same range of x in both figures, whichever is moved."""
        for one, follower in ((self, other), (other, self)):
            one._linked.append(follower)
            one.pane.sigXRangeChanged.connect(follower._take_x)

    def _take_x(self, pane: Pane, ends: Interval) -> None:
        if list(ends) != list(self.pane.viewRange()[0]):
            self.pane.setXRange(*ends, padding=0)

    def _range_changed(self, pane: Pane, *_: Any) -> None:
        if not self._linking:
            self._linking = True
            self.link(pane)
            self._linking = False
        self.redraw()
        self.looked.emit()

    def _zoomed_by_hand(self, *_: Any) -> None:
        self.zoomed = True

    # -- logarithmic axes

    def offer_log(self, axis: str, *, possible: bool, default: bool = False) -> None:
        """Set whether an axis of the data, "x" or "y", can be logarithmic, and whether it is by
        default. Call it before ``update_figure``.
        """
        self._log_offers[axis] = (possible, default)
        self._set_log(axis)

    def can_log(self, axis: str) -> bool:
        return self._log_offers[axis][0]

    def is_log(self, axis: str) -> bool:
        return bool(self.pane.log[axis])

    def choose_log(self, axis: str, on: bool) -> None:
        """Make an axis logarithmic or linear, in all figures that share it."""
        views = (self, *self._linked) if axis == X else (self,)
        for view in views:
            view._log_choices[axis] = on
            view._set_log(axis)
        for view in views:
            view.update_figure(view._kind)

    def _set_log(self, axis: str) -> None:
        possible, default = self._log_offers[axis]
        for pane in self.panes:
            pane.log[axis] = possible and self._log_choices.get(axis, default)

    # -- files

    def offer_files(
        self,
        session: Session,
        title: str,
        stem: str,
        table: Callable[[], str],
        records: Callable[[], Sequence[RunRecord] | None] = lambda: None,
        about: Callable[[], str] | None = None,
    ) -> Export:
        """Let the figure be saved as a picture, and ``table`` as CSV; see ``Export``."""
        self.export = Export(
            self,
            session,
            title,
            stem,
            lambda: self.file_size,
            self.save_picture,
            csv(table),
            records,
            about,
            lambda: any(self._extents.get(pane) is not None for pane in self.panes),
        )
        return self.export

    @property
    def file_size(self) -> QSize:
        """Size on paper, which doesn’t depend on the panel."""
        return _FILE

    def save_picture(self, painter: QPainter) -> None:
        """Paint the visible part of the figure on white, for a file of ``file_size``."""
        room = QRectF(0, 0, self.file_size.width(), self.file_size.height())
        painter.fillRect(room, QColor(LIGHT.surface))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw_on_paper(painter, draw_headings(painter, self.headings, room, LIGHT))

    def draw_on_paper(self, painter: QPainter, room: QRectF) -> None:
        """Draw the visible part into an area of a file."""
        self._draw_all(painter, self.paper_frames(room), LIGHT)

    def paper_frames(self, room: QRectF) -> list[Frame]:
        """Positions in a file. The complete figure looks the same whatever the panel's size."""
        if self.is_zoomed:
            return self._frames(room)
        frames = []
        for pane, area in zip(self.panes, self.areas(room), strict=True):
            extent = self.paper_extent(pane, area)
            if extent is not None:
                extent = (self._shared_x(pane, extent), extent[1])
            frames.append(pane.frame(room, area, extent))
        return frames

    def paper_extent(self, pane: Pane, area: QRectF) -> Extent | None:
        """The extent of a pane for an area in a file."""
        return self._extents.get(pane)

    def copy_picture(self) -> None:
        """Copy the figure to the clipboard as an image."""
        QGuiApplication.clipboard().setImage(figure_image(self.file_size, self.save_picture))

    # -- painting

    def redraw(self) -> None:
        """Paint everything again."""
        self._picture.update()
        self._overlay.update()

    def redraw_overlay(self) -> None:
        """Paint rings and readouts again, but not the figure."""
        self._overlay.update()

    def _arrange(self) -> None:
        for pane, area in zip(self.panes, self.areas(QRectF(self.rect())), strict=True):
            pane.place_at(area)

    def _theme_changed(self) -> None:
        accent = QColor(self.theme.palette.accent)
        for pane in self.panes:
            pane.rbScaleBox.setPen(pg.mkPen(accent, width=1))
            accent.setAlphaF(0.15)
            pane.rbScaleBox.setBrush(accent)
        self._arrange()
        self.redraw()

    def _draw_all(self, painter: QPainter, frames: Sequence[Frame], colours: Palette) -> None:
        for pane, frame in zip(self.panes, frames, strict=True):
            if self._extents.get(pane) is None:
                continue
            for axis in pane.axes:
                axis.draw(painter, frame, colours)
            painter.save()
            self.draw(painter, frame, colours)
            painter.restore()
        self.draw_around(painter, frames, colours)

    def _paint_picture(self, painter: QPainter) -> None:
        self._draw_all(painter, self.frames, self.theme.palette)

    def _paint_overlay(self, painter: QPainter) -> None:
        for frame in self.frames:
            self.draw_overlay(painter, frame, self.theme.palette)
        if self.hasFocus():
            draw_focus(painter, QRectF(self.rect()), self.theme.palette)

    def sizeHint(self) -> QSize:
        return QSize(420, 300)

    def close(self) -> bool:
        """Close only the widget; pyqtgraph would delete its contents."""
        return QWidget.close(self)

    # -- mouse and keys

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self.panes:
            room = QRectF(self.rect())
            self._picture.set_room(room)
            self._overlay.set_room(room)
            self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        # The scene handles the event, but accepts only drags.
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() == Qt.MouseButton.NoButton:
            self.point(event.position())
        else:
            super().mouseMoveEvent(event)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.point(None)

    def _mouse_clicked(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.double():
            self.fit()
        else:
            self.click(QPointF(event.scenePos()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._press(Qt.Key(event.key()), event.modifiers()):
            event.ignore()

    def _press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & _OTHER_KEYS:
            return False
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            if key not in ARROWS:
                return False
            across, up = ARROWS[key]
            self.pan(_PAN * across, _PAN * up)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_0):
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_ZOOM)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.0 / _ZOOM)
        else:
            return self.walk(key)
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.redraw_overlay()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.redraw_overlay()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        fill_figure_menu(menu, self)
        show_menu_once(menu, event.globalPos())
