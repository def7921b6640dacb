"""Means, spectra, whitening, hubs and information, against loops and closed forms in numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus
from scipy.stats import entropy, skew

from workbench.analysis.evaluation.similarity import WordPairs
from workbench.analysis.shape.directions import centre, mean_cosine, spectrum
from workbench.analysis.shape.hubs import find_hubs
from workbench.analysis.shape.information import (
    Information,
    divergences,
    information,
    sampling_floor,
    squared_norms,
)
from workbench.analysis.shape.report import ShapeSettings, describe_shape, farthest_above
from workbench.analysis.shape.weights import frequencies, shares
from workbench.analysis.shape.whitening import whiten
from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

RANDOM = np.random.default_rng(6)
# A cone: all vectors share a direction.
VECTORS = RANDOM.normal(size=(60, 5)) * [4, 2, 1, 1, 0.5] + [3, 0, 0, 1, 0]
COUNTS = np.round(3000 / np.arange(1, 61)).astype(np.int64)
TYPES, TOKENS = np.full(60, 1 / 60), COUNTS / COUNTS.sum()


@pytest.mark.parametrize("weights", [TYPES, TOKENS], ids=["types", "tokens"])
def test_the_mean_cosine_is_that_of_drawn_pairs(weights: np.ndarray) -> None:
    total, chance = 0.0, 0.0
    for one in range(60):
        for other in range(60):
            if one != other:
                lengths = np.linalg.norm(VECTORS[one]) * np.linalg.norm(VECTORS[other])
                total += weights[one] * weights[other] * (VECTORS[one] @ VECTORS[other]) / lengths
                chance += weights[one] * weights[other]
    assert mean_cosine(VECTORS, weights) == pytest.approx(total / chance, abs=1e-12)
    assert math.isnan(mean_cosine(VECTORS[:1], np.ones(1)))


def test_shares_weigh_types_and_tokens() -> None:
    assert shares(COUNTS, 0.0) == pytest.approx(TYPES)
    assert shares(COUNTS, 1.0) == pytest.approx(TOKENS)
    half = shares(COUNTS, 0.5)
    assert half[0] / half[3] == pytest.approx(math.sqrt(COUNTS[0] / COUNTS[3]))
    assert shares(np.array([0, 4]), 1.0) == pytest.approx([0.2, 0.8])


@pytest.mark.parametrize("weights", [TYPES, TOKENS], ids=["types", "tokens"])
def test_the_spectrum_is_that_of_the_weighted_svd(weights: np.ndarray) -> None:
    found = spectrum(VECTORS, weights)
    middle = sum(weight * vector for weight, vector in zip(weights, VECTORS, strict=True))
    values = np.linalg.svd(np.sqrt(weights)[:, None] * (VECTORS - middle), compute_uv=False)
    assert found.variances == pytest.approx(values**2, rel=1e-9)
    assert found.effective_rank == pytest.approx(math.exp(entropy(values)), rel=1e-9)
    assert found.participation == pytest.approx((values**2).sum() ** 2 / (values**4).sum())
    assert found.first == pytest.approx(values[0] ** 2 / (values**2).sum())


def test_ranks_of_known_shapes() -> None:
    ball = np.concatenate([np.eye(6), -np.eye(6)])
    assert spectrum(ball, np.full(12, 1 / 12)).effective_rank == pytest.approx(6)
    line = np.arange(10.0)[:, None] * np.array([[1.0, 2.0, 3.0]])
    assert spectrum(line, np.full(10, 0.1)).effective_rank == pytest.approx(1, abs=1e-5)
    assert math.isnan(spectrum(np.ones((5, 3)), np.full(5, 0.2)).effective_rank)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_whitened_vectors_have_mean_zero_and_the_identity_as_covariance(beta: float) -> None:
    weights = shares(COUNTS, beta)
    found = whiten(VECTORS, weights)
    assert np.average(found, axis=0, weights=weights) == pytest.approx(np.zeros(5), abs=1e-12)
    covariance = np.cov(found.T, aweights=weights, ddof=0)
    assert covariance == pytest.approx(np.eye(5), abs=1e-9)
    # Mahalanobis distances are those of the original vectors.
    inverse = np.linalg.inv(np.cov(VECTORS.T, aweights=weights, ddof=0))
    difference = VECTORS[3] - VECTORS[8]
    expected = difference @ inverse @ difference
    assert ((found[3] - found[8]) ** 2).sum() == pytest.approx(expected)


def test_directions_without_variance_are_left_out() -> None:
    flat = np.concatenate([VECTORS, VECTORS[:, :2] @ [[1.0], [2.0]]], axis=1)
    assert whiten(flat, TYPES).shape == (60, 5)


def test_hubs_are_counted_as_by_a_loop() -> None:
    found = find_hubs(VECTORS, 4)
    counts = np.zeros(60, dtype=int)
    for row in range(60):
        others = [other for other in range(60) if other != row]
        cosines = {
            other: VECTORS[row]
            @ VECTORS[other]
            / np.linalg.norm(VECTORS[row])
            / np.linalg.norm(VECTORS[other])
            for other in others
        }
        for other in sorted(others, key=cosines.__getitem__)[-4:]:
            counts[other] += 1
    assert found.occurrences.tolist() == counts.tolist()
    assert found.skewness == pytest.approx(skew(counts))
    assert (found.largest, found.never) == (counts.max(), (counts == 0).mean())
    assert find_hubs(VECTORS[:3], 10).occurrences.tolist() == [2, 2, 2]
    assert math.isnan(find_hubs(VECTORS[:3], 10).skewness)


def test_a_search_for_hubs_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        find_hubs(VECTORS, 4, run)


# -- information


def test_divergences_are_scipys() -> None:
    table = RANDOM.poisson(2.0, size=(12, 9)).astype(float)
    table[4] = 0
    found = divergences(sp.csr_matrix(table))
    for row in range(12):
        expected = 0.0 if row == 4 else entropy(table[row], table.sum(axis=0))
        assert found[row] == pytest.approx(expected, abs=1e-12)


def test_the_floor_is_the_mean_divergence_of_samples() -> None:
    chances = 1 / np.arange(1.0, 201)
    sizes = np.array([0.0, 1.0, 7.0, 60.0, 500.0, 20_000.0])
    found = sampling_floor(chances, sizes)
    assert found[0] == 0
    shares_of = chances / chances.sum()
    # A single context: the mean of −log p, which is the entropy of p.
    assert found[1] == pytest.approx(entropy(shares_of), rel=0.3)
    random = np.random.default_rng(3)
    for size, value in zip(sizes[2:5].astype(int), found[2:5], strict=True):
        drawn = random.multinomial(size, shares_of, size=400)
        assert value == pytest.approx(entropy(drawn.T, shares_of[:, None]).mean(), rel=0.12)
    # Many contexts: half the degrees of freedom for each (Wilks 1938).
    assert found[5] == pytest.approx(199 / 2 / 20_000, rel=0.15)
    assert found.tolist() == sampling_floor(chances, sizes).tolist()


def ratios_in(sentences: list[list[str]]) -> tuple[dict[str, float], Information, Embeddings]:
    """KL divided by its floor, by word."""
    corpus = make_corpus(sentences)
    model = Embeddings(
        list(corpus.words),
        np.ones((len(corpus.words), 2), dtype=np.float32),
        metadata={"parameters": {"window": 2, "window_weighting": "fixed", "min_count": 1}},
    )
    found = information(corpus, model)
    words = [model.words[row] for row in found.rows]
    return dict(zip(words, (found.divergence / found.floor).tolist(), strict=True)), found, model


def test_words_that_choose_their_contexts_are_above_the_floor() -> None:
    """In a text of random tokens, information is at the floor; a word with a company of its own is
    far above it.
    """
    random = np.random.default_rng(12)
    names = [f"w{number}" for number in range(30)]
    sentences = [[names[i] for i in random.integers(0, 30, 12)] for _ in range(3000)]
    ratios, _, _ = ratios_in(sentences)
    assert np.mean(list(ratios.values())) == pytest.approx(1, abs=0.1)
    ratios, found, model = ratios_in(sentences + [["choosy", "only"] for _ in range(150)])
    assert ratios["choosy"] > 10 > max(ratios[name] for name in names)
    assert set(farthest_above(found, model.words, 2)) == {"choosy", "only"}
    at = list(ratios).index("choosy")
    assert found.contexts[at] == pytest.approx(150)


def test_squared_norms_are_the_mean_square_of_products() -> None:
    """‖u − ū‖²_G is the variance of (u − ū)·c over contexts drawn by frequency."""
    contexts = RANDOM.normal(size=(60, 5)).astype(np.float32)
    model = Embeddings(
        [f"w{number}" for number in range(60)],
        VECTORS.astype(np.float32),
        counts=COUNTS,
        contexts=contexts,
    )
    found = squared_norms(model, COUNTS)
    assert found is not None
    middle = np.average(VECTORS, axis=0, weights=COUNTS)
    for row in (0, 20, 59):
        products = contexts @ (VECTORS[row] - middle)
        mean = np.average(products, weights=COUNTS)
        expected = np.average((products - mean) ** 2, weights=COUNTS)
        assert found[row] == pytest.approx(expected, rel=1e-4)
    assert squared_norms(Embeddings(model.words, model.vectors), COUNTS) is None


# -- reports


def test_a_report_has_all_variants() -> None:
    model = Embeddings(
        [f"w{number}" for number in range(60)], VECTORS.astype(np.float32), counts=COUNTS
    )
    pairs = WordPairs(
        "p", tuple((f"w{at}", f"w{at + 7}") for at in range(30)), tuple(map(float, range(30)))
    )
    report = describe_shape(model, ShapeSettings(k=3, removed=2), pairs=pairs)
    kinds = [(shape.kind, shape.value) for shape in report.variants]
    assert kinds == [
        ("plain", 0),
        ("centred", 0),
        ("tokens", 0),
        ("top", 2),
        ("whitened", 0),
        ("whitened", 0.5),
        ("whitened", 1),
    ]
    plain, centred, by_tokens, top, white, *_ = report.variants
    assert plain.by_types == pytest.approx(mean_cosine(VECTORS, TYPES), abs=1e-6)
    assert centred.by_tokens == pytest.approx(mean_cosine(centre(VECTORS, TYPES), TOKENS), abs=1e-5)
    assert by_tokens.spectrum.variances == pytest.approx(plain.spectrum.variances, rel=1e-4)
    assert len(np.flatnonzero(top.spectrum.variances > 1e-6)) == 3
    assert white.spectrum.effective_rank == pytest.approx(5)
    assert all(shape.similarity is not None for shape in report.variants)
    lengths = np.linalg.norm(VECTORS, axis=1)
    mean = np.linalg.norm(VECTORS.mean(axis=0)) / lengths.mean()
    assert report.mean_types == pytest.approx(mean, rel=1e-5)


def test_without_frequencies_only_types_count() -> None:
    words = [f"w{number}" for number in range(60)]
    model = Embeddings(words, VECTORS.astype(np.float32))
    report = describe_shape(model, ShapeSettings(limit=40))
    assert [shape.kind for shape in report.variants] == ["plain", "centred", "top", "whitened"]
    assert math.isnan(report.variants[0].by_tokens)
    assert len(report.rows) == 40
    corpus = make_corpus([[word] * (3 + number) for number, word in enumerate(words)])
    counts = frequencies(model, corpus)
    assert counts is not None
    assert counts.tolist() == [3 + number for number in range(60)]


def test_words_without_vectors_take_no_part() -> None:
    vectors = VECTORS.astype(np.float32)
    vectors[5] = 0
    model = Embeddings([f"w{number}" for number in range(60)], vectors, counts=COUNTS)
    report = describe_shape(model, ShapeSettings())
    assert 5 not in report.rows
    with pytest.raises(UserError, match="Fewer than three words"):
        describe_shape(model, ShapeSettings(limit=2))


def test_sparse_vectors_are_refused() -> None:
    model = train(markov_corpus(2_000), "ppmi", min_count=1)
    with pytest.raises(UserError, match="sparse"):
        describe_shape(model, ShapeSettings())
