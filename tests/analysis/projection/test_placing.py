"""New words on a finished map, against scikit-learn's PCA."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.placing import place_on_axes, unit_rows
from workbench.analysis.projection.principal_axes import pca
from workbench.analysis.projection.umap import UmapParams
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings


def unit(rows: int, width: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(rows, width)) * np.arange(width, 0, -1)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


# Fewer words than dimensions, too.
@pytest.mark.parametrize("words", [80, 9])
@pytest.mark.parametrize("dims", [2, 3])
def test_words_on_a_map_by_pca_are_where_its_axes_say(words: int, dims: int) -> None:
    old, new = unit(words, 12), unit(30, 12, seed=1)
    positions = pca(old, dims)
    oracle = PCA(dims, svd_solver="full").fit(old)
    # The sign of an axis means nothing.
    signs = np.sign((oracle.transform(old) * positions).sum(axis=0))
    expected = oracle.transform(new) * signs
    np.testing.assert_allclose(place_on_axes(old, positions, new), expected, atol=1e-5)
    sparse = place_on_axes(sp.csr_matrix(old), positions, new)
    np.testing.assert_allclose(sparse, expected, atol=1e-5)


def test_words_follow_a_map_that_was_turned_and_mirrored() -> None:
    old, new = unit(50, 8), unit(20, 8, seed=1)
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(2, 2)))
    straight = place_on_axes(old, pca(old), new)
    turned = place_on_axes(old, (pca(old) @ turn).astype(np.float32), new)
    np.testing.assert_allclose(turned, straight @ turn, atol=1e-5)


def test_words_of_a_map_without_neighbours_are_refused() -> None:
    old = unit(10, 4)
    with pytest.raises(UserError, match="No words can be placed on a map by “Word axes”"):
        PROJECTIONS["axes"].place(old, pca(old), old[:1], UmapParams(), JobControl())


def test_vectors_have_length_one_and_unknown_words_are_refused() -> None:
    vectors = np.array([[3, 4], [0, 0], [0, 2]], dtype=np.float32)
    model = Embeddings(["north", "nothing", "east"], vectors)
    rows = unit_rows(model, ["east", "north"])
    np.testing.assert_allclose(rows, [[0, 1], [0.6, 0.8]])
    with pytest.raises(UserError, match="“west” isn’t in the vocabulary"):
        unit_rows(model, ["west"])
    with pytest.raises(UserError, match="vector of “nothing” is zero"):
        unit_rows(model, ["nothing"])
