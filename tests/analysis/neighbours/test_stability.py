"""Stability of neighbours over seeds, against sets counted in plain Python."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from reference import naive_analysis as naive

from workbench.analysis.neighbours.stability import spread, stability
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

RANDOM = np.random.default_rng(5)
WORDS = [f"w{row}" for row in range(30)]
BASE = RANDOM.normal(size=(30, 6))


def model() -> Embeddings:
    table = (BASE + 0.4 * RANDOM.normal(size=BASE.shape)).astype(np.float32)
    return Embeddings(WORDS, table, np.arange(30, 0, -1, dtype=np.int64))


MODELS = [model() for _ in range(3)]
NEAR = [[[row for row, _ in naive.neighbours(m.vectors, at)] for at in range(30)] for m in MODELS]


def test_overlap_jaccard_and_what_all_share() -> None:
    found = stability(MODELS, k=4)
    assert (found.models, found.k) == (3, 4)
    assert found.counts is not None
    for at in range(30):
        sets = [set(near[at][:4]) for near in NEAR]
        overlaps = [len(a & b) / 4 for a, b in combinations(sets, 2)]
        jaccards = [len(a & b) / len(a | b) for a, b in combinations(sets, 2)]
        assert found.overlap[at] == pytest.approx(sum(overlaps) / 3)
        assert (found.lowest[at], found.highest[at]) == (min(overlaps), max(overlaps))
        assert found.jaccard[at] == pytest.approx(sum(jaccards) / 3)
        assert found.everywhere[at] == pytest.approx(len(sets[0] & sets[1] & sets[2]) / 4)


def test_the_spread_of_every_neighbour() -> None:
    found = spread(MODELS, "w3", n=4)
    union = {WORDS[row] for near in NEAR for row in near[3][:4]}
    assert {one.word for one in found} == union
    assert [one.cosine for one in found] == sorted((one.cosine for one in found), reverse=True)
    for one in found:
        row = WORDS.index(one.word)
        ranks = [near[3].index(row) + 1 for near in NEAR]
        cosines = [naive.cosine(m.vectors[3], m.vectors[row]) for m in MODELS]
        assert one.rank == pytest.approx(sum(ranks) / 3)
        assert (one.rank_low, one.rank_high) == (min(ranks), max(ranks))
        assert one.cosine == pytest.approx(sum(cosines) / 3, abs=1e-6)
        assert (one.cosine_low, one.cosine_high) == pytest.approx(
            (min(cosines), max(cosines)), abs=1e-6
        )
        assert one.among == sum(rank <= 4 for rank in ranks)
        assert one.models == 3


def test_one_model_has_no_spread_and_unknown_words_are_told() -> None:
    with pytest.raises(UserError, match="The spread can’t be measured with only one model"):
        stability(MODELS[:1])
    with pytest.raises(UnknownWord):
        spread(MODELS, "nobody")


def test_a_word_whose_vector_is_zero_in_one_model_is_judged_by_the_others() -> None:
    table = np.array([[1, 0], [2, 1], [-1, 1], [0, 1]], dtype=np.float32)
    without = table.copy()
    without[1] = 0
    first, second = Embeddings(list("abcd"), table), Embeddings(list("abcd"), without)
    found = {one.word: one for one in spread([first, second], "a", 3)}
    assert (found["b"].models, found["b"].cosine) == (1, pytest.approx(2 / 5**0.5))
    assert (found["c"].models, found["c"].rank) == (2, 2.5)
