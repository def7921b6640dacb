"""Widget of linked heat maps: zoom, pan, keyboard navigation, and selection of a pair."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from workbench.analysis.matrix.board import Board
from workbench.core.language import tr
from workbench.ui.base.notice import Notice
from workbench.ui.base.scaling import figure_units, scaled_length, set_scaled_size
from workbench.ui.base.theme import LIGHT, TYPE_LARGE, TYPE_SMALL, Theme
from workbench.ui.panels.matrix.axis_labels import (
    NAME_SIZES,
    fitting_name_size,
    label_margins,
    paint_titles,
)
from workbench.ui.panels.matrix.grid_geometry import HEAD, GridFrame
from workbench.ui.panels.matrix.image import MatrixImage
from workbench.ui.panels.matrix.painting import MatrixScene, paint_pointed, paint_still, paint_words
from workbench.ui.panels.matrix.readout import cell_of, describe_cell
from workbench.ui.plots.menu import FigureExport, fill_figure_menu
from workbench.ui.widgets.layout.transient_menu import show_menu_once

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_PAGE = 10
# The arrow keys with Ctrl pan by this share of the visible part.
_PAN = 0.1
# Minimum size of cells for viewing the result of a search.
_READABLE = 14.0


class MatrixView(QWidget):
    """Values as colours; unobserved pairs are hatched and have no value.

    Wheel, drags, double click, Home, 0, +, − and the menu work as in every figure (``ui/plots``);
    arrows move between cells (with Shift ten at a time), and Return or a click picks the pair.
    ``arranged``: the panes have new positions, ``frame.heads``.
    """

    picked = Signal(str, str)
    hovered = Signal(int, int)
    arranged = Signal()

    def __init__(self, theme: Theme, notice: Notice | None = None) -> None:
        """notice : shown over the matrices, below the controls of the panes, while ``covered``"""
        super().__init__()
        self._theme = theme
        self._notice = notice
        if notice is not None:
            notice.setParent(self)
            notice.hide()
        self.frame = GridFrame()
        self._scene: MatrixScene | None = None
        self._still = QPixmap()
        self._here: tuple[int, int] | None = None
        self._found: tuple[Collection[int], Collection[int]] = ((), ())
        self._chosen: tuple[str, ...] = ()
        # Margins for names by their font size and the scale of all text.
        self._margins: dict[tuple[int, float], tuple[float, float, float]] = {}
        self._pressed: QPointF | None = None
        self._box: QRectF | None = None
        self.export: FigureExport | None = None
        # Titles painted in place of the controls of the panes, which a presentation hides.
        self.titles: Sequence[str] = ()
        self._dragged = False
        self.panes = 1
        self.covered = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=240, least_height=180)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(640, 520)

    @property
    def board(self) -> Board | None:
        if self._scene is not None:
            return self._scene.board
        return None

    @property
    def pictures(self) -> list[MatrixImage | None]:
        """Images of all panes."""
        if self._scene is not None:
            return self._scene.pictures
        return []

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and column under the pointer, or chosen by keys."""
        return self._here

    @property
    def found_lines(self) -> tuple[Collection[int], Collection[int]]:
        """Rows and columns marked by a search."""
        return self._found

    def set_board(self, board: Board | None, pictures: Sequence[MatrixImage | None] = ()) -> None:
        """Show other matrices, or None; the view stays if the words are the same."""
        old = self.board
        if board is None:
            self._scene = None
        else:
            self._scene = MatrixScene(self.frame, board, list(pictures))
        if board is None:
            self._here = None
            self.setAccessibleDescription("")
            self._arrange_panes()
            return
        self.panes = len(board.panes)
        if old is None or (old.words, old.columns) != (board.words, board.columns):
            self._here, self._found = None, ((), ())
            self.frame.fitted = True
            self._margins.clear()
            self.frame.set_cells(len(board.words), len(board.columns), self._margins_of(TYPE_SMALL))
        self._arrange_panes()
        self._update_description()

    def show_notice(self) -> None:
        """Show the notice over the matrices."""
        if self._notice is not None and not self.covered:
            self.covered = True
            self._notice.show()
            self._arrange_panes()

    def hide_notice(self) -> None:
        if self._notice is not None and self.covered:
            self.covered = False
            self._notice.hide()
            self._arrange_panes()

    @property
    def lack(self) -> str:
        """The title of the notice while it covers the matrices, or ""."""
        return self._notice.title if self._notice is not None and self.covered else ""

    def set_panes(self, number: int) -> None:
        """Make room for a number of panes before they are computed."""
        if number != self.panes:
            self.panes = number
            if self._scene is not None and len(self._scene.board.panes) != number:
                self._scene = None
            self._arrange_panes()

    def _arrange_panes(self) -> None:
        """Arrange the panes with the smallest names that still fill the height of the resulting
        cells.
        """
        bare = self._scene is None or self.covered
        origin = self.frame.origin
        for size in NAME_SIZES:
            self.frame.set_names(size, self._margins_of(size))
            # Another size would leave a smaller part to the right or below, and move the view.
            self.frame.origin = origin
            self.frame.arrange_panes(
                QSizeF(self.size()), self.panes, self.devicePixelRatioF(), in_row=bare
            )
            if fitting_name_size(self.frame.cell) <= size:
                break
        if self._notice is not None:
            self._notice.setGeometry(0, int(HEAD), self.width(), max(self.height() - int(HEAD), 0))
        self.arranged.emit()
        self._redraw()

    def _margins_of(self, size: int) -> tuple[float, float, float]:
        """Margins for the names of the board in a font size; measured only once."""
        asked = (size, scaled_length(1.0))
        if self.board is not None and asked not in self._margins:
            self._margins[asked] = label_margins(self.board.words, self.board.columns, size)
        return self._margins.get(asked, self.frame.margins)

    def _follow_zoom(self, at: QPointF | None = None) -> None:
        """Set the font size of names that fits the cells, keeping the cell at ``at`` in place."""
        frame = self.frame
        if fitting_name_size(frame.cell) != frame.name_size:
            before = frame.grid_rect(0).topLeft()
            self._arrange_panes()
            if at is not None and not frame.fitted:
                frame.pan(before - frame.grid_rect(0).topLeft())
        self._redraw()

    def _redraw(self) -> None:
        self._still = QPixmap()
        self.update()

    def mark_lines(self, rows: Collection[int], columns: Collection[int]) -> None:
        """Mark rows and columns found by a search."""
        if self._found != (rows, columns):
            self._found = (rows, columns)
            self._redraw()

    def go_to(self, row: int | None, column: int | None) -> None:
        """Show a row or a column at a readable size, and highlight it."""
        if self._scene is None:
            return
        self.frame.zoom_to_cell(row, column, _READABLE)
        self._follow_zoom()
        before = self._here or (0, 0)
        self._here = None
        self._redraw()
        self._move_to((before[0] if row is None else row, before[1] if column is None else column))

    def ring_pair(self, words: tuple[str, ...]) -> None:
        """Ring the cell of a selected pair: context and word, in the order of a pick."""
        if words != self._chosen:
            self._chosen = words
            self._redraw()

    # -- geometry

    def cell_rect(self, row: int, column: int, pane: int = 0) -> QRectF:
        """Rectangle of a cell on the widget."""
        return self.frame.cell_rect(row, column, pane)

    def fit(self) -> None:
        """Show everything."""
        if self._scene is not None:
            self.frame.fit()
            self._follow_zoom()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Make cells larger or smaller, keeping the one at ``at`` in place."""
        if self._scene is not None:
            self.frame.zoom(factor, at)
            self._follow_zoom(at)

    def can_log(self, axis: str) -> bool:
        """Return False: an axis of words can't be logarithmic."""
        return False

    is_log = can_log

    def choose_log(self, axis: str, on: bool) -> None:
        """Do nothing; see ``can_log``."""

    def copy_picture(self) -> None:
        """Copy the visible part to the clipboard."""
        QGuiApplication.clipboard().setImage(self.grab().toImage())

    # -- events

    def resizeEvent(self, event: object) -> None:
        self._arrange_panes()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._arrange_panes()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0015 ** event.angleDelta().y(), event.position())
        self._point_at(event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False
            if self._scene is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._box = QRectF(event.position(), QSizeF())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position() - self._pressed
            if self._scene is not None and (self._dragged or moved.manhattanLength() > 4):
                self._dragged = True
                if self._box is not None:
                    self._box.setBottomRight(event.position())
                    self.update()
                    return
                self.frame.pan(moved)
                self._pressed = event.position()
                self._redraw()
            return
        self._point_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            self._point_at(event.position())
            self._pick_cell()
        elif self._box is not None and self._scene is not None:
            self.frame.zoom_to_box(self._box.normalized())
            self._follow_zoom()
        self._pressed = self._box = None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        fill_figure_menu(menu, self)
        show_menu_once(menu, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            self._move_to(None)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._scene is not None and not self.covered and key in _STEPS:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                down, right = _STEPS[key]
                size = self.frame.plots[0].size() * -_PAN
                self.frame.pan(QPointF(right * size.width(), down * size.height()))
                self._redraw()
                return
            times = _PAGE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            row, column = self._here or (0, 0)
            down, right = _STEPS[key] if self._here is not None else (0, 0)
            last = self.frame.rows - 1, self.frame.columns - 1
            to = (
                min(max(row + down * times, 0), last[0]),
                min(max(column + right * times, 0), last[1]),
            )
            self.frame.bring_into_view(*to)
            self._redraw()
            self._move_to(to)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick_cell()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_0):
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1.25, self._cell_centre())
        elif key == Qt.Key.Key_Minus:
            self.zoom(0.8, self._cell_centre())
        else:
            super().keyPressEvent(event)

    def _cell_centre(self) -> QPointF | None:
        if self._here is not None:
            return self.frame.cell_rect(*self._here).center()
        return None

    def _point_at(self, place: QPointF) -> None:
        live = self._scene is not None and not self.covered
        found = self.frame.cell_at(place) if live else None
        if found is None:
            self._move_to(None)
        else:
            self._move_to(found[1:])

    def _move_to(self, cell: tuple[int, int] | None) -> None:
        if cell == self._here:
            return
        self._here = cell
        self.hovered.emit(*(cell or (-1, -1)))
        self._update_description()
        self.update()

    def _pick_cell(self) -> None:
        board = self.board
        if self._here is not None and board is not None:
            row, column = self._here
            self.picked.emit(board.words[row], board.columns[column])

    def describe(self, cell: tuple[int, int] | None) -> str:
        """Describe the values of a cell; "" outside."""
        return describe_cell(self.board, cell)

    def _update_description(self) -> None:
        board = self.board
        if board is not None:
            shown = ", ".join(result.title for result in board.results)
            size = tr(
                "{rows:,} × {columns:,} words", rows=len(board.words), columns=len(board.columns)
            )
            self.setAccessibleDescription(f"{shown}, {size}. {self.describe(self._here)}".strip())

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # The matrices lie on the page: lines between cells have its colour, too.
        palette = replace(self._theme.palette, surface=self._theme.palette.ground)
        scene = None if self.covered else self._scene
        if scene is None:
            painter.fillRect(self.rect(), QColor(palette.surface))
        else:
            if self._still.isNull():
                scene.found, scene.chosen = self._found, cell_of(scene.board, self._chosen)
                self._still = QPixmap(self.size() * self.devicePixelRatioF())
                self._still.setDevicePixelRatio(self.devicePixelRatioF())
                self._still.fill(QColor(palette.surface))
                still = QPainter(self._still)
                paint_still(still, scene, palette)
                still.end()
            painter.drawPixmap(0, 0, self._still)
            here = self._here if self._pressed is None else None
            if here is not None:
                paint_pointed(painter, scene, here, palette)
            paint_words(painter, scene, here, palette)
            if len(self.titles) == len(self.frame.heads):
                paint_titles(painter, self.frame, self.titles, palette, TYPE_LARGE)
        if self._box is not None:
            accent = QColor(palette.accent)
            painter.setPen(QPen(accent, 1))
            accent.setAlphaF(0.15)
            painter.setBrush(accent)
            painter.drawRect(self._box.normalized())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.accent), 1))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def paper_frame(self) -> tuple[QSize, GridFrame]:
        """Size and layout of a file, which don’t depend on the size of the panel."""
        board = self.board
        if board is None:
            return QSize(1, 1), GridFrame()
        with figure_units():
            size, frame = self.frame.paper_frame(
                self.frame.rows, self.frame.columns, label_margins(board.words, board.columns)
            )
        return size.toSize(), frame

    def save_picture(
        self, painter: QPainter, pictures: Sequence[MatrixImage | None], titles: Sequence[str]
    ) -> None:
        """Paint the visible cells on white for a file of ``paper_frame``, with titles in place of
        the controls; ``pictures`` are in the light palette.
        """
        if self._scene is None:
            return
        board = self._scene.board
        size, frame = self.paper_frame()
        scene = MatrixScene(frame, board, list(pictures), self._found, cell_of(board, self._chosen))
        painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size)), QColor(LIGHT.surface))
        paint_still(painter, scene, LIGHT)
        paint_words(painter, scene, None, LIGHT)
        paint_titles(painter, frame, titles, LIGHT)
