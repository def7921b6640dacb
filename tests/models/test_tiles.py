"""The generated vector code against its definition in numpy, for every remainder it can meet."""

import numpy as np
import pytest

from workbench.core.jit import kernel
from workbench.models import tiles
from workbench.models.tiles import TILE_COLUMNS, aligned_rows, score_columns


@kernel
def run_dot(X, m, Y, n, Z):
    tiles_dot(X, m, Y, n, Z)


@kernel
def run_logistic(Z, m, sign, rate):
    return tiles_logistic(Z, m, sign, rate)


@kernel
def run_add(target, row, source, count, weights, i, j, step):
    tiles_add(target, row, source, count, weights, i, j, step)


@kernel
def run_prefetch(target, row):
    tiles_prefetch(target, row)


tiles_dot, tiles_logistic = tiles.dot_tiles, tiles.logistic
tiles_add, tiles_prefetch = tiles.add_scaled_rows, tiles.prefetch_row


def filled(rows, dim, seed):
    made = aligned_rows(rows, dim)
    made[:, :dim] = np.random.default_rng(seed).normal(size=(rows, dim))
    return made


def test_rows_are_aligned_and_padded():
    rows = aligned_rows(7, 100)
    assert rows.shape == (7, 112)
    assert rows.ctypes.data % 64 == 0
    assert rows.strides == (448, 4)
    assert not rows.any()


@pytest.mark.parametrize("dim", [1, 16, 17, 100, 128, 129, 300, 1000])
@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 6), (3, 7), (10, 6), (5, 11), (9, 65)])
def test_dot_tiles(dim, m, n):
    X, Y = filled(m + 1, dim, 1), filled(-(-n // TILE_COLUMNS) * TILE_COLUMNS, dim, 2)
    Z = aligned_rows(m + 1, score_columns(n))
    run_dot(X, m, Y, n, Z)
    wanted = X[:m].astype(np.float64) @ Y[:n].astype(np.float64).T
    np.testing.assert_allclose(Z[:m, :n], wanted, atol=2e-5 * np.sqrt(dim) * 4)


@pytest.mark.parametrize("n", [2, 6, 11, 65])
def test_logistic_is_loss_and_gradient(n):
    m, columns = 4, score_columns(n)
    Z = aligned_rows(m, columns)
    Z[:, :n] = np.random.default_rng(n).normal(scale=6, size=(m, n))
    scores = Z[:, :n].astype(np.float64)
    sign = np.zeros(columns, np.float32)
    sign[0], sign[1:n] = -1, 1
    Z[:, n:] = 1.5  # what lies in the padding must not count
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


def test_logistic_at_its_stated_error_over_the_whole_range():
    t = np.concatenate([np.linspace(-120, 120, 4000), np.linspace(-1, 1, 96)]).astype(np.float32).reshape(1, -1)
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


@pytest.mark.parametrize("dim", [1, 16, 100, 128, 144, 300, 1000])
@pytest.mark.parametrize("step", [0, 1])
def test_add_scaled_rows(dim, step):
    source, weights = filled(9, dim, 3), filled(9, 16, 4)
    for count in (1, 2, 9):
        target = filled(3, dim, 5)
        wanted = target.astype(np.float64)
        picked = weights[1 : 1 + count, 2] if step else weights[1, 2 : 2 + count]
        if step and 1 + count > 9:
            continue
        wanted[1] += picked.astype(np.float64) @ source[:count]
        run_add(target, 1, source, count, weights, 1, 2, step)
        np.testing.assert_allclose(target, wanted, atol=1e-5)


def test_prefetch_changes_nothing():
    rows = filled(3, 100, 6)
    before = rows.copy()
    run_prefetch(rows, 2)
    np.testing.assert_array_equal(rows, before)


def test_twins_mean_the_same():
    X, Y = filled(4, 50, 7), filled(12, 50, 8)
    one, two = aligned_rows(4, score_columns(11)), aligned_rows(4, score_columns(11))
    run_dot(X, 3, Y, 11, one)
    tiles.dot_tiles(X, 3, Y, 11, two)
    np.testing.assert_allclose(one[:3, :11], two[:3, :11], atol=1e-4)
    sign = np.zeros(one.shape[1], np.float32)
    sign[0], sign[1:11] = -1, 1
    one[:] = two
    assert run_logistic(one, 3, sign, 0.1) == pytest.approx(tiles.logistic(two, 3, sign, 0.1), rel=1e-6)
    np.testing.assert_allclose(one[:3], two[:3], atol=1e-7)
    for step in (0, 1):
        first, second = filled(2, 50, 9), filled(2, 50, 9)
        run_add(first, 1, Y, 3, one, 0, 1, step)
        tiles.add_scaled_rows(second, 1, Y, 3, one, 0, 1, step)
        np.testing.assert_allclose(first, second, atol=1e-6)
