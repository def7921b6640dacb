"""The graph of neighbours, against umap-learn’s and, entry by entry, against the definition."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from umaps import umap_learn

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.projection.fuzzy_graph import curve_parameters, draw_periods, fuzzy_graph


def nearest_of(points: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """int32[V, k] rows and float32[V, k] cosine distances of each point and its k − 1 nearest."""
    unit = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    rows, cosines = all_nearest(unit, k - 1)
    itself = np.arange(len(points), dtype=np.int32)[:, None]
    distances = np.hstack([np.zeros((len(points), 1)), np.maximum(1 - cosines, 0)])
    return np.hstack([itself, rows]), distances.astype(np.float32)


def cloud(size: int, dims: int, coinciding: int = 0) -> np.ndarray:
    points = np.random.default_rng(4).normal(size=(size, dims))
    points[:coinciding] = points[0]
    return points


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("size", "dims", "k", "coinciding"),
    [(300, 20, 15, 0), (300, 20, 2, 0), (400, 8, 12, 40), (6, 3, 4, 0), (30, 4, 10, 30)],
)
def test_it_is_the_graph_of_umap_learn(size: int, dims: int, k: int, coinciding: int) -> None:
    points = cloud(size, dims, coinciding)
    neighbours, distances = nearest_of(points, k)
    before = neighbours.copy()
    graph = fuzzy_graph(neighbours, distances)
    np.testing.assert_array_equal(neighbours, before)
    reference, _, _ = umap_learn().fuzzy_simplicial_set(
        points,
        k,
        np.random.RandomState(0),
        "precomputed",
        knn_indices=neighbours,
        knn_dists=distances,
    )
    np.testing.assert_allclose(graph.toarray(), reference.toarray(), atol=2e-5)
    # The number of draws of an edge depends on ratios of weights, so both functions get the same
    # weights.
    periods = umap_learn().make_epochs_per_sample(graph.data, 200)
    np.testing.assert_allclose(draw_periods(graph.data, 200), periods, rtol=1e-5)


def test_weights_are_those_of_the_definition() -> None:
    neighbours, distances = nearest_of(cloud(40, 5), 6)
    weights = np.zeros((40, 40))
    for i in range(40):
        far = distances[i, 1:].astype(float) - float(distances[i, 1])
        scale = brentq(lambda s, far=far: np.exp(-far / s).sum() - np.log2(6), 1e-6, 1e3)
        weights[i, neighbours[i, 1:]] = np.exp(-far / scale)
    expected = weights + weights.T - weights * weights.T
    np.testing.assert_allclose(fuzzy_graph(neighbours, distances).toarray(), expected, atol=1e-4)


def test_blocks_do_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.analysis.projection import fuzzy_graph as module

    neighbours, distances = nearest_of(cloud(100, 6), 8)
    whole = fuzzy_graph(neighbours, distances).toarray()
    monkeypatch.setattr(module, "_BLOCK", 7)
    checks: list[int] = []
    parts = fuzzy_graph(neighbours, distances, lambda: checks.append(1)).toarray()
    np.testing.assert_array_equal(parts, whole)
    assert len(checks) == 15


# umap-learn warns about a missing package, and its search tries values that overflow.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("spread", "min_dist"), [(1.0, 0.1), (1.0, 0.5), (2.0, 0.0), (5.0, 2.0)])
def test_the_curve_is_that_of_umap_learn(spread: float, min_dist: float) -> None:
    expected = umap_learn().find_ab_params(spread, min_dist)
    np.testing.assert_allclose(curve_parameters(spread, min_dist), expected, rtol=1e-5)


@settings(max_examples=60)
@given(spread=st.floats(1e-6, 10), share=st.floats(0, 1))
def test_every_setting_has_a_curve_that_falls(spread: float, share: float) -> None:
    """Include settings for which the search of umap-learn ends with a negative b."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        a, b = curve_parameters(spread, share * spread)
    assert a > 0
    assert 0.7 < b < 2
    # The curve falls to one half between the end of the plateau and 1.5 spreads beyond it.
    half = a ** (-1 / (2 * b))
    assert share * spread < half < (share + 1.5) * spread
