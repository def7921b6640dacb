"""Regions of a map, and the text that they need, word by word."""

from __future__ import annotations

import collections

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.context_lift import (
    context_lift,
    levels_by_counts,
    levels_by_lift,
    mean_cosine,
)
from workbench.analysis.projection.region_names import ContextTable, preference_strength
from workbench.analysis.projection.regions import (
    NO_REGION,
    fit_to_map,
    purity,
    region_hues,
    regions_of,
    words_around,
)


def scattered(size: int = 300, seed: int = 0) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Three areas of a map, each with two halves; a tenth of the words has a wrong label."""
    random = np.random.default_rng(seed)
    area = random.integers(0, 3, size)
    half = random.integers(0, 2, size)
    places = np.column_stack([area * 10 + half * 2.0, np.zeros(size)])
    places = places + random.normal(0, 0.5, (size, 2))
    fine = (2 * area + half).astype(np.int32)
    wrong = random.random(size) < 0.1
    fine[wrong] = random.integers(0, 6, int(wrong.sum()))
    middle = fine // 2
    return places.astype(np.float32), (np.minimum(middle, 1), middle, fine)


def vote(labels: np.ndarray, around: np.ndarray) -> list[int]:
    """The most frequent label around each word, the lowest of equals; its own counts twice."""
    won = []
    for row, near in enumerate(around.tolist()):
        voters = [row, *(other for other in near if row in around[other])]
        votes = collections.Counter(labels[voters].tolist())
        won.append(min(votes, key=lambda label: (-votes[label], label)))
    return won


def test_a_word_takes_the_region_around_it() -> None:
    places, levels = scattered()
    around = words_around(places)
    for row in range(0, 300, 50):
        apart = np.hypot(*(places - places[row]).T)
        assert set(around[row]) == set(np.argsort(apart)[:16])
    _, once, _ = fit_to_map(levels, around, rounds=1)
    assert once.tolist() == vote(levels[1], around)
    coarse, middle, fine = fit_to_map(levels, around)
    assert middle.tolist() == vote(once, around)
    assert purity(middle, around) > 0.99 > purity(levels[1], around)
    # Still nested.
    assert coarse.tolist() == np.minimum(middle, 1).tolist()
    assert (fine // 2).tolist() == middle.tolist()


def test_a_community_may_lose_all_its_words() -> None:
    places, (coarse, middle, fine) = scattered()
    # Single words of their own, each drawn among others.
    middle[[3, 50]], fine[[3, 50]] = 3, 6
    _, middle, fine = fit_to_map((coarse, middle, fine), words_around(places))
    assert set(middle.tolist()) == {0, 1, 2}
    assert (fine // 2).tolist() == middle.tolist()


def test_regions_are_sorted_and_their_places_are_in_their_largest_piece() -> None:
    places, levels = scattered()
    found = regions_of(levels, places)
    assert [regions.number for regions in found] == [2, 3, 6]
    assert len(regions_of(levels, places, 2)) == 2
    for regions in found:
        sizes = regions.sizes
        assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)
        assert sizes.sum() == 300
        for region, place in enumerate(regions.places.tolist()):
            rows = np.flatnonzero(regions.labels == region)
            assert place in places[rows].tolist()
    # A small second piece of a region far away doesn't attract its name.
    left = places[:, 0] < 5
    two = np.where(left, 0, 1).astype(np.int32)
    two[np.flatnonzero(~left)[:40]] = 0
    moved = places.copy()
    moved[np.flatnonzero(~left)[:40]] += 40
    (middle,) = regions_of((two, two, two), moved)
    mean_of_all = moved[middle.labels == middle.labels[np.flatnonzero(left)[0]]].mean(axis=0)
    place = middle.places[middle.labels[np.flatnonzero(left)[0]]]
    assert place[0] < 5 < mean_of_all[0]


def test_an_island_keeps_its_region_and_a_tiny_one_has_none() -> None:
    random = np.random.default_rng(0)
    parts = [random.normal(0, 1, (60, 2)), random.normal(30, 0.1, (6, 2)), np.full((3, 2), -30.0)]
    places = np.concatenate(parts).astype(np.float32)
    labels = np.repeat([0, 1, 2], [60, 6, 3]).astype(np.int32)
    # Levels that divide nothing, or only into tiny regions, are left out.
    alone = np.arange(69, dtype=np.int32)
    (regions,) = regions_of((labels, labels, alone), places)
    assert regions.sizes.tolist() == [60, 6]
    assert set(regions.labels[66:].tolist()) == {NO_REGION}


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_one_region_names_nothing(size: int) -> None:
    labels = np.zeros(size, dtype=np.int32)
    places = np.random.default_rng(1).normal(size=(size, 2)).astype(np.float32)
    assert regions_of((labels, labels, labels), places) == ()


def test_regions_in_space() -> None:
    places, levels = scattered()
    solid = np.column_stack([places, np.zeros(len(places))]).astype(np.float32)
    for flat, deep in zip(regions_of(levels, places), regions_of(levels, solid), strict=True):
        np.testing.assert_array_equal(flat.labels, deep.labels)
        np.testing.assert_allclose(deep.places[:, :2], flat.places)


def test_hues_follow_the_direction() -> None:
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    hues = region_hues(around, around.astype(np.float32))
    np.testing.assert_allclose(np.exp(2j * np.pi * hues), np.exp(1j * angles), atol=1e-6)


def table_of(dense: np.ndarray) -> ContextTable:
    counts = sp.csr_matrix(dense.astype(float))
    size = len(dense)
    words = [f"w{row}" for row in range(size)]
    return ContextTable(counts, words, np.arange(size), preference_strength(counts))


def blocks(groups: int, each: int, inside: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Counts of words that mostly co-occur within their group, and the groups."""
    random = np.random.default_rng(seed)
    group = np.tile(np.arange(groups), each).astype(np.int32)
    means = 3.0 + inside * (group[:, None] == group)
    counts = random.poisson(means).astype(float)
    return counts + counts.T, group


