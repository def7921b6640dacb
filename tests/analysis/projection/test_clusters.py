"""k-means and silhouettes, against scikit-learn and all partitions of a few points."""

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, silhouette_samples

from workbench.analysis.projection.clusters import best_k_means, k_means, silhouettes
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl


def _unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _groups(
    k: int = 5, n: int = 200, d: int = 12, noise: float = 0.15
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(k)
    truth = rng.integers(0, k, n)
    return _unit(rng.normal(size=(k, d))[truth] + rng.normal(0, noise, (n, d))), truth


def test_lloyd_from_the_same_start_ends_where_sklearn_ends() -> None:
    unit, _ = _groups(noise=0.8)
    first = unit[:6].astype(np.float64)
    mine = k_means(unit, 6, first=first)
    theirs = KMeans(6, init=first, n_init=1, tol=0, max_iter=100).fit(unit.astype(np.float64))
    assert adjusted_rand_score(mine.labels, theirs.labels_) == 1.0
    assert mine.inertia == pytest.approx(theirs.inertia_, rel=1e-5)


def test_groups_that_are_apart_are_found_and_their_number_too() -> None:
    unit, truth = _groups()
    found = best_k_means(unit, range(2, 9))
    assert found.k == 5
    assert adjusted_rand_score(found.labels, truth) == 1.0
    sizes = np.bincount(found.labels)
    assert (np.diff(sizes) <= 0).all()  # the largest first
    for label, rows in enumerate(found.typical(unit)):
        assert (found.labels[list(rows)] == label).all()
        centre = unit[found.labels == label].mean(axis=0)
        distances = np.where(found.labels == label, np.linalg.norm(unit - centre, axis=1), np.inf)
        np.testing.assert_array_equal(np.sort(distances[list(rows)]), np.sort(distances)[:3])


def test_no_partition_of_a_few_points_is_better() -> None:
    unit = _unit(np.random.default_rng(3).normal(size=(9, 3)))
    best = min(
        sum(
            float(
                (
                    (unit[np.array(labels) == side] - unit[np.array(labels) == side].mean(axis=0))
                    ** 2
                ).sum()
            )
            for side in (0, 1)
        )
        for labels in product((0, 1), repeat=9)
        if 0 < sum(labels) < 9
    )
    assert k_means(unit, 2, starts=20).inertia == pytest.approx(best, rel=1e-5)


def test_silhouettes_are_those_of_sklearn() -> None:
    unit, _ = _groups(noise=0.9)
    labels = np.random.default_rng(0).integers(0, 4, len(unit)).astype(np.int32)
    labels[7] = 4  # alone in its cluster
    expected = silhouette_samples(unit.astype(np.float64), labels, metric="cosine")
    np.testing.assert_allclose(silhouettes(unit, labels), expected, atol=1e-5)
    np.testing.assert_allclose(silhouettes(sp.csr_matrix(unit), labels), expected, atol=1e-5)


def test_sparse_vectors_fall_into_the_same_clusters() -> None:
    unit, _ = _groups()
    dense, sparse = k_means(unit, 5, seed=2), k_means(sp.csr_matrix(unit), 5, seed=2)
    assert adjusted_rand_score(dense.labels, sparse.labels) == 1.0
    assert sparse.silhouette == pytest.approx(dense.silhouette, abs=1e-5)


def test_equal_points_leave_no_cluster_empty() -> None:
    unit = np.ones((6, 3), dtype=np.float32) / np.float32(np.sqrt(3))
    assert np.bincount(k_means(unit, 3).labels, minlength=3).min() > 0


def test_what_cannot_be_done_is_told() -> None:
    unit, _ = _groups(n=10)
    with pytest.raises(UserError, match="11 clusters"):
        k_means(unit, 11)
    with pytest.raises(UserError, match="Too few words to find clusters"):
        best_k_means(unit[:2])
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        k_means(unit, 2, run=run)
