"""Figure of ℓ(x) for one pair of words: both parts, the maximum, and the model’s position."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent

from workbench.analysis.resampling.estimates import Estimate
from workbench.analysis.theory.pair_view import PairView
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import MINUS, decimal
from workbench.ui.base.theme import SPACE_3, SPACE_4, Palette, Theme
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.paint_kit import (
    draw_text,
    figure_font,
    fixed_decimals,
    pull_together_colour,
    push_apart_colour,
    small_font,
)
from workbench.ui.plots.painting import draw_ring, polygon_of
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import ARROWS, FigureView

# Path during training: progress (0..1), and w·c at that time.
Way = Sequence[tuple[float, float]]
_TEXT, _LEAST = 330.0, 220
# If narrower than the first, the equations are below the curves; the second is the minimum width.
_BESIDE, _NARROWEST = 540, 248
_ROW, _ROWS, _NAME = 20.0, 9, 58.0
_POINTS = 240
# Arrow keys move the readout by this share of the visible part.
_STEP = 0.02


def visible_span(view: PairView, way: Way) -> tuple[float, float]:
    """Range of x that shows everything, with a margin."""
    places = [0.0, *(x for _, x in way)]
    places += [x for x in (view.best, view.product) if x is not None and math.isfinite(x)]
    return min(places) - 3.0, max(places) + 3.0


def equations(view: PairView, way: Way) -> list[tuple[str, str]]:
    """Equations with the pair’s numbers."""
    lines = [
        ("A", tr("#(w, c) = {decimal}, expected", decimal=decimal(view.observed, 4))),
        (
            "B",
            f"k·#(w)·Pₙ(c) = {view.negative} · {decimal(view.total, 4)} · {decimal(view.noise, 3)}",
        ),
        ("", f"= {decimal(view.expected_negatives, 4)}"),
    ]
    if math.isfinite(view.best):
        log_a, log_b = (
            fixed_decimals(math.log(view.observed)),
            fixed_decimals(math.log(view.expected_negatives)),
        )
        logs = f"{log_a} {MINUS} {log_b}".replace(f"{MINUS} {MINUS}", "+ ")
        lines.append(("x*", f"log A {MINUS} log B = {logs}"))
        lines.append(("", f"= {fixed_decimals(view.best)}"))
        lines.append(
            ("ℓ(x*)", tr("{fixed} nats", fixed=fixed_decimals(view.likelihood(view.best), 2)))
        )
    else:
        lines.append(
            ("x*", tr("{MINUS}∞: unobserved pair, so it is only pushed apart", MINUS=MINUS))
        )
    if view.product is not None:
        lines.append(
            ("x", tr("w·c = {product} in the active model", product=fixed_decimals(view.product)))
        )
        lines.append(
            ("ℓ(x)", tr("{fixed} nats", fixed=fixed_decimals(view.likelihood(view.product), 2)))
        )
        pull = view.observed / (1 + math.exp(min(view.product, 700.0)))
        push = view.expected_negatives / (1 + math.exp(min(-view.product, 700.0)))
        difference = f"Aσ({MINUS}x) {MINUS} Bσ(x) = {decimal(pull, 3)} {MINUS} {decimal(push, 3)}"
        lines.append(("∂ℓ/∂x", f"{difference} = {decimal(pull - push, 3)}"))
    if way:
        lines.append(
            (
                tr("training"),
                tr(
                    "x = {fixed} after {value:.0f}% of the way",
                    fixed=fixed_decimals(way[-1][1]),
                    value=100 * way[-1][0],
                ),
            )
        )
    return lines


def divide_room(room: QRectF) -> tuple[QRectF, QRectF]:
    """Areas of the curves and of the equations, which are beside the curves, or below them if
    narrow.
    """
    wide, high = scaled_length(_TEXT), scaled_length(_ROWS * _ROW)
    if is_stacked(room):
        below = QRectF(room.left(), room.bottom() - high, room.width(), high)
        return room.adjusted(0, 0, 0, -high), below.adjusted(SPACE_3, 0, -SPACE_3, 0)
    beside = QRectF(room.right() - wide, room.top(), wide, high)
    return room.adjusted(0, 0, -wide, 0), beside.adjusted(SPACE_4, SPACE_3, 0, SPACE_3)


def is_stacked(room: QRectF) -> bool:
    """Whether the equations are below the curves."""
    return room.width() < scaled_length(_BESIDE)


class PairFigure(FigureView):
    """ℓ(x) of a pair with its equations.

    The pointer and the arrow keys read values off: ``readout_changed`` carries their text.
    """

    readout_changed = Signal(str)
    file_size = QSize(960, 420)
    view: PairView | None = None
    way: Way = ()
    pmi: Estimate | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._read_at: float | None = None
        assert self.pane.left is not None
        assert self.pane.bottom is not None
        self.pane.bottom.title, self.pane.left.title = "x = w·c", tr("ℓ, nats")
        set_scaled_size(self, least_height=_LEAST, least_width=_NARROWEST)

    def sizeHint(self) -> QSize:
        return QSize(720, 260)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        least = round(_LEAST + _ROWS * _ROW) if is_stacked(QRectF(self.rect())) else _LEAST
        if self.minimumHeight() != scaled_length(least):
            set_scaled_size(self, least_height=least)

    def set_pair(self, view: PairView | None, way: Way) -> None:
        self.view, self.way = view, way
        kind = None
        if view is not None:
            kind = (view.word, view.context)
            self.headings = (tr("“{word}” and “{context}”", word=view.word, context=view.context),)
            equations_text = "; ".join(f"{name}: {text}" for name, text in equations(view, way))
            self.setAccessibleDescription(
                tr(
                    "{word} and {context}. {text}",
                    word=view.word,
                    context=view.context,
                    text=equations_text,
                )
            )
        self.update_figure(kind)

    def set_interval(self, pmi: Estimate | None) -> None:
        """Show around x* the 95% interval of the PMI: both differ by a number that hardly depends
        on the pair’s count.
        """
        if pmi != self.pmi:
            self.pmi = pmi
            self.redraw()

    def extent(self, pane: Pane) -> Extent | None:
        if self.view is None:
            return None
        ends = visible_span(self.view, self.way)
        lowest = np.sum(self.view.parts(np.linspace(*ends, _POINTS)), axis=0).min()
        return ends, (float(min(lowest, -1e-9)), 0.0)

    def areas(self, room: QRectF) -> list[QRectF]:
        return super().areas(divide_room(room)[0])

    # -- painting

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        view, area = self.view, frame.area
        assert view is not None
        painter.setClipRect(area.adjusted(-7, -7, 7, 7))
        self._draw_interval(painter, frame, view, colours)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(frame.place(0.0, frame.y_range[0]), frame.place(0.0, frame.y_range[1]))
        x = np.linspace(*frame.x_range, _POINTS)
        first, second = view.parts(x)
        for values, colour, width in (
            (first, pull_together_colour(colours), 1.4),
            (second, push_apart_colour(colours), 1.4),
            (first + second, QColor(colours.text), 2.2),
        ):
            painter.setPen(QPen(colour, width))
            painter.drawPolyline(polygon_of(frame.x(x), frame.y(values)))
        if math.isfinite(view.best):
            top = frame.place(view.best, view.likelihood(view.best))
            foot = QPointF(top.x(), area.bottom())
            painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DashLine))
            painter.drawLine(top, foot)
            label = QRectF(foot + QPointF(4, -18), foot + QPointF(scaled_length(44), -2))
            draw_text(painter, label, "x*", small_font(), colours.muted)
        self._draw_model(painter, frame, view, colours)

    def _draw_interval(
        self, painter: QPainter, frame: Frame, view: PairView, colours: Palette
    ) -> None:
        """Draw a grey band around x*."""
        if self.pmi is None or not math.isfinite(view.best + self.pmi.interval.low):
            return
        low, high = (view.best + end - self.pmi.value for end in self.pmi.interval)
        grey = QColor(colours.muted)
        grey.setAlphaF(0.22)
        bottom, top = frame.y_range
        painter.fillRect(QRectF(frame.place(low, top), frame.place(high, bottom)), grey)

    def _draw_model(
        self, painter: QPainter, frame: Frame, view: PairView, colours: Palette
    ) -> None:
        """Draw the position of the model, and its path during training."""
        accent = QColor(colours.accent)
        points = [frame.place(x, view.likelihood(x)) for _, x in self.way]
        painter.setPen(QPen(accent, 1.2))
        painter.drawPolyline(points)
        painter.setBrush(accent)
        painter.setPen(Qt.PenStyle.NoPen)
        for point in points:
            painter.drawEllipse(point, 2.5, 2.5)
        if view.product is not None:
            painter.setPen(QPen(QColor(colours.surface), 2))
            painter.drawEllipse(frame.place(view.product, view.likelihood(view.product)), 6.5, 6.5)

    def draw_around(self, painter: QPainter, frames: Sequence[Frame], colours: Palette) -> None:
        if self.view is None:
            return
        room = divide_room(frames[0].room)[1]
        row = QRectF(room.left(), room.top(), room.width(), scaled_length(_ROW))
        for name, equation in equations(self.view, self.way):
            draw_text(painter, row, name, small_font(), colours.muted)
            beside = row.adjusted(scaled_length(_NAME), 0, 0, 0)
            draw_text(painter, beside, equation, figure_font(), colours.text)
            row.translate(0, row.height())

    def draw_overlay(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        if self.view is not None and self._read_at is not None:
            place = frame.place(self._read_at, self.view.likelihood(self._read_at))
            if frame.area.adjusted(-2, -2, 2, 2).contains(place):
                draw_ring(painter, place, QColor(colours.text), colours)

    # -- input

    def point(self, place: QPointF | None) -> None:
        frame = self.frame
        if self.view is None or place is None or not frame.area.contains(place):
            self._read_off(None)
        else:
            self._read_off(frame.values_at(place)[0])

    def walk(self, key: Qt.Key) -> bool:
        step = ARROWS.get(key, (0, 0))[0]
        if self.view is None or not step:
            return False
        low, high = self.frame.x_range
        x = self._read_at
        if x is None:
            x = (low + high) / 2
        self._read_off(min(max(x + step * _STEP * (high - low), low), high))
        return True

    def _read_off(self, x: float | None) -> None:
        """Report the values of the curves at x."""
        self._read_at = x
        self.redraw_overlay()
        if x is None or self.view is None:
            self.readout_changed.emit("")
            return
        first, second = (float(part[0]) for part in self.view.parts(np.array([x])))
        readout = tr(
            "x = {x}:  A log σ(x) = {attracting},  B log σ({MINUS}x) = {repelling}",
            x=fixed_decimals(x, 2),
            attracting=fixed_decimals(first, 2),
            MINUS=MINUS,
            repelling=fixed_decimals(second, 2),
        )
        self.readout_changed.emit(
            tr("{text},  ℓ = {fixed} nats", text=readout, fixed=fixed_decimals(first + second, 2))
        )
