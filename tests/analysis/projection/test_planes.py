"""The plane of an analogy preserves its parallelogram; a rotated map preserves its distances."""

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.density import robust_frame
from workbench.analysis.projection.planes import analogy_plane, turned_across, turned_towards


def _unit(seed: int, words: int = 40, dim: int = 9) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(words, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_the_target_is_the_fourth_corner_of_a_parallelogram(seed: int) -> None:
    plane = analogy_plane(_unit(seed), (3, 5, 7, 9))
    a, b, c, d = plane.positions[[3, 5, 7, 9]]
    np.testing.assert_allclose(np.array(plane.target) - c, a - b, atol=1e-5)
    relation = (a - b) + (d - c)
    assert relation[0] > 0
    assert abs(relation[1]) < 1e-5
    assert b[1] >= c[1]


def test_words_in_one_plane_keep_all_their_distances() -> None:
    rng = np.random.default_rng(2)
    inside = rng.normal(size=(4, 2)) @ np.linalg.qr(rng.normal(size=(6, 2)))[0].T
    vectors = np.concatenate([inside, rng.normal(size=(5, 6))]).astype(np.float32)
    plane = analogy_plane(vectors, (0, 1, 2, 3))
    seen = np.linalg.norm(plane.positions[:4, None] - plane.positions[None, :4], axis=-1)
    true = np.linalg.norm(vectors[:4, None] - vectors[None, :4], axis=-1)
    np.testing.assert_allclose(seen, true, atol=1e-5)
    assert plane.shown == pytest.approx(1.0)


def test_sparse_and_dense_vectors_give_one_plane() -> None:
    vectors = _unit(4)
    dense = analogy_plane(vectors, (0, 1, 2, 3))
    sparse = analogy_plane(sp.csr_matrix(vectors), (0, 1, 2, 3))
    np.testing.assert_allclose(dense.positions, sparse.positions, atol=1e-5)
    assert 0.0 < dense.shown < 1.0


def test_an_analogy_of_equal_words_does_not_fail() -> None:
    plane = analogy_plane(_unit(1), (2, 2, 2, 2))
    assert np.isfinite(plane.positions).all()


def test_a_turned_and_mirrored_map_is_turned_back() -> None:
    rng = np.random.default_rng(0)
    reference = rng.normal(size=(50, 2)).astype(np.float32)
    angle = 2.2
    turn = np.array([[np.cos(angle), np.sin(angle)], [np.sin(angle), -np.cos(angle)]])
    other_map = (reference @ turn + [5.0, -3.0]).astype(np.float32)
    back = turned_towards(other_map, reference)
    np.testing.assert_allclose(back, reference - reference.mean(axis=0), atol=1e-4)


def test_turning_keeps_distances_even_when_nothing_matches() -> None:
    rng = np.random.default_rng(1)
    positions, reference = rng.normal(size=(2, 30, 2)).astype(np.float32)
    result = turned_towards(positions, reference)
    before = np.linalg.norm(positions[:, None] - positions[None], axis=-1)
    after = np.linalg.norm(result[:, None] - result[None], axis=-1)
    np.testing.assert_allclose(before, after, atol=1e-4)


def _rotate(positions: np.ndarray, degrees: float) -> np.ndarray:
    angle = np.deg2rad(degrees)
    cosine, sine = np.cos(angle), np.sin(angle)
    return (positions @ np.array([[cosine, sine], [-sine, cosine]])).astype(np.float32)


@pytest.mark.parametrize("degrees", [0, 35, 90, 140])
def test_a_long_map_lies_across_whichever_way_it_came(degrees: int) -> None:
    lying = np.random.default_rng(5).uniform(-1, 1, size=(400, 2)) * (6, 2)
    lying[0] = (0, 40)  # an outlier doesn't count
    came = _rotate(lying, degrees) + np.float32(3)
    across = turned_across(came)
    frame = robust_frame(across)
    assert frame.right - frame.left > 2 * (frame.top - frame.bottom)
    # Rotated about its own centre, not mirrored or scaled, and the same at every call.
    np.testing.assert_allclose(across.mean(axis=0), came.mean(axis=0), atol=1e-3)
    before, after = came - came.mean(axis=0), across - across.mean(axis=0)
    turn, *_ = np.linalg.lstsq(before, after, rcond=None)
    np.testing.assert_allclose(turn @ turn.T, np.eye(2), atol=1e-3)
    assert np.linalg.det(turn) == pytest.approx(1, abs=1e-3)
    np.testing.assert_array_equal(turned_across(came), across)
    np.testing.assert_array_equal(turned_across(across), across)


def test_a_map_that_no_turn_makes_lower_stays_as_it_is() -> None:
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    assert turned_across(ring) is ring
    assert turned_across(ring[:1]).shape == (1, 2)
