"""Painting of W × Cᵀ = M and of the target on one colour scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from workbench.analysis.theory.factors import Factors
from workbench.core.arrays import Doubles
from workbench.core.language import plural, tr
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import true_minus
from workbench.ui.base.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.plots.colour_scale import diverging_colours
from workbench.ui.plots.frame import Frame

# Panes, in this order.
MODEL, TARGET, W, C = range(4)
_MARGIN, _GAP, _CAPTION, _LEGEND = 8.0, 18.0, 18.0, 22.0
_LABELS = 74.0
_LEAST_ROW = 11.0  # rows lower than this have no names
_SIDE = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, eq=False)
class Heatmap:
    """A matrix with its title; ``most`` is the absolute value with the strongest colour."""

    title: str
    values: Doubles
    most: float

    def image(self, palette: Palette) -> QImage:
        """One pixel per cell, diverging around 0; NaN is the colour of unobserved pairs."""
        table = diverging_colours(palette)
        known = np.isfinite(self.values)
        shares = np.where(known, self.values, 0.0) / (2 * (self.most or 1.0)) + 0.5
        pixels = np.full((*self.values.shape, 4), 255, dtype=np.uint8)
        pixels[..., :3] = table[np.clip(shares * 255, 0, 255).astype(np.intp)]
        never = QColor(palette.unobserved)
        pixels[~known, :3] = (never.red(), never.green(), never.blue())
        height, width = self.values.shape
        kind = QImage.Format.Format_RGBA8888
        return QImage(pixels.tobytes(), width, height, 4 * width, kind).copy()


def factor_heatmaps(found: Factors, titles: tuple[str, str]) -> list[Heatmap]:
    """Heatmaps of all panes; ``titles`` are those of the model’s matrix and of the target."""
    both = np.concatenate([found.model.ravel(), found.target.ravel()])
    square = _colour_limit(both[np.isfinite(both)], 0.995)
    dimensions = tr("W, {dimensions}", dimensions=plural(found.W.shape[1], "dimension"))
    return [
        Heatmap(titles[0], found.model, square),
        Heatmap(titles[1], found.target, square),
        Heatmap(dimensions, found.W, _colour_limit(found.W)),
        Heatmap(tr("Cᵀ, contexts"), found.C.T, _colour_limit(found.C)),
    ]


def _colour_limit(values: npt.NDArray[np.float64], share: float = 0.99) -> float:
    if values.size:
        return float(np.quantile(np.abs(values), share))
    return 1.0


def factor_areas(room: QRectF, *, contexts: bool) -> list[QRectF]:
    """Areas of all panes: W left of M, Cᵀ above M, the target right of M. Without context vectors,
    Cᵀ has one line.
    """
    room = room.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    gap, caption, labels = (scaled_length(length) for length in (_GAP, _CAPTION, _LABELS))
    across = (room.width() - labels - 2 * gap) / 2.62
    down = (room.height() - 2 * caption - gap - scaled_length(_LEGEND)) / 1.5
    side = max(min(across, down), 40.0)
    wide = 0.62 * side
    spare = room.width() - (labels + wide + gap + side + gap + side)
    left = room.left() + max(spare / 2, 0.0) + labels
    right = left + wide + gap
    above = QRectF(right, room.top() + caption, side, 1.0)
    top = above.top()
    if contexts:
        above.setHeight(0.5 * side)
        top = above.bottom() + caption + 4
    return [
        QRectF(right, top, side, side),
        QRectF(right + side + gap, top, side, side),
        QRectF(left, top, wide, side),
        above,
    ]


def cell_box(frame: Frame, left: float, top: float, right: float, bottom: float) -> QRectF:
    """Rectangle between columns and rows; rows are counted downwards."""
    return QRectF(frame.place(left, -top), frame.place(right, -bottom))


def paint_heatmap(painter: QPainter, frame: Frame, image: QImage, colours: Palette) -> None:
    """Paint the visible cells."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    (left, right), (bottom, top) = frame.x_range, frame.y_range
    painter.drawImage(frame.area, image, QRectF(left, -top, right - left, top - bottom))
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(frame.area)


