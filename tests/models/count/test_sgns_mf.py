"""The exact SGNS factorisation: its objective cell by cell, its optimum x*, and SGNS approaching
it.
"""

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_sgns_mf
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.expected_counts import effective_counts, target
from workbench.models.count import row_newton, sgns_mf, sgns_objective
from workbench.models.count.sgns_mf import SGNSMF, SGNSMFParams, _objective
from workbench.models.predict.sgns import SGNS, SGNSParams

TEXT = "the cat saw a dog and the dog saw the cat under a tree by an old house"


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(100_000)


def params(**values):
    return SGNSMFParams.from_mapping({"min_count": 1, "threads": 1, **values})


def fit(corpus, **values):
    run = JobControl()
    return SGNSMF(params(**values)).fit(corpus, run), run


def counts_of(corpus, p):
    return effective_counts(corpus, corpus.vocabulary(1), p, threads=1)


@pytest.mark.parametrize(("threads", "rows", "columns"), [(1, 256, 2048), (1, 5, 7), (3, 4, 6)])
def test_value_and_gradient(monkeypatch, threads, rows, columns):
    """Any number of blocks and threads gives the sum over all cells, seen or not, and its slope."""
    monkeypatch.setattr(sgns_objective, "_ROWS", rows)
    monkeypatch.setattr(sgns_objective, "_COLUMNS", columns)
    corpus = make_corpus([TEXT.split()] * 3)
    p = params(dim=3, window=2, l2=0.3, threads=threads, sample=0.1)
    vocabulary, counts = corpus.vocabulary(1), counts_of(corpus, p)
    assert counts.nnz < len(vocabulary) ** 2
    objective = _objective(counts, vocabulary, p)
    factors = np.random.default_rng(1).normal(scale=1.5, size=(2, len(vocabulary), 3))
    factors[:, 0] *= 20  # large scores, where exp is tiny

    def naive():
        return naive_sgns_mf.objective(*factors, counts.toarray(), vocabulary.counts, 5, 0.75, 0.3)

    value, loss, gradient = objective(factors, lambda: None, JobControl())
    assert value == pytest.approx(naive(), rel=1e-9)
    assert loss == pytest.approx(value - 0.15 * (factors**2).sum(), rel=1e-9)
    for place in np.ndindex(factors.shape):
        original = factors[place]
        factors[place] = original + 1e-5
        up = naive()
        factors[place] = original - 1e-5
        slope = (up - naive()) / 2e-5
        factors[place] = original
        assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(("side", "threads", "rows"), [(0, 1, 256), (1, 1, 256), (1, 3, 4)])
def test_a_step_of_newton_goes_to_the_minimum_of_the_second_order(monkeypatch, side, threads, rows):
    """Compare each row with Newton’s step for a Hessian from differences of the gradient."""
    monkeypatch.setattr(sgns_objective, "_ROWS", rows)
    monkeypatch.setattr(row_newton, "_ROWS", rows)
    monkeypatch.setattr(row_newton, "_RIDGE", 0.0)
    monkeypatch.setattr(row_newton, "_LONGEST", 1e9)
    corpus = make_corpus([TEXT.split()] * 3)
    p = params(dim=2, window=2, l2=0.3, threads=threads, sample=0.1)
    vocabulary, counts = corpus.vocabulary(1), counts_of(corpus, p)
    objective = _objective(counts, vocabulary, p)
    factors = np.random.default_rng(1).normal(size=(2, len(vocabulary), 2))
    before = factors.copy()
    result = row_newton.RowNewton(objective).step(factors, side, lambda: None, JobControl())
    np.testing.assert_array_equal(factors, before)
    np.testing.assert_array_equal(result[1 - side], factors[1 - side])

    def slopes(at):
        return objective(at, lambda: None, JobControl())[2][side]

    hessian = np.empty((len(vocabulary), 2, 2))
    for axis in (0, 1):
        up, down = factors.copy(), factors.copy()
        up[side, :, axis] += 1e-5
        down[side, :, axis] -= 1e-5
        hessian[:, :, axis] = (slopes(up) - slopes(down)) / 2e-5
    expected = factors[side] - np.linalg.solve(hessian, slopes(factors)[:, :, None])[:, :, 0]
    np.testing.assert_allclose(result[side], expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"window_weighting": "fixed", "sample": 0.0, "ns_exponent": 1.0, "negative": 1},
    ],
)
def test_without_a_limit_on_d_every_seen_pair_is_at_its_optimum(chain, values):
    embeddings, run = fit(chain, dim=44, tolerance=0.0, iterations=3000, **values)
    p = params(**values)
    best = target(counts_of(chain, p), chain.vocabulary(1), p.negative, p.ns_exponent).tocoo()
    product = embeddings.vectors.astype(np.float64) @ embeddings.contexts.T
    assert best.nnz > 1500
    assert np.abs(product[best.row, best.col] - best.data).max() < 1e-3
    assert (np.diff(run.trace.loss) <= 1e-12).all()


