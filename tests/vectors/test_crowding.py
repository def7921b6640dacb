"""Detection of vectors that nearly all point in one direction, whatever their norms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.vectors.crowding import crowding_warning, effective_rank
from workbench.vectors.embeddings import Embeddings


def embeddings_of(table: object) -> Embeddings:
    return Embeddings([f"w{row}" for row in range(table.shape[0])], table)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [60, 900])
def test_directions_are_counted(size: int) -> None:
    random = np.random.default_rng(1)
    free = random.normal(size=(size, 20)) * random.uniform(0.1, 9, size=(size, 1))
    assert 14 < effective_rank(embeddings_of(free.astype(np.float32))) <= 24
    line = np.outer(random.normal(size=size), random.normal(size=20))
    assert effective_rank(embeddings_of(line.astype(np.float32))) == pytest.approx(1.0, abs=1e-4)
    # By the definition: the cosine of each pair.
    shifted_rows = free[:60] / np.linalg.norm(free[:60], axis=1, keepdims=True) + 0.4
    unit = shifted_rows / np.linalg.norm(shifted_rows, axis=1, keepdims=True)
    squares = [float(unit[i] @ unit[j]) ** 2 for i in range(60) for j in range(60) if i != j]
    assert effective_rank(embeddings_of(shifted_rows.astype(np.float32))) == pytest.approx(
        1 / np.mean(squares), rel=1e-4
    )


def test_crowded_vectors_are_reported_with_a_hint() -> None:
    random = np.random.default_rng(2)
    near = 3 + 0.3 * random.normal(size=(200, 10))
    problem = crowding_warning(embeddings_of(near.astype(np.float32)))
    assert problem is not None
    assert "same way" in problem.message
    unit = near / np.linalg.norm(near, axis=1, keepdims=True)
    typical = np.sqrt(np.mean(np.square(unit @ unit.T)[~np.eye(200, dtype=bool)]))
    assert f"{typical:.2f}" in problem.message
    assert "all_but_the_top" in problem.hint
    assert crowding_warning(embeddings_of((near - near.mean(axis=0)).astype(np.float32))) is None
    # No warning for too few words, too few columns, or zeros only.
    assert crowding_warning(embeddings_of(near[:20].astype(np.float32))) is None
    assert crowding_warning(embeddings_of(near[:, :2].astype(np.float32))) is None
    assert crowding_warning(embeddings_of(np.zeros((200, 10), np.float32))) is None


def test_sparse_vectors_have_no_crowding_warning() -> None:
    table = sp.csr_matrix(
        np.eye(200, 60, dtype=np.float32) + np.eye(200, 60, k=-70, dtype=np.float32)
    )
    assert crowding_warning(embeddings_of(table)) is None
