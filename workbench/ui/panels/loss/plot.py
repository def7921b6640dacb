"""Plot of losses over the course of training, each curve ending in its name."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent

from workbench.core.arrays import Doubles
from workbench.core.language import tr
from workbench.ui.base.colours import on_paper
from workbench.ui.base.run_marks import draw_mark
from workbench.ui.base.scaling import body_font, scaled_length
from workbench.ui.base.text import decimal, exact_loss, short_number
from workbench.ui.base.theme import LIGHT, SPACE_1, SPACE_2, TYPE_SMALL, Palette, Theme
from workbench.ui.plots.end_names import (
    EndName,
    NamedCurve,
    draw_end_names,
    pattern_of,
    place_end_names,
    room_for_names,
)
from workbench.ui.plots.frame import Extent, Frame, axis_values
from workbench.ui.plots.painting import draw_readout, polygon_of
from workbench.ui.plots.pane import Pane, X, Y
from workbench.ui.plots.view import FigureView

# More points than this are averaged in groups: a line needs only as many points as the plot has
# pixels. Zooming in allows up to 2^_FINEST times as many.
_MOST_POINTS = 300
_FINEST = 5
# Maximum smoothing: the half-life of the average, as a share of the drawn points.
_STRONGEST = 0.05
# Maximum number of characters of a name beside its curve.
_LONGEST_NAME = 32
# From this number of curves on, all but the main one are thin and pale.
_CROWD = 5
# Maximum share of the plot's width for the names to the right of the curves.
_MOST_NAMES = 0.55
_LINE, _FAINT, _DOT = 2.0, 55, 3.5
_THIN_LINE, _PALE, _MAIN_LINE = 1.2, 165, 2.8


@dataclass(frozen=True, eq=False)
class LossCurve:
    """The curve of one run. x, y : float64[n], x ascending; colour as #RRGGBB; pattern
    distinguishes curves of the same colour; main is the active run; floor is the lowest value that
    y can reach, None if it isn’t known; gap is how far the run’s loss is above it; bound says that
    the floor is only a lower bound.
    """

    name: str
    colour: str
    x: Doubles
    y: Doubles
    pattern: int = 0
    main: bool = False
    floor: float | None = None
    gap: float | None = None
    bound: bool = False


@dataclass(frozen=True)
class Axes:
    """Quantities of the axes and whether they are logarithmic."""

    x_label: str
    log_x: bool = False
    log_y: bool = False


def thin_curve(values: Doubles, most: int = _MOST_POINTS) -> Doubles:
    """Means of groups of equal size, so that at most ``most`` remain; the last value stays
    unchanged.
    """
    if len(values) <= most:
        return values
    group = -(-len(values) // most)
    starts = np.arange(0, len(values), group)
    means = np.add.reduceat(values, starts) / np.diff(np.append(starts, len(values)))
    means[-1] = values[-1]
    return means


def smooth_curve(values: Doubles, strength: float) -> Doubles:
    """An exponential moving average, corrected for its initial bias.

    ``strength`` in 0..1 sets the half-life, from none to _STRONGEST of the points.
    """
    half_life = strength * strength * _STRONGEST * len(values)
    if half_life <= 0:
        return values
    keep = 0.5 ** (1.0 / half_life)
    result = np.empty_like(values)
    total = weight = 0.0
    for index, value in enumerate(values.tolist()):
        total = keep * total + value
        weight = keep * weight + 1.0
        result[index] = total / weight
    return result


@dataclass(frozen=True, eq=False)
class _Line:
    """A drawn curve. ``smooth`` is thinned and smoothed; ``y`` is only thinned."""

    curve: LossCurve
    smooth: NamedCurve
    y: Doubles


class LossPlot(FigureView):
    """Draws curves and reads them off at the pointer. ``log_chosen`` carries the choice in the
    menu.
    """

    log_chosen = Signal(str, bool)
    curves: tuple[LossCurve, ...] = ()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.axes = Axes("")
        self._strength = 0.0
        self._lines: list[_Line] = []
        self._fineness = 0
        self._names: dict[str, str] = {}
        self._pointed: QPointF | None = None
        self.painted_ms = 0.0  # how long the last painting took
        self.looked.connect(self._refine)

    def show_curves(self, curves: Sequence[LossCurve], axes: Axes, strength: float) -> None:
        """Draw only these curves. ``strength`` in 0..1 smooths; the original curves stay faintly
        visible.
        """
        self.curves, self.axes, self._strength = tuple(curves), axes, strength
        self.offer_log(X, possible=True, default=axes.log_x)
        self.offer_log(Y, possible=True, default=axes.log_y)
        self._names = short_names([curve.name for curve in self.curves])
        self._lines = [self._line(curve) for curve in self.curves]
        self.update_figure(axes.x_label)

    def choose_log(self, axis: str, on: bool) -> None:
        self.log_chosen.emit(axis, on)

    def _line(self, curve: LossCurve) -> _Line:
        usable = np.isfinite(curve.x) & np.isfinite(curve.y)
        if self.axes.log_x:
            usable &= curve.x > 0
        if self.axes.log_y:
            usable &= curve.y > 0
        most = _MOST_POINTS * 2**self._fineness
        x, y = thin_curve(curve.x[usable], most), thin_curve(curve.y[usable], most)
        smooth = smooth_curve(y, self._strength)
        named = NamedCurve(
            self._names[curve.name], curve.colour, x, smooth, curve.pattern, curve.main
        )
        return _Line(curve, named, y)

    @property
    def floors(self) -> list[tuple[float, LossCurve]]:
        """Floors that the axis can show, each with one of its curves; the main curve's floor is
        last.
        """
        latest = {}
        for curve in sorted(self.curves, key=lambda curve: curve.main):
            if curve.floor is not None and (curve.floor > 0 or not self.axes.log_y):
                latest[curve.floor] = curve
        return sorted(latest.items(), key=lambda pair: pair[1].main)

    def _refine(self) -> None:
        """Draw as many points as the visible part needs."""
        extent = self.extent(self.pane)
        if extent is None:
            return
        (start, end), (left, right) = extent[0], self.pane.viewRange()[0]
        closer = math.log2(max((end - start) / max(right - left, 1e-12), 1.0))
        fineness = min(math.ceil(closer - 1e-6), _FINEST)
        if fineness != self._fineness:
            self._fineness = fineness
            self._lines = [self._line(curve) for curve in self.curves]
            self.redraw()

    @property
    def named_curves(self) -> list[NamedCurve]:
        return [line.smooth for line in self._lines if len(line.smooth.x)]

    @property
    def names(self) -> tuple[EndName, ...]:
        """The names beside the curves."""
        return place_end_names(self.named_curves, self.frame)

    # -- extent

    def extent(self, pane: Pane) -> Extent | None:
        """The extent of all curves, with room for the names on the right."""
        return self.paper_extent(pane, self.areas(QRectF(self.rect()))[0])

    def paper_extent(self, pane: Pane, area: QRectF) -> Extent | None:
        curves = self.named_curves
        if not curves:
            return None
        x = axis_values(np.concatenate([curve.x for curve in curves]), self.axes.log_x)
        floors = [floor for floor, _ in self.floors]
        y = axis_values(np.concatenate([*(curve.y for curve in curves), floors]), self.axes.log_y)
        left = float(x.min()) if self.axes.log_x else 0.0
        right = max(float(x.max()), left + 1e-9)
        assert pane.bottom is not None
        pane.bottom.last = 10.0**right if self.axes.log_x else right
        low, high = float(y.min()), float(y.max())
        spare = 0.07 * (high - low) or 0.05 * abs(high) or 1.0
        room = room_for_names([curve.name for curve in curves])
        share = min(room / max(area.width(), 1.0), _MOST_NAMES)
        return (left, left + (right - left) / (1.0 - share)), (low - spare, high + spare)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self.curves:
            self.update_figure(self.axes.x_label)

    # -- painting

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        began = time.perf_counter()
        curves = self.named_curves
        if colours is LIGHT:
            curves = [replace(curve, colour=on_paper(curve.colour)) for curve in curves]
        names = place_end_names(curves, frame)
        painter.save()
        painter.setClipRect(frame.area.adjusted(-4, -4, 4, 4))
        lines = [line for line in self._lines if len(line.smooth.x)]
        crowded = len(lines) >= _CROWD and any(curve.main for curve in curves)
        self._draw_floors(painter, frame, colours)
        # The main curve is drawn last, above all others.
        for line, curve in sorted(zip(lines, curves, strict=True), key=lambda pair: pair[1].main):
            colour, width = QColor(curve.colour), _LINE
            if crowded and curve.main:
                width = _MAIN_LINE
            elif crowded:
                width = _THIN_LINE
                colour.setAlpha(_PALE)
            x, y = frame.x(curve.x), frame.y(curve.y)
            if self._strength > 0 and (curve.main or not crowded):
                pale = QColor(curve.colour)
                pale.setAlpha(_FAINT)
                painter.setPen(QPen(pale, scaled_length(1.0)))
                painter.drawPolyline(polygon_of(x, frame.y(line.y)))
            painter.setPen(QPen(colour, scaled_length(width), pattern_of(curve)))
            painter.drawPolyline(polygon_of(x, y))
            end = QRectF(x[-1] - _DOT, y[-1] - _DOT, 2 * _DOT, 2 * _DOT)
            draw_mark(painter, curve.pattern, end, colour)
        painter.restore()
        draw_end_names(painter, names, curves, colours.ground)
        self.painted_ms = 1000.0 * (time.perf_counter() - began)

    def _draw_floors(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """A dashed line for each floor; its value and the gap above it for the main curve."""
        ends = [float(line.smooth.x[-1]) for line in self._lines if len(line.smooth.x)]
        right = float(frame.x(max(ends)))
        for floor, curve in self.floors:
            colour = QColor(curve.colour)
            if colours is LIGHT:
                colour = QColor(on_paper(curve.colour))
            if not curve.main:
                colour.setAlpha(_PALE)
            y = float(frame.y(floor))
            painter.setPen(QPen(colour, scaled_length(_THIN_LINE), Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(frame.area.left(), y), QPointF(right, y))
            if curve.main:
                painter.setFont(body_font(TYPE_SMALL, tabular=True))
                painter.setPen(QColor(colours.muted))
                place = QPointF(frame.area.left() + SPACE_2, y - SPACE_1)
                painter.drawText(place, floor_text(curve))

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        lines = self._values_read()
        if self._pointed is None or not lines:
            return
        x, area = self._pointed.x(), frame.area
        painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        draw_readout(painter, self._pointed, lines, frame.room, colours)

    # -- reading off

    @property
    def readout(self) -> str:
        """The values at the pointer, "" while the pointer is elsewhere."""
        return "\n".join(text for _, text in self._values_read())

    def _values_read(self) -> list[tuple[str, str]]:
        """Colours and texts of the readout: the position, and the value of each curve there."""
        if self._pointed is None or not self.frame.area.contains(self._pointed):
            return []
        at, _ = self.frame.values_at(self._pointed)
        lines = []
        for line in self._lines:
            x = line.smooth.x
            if len(x) and x[0] <= at <= x[-1] * 1.001:
                value = float(np.interp(at, x, line.smooth.y))
                lines.append((line.curve.colour, f"{line.curve.name}  {exact_loss(value)}"))
        if not lines:
            return []
        place = decimal(at, 3)
        if at >= 1000:
            place = short_number(at)
        return [("", f"{place} {self.axes.x_label}"), *lines]

    def point(self, place: QPointF | None) -> None:
        self._pointed = place
        self.redraw_overlay()


def floor_text(curve: LossCurve) -> str:
    """ "floor 1.524, gap 0.091" or "bound …" of a curve, "" without a floor."""
    if curve.floor is None:
        return ""
    floor = exact_loss(curve.floor)
    if curve.gap is None:
        if curve.bound:
            return tr("bound {bound}", bound=floor)
        return tr("floor {floor}", floor=floor)
    gap = exact_loss(curve.gap)
    if curve.bound:
        return tr("bound {bound}, gap {gap}", bound=floor, gap=gap)
    return tr("floor {floor}, gap {gap}", floor=floor, gap=gap)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Short forms of the names if any is long: without the words that all begin with; if still too
    long, only the end.
    """
    if all(len(name) <= _LONGEST_NAME for name in names):
        return {name: name for name in names}
    words = [name.split(" ") for name in names]
    shared = 0
    if len(set(names)) > 1:
        while all(len(own) > shared + 1 and own[shared] == words[0][shared] for own in words):
            shared += 1
    found = {}
    for name, own in zip(names, words, strict=True):
        short = " ".join(own[shared:])
        if len(short) > _LONGEST_NAME:
            tail = short[1 - _LONGEST_NAME :]
            short = tail.partition(" ")[2] or tail
        found[name] = short
        if short != name:
            found[name] = f"…{short}"
    return found
