"""Probabilities along paths, against products of sigmoids by hand, and as a distribution."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.theory.softmax_tree import leaf_log_probabilities, leaf_path
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.models.base import MODELS
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@pytest.fixture(scope="module")
def by_hand() -> Embeddings:
    """A tree in which a (4) is joined last with (b, c): node 1 is the root, node 0 has c and b."""
    return Embeddings(
        words=("a", "b", "c"),
        vectors=np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32),
        counts=np.array([4, 2, 1]),
        state={"nodes": np.array([[0.5, -1], [2, 0.25]], dtype=np.float32)},
    )


def test_a_path_is_a_product_of_decisions(by_hand: Embeddings) -> None:
    # b + c sum to 3, a is 4: the heavier child has branch 1.
    found = leaf_path(by_hand, "a", ["b"])
    assert (found.nodes.tolist(), found.branches.tolist()) == ([1], [1])
    assert found.probabilities.tolist() == pytest.approx([sigmoid(-0.25)])
    found = leaf_path(by_hand, "c", ["a", "c"])
    assert (found.nodes.tolist(), found.branches.tolist()) == ([1, 0], [0, 0])
    # h = (1, 0.5)
    assert found.probabilities.tolist() == pytest.approx([sigmoid(2.125), sigmoid(0.0)])
    assert found.log_probability == pytest.approx(math.log(sigmoid(2.125) * 0.5))
    sum_model = dataclasses.replace(by_hand, metadata={"parameters": {"hidden": "sum"}})
    assert leaf_path(sum_model, "a", ["a", "c"]).probabilities[0] == pytest.approx(sigmoid(-4.25))


@pytest.mark.parametrize("key", ["skipgram-hs", "cbow-hs"])
def test_a_trained_result_is_all_it_takes(key: str) -> None:
    """The leaves sum to 1, and the predictions fit the text better than frequencies do."""
    corpus = markov_corpus(20_000)
    params = MODELS[key].params_type.from_mapping(
        {
            "dim": 12,
            "min_count": 1,
            "epochs": 5,
            "threads": 1,
            "window": 1,
            "learning_rate": 0.1,
            "normalise": True,
        }
    )
    result = train_run(corpus, key, params, JobControl())
    share = result.counts / result.counts.sum()
    gain = []
    for place in range(1, 2000):
        context, word = result.words[corpus.ids[place - 1]], result.words[corpus.ids[place]]
        found = leaf_path(result, word, [context])
        gain.append(found.log_probability - math.log(share[corpus.ids[place]]))
        if place < 20:
            every = leaf_log_probabilities(result, [context])
            assert np.exp(every).sum() == pytest.approx(1)
            assert every[corpus.ids[place]] == pytest.approx(found.log_probability)
    assert np.mean(gain) > 0.1


def test_vectors_without_a_tree_say_so(by_hand: Embeddings) -> None:
    with pytest.raises(UserError, match="no hierarchical softmax tree"):
        leaf_path(dataclasses.replace(by_hand, state={}), "a", ["b"])
    with pytest.raises(UserError, match="needs at least one word"):
        leaf_path(by_hand, "a", [])
    with pytest.raises(UnknownWord):
        leaf_path(by_hand, "z", ["a"])