def test_sgns_approaches_it(chain):
    """With few dimensions, SGNS ends with a slightly higher loss and nearly the same products."""
    exact, run = fit(chain, dim=6, sample=0.0, tolerance=1e-9, iterations=1000)
    p = params(sample=0.0)
    counts = counts_of(chain, p)
    losses, products = [], [exact.vectors @ exact.contexts.T]
    weights = counts.toarray()
    for epochs in (2, 40):
        sgns = SGNS(
            SGNSParams(dim=6, min_count=1, threads=1, sample=0.0, epochs=epochs, learning_rate=0.05)
        ).fit(chain, JobControl())
        products.append(sgns.vectors @ sgns.contexts.T)
        factors = np.stack([sgns.vectors, sgns.contexts]).astype(np.float64)
        objective = _objective(counts, chain.vocabulary(1), p)
        losses.append(objective(factors, lambda: None, JobControl())[1] / objective.pairs)
    best = run.trace.loss[-1]
    assert best < losses[1] < losses[0]
    assert losses[1] < 1.005 * best
    apart = [np.average((product - products[0]) ** 2, weights=weights) for product in products[1:]]
    assert apart[1] < apart[0]
    assert apart[1] < 0.02


def test_adam_finds_the_same_minimum(chain):
    _, one = fit(chain, dim=5, tolerance=1e-9, iterations=1000)
    _, two = fit(chain, dim=5, tolerance=1e-9, iterations=2000, optimiser="Adam")
    assert two.trace.loss[-1] == pytest.approx(one.trace.loss[-1], rel=2e-3)
    assert two.trace.progress[-1] == 1.0


def test_it_ends_when_steps_gain_little(chain):
    _, rough = fit(chain, dim=5, tolerance=1e-3)
    _, fine = fit(chain, dim=5, tolerance=1e-7)
    assert len(rough.trace) < len(fine.trace) < 300
    assert rough.trace.progress[-1] == fine.trace.progress[-1] == 1.0
    assert (np.diff(fine.trace.progress) > 0).all()


def test_the_curve_has_no_walls(chain):
    """A small first step of L-BFGS isn’t mistaken for convergence."""
    _, run = fit(chain, dim=20, sample=0.0)
    trace = run.trace
    falls = -np.diff(trace.loss)[np.diff(trace.progress) < 1e-6]
    assert falls.max(initial=0.0) < 0.1 * (trace.loss[0] - trace.loss[-1])


def test_words_beyond_the_first_count_as_zero_vectors():
    """J of the first words equals J of all words if the others are zero, and so does its slope."""
    corpus = make_corpus([TEXT.split()] * 3)
    p = params(dim=3, window=2, l2=0.3, sample=0.1)
    vocabulary, counts = corpus.vocabulary(1), counts_of(corpus, p)
    objective = _objective(counts, vocabulary, p)
    factors = np.random.default_rng(1).normal(size=(2, len(vocabulary), 3))
    factors[:, 6:] = 0
    whole = objective(factors, lambda: None, JobControl())
    part = objective(factors[:, :6].copy(), lambda: None, JobControl())
    assert part[:2] == pytest.approx(whole[:2], rel=1e-12)
    np.testing.assert_allclose(part[2], whole[2][:, :6], atol=1e-9)


def test_growing_from_the_most_frequent_words_reaches_the_same_minimum(chain, monkeypatch):
    """The loss covers all words from the start, so it can only fall."""
    _, at_once = fit(chain, dim=17, tolerance=1e-9, iterations=1000)
    monkeypatch.setattr(sgns_mf, "_FIRST_WORDS", 6)
    _, gradual = fit(chain, dim=17, tolerance=1e-9, iterations=1000)
    assert gradual.trace.loss[-1] == pytest.approx(at_once.trace.loss[-1], rel=1e-4)
    assert (np.diff(gradual.trace.loss) <= 1e-12).all()
    assert (np.diff(gradual.trace.progress) > 0).all()
    assert gradual.trace.progress[-1] == 1.0


def test_sizes_double_up_to_the_vocabulary():
    assert sgns_mf._growing_sizes(900) == [900]
    assert sgns_mf._growing_sizes(4001) == [501, 1001, 2001, 4001]


def test_a_basis_of_its_own_saves_iterations(chain, monkeypatch):
    """Without the basis, L-BFGS needs more than twice as many iterations for the same loss."""
    _, with_basis = fit(chain, dim=17, tolerance=0.0, iterations=60)
    monkeypatch.setattr(sgns_mf, "_whitening", lambda vectors, weights: np.eye(vectors.shape[1]))
    _, without = fit(chain, dim=17, tolerance=0.0, iterations=120)
    assert with_basis.trace.loss[-1] < without.trace.loss[-1]


def test_l2_shortens_vectors(chain):
    free, _ = fit(chain, dim=5)
    with_l2, _ = fit(chain, dim=5, l2=3000.0 / 3)
    assert np.linalg.norm(with_l2.vectors) < 0.9 * np.linalg.norm(free.vectors)


def test_a_large_vocabulary_has_an_estimate_of_time(chain):
    assert SGNSMF(params()).estimate(chain).warning == ""
    words = [f"w{number}" for number in range(10_001)]
    large = make_corpus([words])
    short = SGNSMF(params()).estimate(large)
    assert (short.vocabulary, short.warning) == (10_000, "")
    warning = SGNSMF(params(max_vocab=0)).estimate(large).warning
    assert "10,001" in warning
    assert "max_vocab" in warning


def test_no_pairs_of_words():
    with pytest.raises(UserError, match="No words"):
        fit(make_corpus([["a"], ["b"]]))


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 3, "window": 2, "iterations": 20, "sample": 0.1}
    here = assert_same_uncompiled("sgns-mf", values, tmp_path, 1e-4)
    assert np.abs(here[1]).max() > 0
