"""Every figure of the comparison with theory, against plain numpy over dense tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.theory.pair_counts import PairCounts, PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import BANDS, Fit, FitOptions, fit
from workbench.analysis.theory.targets import (
    TargetSettings,
    target_values,
    theory_target,
)
from workbench.core.errors import UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import SampledWindow, effective_counts
from workbench.models.base import MODELS, TheoryTarget
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.npz import Npz

CORPUS = markov_corpus(3000)
SIZE = len(CORPUS.words)
PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "sgns": {"window": 2, "negative": 3, "ns_exponent": 0.6, "sample": 0.01},
    "skipgram-softmax": {"window": 2, "sample": 0.01},
    "skipgram-hs": {"window": 2, "sample": 0.01},
    "glove": {
        "window": 3,
        "window_weighting": "harmonic",
        "symmetric": False,
        "x_max": 20.0,
        "alpha": 0.5,
    },
    "swivel": {"window": 2, "sample": 0.0, "confidence_base": 0.2, "confidence_scale": 0.3},
    "pmi-mf": {
        "window": 2,
        "sample": 0.0,
        "shift": 2.0,
        "context_smoothing": 0.7,
        "weighting": "AB/(A+B)",
    },
    "svd": {"window": 2, "sample": 0.01, "shift": 2.0, "context_smoothing": 0.75},
    "smf": {"window": 2, "sample": 0.0, "weighting": "glove", "x_max": 10.0},
}


def model(seed: int = 3) -> Embeddings:
    random = np.random.default_rng(seed)
    vectors, contexts = random.normal(scale=0.6, size=(2, SIZE, 5)).astype(np.float32)
    biases, others = random.normal(size=(2, SIZE)).astype(np.float32)
    nodes = random.normal(size=(SIZE - 1, 5)).astype(np.float32)
    return Embeddings(
        list(CORPUS.words),
        vectors,
        CORPUS.counts,
        contexts=contexts,
        biases=biases,
        context_biases=others,
        state={"nodes": nodes},
    )


def table(parameters: Mapping[str, Any]) -> Any:
    """Dense counts, from the public functions of the counting layer."""
    vocabulary = CORPUS.vocabulary(1)
    weighting = parameters.get("window_weighting", "dynamic")
    if parameters.get("sample"):
        expected: np.ndarray = effective_counts(
            CORPUS, vocabulary, SampledWindow(parameters["window"], weighting, parameters["sample"])
        ).toarray()
        return expected
    counts = cooccurrence(
        CORPUS, vocabulary, parameters["window"], weighting, parameters.get("symmetric", True)
    )
    dense: np.ndarray = counts.toarray()
    return dense if parameters.get("symmetric", True) else dense.T


def expected_target(algorithm: str, A: np.ndarray, p: Mapping[str, Any]) -> Any:
    """A dense table of targets, −∞ for unobserved pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = A.sum(axis=1, keepdims=True)
        if algorithm == "glove":
            return np.log(A)
        if algorithm.startswith("skipgram"):
            return np.log(A / rows)
        if algorithm == "sgns":
            noise = CORPUS.counts ** p["ns_exponent"] / np.sum(CORPUS.counts ** p["ns_exponent"])
            return np.log(A) - np.log(p["negative"] * rows * noise)
        smoothed_sums = A.sum(axis=0) ** p.get("context_smoothing", 1.0)
        found = (
            np.log(A)
            - np.log(rows * smoothed_sums / smoothed_sums.sum())
            - math.log(p.get("shift", 1.0))
        )
        return np.maximum(found, 0) if algorithm in ("svd", "smf") else found


def expected_scores(algorithm: str, e: Embeddings) -> Any:
    W, C = np.asarray(e.vectors, dtype=float), np.asarray(e.contexts, dtype=float)
    if algorithm == "skipgram-hs":
        from workbench.analysis.theory.softmax_tree import leaf_log_probabilities

        return np.array([leaf_log_probabilities(e, [word]) for word in e.words])
    products = W @ C.T
    if algorithm in ("glove", "pmi-mf"):
        assert e.biases is not None
        assert e.context_biases is not None
        return products + e.biases[:, None].astype(float) + e.context_biases[None].astype(float)
    if algorithm == "skipgram-softmax":
        return products - np.log(np.exp(products).sum(axis=1, keepdims=True))
    return products


