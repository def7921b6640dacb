"""Vectors rounded to int8: bounds of cosines, and the nearest words found with them."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.neighbours import nearest
from workbench.vectors import codes, embeddings
from workbench.vectors.codes import coded
from workbench.vectors.embeddings import Embeddings


def table(kind: str, size: int = 400, dim: int = 50) -> np.ndarray:
    rng = np.random.default_rng(7)
    found = rng.normal(size=(size, dim))
    if kind == "spiky":
        # One number dominates each row, so that the others are rounded to few steps.
        found[np.arange(size), rng.integers(dim, size=size)] *= 50
    if kind == "lengths":
        found *= 10.0 ** rng.uniform(-12, 12, size=(size, 1))
    found[3] = 0
    return found.astype(np.float32)


@pytest.mark.parametrize("kind", ["normal", "spiky", "lengths"])
@pytest.mark.parametrize("dim", [1, 50, 700])
def test_the_bounds_contain_the_cosines(kind: str, dim: int) -> None:
    vectors = table(kind, dim=dim)
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1)
    found = coded(vectors, lengths)
    query = wide[5] / lengths[5]
    near, errors = found.bounds(query)
    known = lengths > 0
    exact = wide[known] @ query / lengths[known]
    assert np.all(np.abs(near[known] - exact) <= errors[known])
    assert near[3] == -np.inf
    # The bounds are narrow enough to be useful.
    if kind == "normal" and dim == 50:
        assert errors.max() < 0.03


@pytest.mark.parametrize("kind", ["normal", "spiky"])
def test_the_nearest_words_are_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = table(kind)
    # Copies, whose cosines are equal, come in the order of their rows.
    vectors[100:110] = vectors[20]
    words = [f"w{row}" for row in range(len(vectors))]
    plain = Embeddings(words, vectors)
    assert plain.codes is None
    expected = [nearest.nearest(plain, word, 12, ["w30"]) for word in ("w20", "w7", "w105")]
    monkeypatch.setattr(embeddings, "CODED_FROM", 0)
    large = Embeddings(words, vectors)
    assert large.codes is not None
    found = [nearest.nearest(large, word, 12, ["w30"]) for word in ("w20", "w7", "w105")]
    assert found == expected
    assert len(nearest.nearest(large, "w20", 1000)) == len(words) - 2


def test_errors_of_threads_reach_the_caller() -> None:
    def fail(first: int, end: int) -> None:
        raise ValueError(f"{first} to {end}")

    with pytest.raises(ValueError, match="0 to 5"):
        codes._share(5, fail)
