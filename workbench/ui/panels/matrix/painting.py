"""Painting of the matrices: cells, hatching, marks, colour scales, and the cell under the
pointer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPaintEngine, QPainter, QPen

from workbench.analysis.matrix.board import Board
from workbench.analysis.matrix.values import MatrixResult
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import (
    SPACE_1,
    SPACE_2,
    SPACE_3,
    TYPE_BODY,
    TYPE_SMALL,
    Palette,
    body_font,
)
from workbench.ui.panels.matrix.axis_labels import paint_names
from workbench.ui.panels.matrix.grid_geometry import GridFrame
from workbench.ui.panels.matrix.hatching import paint_hatching
from workbench.ui.panels.matrix.image import MatrixImage
from workbench.ui.panels.matrix.readout import cell_texts
from workbench.ui.plots.colour_scale import Scale, number

_TICKS_FROM = 24.0
_NEVER, _UNKNOWN = tr("unobserved"), tr("unknown word")
_SWATCH, _LEAST_BAR, _LONGEST_BAR = 18.0, 40.0, 260.0
_GRID_FROM = 9.0
_RING_FROM = 5.0
# Pixels of an image in a vector file per pixel of the screen.
_DETAIL = 4.0


@dataclass
class MatrixScene:
    """The search results and the selection.

    found : rows and columns that a search found; chosen : the cell of the selected pair
    """

    frame: GridFrame
    board: Board
    pictures: list[MatrixImage | None]
    found: tuple[Collection[int], Collection[int]] = field(default=((), ()))
    chosen: tuple[int, int] | None = None


def paint_still(painter: QPainter, scene: MatrixScene, palette: Palette) -> None:
    """Paint the static parts: cells and scales."""
    frame = scene.frame
    for pane, (shown, picture) in enumerate(zip(scene.board.panes, scene.pictures, strict=True)):
        if isinstance(shown, UserError) or picture is None:
            _paint_problem(painter, frame.plots[pane], shown, palette)
            continue
        _paint_cells(painter, scene, pane, picture, palette)
        paint_bar(painter, frame, pane, picture, palette)


def _paint_cells(
    painter: QPainter, scene: MatrixScene, pane: int, picture: MatrixImage, palette: Palette
) -> None:
    engine, seen = painter.paintEngine(), scene.frame.visible_rect(pane)
    if engine is None or engine.type() == QPaintEngine.Type.Raster:
        _paint_cells_on(painter, scene, pane, picture, palette)
        return
    # SVG supports neither clips nor parts of images: cells are an image there, and names and scales
    # shapes.
    image = QImage((seen.size() * _DETAIL).toSize(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_DETAIL)
    inner = QPainter(image)
    inner.translate(-seen.topLeft())
    _paint_cells_on(inner, scene, pane, picture, palette)
    inner.end()
    painter.drawImage(seen, image)


def _paint_cells_on(
    painter: QPainter, scene: MatrixScene, pane: int, picture: MatrixImage, palette: Palette
) -> None:
    frame = scene.frame
    seen, whole, cell = frame.visible_rect(pane), frame.grid_rect(pane), frame.cell
    painter.save()
    painter.setClipRect(seen)
    if picture.unseen:
        paint_hatching(painter, seen, whole.topLeft(), palette)
    picture.draw_cells(painter, whole, seen)
    # Lines between pixels would hide the picture.
    if min(cell.width(), cell.height()) >= _GRID_FROM and not scene.board.picture:
        _paint_grid(painter, frame, pane, palette)
    _paint_found(painter, scene, pane, palette)
    if scene.chosen is not None:
        _paint_ring(
            painter, frame, frame.cell_rect(*scene.chosen, pane), (palette.accent, palette.surface)
        )
    painter.restore()


def _paint_grid(painter: QPainter, frame: GridFrame, pane: int, palette: Palette) -> None:
    line, seen, whole, cell = (
        QColor(palette.surface),
        frame.visible_rect(pane),
        frame.grid_rect(pane),
        frame.cell,
    )
    for column in frame.visible_columns()[1:]:
        painter.fillRect(
            QRectF(whole.left() + column * cell.width() - 1, seen.top(), 1, seen.height()), line
        )
    for row in frame.visible_rows()[1:]:
        painter.fillRect(
            QRectF(seen.left(), whole.top() + row * cell.height() - 1, seen.width(), 1), line
        )


def _paint_found(painter: QPainter, scene: MatrixScene, pane: int, palette: Palette) -> None:
    """Paint lines on both sides of matching rows and columns; one line if they are thin."""
    frame, accent = scene.frame, QColor(palette.accent)
    seen, cell, whole = frame.visible_rect(pane), frame.cell, frame.grid_rect(pane)
    for row in scene.found[0]:
        y = whole.top() + row * cell.height()
        for edge in (y - 1, y + cell.height() - 1) if cell.height() >= _RING_FROM else (y,):
            painter.fillRect(QRectF(seen.left(), edge, seen.width(), 1.5), accent)
    for column in scene.found[1]:
        x = whole.left() + column * cell.width()
        for edge in (x - 1, x + cell.width() - 1) if cell.width() >= _RING_FROM else (x,):
            painter.fillRect(QRectF(edge, seen.top(), 1.5, seen.height()), accent)


def _paint_ring(
    painter: QPainter, frame: GridFrame, cell: QRectF, colours: tuple[str, str]
) -> None:
    """Paint two rings, one of which contrasts with any colour."""
    if min(frame.cell.width(), frame.cell.height()) < _RING_FROM:
        cell = QRectF(cell.center() - QPointF(3, 3), cell.center() + QPointF(3, 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, inset in zip(colours, (-1, 1), strict=True):
        painter.setPen(QPen(QColor(colour), 2, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(cell.adjusted(inset, inset, -inset - 1, -inset - 1))


def _paint_problem(
    painter: QPainter, plot: QRectF, problem: MatrixResult | UserError, palette: Palette
) -> None:
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
        QRectF(room.left(), plot.top(), room.width(), half - plot.top() - 4),
        flags | bottom,
        problem.message,
    )
    painter.setFont(body_font(TYPE_SMALL))
    painter.setPen(QColor(palette.muted))
    painter.drawText(
        QRectF(room.left(), half + 4, room.width(), plot.bottom() - half - 4), flags, problem.hint
    )


def paint_words(
    painter: QPainter, scene: MatrixScene, pointed: tuple[int, int] | None, palette: Palette
) -> None:
    """Paint row and column labels, with those of the cell under the pointer highlighted."""
    paint_names(
        painter, scene.frame, scene.board.words, scene.board.columns, palette, scene.found, pointed
    )


# -- the cell under the pointer


def paint_pointed(
    painter: QPainter, scene: MatrixScene, cell: tuple[int, int], palette: Palette
) -> None:
    """Mark the same cell in all panes: lines along its row and column, its numbers below."""
    frame = scene.frame
    line = QColor(palette.text)
    line.setAlpha(110)
    for pane, shown in enumerate(scene.board.panes):
        if isinstance(shown, UserError):
            continue
        seen, here = frame.visible_rect(pane), frame.cell_rect(*cell, pane)
        painter.save()
        painter.setClipRect(seen)
        middle = here.center()
        painter.fillRect(QRectF(seen.left(), middle.y() - 0.5, here.left() - seen.left(), 1), line)
        painter.fillRect(
            QRectF(here.right(), middle.y() - 0.5, seen.right() - here.right(), 1), line
        )
        painter.fillRect(QRectF(middle.x() - 0.5, seen.top(), 1, here.top() - seen.top()), line)
        painter.fillRect(
            QRectF(middle.x() - 0.5, here.bottom(), 1, seen.bottom() - here.bottom()), line
        )
        _paint_ring(painter, frame, here, (palette.text, palette.surface))
        painter.restore()
        _paint_strip(painter, frame, pane, cell_texts(shown, cell), palette)


def _paint_strip(
    painter: QPainter, frame: GridFrame, pane: int, parts: tuple[str, str], palette: Palette
) -> None:
    if not frame.strip:
        return
    bold = body_font(TYPE_SMALL, bold=True, tabular=True)
    metrics = QFontMetricsF(bold)
    painter.setFont(bold)
    painter.setPen(QColor(palette.text))
    flags = Qt.AlignmentFlag.AlignVCenter
    area = frame.strip_place(pane)
    painter.drawText(
        area,
        flags,
        metrics.elidedText(paintable_text(parts[0]), Qt.TextElideMode.ElideRight, area.width()),
    )
    used = metrics.horizontalAdvance(parts[0]) + SPACE_3
    plain = body_font(TYPE_SMALL, tabular=True)
    painter.setFont(plain)
    painter.setPen(QColor(palette.muted))
    rest = QFontMetricsF(plain).elidedText(
        paintable_text(parts[1]), Qt.TextElideMode.ElideRight, max(area.width() - used, 0)
    )
    painter.drawText(area.adjusted(used, 0, 0, 0), flags, rest)


def paint_bar(
    painter: QPainter, frame: GridFrame, pane: int, picture: MatrixImage, palette: Palette
) -> None:
    """Paint the colour scale with values and unit, and the legend of hatching and unknown words."""
    plot = frame.scale_place(pane)
    top = plot.top()
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    metrics = QFontMetricsF(painter.font())
    ends = _end_labels(picture.scale) if frame.bar < scaled_length(_TICKS_FROM) else ("", "")
    beside = [metrics.horizontalAdvance(text) + SPACE_1 if text else 0.0 for text in ends]
    name = {tr("no unit"): "", "nats": tr("nats")}.get(picture.scale.unit, picture.scale.unit)
    marks = [
        text for wanted, text in ((picture.unseen, _NEVER), (picture.unknown, _UNKNOWN)) if wanted
    ]
    # Without enough room, the unit is left out first: the line below the matrices shows it, too.
    after, room, unit, legends = 0.0, 0.0, name, marks
    for unit, legends in (
        (name, marks),
        ("", marks),
        (name, marks[:1]),
        ("", marks[:1]),
        (name, []),
    ):
        after = metrics.horizontalAdvance(unit) + SPACE_2 if unit else 0.0
        taken = sum(
            metrics.horizontalAdvance(text) + scaled_length(_SWATCH) + SPACE_3 for text in legends
        )
        room = plot.width() - after - taken - sum(beside)
        if room >= scaled_length(_LEAST_BAR):
            break
    line = top
    if frame.beside:
        # The scale has a line of its own.
        unit, legends, room, line = name, marks, plot.width(), top + frame.bar
    bar = QRectF(plot.left() + beside[0], top, min(room, scaled_length(_LONGEST_BAR)), 10)
    if bar.width() < 10:
        return
    table = picture.scale.colours(palette)
    colours = QImage(
        np.ascontiguousarray(table).tobytes(), 256, 1, 768, QImage.Format.Format_RGB888
    ).copy()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(bar, colours)
    painter.setPen(QColor(palette.muted))
    left, flags = bar.right() + SPACE_2 + beside[1], Qt.AlignmentFlag.AlignVCenter
    if frame.beside:
        left = plot.left()
    if unit:
        painter.drawText(QRectF(left, line - 3, after, scaled_length(16)), flags, unit)
        left += after
    for text in legends:
        left += SPACE_2
        _paint_swatch(painter, QRectF(left, line - 1, 12, 12), text, palette)
        left += scaled_length(_SWATCH)
        wide = metrics.horizontalAdvance(text) + 2
        painter.setPen(QColor(palette.muted))
        painter.drawText(QRectF(left, line - 3, wide, scaled_length(16)), flags, text)
        left += wide
    if any(ends):
        painter.drawText(QRectF(plot.left(), top - 3, beside[0], scaled_length(16)), flags, ends[0])
        painter.drawText(
            QRectF(bar.right() + SPACE_1, top - 3, beside[1] + 2, scaled_length(16)), flags, ends[1]
        )
    else:
        _paint_ticks(painter, bar, picture.scale, palette)


def _end_labels(scale: Scale) -> tuple[str, str]:
    """Labels of the first and the last colour."""
    low, high = number(scale.low, 2), number(scale.high, 2)
    if scale.clipped:
        return (f"≤ {low}" if scale.centre0 else low), f"≥ {high}"
    return low, high


def _paint_swatch(painter: QPainter, box: QRectF, text: str, palette: Palette) -> None:
    painter.save()
    painter.setClipRect(box)
    if text == _NEVER:
        paint_hatching(painter, box, box.topLeft(), palette)
    else:
        painter.fillRect(box, QColor(palette.raised))
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def _paint_ticks(painter: QPainter, strip_: QRectF, scale: Scale, palette: Palette) -> None:
    metrics = QFontMetricsF(painter.font())
    ticks = scale.ticks(max(3, min(8, int(strip_.width() / 34))))
    if scale.clipped:
        low, high = _end_labels(scale)
        ticks = [tick for tick in ticks if 0.15 < tick[0] < 0.85 or tick[0] == 0]
        ticks.append((1.0, high))
        if scale.centre0:
            ticks.insert(0, (0.0, low))
    drawn: list[tuple[float, float]] = []
    # The ends say which values share a colour, so other numbers give way to them.
    for share, text in sorted(ticks, key=lambda tick: 0.0 < tick[0] < 1.0):
        x = strip_.left() + share * strip_.width()
        wide = metrics.horizontalAdvance(text)
        left = min(max(x - wide / 2, strip_.left()), max(strip_.right() - wide, strip_.left()))
        painter.fillRect(QRectF(x - 0.5, strip_.bottom(), 1, 3), QColor(palette.muted))
        if any(left < end + 4 and start < left + wide + 4 for start, end in drawn):
            continue
        drawn.append((left, left + wide))
        painter.drawText(
            QRectF(left, strip_.bottom() + 2, wide + 1, scaled_length(16)),
            Qt.AlignmentFlag.AlignVCenter,
            text,
        )
