"""Painting of W × Cᵀ = M and of the target on one colour scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from workbench.analysis.theory.factors import Factors
from workbench.core.language import tr
from workbench.ui.plain_text import paintable_text
from workbench.ui.scaling import scaled_length
from workbench.ui.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.widgets.charts.colour_scale import diverging_colours
from workbench.ui.widgets.charts.paint_kit import unobserved_colour

_GAP, _CAPTION, _LEGEND = 18.0, 18.0, 22.0
_LABELS = 74.0
_LEAST_ROW = 11.0  # rows lower than this have no names


@dataclass(frozen=True)
class MatrixPlaces:
    """Rectangles of the four matrices: W left of M, Cᵀ above M, the target right of M."""

    W: QRectF
    C: QRectF
    model: QRectF
    target: QRectF

    @classmethod
    def within(cls, room: QRectF, found: Factors) -> MatrixPlaces:
        side = min(
            (room.width() - scaled_length(_LABELS) - 2 * scaled_length(_GAP)) / 2.62,
            (
                room.height()
                - 2 * scaled_length(_CAPTION)
                - scaled_length(_GAP)
                - scaled_length(_LEGEND)
            )
            / 1.5,
        )
        side = max(side, 40.0)
        thin = 0.0
        if found.C.shape[1]:
            thin = 0.5 * side
        wide = 0.62 * side
        used = scaled_length(_LABELS) + wide + scaled_length(_GAP) + 2 * side + scaled_length(_GAP)
        left = room.left() + max((room.width() - used) / 2, 0.0) + scaled_length(_LABELS)
        top = (
            room.top()
            + scaled_length(_CAPTION)
            + thin
            + (scaled_length(_CAPTION) + 4 if thin else 0.0)
        )
        x = left + wide + scaled_length(_GAP)
        return cls(
            QRectF(left, top, wide, side),
            QRectF(x, room.top() + scaled_length(_CAPTION), side, thin),
            QRectF(x, top, side, side),
            QRectF(x + side + scaled_length(_GAP), top, side, side),
        )

    def cell(self, place: QPointF, found: Factors) -> tuple[int, int, int] | None:
        """(row, column, dimension) pointed at, −1 for what a matrix does not have; None beside
        them.
        """
        size, dims = len(found.words), found.W.shape[1]

        def at(area: QRectF, down: int, across: int) -> tuple[int, int]:
            row = int((place.y() - area.top()) / area.height() * down)
            column = int((place.x() - area.left()) / area.width() * across)
            return min(max(row, 0), down - 1), min(max(column, 0), across - 1)

        for area in (self.model, self.target):
            if area.contains(place):
                return (*at(area, size, size), -1)
        if self.W.contains(place):
            row, dimension = at(self.W, size, dims)
            return row, -1, dimension
        if self.C.height() and self.C.contains(place):
            dimension, column = at(self.C, found.C.shape[1], size)
            return -1, column, dimension
        return None


def matrix_image(values: npt.NDArray[np.float64], most: float, palette: Palette) -> QImage:
    """One pixel a cell, diverging around 0; NaN is the colour of what was never met."""
    table = diverging_colours(palette)
    known = np.isfinite(values)
    shares = np.where(known, values, 0.0) / (2 * (most or 1.0)) + 0.5
    pixels = np.full((*values.shape, 4), 255, dtype=np.uint8)
    pixels[..., :3] = table[np.clip(shares * 255, 0, 255).astype(np.intp)]
    never = unobserved_colour(palette)
    pixels[~known, :3] = (never.red(), never.green(), never.blue())
    height, width = values.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def paint_factors(
    painter: QPainter,
    room: QRectF,
    found: Factors,
    titles: tuple[str, str],
    palette: Palette,
    marked: int = -1,
) -> None:
    """titles : of the model's matrix and of the target; marked : a row whose name stands out, or
    −1.
    """
    places = MatrixPlaces.within(room, found)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    both = np.concatenate([found.model.ravel(), found.target.ravel()])
    both = np.abs(both[np.isfinite(both)])
    square = 1.0
    if len(both):
        square = float(np.quantile(both, 0.995))
    pictures = [
        (
            places.W,
            found.W,
            _colour_limit(found.W),
            tr("W, {value} dimensions", value=found.W.shape[1]),
        ),
        (places.model, found.model, square, titles[0]),
        (places.target, found.target, square, titles[1]),
    ]
    if places.C.height():
        pictures.append((places.C, found.C.T, _colour_limit(found.C), tr("Cᵀ, contexts")))
    painter.setFont(body_font(TYPE_SMALL, bold=True))
    metrics = QFontMetricsF(painter.font())
    for area, values, most, title in pictures:
        painter.drawImage(area, matrix_image(values, most, palette))
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        painter.setPen(QColor(palette.muted))
        box = QRectF(
            area.left(),
            area.top() - scaled_length(_CAPTION),
            area.width(),
            scaled_length(_CAPTION) - 2,
        )
        side = Qt.AlignmentFlag.AlignLeft
        if area is places.W and metrics.horizontalAdvance(title) > area.width():
            # Narrow where there are few dimensions; above the words beside it there is room.
            box.setLeft(area.left() - scaled_length(_LABELS))
            side = Qt.AlignmentFlag.AlignRight
        text = metrics.elidedText(paintable_text(title), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)
    for area, other, sign in ((places.W, places.model, "×"), (places.model, places.target, "≈")):
        box = QRectF(area.right(), area.top(), other.left() - area.right(), area.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), sign)
    _paint_words(painter, places.W, found.words, palette, marked)
    row = QRectF(
        places.W.left(),
        places.model.bottom() + 6,
        room.right() - places.W.left(),
        scaled_length(_LEGEND),
    )
    _paint_legend(painter, row, square, palette)


def _paint_legend(painter: QPainter, row: QRectF, most: float, palette: Palette) -> None:
    painter.setFont(body_font(TYPE_SMALL))
    metrics = QFontMetricsF(painter.font())
    left = row.left()
    for colour, text in (
        (QColor(palette.diverging[0]), tr("−{most:.1f} in both squares", most=most)),
        (QColor(palette.diverging[1]), "0"),
        (QColor(palette.diverging[2]), f"{most:.1f}"),
        (unobserved_colour(palette), tr("never met")),
    ):
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(colour)
        painter.drawRect(QRectF(left, row.center().y() - 5, 10, 10))
        painter.setPen(QColor(palette.muted))
        wide = metrics.horizontalAdvance(text) + 2
        painter.drawText(
            QRectF(left + 16, row.top(), wide, row.height()),
            int(Qt.AlignmentFlag.AlignVCenter),
            text,
        )
        left += wide + 34
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _colour_limit(values: npt.NDArray[np.float64]) -> float:
    if values.size:
        return float(np.quantile(np.abs(values), 0.99))
    return 1.0


def _paint_words(
    painter: QPainter, area: QRectF, words: tuple[str, ...], palette: Palette, marked: int
) -> None:
    high = area.height() / max(len(words), 1)
    step = max(1, int(np.ceil(scaled_length(_LEAST_ROW) / max(high, 0.1))))
    side = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for row, word in enumerate(words):
        beside = marked >= 0 and abs(row - marked) < step
        if row != marked and (row % step or beside):
            continue
        painter.setFont(body_font(TYPE_SMALL, bold=row == marked))
        if row == marked:
            painter.setPen(QColor(palette.text))
        else:
            painter.setPen(QColor(palette.muted))
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(
            paintable_text(word), Qt.TextElideMode.ElideRight, scaled_length(_LABELS) - 8
        )
        box = QRectF(
            area.left() - scaled_length(_LABELS),
            area.top() + (row + 0.5) * high - scaled_length(8),
            scaled_length(_LABELS) - 6,
            scaled_length(16),
        )
        painter.drawText(box, side, text)
