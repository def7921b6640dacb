"""GloVe: its fit and its results. Single steps are compared with an oracle in
test_cell_trainer.py.
"""

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference.naive_counts import naive_counts
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.samples import open_sample
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.base import preset_params
from workbench.models.count.glove import GloVe, GloVeParams
from workbench.vectors.crowding import effective_rank


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(60_000)


def fit(corpus, **values):
    run = JobControl()
    embeddings = GloVe(GloVeParams.from_mapping({"min_count": 1, "threads": 1, **values})).fit(
        corpus, run
    )
    return embeddings, run


def table(corpus, **values):
    return cooccurrence(
        corpus, corpus.vocabulary(1), values.get("window", 15), "harmonic", threads=1
    ).toarray()


def test_at_full_rank_and_equal_weights_it_fits_the_logarithm_of_the_counts(chain):
    embeddings, run = fit(chain, dim=48, x_max=1e-9, epochs=800, learning_rate=0.2, result="w")
    X = table(chain)
    seen = X > 0
    model = (
        embeddings.vectors @ embeddings.contexts.T
        + embeddings.biases[:, None]
        + embeddings.context_biases
    )
    assert seen.sum() > 1000
    assert np.abs(model - np.log(np.where(seen, X, 1.0)))[seen].max() < 0.02
    assert run.trace.loss[-1] < 1e-4


def test_weights_favour_frequent_cells(chain):
    """With far too few dimensions, cells with low weights have the largest errors."""
    embeddings, _ = fit(
        chain, dim=2, x_max=1000, alpha=1.5, epochs=300, learning_rate=0.5, result="w"
    )
    X = table(chain)
    error = np.abs(
        embeddings.vectors @ embeddings.contexts.T
        + embeddings.biases[:, None]
        + embeddings.context_biases
        - np.log(X)
    )
    ranks = np.argsort(np.argsort(X, axis=None))
    top = (ranks >= 0.9 * X.size).reshape(X.shape)
    bottom = (ranks < 0.1 * X.size).reshape(X.shape)
    assert error[top].mean() < 0.7 * error[bottom].mean()


def test_the_first_loss_is_the_objective_at_the_start(chain):
    """With learning rate 0, neither vectors nor biases change."""
    embeddings, run = fit(chain, dim=6, epochs=1, learning_rate=0.0, result="w", x_max=1e9)
    start, _ = fit(chain, dim=6, epochs=2, learning_rate=0.0, result="w", x_max=1e9)
    np.testing.assert_array_equal(embeddings.vectors, start.vectors)
    X = table(chain)
    naive = 0.5 * np.minimum(1, (X[X > 0] / 1e9) ** 0.75) * np.log(X[X > 0]) ** 2
    assert run.trace.loss.mean() == pytest.approx(naive.mean(), rel=0.05)


def test_results(chain):
    word, _ = fit(chain, dim=8, result="w")
    both, _ = fit(chain, dim=8)
    beside, _ = fit(chain, dim=8, result="concatenation")
    np.testing.assert_array_equal(both.vectors, word.vectors + word.contexts)
    np.testing.assert_array_equal(beside.vectors, np.hstack([word.vectors, word.contexts]))
    for result in (both, beside):
        np.testing.assert_array_equal(result.raw, word.vectors)
        np.testing.assert_array_equal(result.contexts, word.contexts)
    assert word.raw is None
    assert both.biases.shape == both.context_biases.shape == (chain.types,)
    np.testing.assert_array_equal(both.biases, word.biases)


def test_one_sided_counts_take_the_words_before_as_contexts():
    """“a” is always followed by “b”, never the other way round."""
    corpus = make_corpus([["a", "b"]] * 9 + [["c", "a"]] * 3)
    sentences = [[0, 1]] * 9 + [[2, 0]] * 3
    later = naive_counts(sentences, 3, 2, "harmonic", symmetric=False)
    assert later == {(0, 1): 9.0, (2, 0): 3.0}
    embeddings, _ = fit(
        corpus,
        dim=4,
        window=2,
        symmetric=False,
        epochs=3000,
        x_max=1e-9,
        learning_rate=0.2,
        result="w",
    )
    model = (
        embeddings.vectors @ embeddings.contexts.T
        + embeddings.biases[:, None]
        + embeddings.context_biases
    )
    a, b, c = (embeddings.row(word) for word in "abc")
    assert model[b, a] == pytest.approx(np.log(9), abs=0.01)
    assert model[a, c] == pytest.approx(np.log(3), abs=0.01)


def test_two_threads_reach_the_same_loss(chain):
    _, one = fit(chain, dim=8, epochs=200)
    _, two = fit(chain, dim=8, epochs=200, threads=2)
    assert two.trace.loss[-20:].mean() == pytest.approx(one.trace.loss[-20:].mean(), rel=0.05)


def test_crowded_vectors_are_predicted_before_training():
    """Words drawn by Zipf’s law: the trained vectors behave as the warning predicts."""
    random = np.random.default_rng(1)
    share = 1 / np.arange(1, 601)
    numbers = random.choice(600, size=(1500, 20), p=share / share.sum())
    corpus = make_corpus([[f"w{word}" for word in sentence] for sentence in numbers])
    classroom = preset_params(GloVe, "classroom").replace(threads=1)
    advice = classroom.replace(learning_rate=0.05)
    warning = GloVe(classroom).estimate(corpus).warning
    assert "close to 1" in warning
    assert "0.05" in warning
    assert effective_rank(GloVe(classroom).fit(corpus, JobControl())) < 1.6
    assert GloVe(advice).estimate(corpus).warning == ""
    assert effective_rank(GloVe(advice).fit(corpus, JobControl())) > 2
    # There is no warning for the sample that the preset was chosen for.
    village = open_sample("small-world")
    assert GloVe(preset_params(GloVe, "classroom")).estimate(village).warning == ""


def test_no_pairs_of_words():
    with pytest.raises(UserError, match="No words"):
        fit(make_corpus([["a"], ["b"]]))


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 6, "window": 2, "epochs": 3, "result": "w"}
    here = assert_same_uncompiled("glove", values, tmp_path, 1e-6)
    assert np.abs(here[1]).max() > 0
