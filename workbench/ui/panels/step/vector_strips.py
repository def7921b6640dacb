"""The vectors of a training step as strips of colour, before and after, and the first numbers of
one vector.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from workbench.analysis.step.step import (
    BIASES,
    CONTEXT_BIASES,
    CONTEXTS,
    HIDDEN,
    INPUTS,
    NODES,
    TrainingStep,
    VectorChange,
)
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import decimal
from workbench.ui.base.theme import SPACE_2, SPACE_3, Palette
from workbench.ui.panels.step.formula import Lines
from workbench.ui.plots.paint_kit import (
    LEFT,
    RIGHT,
    FigurePart,
    Hit,
    draw_text,
    figure_font,
    fixed_decimals,
    small_font,
)

KINDS = {
    INPUTS: tr("input"),
    CONTEXTS: tr("context"),
    NODES: tr("node"),
    BIASES: tr("bias"),
    CONTEXT_BIASES: tr("context bias"),
    HIDDEN: tr("joined"),
}
_NAME, _LENGTHS, _HEAD, _ROW = 150.0, 132.0, 20.0, 22.0
_LABEL, _NUMBER, _LINE = 96.0, 68.0, 19.0


def label_of(change: VectorChange) -> str:
    if change.table == NODES:
        return change.name
    return f"{change.name}, {KINDS[change.table]}"


def strip(values: npt.NDArray[np.float64], limit: float, palette: Palette) -> QImage:
    """Image with one pixel per number, diverging around 0 to ±limit."""
    low, middle, high = (_channels(name) for name in palette.diverging)
    share = np.zeros((len(values), 1))
    if limit > 0:
        share = np.clip(values / limit, -1.0, 1.0)[:, None]
    colours = np.where(share < 0, middle + (middle - low) * share, middle + (high - middle) * share)
    pixels = np.full((1, len(values), 4), 255, dtype=np.uint8)
    pixels[0, :, :3] = np.rint(colours)
    return QImage(
        pixels.tobytes(), len(values), 1, 4 * len(values), QImage.Format.Format_RGBA8888
    ).copy()


def _channels(name: str) -> npt.NDArray[np.float64]:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)


class StripsPart(FigurePart):
    """One row per vector: before, after, the change on its own scale, and norms."""

    title = tr("VECTORS")

    def __init__(self, step: TrainingStep, chosen: int, width: float) -> None:
        super().__init__(width)
        self.changes = step.all_changes
        self.chosen = chosen
        self._strip = max(
            (width - scaled_length(_NAME) - scaled_length(_LENGTHS)) / 3 - SPACE_3, 20.0
        )
        vectors = [change for change in self.changes if len(change.before) > 1] or list(
            self.changes
        )
        self._limit = max(float(np.abs([change.before, change.after]).max()) for change in vectors)
        self._limit_moved = max(
            float(np.abs(change.after - change.before).max()) for change in vectors
        )
        self.height = scaled_length(_HEAD) + scaled_length(_ROW) * len(self.changes)

    def place(self, kind: str, number: int) -> QRectF | None:
        if kind != "vector" or not 0 <= number < len(self.changes):
            return None
        return QRectF(
            0, scaled_length(_HEAD) + number * scaled_length(_ROW), self.width, scaled_length(_ROW)
        )

    def at(self, point: QPointF) -> Hit | None:
        number = int((point.y() - scaled_length(_HEAD)) // scaled_length(_ROW))
        if not 0 <= number < len(self.changes):
            return None
        change = self.changes[number]
        tip = tr(
            "{change}: norm {length}, moved by {moved}",
            change=label_of(change),
            length=fixed_decimals(float(np.linalg.norm(change.before)), 4),
            moved=decimal(change.distance, 3),
        )
        return Hit("vector", number, tip)

    def _strip_lefts(self) -> list[float]:
        return [scaled_length(_NAME) + number * (self._strip + SPACE_3) for number in range(3)]

    def paint(self, painter: QPainter, palette: Palette) -> None:
        before, after, moved = self._strip_lefts()
        scales = (
            tr("before"),
            tr("after, ±{decimal}", decimal=decimal(self._limit, 2)),
            tr("change, ±{decimal}", decimal=decimal(self._limit_moved, 2)),
        )
        for left, text in zip((before, after, moved), scales, strict=True):
            draw_text(
                painter,
                QRectF(left, 0, self._strip, scaled_length(_HEAD)),
                text,
                small_font(),
                palette.muted,
            )
        lengths = QRectF(
            self.width - scaled_length(_LENGTHS), 0, scaled_length(_LENGTHS), scaled_length(_HEAD)
        )
        draw_text(painter, lengths, tr("norm"), small_font(), palette.muted, RIGHT)
        if 0 <= self.chosen < len(self.changes):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.accent_soft))
            painter.drawRoundedRect(
                QRectF(
                    -4,
                    scaled_length(_HEAD) + self.chosen * scaled_length(_ROW),
                    self.width + 8,
                    scaled_length(_ROW),
                ),
                4,
                4,
            )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        for number, change in enumerate(self.changes):
            self._draw_row(
                painter, scaled_length(_HEAD) + number * scaled_length(_ROW), change, palette
            )

    def _draw_row(
        self, painter: QPainter, top: float, change: VectorChange, palette: Palette
    ) -> None:
        draw_text(
            painter,
            QRectF(0, top, scaled_length(_NAME) - SPACE_2, scaled_length(_ROW)),
            label_of(change),
            figure_font(),
            palette.text,
        )
        size, after = float(np.linalg.norm(change.before)), float(np.linalg.norm(change.after))
        numbers = f"{decimal(size, 4)} → {decimal(after, 4)}"
        if len(change.before) == 1:
            numbers = (
                f"{fixed_decimals(float(change.before[0]), 4)} → "
                f"{fixed_decimals(float(change.after[0]), 4)}"
            )
        draw_text(
            painter,
            QRectF(
                self.width - scaled_length(_LENGTHS),
                top,
                scaled_length(_LENGTHS),
                scaled_length(_ROW),
            ),
            numbers,
            figure_font(),
            palette.text,
            RIGHT,
        )
        if len(change.before) == 1:
            return
        for left, values, limit in zip(
            self._strip_lefts(),
            (change.before, change.after, change.after - change.before),
            (self._limit, self._limit, self._limit_moved),
            strict=True,
        ):
            area = QRectF(left, top + 4, self._strip, scaled_length(_ROW) - 8)
            painter.drawImage(area, strip(values, limit, palette))
            painter.setPen(QPen(QColor(palette.line), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area)


class NumbersPart(FigurePart):
    """The first numbers of one vector: before, gradient, after (and AdaGrad's sums)."""

    def __init__(self, step: TrainingStep, chosen: int, width: float) -> None:
        super().__init__(width)
        change = step.all_changes[chosen]
        self.change = change
        self.shown = max(
            1,
            min(len(change.before), int((width - scaled_length(_LABEL)) // scaled_length(_NUMBER))),
        )
        number, label = len(change.before), label_of(change)
        self.title = tr("NUMBERS: {change}", change=label)
        if self.shown < number:
            self.title = tr(
                "NUMBERS 1 TO {shown} OF {number}: {change}",
                shown=self.shown,
                number=number,
                change=label,
            )
        self.rows = [
            (tr("before"), change.before),
            (tr("gradient"), change.gradient),
            (tr("after"), change.after),
        ]
        if len(change.sums):
            self.rows += [(tr("s before"), change.sums), (tr("s after"), change.sums_after)]
        self.height = scaled_length(_LINE) * (len(self.rows) + 1)

    def paint(self, painter: QPainter, palette: Palette) -> None:
        for at in range(self.shown):
            area = QRectF(
                scaled_length(_LABEL) + at * scaled_length(_NUMBER),
                0,
                scaled_length(_NUMBER) - 4,
                scaled_length(_LINE),
            )
            draw_text(painter, area, str(at + 1), small_font(), palette.muted, RIGHT)
        for row, (name, values) in enumerate(self.rows, start=1):
            draw_text(
                painter,
                QRectF(0, row * scaled_length(_LINE), scaled_length(_LABEL), scaled_length(_LINE)),
                name,
                small_font(),
                palette.muted,
                LEFT,
            )
            digits = _digits(values[: self.shown])
            for at, value in enumerate(values[: self.shown].tolist()):
                area = QRectF(
                    scaled_length(_LABEL) + at * scaled_length(_NUMBER),
                    row * scaled_length(_LINE),
                    scaled_length(_NUMBER) - 4,
                    scaled_length(_LINE),
                )
                draw_text(
                    painter,
                    area,
                    fixed_decimals(value, digits),
                    small_font(),
                    palette.text,
                    RIGHT,
                    elided=False,
                )


def _digits(values: npt.NDArray[np.float64]) -> int:
    """Number of decimals that shows the largest of these numbers with four digits."""
    largest = float(np.abs(values).max())
    if largest <= 0:
        return 2
    return min(max(3 - math.floor(math.log10(largest)), 2), 6)


class FormulaPart(FigurePart):
    """Equations, one per line."""

    title = tr("IN NUMBERS")

    def __init__(self, lines: Lines, width: float) -> None:
        super().__init__(width)
        self.lines = lines
        self.height = scaled_length(22.0) * len(lines)

    def paint(self, painter: QPainter, palette: Palette) -> None:
        for row, (name, equation) in enumerate(self.lines):
            top = row * scaled_length(22.0)
            draw_text(
                painter,
                QRectF(0, top, scaled_length(_LABEL) - SPACE_2, scaled_length(22)),
                name,
                small_font(),
                palette.muted,
            )
            draw_text(
                painter,
                QRectF(
                    scaled_length(_LABEL),
                    top,
                    self.width - scaled_length(_LABEL),
                    scaled_length(22),
                ),
                equation,
                figure_font(),
                palette.text,
            )
