"""Sums and portions against scipy's own."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.counts.chunked_ops import portion, sums


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
    # As a table that is mapped from the disk: nothing of it can be written.
    for part in (counts.data, counts.indices, counts.indptr):
        part.flags.writeable = False
    chosen = np.array(ids, dtype=np.int64)
    found = portion(counts, chosen)
    assert found.has_sorted_indices
    assert found.shape == (len(ids), len(ids))
    np.testing.assert_array_equal(found.toarray(), counts.toarray()[np.ix_(chosen, chosen)])
