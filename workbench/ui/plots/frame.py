"""Positions of values in a figure: the area of an axis system and the values at its edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

from workbench.core.arrays import Doubles

Interval = tuple[float, float]
# Along x and along y, as logarithms if an axis is logarithmic.
Extent = tuple[Interval, Interval]

_MARGIN = 0.04


@dataclass(frozen=True)
class Frame:
    """An area with axes inside the room of the whole figure, both in pixels.

    x_range, y_range : values at the edges, as logarithms if an axis is logarithmic
    number : index of the pane, from 0
    """

    room: QRectF
    area: QRectF
    x_range: Interval
    y_range: Interval
    log_x: bool = False
    log_y: bool = False
    number: int = 0

    def x(self, values: npt.ArrayLike) -> Doubles:
        """Pixels from the left; NaN for values that a logarithmic axis can't show."""
        low, high = self.x_range
        scale = self.area.width() / ((high - low) or 1.0)
        return self.area.left() + (axis_values(values, self.log_x) - low) * scale

    def y(self, values: npt.ArrayLike) -> Doubles:
        """Pixels from the top."""
        low, high = self.y_range
        scale = self.area.height() / ((high - low) or 1.0)
        return self.area.bottom() - (axis_values(values, self.log_y) - low) * scale

    def place(self, x: float, y: float) -> QPointF:
        """Position of a point."""
        return QPointF(float(self.x(x)), float(self.y(y)))

    def values_at(self, place: QPointF) -> tuple[float, float]:
        """x and y at a position."""
        across = (place.x() - self.area.left()) / (self.area.width() or 1.0)
        up = (self.area.bottom() - place.y()) / (self.area.height() or 1.0)
        x = self.x_range[0] + across * (self.x_range[1] - self.x_range[0])
        y = self.y_range[0] + up * (self.y_range[1] - self.y_range[0])
        if self.log_x:
            x = 10.0**x
        if self.log_y:
            y = 10.0**y
        return x, y


def axis_values(values: npt.ArrayLike, log: bool) -> Doubles:
    """Values in the unit of an axis; on a logarithmic axis, the logarithm, or NaN for values up to
    0.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not log:
        return numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(numbers > 0, np.log10(numbers), np.nan)


def interval(
    parts: Iterable[Doubles], log: bool, at_least: Interval | None = None, margin: float = _MARGIN
) -> Interval:
    """Range of an axis that shows all finite values with a margin; no margin at an end of
    ``at_least`` that covers them.
    """
    flat = [np.ravel(axis_values(part, log)) for part in parts]
    values = np.concatenate([np.empty(0), *flat])
    values = values[np.isfinite(values)]
    low, high = 0.0, 1.0
    if len(values):
        low, high = float(values.min()), float(values.max())
    spare = margin * (high - low) or 0.5
    if at_least is None:
        return low - spare, high + spare
    start, end = axis_values(at_least, log).tolist()
    if not start <= low:
        start = low - spare
    if not end >= high:
        end = high + spare
    return start, end


def united(one: Interval, other: Interval) -> Interval:
    """The smallest interval that contains both."""
    return min(one[0], other[0]), max(one[1], other[1])
