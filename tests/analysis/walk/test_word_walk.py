"""Rules of the word walk, against a breadth-first search of another library and brute force."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

from workbench.analysis.walk.word_walk import (
    COLD,
    OPTIONS,
    THERE,
    Walk,
    WalkGraph,
    WalkWords,
    draw,
    heat,
    ranks,
)
from workbench.vectors.embeddings import Embeddings


def random_graph(size: int, options: int, seed: int) -> WalkGraph:
    random = np.random.default_rng(seed)
    rows = [random.permutation(np.delete(np.arange(size), row))[:options] for row in range(size)]
    return WalkGraph(np.array(rows, dtype=np.int32))


def distances(graph: WalkGraph) -> np.ndarray:
    """Distances between all words by scipy, −1 without a way."""
    size, options = graph.near.shape
    ends = np.arange(0, size * options + 1, options)
    arcs = sp.csr_matrix((np.ones(size * options), graph.near.ravel(), ends), (size, size))
    found = dijkstra(arcs, unweighted=True)
    return np.where(np.isfinite(found), found, -1).astype(int)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 60), st.integers(1, 4), st.integers(0, 10_000))
def test_shortest_walks_are_those_of_scipy(size: int, options: int, seed: int) -> None:
    graph = random_graph(size, min(options, size - 1), seed)
    expected = distances(graph)
    for target in range(0, size, 7):
        np.testing.assert_array_equal(graph.steps_to(target), expected[:, target])
        for start in range(0, size, 5):
            path = graph.shortest(start, target)
            assert len(path) == expected[start, target] + 1
            assert all(two in graph.near[one] for one, two in pairwise(path))
            assert not path or (path[0], path[-1]) == (start, target)


@pytest.mark.parametrize("number", range(1, 13))
def test_puzzles_have_the_length_that_they_state(number: int) -> None:
    graph = random_graph(400, 3, 5)
    puzzle = graph.puzzle(number)
    assert puzzle is not None
    assert puzzle.steps == distances(graph)[puzzle.start, puzzle.target] == 3 + (number - 1) % 3
    assert min(puzzle.start, puzzle.target) >= 20
    assert puzzle.target < 200
    assert graph.puzzle(number) == puzzle


def test_words_in_one_circle_have_no_puzzle() -> None:
    """All words are one step apart."""
    assert random_graph(5, 4, 1).puzzle(1) is None


def test_draws_cover_the_range_evenly() -> None:
    drawn = np.bincount([draw(number, 3, 10) for number in range(20_000)], minlength=10)
    assert len(drawn) == 10
    assert drawn.min() > 1_800


def test_ranks_by_brute_force() -> None:
    cosines = np.array([0.1, 1.0, 0.5, 0.5, -1.0, 0.7])
    expected = [
        0 if row == 1 else 1 + sum(cosines[other] > one for other in range(6) if other != 1)
        for row, one in enumerate(cosines)
    ]
    assert ranks(cosines, 1).tolist() == expected == [4, 0, 2, 2, 5, 1]


def test_heat_by_rank() -> None:
    named = [heat(rank, 1_000) for rank in (0, 1, 10, 11, 50, 51, 200, 201)]
    assert named == [THERE, "hot", "hot", "warm", "warm", "cool", "cool", COLD]
    # Three words are hot even among few.
    assert [heat(rank, 40) for rank in (3, 4)] == ["hot", "warm"]


def test_a_game() -> None:
    graph = random_graph(400, 3, 5)
    puzzle = graph.puzzle(1)
    assert puzzle is not None
    walk = Walk.begin(puzzle)
    with pytest.raises(ValueError, match="start"):
        walk.back()
    outside = next(word for word in range(400) if word not in graph.near[puzzle.start])
    with pytest.raises(ValueError, match=str(outside)):
        walk.step(graph, outside)
    walk = walk.step(graph, int(graph.near[puzzle.start][2])).back()
    assert (walk.path, walk.moves, walk.has_arrived) == ((puzzle.start,), 2, False)
    for word in graph.shortest(puzzle.start, puzzle.target)[1:]:
        walk = walk.step(graph, word)
    assert walk.has_arrived
    assert walk.moves == puzzle.steps + 2
    with pytest.raises(ValueError, match="start"):
        walk.back()


@pytest.mark.parametrize("sparse", [False, True])
def test_options_are_the_nearest_words(sparse: bool) -> None:
    random = np.random.default_rng(3)
    table = random.normal(size=(60, 9)).astype(np.float32)
    table[random.random(table.shape) < 0.4] = 0
    table[7] = 0
    table[30] = table[12]
    names = [f"w{number}" for number in range(60)]
    given = Embeddings(names, sp.csr_matrix(table) if sparse else table)
    game = WalkWords.of(given)
    wide = np.delete(table, 7, axis=0).astype(np.float64)
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    products = wide @ wide.T
    assert game.words == tuple(np.delete(names, 7).tolist())
    for row in range(59):
        found = game.graph.near[row].tolist()
        assert len(found) == OPTIONS
        assert row not in found
        best = np.sort(np.delete(products[row], row))[::-1][:OPTIONS]
        np.testing.assert_allclose(products[row, found], best, atol=1e-6)
    assert game.ranks(20)[20] == 0
    others = np.delete(products[20], 20)
    for row in (3, 11, 40):
        better = others > products[20, row] + 1e-6
        assert game.ranks(20)[row] == 1 + better.sum()
