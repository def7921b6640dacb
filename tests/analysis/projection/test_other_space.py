"""Words of another model in the space of a map, compared with models whose rotation is known."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import orthogonal_procrustes
from scipy.stats import ortho_group

from workbench.analysis.projection.other_space import rotated_words
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

WORDS, SHARED, DIM = 400, 300, 12


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def models(noise: float = 0.0) -> tuple[Embeddings, Embeddings, np.ndarray]:
    """A model, another one that is rotated and knows other words, too, and all true directions."""
    random = np.random.default_rng(3)
    truth = random.normal(size=(WORDS, DIM))
    turn = ortho_group.rvs(DIM, random_state=5)
    turned = (truth + noise * random.normal(size=truth.shape)) @ turn.T
    lengths = random.uniform(0.5, 4, (WORDS, 1))
    names = [f"w{row}" for row in range(WORDS)]
    backwards = slice(None, None, -1)
    return (
        Embeddings(names[:SHARED], truth[:SHARED].astype(np.float32)),
        Embeddings(names[backwards], (turned * lengths)[backwards].astype(np.float32)),
        unit(truth),
    )


def test_words_of_a_rotated_model_land_where_they_belong() -> None:
    model, other, truth = models()
    found = rotated_words(other, ["w350", "w3"], model)
    np.testing.assert_allclose(found.rows, truth[[350, 3]], atol=1e-5)
    assert (found.shared, found.found) == (SHARED, 1.0)


def test_the_rotation_is_that_of_scipy() -> None:
    model, other, _ = models(noise=0.7)
    shared = [f"w{row}" for row in range(SHARED)]
    source = unit(other.vectors[[other.row(word) for word in shared]])
    rotation, _ = orthogonal_procrustes(source, unit(model.vectors))
    found = rotated_words(other, ["w390"], model)
    expected = unit(other.vectors[[other.row("w390")]]) @ rotation
    np.testing.assert_allclose(found.rows, expected, atol=1e-5)


def test_the_quality_falls_with_noise_to_that_of_chance() -> None:
    shares = [rotated_words(models(noise)[1], ["w1"], models()[0]).found for noise in (0, 1, 100)]
    assert shares[0] > shares[1] > shares[2]
    chance = 10 / SHARED
    assert abs(shares[2] - chance) < 4 * np.sqrt(chance / SHARED)


def test_other_numbers_of_dimensions_are_aligned_too() -> None:
    model, other, _ = models()
    less = Embeddings(other.words, np.ascontiguousarray(other.vectors[:, : DIM - 3]))
    for one, target in ((less, model), (model, less)):
        found = rotated_words(one, ["w5"], target)
        assert found.rows.shape == (1, target.dim)
        assert np.linalg.norm(found.rows) == pytest.approx(1)
        assert found.found > 0.3


def test_what_cannot_be_aligned_is_a_sentence() -> None:
    model, other, _ = models()
    few = Embeddings([f"{'w' if row < 99 else 'x'}{row}" for row in range(SHARED)], model.vectors)
    with pytest.raises(UserError, match="share 99 words, but at least 100"):
        rotated_words(other, ["w1"], few)
    wide = np.random.default_rng(1).normal(size=(150, 200)).astype(np.float32)
    wider = Embeddings([f"w{row}" for row in range(150)], wide)
    with pytest.raises(UserError, match="share 150 words, but at least 200"):
        rotated_words(wider, ["w1"], wider)
    with pytest.raises(UserError, match="“nowhere” isn’t in the vocabulary"):
        rotated_words(other, ["nowhere"], model)
    sparse = Embeddings(model.words, sp.csr_matrix(model.vectors))
    with pytest.raises(UserError, match="Sparse vectors"):
        rotated_words(other, ["w1"], sparse)
