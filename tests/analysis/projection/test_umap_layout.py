"""The kernel of the layout, against the formulae, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.projection import umap_layout
from workbench.analysis.projection.umap_layout import (
    Graph,
    _factor,
    gradient_table,
    gradients,
    move_points,
)

A, B = 1.577, 0.895


def test_gradients_are_those_of_the_cross_entropy() -> None:
    """Compare them with finite differences of −log v and −log(1 − v), v = 1/(1 + a·d^2b)."""
    for squared_distance in (0.01, 0.5, 3.0, 40.0):
        pull, push = gradients(np.array([squared_distance]), A, B)
        d, h = np.sqrt(squared_distance), 1e-6

        def attract(d: float) -> float:
            return float(np.log1p(A * d ** (2 * B)))

        def repel(d: float) -> float:
            return -float(np.log(1 - 1 / (1 + A * d ** (2 * B))))

        assert -pull[0] * d == pytest.approx((attract(d + h) - attract(d - h)) / (2 * h), rel=1e-5)
        # The 0.001 that keeps the repulsion finite makes it slightly smaller.
        slope = -(repel(d + h) - repel(d - h)) / (2 * h)
        assert push[0] * d * (1 + 0.001 / squared_distance) == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize(("a", "b"), [(A, B), (0.115, 1.93), (10.0, 0.6)])
def test_the_table_follows_the_curves(a: float, b: float) -> None:
    curves = gradient_table(a, b)
    squared_distance = np.exp(np.linspace(np.log(1e-6), np.log(1e6), 3001)).astype(np.float32)
    for column, exact in enumerate(gradients(squared_distance.astype(np.float64), a, b)):
        found = np.array([_factor.py_func(curves, column, value) for value in squared_distance])
        np.testing.assert_allclose(found, exact, rtol=5e-4)
    for value in (0.0, 1e-30, 1e30, np.inf):
        assert np.isfinite(_factor.py_func(curves, 0, np.float32(value)))


def edges(pairs: list[tuple[int, int]], period: list[float]) -> Graph:
    table = np.array(pairs, dtype=np.int32)
    return Graph(table[:, 0].copy(), table[:, 1].copy(), np.array(period))


def test_an_edge_pulls_both_ends_and_is_drawn_once_a_period() -> None:
    """Two points too far apart for random repulsion to matter, with forces computed by hand."""
    positions = np.array([[0, 0], [3, 4]], dtype=np.float32)
    frames: list[tuple[int, np.ndarray]] = []
    # With a period of 2, only epoch 2 of 0..3 draws the edge, with step 1 − 1/4; one negative
    # sample per hundred periods means none here.
    for epoch in move_points(positions, edges([(0, 1)], [2.0]), A, B, 4, 1, 1):
        frames.append((epoch, positions.copy()))
    assert [epoch for epoch, _ in frames] == [1, 2, 3, 4]
    pull = float(gradients(np.array([25.0]), A, B)[0][0])
    at_two = frames[2][1]
    assert np.array_equal(frames[1][1], [[0, 0], [3, 4]])
    np.testing.assert_allclose(
        at_two[1], np.array([3, 4]) + 0.75 * pull * np.array([3, 4]), rtol=1e-3
    )
    assert np.array_equal(frames[3][1], at_two)


def test_negatives_push_apart_and_nothing_leaves_the_plane() -> None:
    rng = np.random.default_rng(1)
    positions = rng.normal(scale=0.01, size=(50, 2)).astype(np.float32)
    before = np.ptp(positions, axis=0)
    ring = edges([(i, (i + 1) % 50) for i in range(50)], [1.0] * 50)
    list(move_points(positions, ring, A, B, 50, 5, 3))
    assert np.isfinite(positions).all()
    assert (np.ptp(positions, axis=0) > 20 * before).all()


def test_the_same_seed_gives_the_same_bits() -> None:
    ring = edges([(i, (i + 1) % 30) for i in range(30)], [1.0] * 30)
    start = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32)
    results = []
    for seed in (7, 7, 8):
        positions = start.copy()
        list(move_points(positions, ring, A, B, 20, 5, seed))
        results.append(positions)
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])


def test_space_moves_as_the_plane_does_where_nothing_has_depth() -> None:
    ring = edges([(i, (i + 1) % 30) for i in range(30)], [1.0] * 30)
    flat = np.random.default_rng(2).normal(size=(30, 2)).astype(np.float32)
    solid = np.hstack([flat, np.zeros((30, 1), dtype=np.float32)])
    for positions in (flat, solid):
        list(move_points(positions, ring, A, B, 3, 5, 4))
    np.testing.assert_allclose(solid[:, :2], flat, atol=1e-3)
    assert not solid[:, 2].any()


def test_an_edge_pulls_in_space() -> None:
    positions = np.array([[0, 0, 0], [2, 3, 6]], dtype=np.float32)
    list(move_points(positions, edges([(0, 1)], [2.0]), A, B, 3, 1, 1))
    pull = float(gradients(np.array([49.0]), A, B)[0][0])
    # Of 3 epochs, the last draws the edge, with step 1 − 1/3.
    np.testing.assert_allclose(positions[1], np.array([2, 3, 6]) * (1 + pull * 2 / 3), rtol=1e-3)


def test_pieces_of_an_epoch_are_the_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = edges([(i, (i + 1) % 30) for i in range(30)], [1.0] * 30)
    start = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32)
    whole, pieces = start.copy(), start.copy()
    list(move_points(whole, ring, A, B, 5, 5, 7))
    monkeypatch.setattr(umap_layout, "_EDGES", 7)
    checks: list[int] = []
    list(move_points(pieces, ring, A, B, 5, 5, 7, lambda: checks.append(1)))
    assert np.array_equal(pieces, whole)
    assert len(checks) == 25
