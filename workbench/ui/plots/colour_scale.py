"""Colour scales of matrices: from values to colours, with their ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from workbench.analysis.matrix.values import MatrixResult
from workbench.ui.base.text import decimal, mark_unknown, true_minus
from workbench.ui.base.theme import Palette

Colours = npt.NDArray[np.uint8]

# Above this number of values, the largest few share the last colour; otherwise, outliers would
# leave too few colours to the others.
_MANY, _QUANTILE = 300, 0.98


@cache
def sequential_colours() -> Colours:
    """uint8[256, 3], viridis: perceptually uniform, safe for colour blindness."""
    import pyqtgraph

    return np.asarray(
        pyqtgraph.colormap.get("viridis").getLookupTable(0.0, 1.0, 256), dtype=np.uint8
    )[:, :3]


def diverging_colours(palette: Palette) -> Colours:
    """uint8[256, 3] from below 0 over a neutral middle to above."""
    low, middle, high = (_channels(name) for name in palette.diverging)
    half = np.linspace(0, 1, 128)[:, None]
    lower, upper = low + (middle - low) * half, middle + (high - middle) * half
    return np.concatenate([lower, upper]).round().astype(np.uint8)


def _channels(colour: str) -> npt.NDArray[np.float64]:
    converted = QColor(colour)
    return np.array([converted.red(), converted.green(), converted.blue()], dtype=np.float64)


def scales(results: Sequence[MatrixResult], shared: bool) -> list[Scale]:
    """One scale for each matrix; ``shared``: one common scale for all that can share it."""
    if not shared:
        return [Scale([result]) for result in results]
    families: dict[tuple[object, ...], list[MatrixResult]] = {}
    for result in results:
        families.setdefault(_family(result), []).append(result)
    scale_of = {family: Scale(members) for family, members in families.items()}
    return [scale_of[_family(result)] for result in results]


def _family(result: MatrixResult) -> tuple[object, ...]:
    return result.centre0, result.kind == "count", result.unit


class Scale:
    """Mapping of values to colours: ``low``..``high``, linear, or logarithmic for counts.

    clipped : whether some values are beyond ``high`` (or, in a diverging scale, below ``low``)
    """

    def __init__(self, results: Sequence[MatrixResult]) -> None:
        first = results[0]
        self.logarithmic = first.kind == "count"
        self.centre0 = first.centre0
        self.unit = first.unit
        self.clipped = False
        tops = [self._top(result.values[np.isfinite(result.values)]) for result in results]
        self.high = max(tops) or 1.0
        if self.centre0:
            self.low = -self.high
        else:
            self.low = 0.0

    def _top(self, seen: npt.NDArray[np.float64]) -> float:
        if not len(seen):
            return 0.0
        sizes = np.abs(seen) if self.centre0 else seen
        most = float(sizes.max())
        if len(seen) < _MANY or self.logarithmic:
            return max(most, 0.0)
        quantile = float(np.quantile(sizes, _QUANTILE))
        if 0 < quantile < 0.8 * most:
            self.clipped = True
            return quantile
        return max(most, 0.0)

    def colours(self, palette: Palette) -> Colours:
        """uint8[256, 3] from the lowest value to the highest."""
        if self.centre0:
            return diverging_colours(palette)
        return sequential_colours()

    def share(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """0..1 along the scale, beyond these limits if clipped; NaN stays NaN."""
        if self.logarithmic:
            return np.log1p(values) / math.log1p(self.high)
        return (values - self.low) / (self.high - self.low)

    def ticks(self, most: int = 8) -> list[tuple[float, str]]:
        """(share, text) of a few round values along the scale, about ``most`` at most."""
        if self.logarithmic:
            top = math.floor(math.log10(max(self.high, 1)))
            values = [
                0.0,
                *(10.0**power for power in range(0, top + 1, max(1, -(-top // max(most - 3, 1))))),
            ]
        else:
            step = _round_step(
                (self.high - self.low) / (most if self.centre0 else max(most - 3, 2))
            )
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            values = [place * step for place in range(first, last + 1)]
        shares = self.share(np.array(values, dtype=float))
        return [(float(share), number(value)) for share, value in zip(shares, values, strict=True)]


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


@mark_unknown
def number(value: float, digits: int = 3) -> str:
    """A value of a matrix: whole and grouped from a thousand on, else with ``digits`` digits."""
    if abs(value) >= 1000:
        if abs(value) >= 1e9:
            return decimal(value, 1)
        return true_minus(f"{value:,.0f}")
    return decimal(value + 0.0, digits)
