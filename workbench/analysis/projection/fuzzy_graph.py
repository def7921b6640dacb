"""UMAP's weighted graph of neighbours, from exact neighbours and their distances.

McInnes, Healy & Melville 2018, UMAP, sections 3 and 4: algorithms 2 (local fuzzy simplicial sets)
and 3 (the smoothed distance to the k-th neighbour), and the curve 1/(1 + a·d^2b) of section 4. The
authors' program, umap-learn, compiles for 12 to 25 s before it starts; this module is plain numpy,
with the same tolerances and the same results.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Bools, Doubles, Ids, Singles

# umap-learn's tolerance, number of halvings, and smallest bandwidth as a share of the mean
# distance.
_TOLERANCE = 1e-5
_MOST_HALVINGS = 64
_SMALLEST_SHARE = 1e-3
_BLOCK = 1 << 16
_CURVE_POINTS = 300
_CURVE_STEPS = 100


def fuzzy_graph(
    neighbours: Ids, distances: Singles, check: Callable[[], None] = lambda: None
) -> sp.csr_matrix:
    """Symmetric weights of edges, float32 CSR[V, V], in 0..1.

    neighbours, distances : [V, k], in order of distance, each point itself in column 0 at distance
    0
    check : called between blocks of points; it may raise

    The weight of an edge is 1 − (1 − w_ij)(1 − w_ji), where w_ij falls exponentially with the
    distance of j beyond i's nearest neighbour, at a rate by which the weights of row i sum up to
    log2 k (algorithms 1 to 3).
    """
    size, width = neighbours.shape
    overall = float(distances.mean(dtype=np.float64))
    weights = np.empty((size, width), dtype=np.float32)
    for at in range(0, size, _BLOCK):
        check()
        block = distances[at : at + _BLOCK]
        nearest = _nearest_distance(block)
        beyond = block - nearest[:, None]
        bandwidth = _bandwidth(beyond, nearest, block, overall)
        part = np.exp(-np.maximum(beyond, 0) / bandwidth[:, None])
        itself = neighbours[at : at + _BLOCK] == np.arange(at, at + len(block))[:, None]
        weights[at : at + _BLOCK] = np.where(itself, 0, part)
    pointers = np.arange(0, size * width + 1, width)
    # A copy of the columns: they are sorted in place.
    columns = neighbours.flatten()
    one_way = sp.csr_matrix((weights.ravel(), columns, pointers), shape=(size, size))
    one_way.sum_duplicates()
    other_way = one_way.T.tocsr()
    both: sp.csr_matrix = (one_way + other_way - one_way.multiply(other_way)).tocsr()
    both.sum_duplicates()
    both.eliminate_zeros()
    return both


def new_weights(distances: Singles) -> Singles:
    """Weights of the edges of new points, float32[m, k] in 0..1, from distances to their k nearest
    points, ascending: as umap-learn's ``transform``, which has no nearest distance to subtract.
    """
    nothing = np.zeros(len(distances), dtype=np.float32)
    overall = float(distances.mean(dtype=np.float64))
    bandwidth = _bandwidth(distances, nothing, distances, overall)
    return np.asarray(np.exp(-distances / bandwidth[:, None]), dtype=np.float32)


def draw_periods(weights: Singles, epochs: int) -> Doubles:
    """Number of epochs between draws of an edge: float64[E], 1 for the heaviest edge."""
    return np.asarray(epochs / (epochs * (weights.astype(np.float64) / float(weights.max()))))


def curve_parameters(spread: float, min_dist: float) -> tuple[float, float]:
    """a and b of 1/(1 + a·d^2b): a least-squares fit to 1 below ``min_dist`` and
    exp(−(d − min_dist)/spread) above, at 300 points up to three times ``spread``.

    The curve is fitted to distances in units of ``spread``, where the search always succeeds; in
    other units, umap-learn's search ends with a negative b for a small spread. The method is that
    of Marquardt (1963), implemented here because loading SciPy's takes a third of the time of a
    first map.
    """
    # At 0 the curve is 1 whatever a and b are.
    far = np.linspace(0, 3, _CURVE_POINTS)[1:]
    low = min_dist / spread
    wanted = np.where(far < low, 1.0, np.exp(low - far))
    curve = np.ones(2)
    powers, error = _curve_error(curve, far, wanted)
    damping = 1.0
    for _ in range(_CURVE_STEPS):
        near = wanted + error
        towards_a = -powers * near**2
        slopes = np.stack([towards_a, 2.0 * curve[0] * np.log(far) * towards_a])
        curvature = slopes @ slopes.T
        step = np.linalg.solve(curvature * (1.0 + damping * np.eye(2)), slopes @ error)
        there, there_error = _curve_error(curve - step, far, wanted)
        if there_error @ there_error < error @ error:
            curve, powers, error = curve - step, there, there_error
            damping /= 10.0
        else:
            damping *= 10.0
    a, b = curve.tolist()
    return a / spread ** (2 * b), b


def _curve_error(curve: Doubles, far: Doubles, wanted: Doubles) -> tuple[Doubles, Doubles]:
    """far^2b, and the difference 1/(1 + a·far^2b) − ``wanted``."""
    a, b = curve
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        powers = far ** (2 * b)
        return powers, 1.0 / (1.0 + a * powers) - wanted


def _nearest_distance(distances: Singles) -> Singles:
    """float32[n], the distance to the nearest neighbour that doesn't coincide; 0 without one."""
    apart = distances > 0
    return np.asarray(distances[np.arange(len(distances)), np.argmax(apart, axis=1)])


def _bandwidth(beyond: Singles, nearest: Singles, distances: Singles, overall: float) -> Singles:
    """float32[n], the scale of each row's exponential (algorithm 3), by bisection."""
    size, width = distances.shape
    target = np.log2(width)
    low, high = np.zeros(size), np.full(size, np.inf)
    scale = np.ones(size)
    # Column 0 is the point itself and doesn't count.
    others = np.maximum(beyond[:, 1:], 0).astype(np.float64)
    active = np.arange(size)
    for _ in range(_MOST_HALVINGS):
        sums = np.exp(-others[active] / scale[active, None]).sum(axis=1)
        unsettled: Bools = np.abs(sums - target) >= _TOLERANCE
        active, sums = active[unsettled], sums[unsettled]
        if not len(active):
            break
        over = sums > target
        high[active[over]] = scale[active[over]]
        low[active[~over]] = scale[active[~over]]
        scale[active] = np.where(
            np.isinf(high[active]), 2 * scale[active], (low[active] + high[active]) / 2
        )
    floor = np.where(nearest > 0, distances.mean(axis=1), overall) * _SMALLEST_SHARE
    # If all points coincide, any scale gives them the weight 1.
    return np.maximum(np.maximum(scale, floor), np.finfo(np.float32).tiny).astype(np.float32)
