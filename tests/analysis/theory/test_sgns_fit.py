from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.theory.sgns_fit import compare
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

SIZE, K, ALPHA = 12, 4, 0.75
COUNTS = np.arange(100, 100 - SIZE, -1, dtype=np.int64)


def effective() -> np.ndarray:
    table = np.random.default_rng(1).uniform(5, 60, size=(SIZE, SIZE))
    table = table + table.T
    table[3, 5] = table[5, 3] = 0
    table[2, 7] = table[7, 2] = 9.5
    return table


def target(table: np.ndarray) -> np.ndarray:
    """x* cell by cell."""
    total = sum(n**ALPHA for n in COUNTS.tolist())
    found = np.full(table.shape, math.nan)
    for w in range(SIZE):
        for c in range(SIZE):
            if table[w, c]:
                found[w, c] = math.log(table[w, c]) - math.log(
                    K * sum(table[w]) * COUNTS[c] ** ALPHA / total
                )
    return found


def with_products(products: np.ndarray, sparse: bool = False) -> Embeddings:
    vectors = np.eye(SIZE, dtype=np.float32)
    words = [str(row) for row in range(SIZE)]
    contexts = np.ascontiguousarray(products.T, dtype=np.float32)
    return Embeddings(words, sp.csr_matrix(vectors) if sparse else vectors, contexts=contexts)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_model_that_meets_its_target(sparse: bool) -> None:
    table = effective()
    embeddings = with_products(np.nan_to_num(target(table), nan=50.0), sparse)
    report = compare(embeddings, sp.csr_matrix(table), COUNTS, K, ALPHA)
    # Two cells were never seen, and two are expected less than ten times.
    assert report.pairs == SIZE * SIZE - 4
    assert report.pearson == pytest.approx(1, abs=1e-6)
    assert report.slope == pytest.approx(1, abs=1e-6)
    assert report.mean_difference == pytest.approx(0, abs=1e-6)
    assert report.mean_absolute_difference == pytest.approx(0, abs=1e-6)
    assert (
        compare(embeddings, sp.csr_matrix(table), COUNTS, K, ALPHA, min_expected=5).pairs
        == SIZE * SIZE - 2
    )


def test_a_missing_log_k_and_noise_are_seen() -> None:
    table = effective()
    wanted = target(table)
    shifted = compare(
        with_products(np.nan_to_num(wanted) + math.log(K)), sp.csr_matrix(table), COUNTS, K, ALPHA
    )
    assert shifted.pearson == pytest.approx(1, abs=1e-5)
    assert shifted.mean_difference == pytest.approx(math.log(K), abs=1e-5)
    noise = np.random.default_rng(2).normal(scale=0.5, size=wanted.shape)
    products = 0.5 * np.nan_to_num(wanted) + noise
    report = compare(with_products(products), sp.csr_matrix(table), COUNTS, K, ALPHA)
    used = table >= 10
    x, y = wanted[used], products[used]
    assert report.pearson == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)
    assert report.slope == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-6)
    assert report.mean_absolute_difference == pytest.approx(np.abs(y - x).mean(), abs=1e-6)


def test_what_cannot_be_compared() -> None:
    table = sp.csr_matrix(effective())
    with pytest.raises(UserError, match="without context vectors"):
        compare(Embeddings(["a"] * SIZE, np.eye(SIZE, dtype=np.float32)), table, COUNTS, K, ALPHA)
    with pytest.raises(UserError, match="0 pairs"):
        compare(with_products(np.zeros((SIZE, SIZE))), table, COUNTS, K, ALPHA, min_expected=1e9)
