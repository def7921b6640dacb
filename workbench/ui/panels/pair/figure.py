"""Figure of ℓ(x) for one pair of words: both parts, the maximum, and the model’s position."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.theory.pair_view import PairView
from workbench.core.language import tr
from workbench.ui.plots.ticks import nice_ticks
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.text import MINUS, decimal, short_number
from workbench.ui.theme import SPACE_3, SPACE_4, TYPE_LARGE, Palette, Theme, body_font
from workbench.ui.widgets.charts.paint_kit import (
    LEFT,
    RIGHT,
    draw_text,
    figure_font,
    fixed_decimals,
    pull_together_colour,
    push_apart_colour,
    small_font,
)

# Along training: how far it was (0..1), and w·c then.
Way = Sequence[tuple[float, float]]
# Where a value of x and one of ℓ are drawn.
Place = Callable[[float, float], QPointF]
_TEXT, _LEAST = 330.0, 220
# Where there is less than this, the equations stand below the curves, and take this much.
_BESIDE, _NARROWEST = 540, 300
_ROW, _ROWS = 20.0, 9
# Pixels left of the curves and above them.
_LEFT, _ABOVE = 64.0, 22.0
# Pixels below the curves: numbers, and what they are.
_BELOW = 40.0
_WIDE, _TALL = 960, 420
_POINTS = 160


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
        lines.append(("x*", tr("{MINUS}∞: never seen together, so only pushed apart", MINUS=MINUS)))
    if view.product is not None:
        lines.append(
            ("x", tr("w·c = {product} in the shown model", product=fixed_decimals(view.product)))
        )
        lines.append(
            ("ℓ(x)", tr("{fixed} nats", fixed=fixed_decimals(view.likelihood(view.product), 2)))
        )
        pull = view.observed / (1 + math.exp(min(view.product, 700.0)))
        push = view.expected_negatives / (1 + math.exp(min(-view.product, 700.0)))
        told = f"Aσ({MINUS}x) {MINUS} Bσ(x) = {decimal(pull, 3)} {MINUS} {decimal(push, 3)}"
        lines.append(("∂ℓ/∂x", f"{told} = {decimal(pull - push, 3)}"))
    if way:
        lines.append(
            (
                tr("training"),
                tr(
                    "x = {fixed} at {value:.0f} % of the way there",
                    fixed=fixed_decimals(way[-1][1]),
                    value=100 * way[-1][0],
                ),
            )
        )
    return lines


def plot_rect(area: QRectF) -> QRectF:
    right, below = (
        (SPACE_3, _BELOW + _ROWS * _ROW) if is_stacked(area) else (scaled_length(_TEXT), _BELOW)
    )
    return area.adjusted(scaled_length(_LEFT), scaled_length(_ABOVE), -right, -scaled_length(below))


def is_stacked(area: QRectF) -> bool:
    """Whether the equations are below the curves."""
    return area.width() < scaled_length(_BESIDE)


def paint_pair(painter: QPainter, view: PairView, way: Way, area: QRectF, palette: Palette) -> None:
    """Paint the curves, and the equations beside or below them."""
    low, high = visible_span(view, way)
    plot = plot_rect(area)
    x = np.linspace(low, high, _POINTS)
    first, second = view.parts(x)
    bottom = float(min((first + second).min(), -1e-9))

    def at(value: float, level: float) -> QPointF:
        across = plot.left() + plot.width() * (value - low) / (high - low)
        return QPointF(across, plot.top() + plot.height() * level / bottom)

    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.drawLine(plot.topLeft(), plot.topRight())
    painter.drawLine(at(0.0, 0.0), at(0.0, bottom))
    centre = int(Qt.AlignmentFlag.AlignCenter)
    for tick in nice_ticks(low, high, 7):
        below = QRectF(
            at(tick, bottom).x() - scaled_length(20),
            plot.bottom() + 4,
            scaled_length(40),
            scaled_length(16),
        )
        if tick.is_integer():
            draw_text(painter, below, fixed_decimals(tick, 0), small_font(), palette.muted, centre)
        else:
            draw_text(painter, below, fixed_decimals(tick, 1), small_font(), palette.muted, centre)
    under = QRectF(
        plot.left(), plot.bottom() + 4 + scaled_length(16), plot.width(), scaled_length(16)
    )
    draw_text(painter, under, "x = w·c", small_font(), palette.muted, centre)
    for level in nice_ticks(bottom, 0.0, 4):
        beside = QRectF(
            area.left(), at(low, level).y() - scaled_length(9), scaled_length(58), scaled_length(18)
        )
        if level:
            draw_text(painter, beside, short_number(level), small_font(), palette.muted, RIGHT)
        else:
            draw_text(painter, beside, "0", small_font(), palette.muted, RIGHT)
    draw_text(
        painter,
        QRectF(area.left() + scaled_length(20), area.top(), scaled_length(200), scaled_length(18)),
        tr("ℓ, nats"),
        small_font(),
        palette.muted,
    )
    for values, colour, width in (
        (first, pull_together_colour(palette), 1.4),
        (second, push_apart_colour(palette), 1.4),
        (first + second, QColor(palette.text), 2.2),
    ):
        painter.setPen(QPen(colour, width))
        painter.drawPolyline(
            QPolygonF([at(a, b) for a, b in zip(x.tolist(), values.tolist(), strict=True)])
        )
    _paint_places(painter, view, way, at, bottom, palette)
    text = QRectF(
        area.right() - scaled_length(_TEXT) + SPACE_4, area.top(), scaled_length(_TEXT) - SPACE_4, 0
    )
    if is_stacked(area):
        text = QRectF(area.left(), area.bottom() - scaled_length(_ROWS * _ROW), area.width(), 0)
    _paint_text(painter, view, way, text, palette)


def _paint_places(
    painter: QPainter, view: PairView, way: Way, at: Place, bottom: float, palette: Palette
) -> None:
    if math.isfinite(view.best):
        painter.setPen(QPen(QColor(palette.muted), 1, Qt.PenStyle.DashLine))
        painter.drawLine(at(view.best, view.likelihood(view.best)), at(view.best, bottom))
        label = at(view.best, bottom) + QPointF(4, -18)
        draw_text(
            painter,
            QRectF(label.x(), label.y(), scaled_length(40), scaled_length(16)),
            "x*",
            small_font(),
            palette.muted,
            LEFT,
        )
    accent = QColor(palette.accent)
    if way:
        points = [at(place, view.likelihood(place)) for _, place in way]
        painter.setPen(QPen(accent, 1.2))
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(accent)
        painter.setPen(Qt.PenStyle.NoPen)
        for point in points:
            painter.drawEllipse(point, 2.5, 2.5)
    if view.product is not None:
        painter.setBrush(accent)
        painter.setPen(QPen(QColor(palette.surface), 2))
        painter.drawEllipse(at(view.product, view.likelihood(view.product)), 6.5, 6.5)


def _paint_text(
    painter: QPainter, view: PairView, way: Way, area: QRectF, palette: Palette
) -> None:
    for row, (name, equation) in enumerate(equations(view, way)):
        top, tall = area.top() + row * scaled_length(_ROW), scaled_length(_ROW)
        draw_text(
            painter,
            QRectF(area.left(), top, scaled_length(56), tall),
            name,
            small_font(),
            palette.muted,
        )
        beside = QRectF(
            area.left() + scaled_length(58), top, area.width() - scaled_length(58), tall
        )
        draw_text(painter, beside, equation, figure_font(), palette.text)


class PairFigure(QWidget):
    """Draws a pair. Pointing at the curve tells ℓ there by ``told``."""

    told = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.view: PairView | None = None
        self.way: Way = ()
        self.setMouseTracking(True)
        set_scaled_size(self, least_height=_LEAST, least_width=_NARROWEST)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(720, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        least = _LEAST
        if is_stacked(QRectF(self.rect())):
            least = round(_LEAST + _ROWS * _ROW)
        if self.minimumHeight() != scaled_length(least):
            set_scaled_size(self, least_height=least)

    def set_pair(self, view: PairView | None, way: Way) -> None:
        self.view, self.way = view, way
        if view is not None:
            told = "; ".join(f"{name}: {text}" for name, text in equations(view, way))
            self.setAccessibleDescription(
                tr("{word} and {context}. {told}", word=view.word, context=view.context, told=told)
            )
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        view, plot = self.view, plot_rect(QRectF(self.rect()))
        if view is None or not plot.contains(event.position()):
            self.told.emit("")
            return
        low, high = visible_span(view, self.way)
        x = low + (high - low) * (event.position().x() - plot.left()) / plot.width()
        first, second = (float(part[0]) for part in view.parts(np.array([x])))
        told = tr(
            "x = {x}:  A log σ(x) = {attracting},  B log σ({MINUS}x) = {repelling}",
            x=fixed_decimals(x, 2),
            attracting=fixed_decimals(first, 2),
            MINUS=MINUS,
            repelling=fixed_decimals(second, 2),
        )
        self.told.emit(
            tr("{told},  ℓ = {fixed} nats", told=told, fixed=fixed_decimals(first + second, 2))
        )

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.told.emit("")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.view is not None:
            paint_pair(painter, self.view, self.way, QRectF(self.rect()), self._theme.palette)
        painter.end()


def saved_size() -> QSize:
    """Of the figure as it is saved, in device-independent pixels."""
    return QSize(_WIDE, _TALL)


def paint_saved(painter: QPainter, view: PairView, way: Way, palette: Palette) -> None:
    """The figure under its title, on the palette's surface."""
    painter.fillRect(QRectF(0, 0, _WIDE, _TALL), QColor(palette.surface))
    font = body_font(TYPE_LARGE, bold=True)
    draw_text(
        painter,
        QRectF(SPACE_4, SPACE_3, _WIDE, scaled_length(24)),
        tr("“{word}” and “{context}”", word=view.word, context=view.context),
        font,
        palette.text,
    )
    area = QRectF(SPACE_3, 52, _WIDE - 2 * SPACE_3, _TALL - 64)
    paint_pair(painter, view, way, area, palette)
