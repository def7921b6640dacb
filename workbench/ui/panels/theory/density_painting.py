"""Painting of the density of scores against targets, with a strip of the unobserved pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from workbench.analysis.theory.target_what_if import Look
from workbench.core.language import tr
from workbench.ui.plots.ticks import nice_ticks
from workbench.ui.scaling import scaled_length
from workbench.ui.text import MINUS, mark_unknown
from workbench.ui.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.widgets.charts.colour_scale import sequential_colours

_LEFT, _BOTTOM, _RIGHT, _TOP = 50.0, 40.0, 10.0, 6.0
_MARGINAL, _STRIP, _GAP = 40.0, 46.0, 10.0


@dataclass(frozen=True)
class DensityFrame:
    """Rectangles of the density, the marginal distribution of the target above it, and the strip
    beside it.
    """

    low: float
    high: float
    plot: QRectF
    marginal: QRectF
    strip: QRectF

    @classmethod
    def inside(cls, room: QRectF, low: float, high: float) -> DensityFrame:
        inner = room.adjusted(
            scaled_length(_LEFT) + scaled_length(_STRIP) + _GAP,
            scaled_length(_TOP) + scaled_length(_MARGINAL) + 4,
            -scaled_length(_RIGHT),
            -scaled_length(_BOTTOM),
        )
        plot = QRectF(
            inner.left(), inner.top(), max(inner.width(), 20.0), max(inner.height(), 20.0)
        )
        marginal = QRectF(
            plot.left(), room.top() + scaled_length(_TOP), plot.width(), scaled_length(_MARGINAL)
        )
        strip = QRectF(
            room.left() + scaled_length(_LEFT), plot.top(), scaled_length(_STRIP), plot.height()
        )
        return cls(low, high, plot, marginal, strip)

    def place_of(self, target: float, score: float) -> QPointF:
        """Pixels of a pair, clamped to the ends of the axes."""
        x, y = (
            min(max((v - self.low) / (self.high - self.low), 0.0), 1.0) for v in (target, score)
        )
        return QPointF(
            self.plot.left() + x * self.plot.width(), self.plot.bottom() - y * self.plot.height()
        )

    def cell(self, place: QPointF, bins: int) -> tuple[int, int] | None:
        """(column, row) of the histogram's cell at a place, rows from the lowest score up."""
        if not self.plot.contains(place):
            return None
        column = int((place.x() - self.plot.left()) / self.plot.width() * bins)
        row = int((self.plot.bottom() - place.y()) / self.plot.height() * bins)
        return min(max(column, 0), bins - 1), min(max(row, 0), bins - 1)


def density_image(histogram: npt.NDArray[np.int64], palette: Palette) -> QImage:
    """One pixel a cell, by the logarithm of its pairs; cells without any are clear."""
    table = sequential_colours()
    # Its darkest colours would be lost on a dark ground, its lightest on a light one.
    table = table[56:] if palette.dark else table[:232][::-1]
    shares = np.log1p(histogram[::-1]) / max(float(np.log1p(histogram.max())), 1e-9)
    pixels = np.zeros((*histogram.shape, 4), dtype=np.uint8)
    pixels[..., :3] = table[(shares * (len(table) - 1)).astype(np.intp)]
    pixels[..., 3] = np.where(histogram[::-1] > 0, 255, 0)
    height, width = histogram.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def paint_density(
    painter: QPainter, room: QRectF, look: Look, labels: tuple[str, str], palette: Palette
) -> None:
    """labels : of the target's axis and of the scores'."""
    found = look.fit
    frame = DensityFrame.inside(room, found.low, found.high)
    plot = frame.plot
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    _paint_axes(painter, frame, labels, palette)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(plot, density_image(found.histogram, palette))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(palette.text), 1.2, Qt.PenStyle.DashLine))
    painter.drawLine(frame.place_of(found.low, found.low), frame.place_of(found.high, found.high))
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)
    _paint_marginal(painter, frame, found.histogram.sum(axis=0), look.own, palette)
    _paint_strip(painter, frame, found.unseen, palette)


