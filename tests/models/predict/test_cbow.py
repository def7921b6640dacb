"""CBOW, compared with plain steps with numeric gradients."""

from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_windows
from uncompiled import assert_same_uncompiled

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.counts.sampling import alias_table, noise_distribution
from workbench.models.base import preset_params
from workbench.models.predict.cbow import CBOW, CBOWParams, make_scratch, train_chunk
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    initial_weights,
    open_stream,
    own_pieces,
)

TEXT = "the cat saw a dog and the dog saw the cat under a tree by the old old house"
WORDS = TEXT.split()


def one_pass(params, rate, seed=77, windows=10**6):
    """A pass by the kernel and one by the oracle from one start: both (W, C, loss, centres)."""
    corpus = make_corpus([WORDS, WORDS[::-1], WORDS[3:9]])
    vocabulary = corpus.vocabulary(params.min_count)
    V, dim = len(vocabulary), params.dim
    stream = open_stream(corpus, vocabulary, params)
    noise = alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))
    W, C = initial_weights(V, dim, 1)
    random = np.random.default_rng(2)
    W[:, :dim] = random.normal(scale=0.6, size=(V, dim))
    C[:, :dim] = random.normal(scale=0.6, size=(V, dim))
    naive_w, naive_c = W[:, :dim].astype(np.float64), C[:, :dim].astype(np.float64)
    state, totals = np.zeros(8, np.uint64), np.zeros(16)
    state[0] = seed
    train_chunk(
        WindowChunk(
            stream,
            own_pieces(),
            np.zeros(4, np.int64),
            corpus.tokens,
            windows,
            state,
            rate,
            0.0,
            0.0,
            totals,
        ),
        noise,
        W,
        C,
        make_scratch(params),
    )
    sentences = [corpus.ids[a:b].tolist() for a, b in pairwise(corpus.sentences)]
    loss, centres = naive_windows.train(
        sentences,
        V,
        naive_w,
        naive_c,
        stream.keep,
        stream.reach.tolist(),
        seed,
        rate,
        cbow=True,
        mean=params.hidden == "mean",
        full=params.gradient == "word2vec",
        noise=(noise.threshold, noise.alias, params.negative),
    )
    return (W[:, :dim], C[:, :dim], totals[0], totals[1]), (naive_w, naive_c, loss, centres)


@pytest.mark.parametrize(
    "values",
    [
        {"dim": 5, "window": 2, "negative": 3},
        {
            "dim": 3,
            "window": 4,
            "negative": 7,
            "window_weighting": "harmonic",
            "gradient": "corrected",
        },
        {"dim": 18, "window": 3, "negative": 1, "window_weighting": "fixed", "hidden": "sum"},
        {"dim": 4, "window": 3, "negative": 2, "sample": 0.08, "min_count": 2, "ns_exponent": 1.0},
    ],
)
def test_one_pass_equals_plain_steps_with_numeric_gradients(values):
    params = CBOWParams.from_mapping({"min_count": 1, "sample": 0.0, **values})
    (W, C, loss, centres), (naive_w, naive_c, naive_loss, naive_centres) = one_pass(
        params, rate=0.1
    )
    assert centres == naive_centres
    assert centres > 10
    assert loss == pytest.approx(naive_loss, rel=1e-5)
    np.testing.assert_allclose(W, naive_w, atol=2e-5)
    np.testing.assert_allclose(C, naive_c, atol=2e-5)


def test_with_learning_rate_0_the_loss_is_a_frozen_evaluation():
    params = CBOWParams(dim=8, window=3, negative=4, min_count=1, sample=0.0)
    (W, _, loss, centres), (naive_W, _, naive_loss, _) = one_pass(params, rate=0.0)
    np.testing.assert_allclose(W, naive_W, atol=1e-7)
    assert loss / centres == pytest.approx(naive_loss / centres, rel=1e-6)


def test_only_a_mean_has_a_gradient_to_correct():
    with pytest.raises(ParameterError, match="sum"):
        CBOWParams(hidden="sum", gradient="corrected")


def test_the_programs_defaults():
    """word2vec.c -cbow 1 starts at 0.05, gensim at 0.025."""
    assert CBOWParams().learning_rate == 0.05
    assert CBOWParams().negative == 5
    assert preset_params(CBOW, "gensim").learning_rate == 0.025


def test_frequent_neighbours_become_similar():
    """Each word of the chain belongs to one of five groups that it rarely leaves."""
    corpus = markov_corpus(100_000)
    run = JobControl()
    embeddings = CBOW(CBOWParams(dim=20, min_count=1, epochs=10, threads=2, window=3)).fit(
        corpus, run
    )
    group = np.array([int(word[1:]) % 5 for word in embeddings.words])
    cosine = embeddings.unit @ embeddings.unit.T
    same = (group[:, None] == group) & ~np.eye(len(group), dtype=bool)
    assert cosine[same].mean() > cosine[group[:, None] != group].mean() + 0.3
    assert run.trace.loss[-1] < run.trace.loss[0]


def test_divergence_is_one_sentence():
    with pytest.raises(UserError, match="diverged"):
        CBOW(
            CBOWParams(dim=20, min_count=1, learning_rate=10.0, epochs=50, threads=1, sample=0.0)
        ).fit(markov_corpus(20_000), JobControl())


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    values = {"dim": 6, "window": 2, "negative": 3, "sample": 0.2, "epochs": 2}
    here = assert_same_uncompiled("cbow", values, tmp_path, 1e-6)
    assert np.abs(here[1]).max() > 0
