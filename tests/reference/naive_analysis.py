"""Results that the analysis must reach, computed word by word in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector = Sequence[float]


def dot(x: Vector, y: Vector) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def cosine(x: Vector, y: Vector) -> float:
    lengths = math.sqrt(dot(x, x)) * math.sqrt(dot(y, y))
    return dot(x, y) / lengths if lengths else 0.0


def unit(x: Vector) -> list[float]:
    length = math.sqrt(dot(x, x))
    return [value / length if length else 0.0 for value in x]


def ranking(scores: Sequence[float], leave_out: Sequence[int] = ()) -> list[int]:
    rows = [row for row in range(len(scores)) if row not in leave_out]
    return sorted(rows, key=lambda row: (-scores[row], row))


def neighbours(vectors: Sequence[Vector], row: int) -> list[tuple[int, float]]:
    scores = [cosine(vectors[row], other) for other in vectors]
    return [(other, scores[other]) for other in ranking(scores, [row])]


def three_cos_add(vectors: Sequence[Vector], plus: Sequence[int], minus: int) -> list[float]:
    """cos(x, plus₀ − minus + plus₁) of every x, over unit vectors."""
    first, second, third = (unit(vectors[row]) for row in (plus[0], minus, plus[1]))
    query = [a - b + c for a, b, c in zip(first, second, third, strict=True)]
    return [cosine(unit(x), query) for x in vectors]


def three_cos_mul(vectors: Sequence[Vector], plus: Sequence[int], minus: int) -> list[float]:
    """cos(x, plus₀)·cos(x, plus₁) / (cos(x, minus) + 0.001) of every x; cosines mapped to 0..1."""

    def shifted_cosine(x: Vector, row: int) -> float:
        return (cosine(x, vectors[row]) + 1) / 2

    return [
        shifted_cosine(x, plus[0]) * shifted_cosine(x, plus[1]) / (shifted_cosine(x, minus) + 0.001)
        for x in vectors
    ]


def average_ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    first, second = average_ranks(x), average_ranks(y)
    mean = (len(x) + 1) / 2
    a, b = [rank - mean for rank in first], [rank - mean for rank in second]
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))
