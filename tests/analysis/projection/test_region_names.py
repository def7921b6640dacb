from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.region_names import (
    central_words,
    is_flat,
    preference_strength,
    region_contexts,
    short_name,
)


def table(size: int = 12, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    counts = random.poisson(4.0, size=(size, size)).astype(np.float64)
    counts = counts + counts.T
    counts[random.random((size, size)) < 0.2] = 0
    return counts


def test_contexts_of_regions_cell_by_cell() -> None:
    counts = table()
    size = len(counts)
    labels = np.array([0, 0, 0, 1, 1, 1, 1, -1, 0, 1, -1, 0], dtype=np.int32)
    found = region_contexts(sp.csr_matrix(counts), labels, 2, n=size)
    total = counts.sum()

    def ppmi(w: int, c: int) -> float:
        if not counts[w, c]:
            return 0.0
        expected = counts[w].sum() * counts[:, c].sum() / total
        return max(math.log(counts[w, c] / expected), 0.0)

    for region in (0, 1):
        inside = [w for w in range(size) if labels[w] == region]
        outside = [w for w in range(size) if labels[w] == 1 - region]
        expected = {}
        for c in range(size):
            seen = sum(ppmi(w, c) > 0 for w in inside)
            mean = sum(ppmi(w, c) for w in inside) / len(inside)
            rest = sum(ppmi(w, c) for w in outside) / len(outside)
            if seen >= 2 and mean > rest:
                expected[c] = (mean, rest, seen / len(inside))
        best = sorted(expected, key=lambda c: expected[c][1] - expected[c][0])
        assert [context.column for context in found[region]] == best
        for context in found[region]:
            assert (context.inside, context.outside, context.seen) == pytest.approx(
                expected[context.column]
            )


def test_excluded_and_rare_contexts_name_nothing() -> None:
    counts = table()
    labels = np.array([0, 1] * 6, dtype=np.int32)
    everything = region_contexts(sp.csr_matrix(counts), labels, 2, n=12)
    first = everything[0][0].column
    assert all(
        context.column != first
        for region in region_contexts(sp.csr_matrix(counts), labels, 2, n=12, exclude=[first])
        for context in region
    )
    rare = counts.copy()
    rare[:, first] = 0
    rare[:2, first] = 1
    assert all(
        context.column != first
        for region in region_contexts(sp.csr_matrix(rare), labels, 2, n=12)
        for context in region
    )


def test_strength_cell_by_cell_and_what_is_flat() -> None:
    counts = table(30)
    # A word that co-occurs with every word as often as expected by chance.
    counts[0] = counts[:, 0] = counts.sum(axis=0) * 10 / counts.sum()
    strength = preference_strength(sp.csr_matrix(counts))
    total = counts.sum()
    for w in (0, 3, 17):
        expected = sum(
            counts[w, c]
            / counts[w].sum()
            * math.log(counts[w, c] * total / (counts[w].sum() * counts[:, c].sum()))
            for c in range(30)
            if counts[w, c]
        )
        assert strength[w] == pytest.approx(expected)
    assert np.flatnonzero(is_flat(strength)).tolist() == [0]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_names_are_near_the_centre_and_frequent(sparse: bool, counted: bool) -> None:
    random = np.random.default_rng(2)
    unit = random.normal(size=(40, 8)) + 1.0
    unit[:20, 0] += 4
    unit[20:, 1] += 4
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    labels = np.repeat([0, 1], 20).astype(np.int32)
    labels[7] = -1
    vectors = sp.csr_matrix(unit) if sparse else unit
    counts = np.sort(random.integers(1, 5000, 40))[::-1].astype(float) if counted else None
    names = central_words(vectors, labels, 2, n=4, counts=counts)
    weight = 1 / np.arange(1, 41) if counts is None else counts
    middle = unit.mean(axis=0)

    def score(row: int, towards: np.ndarray) -> float:
        away = unit[row] - middle
        cosine = away @ towards / (np.linalg.norm(away) * np.linalg.norm(towards))
        return float(cosine * weight[row] ** 0.25)

    for region in (0, 1):
        rows = np.flatnonzero(labels == region)
        towards = unit[rows].mean(axis=0) - middle
        best = sorted(rows.tolist(), key=lambda row: -score(row, towards))[:4]
        assert list(names[region]) == best


def test_function_words_come_last() -> None:
    unit = np.eye(6)
    labels = np.zeros(6, dtype=np.int32)
    strength = np.array([0.01, 1.0, 1.0, 0.02, 1.0, 1.0])
    (names,) = central_words(unit, labels, 1, n=6, strength=strength)
    assert set(names[-2:]) == {0, 3}


def test_a_name_is_never_cut() -> None:
    assert short_name(["tea", "wine", "drink"]) == "tea, wine, drink"
    assert short_name(["frightened", "surprised", "afraid"]) == "frightened, surprised"
    assert short_name(["a" * 40, "b"]) == "a" * 40
    assert short_name([]) == ""
