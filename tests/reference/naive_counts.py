"""Windowed counts in a simple double loop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

WEIGHTS: dict[str, Callable[[int, int], float]] = {
    "dynamic": lambda distance, window: (window - distance + 1) / window,
    "fixed": lambda distance, window: 1.0,
    "harmonic": lambda distance, window: 1.0 / distance,
    "linear": lambda distance, window: float(window - distance + 1),
}


def naive_counts(
    sentences: Sequence[Sequence[int]],
    size: int,
    window: int,
    weighting: str,
    symmetric: bool = True,
) -> dict[tuple[int, int], float]:
    """All non-empty cells; ids from ``size`` on are removed from the sentences first."""
    weight = WEIGHTS[weighting]
    cells: dict[tuple[int, int], float] = defaultdict(float)
    for sentence in sentences:
        left = [word for word in sentence if word < size]
        for i in range(len(left)):
            for j in range(len(left)):
                distance = j - i
                if distance == 0 or abs(distance) > window or (distance < 0 and not symmetric):
                    continue
                cells[left[i], left[j]] += weight(abs(distance), window)
    return dict(cells)
