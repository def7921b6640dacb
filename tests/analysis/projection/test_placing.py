"""New words on a finished map, against scikit-learn's PCA."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import brentq
from sklearn.decomposition import PCA

from workbench.analysis.projection.methods import PROJECTIONS
from workbench.analysis.projection.placing import place_between, place_on_axes, unit_rows
from workbench.analysis.projection.planes import analogy_plane
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


def test_words_on_the_plane_of_an_analogy_are_where_its_axes_say() -> None:
    both = unit(90, 8)
    everywhere = analogy_plane(both, [0, 1, 2, 3]).positions
    found = PROJECTIONS["plane"].place(
        both[:60], everywhere[:60], both[60:], UmapParams(), JobControl()
    )
    np.testing.assert_allclose(found, everywhere[60:], atol=1e-5)


@pytest.mark.parametrize("words", [40, 4])
def test_words_of_a_map_by_frequency_are_refused(words: int) -> None:
    old = unit(words, 4)
    by_frequency = np.column_stack([old[:, 0], np.log(np.arange(1, words + 1))])
    with pytest.raises(UserError, match="No words can be placed on a map by “Word axes”"):
        PROJECTIONS["axes"].place(
            old, by_frequency.astype(np.float32), old[:1], UmapParams(), JobControl()
        )


def test_vectors_have_length_one_and_unknown_words_are_refused() -> None:
    vectors = np.array([[3, 4], [0, 0], [0, 2]], dtype=np.float32)
    model = Embeddings(["north", "nothing", "east"], vectors)
    rows = unit_rows(model, ["east", "north"])
    np.testing.assert_allclose(rows, [[0, 1], [0.6, 0.8]])
    with pytest.raises(UserError, match="“west” isn’t in the vocabulary"):
        unit_rows(model, ["west"])
    with pytest.raises(UserError, match="vector of “nothing” is zero"):
        unit_rows(model, ["nothing"])


def test_words_between_their_neighbours_have_the_weights_of_umap() -> None:
    """A word's weights fall with the distance at the rate by which those of all neighbours but the
    nearest sum up to log2 k.
    """
    old, new, k = unit(60, 12), unit(7, 12, seed=1), 10
    positions = np.random.default_rng(2).normal(size=(60, 2)).astype(np.float32)
    found = place_between(old, positions, new, k)
    for at, vector in enumerate(new):
        distances = 1 - old @ vector
        near = np.argsort(distances)[:k]
        away = distances[near].astype(np.float64)
        scale = brentq(lambda s, away=away: np.exp(-away[1:] / s).sum() - np.log2(k), 1e-3, 1e3)
        weights = np.exp(-away / scale)
        expected = (weights[:, None] * positions[near]).sum(axis=0) / weights.sum()
        np.testing.assert_allclose(found[at], expected, atol=1e-4)
    sparse = place_between(sp.csr_matrix(old), positions, new, k)
    np.testing.assert_allclose(sparse, found, atol=1e-5)
    # Fewer words on the map than neighbours are asked for.
    assert place_between(old[:3], positions[:3], new, k).shape == (7, 2)


def test_a_word_that_is_typed_is_placed_at_once_on_any_map_that_takes_words() -> None:
    old, new, run = unit(60, 12), unit(4, 12, seed=1), JobControl()
    positions = pca(old, 2)
    params = UmapParams(n_neighbors=10)
    exact = PROJECTIONS["pca"].place_at_once(old, positions, new, params, run)
    np.testing.assert_array_equal(exact, place_on_axes(old, positions, new))
    between = PROJECTIONS["umap"].place_at_once(old, positions, new, params, run)
    np.testing.assert_array_equal(between, place_between(old, positions, new, 10))
    linear = PROJECTIONS["axes"].place_at_once(old, old[:, :2], new, params, run)
    np.testing.assert_allclose(linear, new[:, :2], atol=1e-5)
    with pytest.raises(UserError, match="No words can be placed"):
        PROJECTIONS["axes"].place_at_once(old, positions**2, new, params, run)
