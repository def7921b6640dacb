"""Weights, biases, ratios, sums and steps, against plain numpy over dense tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus

from workbench.analysis.step.cost import step_costs
from workbench.analysis.theory.factors import factors
from workbench.analysis.theory.loss_weights import bias_look, compare_weights
from workbench.analysis.theory.objective import objective
from workbench.analysis.theory.pair_counts import (
    PairCounts,
    PairCountSettings,
    PairsKept,
    count_pairs,
)
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.probability_ratios import preset, ratios
from workbench.analysis.theory.target_what_if import WhatIf, compare_settings
from workbench.analysis.theory.targets import TargetSettings, theory_target
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

CORPUS = markov_corpus(3000)
SIZE = len(CORPUS.words)
COUNTING = PairCountSettings(window=2, sample=0.0)
SETTING = TargetSettings(negative=3, ns_exponent=0.6, x_max=20.0)


@pytest.fixture(scope="module")
def pairs() -> PairCounts:
    return count_pairs(CORPUS, COUNTING)


def model() -> Embeddings:
    random = np.random.default_rng(5)
    vectors, contexts = random.normal(scale=0.5, size=(2, SIZE, 4)).astype(np.float32)
    biases, others = random.normal(size=(2, SIZE)).astype(np.float32)
    return Embeddings(
        list(CORPUS.words),
        vectors,
        CORPUS.counts,
        contexts=contexts,
        biases=biases,
        context_biases=others,
        state={"nodes": random.normal(size=(SIZE - 1, 4)).astype(np.float32)},
    )


def test_weights_are_means_over_the_pairs_of_a_bin(pairs: PairCounts) -> None:
    found = compare_weights(pairs, SETTING)
    A = pairs.cells.toarray()
    noise = CORPUS.counts**0.6 / np.sum(CORPUS.counts**0.6)
    B = 3 * A.sum(axis=1, keepdims=True) * noise
    seen = A > 0
    expected = {
        "SGNS A + B": A + B,
        "AB/(A+B)": A * B / (A + B),
        "GloVe": np.minimum(1, (A / 20) ** 0.75),
        "Swivel": 0.1 + 0.25 * np.sqrt(A),
    }
    bins = np.floor(4 * np.log10(np.where(seen, A, 1)))
    assert found.pairs.sum() == seen.sum()
    for curve in found.curves:
        whole = expected[curve.name]
        assert curve.mean == pytest.approx(whole[seen].mean())
        for at, number in enumerate(np.unique(bins[seen])):
            inside = seen & (bins == number)
            assert found.pairs[at] == inside.sum()
            assert curve.weights[at] == pytest.approx(whole[inside].mean() / whole[seen].mean())
    np.testing.assert_allclose(found.shares.sum(axis=0), 1)


def test_biases_against_the_logarithm_of_the_count(pairs: PairCounts) -> None:
    e = model()
    found = bias_look(pairs, e)
    assert found is not None
    logs = np.log(pairs.cells.toarray().sum(axis=1))
    np.testing.assert_allclose(found.logs, logs)
    slope, offset = np.polyfit(logs, e.biases, 1)
    assert (found.slope, found.offset) == (
        pytest.approx(slope, abs=1e-6),
        pytest.approx(offset, abs=1e-6),
    )
    assert found.pearson == pytest.approx(np.corrcoef(logs, e.biases)[0, 1], abs=1e-6)
    assert bias_look(pairs, Embeddings(e.words, e.vectors)) is None


def test_ratios_are_those_of_probabilities(pairs: PairCounts) -> None:
    a, b, *probes = CORPUS.words[:5]
    e = model()
    found = ratios(pairs, a, b, probes, e)
    A = pairs.cells.toarray()
    for at, probe in enumerate(found.probes, start=2):
        p, q = A[0, at] / A[0].sum(), A[1, at] / A[1].sum()
        assert (probe.p_a, probe.p_b) == (pytest.approx(p), pytest.approx(q))
        assert probe.ratio == (pytest.approx(p / q) if q else math.inf)
        assert e.biases is not None
        assert e.contexts is not None
        assert e.context_biases is not None
        product = np.dot(np.asarray(e.vectors)[0].astype(float), e.contexts[at].astype(float))
        assert probe.model_a == pytest.approx(
            product + e.biases[0] + e.context_biases[at], abs=1e-6
        )
    with pytest.raises(UnknownWord):
        ratios(pairs, a, "nobody", probes)
    with pytest.raises(UserError):
        ratios(pairs, a, b, [])


def test_the_preset_is_that_of_the_paper_where_its_words_are_known(pairs: PairCounts) -> None:
    ice = [
        "ice",
        "solid",
        "water",
        "steam",
        "gas",
        "water",
        "ice",
        "water",
        "steam",
        "water",
        "fashion",
    ] * 5
    known = count_pairs(make_corpus([ice]), PairCountSettings(window=2, sample=0.0))
    assert preset(known) == ("ice", "steam", ("solid", "gas", "water", "fashion"))
    a, b, probes = preset(pairs)
    found = ratios(pairs, a, b, probes)
    assert all(probe.count_a > 0 < probe.count_b for probe in found.probes)
    assert found.probes[0].ratio == max(probe.ratio for probe in found.probes)
    assert found.probes[1].ratio == min(probe.ratio for probe in found.probes)


@pytest.mark.parametrize("kind", ["softmax", "tree"])
def test_the_cross_entropy_stands_above_its_floor(pairs: PairCounts, kind: str) -> None:
    e = model()
    found = objective(pairs, PairScores(e, pairs, kind))
    A = pairs.cells.toarray()
    rows = A.sum(axis=1, keepdims=True)
    P = A / rows
    floor = -np.sum(A * np.log(np.where(P > 0, P, 1))) / A.sum()
    assert found.floor == pytest.approx(floor, abs=1e-6)
    if kind == "softmax":
        assert e.contexts is not None
        products = np.asarray(e.vectors, dtype=float) @ e.contexts.T.astype(float)
        Q = np.exp(products) / np.exp(products).sum(axis=1, keepdims=True)
        assert found.cross == pytest.approx(-np.sum(A * np.log(Q)) / A.sum(), abs=1e-6)
    assert found.cross > found.floor
    part = count_pairs(CORPUS, COUNTING, 10)
    with pytest.raises(UserError):
        objective(part, PairScores(e, part, kind))


def test_a_step_touches_as_many_vectors_as_its_order_says() -> None:
    found = step_costs(CORPUS.counts, 8, 4)
    assert [one.order for one in found] == ["O(V)", "O(log V)", "O(k)"]
    assert found[0].rows == SIZE
    assert math.log2(SIZE) - 1.5 < found[1].rows < math.log2(SIZE) + 1.5
    assert found[2].rows == 5
    assert all(one.seconds > 0 for one in found)


def test_factors_are_the_rows_and_their_products(pairs: PairCounts) -> None:
    e = model()
    own = theory_target("glove")
    found = factors(
        pairs,
        SETTING,
        own.target,
        PairScores(e, pairs, own.score),
        [CORPUS.words[3], "nobody", CORPUS.words[1]],
    )
    assert found.words == (CORPUS.words[3], CORPUS.words[1])
    at = [3, 1]
    assert e.contexts is not None
    assert e.biases is not None
    assert e.context_biases is not None
    W, C = np.asarray(e.vectors)[at].astype(float), e.contexts[at].astype(float)
    np.testing.assert_allclose(
        found.model, W @ C.T + e.biases[at][:, None] + e.context_biases[at], atol=1e-6
    )
    A = pairs.cells.toarray()[np.ix_(at, at)]
    np.testing.assert_allclose(np.nan_to_num(found.counts), A)
    np.testing.assert_allclose(found.target[A > 0], np.log(A[A > 0]))


def test_a_look_under_other_settings_moves_the_target_by_log_k(pairs: PairCounts) -> None:
    e, own = model(), theory_target("sgns")
    scores = PairScores(e, pairs, own.score)
    word, context = CORPUS.words[0], CORPUS.words[2]
    there = compare_settings(
        WhatIf.unchanged(pairs, SETTING), "xstar", own, scores, (word, context)
    )
    assert there.own is None
    assert there.pair is not None
    noise = CORPUS.counts**0.6 / np.sum(CORPUS.counts**0.6)
    A = pairs.cells.toarray()
    assert there.pair.target == pytest.approx(
        math.log(A[0, 2]) - math.log(3 * A[0].sum() * noise[2]), abs=1e-9
    )
    other_settings = TargetSettings(negative=12, ns_exponent=0.6, x_max=20.0)
    away = compare_settings(
        WhatIf(pairs, other_settings, pairs, SETTING), "xstar", own, scores, (word,)
    )
    assert away.own is not None
    assert away.own.sum() == away.fit.histogram.sum()
    assert away.fit.plain.mean_difference == pytest.approx(
        there.fit.plain.mean_difference + math.log(4), abs=1e-9
    )
    assert away.pair is not None
    assert away.pair.word == word
    assert away.pair.own_target - away.pair.target == pytest.approx(math.log(4))


def test_what_was_counted_is_kept() -> None:
    cache = PairsKept(1)
    first = cache.get(CORPUS, COUNTING, 5, None)
    assert cache.holds(CORPUS, COUNTING, 5, None)
    assert cache.get(CORPUS, COUNTING, 5, None) is first
    cache.get(CORPUS, COUNTING, 6, None)
    assert not cache.holds(CORPUS, COUNTING, 5, None)