def paint_captions(
    painter: QPainter, frames: Sequence[Frame], heatmaps: Sequence[Heatmap], colours: Palette
) -> None:
    """Paint titles, the signs between the matrices, and the legend."""
    painter.setFont(body_font(TYPE_SMALL, bold=True))
    painter.setPen(QColor(colours.muted))
    metrics = QFontMetricsF(painter.font())
    high = scaled_length(_CAPTION)
    for frame, heatmap in zip(frames, heatmaps, strict=True):
        if not heatmap.values.size:
            continue
        area = frame.area
        box = QRectF(area.left(), area.top() - high, area.width(), high - 2)
        side = Qt.AlignmentFlag.AlignLeft
        if frame.number == W and metrics.horizontalAdvance(heatmap.title) > area.width():
            # The area is narrow with few dimensions; above the labels beside it there is room.
            box.setLeft(area.left() - scaled_length(_LABELS))
            side = Qt.AlignmentFlag.AlignRight
        title = paintable_text(heatmap.title)
        text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)
    model, target, left = (frames[number].area for number in (MODEL, TARGET, W))
    for area, other, sign in ((left, model, "×"), (model, target, "≈")):
        box = QRectF(area.right(), area.top(), other.left() - area.right(), area.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)
    start = QPointF(left.left(), model.bottom() + 6)
    _paint_legend(painter, start, heatmaps[MODEL].most, colours)


def _paint_legend(painter: QPainter, start: QPointF, most: float, palette: Palette) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setFont(body_font(TYPE_SMALL))
    metrics = QFontMetricsF(painter.font())
    row = QRectF(start.x(), start.y(), 0, scaled_length(_LEGEND))
    for colour, text in (
        (QColor(palette.diverging[0]), tr("−{most:.1f} in both squares", most=most)),
        (QColor(palette.diverging[1]), "0"),
        (QColor(palette.diverging[2]), true_minus(f"{most:.1f}")),
        (QColor(palette.unobserved), tr("unobserved")),
    ):
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(colour)
        painter.drawRect(QRectF(row.left(), row.center().y() - 5, 10, 10))
        painter.setPen(QColor(palette.muted))
        row.setWidth(metrics.horizontalAdvance(text) + 18)
        painter.drawText(row.adjusted(16, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), text)
        row.translate(row.width() + 32, 0)


def paint_words(painter: QPainter, frame: Frame, words: Sequence[str], colours: Palette) -> None:
    """Paint the names of the visible rows beside them, as many as have room."""
    painter.setPen(QColor(colours.muted))
    painter.setFont(body_font(TYPE_SMALL))
    for row in range(0, len(words), _row_step(frame)):
        if frame.y_range[0] < -row - 0.5 < frame.y_range[1]:
            _paint_word(painter, frame, row, words[row])


def paint_marked_word(
    painter: QPainter, frame: Frame, words: Sequence[str], row: int, colours: Palette
) -> None:
    """Paint the name of a row in bold, over names that are too close to it."""
    if not frame.y_range[0] < -row - 0.5 < frame.y_range[1]:
        return
    step = _row_step(frame)
    above, below = row // step * step, -(-row // step) * step
    box = _word_box(frame, above).united(_word_box(frame, below))
    spare = scaled_length(2)
    painter.fillRect(box.adjusted(0, spare, 0, -spare), QColor(colours.ground))
    painter.setPen(QColor(colours.text))
    painter.setFont(body_font(TYPE_SMALL, bold=True))
    _paint_word(painter, frame, row, words[row])


def _row_step(frame: Frame) -> int:
    """Number of rows between two names."""
    high = frame.area.height() / (frame.y_range[1] - frame.y_range[0])
    return max(1, int(np.ceil(scaled_length(_LEAST_ROW) / max(high, 0.1))))


def _word_box(frame: Frame, row: int) -> QRectF:
    left = frame.area.left() - scaled_length(_LABELS)
    middle = float(frame.y(-row - 0.5))
    return QRectF(left, middle - scaled_length(8), scaled_length(_LABELS) - 6, scaled_length(16))


def _paint_word(painter: QPainter, frame: Frame, row: int, word: str) -> None:
    box, metrics = _word_box(frame, row), QFontMetricsF(painter.font())
    elide = Qt.TextElideMode.ElideRight
    painter.drawText(box, _SIDE, metrics.elidedText(paintable_text(word), elide, box.width() - 2))
