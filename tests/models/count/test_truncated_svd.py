from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.models.count import truncated_svd as linear_algebra
from workbench.models.count.truncated_svd import truncated_svd


def random_matrix(rows: int = 260, columns: int = 200, seed: int = 1) -> sp.csr_matrix:
    random = np.random.default_rng(seed)
    return sp.csr_matrix(
        random.gamma(1.0, 1.0, (rows, columns)) * (random.random((rows, columns)) < 0.2)
    )


@pytest.fixture
def iterating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat small matrices like large ones, in many small pieces."""
    monkeypatch.setattr(linear_algebra, "_SMALL", 0)
    monkeypatch.setattr(linear_algebra, "_PIECE", 500)
    monkeypatch.setattr(linear_algebra, "_ROWS", 37)
    monkeypatch.setattr(linear_algebra, "_STRIP_BYTES", 23 * 64)


@pytest.mark.usefixtures("iterating")
@pytest.mark.parametrize("shape", [(260, 200), (200, 260)])
@pytest.mark.parametrize("dim", [1, 10, 40])
def test_it_is_lapacks_svd_cut_short(shape: tuple[int, int], dim: int) -> None:
    matrix = random_matrix(*shape)
    U, s, Vt = np.linalg.svd(matrix.toarray())
    svd = truncated_svd(matrix, dim, threads=2)
    assert svd.residual <= 1e-6
    np.testing.assert_allclose(svd.values, s[:dim], rtol=1e-10)
    sign = np.sign(np.sum(svd.left * U[:, :dim], axis=0))
    np.testing.assert_allclose(svd.left * sign, U[:, :dim], atol=1e-5)
    np.testing.assert_allclose(svd.right * sign, Vt[:dim].T, atol=1e-5)
    np.testing.assert_allclose(svd.right.T @ svd.right, np.eye(dim), atol=1e-10)
    np.testing.assert_allclose(svd.left.T @ svd.left, np.eye(dim), atol=1e-8)


@pytest.mark.parametrize("small", [0, 600])
def test_no_more_components_than_the_rank(monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    monkeypatch.setattr(linear_algebra, "_SMALL", small)
    random = np.random.default_rng(1)
    table = random.random((300, 7)) @ random.random((7, 300))
    svd = truncated_svd(sp.csr_matrix(table), 30)
    assert svd.values.shape == (7,)
    np.testing.assert_allclose((svd.left * svd.values) @ svd.right.T, table, atol=1e-9)


def test_a_long_matrix_of_few_columns_is_used_up() -> None:
    """60,000 documents of two of 96 words each: there is no direction left to search."""
    random = np.random.default_rng(2)
    rows = 60_000
    words = np.concatenate([random.integers(0, 48, rows), random.integers(48, 96, rows)])
    places = np.concatenate([np.arange(rows), np.arange(rows)])
    matrix = sp.csr_matrix((np.ones(2 * rows), (places, words)), shape=(rows, 96))
    svd = truncated_svd(matrix, 30, want_left=False)
    gram = (matrix.T @ matrix).toarray()
    expected = np.sqrt(np.linalg.eigvalsh(gram)[::-1][:30])
    np.testing.assert_allclose(svd.values, expected, rtol=1e-9)


@pytest.mark.usefixtures("iterating")
def test_seed_and_threads_hardly_matter() -> None:
    matrix = random_matrix()
    one, two = truncated_svd(matrix, 12, threads=1), truncated_svd(matrix, 12, threads=3)
    for left, right in zip(one, two, strict=True):
        np.testing.assert_array_equal(left, right)
    other = truncated_svd(matrix, 12, seed=2)
    np.testing.assert_allclose(other.left, one.left, atol=1e-5)
    assert np.any(other.left != one.left)


@pytest.mark.usefixtures("iterating")
def test_the_largest_entry_of_each_left_vector_is_positive() -> None:
    svd = truncated_svd(random_matrix(), 12)
    largest = np.abs(svd.left).argmax(axis=0)
    assert (svd.left[largest, np.arange(12)] > 0).all()


@pytest.mark.usefixtures("iterating")
def test_stop_keeps_a_result_and_cancel_discards_it() -> None:
    run = JobControl()
    run.stop()
    result = truncated_svd(random_matrix(), 20, run=run)
    assert result.residual > 1e-6
    assert result.values.shape == (20,)
    run.cancel()
    with pytest.raises(Cancelled):
        truncated_svd(random_matrix(), 20, run=run)


@pytest.mark.parametrize("shape", [(90, 70), (700, 640)])
def test_rows_and_columns_without_a_cell_are_exactly_0(shape: tuple[int, int]) -> None:
    matrix = random_matrix(*shape).tolil()
    matrix[[3, 17]] = 0
    matrix[:, [5, 44]] = 0
    cells = matrix.tocsr()
    cells.data[cells.indptr[8] : cells.indptr[9]] = 0  # stored zeros are not cells
    svd = truncated_svd(cells, 12)
    assert np.flatnonzero(~svd.left.any(axis=1)).tolist() == [3, 8, 17]
    assert np.flatnonzero(~svd.right.any(axis=1)).tolist() == [5, 44]