def _paint_axes(
    painter: QPainter, frame: DensityFrame, labels: tuple[str, str], palette: Palette
) -> None:
    plot, muted, line = frame.plot, QColor(palette.muted), QPen(QColor(palette.line), 1)
    middle = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    side = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for value in nice_ticks(frame.low, frame.high, max(int(plot.width() / 56), 2)):
        x = frame.place_of(value, frame.low).x()
        painter.setPen(line)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + 4))
        painter.setPen(muted)
        painter.drawText(
            QRectF(x - scaled_length(30), plot.bottom() + 5, scaled_length(60), scaled_length(15)),
            middle,
            _format_number(value),
        )
    for value in nice_ticks(frame.low, frame.high, max(int(plot.height() / 36), 2)):
        y = frame.place_of(frame.low, value).y()
        painter.setPen(line)
        painter.drawLine(QPointF(frame.strip.left() - 3, y), QPointF(plot.right(), y))
        painter.setPen(muted)
        painter.drawText(
            QRectF(
                frame.strip.left() - scaled_length(40),
                y - scaled_length(8),
                scaled_length(34),
                scaled_length(16),
            ),
            side,
            _format_number(value),
        )
    painter.setPen(muted)
    painter.drawText(
        QRectF(plot.left(), plot.bottom() + scaled_length(20), plot.width(), scaled_length(17)),
        middle,
        labels[0],
    )
    under = QRectF(frame.strip.left() - 12, plot.bottom() + 5, frame.strip.width() + 24, 32)
    painter.drawText(under, middle, tr("never\nmet"))
    painter.save()
    painter.translate(frame.strip.left() - scaled_length(_LEFT) + 1, plot.center().y())
    painter.rotate(-90)
    painter.drawText(
        QRectF(-plot.height() / 2, 0, plot.height(), scaled_length(16)), middle, labels[1]
    )
    painter.restore()


def _paint_marginal(
    painter: QPainter,
    frame: DensityFrame,
    now: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64] | None,
    palette: Palette,
) -> None:
    """How many pairs have their target where: filled now, as a line under the model's own
    settings.
    """
    area = frame.marginal
    most = max(int(now.max()), int(own.max()) if own is not None else 0, 1)
    fill = QColor(palette.accent)
    fill.setAlphaF(0.35)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPolygon(_step_polygon(area, now / most, closed=True))
    if own is not None:
        painter.setPen(QPen(QColor(palette.text), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_step_polygon(area, own / most, closed=False))


def _step_polygon(area: QRectF, shares: npt.NDArray[np.float64], *, closed: bool) -> QPolygonF:
    edges = np.repeat(np.linspace(area.left(), area.right(), len(shares) + 1), 2)[1:-1]
    heights = area.bottom() - np.repeat(shares, 2) * area.height()
    points = [QPointF(x, y) for x, y in zip(edges.tolist(), heights.tolist(), strict=True)]
    ends = points
    if closed:
        ends = [area.bottomLeft(), *points, area.bottomRight()]
    return QPolygonF(ends)


def _paint_strip(
    painter: QPainter, frame: DensityFrame, unseen: npt.NDArray[np.int64], palette: Palette
) -> None:
    """Paint the scores of the unobserved pairs, which have no target, on the axis of scores."""
    area = frame.strip
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.unobserved))
    painter.drawRect(area)
    if not unseen.max():
        return
    shares = unseen / unseen.max()
    edges = np.repeat(np.linspace(area.bottom(), area.top(), len(shares) + 1), 2)[1:-1]
    ends = area.left() + np.repeat(shares, 2) * (area.width() - 2)
    points = [QPointF(x, y) for x, y in zip(ends.tolist(), edges.tolist(), strict=True)]
    painter.setBrush(QColor(palette.point))
    painter.drawPolygon(QPolygonF([area.bottomLeft(), *points, area.topLeft()]))


@mark_unknown
def _format_number(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)
