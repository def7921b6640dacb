"""The exact softmax, pair by pair, and bounded Newton steps, row by row."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np


def cross_entropy(hidden: np.ndarray, C: np.ndarray, target: int) -> float:
    """−log of the softmax of one target word, in nats."""
    scores = [float(sum(h * c for h, c in zip(hidden, row, strict=True))) for row in C]
    top = max(scores)
    return math.log(sum(math.exp(score - top) for score in scores)) + top - scores[target]


def from_counts(W: np.ndarray, C: np.ndarray, counts: np.ndarray) -> float:
    """Σ_ij X_ij · −log Q_ij."""
    return sum(
        float(counts[i, j]) * cross_entropy(W[i], C, j)
        for i in range(len(W))
        for j in range(len(C))
        if counts[i, j]
    )


def numeric_gradient(
    loss: Callable[[], float], table: np.ndarray, step: float = 1e-5
) -> np.ndarray:
    """∂loss/∂table by central differences; the table is float64 and is restored afterwards."""
    gradient = np.zeros_like(table)
    for place in np.ndindex(table.shape):
        before = table[place]
        table[place] = before + step
        above = loss()
        table[place] = before - step
        below = loss()
        table[place] = before
        gradient[place] = (above - below) / (2 * step)
    return gradient


def bounded_newton(spread: np.ndarray, gradient: np.ndarray, damping: float) -> np.ndarray:
    """The Newton step for one row, with damping, shortened to a variance of at most 1."""
    dim = len(spread)
    step = np.linalg.solve(spread + damping * np.trace(spread) / dim * np.eye(dim), gradient)
    variance = sum(step[a] * spread[a, b] * step[b] for a in range(dim) for b in range(dim))
    return step / max(1.0, math.sqrt(variance))


def spread_of(vectors: np.ndarray, weights: np.ndarray, about_mean: bool) -> np.ndarray:
    """Σ p·v vᵀ, with v relative to the mean or to 0."""
    shares = weights / weights.sum()
    mean = (
        sum(p * v for p, v in zip(shares, vectors, strict=True))
        if about_mean
        else np.zeros(vectors.shape[1])
    )
    return sum(p * np.outer(v - mean, v - mean) for p, v in zip(shares, vectors, strict=True))
