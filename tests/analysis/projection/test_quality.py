"""Trustworthiness and continuity, against scikit-learn and ranks from sorted distances."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.manifold import trustworthiness

from workbench.analysis.projection.quality import quality
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl


def _data(n: int = 120, d: int = 8, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n, d))
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit, (unit[:, :2] + rng.normal(0, 0.2, (n, 2))).astype(np.float32)


def _ranks(points: np.ndarray) -> list[list[int]]:
    """rank[i][j]: rank of j by distance from i, from 1; 0 for i itself."""
    ranks = []
    for i, here in enumerate(points):
        far = [
            (sum((a - b) ** 2 for a, b in zip(here, there, strict=True)), j)
            for j, there in enumerate(points)
        ]
        order = [j for _, j in sorted(far) if j != i]
        ranks.append([0 if j == i else order.index(j) + 1 for j in range(len(points))])
    return ranks


@pytest.mark.parametrize("k", [5, 15])
def test_it_is_what_sklearn_finds(k: int) -> None:
    unit, positions = _data()
    found = quality(unit, positions, k)
    assert found.exact
    assert found.trustworthiness == pytest.approx(
        trustworthiness(unit, positions, n_neighbors=k), abs=1e-6
    )
    # Continuity is trustworthiness with the two spaces exchanged.
    assert found.continuity == pytest.approx(
        trustworthiness(positions, unit, n_neighbors=k), abs=1e-6
    )


def test_each_word_is_judged_as_the_definition_says() -> None:
    unit, positions = _data(30)
    k, n = 4, 30
    space, plane = _ranks(unit.astype(float)), _ranks(positions.astype(float))
    found = quality(unit, positions, k)
    for i in range(n):
        trust = sum(max(space[i][j] - k, 0) for j in range(n) if j != i and plane[i][j] <= k)
        kept = sum(max(plane[i][j] - k, 0) for j in range(n) if j != i and space[i][j] <= k)
        scale = 2 / (k * (2 * n - 3 * k - 1))
        assert found.local_trustworthiness[i] == pytest.approx(1 - scale * trust, abs=1e-6)
        assert found.local_continuity[i] == pytest.approx(1 - scale * kept, abs=1e-6)
    assert found.trustworthiness == pytest.approx(found.local_trustworthiness.mean(), abs=1e-6)


def test_a_map_that_keeps_everything_is_perfect() -> None:
    angles = np.sort(np.random.default_rng(0).uniform(0, 1.5, 40))
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    found = quality(circle, 7 * circle + 3, 5)
    assert found.trustworthiness == found.continuity == 1.0


def test_three_dimensions_and_sparse_vectors() -> None:
    unit, _ = _data()
    solid = unit[:, :3]
    dense, sparse = quality(unit, solid), quality(sp.csr_matrix(unit), solid)
    assert dense.trustworthiness == pytest.approx(
        trustworthiness(unit, solid, n_neighbors=15), abs=1e-6
    )
    np.testing.assert_allclose(sparse.local_trustworthiness, dense.local_trustworthiness, atol=1e-6)


def test_many_words_are_judged_by_a_sample() -> None:
    unit, positions = _data(2600)
    whole = quality(unit, positions)
    some = quality(unit, positions, limit=2500)
    assert not some.exact
    assert len(some.rows) == 2000
    assert some.trustworthiness == pytest.approx(whole.trustworthiness, abs=0.01)
    np.testing.assert_allclose(some.local_continuity, whole.local_continuity[some.rows], atol=1e-6)


def test_few_words() -> None:
    unit, positions = _data(5)
    assert quality(unit, positions).k == 2
    with pytest.raises(UserError, match="Too few words to evaluate a map"):
        quality(unit[:3], positions[:3])


def test_it_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        quality(*_data(), run=run)


def test_a_low_limit_needs_no_more_words_than_there_are() -> None:
    random = np.random.default_rng(6)
    unit = random.normal(size=(50, 4)).astype(np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    positions = random.normal(size=(50, 2)).astype(np.float32)
    assert quality(unit, positions, limit=10).trustworthiness == pytest.approx(
        quality(unit, positions).trustworthiness
    )
