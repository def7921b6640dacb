"""Painting of the density of scores against targets, with a strip of the unobserved pairs."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from workbench.analysis.theory.target_what_if import Look
from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_SMALL, Palette, body_font
from workbench.ui.plots.frame import Frame

# Height of the marginal distribution above the density, width of the strip beside it, and the gaps
# between them, in pixels.
MARGINAL, STRIP, GAP = 40.0, 46.0, 10.0
# Colours of few to many pairs, on light and on dark grounds.
_DENSITY = {
    False: ("#E3EAF2", "#A3C1DE", "#4C86BC", "#1B4F8C", "#0B2447"),
    True: ("#272F3A", "#34506F", "#4A82B8", "#8EBDE6", "#E2F0FD"),
}
_CHANNELS = ("red", "green", "blue")


def density_image(histogram: npt.NDArray[np.int64], palette: Palette) -> QImage:
    """Image with one pixel per cell, by the logarithm of its pairs; cells without pairs are
    transparent.
    """
    table = _density_colours(palette)
    shares = np.log1p(histogram[::-1]) / max(float(np.log1p(histogram.max())), 1e-9)
    pixels = np.zeros((*histogram.shape, 4), dtype=np.uint8)
    pixels[..., :3] = table[(shares * (len(table) - 1)).astype(np.intp)]
    pixels[..., 3] = np.where(histogram[::-1] > 0, 255, 0)
    height, width = histogram.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


def _density_colours(palette: Palette) -> npt.NDArray[np.uint8]:
    """uint8[256, 3], from near the colour of the ground to far from it: cells with few pairs are
    faint.
    """
    stops = _DENSITY[palette.dark]
    channels = [[getattr(QColor(stop), name)() for stop in stops] for name in _CHANNELS]
    shares, known = np.linspace(0.0, 1.0, 256), np.linspace(0.0, 1.0, len(stops))
    table = [np.interp(shares, known, channel) for channel in channels]
    return np.stack(table, axis=1).round().astype(np.uint8)


def paint_density(
    painter: QPainter, frame: Frame, look: Look, palette: Palette, noise: float = 0.0
) -> None:
    """Paint the density, the marginal distribution of the targets above it, and the scores of the
    unobserved pairs beside it. noise : of targets, in nats; the grey band around the diagonal
    reaches twice as far
    """
    found, plot = look.fit, frame.area
    painter.save()
    painter.setClipRect(plot)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    whole = QRectF(frame.place(found.low, found.high), frame.place(found.high, found.low))
    painter.drawImage(whole, density_image(found.histogram, palette))
    if noise > 0:
        _paint_noise(painter, frame, (found.low, found.high), 2 * noise, palette)
    ends = frame.place(found.low, found.low), frame.place(found.high, found.high)
    painter.setPen(QPen(QColor(palette.surface), 3.0))
    painter.drawLine(*ends)
    painter.setPen(QPen(QColor(palette.text), 1.2, Qt.PenStyle.DashLine))
    painter.drawLine(*ends)
    painter.restore()
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)
    _paint_marginal(painter, frame, look, palette)
    _paint_strip(painter, frame, look, palette)


def _paint_noise(
    painter: QPainter, frame: Frame, ends: tuple[float, float], reach: float, palette: Palette
) -> None:
    """Paint a grey band around the diagonal, with thin edges."""
    low, high = ends
    grey = QColor(palette.muted)
    grey.setAlphaF(0.2)
    corners = [(low, low + reach), (high, high + reach), (high, high - reach), (low, low - reach)]
    painter.setPen(QPen(QColor(palette.muted), 1))
    painter.setBrush(grey)
    painter.drawPolygon(QPolygonF([frame.place(x, y) for x, y in corners]))


def _paint_marginal(painter: QPainter, frame: Frame, look: Look, palette: Palette) -> None:
    """Paint the number of pairs by target: filled for the current settings, as a line for the
    model's own.
    """
    found, plot, high = look.fit, frame.area, scaled_length(MARGINAL)
    area = QRectF(plot.left(), plot.top() - high - 4, plot.width(), high)
    now, own = found.histogram.sum(axis=0), look.own
    most = max(int(now.max()), 1)
    if own is not None:
        most = max(most, int(own.max()))
    edges = frame.x(np.linspace(found.low, found.high, len(now) + 1))
    painter.save()
    painter.setClipRect(area)
    fill = QColor(palette.accent)
    fill.setAlphaF(0.35)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPolygon(_steps(edges, area.bottom() - now / most * high, area.bottom()))
    if own is not None:
        painter.setPen(QPen(QColor(palette.text), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_steps(edges, area.bottom() - own / most * high))
    painter.restore()


def _paint_strip(painter: QPainter, frame: Frame, look: Look, palette: Palette) -> None:
    """Paint the scores of the unobserved pairs, which have no target, on the axis of scores."""
    plot, wide = frame.area, scaled_length(STRIP)
    area = QRectF(plot.left() - GAP - wide, plot.top(), wide, plot.height())
    painter.save()
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    painter.setPen(QColor(palette.muted))
    under = QRectF(area.left() - 12, area.bottom() + 5, area.width() + 24, scaled_length(32))
    painter.drawText(under, int(Qt.AlignmentFlag.AlignHCenter), tr("unob-\nserved"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.raised))
    painter.drawRect(area)
    unseen = look.fit.unseen
    if unseen.max():
        painter.setClipRect(area)
        edges = frame.y(np.linspace(look.fit.low, look.fit.high, len(unseen) + 1))
        ends = area.left() + unseen / unseen.max() * (area.width() - 2)
        outline = _steps(edges, ends, area.left()).toList()
        painter.setBrush(QColor(palette.point))
        painter.drawPolygon(QPolygonF([QPointF(point.y(), point.x()) for point in outline]))
    painter.restore()


def _steps(edges: Doubles, heights: Doubles, ground: float = math.nan) -> QPolygonF:
    """The outline of bars between edges, closed at both ends if ``ground`` is given."""
    places = np.repeat(edges, 2)[1:-1].tolist()
    points = [QPointF(x, y) for x, y in zip(places, np.repeat(heights, 2).tolist(), strict=True)]
    if not math.isnan(ground):
        points = [QPointF(places[0], ground), *points, QPointF(places[-1], ground)]
    return QPolygonF(points)
