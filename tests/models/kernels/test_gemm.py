"""Generated vector code, compared with its definition in numpy, for every possible remainder."""

import numpy as np
import pytest

from workbench.core.jit import kernel
from workbench.models.kernels import gemm, outer_updates, sigmoid_loss
from workbench.models.kernels.gemm import TILE_COLUMNS, aligned_rows, score_columns, score_rows


@kernel
def run_dots(X, indices, m, Y, n, Z):
    dot_rows(X, indices, m, Y, n, Z)


@kernel
def run_one(X, row, Y, indices, n, Z):
    dot_one(X, row, Y, indices, n, Z)


@kernel
def run_logistic(Z, m, sign, rate):
    return tables_logistic(Z, m, sign, rate)


@kernel
def run_add_products(target, indices, m, source, n, weights):
    add_products(target, indices, m, source, n, weights)


@kernel
def run_add_chosen_products(target, indices, m, source, chosen_rows, n, weights):
    add_chosen_products(target, indices, m, source, chosen_rows, n, weights)


@kernel
def run_chosen(target, row, source, indices, count, weights):
    sum_chosen_rows(target, row, source, indices, count, weights)


@kernel
def run_prefetch(target, row):
    tiles_prefetch(target, row)


dot_rows, dot_one, tables_logistic = gemm.dot_rows, gemm.dot_one, sigmoid_loss.logistic
add_products, add_chosen_products = outer_updates.add_products, outer_updates.add_chosen_products
sum_chosen_rows = outer_updates.sum_chosen_rows
tiles_prefetch = gemm.prefetch_row
# Words occur more than once in a window, next to each other and apart.
INDICES = np.array([4, 0, 0, 7, 4, 2, 9, 3, 1, 1, 8], dtype=np.int32)
DIMS = pytest.mark.parametrize("dim", [1, 16, 17, 100, 128, 129, 300, 1000])


def random_rows(rows, dim, seed):
    table = aligned_rows(rows, dim)
    table[:, :dim] = np.random.default_rng(seed).normal(size=(rows, dim))
    return table


def test_rows_are_aligned_and_padded():
    rows = aligned_rows(7, 100)
    assert rows.shape == (7, 112)
    assert rows.ctypes.data % 64 == 0
    assert rows.strides == (448, 4)
    assert not rows.any()


