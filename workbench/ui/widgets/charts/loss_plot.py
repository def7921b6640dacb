"""Curves of a loss over the course of training, each ending in its name."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.ui.colours import on_paper
from workbench.ui.plain_text import RichLabel
from workbench.ui.scaling import scaled_length, set_text_role
from workbench.ui.text import MINUS, decimal, mark_unknown, short_number
from workbench.ui.theme import LIGHT, TYPE_SMALL, Palette, body_font
from workbench.ui.widgets.charts.loss_curves import CurveLayer, CurveLine, Doubles, Name

# More points than this are averaged in groups: a line needs no more than the strip has pixels.
_MOST_POINTS = 300
# Strongest smoothing: the half-life of the average, as a share of the points drawn.
_STRONGEST = 0.05
# Characters of a name beside its curve.
_LONGEST_NAME = 20
# As much of the plot the names may take at the right of the curves.
_MOST_NAMES = 0.55


@dataclass(frozen=True, eq=False)
class LossCurve:
    """One run. x, y : float64[n], x rising; colour as #RRGGBB."""

    name: str
    colour: str
    x: Doubles
    y: Doubles


@dataclass(frozen=True)
class Axes:
    """What the axes measure and whether they are logarithmic."""

    x_label: str
    log_x: bool = False
    log_y: bool = False


@mark_unknown
def exact_loss(loss: float) -> str:
    """A loss with four digits, trailing zeros included, so that columns of them line up."""
    return f"{loss:#.4g}".rstrip(".").replace("-", MINUS)


