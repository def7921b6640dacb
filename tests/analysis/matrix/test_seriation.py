"""Orders, against all leaf orders of scipy’s tree and a matrix of hidden blocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.cluster.hierarchy import (
    ClusterNode,
    leaves_list,
    linkage,
    optimal_leaf_ordering,
    to_tree,
)
from scipy.spatial.distance import cosine, squareform

from workbench.analysis.matrix.seriation import average_tree, cosine_distances, seriate
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl


def distances_of(size: int, seed: int) -> np.ndarray:
    return cosine_distances(np.random.default_rng(seed).normal(size=(size, 5)))


def length(distances: np.ndarray, order: list[int]) -> float:
    return float(sum(distances[a, b] for a, b in pairwise(order)))


def turnings(node: ClusterNode) -> list[list[int]]:
    """All orders of the leaves that are compatible with the tree."""
    if node.is_leaf():
        return [[node.id]]
    left, right = turnings(node.left), turnings(node.right)
    return [a + b for a in left for b in right] + [b + a for a in left for b in right]


def test_cosine_distances_are_scipys_and_nothing_is_far_from_all() -> None:
    rows = np.array([[1.0, 2, 0], [-1, 0.5, 3], [0, 0, 0], [2, np.nan, 1]])
    found = cosine_distances(rows)
    filled = np.nan_to_num(rows)
    for i in range(4):
        for j in range(4):
            wanted = 0.0 if i == j else 1.0 if 2 in (i, j) else cosine(filled[i], filled[j])
            assert found[i, j] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("size", [3, 5, 8])
@pytest.mark.parametrize("seed", range(4))
def test_no_turning_of_the_tree_is_shorter(size: int, seed: int) -> None:
    distances = distances_of(size, seed)
    tree = to_tree(linkage(squareform(distances, checks=False), "average"))
    found = seriate(distances)
    every = turnings(tree)
    assert found.order.tolist() in every
    assert found.length == pytest.approx(min(length(distances, order) for order in every), abs=1e-9)
    assert found.optimal


def test_it_is_never_longer_than_scipys() -> None:
    distances = distances_of(120, 7)
    condensed_distances = squareform(distances, checks=False)
    scipys = leaves_list(
        optimal_leaf_ordering(linkage(condensed_distances, "average"), condensed_distances)
    ).tolist()
    found = seriate(distances)
    assert sorted(found.order.tolist()) == list(range(120))
    assert found.length == pytest.approx(length(distances, found.order.tolist()))
    assert found.length <= length(distances, scipys) + 1e-9


def test_the_tree_is_that_of_average_linkage() -> None:
    distances = distances_of(40, 3)
    wanted = to_tree(linkage(squareform(distances, checks=False), "average"), rd=True)[1]
    groups = {frozenset(node.pre_order()) for node in wanted}
    below = [frozenset([leaf]) for leaf in range(40)]
    for left, right in average_tree(distances):
        below.append(below[left] | below[right])
    assert set(below) == groups


def test_blocks_that_were_shuffled_are_found_again() -> None:
    sizes = (4, 7, 5)
    blocks = np.repeat(np.arange(3), sizes)
    rows = np.full((16, 16), 0.05)
    for block in range(3):
        inside = blocks == block
        rows[np.ix_(inside, inside)] = 3.0 + 0.01 * np.arange(inside.sum())
    permutation = np.random.default_rng(5).permutation(16)
    found = seriate(cosine_distances(rows[np.ix_(permutation, permutation)])).order
    labels = blocks[permutation][found]
    assert (np.diff(labels) != 0).sum() == 2


def test_a_line_of_points_is_walked_from_end_to_end() -> None:
    places = np.random.default_rng(2).permutation(60).astype(float)
    found = seriate(np.abs(places[:, None] - places[None])).order
    route = places[found]
    assert np.abs(np.diff(route)).sum() == 59
    assert np.flatnonzero(found == 0)[0] < 30


def test_beyond_a_size_the_trees_own_order_is_taken() -> None:
    distances = distances_of(30, 1)
    plain = seriate(distances, optimal_up_to=20)
    assert not plain.optimal
    assert sorted(plain.order.tolist()) == list(range(30))
    assert plain.length >= seriate(distances).length


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_few_need_no_order(size: int) -> None:
    assert seriate(np.zeros((size, size))).order.tolist() == list(range(size))


def test_it_tells_how_far_it_is_and_is_cancelled() -> None:
    run = JobControl()
    seriate(distances_of(50, 1), run)
    assert run.progress.fraction == pytest.approx(1.0)
    run.cancel()
    with pytest.raises(Cancelled):
        seriate(distances_of(50, 1), run)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_the_first_of_them_lies_in_the_first_half(size: int) -> None:
    places = {seriate(distances_of(size, seed)).order.tolist().index(0) for seed in range(40)}
    # The first half includes the middle place of an odd number.
    assert places == set(range((size + 1) // 2))
