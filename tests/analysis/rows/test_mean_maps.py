"""The map from the mean of contexts to a vector, from some of many words."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.rows import mean_maps
from workbench.analysis.rows.mean_maps import mean_map


def test_of_many_words_some_give_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """The vectors of every second word are an exact map of means, those of others aren’t."""
    monkeypatch.setattr(mean_maps, "_MOST_WORDS", 20)
    random = np.random.default_rng(1)
    counts = random.integers(1, 9, (40, 40)).astype(np.float64)
    rows = random.normal(size=(40, 3))
    exact = random.normal(size=(3, 3))
    # Means of these words contain only others, so that their rows can follow from them.
    counts[::2, ::2] = 0.0
    rows[::2] = (counts @ rows / counts.sum(axis=1, keepdims=True) @ exact)[::2]
    often = np.full(40, 100)
    for table in (sp.csr_matrix(counts), sp.csr_matrix(counts.T).T):
        assert mean_map(table, rows, often) == pytest.approx(exact, abs=1e-9)
    assert mean_map(sp.csr_matrix(counts), rows, np.full(40, 29)) is None
