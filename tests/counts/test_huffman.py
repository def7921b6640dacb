"""Huffman trees, compared with a search for the lightest pair, and properties of the codes."""

import numpy as np
import pytest
from reference import naive_windows

from workbench.counts.huffman import huffman_tree, log_probabilities

COUNTS = {
    "two": [7, 3],
    "all equal": [4] * 13,
    "powers": [64, 32, 16, 8, 4, 2, 1],
    "Fibonacci": [34, 21, 13, 8, 5, 3, 2, 1, 1],
    "ties with sums": [6, 4, 2, 2, 1, 1, 1, 1],
    "zipf": sorted((int(1000 / rank) for rank in range(1, 120)), reverse=True),
}
each = pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)


@each
def test_the_tree_is_word2vecs_ties_included(counts):
    tree = huffman_tree(np.array(counts))
    for word, wanted in enumerate(naive_windows.word2vec_paths(counts)):
        nodes, codes = tree.path(word)
        assert list(zip(nodes.tolist(), codes.tolist(), strict=True)) == wanted


@each
def test_no_code_is_shorter(counts):
    tree = huffman_tree(np.array(counts))
    assert int(tree.lengths @ np.array(counts)) == naive_windows.huffman_cost(counts)


@each
def test_paths_begin_at_the_root_and_differ(counts):
    tree = huffman_tree(np.array(counts))
    assert tree.words == len(counts)
    assert tree.inner == len(counts) - 1
    assert all(tree.path(word)[0][0] == tree.inner - 1 for word in range(len(counts)))
    codes = {tuple(tree.path(word)[1].tolist()) for word in range(len(counts))}
    assert len(codes) == len(counts)
    assert set(tree.nodes.tolist()) == set(range(tree.inner))


@each
def test_the_probabilities_of_all_words_sum_to_1(counts):
    tree = huffman_tree(np.array(counts))
    random = np.random.default_rng(3)
    for scale in (0.0, 1.0, 30.0):
        scores = scale * random.normal(size=tree.inner)
        probabilities = np.exp(log_probabilities(tree, scores))
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    h, U = random.normal(size=5), random.normal(size=(tree.inner, 5))
    wanted = naive_windows.leaf_probabilities(h, U, naive_windows.word2vec_paths(counts))
    np.testing.assert_allclose(np.exp(log_probabilities(tree, U @ h)), wanted, rtol=1e-9)


def test_a_single_word_needs_no_decision():
    tree = huffman_tree(np.array([9]))
    assert tree.words == 1
    assert tree.inner == 0
    assert len(tree.path(0)[0]) == 0
    np.testing.assert_array_equal(np.exp(log_probabilities(tree, np.empty(0))), [1.0])
