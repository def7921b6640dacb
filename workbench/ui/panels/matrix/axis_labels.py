"""Row and column labels of the matrices, thinned out to stay readable."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_2, TYPE_BODY, TYPE_SMALL, Palette, body_font
from workbench.ui.panels.matrix.grid_geometry import HEAD, GridFrame, room_for_names

# Names lean by 60°. A line is labelled from this height on, in smaller letters if necessary.
LEAN, _LINE = 60, 9.0
_SMALLEST = 9
# Distance at which a bold name covers other names.
_TOUCH = 13.0
_MOST_LEFT, _MOST_TOP = 130.0, 90.0
_MEASURED = 40


# Sizes of names, from those for the smallest cells to those for large ones.
NAME_SIZES = range(_SMALLEST, TYPE_BODY + 1)


def fitting_name_size(cell: QSizeF) -> int:
    """Size of names that are as high as a cell, within ``NAME_SIZES``."""
    size = math.floor(cell.height() / scaled_length(1.0))
    return min(max(size, NAME_SIZES[0]), NAME_SIZES[-1])


def label_margins(
    words: Sequence[str], columns: Sequence[str], size: int = TYPE_SMALL
) -> tuple[float, float, float]:
    """Margins for labels of a font size, including bold ones, up to their maximums."""
    metrics = QFontMetricsF(body_font(size, bold=True))

    def longest(names: Sequence[str]) -> float:
        # The widest name in pixels is among those with the most letters.
        return max(
            (metrics.horizontalAdvance(name) for name in sorted(names, key=len)[-_MEASURED:]),
            default=40.0,
        )

    return room_for_names(
        min(longest(words), scaled_length(_MOST_LEFT)),
        min(longest(columns), scaled_length(_MOST_TOP)),
        LEAN,
        metrics.height(),
    )


def labelled_lines(seen: range, pitch: float, always: Collection[int]) -> list[int]:
    """Numbers of the visible lines, ``pitch`` apart, to label: as many as are readable, and always
    those in ``always``.
    """
    stride = _stride(pitch)
    kept = [line for line in always if line in seen]
    first = seen.start + -seen.start % stride
    free = [
        n
        for n in range(first, seen.stop, stride)
        if all(abs(n - other) >= stride for other in kept)
    ]
    return sorted({*kept, *free})


def _stride(pitch: float) -> int:
    """Number of lines per name."""
    return max(1, math.ceil(scaled_length(_LINE) / pitch))


def paint_names(
    painter: QPainter,
    frame: GridFrame,
    words: Sequence[str],
    columns: Sequence[str],
    palette: Palette,
    found: tuple[Collection[int], Collection[int]],
    pointed: tuple[int, int] | None = None,
) -> None:
    """Paint labels beside the first pane of each row and above the first row of panes.

    found : rows and columns that a search found; pointed : row and column, in bold letters
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    cell = frame.cell
    pitch = cell.width() * math.sin(math.radians(LEAN))
    rows = labelled_lines(frame.visible_rows(), cell.height(), found[0])
    across = labelled_lines(frame.visible_columns(), cell.width(), found[1])
    row, column = pointed if pointed is not None else (None, None)
    rooms = cell.height() * _stride(cell.height()), pitch * _stride(cell.width())
    # Names are no larger than the margins allow.
    sizes = [min(math.floor(room / scaled_length(1.0)), frame.name_size) for room in rooms]
    set_pen = partial(_set_label_pen, painter, palette, frame.name_size)
    row_pen = partial(set_pen, sizes[0], (found[0], row))
    column_pen = partial(set_pen, sizes[1], (found[1], column))
    for pane in range(len(frame.plots)):
        if pane % frame.across == 0:
            _paint_lines(
                rows,
                cell.height(),
                row,
                partial(_paint_row_label, painter, frame, pane, words),
                row_pen,
            )
        if pane < frame.across:
            _paint_lines(
                across,
                pitch,
                column,
                partial(_paint_column_label, painter, frame, pane, columns),
                column_pen,
            )


def _paint_lines(
    lines: list[int],
    pitch: float,
    pointed: int | None,
    write: Callable[[int], None],
    pen: Callable[[int], None],
) -> None:
    """Write all names except those that the bold name would cover."""
    if pointed is not None:
        lines = [line for line in lines if abs(line - pointed) * pitch >= _TOUCH] + [pointed]
    for line in lines:
        pen(line)
        write(line)


def _paint_row_label(
    painter: QPainter, frame: GridFrame, pane: int, words: Sequence[str], row: int
) -> None:
    """Paint the label of a row if it is visible."""
    plot = frame.plots[pane]
    y = frame.grid_rect(pane).top() + (row + 0.5) * frame.cell.height()
    if not plot.top() <= y <= plot.bottom():
        return
    text = painter.fontMetrics().elidedText(
        paintable_text(words[row]), Qt.TextElideMode.ElideRight, int(scaled_length(_MOST_LEFT))
    )
    # As high as the letters, whose descenders a fixed height would cut at large text sizes.
    half = painter.fontMetrics().height() / 2 + 1
    area = QRectF(0, y - half, plot.left() - SPACE_2, 2 * half)
    painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _paint_column_label(
    painter: QPainter, frame: GridFrame, pane: int, columns: Sequence[str], column: int
) -> None:
    """Paint the slanted label of a column if it is visible."""
    plot = frame.plots[pane]
    x = frame.grid_rect(pane).left() + (column + 0.5) * frame.cell.width()
    if not plot.left() <= x <= plot.right():
        return
    metrics = painter.fontMetrics()
    text = metrics.elidedText(
        paintable_text(columns[column]), Qt.TextElideMode.ElideRight, int(scaled_length(_MOST_TOP))
    )
    painter.save()
    painter.translate(x, plot.top() - SPACE_1)
    painter.rotate(-LEAN)
    painter.drawText(QPointF(0, metrics.ascent() / 2 - 1), text)
    painter.restore()


def _set_label_pen(
    painter: QPainter,
    palette: Palette,
    bold_size: int,
    size: int,
    marked: tuple[Collection[int], int | None],
    line: int,
) -> None:
    found, pointed = marked
    bold = line in found or line == pointed
    if bold:
        size = bold_size
    painter.setFont(body_font(max(size, _SMALLEST), bold=bold))
    colour = palette.muted
    if line in found:
        colour = palette.accent
    elif line == pointed:
        colour = palette.text
    painter.setPen(QColor(colour))


def paint_titles(
    painter: QPainter,
    frame: GridFrame,
    titles: Sequence[str],
    palette: Palette,
    size: int = TYPE_SMALL,
) -> None:
    """Paint the titles of the panes in place of their controls."""
    painter.setFont(body_font(size, bold=True))
    painter.setPen(QColor(palette.text))
    metrics = QFontMetricsF(painter.font())
    for head, plot, title in zip(frame.heads, frame.plots, titles, strict=True):
        area = QRectF(plot.left(), head.top(), head.right() - plot.left(), scaled_length(HEAD))
        text = metrics.elidedText(paintable_text(title), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