def thin_curve(values: Doubles, most: int = _MOST_POINTS) -> Doubles:
    """Means of groups of equal size, so that at most ``most`` remain; the last value stays as it
    is.
    """
    if len(values) <= most:
        return values
    group = -(-len(values) // most)
    starts = np.arange(0, len(values), group)
    means = np.add.reduceat(values, starts) / np.diff(np.append(starts, len(values)))
    means[-1] = values[-1]
    return means


def smooth_curve(values: Doubles, strength: float) -> Doubles:
    """A running average that forgets exponentially, without the bias of its start.

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


# From so many labels on, finer marks are named only where labels fill no more of an axis; as
# pyqtgraph has it.
_FILLED = ((0, 0.8), (2, 0.6), (4, 0.4), (6, 0.2))


class _Ticks(pg.AxisItem):  # type: ignore[misc]
    """An axis that ends where the data do, and whose logarithmic marks are 1, 2 and 5."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.end = np.inf

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        top = min(high, self.end)
        if not self.logMode:
            # How many marks there are, and how much of its length they fill, is asked of a whole
            # axis.
            part = 1.0
            if high > low:
                part = (top - low) / (high - low)
            levels = super().tickValues(low, top, size * part)
            self.style["textFillLimits"] = [(labels, fill * part) for labels, fill in _FILLED]
            return [
                (step, [value for value in values if value <= top * (1 + 1e-9)])
                for step, values in levels
            ]
        decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
        marks = [decade + float(np.log10(digit)) for decade in decades for digit in (1, 2, 5)]
        return [(1.0, [mark for mark in marks if low <= mark <= top + 1e-9])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return [
                short_number(number) if number >= 1000 else decimal(number, 3)
                for number in (10.0**v for v in values)
            ]
        # As many digits as tell neighbouring marks apart: a loss that hardly falls has long
        # numbers.
        largest = max((abs(value) for value in values), default=1.0) or 1.0
        digits = 1 + int(np.floor(np.log10(largest))) - int(np.floor(np.log10(spacing) + 1e-9))
        return [
            short_number(value) if abs(value) >= 1000 else decimal(value, max(digits, 3))
            for value in values
        ]


class LossPlot(pg.PlotWidget):  # type: ignore[misc]
    """Draws curves; the pointer reads them off."""

    def __init__(self, colours: Palette, parent: QWidget | None = None) -> None:
        self._across, self._up = _Ticks("bottom"), _Ticks("left")
        super().__init__(parent, axisItems={"bottom": self._across, "left": self._up})
        self._colours = colours
        self._curves: tuple[LossCurve, ...] = ()
        self._drawn: list[tuple[LossCurve, Doubles, Doubles]] = []
        self._axes = Axes("")
        self._strength = 0.0
        item = self.getPlotItem()
        item.setMenuEnabled(False)
        item.hideButtons()
        item.setMouseEnabled(False, False)
        item.setContentsMargins(0, 4, 0, 0)
        item.getViewBox().setDefaultPadding(0.0)
        self._item = item
        self._layer = CurveLayer(item.getViewBox(), body_font(TYPE_SMALL, bold=True))
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._cursor.hide()
        item.addItem(self._cursor, ignoreBounds=True)
        self.painted_ms = 0.0  # how long the last painting took
        self._readout = RichLabel("", self)
        self._readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        set_text_role(self._readout, TYPE_SMALL, tabular=True)
        self._readout.hide()
        self.scene().sigMouseMoved.connect(self._point_at)
        self.set_colours(colours)

    def draw(self, painter: QPainter) -> None:
        """The curves as they are seen, on white and without what the pointer reads off, on a device
        of this size.
        """
        colours, curves = self._colours, self._curves
        self._curves = tuple(replace(curve, colour=on_paper(curve.colour)) for curve in curves)
        self.set_colours(LIGHT)
        painter.fillRect(self.rect(), QColor(LIGHT.ground))
        self.render(painter, QRectF(self.rect()), self.rect())
        self._curves = curves
        self.set_colours(colours)

    @property
    def curves(self) -> tuple[LossCurve, ...]:
        return self._curves

    @property
    def names(self) -> tuple[Name, ...]:
        """The names that are written beside their curves."""
        return self._layer.names

    @property
    def readout(self) -> str:
        """What the pointer reads off, "" while it is elsewhere."""
        if self._readout.isHidden():
            return ""
        return self._readout.text()

    def set_colours(self, colours: Palette) -> None:
        self._colours = colours
        self.setBackground(colours.ground)
        self._layer.set_ground(colours.ground)
        self._layer.set_font(body_font(TYPE_SMALL, bold=True))
        font = body_font(TYPE_SMALL, tabular=True)
        for side in ("left", "bottom"):
            axis = self._item.getAxis(side)
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.muted))
            axis.setTickFont(font)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickLength=-4, tickTextOffset=6, maxTickLevel=1)
        self._item.getAxis("left").setWidth(scaled_length(52))
        self._item.showGrid(x=False, y=True, alpha=0.08)
        self._cursor.setPen(pg.mkPen(colours.muted, style=Qt.PenStyle.DotLine))
        self._readout.setStyleSheet(
            f"background: {colours.raised}; color: {colours.text}; border: 1px solid "
            f"{colours.line};"
            "border-radius: 4px; padding: 4px 8px;"
        )
        self._redraw()

    def show_curves(self, curves: Sequence[LossCurve], axes: Axes, strength: float) -> None:
        """Draw these, and nothing else. ``strength`` in 0..1 smooths; what is smoothed stays
        faintly seen.
        """
        self._curves = tuple(curves)
        self._axes = axes
        self._strength = strength
        self._redraw()

    def _redraw(self) -> None:
        self._drawn = []
        lines = []
        for curve in self._curves:
            usable = np.isfinite(curve.x) & np.isfinite(curve.y)
            if self._axes.log_x:
                usable &= curve.x > 0
            if self._axes.log_y:
                usable &= curve.y > 0
            raw_x, raw_y = thin_curve(curve.x[usable]), thin_curve(curve.y[usable])
            y = smooth_curve(raw_y, self._strength)
            self._drawn.append((curve, raw_x, y))
            across, up = self._in_view(raw_x, y)
            if self._strength > 0:
                faint = self._in_view(raw_x, raw_y)[1]
            else:
                faint = None
            lines.append(CurveLine(_short_name(curve.name), curve.colour, across, up, faint))
        self._layer.set_lines(lines)
        for axis, logarithmic in ((self._across, self._axes.log_x), (self._up, self._axes.log_y)):
            if axis.logMode != logarithmic:
                axis.setLogMode(logarithmic)
        self._fit_axes()

    def _fit_axes(self) -> None:
        """The whole of every curve, with room for the names at the right."""
        filled = [(x, y) for _, x, y in self._drawn if len(x)]
        if not filled:
            return
        x, y = self._in_view(
            np.concatenate([c[0] for c in filled]), np.concatenate([c[1] for c in filled])
        )
        left = 0.0
        if self._axes.log_x:
            left = float(x.min())
        right = max(float(x.max()), left + 1e-9)
        self._across.end = right
        low, high = float(y.min()), float(y.max())
        spare = 0.07 * (high - low) or 0.05 * abs(high) or 1.0
        box = self._item.getViewBox()
        share = min(self._layer.room_for_names() / max(box.width(), 1.0), _MOST_NAMES)
        box.setRange(
            xRange=(left, left + (right - left) / (1.0 - share)),
            yRange=(low - spare, high + spare),
            padding=0,
            disableAutoRange=True,
        )
        self._layer.fit()

    def _in_view(
        self, x: Sequence[float] | Doubles, y: Sequence[float] | Doubles
    ) -> tuple[Doubles, Doubles]:
        """Values as the axes draw them."""
        across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if self._axes.log_x:
            across = np.log10(across)
        if self._axes.log_y:
            up = np.log10(up)
        return across, up

    def paintEvent(self, event: QPaintEvent) -> None:
        began = time.perf_counter()
        super().paintEvent(event)
        self.painted_ms = 1000.0 * (time.perf_counter() - began)

    # -- reading off

    def _point_at(self, scene: QPointF) -> None:
        box = self._item.getViewBox()
        filled = [(curve, x, y) for curve, x, y in self._drawn if len(x)]
        if not filled or not box.sceneBoundingRect().contains(scene):
            self._clear_readout()
            return
        at = float(box.mapSceneToView(scene).x())
        pointed = at
        if self._axes.log_x:
            pointed = 10.0**at
        lines = []
        for curve, across, y in filled:
            if across[0] <= pointed <= across[-1] * 1.001:
                value = float(np.interp(pointed, across, y))
                lines.append(
                    f'<span style="color:{curve.colour}">●</span> {html.escape(curve.name)}&nbsp; '
                    f"{exact_loss(value)}"
                )
        if not lines:
            self._clear_readout()
            return
        if pointed >= 1000:
            what = short_number(pointed)
        else:
            what = decimal(pointed, 3)
        self._readout.setText(f"{what} {html.escape(self._axes.x_label)}<br>" + "<br>".join(lines))
        self._readout.adjustSize()
        pixel = self.mapFromScene(scene)
        left = pixel.x() + 14
        if left + self._readout.width() > self.width():
            left = pixel.x() - 14 - self._readout.width()
        top = min(
            max(pixel.y() - self._readout.height() // 2, 0),
            max(self.height() - self._readout.height(), 0),
        )
        self._readout.move(left, top)
        self._readout.show()
        self._cursor.setPos(at)
        self._cursor.show()

    def _clear_readout(self) -> None:
        self._readout.hide()
        self._cursor.hide()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._clear_readout()

    def resizeEvent(self, event: QEvent) -> None:
        super().resizeEvent(event)
        # Called by the constructor of the base class, too.
        if hasattr(self, "_readout"):
            self._fit_axes()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The plot knows no keys of its own; the panel does.
        event.ignore()


def _short_name(name: str) -> str:
    """A long name by its beginning and its last word, which is often a number."""
    if len(name) <= _LONGEST_NAME:
        return name
    head, _, tail = name.rpartition(" ")
    if head and len(tail) <= 6:
        tail = tail
    else:
        tail = ""
    return f"{name[: _LONGEST_NAME - len(tail) - 2].rstrip()}… {tail}".rstrip()
