"""Skip-gram with the exact softmax, compared with its definition, pair by pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from corpora import make_corpus, markov_corpus
from reference import naive_softmax
from reference.naive_counts import naive_counts
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import SampledWindow, effective_counts
from workbench.models.predict import skipgram_softmax
from workbench.models.predict.skipgram_softmax import SkipGramSoftmax, SoftmaxParams, Training

TEXT = "the cat saw a dog and the dog saw the cat under a tree by the old old house"
WORDS = TEXT.split()


def state_of(counts: np.ndarray | sp.csr_matrix, dim: int = 4, threads: int = 1) -> Training:
    state = Training(sp.csr_matrix(counts), dim, 1, threads)
    random = np.random.default_rng(2)
    state.W[:] = random.normal(scale=0.6, size=state.W.shape)
    state.C[:] = random.normal(scale=0.6, size=state.C.shape)
    return state


def some_counts(size: int = 7) -> np.ndarray:
    random = np.random.default_rng(5)
    counts = random.integers(0, 4, size=(size, size)) * 0.5
    counts[3] = 0  # a word without contexts
    return counts


@pytest.mark.parametrize("threads", [1, 2])
def test_gradients_are_those_of_the_objective(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skipgram_softmax, "TILE_CELLS", 14)  # two words per tile
    counts = some_counts()
    state = state_of(counts, threads=threads)
    rows = np.array([5, 0, 2, 6, 1])
    losses, gradient_W, gradient_C = state.gradients(rows, JobControl())
    W, C = state.W.astype(np.float64), state.C.astype(np.float64)
    selection = np.zeros_like(counts)
    selection[rows] = counts[rows]

    def objective() -> float:
        return naive_softmax.from_counts(W, C, selection)

    assert losses.sum() == pytest.approx(objective(), rel=1e-6)
    np.testing.assert_allclose(state.losses(rows, JobControl()), losses, rtol=1e-6)
    totals = counts.sum(axis=1)
    wanted_W = naive_softmax.numeric_gradient(objective, W)[rows] / totals[rows, None]
    wanted_C = naive_softmax.numeric_gradient(objective, C) / totals[rows].sum()
    np.testing.assert_allclose(gradient_W, wanted_W, atol=1e-5)
    np.testing.assert_allclose(gradient_C, wanted_C, atol=1e-5)


def test_a_step_is_newtons_with_a_shared_curvature() -> None:
    counts = some_counts()
    state = state_of(counts)
    rows = np.array([0, 2, 5])
    W, C = state.W.astype(np.float64), state.C.astype(np.float64)
    _, gradient_W, gradient_C = (np.array(part) for part in state.gradients(rows, JobControl()))
    state.step(rows, 0.3, JobControl())
    spread_C = naive_softmax.spread_of(C, counts.sum(axis=0), about_mean=True)
    spread_W = naive_softmax.spread_of(W, counts.sum(axis=1), about_mean=False)
    bounded_steps = 0
    for row, gradient in zip(rows, gradient_W, strict=True):
        wanted = naive_softmax.bounded_newton(spread_C, gradient.astype(np.float64), 0.01)
        bounded_steps += float(wanted @ spread_C @ wanted) > 0.999
        np.testing.assert_allclose(state.W[row], W[row] - 0.3 * wanted, atol=1e-4)
    assert bounded_steps > 0
    share = counts[rows].sum() / counts.sum()
    for column in range(len(C)):
        part = counts[:, column].sum() / counts.sum()
        wanted = naive_softmax.bounded_newton(spread_W, gradient_C[column] / part, 0.01)
        np.testing.assert_allclose(state.C[column], C[column] - 0.3 * share * wanted, atol=1e-4)
    np.testing.assert_allclose(state.W[[1, 3, 4, 6]], W[[1, 3, 4, 6]])


def test_the_objective_is_that_of_all_pairs_of_the_text() -> None:
    corpus = make_corpus([WORDS, WORDS[2:11]])
    vocabulary = corpus.vocabulary(1)
    state = state_of(cooccurrence(corpus, vocabulary, 3, "fixed"), dim=5)
    sentences = [corpus.ids[: len(WORDS)].tolist(), corpus.ids[len(WORDS) :].tolist()]
    pairs = naive_counts(sentences, corpus.types, 3, "fixed")
    wanted = sum(
        count * naive_softmax.cross_entropy(state.W[i], state.C, j)
        for (i, j), count in pairs.items()
    )
    loss = sum(state.step(rows, 0.0, JobControl()).sum() for rows in state.batches(2))
    assert loss == pytest.approx(wanted, rel=1e-6)
    assert state.pairs == sum(pairs.values())


def test_a_pass_visits_every_word_once() -> None:
    state = state_of(some_counts(40))
    for words in (1, 6, 100):
        batches = state.batches(words)
        assert sorted(np.concatenate(batches).tolist()) == [*range(3), *range(4, 40)]
        assert len(batches) >= 4
        # each batch has words of all frequencies
        assert max(batch.min() for batch in batches) < 40 / len(batches[0]) + 40 / 4 + 2


def test_it_reaches_the_floor_when_vectors_are_long_enough() -> None:
    """With d = V, every row of Q can reach its optimum, so the loss is Σ X_i·H(P_i)/ΣX."""
    corpus = markov_corpus(20_000, words=12)
    run = JobControl()
    params = SoftmaxParams(dim=12, epochs=150, min_count=1, sample=0.05, threads=1)
    embeddings = SkipGramSoftmax(params).fit(corpus, run)
    counts = effective_counts(corpus, corpus.vocabulary(1), SampledWindow(5, sample=0.05)).toarray()
    shares = counts / counts.sum(axis=1, keepdims=True)
    floor = float(-(counts * np.log(np.where(counts > 0, shares, 1))).sum() / counts.sum())
    assert embeddings.contexts is not None
    scores = embeddings.vectors @ embeddings.contexts.T
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert floor <= run.trace.loss[-4:].mean() < floor + 2e-3
    assert np.abs(probabilities - shares).max() < 0.01


def test_one_number_of_threads_gives_one_result() -> None:
    corpus = markov_corpus(5000, words=30)
    params = SoftmaxParams(dim=6, epochs=3, min_count=1, threads=2)
    first, second = (SkipGramSoftmax(params).fit(corpus, JobControl()).vectors for _ in range(2))
    np.testing.assert_array_equal(first, second)
    alone = SkipGramSoftmax(params.replace(threads=1)).fit(corpus, JobControl()).vectors
    np.testing.assert_allclose(alone, first, atol=1e-3)


def test_the_bound_loosens_as_the_rate_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    """rate × bound stays the same, so steps always have the same limit: a limit on their direction
    would cut the few strong pulls of a rare context, but not the many weak pushes, at any rate.
    """
    limits, rates = [], []
    step = Training.step

    def spy(self: Training, rows: np.ndarray, rate: float, run: JobControl, bound: float) -> object:
        limits.append(rate * bound)
        rates.append(rate)
        return step(self, rows, rate, run, bound)

    monkeypatch.setattr(Training, "step", spy)
    params = SoftmaxParams(dim=4, epochs=5, min_count=1, threads=1, learning_rate=0.3)
    SkipGramSoftmax(params).fit(markov_corpus(2000, words=30), JobControl())
    assert rates[-1] < 0.1 * rates[0]
    np.testing.assert_allclose(limits, 0.3)
    gradient = np.full((1, 4), 100.0, dtype=np.float32)
    one, two = (skipgram_softmax.newton(np.eye(4), gradient, 0.5, bound) for bound in (1.0, 2.0))
    np.testing.assert_allclose(two, 2 * one, rtol=1e-6)
    assert np.linalg.norm(one) == pytest.approx(0.5, rel=1e-5)


def test_divergence_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Training, "step", lambda _, rows, *__: np.full(len(rows), np.nan))
    with pytest.raises(UserError, match="diverged") as error:
        SkipGramSoftmax(SoftmaxParams(dim=4, min_count=1)).fit(markov_corpus(500), JobControl())
    assert "learning_rate" in error.value.hint


def test_words_that_never_co_occur() -> None:
    with pytest.raises(UserError, match="sentence"):
        SkipGramSoftmax(SoftmaxParams(min_count=1)).fit(make_corpus([["a"], ["b"]]), JobControl())


def test_the_estimate_grows_with_the_square_of_the_vocabulary() -> None:
    corpus = markov_corpus(20_000, words=40)
    few = SkipGramSoftmax(
        SoftmaxParams(dim=1, min_count=1, max_vocab=10, epochs=10_000_000)
    ).estimate(corpus)
    all_words = SkipGramSoftmax(SoftmaxParams(dim=1, min_count=1, epochs=10_000_000)).estimate(
        corpus
    )
    assert few.seconds is not None
    assert all_words.seconds is not None
    assert 10 < all_words.seconds / few.seconds < 17
    assert not all_words.warning
    endless = SkipGramSoftmax(
        SoftmaxParams(min_count=1, dim=2000, epochs=10_000_000, threads=1)
    ).estimate(corpus)
    assert "vocabulary" in endless.warning


def test_kernels_mean_the_same_without_the_compiler(tmp_path: Path) -> None:
    values: dict[str, object] = {"dim": 6, "window": 2, "sample": 0.2, "epochs": 3}
    here = assert_same_uncompiled("skipgram-softmax", values, tmp_path, 1e-4)
    assert np.abs(here[1]).max() > 0
