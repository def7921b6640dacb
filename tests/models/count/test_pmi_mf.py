"""Weighted factorisation of PMI: targets and weights. Steps are tested in test_cell_trainer.py."""

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference.naive_association import naive_association
from reference.naive_counts import naive_counts
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.expected_counts import SampledWindow, effective_counts
from workbench.models.count.pmi_mf import PMIMF, PMIMFParams


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(60_000)


@pytest.fixture(scope="module")
def counts(chain):
    ends = chain.sentences
    sentences = [chain.ids[ends[i] : ends[i + 1]].tolist() for i in range(len(ends) - 1)]
    table = np.zeros((chain.types, chain.types))
    for cell, count in naive_counts(sentences, chain.types, 2, "dynamic").items():
        table[cell] = count
    return table


def fit(corpus, **values):
    run = JobControl()
    params = PMIMFParams.from_mapping({"min_count": 1, "threads": 1, "window": 2, **values})
    return PMIMF(params).fit(corpus, run), run


def product(embeddings):
    table = embeddings.vectors.astype(np.float64) @ embeddings.contexts.T
    if embeddings.biases is not None:
        table += embeddings.biases[:, None] + embeddings.context_biases
    return table


@pytest.mark.parametrize(
    ("values", "epochs", "learning_rate"),
    [
        ({"weighting": "constant"}, 300, 0.2),
        ({"weighting": "AB/(A+B)", "shift": 5.0, "context_smoothing": 0.75}, 1500, 0.1),
        ({"weighting": "glove", "biases": True}, 600, 0.2),
        ({"weighting": "count", "shift": 2.0}, 1500, 0.1),
    ],
)
def test_at_full_rank_it_reproduces_the_pmi(chain, counts, values, epochs, learning_rate):
    embeddings, run = fit(chain, dim=48, epochs=epochs, learning_rate=learning_rate, **values)
    target = naive_association(counts, "pmi", alpha=values.get("context_smoothing", 1.0))
    target -= np.log(values.get("shift", 1.0))
    seen = counts > 0
    assert seen.sum() > 1000
    error = np.abs(product(embeddings) - target)
    assert error[seen].mean() < 0.003
    # Cells with low weight converge last.
    assert error[seen].max() < (0.02 if values["weighting"] in ("constant", "glove") else 0.15)
    assert error[counts >= 20].max() < 0.02
    assert run.trace.loss[-1] < 1e-4
    assert (embeddings.biases is not None) == values.get("biases", False)


def weights_of(counts, name, k, alpha):
    total, rows, columns = counts.sum(), counts.sum(1), counts.sum(0)
    weights = np.zeros_like(counts)
    smoothing = (columns**alpha).sum()
    for w, c in zip(*np.nonzero(counts), strict=True):
        expected = k * rows[w] * columns[c] ** alpha / smoothing
        weights[w, c] = {
            "count": counts[w, c],
            "glove": min(1.0, (counts[w, c] / 30.0) ** 0.5),
            "constant": 1.0,
            "AB/(A+B)": 1 / (1 / counts[w, c] + 1 / expected),
        }[name]
    assert total > 0
    return weights / weights[counts > 0].mean()


@pytest.mark.parametrize("weighting", ["count", "glove", "constant", "AB/(A+B)"])
def test_with_one_dimension_it_is_the_weighted_optimum(chain, counts, weighting):
    """Alternating weighted least squares, run to convergence, finds no better rank-1 product."""
    k, alpha = 3.0, 0.75
    embeddings, _ = fit(
        chain,
        dim=1,
        epochs=300,
        learning_rate=0.1,
        weighting=weighting,
        shift=k,
        context_smoothing=alpha,
        x_max=30.0,
        alpha=0.5,
    )
    target = np.nan_to_num(naive_association(counts, "pmi", alpha=alpha) - np.log(k))
    f = weights_of(counts, weighting, k, alpha)

    def objective(w, c):
        return 0.5 * (f * (np.outer(w, c) - target) ** 2).sum()

    best = np.inf
    for seed in range(5):
        c = np.random.default_rng(seed).normal(size=len(target))
        for _ in range(500):
            w = (f * target) @ c / (f @ c**2)
            c = (f * target).T @ w / (f.T @ w**2)
        best = min(best, objective(w, c))
    assert objective(embeddings.vectors[:, 0], embeddings.contexts[:, 0]) < 1.01 * best


def test_subsampling_takes_expected_counts(chain):
    embeddings, _ = fit(
        chain, dim=48, epochs=300, learning_rate=0.2, weighting="constant", sample=5e-3
    )
    expected = effective_counts(
        chain, chain.vocabulary(1), SampledWindow(2, sample=5e-3), threads=1
    ).toarray()
    target = naive_association(expected, "pmi")
    assert np.abs(product(embeddings) - target)[expected > 0].mean() < 0.02


def test_the_loss_shown_is_the_objective(chain, counts):
    embeddings, run = fit(chain, dim=4, epochs=50, learning_rate=0.0, weighting="count")
    f = weights_of(counts, "count", 1.0, 1.0)
    target = np.nan_to_num(naive_association(counts, "pmi"))
    exact = (0.5 * f * (product(embeddings) - target) ** 2)[counts > 0].mean()
    assert run.trace.loss.mean() == pytest.approx(exact, rel=1e-6)


def test_two_threads_reach_the_same_loss(chain):
    _, one = fit(chain, dim=8, epochs=200)
    _, two = fit(chain, dim=8, epochs=200, threads=2)
    assert two.trace.loss[-20:].mean() == pytest.approx(one.trace.loss[-20:].mean(), rel=0.15)


def test_no_pairs_of_words():
    with pytest.raises(UserError, match="No words"):
        fit(make_corpus([["a"], ["b"]]))


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 6, "window": 2, "epochs": 3, "biases": True, "sample": 0.1}
    here = assert_same_uncompiled("pmi-mf", values, tmp_path, 1e-5)
    assert np.abs(here[1]).max() > 0
