"""Modes of W·Cᵀ, compared with the SVD of the whole product."""

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import MODES, keep_modes, product_modes, product_values
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing


def vectors(size: int = 60, dim: int = 7, seed: int = 1, low: int = 0) -> Embeddings:
    """Random vectors; the last ``low`` columns of C are zero, as before the first steps."""
    random = np.random.default_rng(seed)
    W = random.standard_normal((size, dim)).astype(np.float32)
    C = random.standard_normal((size, dim)).astype(np.float32) * np.geomspace(3, 0.1, dim)
    C[:, dim - low :] = 0
    return Embeddings(
        [f"w{row}" for row in range(size)],
        W,
        np.arange(size, 0, -1),
        contexts=C.astype(np.float32),
        metadata={"algorithm": "sgns"},
    )


def whole(embeddings: Embeddings) -> np.ndarray:
    return (
        np.asarray(embeddings.inputs, dtype=float) @ np.asarray(embeddings.contexts, dtype=float).T
    )


@pytest.mark.parametrize("low", [0, 3])
def test_modes_are_those_of_the_whole_product(low):
    one = vectors(low=low)
    U, values, Vt = np.linalg.svd(whole(one))
    np.testing.assert_allclose(product_values(one), values[:7], rtol=1e-10, atol=1e-10)
    modes = product_modes(one, 5)
    count = min(5, 7 - low)
    np.testing.assert_allclose(modes.values, values[:count], rtol=1e-10)
    for mode in range(count):
        sign = np.sign(U[np.abs(U[:, mode]).argmax(), mode])
        np.testing.assert_allclose(modes.left[:, mode], sign * U[:, mode], atol=1e-9)
        np.testing.assert_allclose(modes.right[:, mode], sign * Vt[mode], atol=1e-9)


@pytest.mark.parametrize("number", [1, 3, 6])
def test_rebuilt_vectors_have_the_product_of_the_first_modes(number):
    one = vectors()
    U, values, Vt = np.linalg.svd(whole(one), full_matrices=False)
    rebuilt = keep_modes(one, number)
    expected = (U[:, :number] * values[:number]) @ Vt[:number]
    np.testing.assert_allclose(whole(rebuilt), expected, atol=1e-4)
    projection = U[:, :number] @ U[:, :number].T @ one.vectors
    np.testing.assert_allclose(rebuilt.vectors, projection, atol=1e-5)
    assert rebuilt.metadata[MODES] == {"kept": number, "of": 7}
    assert rebuilt.words == one.words
    assert not rebuilt.state


def test_all_modes_give_the_vectors_back():
    one = vectors()
    rebuilt = keep_modes(one, 7)
    np.testing.assert_allclose(rebuilt.vectors, one.vectors, atol=1e-5)
    np.testing.assert_allclose(rebuilt.contexts, one.contexts, atol=1e-5)


def test_rebuilt_vectors_are_post_processed_as_before():
    choice = Postprocessing("w+c", True, 1)
    one = apply_postprocessing(vectors(), choice)
    rebuilt = keep_modes(one, 3)
    plain = keep_modes(vectors(), 3)
    expected = apply_postprocessing(plain, choice)
    np.testing.assert_allclose(rebuilt.vectors, expected.vectors, atol=1e-5)
    np.testing.assert_allclose(rebuilt.inputs, plain.vectors, atol=1e-5)
    assert rebuilt.metadata["vectors"] == choice.to_dict()


def test_vectors_without_contexts_have_no_modes():
    with pytest.raises(UserError, match="no context vectors"):
        product_values(Embeddings(["a"], np.ones((1, 2), np.float32)))
    with pytest.raises(UserError, match="Sparse"):
        keep_modes(Embeddings(["a"], sp.csr_matrix(np.ones((1, 2), np.float32))), 1)


def test_many_words_are_taken_a_few_rows_at_a_time():
    """The full matrix W·Cᵀ of 300,000 words would take 700 GB."""
    one = vectors(300_000, 4)
    W, C = (np.asarray(side, dtype=float) for side in (one.vectors, one.contexts))
    squares = np.linalg.eigvals(W.T @ W @ (C.T @ C))
    expected = np.sqrt(np.sort(squares.real)[::-1])
    np.testing.assert_allclose(product_values(one), expected, rtol=1e-8)
    assert keep_modes(one, 2).vectors.shape == (300_000, 4)
