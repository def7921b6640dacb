"""How the values of a matrix become colours, and what a colour scale says about them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from workbench.analysis.matrix import MatrixResult
from workbench.ui.text import decimal
from workbench.ui.theme import Palette

Colours = npt.NDArray[np.uint8]


@cache
def sequential_colours() -> Colours:
    """uint8[256, 3], viridis: perceptually even, safe for the colour-blind."""
    import pyqtgraph

    return np.asarray(pyqtgraph.colormap.get("viridis").getLookupTable(0.0, 1.0, 256), dtype=np.uint8)[:, :3]


def diverging_colours(palette: Palette) -> Colours:
    """uint8[256, 3] from below 0 over a neutral middle to above."""
    low, middle, high = (_channels(name) for name in palette.diverging)
    half = np.linspace(0, 1, 128)[:, None]
    lower, upper = low + (middle - low) * half, middle + (high - middle) * half
    return np.concatenate([lower, upper]).round().astype(np.uint8)


def _channels(colour: str) -> npt.NDArray[np.float64]:
    made = QColor(colour)
    return np.array([made.red(), made.green(), made.blue()], dtype=np.float64)


class Scale:
    """How values become colours: ``low``..``high``, evenly, or by logarithm for counts."""

    def __init__(self, result: MatrixResult) -> None:
        seen = result.values[np.isfinite(result.values)]
        self.logarithmic = result.kind == "count"
        self.centre0 = result.centre0
        if result.centre0:
            self.high = (float(np.abs(seen).max()) if len(seen) else 0.0) or 1.0
            self.low = -self.high
        else:
            self.low, self.high = 0.0, (float(seen.max()) if len(seen) and seen.max() > 0 else 1.0)

    def colours(self, palette: Palette) -> Colours:
        """uint8[256, 3] from the lowest value to the highest."""
        return diverging_colours(palette) if self.centre0 else sequential_colours()

    def share(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """0..1 along the scale; NaN stays NaN."""
        if self.logarithmic:
            return np.log1p(values) / math.log1p(self.high)
        return (values - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """(share, text) of a few round values along the scale."""
        if self.logarithmic:
            top = math.floor(math.log10(max(self.high, 1)))
            values = [0.0, *(10.0**power for power in range(0, top + 1, max(1, -(-top // 5))))]
        else:
            step = _round_step((self.high - self.low) / (8 if self.centre0 else 5))
            first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
            values = [number * step for number in range(first, last + 1)]
        shares = self.share(np.array(values, dtype=float))
        return [(float(share), number(value)) for share, value in zip(shares, values, strict=True)]


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


def number(value: float, digits: int = 3) -> str:
    """A value of a matrix: whole and grouped from a thousand on, else with some digits."""
    if abs(value) >= 1000:
        return decimal(value, 1) if abs(value) >= 1e9 else f"{value:,.0f}".replace("-", "\u2212")
    return decimal(value + 0.0, digits)
