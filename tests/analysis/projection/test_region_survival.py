"""Survival of regions, against the definition for each word."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.region_survival import region_survival, words_that_stay
from workbench.vectors.embeddings import Embeddings


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def stays(unit: np.ndarray, labels: np.ndarray, word: int) -> bool:
    """Whether a word stays, from the definition: means without the word, and single cosines."""
    if labels[word] < 0:
        return False
    middle = unit.mean(axis=0)
    scores = {}
    for region in sorted({int(label) for label in labels if label >= 0}):
        others = [row for row in range(len(unit)) if labels[row] == region and row != word]
        if not others:
            continue
        mean = sum(unit[row] - middle for row in others) / len(others)
        own = unit[word] - middle
        scores[region] = float(own @ mean) / (
            math.sqrt(float(own @ own)) * math.sqrt(float(mean @ mean))
        )
    best = max(scores, key=lambda region: scores[region])
    return best == int(labels[word])


@pytest.mark.parametrize("spread", [0.2, 0.8, 3.0])
def test_words_stay_as_defined(spread: float) -> None:
    random = np.random.default_rng(5)
    labels = random.integers(-1, 5, size=120).astype(np.int32)
    labels[labels == 4] = 3
    labels[7] = 4  # alone in its region
    centres = random.normal(size=(6, 8))
    unit = unit_rows(centres[labels] + spread * random.normal(size=(120, 8)) + 1.0)
    wanted = [stays(unit, labels, word) for word in range(120)]
    assert words_that_stay(unit, labels, 5).tolist() == wanted
    assert words_that_stay(sp.csr_matrix(unit), labels, 5).tolist() == wanted
    assert not wanted[7]


def model(words: list[str], vectors: np.ndarray) -> Embeddings:
    return Embeddings(words, vectors.astype(np.float32))


def test_regions_survive_where_their_words_stay_together() -> None:
    random = np.random.default_rng(2)
    words = [f"w{number}" for number in range(90)]
    labels = (np.arange(90) % 3).astype(np.int32)
    centres = 3 * random.normal(size=(3, 10))
    again = model(words, centres[labels] + random.normal(scale=0.2, size=(90, 10)))
    # A rotation changes no cosine.
    rotation, _ = np.linalg.qr(random.normal(size=(10, 10)))
    rotated_model = model(words[::-1], (np.asarray(again.vectors) @ rotation)[::-1])
    # Region 0 dissolves: its words are mixed with those of regions 1 and 2.
    mixed_labels = np.where(labels == 0, 1 + np.arange(90) // 3 % 2, labels)
    mixed_model = model(words, centres[mixed_labels] + random.normal(scale=0.2, size=(90, 10)))
    found = region_survival(words, labels, 3, [again, rotated_model, mixed_model])
    assert found.seeds == 3
    assert found.shares[0].tolist() == found.shares[1].tolist() == [1.0, 1.0, 1.0]
    assert found.shares[2, 0] < 0.5
    assert found.survived.tolist()[0] == 2
    assert found.mean_shares[0] == pytest.approx((2 + found.shares[2, 0]) / 3)


def test_chance_does_not_grow_with_the_size_of_a_region() -> None:
    random = np.random.default_rng(8)
    labels = np.repeat([0, 1, 2, 3], [1200, 400, 200, 200]).astype(np.int32)
    words = [f"w{number}" for number in range(2000)]
    found = region_survival(words, labels, 4, [model(words, random.normal(size=(2000, 20)))])
    assert np.all(np.abs(found.shares[0] - 0.25) < 0.12)
    assert found.survived.tolist() == [0, 0, 0, 0]


def test_words_that_a_model_lacks_do_not_count() -> None:
    words = ["a", "b", "c", "d", "e", "f"]
    labels = np.array([0, 0, 1, 1, 2, -1], dtype=np.int32)
    vectors = np.array([[1, 0.1], [1, 0], [0, 1], [0.1, 1]])
    found = region_survival(
        words, labels, 3, [model(words[:4], vectors), model(["z"], vectors[:1])]
    )
    assert found.shares[0, :2].tolist() == [1.0, 1.0]
    assert np.isnan(found.shares[0, 2])
    assert np.isnan(found.shares[1]).all()
    assert np.isnan(found.mean_shares[2])
    assert found.survived.tolist() == [1, 1, 0]
