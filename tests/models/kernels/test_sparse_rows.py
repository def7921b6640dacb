"""Generated code for a row of a sparse matrix, compared with its definition in numpy."""

import numpy as np
import pytest

from workbench.core.jit import kernel
from workbench.models.kernels import sparse_rows

add_row_product, add_outer_product = sparse_rows.add_row_product, sparse_rows.add_outer_product


@kernel
def run(product, row, block, columns, values, at, end):
    add_row_product(product, row, block, columns, values, at, end)


@pytest.mark.parametrize(
    ("kind", "width"),
    [*((np.float64, width) for width in (8, 16, 24, 40, 104)), (np.float32, 16), (np.float32, 112)],
)
@pytest.mark.parametrize(("at", "end"), [(0, 0), (3, 4), (2, 9), (0, 12)])
def test_a_row_is_added_and_nothing_else(kind, width, at, end):
    random = np.random.default_rng(1)
    block, product, values = (
        random.normal(size=shape).astype(kind) for shape in ((20, width), (3, width), 12)
    )
    columns, close = random.integers(0, 20, 12).astype(np.int32), 1e3 * np.finfo(kind).eps
    wanted = product.copy()
    for i in range(at, end):
        wanted[1] += values[i] * block[columns[i]]
    twin = product.copy()
    run(product, 1, block, columns, values, at, end)
    np.testing.assert_allclose(product, wanted, atol=close)
    add_row_product(twin, 1, block, columns, values, at, end)
    np.testing.assert_allclose(twin, wanted, atol=close)


@kernel
def run_outer(sums, columns, values, at, end, product):
    add_outer_product(sums, columns, values, at, end, product)


@pytest.mark.parametrize("width", [8, 16, 24, 40, 104])
@pytest.mark.parametrize(("at", "end"), [(0, 0), (3, 4), (2, 9), (0, 12)])
def test_a_row_is_added_to_those_of_its_cells(width, at, end):
    random = np.random.default_rng(1)
    sums, product = random.normal(size=(20, width)), random.normal(size=(1, width))
    columns, values = random.permutation(20)[:12].astype(np.int32), random.normal(size=12)
    wanted = sums.copy()
    for i in range(at, end):
        wanted[columns[i]] += values[i] * product[0]
    twin = sums.copy()
    run_outer(sums, columns, values, at, end, product)
    np.testing.assert_allclose(sums, wanted, atol=1e-12)
    add_outer_product(twin, columns, values, at, end, product)
    np.testing.assert_allclose(twin, wanted, atol=1e-12)
