"""Several matrices over the same words, painted: cells, hatching, marks, scales, and the cell pointed at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPaintEngine, QPainter, QPen

from workbench.analysis.matrix import MatrixResult
from workbench.analysis.matrix_board import Board
from workbench.core.errors import UserError
from workbench.ui.plain_text import painted
from workbench.ui.theme import (
    SPACE_3,
    TYPE_BODY,
    TYPE_SMALL,
    Palette,
    body_font,
)
from workbench.ui.widgets.matrix_bar import paint_bar
from workbench.ui.widgets.matrix_frame import Frame
from workbench.ui.widgets.matrix_hatching import paint_hatching
from workbench.ui.widgets.matrix_names import paint_names
from workbench.ui.widgets.matrix_picture import Picture
from workbench.ui.widgets.matrix_readout import strip

_GRID_FROM = 9.0
_RING_FROM = 5.0
# Pixels of an image in a file of shapes, to each of the screen.
_DETAIL = 4.0


@dataclass
class Scene:
    """What is drawn. found : rows and columns that a search found; chosen : the cell of the selected pair"""

    frame: Frame
    board: Board
    pictures: list[Picture | None]
    found: tuple[Collection[int], Collection[int]] = field(default=((), ()))
    chosen: tuple[int, int] | None = None


def paint_still(painter: QPainter, scene: Scene, palette: Palette) -> None:
    """All that stays while the pointer moves: cells and scales."""
    frame = scene.frame
    for pane, (shown, picture) in enumerate(zip(scene.board.panes, scene.pictures, strict=True)):
        if isinstance(shown, UserError) or picture is None:
            _paint_problem(painter, frame.plots[pane], shown, palette)
            continue
        _paint_cells(painter, scene, pane, picture, palette)
        paint_bar(painter, frame, pane, picture, palette)


def _paint_cells(painter: QPainter, scene: Scene, pane: int, picture: Picture, palette: Palette) -> None:
    engine, seen = painter.paintEngine(), scene.frame.seen(pane)
    if engine is None or engine.type() == QPaintEngine.Type.Raster:
        _paint_cells_on(painter, scene, pane, picture, palette)
        return
    # SVG knows neither clips nor parts of images: cells are an image there, and names and scales shapes.
    image = QImage((seen.size() * _DETAIL).toSize(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_DETAIL)
    inner = QPainter(image)
    inner.translate(-seen.topLeft())
    _paint_cells_on(inner, scene, pane, picture, palette)
    inner.end()
    painter.drawImage(seen, image)


def _paint_cells_on(painter: QPainter, scene: Scene, pane: int, picture: Picture, palette: Palette) -> None:
    frame = scene.frame
    seen, whole, cell = frame.seen(pane), frame.whole(pane), frame.cell
    painter.save()
    painter.setClipRect(seen)
    if picture.unseen:
        paint_hatching(painter, seen, whole.topLeft(), palette)
    picture.draw(painter, whole, seen)
    if min(cell.width(), cell.height()) >= _GRID_FROM:
        _paint_grid(painter, frame, pane, palette)
    _paint_found(painter, scene, pane, palette)
    if scene.chosen is not None:
        _ring(painter, frame, frame.cell_rect(*scene.chosen, pane), (palette.accent, palette.surface))
    painter.restore()


def _paint_grid(painter: QPainter, frame: Frame, pane: int, palette: Palette) -> None:
    line, seen, whole, cell = QColor(palette.surface), frame.seen(pane), frame.whole(pane), frame.cell
    for column in frame.columns_seen()[1:]:
        painter.fillRect(QRectF(whole.left() + column * cell.width() - 1, seen.top(), 1, seen.height()), line)
    for row in frame.rows_seen()[1:]:
        painter.fillRect(QRectF(seen.left(), whole.top() + row * cell.height() - 1, seen.width(), 1), line)


def _paint_found(painter: QPainter, scene: Scene, pane: int, palette: Palette) -> None:
    """Lines on both sides of the rows and columns that a search found; one where they are thin."""
    frame, accent = scene.frame, QColor(palette.accent)
    seen, cell, whole = frame.seen(pane), frame.cell, frame.whole(pane)
    for row in scene.found[0]:
        y = whole.top() + row * cell.height()
        for edge in (y - 1, y + cell.height() - 1) if cell.height() >= _RING_FROM else (y,):
            painter.fillRect(QRectF(seen.left(), edge, seen.width(), 1.5), accent)
    for column in scene.found[1]:
        x = whole.left() + column * cell.width()
        for edge in (x - 1, x + cell.width() - 1) if cell.width() >= _RING_FROM else (x,):
            painter.fillRect(QRectF(edge, seen.top(), 1.5, seen.height()), accent)


def _ring(painter: QPainter, frame: Frame, cell: QRectF, colours: tuple[str, str]) -> None:
    """Two rings: one of them stands out from whatever colour lies under it."""
    if min(frame.cell.width(), frame.cell.height()) < _RING_FROM:
        cell = QRectF(cell.center() - QPointF(3, 3), cell.center() + QPointF(3, 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, inset in zip(colours, (-1, 1), strict=True):
        painter.setPen(QPen(QColor(colour), 2, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(cell.adjusted(inset, inset, -inset - 1, -inset - 1))


def _paint_problem(painter: QPainter, plot: QRectF, problem: MatrixResult | UserError, palette: Palette) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.drawRect(plot.adjusted(0.5, 0.5, -0.5, -0.5))
    if not isinstance(problem, UserError):
        return
    flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
    room = plot.adjusted(SPACE_3, 0, -SPACE_3, 0)
    half = room.center().y()
    painter.setFont(body_font(TYPE_BODY))
    painter.setPen(QColor(palette.text))
    bottom = int(Qt.AlignmentFlag.AlignBottom)
    painter.drawText(
        QRectF(room.left(), plot.top(), room.width(), half - plot.top() - 4), flags | bottom, problem.message
    )
    painter.setFont(body_font(TYPE_SMALL))
    painter.setPen(QColor(palette.muted))
    painter.drawText(QRectF(room.left(), half + 4, room.width(), plot.bottom() - half - 4), flags, problem.hint)


def paint_words(painter: QPainter, scene: Scene, pointed: tuple[int, int] | None, palette: Palette) -> None:
    """The names of rows and columns; those of the cell pointed at stand out."""
    paint_names(painter, scene.frame, scene.board.words, scene.board.columns, palette, scene.found, pointed)


# -- the cell pointed at


def paint_pointed(painter: QPainter, scene: Scene, cell: tuple[int, int], palette: Palette) -> None:
    """In all panes the same cell: lines along its row and column, its numbers below."""
    frame = scene.frame
    line = QColor(palette.text)
    line.setAlpha(110)
    for pane, shown in enumerate(scene.board.panes):
        if isinstance(shown, UserError):
            continue
        seen, here = frame.seen(pane), frame.cell_rect(*cell, pane)
        painter.save()
        painter.setClipRect(seen)
        middle = here.center()
        painter.fillRect(QRectF(seen.left(), middle.y() - 0.5, here.left() - seen.left(), 1), line)
        painter.fillRect(QRectF(here.right(), middle.y() - 0.5, seen.right() - here.right(), 1), line)
        painter.fillRect(QRectF(middle.x() - 0.5, seen.top(), 1, here.top() - seen.top()), line)
        painter.fillRect(QRectF(middle.x() - 0.5, here.bottom(), 1, seen.bottom() - here.bottom()), line)
        _ring(painter, frame, here, (palette.text, palette.surface))
        painter.restore()
        _paint_strip(painter, frame, pane, strip(shown, cell), palette)


def _paint_strip(painter: QPainter, frame: Frame, pane: int, parts: tuple[str, str], palette: Palette) -> None:
    plot, top = frame.plots[pane], frame.seen(pane).bottom() + 1
    if not frame.strip:
        return
    bold = body_font(TYPE_SMALL, bold=True, tabular=True)
    metrics = QFontMetricsF(bold)
    painter.setFont(bold)
    painter.setPen(QColor(palette.text))
    flags = Qt.AlignmentFlag.AlignVCenter
    area = QRectF(plot.left(), top, plot.width(), frame.strip - 2)
    painter.drawText(area, flags, metrics.elidedText(painted(parts[0]), Qt.TextElideMode.ElideRight, area.width()))
    used = metrics.horizontalAdvance(parts[0]) + SPACE_3
    plain = body_font(TYPE_SMALL, tabular=True)
    painter.setFont(plain)
    painter.setPen(QColor(palette.muted))
    rest = QFontMetricsF(plain).elidedText(painted(parts[1]), Qt.TextElideMode.ElideRight, max(area.width() - used, 0))
    painter.drawText(area.adjusted(used, 0, 0, 0), flags, rest)