def test_lift_by_definition() -> None:
    dense, group = blocks(3, 8, 4.0)
    table = table_of(dense)
    totals = dense.sum(axis=1)
    with np.errstate(divide="ignore"):
        pmi = np.log(dense * dense.sum() / np.outer(totals, totals))
    rows = np.where((pmi > 0) & (dense >= 2), pmi, 0.0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    def mean(labels: np.ndarray) -> float:
        found = []
        for label in set(labels.tolist()):
            members = np.flatnonzero(labels == label)
            pairs = [rows[a] @ rows[b] for a in members for b in members if a != b]
            found += [np.mean(pairs)] * len(members)
        return float(np.mean(found))

    random = np.random.default_rng(0)
    chance = [mean(group[random.permutation(24)]) for _ in range(5)]
    assert context_lift(table, group) == pytest.approx(mean(group) / np.mean(chance))


def test_only_meaningful_regions_have_a_lift() -> None:
    dense, group = blocks(5, 60, 6.0)
    assert context_lift(table_of(dense), group) > 1.5
    shuffled = np.random.default_rng(3).permutation(group).astype(np.int32)
    assert context_lift(table_of(dense), shuffled) == pytest.approx(1.0, abs=0.1)
    assert np.isnan(context_lift(table_of(dense), np.full(300, NO_REGION, dtype=np.int32)))


def test_levels_that_a_text_supports() -> None:
    assert [levels_by_lift(lift) for lift in (1.0, 1.49, 1.5, 1.7, 1.89, 1.9, 3.0)] == [
        0, 0, 1, 2, 2, 3, 3,
    ]  # fmt: skip
    assert levels_by_lift(float("nan")) == 0
    assert levels_by_counts(None) == 3
    assert levels_by_counts(np.array([1000, 39, 5])) == 0
    assert levels_by_counts(np.array([1000, 40, 5])) == 3


def test_mean_cosine_of_pairs() -> None:
    unit = np.random.default_rng(0).normal(1.0, 1.0, (20, 5))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    pairs = [unit[a] @ unit[b] for a in range(20) for b in range(20) if a != b]
    assert mean_cosine(unit) == pytest.approx(float(np.mean(pairs)))
    assert mean_cosine(sp.csr_matrix(unit)) == pytest.approx(float(np.mean(pairs)))
