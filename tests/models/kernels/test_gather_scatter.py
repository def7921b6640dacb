"""Generated code for scattered rows, compared with its definition in numpy, for every remainder."""

import numpy as np
import pytest

from workbench.core.jit import kernel
from workbench.models.kernels import gather_scatter
from workbench.models.kernels.gemm import aligned_rows

gather_rows, sum_rows, add_to_rows = (
    gather_scatter.gather_rows,
    gather_scatter.sum_rows,
    gather_scatter.add_to_rows,
)


@kernel
def run_gather(target, source, indices, count):
    gather_rows(target, source, indices, count)


@kernel
def run_sum(target, row, source, indices, first, count, scale):
    sum_rows(target, row, source, indices, first, count, scale)


@kernel
def run_add(target, indices, first, count, source, row, weights, i, step):
    add_to_rows(target, indices, first, count, source, row, weights, i, step)


def random_rows(rows, dim, seed):
    table = aligned_rows(rows, dim)
    table[:, :dim] = np.random.default_rng(seed).normal(size=(rows, dim))
    return table


DIMS = pytest.mark.parametrize("dim", [1, 16, 17, 100, 128, 129, 300])
INDICES = np.array([4, 0, 7, 4, 4, 2], dtype=np.int32)


@DIMS
@pytest.mark.parametrize("count", [0, 1, 6])
def test_gather_rows(dim, count):
    source, target = random_rows(8, dim, 1), random_rows(7, dim, 2)
    wanted = target.copy()
    for r in range(count):
        wanted[r] = source[INDICES[r]]
    run_gather(target, source, INDICES, count)
    np.testing.assert_array_equal(target, wanted)


@DIMS
@pytest.mark.parametrize(("first", "count"), [(0, 1), (3, 2), (0, 6)])
def test_sum_rows(dim, first, count):
    source, target = random_rows(8, dim, 1), random_rows(3, dim, 2)
    wanted = target.astype(np.float64)
    wanted[1] = 0.25 * sum(
        source[INDICES[r]].astype(np.float64) for r in range(first, first + count)
    )
    run_sum(target, 1, source, INDICES, first, count, 0.25)
    np.testing.assert_allclose(target, wanted, atol=1e-6)


@DIMS
@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize(("first", "count"), [(0, 0), (5, 1), (0, 6), (2, 3)])
def test_add_to_rows(dim, step, first, count):
    target, source, weights = random_rows(8, dim, 1), random_rows(2, dim, 2), random_rows(3, 6, 3)
    wanted = target.astype(np.float64)
    for r in range(first, first + count):
        wanted[INDICES[r]] += float(weights[2, r * step]) * source[1]
    run_add(target, INDICES, first, count, source, 1, weights, 2, step)
    np.testing.assert_allclose(target, wanted, atol=1e-5)
