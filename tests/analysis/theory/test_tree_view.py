"""The displayed tree, against the codes of a tree built by hand and products of probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.analysis.theory.softmax_tree import leaf_log_probabilities
from workbench.analysis.theory.tree_view import look_at_tree
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

WORDS = ("a", "b", "c", "d", "e", "f")
COUNTS = np.array([40, 22, 15, 9, 8, 6])


@pytest.fixture
def model() -> Embeddings:
    random = np.random.default_rng(2)
    return Embeddings(
        WORDS,
        random.normal(size=(6, 4)).astype(np.float32),
        COUNTS,
        state={"nodes": random.normal(size=(5, 4)).astype(np.float32)},
    )


def test_shares_multiply_to_the_frequency_and_decisions_to_the_probability(
    model: Embeddings,
) -> None:
    logs = leaf_log_probabilities(model, ["c"])
    for row, word in enumerate(WORDS):
        view = look_at_tree(model, word, "c")
        assert math.prod(turn.share for turn in view.turns) == pytest.approx(COUNTS[row] / 100)
        assert view.share == COUNTS[row] / 100
        assert view.probability == pytest.approx(math.exp(logs[row]))
        assert math.prod(turn.probability or 0 for turn in view.turns) == pytest.approx(
            view.probability
        )
        # u·h by hand at every node
        for turn in view.turns:
            x = float(np.float64(model.state["nodes"][turn.node]) @ np.float64(model.vectors[2]))
            assert turn.probability == pytest.approx(1 / (1 + math.exp(x if turn.branch else -x)))
    assert sum(2.0 ** -len(look_at_tree(model, word, "").code) for word in WORDS) == 1.0
    # Huffman by hand: f+e = 14 with d: 9+14 = 23, c+b = 37, then 23+37 = 60, 40+60.
    assert [len(look_at_tree(model, word, "").code) for word in WORDS] == [1, 3, 3, 3, 4, 4]


def test_without_a_word_or_nodes_there_are_shares_alone(model: Embeddings) -> None:
    assert look_at_tree(model, "b", "").probability is None
    plain = Embeddings(WORDS, model.vectors, COUNTS)
    assert look_at_tree(plain, "b", "c").probability is None
    with pytest.raises(UserError, match="no counts to build the tree"):
        look_at_tree(Embeddings(WORDS, model.vectors), "a", "")
    with pytest.raises(UnknownWord):
        look_at_tree(model, "z", "")


def test_boxes_are_as_wide_as_what_is_below(model: Embeddings) -> None:
    view = look_at_tree(model, "e", "", levels=4)
    leaves = {box.word: box for box in view.boxes if box.node < 0}
    assert set(leaves) == set(WORDS)
    for word, count in zip(WORDS, COUNTS, strict=True):
        assert leaves[word].right - leaves[word].left == pytest.approx(count / 100)
        assert leaves[word].level == len(look_at_tree(model, word, "").code)
    assert [box.level for box in view.boxes if box.chosen] == [0, 1, 2, 3, 4]
    below = look_at_tree(model, "e", "", begin=2, levels=1)
    assert below.boxes[0].node == view.turns[2].node
    assert below.boxes[0].tokens == 23
    assert {box.word for box in below.boxes[1:]} == {"d", "e"}