def expected_weight(algorithm: str, A: np.ndarray, p: Mapping[str, Any]) -> Any:
    if algorithm == "sgns":
        noise = CORPUS.counts ** p["ns_exponent"] / np.sum(CORPUS.counts ** p["ns_exponent"])
        B = p["negative"] * A.sum(axis=1, keepdims=True) * noise
        return A * B / (A + B)
    if algorithm == "pmi-mf":
        smoothed_sums = A.sum(axis=0) ** p["context_smoothing"]
        B = p["shift"] * A.sum(axis=1, keepdims=True) * smoothed_sums / smoothed_sums.sum()
        return A * B / (A + B)
    if algorithm in ("glove", "smf"):
        return np.minimum(1, (A / p["x_max"]) ** p.get("alpha", 0.75))
    if algorithm == "swivel":
        return p["confidence_base"] + p["confidence_scale"] * np.sqrt(A)
    return np.ones_like(A) if algorithm == "svd" else A


def fit_of(algorithm: str, **options: Any) -> tuple[PairCounts, Fit]:
    parameters = PARAMETERS[algorithm]
    own, e = theory_target(algorithm), model()
    pairs = count_pairs(CORPUS, PairCountSettings.of(parameters), 0, e)
    scores = PairScores(e, pairs, own.score)
    return pairs, fit(
        pairs, TargetSettings.of(parameters), own.target, own, scores, FitOptions(**options)
    )


def close(found: float) -> Any:
    return pytest.approx(found, abs=1e-6, rel=1e-6)


@pytest.mark.parametrize("algorithm", list(PARAMETERS))
def test_every_figure_is_that_of_an_independent_computation(algorithm: str) -> None:
    parameters = PARAMETERS[algorithm]
    _, found = fit_of(algorithm)
    A = table(parameters)
    seen = A > 0
    t, m = (
        expected_target(algorithm, A, parameters)[seen],
        expected_scores(algorithm, model())[seen],
    )
    f, n = expected_weight(algorithm, A, parameters)[seen], A[seen]
    assert found.pairs == seen.sum()
    for figures, w in ((found.weighted, f), (found.plain, np.ones_like(f))):
        mean = np.average(t, weights=w)
        assert figures.r2 == close(1 - np.sum(w * (m - t) ** 2) / np.sum(w * (t - mean) ** 2))
        assert figures.slope == close(np.polyfit(t, m, 1, w=np.sqrt(w))[0])
        covariance = np.cov(t, m, aweights=w)
        assert figures.pearson == close(
            covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
        )
        assert figures.mean_difference == close(np.average(m - t, weights=w))
        assert figures.rms == close(math.sqrt(np.average((m - t) ** 2, weights=w)))
    edges = [0, *BANDS["pair"], math.inf]
    bands = {band.low: band for band in found.bands}
    for low, high in pairwise(edges):
        inside = (n >= low) & (n < high)
        assert (low in bands) == inside.any()
        if inside.any():
            assert bands[low].pairs == inside.sum()
            assert bands[low].weight == close(f[inside].sum() / f.sum())
            assert bands[low].weighted.mean_difference == close(
                np.average((m - t)[inside], weights=f[inside])
            )
            assert bands[low].plain.rms == close(math.sqrt(np.mean((m - t)[inside] ** 2)))
    others = expected_scores(algorithm, model())[~seen]
    assert found.unseen_pairs == len(others) == found.unseen.sum()
    assert found.unseen_mean == close(others.mean())
    assert found.unseen_deviation == close(others.std())
    assert found.histogram.sum() == found.pairs


def test_the_picture_holds_every_pair_once_where_it_belongs() -> None:
    pairs, found = fit_of("sgns", bins=7, span=(-3.0, 4.0), sample=50, seed=9)
    A = table(PARAMETERS["sgns"])
    seen = A > 0
    t, m = (
        expected_target("sgns", A, PARAMETERS["sgns"])[seen],
        expected_scores("sgns", model())[seen],
    )
    edges = np.array([-1e9, -2, -1, 0, 1, 2, 3, 1e9])
    np.testing.assert_array_equal(found.histogram, np.histogram2d(m, t, bins=(edges, edges))[0])
    whole = expected_scores("sgns", model())
    for t_one, m_one, row, column in zip(
        found.targets, found.scores, found.rows, found.columns, strict=True
    ):
        assert t_one == close(expected_target("sgns", A, PARAMETERS["sgns"])[row, column])
        assert m_one == close(whole[row, column])
    again = fit_of("sgns", sample=50, seed=9)[1]
    np.testing.assert_array_equal(again.rows, found.rows)
    assert len(found.rows) == min(50, pairs.cells.nnz)


