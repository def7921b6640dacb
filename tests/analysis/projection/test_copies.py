"""Words with equal vectors share one place, and don't change what is said about the others."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.copies import distinct_rows
from workbench.analysis.projection.quality import quality
from workbench.analysis.projection.umap import UmapParams, umap
from workbench.vectors.embeddings import Embeddings


def model(copies: int = 40) -> tuple[Embeddings, np.ndarray]:
    """Sixty words, two of which have many copies with other lengths, in random order."""
    random = np.random.default_rng(4)
    table = random.normal(size=(60, 8)).astype(np.float32)
    rows = np.concatenate([np.arange(60), np.zeros(copies, int), np.full(copies, 7)])
    random.shuffle(rows)
    lengths = random.uniform(0.5, 2, size=(len(rows), 1)).astype(np.float32)
    return Embeddings([f"w{at}" for at in range(len(rows))], table[rows] * lengths), rows


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_groups_of_equal_rows(kind: str) -> None:
    embeddings, rows = model()
    unit = embeddings.unit if kind == "dense" else sp.csr_matrix(embeddings.unit)
    first, group = distinct_rows(unit)
    assert len(first) == 60
    assert (np.diff(first) > 0).all()
    assert (rows[first][group] == rows).all()


def test_copies_have_one_place_and_the_others_the_same_as_without_them() -> None:
    embeddings, _ = model()
    params = UmapParams(n_epochs=30)
    first, group = distinct_rows(embeddings.unit)
    positions = umap(embeddings.unit, params)
    assert (positions == positions[first][group]).all()
    np.testing.assert_array_equal(positions[first], umap(embeddings.unit[first], params))


def test_copies_count_once_in_the_quality_of_a_map() -> None:
    embeddings, _ = model()
    first, group = distinct_rows(embeddings.unit)
    positions = np.random.default_rng(1).normal(size=(60, 2)).astype(np.float32)[group]
    whole = quality(embeddings.unit, positions)
    alone = quality(embeddings.unit[first], positions[first])
    assert whole.trustworthiness == alone.trustworthiness
    assert whole.continuity == alone.continuity
    assert whole.exact
    assert whole.size == len(embeddings)
    assert whole.local_trustworthiness.tolist() == alone.local_trustworthiness[group].tolist()
