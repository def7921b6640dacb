from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from reference.naive_association import naive_association

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.counts import association, chunked_ops
from workbench.counts.association import associate, submatrix


def random_counts(rows: int = 30, columns: int = 20, seed: int = 1) -> sp.csr_matrix:
    random = np.random.default_rng(seed)
    table = random.gamma(0.5, 4.0, (rows, columns)) * (random.random((rows, columns)) < 0.4)
    table[3] = 0.0
    table[:, 5] = 0.0
    return sp.csr_matrix(table)


@pytest.mark.parametrize("kind", association.KINDS)
@pytest.mark.parametrize("alpha", [1.0, 0.75, 0.0])
@pytest.mark.parametrize("shift", [1.0, 5.0, 0.5])
@pytest.mark.parametrize("cells", [1 << 20, 7])
def test_values_are_those_of_the_definition(
    kind: str, alpha: float, shift: float, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunked_ops, "_CELLS", cells)
    counts = random_counts()
    before = counts.copy()
    expected = naive_association(counts.toarray(), kind, shift, alpha)
    matrix = associate(counts, kind, shift, alpha)
    everything = submatrix(matrix, np.arange(30), np.arange(20))
    if kind in ("ppmi", "sppmi"):
        everything = np.nan_to_num(everything)
        assert (matrix.data > 0).all()
    np.testing.assert_allclose(everything, expected, rtol=1e-12, atol=1e-13)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(counts, part), getattr(before, part))


def test_independence_is_a_stored_zero() -> None:
    counts = sp.csr_matrix(np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 4.0]]))
    flat = associate(sp.csr_matrix(np.full((2, 2), 3.0)), "pmi")
    assert flat.nnz == 4
    np.testing.assert_allclose(flat.data, 0.0, atol=1e-15)
    block = submatrix(associate(counts, "pmi"), np.array([0, 2]), np.array([0, 2]))
    np.testing.assert_allclose(
        block, [[np.log(12 * 2 / 16), np.nan], [np.nan, np.log(12 * 4 / 16)]]
    )


def test_npmi_is_bounded_and_reaches_one() -> None:
    matrix = associate(random_counts(), "npmi")
    assert (np.abs(matrix.data) <= 1.0 + 1e-12).all()
    together = associate(sp.csr_matrix(np.diag([1.0, 2.0, 5.0])), "npmi")
    np.testing.assert_allclose(together.data, 1.0)
    assert associate(sp.csr_matrix(np.array([[4.0]])), "npmi").toarray().tolist() == [[1.0]]


def test_counts_without_cells() -> None:
    for kind in association.KINDS:
        assert associate(sp.csr_matrix((3, 3)), kind).nnz == 0


def test_invalid_requests_are_refused() -> None:
    with pytest.raises(UserError, match="lift"):
        associate(random_counts(), "lift")
    with pytest.raises(UserError, match="shift"):
        associate(random_counts(), "sppmi", shift=0.0)
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        associate(random_counts(), "pmi", run=run)


def test_submatrix_takes_any_order() -> None:
    counts = random_counts()
    table = np.where(counts.toarray() > 0, counts.toarray(), np.nan)
    rows, columns = np.array([7, 3, 7, 0]), np.array([19, 0, 5, 5, 2])
    np.testing.assert_array_equal(submatrix(counts, rows, columns), table[np.ix_(rows, columns)])
    shuffled_counts = counts.copy()
    for row in range(30):
        cells = slice(shuffled_counts.indptr[row], shuffled_counts.indptr[row + 1])
        shuffled_counts.indices[cells] = shuffled_counts.indices[cells][::-1].copy()
        shuffled_counts.data[cells] = shuffled_counts.data[cells][::-1].copy()
    shuffled_counts.has_sorted_indices = False
    np.testing.assert_array_equal(
        submatrix(shuffled_counts, rows, columns), table[np.ix_(rows, columns)]
    )
    assert submatrix(counts, np.array([], dtype=np.int64), columns).shape == (0, 5)