def test_fewer_words_keep_what_they_sum_up_to() -> None:
    parameters, e = PARAMETERS["sgns"], model()
    pairs = count_pairs(CORPUS, PairCountSettings.of(parameters), 12, e)
    A = table(parameters)
    np.testing.assert_allclose(pairs.cells.toarray(), A[:12, :12])
    part = target_values(pairs, TargetSettings.of(parameters), "xstar")
    np.testing.assert_allclose(
        part, expected_target("sgns", A, parameters)[:12, :12][A[:12, :12] > 0], atol=1e-12
    )
    softmax = PairScores(e, pairs, "softmax").block(np.arange(12))
    np.testing.assert_allclose(
        softmax, expected_scores("skipgram-softmax", e)[:12, :12], atol=1e-10
    )
    assert pairs.total == pytest.approx(A.sum())
    assert pairs.count(0, 1) == pytest.approx(A[0, 1])
    with pytest.raises(UnknownWord):
        pairs.row("nobody")


def test_words_that_the_model_lacks_are_left_out() -> None:
    words = list(CORPUS.words[::2])
    random = np.random.default_rng(1).normal(size=(2, len(words), 3)).astype(np.float32)
    e = Embeddings(words, random[0], contexts=random[1])
    pairs = count_pairs(CORPUS, PairCountSettings.of(PARAMETERS["svd"]), 0, e)
    assert pairs.words == tuple(words)
    np.testing.assert_allclose(pairs.cells.toarray(), table(PARAMETERS["svd"])[::2, ::2])
    stranger = Embeddings(["nobody"], random[0][:1], contexts=random[1][:1])
    with pytest.raises(UserError, match="No words of this corpus are in the model’s"):
        count_pairs(CORPUS, PairCountSettings(), 0, stranger)


def test_bands_by_the_rarer_word_hold_all_pairs() -> None:
    pairs, found = fit_of("swivel", by="word")
    rarer = np.minimum(CORPUS.counts[:, None], CORPUS.counts[None])[table(PARAMETERS["swivel"]) > 0]
    assert sum(band.pairs for band in found.bands) == pairs.cells.nnz == len(rarer)
    assert {band.low: band.pairs for band in found.bands}.get(100.0, 0) == np.sum(
        (rarer >= 100) & (rarer < 1000)
    )


def test_vectors_without_what_it_takes() -> None:
    bare = Embeddings(list(CORPUS.words), np.eye(SIZE, dtype=np.float32))
    pairs = count_pairs(CORPUS, PairCountSettings())
    for kind, what in (("product", "no context vectors"), ("tree", "no hierarchical softmax tree")):
        with pytest.raises(UserError, match=what):
            PairScores(bare, pairs, kind)


def test_a_saved_model_with_enough_dimensions_meets_its_target(tmp_path: Path) -> None:
    corpus: Corpus = markov_corpus(20_000)
    kind = MODELS["sgns-mf"]
    parameters = {
        "dim": SIZE,
        "min_count": 1,
        "sample": 0.0,
        "window": 2,
        "iterations": 400,
        "threads": 1,
    }
    vectors = kind(kind.params_type.from_mapping(parameters)).fit(corpus, JobControl())
    Npz.write(tmp_path / "made.npz", vectors)
    kept = Npz.read(tmp_path / "made.npz")
    pairs = count_pairs(corpus, PairCountSettings.of(parameters), 0, kept)
    own: TheoryTarget = theory_target("sgns-mf")
    found = fit(
        pairs, TargetSettings.of(parameters), own.target, own, PairScores(kept, pairs, own.score)
    )
    assert found.weighted.r2 > 0.99
    assert found.weighted.slope == pytest.approx(1, abs=0.05)
    frequent = [band for band in found.bands if band.low >= 10]
    assert all(abs(band.plain.mean_difference) < 0.03 for band in frequent)
