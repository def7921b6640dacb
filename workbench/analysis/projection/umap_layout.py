"""The moving part of UMAP: points pulled along the edges of the neighbour graph and pushed apart.

umap-learn’s layout loop has no callback between epochs and computes two powers per step. Here
Python runs the epochs, and a table over the distance gives the two gradients.

Source: McInnes, Healy & Melville 2018, UMAP, section 4.1 and appendix: the gradients of the fuzzy
cross entropy between graph weights and 1/(1 + a·d^2b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.jit import kernel

# The table is indexed by the exponent and the first 6 bits of the mantissa of a float32 d², from
# 2⁻²⁴ to 2²⁴, so that it stays in the L1 cache. Between entries, the curves are linear to within
# 2e-4.
_DROPPED_BITS = 17
_LOWEST = np.float32(2.0**-24)
_HIGHEST = np.float32(2.0**24)
_BASE = int(_LOWEST.view(np.int32)) >> _DROPPED_BITS
# Number of edges that a kernel visits before it can be stopped.
_EDGES = 1 << 20
_ENTRIES = (int(_HIGHEST.view(np.int32)) >> _DROPPED_BITS) - _BASE + 2


class Graph(NamedTuple):
    """Edges of the fuzzy graph and how often each is drawn.

    head, tail : int32[E], the points that an edge joins
    period : float64[E], number of epochs between draws of an edge, at least 1
    """

    head: Ids
    tail: Ids
    period: Doubles


def gradients(squared: Doubles, a: float, b: float) -> tuple[Doubles, Doubles]:
    """Factors of (y_i − y_j), at d², that pull along an edge (negative) and push away a random
    point.
    """
    curve = 1.0 + a * squared**b
    return -2.0 * a * b * squared ** (b - 1.0) / curve, 2.0 * b / ((0.001 + squared) * curve)


def gradient_table(a: float, b: float) -> Singles:
    """float32[entries, 2]: both factors at every d² of the index."""
    bits = ((np.arange(_ENTRIES) + _BASE) << _DROPPED_BITS).astype(np.int32)
    pull, push = gradients(bits.view(np.float32).astype(np.float64), a, b)
    return np.stack([pull, push], axis=1).astype(np.float32)


def move_points(
    positions: Singles,
    graph: Graph,
    a: float,
    b: float,
    epochs: int,
    negatives: int,
    seed: int,
    check: Callable[[], None] = lambda: None,
) -> Iterator[int]:
    """Move ``positions`` float32[V, 2 or 3] in place, and yield the number of epochs after each.

    check : called several times within a long epoch; it may raise

    ``negatives`` random points are pushed away for each draw of an edge. The step size falls from 1
    to 0. The same arguments give bitwise identical results.
    """
    curves = gradient_table(a, b)
    next_draw = graph.period.copy()
    period_negative = graph.period / negatives
    next_negative = period_negative.copy()
    state = np.array([seed * 2 + 1], dtype=np.uint64)
    pass_over = _epoch if positions.shape[1] == 2 else _epoch_solid
    for epoch in range(epochs):
        step = np.float32(1.0 - max(epoch - 1, 0) / epochs)
        for first in range(0, len(graph.head), _EDGES):
            check()
            pass_over(
                positions,
                graph,
                first,
                min(first + _EDGES, len(graph.head)),
                curves,
                float(epoch),
                step,
                next_draw,
                period_negative,
                next_negative,
                state,
            )
        yield epoch + 1


@kernel(inline=True)
def _factor(curves: Singles, column: int, squared: np.float32) -> np.float32:
    """The tabulated curve at d², linear between entries."""
    bits = np.float32(min(max(squared, _LOWEST), _HIGHEST)).view(np.int32)
    place = (bits >> _DROPPED_BITS) - _BASE
    share = np.float32(bits & ((1 << _DROPPED_BITS) - 1)) * np.float32(1.0 / (1 << _DROPPED_BITS))
    low = curves[place, column]
    return np.float32(low + share * (curves[place + 1, column] - low))


@kernel(inline=True)
def _clip(value: np.float32) -> np.float32:
    return min(max(value, np.float32(-4.0)), np.float32(4.0))


@kernel
def _epoch(
    positions: Singles,
    graph: Graph,
    first: int,
    last: int,
    curves: Singles,
    epoch: float,
    step: np.float32,
    next_draw: Doubles,
    period_negative: Doubles,
    next_negative: Doubles,
    state: npt.NDArray[np.uint64],
) -> None:
    size = np.uint64(positions.shape[0])
    random = state[0]
    for edge in range(first, last):
        if next_draw[edge] > epoch:
            continue
        i, j = graph.head[edge], graph.tail[edge]
        x, y = positions[i, 0], positions[i, 1]
        dx, dy = x - positions[j, 0], y - positions[j, 1]
        pull = _factor(curves, 0, dx * dx + dy * dy)
        move_x, move_y = step * _clip(pull * dx), step * _clip(pull * dy)
        positions[j, 0] -= move_x
        positions[j, 1] -= move_y
        next_draw[edge] += graph.period[edge]
        count = int((epoch - next_negative[edge]) / period_negative[edge])
        for _ in range(count):
            # Upper half of Knuth's 64-bit linear congruential generator.
            random = random * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            other = np.int64(((random >> np.uint64(32)) * size) >> np.uint64(32))
            dx, dy = x - positions[other, 0], y - positions[other, 1]
            push = _factor(curves, 1, dx * dx + dy * dy)
            move_x += step * _clip(push * dx)
            move_y += step * _clip(push * dy)
        positions[i, 0] = x + move_x
        positions[i, 1] = y + move_y
        next_negative[edge] += count * period_negative[edge]
    state[0] = random


@kernel
def _epoch_solid(
    positions: Singles,
    graph: Graph,
    first: int,
    last: int,
    curves: Singles,
    epoch: float,
    step: np.float32,
    next_draw: Doubles,
    period_negative: Doubles,
    next_negative: Doubles,
    state: npt.NDArray[np.uint64],
) -> None:
    """Do what ``_epoch`` does, in three dimensions."""
    size = np.uint64(positions.shape[0])
    random = state[0]
    for edge in range(first, last):
        if next_draw[edge] > epoch:
            continue
        i, j = graph.head[edge], graph.tail[edge]
        x, y, z = positions[i, 0], positions[i, 1], positions[i, 2]
        dx, dy, dz = x - positions[j, 0], y - positions[j, 1], z - positions[j, 2]
        pull = _factor(curves, 0, dx * dx + dy * dy + dz * dz)
        move_x, move_y, move_z = (
            step * _clip(pull * dx),
            step * _clip(pull * dy),
            step * _clip(pull * dz),
        )
        positions[j, 0] -= move_x
        positions[j, 1] -= move_y
        positions[j, 2] -= move_z
        next_draw[edge] += graph.period[edge]
        count = int((epoch - next_negative[edge]) / period_negative[edge])
        for _ in range(count):
            random = random * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            other = np.int64(((random >> np.uint64(32)) * size) >> np.uint64(32))
            dx, dy, dz = x - positions[other, 0], y - positions[other, 1], z - positions[other, 2]
            push = _factor(curves, 1, dx * dx + dy * dy + dz * dz)
            move_x += step * _clip(push * dx)
            move_y += step * _clip(push * dy)
            move_z += step * _clip(push * dz)
        positions[i, 0] = x + move_x
        positions[i, 1] = y + move_y
        positions[i, 2] = z + move_z
        next_negative[edge] += count * period_negative[edge]
    state[0] = random


def warm(dims: int) -> None:
    """Compile the kernels for 2 or 3 dimensions, or load them from the cache."""
    edge = Graph(np.zeros(1, np.int32), np.ones(1, np.int32), np.ones(1))
    for _ in move_points(np.eye(2, dims, dtype=np.float32), edge, 1.0, 1.0, 1, 1, 0):
        pass
