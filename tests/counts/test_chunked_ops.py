"""Sums and portions, compared with scipy’s own."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.counts import chunked_ops
from workbench.counts.chunked_ops import portion, spread, sums


@pytest.fixture(autouse=True, params=[7, 1 << 17])
def cells(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test with rows that continue in the next block, and with all cells in one block."""
    monkeypatch.setattr(chunked_ops, "_CELLS", request.param)


def table(size: int = 60, density: float = 0.2) -> sp.csr_matrix:
    return sp.random(size, size, density, format="csr", random_state=np.random.default_rng(3))


def test_sums_of_rows_and_columns() -> None:
    counts = table()
    rows, columns = sums(counts)
    np.testing.assert_allclose(rows, np.asarray(counts.sum(axis=1)).ravel(), atol=1e-12)
    np.testing.assert_allclose(columns, np.asarray(counts.sum(axis=0)).ravel(), atol=1e-12)


@pytest.mark.parametrize("ids", [[0, 1, 2, 3], [2, 5, 59], [9, 3, 40, 1], []])
def test_a_portion_is_what_indexing_gives(ids: list[int]) -> None:
    counts = table()
    # Read-only, like a table that is mapped from disk.
    for part in (counts.data, counts.indices, counts.indptr):
        part.flags.writeable = False
    selection = np.array(ids, dtype=np.int64)
    result = portion(counts, selection)
    assert result.has_sorted_indices
    assert result.shape == (len(ids), len(ids))
    np.testing.assert_array_equal(result.toarray(), counts.toarray()[np.ix_(selection, selection)])


def test_values_of_rows_are_spread_over_their_cells() -> None:
    starts = np.array([0, 0, 9, 10, 10, 31, 31])
    values = np.arange(6.0)
    np.testing.assert_array_equal(spread(values, starts), np.repeat(values, np.diff(starts)))
    assert len(spread(np.empty(0), np.zeros(1, dtype=np.int64))) == 0
