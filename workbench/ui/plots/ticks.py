"""Round values along an axis, and their texts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from workbench.ui.base.text import (
    count,
    decimal,
    mark_unknown,
    power_of_ten,
    short_number,
    true_minus,
)

# Multiples of a power of ten along a logarithmic axis, from many ticks to few.
_STEPS = ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,))
# A logarithmic axis that spans less than a factor of three has the ticks of a linear one.
_NARROW, _FACTOR = 0.5, 3.0


def nice_ticks(low: float, high: float, number: int) -> list[float]:
    """About ``number`` round values at most within low..high, evenly spaced by 1, 2 or 5 times a
    power of ten.
    """
    if not high > low:
        return [low]
    raw = (high - low) / max(number, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw * 0.8)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [at * step for at in range(first, last + 1)]


def log_ticks(low: float, high: float, number: int) -> list[float]:
    """About ``number`` round values at most between 10^low and 10^high."""
    if high - low < _NARROW:
        return nice_ticks(10.0**low, 10.0**high, number)
    powers = range(math.floor(low), math.ceil(high) + 1)
    found: list[float] = []
    for steps in _STEPS:
        values = [step * 10.0**power for power in powers for step in steps]
        found = [value for value in values if low <= math.log10(value) <= high]
        if len(found) <= max(number, 1):
            return found
    return found[:: math.ceil(len(found) / max(number, 1))]


def tick_texts(ticks: Sequence[float], *, log: bool = False, scale: float = 1.0) -> list[str]:
    """Texts of ticks times ``scale``, with enough digits to distinguish neighbours."""
    shown = [tick * scale for tick in ticks]
    if log and shown and shown[-1] > _FACTOR * shown[0]:
        return [_log_text(value) for value in shown]
    digits = _decimals(shown)
    largest = max((abs(value) for value in shown), default=0.0)
    if largest >= 1e6:
        return [_short(value) for value in shown]
    if largest >= 1e4 and not digits:
        return [count(round(value)) for value in shown]
    # Rounded first, so that zero has no minus sign.
    return [true_minus(f"{round(value, digits) + 0.0:.{digits}f}") for value in shown]


def _decimals(values: Sequence[float]) -> int:
    """Number of decimals that distinguishes neighbours."""
    if len(values) < 2:
        return 1
    step = abs(values[1] - values[0])
    return min(max(-math.floor(math.log10(step) + 1e-9), 0), 6)


def _is_power(value: float) -> bool:
    """Whether a value is a power of ten."""
    return math.isclose(value, 10.0 ** round(math.log10(value)), rel_tol=1e-6)


@mark_unknown
def _log_text(value: float) -> str:
    if value >= 1e6:
        return _short(value)
    if value >= 1000:
        return count(round(value))
    if 0 < value < 0.9e-3 and _is_power(value):
        return power_of_ten(round(math.log10(value)))
    return decimal(value, 3)


@mark_unknown
def _short(value: float) -> str:
    return re.sub(r"[.,]00? ", " ", short_number(value))