@DIMS
@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 6), (3, 7), (10, 6), (5, 11), (9, 65)])
def test_dot_rows(dim, m, n):
    X, Y = random_rows(10, dim, 1), random_rows(-(-n // TILE_COLUMNS) * TILE_COLUMNS, dim, 2)
    Z = score_rows(m, n)
    run_dots(X, INDICES, m, Y, n, Z)
    wanted = X[INDICES[:m]].astype(np.float64) @ Y[:n].astype(np.float64).T
    np.testing.assert_allclose(Z[:m, :n], wanted, atol=2e-5 * np.sqrt(dim) * 4)


@DIMS
@pytest.mark.parametrize("n", [0, 1, 5, 6, 7, 11])
def test_dot_one(dim, n):
    X, Y, Z = random_rows(2, dim, 1), random_rows(10, dim, 2), aligned_rows(1, score_columns(12))
    run_one(X, 1, Y, INDICES, n, Z)
    wanted = Y[INDICES[:n]].astype(np.float64) @ X[1].astype(np.float64)
    np.testing.assert_allclose(Z[0, :n], wanted, atol=2e-5 * np.sqrt(dim) * 4)


@pytest.mark.parametrize("n", [2, 6, 11, 65])
def test_logistic_is_loss_and_gradient(n):
    m, columns = 4, score_columns(n)
    Z = aligned_rows(m, columns)
    Z[:, :n] = np.random.default_rng(n).normal(scale=6, size=(m, n))
    scores = Z[:, :n].astype(np.float64)
    sign = np.zeros(columns, np.float32)
    sign[0], sign[1:n] = -1, 1
    Z[:, n:] = 1.5  # values in the padding that must not count
    loss = run_logistic(Z, m, sign, 0.5)

    def objective(z):
        return np.log1p(np.exp(-z[:, 0])).sum() + np.log1p(np.exp(z[:, 1:])).sum()

    assert loss == pytest.approx(objective(scores), rel=1e-6)
    step = 1e-6
    for place in [(0, 0), (1, 1), (3, n - 1)]:
        up, down = scores.copy(), scores.copy()
        up[place] += step
        down[place] -= step
        slope = (objective(up) - objective(down)) / (2 * step)
        assert Z[place] == pytest.approx(-0.5 * slope, abs=1e-6)
    assert not Z[:, n:].any()


@pytest.mark.parametrize("m", [1, 2, 5, 10])
def test_rows_of_half_a_vector_count_once(m):
    """Two rows of scores share a vector; if the last row is unpaired, the other half is ignored."""
    Z, n = score_rows(m, 5), 5
    assert Z.shape[1] == 8
    Z[:] = np.nan
    Z[:m] = 2.5
    Z[:m, :n] = np.random.default_rng(m).normal(size=(m, n))
    if len(Z) > m:
        Z[m:] = 3.0
    scores = Z[:m, :n].astype(np.float64)
    sign = np.zeros(score_columns(n), np.float32)
    sign[0], sign[1:n] = -1, 1
    loss = run_logistic(Z, m, sign, 0.5)
    assert loss == pytest.approx(np.logaddexp(0, scores * sign[:n]).sum(), rel=1e-6)
    np.testing.assert_allclose(
        Z[:m, :n], -0.5 * sign[:n] / (1 + np.exp(-scores * sign[:n])), atol=1e-6
    )


def test_logistic_at_its_stated_error_over_the_whole_range():
    t = (
        np.concatenate([np.linspace(-120, 120, 4000), np.linspace(-1, 1, 96)])
        .astype(np.float32)
        .reshape(1, -1)
    )
    Z = t.copy()
    loss = run_logistic(Z, 1, np.ones(t.shape[1], np.float32), -1.0)
    exact = t.astype(np.float64)
    np.testing.assert_allclose(Z, 1 / (1 + np.exp(-exact)), atol=2e-7)
    assert loss == pytest.approx(np.logaddexp(0, exact).sum(), rel=1e-7)


def test_logistic_lets_nan_through():
    Z = np.zeros((1, 16), np.float32)
    Z[0, 3] = np.nan
    assert np.isnan(run_logistic(Z, 1, np.ones(16, np.float32), 0.1))
    assert np.isnan(Z[0, 3])


@DIMS
@pytest.mark.parametrize(("m", "n"), [(0, 3), (1, 1), (2, 6), (3, 5), (10, 6), (11, 2)])
def test_add_products(dim, m, n):
    target, source, weights = random_rows(10, dim, 3), random_rows(n, dim, 4), random_rows(m, 16, 5)
    wanted = target.astype(np.float64)
    for a in range(m):
        wanted[INDICES[a]] += weights[a, :n].astype(np.float64) @ source
    run_add_products(target, INDICES, m, source, n, weights)
    np.testing.assert_allclose(target, wanted, atol=2e-5)


@DIMS
@pytest.mark.parametrize(("m", "n"), [(0, 3), (1, 1), (2, 6), (3, 5), (10, 6), (11, 2)])
def test_add_chosen_products(dim, m, n):
    target, source, weights = (
        random_rows(10, dim, 3),
        random_rows(10, dim, 4),
        random_rows(n, 16, 5),
    )
    wanted = target.astype(np.float64)
    for a in range(m):
        wanted[INDICES[a]] += weights[:n, a].astype(np.float64) @ source[INDICES[::-1][:n]]
    run_add_chosen_products(target, INDICES, m, source, INDICES[::-1].copy(), n, weights)
    np.testing.assert_allclose(target, wanted, atol=2e-5)


@DIMS
def test_sums_of_chosen_rows(dim):
    source, weights = random_rows(10, dim, 3), random_rows(1, 16, 4)
    for count in (0, 1, 2, 9):
        target = random_rows(3, dim, 5)
        wanted = target.astype(np.float64)
        wanted[1] = weights[0, :count].astype(np.float64) @ source[INDICES[:count]]
        run_chosen(target, 1, source, INDICES, count, weights)
        np.testing.assert_allclose(target, wanted, atol=1e-5)


def test_prefetch_changes_nothing():
    rows = random_rows(3, 100, 6)
    before = rows.copy()
    run_prefetch(rows, 2)
    np.testing.assert_array_equal(rows, before)


def test_twins_mean_the_same():
    X, Y = random_rows(10, 50, 7), random_rows(12, 50, 8)
    one, two = score_rows(3, 11), score_rows(3, 11)
    run_dots(X, INDICES, 3, Y, 11, one)
    gemm.dot_rows(X, INDICES, 3, Y, 11, two)
    np.testing.assert_allclose(one[:3, :11], two[:3, :11], atol=1e-4)
    run_one(X, 1, Y, INDICES, 11, one)
    gemm.dot_one(X, 1, Y, INDICES, 11, two)
    np.testing.assert_allclose(one[0, :11], two[0, :11], atol=1e-4)
    sign = np.zeros(one.shape[1], np.float32)
    sign[0], sign[1:11] = -1, 1
    one[:] = two
    assert run_logistic(one, 3, sign, 0.1) == pytest.approx(
        sigmoid_loss.logistic(two, 3, sign, 0.1), rel=1e-6
    )
    np.testing.assert_allclose(one[:3], two[:3], atol=1e-7)
    for compiled, twin in (
        (
            lambda t: run_add_products(t, INDICES, 3, Y, 5, one),
            lambda t: outer_updates.add_products(t, INDICES, 3, Y, 5, one),
        ),
        (
            lambda t: run_add_chosen_products(t, INDICES, 5, Y, INDICES, 3, one),
            lambda t: outer_updates.add_chosen_products(t, INDICES, 5, Y, INDICES, 3, one),
        ),
        (
            lambda t: run_chosen(t, 1, Y, INDICES, 5, one),
            lambda t: outer_updates.sum_chosen_rows(t, 1, Y, INDICES, 5, one),
        ),
    ):
        first, second = random_rows(10, 50, 9), random_rows(10, 50, 9)
        compiled(first)
        twin(second)
        np.testing.assert_allclose(first, second, atol=1e-5)
