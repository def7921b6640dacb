"""Communities of words: against brute force on small graphs, and on planted groups."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.communities import (
    communities,
    join_communities,
    neighbour_graph,
    nested_communities,
)
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def planted(groups: int, each: int, spread: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors around the centres of groups, all shifted in one direction; and the groups."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(groups, 20))
    group = np.tile(np.arange(groups), each)
    vectors = centres[group] + spread * random.normal(size=(groups * each, 20)) + 1.5
    return unit_rows(vectors), group


def modularity(links: np.ndarray, labels: np.ndarray, resolution: float) -> float:
    """Edge by edge from the definition (Reichardt and Bornholdt 2006)."""
    total, degrees = links.sum(), links.sum(axis=1)
    return sum(
        (links[i, j] - resolution * degrees[i] * degrees[j] / total) / total
        for i, j in itertools.product(range(len(links)), repeat=2)
        if labels[i] == labels[j]
    )


def partitions(size: int) -> list[np.ndarray]:
    found = [[0]]
    for _ in range(size - 1):
        found = [[*one, label] for one in found for label in range(max(one) + 2)]
    return [np.array(one) for one in found]


def random_links(size: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    links = np.triu(random.random((size, size)) * (random.random((size, size)) < 0.5), 1)
    return np.asarray(links + links.T)


@pytest.mark.parametrize("resolution", [1.0, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_no_partition_is_better(seed: int, resolution: float) -> None:
    links = random_links(8, seed)
    found = communities(sp.csr_matrix(links), resolution)
    best = max(modularity(links, labels, resolution) for labels in partitions(8))
    assert modularity(links, found, resolution) == pytest.approx(best, abs=1e-9)


def test_nodes_without_links_are_alone() -> None:
    links = np.zeros((5, 5))
    links[1, 3] = links[3, 1] = 1.0
    found = communities(sp.csr_matrix(links), 1.0)
    assert found[1] == found[3]
    assert len(set(found.tolist())) == 4
    assert communities(sp.csr_matrix((3, 3)), 1.0).tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(4))
def test_joining_stops_where_no_pair_gains(seed: int) -> None:
    links = random_links(7, seed) + np.diag(np.random.default_rng(seed).random(7))
    labels = join_communities(links, 1.0)
    reached = modularity(links, labels, 1.0)
    assert reached >= modularity(links, np.arange(7), 1.0)
    for one, other in itertools.combinations(set(labels.tolist()), 2):
        joined = np.where(labels == other, one, labels)
        assert modularity(links, joined, 1.0) <= reached + 1e-12


@pytest.mark.parametrize("sparse", [False, True])
def test_graph_links_the_nearest_without_the_mean(sparse: bool) -> None:
    unit, _ = planted(4, 15, 0.8)
    vectors = sp.csr_matrix(unit) if sparse else unit
    graph = neighbour_graph(vectors, k=5).toarray()
    rest = unit_rows(unit - unit.mean(axis=0))
    cosines = rest.astype(float) @ rest.T
    np.fill_diagonal(cosines, -2)
    expected = np.zeros_like(cosines)
    for row in range(len(unit)):
        for near in np.argsort(-cosines[row])[:5]:
            expected[row, near] = expected[near, row] = max(cosines[row, near], 1e-3)
    np.testing.assert_allclose(graph, expected, atol=1e-5)


def test_planted_groups_are_found_and_levels_are_nested() -> None:
    unit, group = planted(12, 40, 0.6)
    levels = nested_communities(unit)
    coarse, middle, fine = levels
    for one in range(12):
        assert len(set(middle[group == one].tolist())) == 1
    for finer, coarser in ((middle, coarse), (fine, middle)):
        for label in range(int(finer.max()) + 1):
            assert len(set(coarser[finer == label].tolist())) == 1
    assert coarse.max() <= middle.max() <= fine.max()
    for labels, again in zip(levels, nested_communities(unit), strict=True):
        assert labels.dtype == np.int32
        np.testing.assert_array_equal(labels, again)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_few_words(size: int) -> None:
    for labels in nested_communities(np.eye(size, 5, dtype=np.float32)):
        assert len(labels) == size


def test_equal_and_zero_vectors() -> None:
    unit, _ = planted(3, 20, 0.5)
    unit[:40] = unit[0]
    unit[50] = 0
    _, middle, _ = nested_communities(unit)
    assert len(middle) == 60


def test_cancel() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        nested_communities(planted(3, 20, 0.5)[0], run)
