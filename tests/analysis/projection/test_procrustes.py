"""Procrustes, against scipy and known rotations."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
import scipy.spatial

from workbench.analysis.projection.procrustes import align, similarity_between
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

RNG = np.random.default_rng(4)


def _model(words: list[str], vectors: np.ndarray) -> Embeddings:
    return Embeddings(words, vectors.astype(np.float32))


def _turn(d: int) -> np.ndarray:
    return np.linalg.qr(RNG.normal(size=(d, d)))[0]


def test_a_turned_model_is_turned_back() -> None:
    vectors = RNG.normal(size=(60, 8))
    turn = _turn(8)
    words = [f"w{i}" for i in range(60)]
    found = align(_model(words, vectors), _model(words, 3 * vectors @ turn))
    np.testing.assert_allclose(found.rotation, turn, atol=1e-6)
    assert found.words == tuple(words)
    assert found.residual.max() < 1e-6
    assert found.rms < 1e-6


def test_rotation_and_residuals_are_those_of_scipy_on_shared_words() -> None:
    one, other = RNG.normal(size=(50, 6)), RNG.normal(size=(40, 6))
    first = [f"w{i}" for i in range(50)]
    second = [f"w{i}" for i in range(20, 60)][::-1]
    found = align(_model(first, one), _model(second, other))
    assert found.words == tuple(f"w{i}" for i in range(20, 50))
    a = one[20:50] / np.linalg.norm(one[20:50], axis=1, keepdims=True)
    b = np.array([other[second.index(word)] for word in found.words])
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    expected, _ = scipy.linalg.orthogonal_procrustes(a, b)
    np.testing.assert_allclose(found.rotation, expected, atol=1e-5)
    np.testing.assert_allclose(found.residual, np.linalg.norm(a @ expected - b, axis=1), atol=1e-5)
    assert (
        [second[row] for row in found.target_rows]
        == [first[row] for row in found.source_rows]
        == list(found.words)
    )


def test_only_the_words_asked_for_are_fitted() -> None:
    vectors = RNG.normal(size=(30, 4))
    words = [f"w{i}" for i in range(30)]
    other = vectors @ _turn(4)
    other[10:] = RNG.normal(size=(20, 4))
    found = align(_model(words, vectors), _model(words, other), [*words[:10], "stranger", words[3]])
    assert found.words == tuple(words[:10])
    assert found.residual.max() < 1e-5


def test_a_smaller_space_is_laid_into_a_larger_one_without_loss() -> None:
    vectors = RNG.normal(size=(30, 3))
    words = [f"w{i}" for i in range(30)]
    wide = np.hstack([vectors, np.zeros((30, 2))]) @ _turn(5)
    found = align(_model(words, vectors), _model(words, wide))
    assert found.rotation.shape == (3, 5)
    np.testing.assert_allclose(found.rotation @ found.rotation.T, np.eye(3), atol=1e-9)
    assert found.residual.max() < 1e-5


def test_words_without_a_vector_are_left_out() -> None:
    vectors = RNG.normal(size=(10, 3))
    vectors[4] = 0
    words = [f"w{i}" for i in range(10)]
    found = align(_model(words, vectors), _model(words, vectors))
    assert "w4" not in found.words
    assert len(found.words) == 9


def test_what_cannot_be_aligned_is_told() -> None:
    words = [f"w{i}" for i in range(5)]
    dense = _model(words, np.eye(5))
    with pytest.raises(UserError, match="share only 0"):
        align(dense, _model([f"v{i}" for i in range(5)], np.eye(5)))
    with pytest.raises(UserError, match="Sparse"):
        align(dense, Embeddings(words, sp.csr_matrix(np.eye(5, dtype=np.float32))))


def test_a_similarity_is_that_of_scipy() -> None:
    source, target = RNG.normal(size=(25, 2)), RNG.normal(size=(25, 2))
    image = similarity_between(source, target)(source)
    # scipy scales both to unit size first; its disparity is the unexplained share of the target’s
    # variance.
    standard, standard_image, disparity = scipy.spatial.procrustes(target, source)
    size = np.linalg.norm(target - target.mean(axis=0))
    np.testing.assert_allclose(image, standard_image * size + target.mean(axis=0), atol=1e-5)
    assert ((image - target) ** 2).sum() / size**2 == pytest.approx(disparity, abs=1e-5)
    assert standard.shape == image.shape


def test_a_rigid_similarity_keeps_distances() -> None:
    source, target = RNG.normal(size=(12, 3)), 5 * RNG.normal(size=(12, 3)) + 7
    image = similarity_between(source, target, scaled=False)(source)
    distances = scipy.spatial.distance.pdist
    np.testing.assert_allclose(distances(image), distances(source), atol=1e-5)
    np.testing.assert_allclose(image.mean(axis=0), target.mean(axis=0), atol=1e-5)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_points_in_one_place_are_only_shifted(n: int) -> None:
    source = np.ones((n, 2), dtype=np.float32)
    target = np.full((n, 2), 4.0, dtype=np.float32)
    image = similarity_between(source, target)(np.array([[2.0, 1.0]], dtype=np.float32))
    np.testing.assert_allclose(image, [[5.0, 4.0]] if n else [[2.0, 1.0]])


def test_what_goes_to_one_place_keeps_its_shape() -> None:
    """No scale can match points that all coincide, so the source keeps its size."""
    source = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 4.0]], dtype=np.float32)
    image = similarity_between(source, np.full((3, 2), 7.0, dtype=np.float32))(source)
    np.testing.assert_allclose(image, source - source.mean(axis=0) + 7.0, atol=1e-6)
