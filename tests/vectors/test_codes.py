"""Vectors rounded to int8: bounds of cosines, and the nearest words found with them."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.neighbours import nearest
from workbench.core.machine.threads import share_rows
from workbench.vectors import embeddings
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

    with pytest.raises(ValueError, match="0 to 3"):
        share_rows(5, fail, 3)


def test_ranges_of_rows_are_each_done_once() -> None:
    found: list[tuple[int, int]] = []
    share_rows(10, lambda first, end: found.append((first, end)), 4)
    assert sorted(found) == [(0, 4), (4, 8), (8, 10)]


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
@pytest.mark.parametrize("n", [1, 3, 300])
def test_the_likely_rows_contain_the_best(size: int, n: int) -> None:
    vectors = table("normal", size=max(size, 4))[:size]
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1)
    query = np.ones(50) / np.sqrt(50)
    exclude = {0, size // 2}
    rows = coded(vectors, lengths).likely(query, n, exclude)
    cosines = np.where(lengths > 0, wide @ query / np.where(lengths > 0, lengths, 1), -np.inf)
    cosines[list(exclude)] = -np.inf
    order = np.argsort(-cosines, kind="stable")[:n]
    assert set(order[cosines[order] > -np.inf].tolist()) <= set(rows.tolist())
    assert not exclude & set(rows.tolist())
    assert rows.tolist() == sorted(rows.tolist())
    if size == 1000 and n == 3:
        # Few rows are compared exactly.
        assert len(rows) < 50


def test_unit_rows_of_a_large_table_are_those_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors = table("lengths")
    words = [f"w{row}" for row in range(len(vectors))]
    whole = Embeddings(words, vectors).unit
    monkeypatch.setattr(embeddings, "CODED_FROM", 0)
    large = Embeddings(words, vectors)
    for rows in (slice(3, 7), [1, 50, 3]):
        assert np.array_equal(large.unit_of(rows), whole[rows])
    assert "unit" not in vars(large)
    large.prepare_lists()
    assert {"codes", "index"} <= set(vars(large))
