"""SGNS, compared with plain steps with numeric gradients and with the theoretical optimum."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_sgns
from reference.sgns_fit import compare
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import alias_table, noise_distribution
from workbench.models.predict import sgns
from workbench.models.predict.sgns import SGNS, SGNSParams, make_scratch, train_chunk
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    initial_weights,
    open_stream,
    own_pieces,
)

TEXT = "the cat saw a dog and the dog saw the cat under a tree by the old old house"
WORDS = TEXT.split()


def one_pass(params, rate, fall, seed=77):
    """A pass by the kernel and one by the oracle from the same start: both (W, C, loss, pairs)."""
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
            10**6,
            state,
            rate,
            fall,
            0.0,
            totals,
        ),
        noise,
        W,
        C,
        make_scratch(params),
    )
    edges = corpus.sentences
    sentences = [corpus.ids[a:b].tolist() for a, b in pairwise(edges)]
    loss, pairs = naive_sgns.train(
        sentences,
        V,
        naive_w,
        naive_c,
        stream.keep,
        stream.reach.tolist(),
        noise.threshold,
        noise.alias,
        params.negative,
        seed,
        rate,
        0.0,
    )
    return (W[:, :dim], C[:, :dim], totals[0], totals[1]), (naive_w, naive_c, loss, pairs)


@pytest.mark.parametrize(
    "values",
    [
        {"dim": 5, "window": 2, "negative": 3},
        {"dim": 3, "window": 4, "negative": 7, "window_weighting": "harmonic"},
        {"dim": 18, "window": 1, "negative": 1, "window_weighting": "fixed", "ns_exponent": 1.0},
        {"dim": 4, "window": 3, "negative": 2, "sample": 0.08, "min_count": 2},
    ],
)
def test_one_pass_equals_plain_steps_with_numeric_gradients(values):
    params = SGNSParams.from_mapping({"min_count": 1, "sample": 0.0, **values})
    (W, C, loss, pairs), (naive_w, naive_c, naive_loss, naive_pairs) = one_pass(
        params, rate=0.1, fall=0.0
    )
    assert pairs == naive_pairs
    assert pairs > 10
    assert loss == pytest.approx(naive_loss, rel=1e-5)
    np.testing.assert_allclose(W, naive_w, atol=2e-5)
    np.testing.assert_allclose(C, naive_c, atol=2e-5)


def test_with_learning_rate_0_the_loss_is_a_frozen_evaluation():
    params = SGNSParams(dim=8, window=3, negative=4, min_count=1, sample=0.0)
    (W, _, loss, pairs), (naive_W, _, naive_loss, _) = one_pass(params, rate=0.0, fall=0.0)
    np.testing.assert_allclose(W, naive_W, atol=1e-7)
    assert loss / pairs == pytest.approx(naive_loss / pairs, rel=1e-6)


def test_the_learning_rate_falls_by_token():
    """Two sentences in one chunk: each is trained at the rate that applies to its first token."""
    corpus = make_corpus([WORDS, WORDS])
    params = SGNSParams(dim=4, window=2, negative=2, min_count=1, sample=0.0)
    vocabulary = corpus.vocabulary(1)
    stream = open_stream(corpus, vocabulary, params)
    noise = alias_table(noise_distribution(vocabulary.counts, 0.75))

    def weights_after(rate, fall, stop, least=0.0):
        W, C = initial_weights(len(vocabulary), 4, 1)
        C[:, :4] = W[::-1, :4]
        train_chunk(
            WindowChunk(
                stream,
                own_pieces(),
                np.zeros(4, np.int64),
                stop,
                10**6,
                np.ones(8, np.uint64),
                rate,
                fall,
                least,
                np.zeros(16),
            ),
            noise,
            W,
            C,
            make_scratch(params),
        )
        return W

    first = weights_after(0.1, 0.0, len(WORDS))
    # The rate reaches 0 at the second sentence, which then changes nothing, or stays at the
    # minimum.
    np.testing.assert_array_equal(weights_after(0.1, 0.1 / len(WORDS), 2 * len(WORDS)), first)
    assert not np.array_equal(
        weights_after(0.1, 0.1 / len(WORDS), 2 * len(WORDS), least=0.01), first
    )


@pytest.fixture(scope="module")
def chain():
    return markov_corpus(300_000)


def identity(corpus, threads=1, **values):
    params = SGNSParams.from_mapping(
        {"min_count": 1, "dim": 64, "epochs": 40, "threads": threads, **values}
    )
    run = JobControl()
    embeddings = SGNS(params).fit(corpus, run)
    vocabulary = corpus.vocabulary(1)
    effective = effective_counts(corpus, vocabulary, params)
    assert run.trace.loss[-1] < run.trace.loss[0]
    return compare(embeddings, effective, vocabulary.counts, params.negative, params.ns_exponent)


@pytest.mark.parametrize(
    "values",
    [
        {},  # dynamic window, subsampling at 1e-3, noise exponent 0.75
        {"window_weighting": "fixed", "sample": 0.0, "ns_exponent": 1.0},  # where x* is PMI − log k
        {
            "window": 3,
            "window_weighting": "harmonic",
            "sample": 5e-3,
            "sample_formula": "paper",
            "negative": 8,
        },
    ],
)
def test_sgns_reaches_the_optimum_of_levy_and_goldberg(chain, values):
    report = identity(chain, **values)
    assert report.pairs > 500
    assert report.pearson > 0.99
    assert abs(report.slope - 1) < 0.05
    assert abs(report.mean_difference) < 0.03
    assert report.mean_absolute_difference < 0.06


def test_two_threads_reach_the_same_optimum(chain):
    report = identity(chain, threads=2)
    assert report.pearson > 0.99
    assert abs(report.mean_difference) < 0.04


def test_chunks_of_any_size_make_the_same_steps():
    """Stopping within a piece and continuing only changes negative samples at a chunk’s edge."""
    corpus = make_corpus([WORDS, WORDS])
    params = SGNSParams(dim=4, window=2, negative=1, min_count=1, sample=0.0)
    vocabulary = corpus.vocabulary(1)
    stream = open_stream(corpus, vocabulary, params)
    only = alias_table(np.eye(len(vocabulary))[0])
    states = []
    for windows in (1, 3, 10**6):
        W, C = initial_weights(len(vocabulary), 4, 1)
        cursor, totals, state = np.zeros(4, np.int64), np.zeros(16), np.ones(8, np.uint64)
        scratch, piece = make_scratch(params), own_pieces()
        full_stream = stream._replace(reach=np.full(2, 0xFFFFFFFF, np.uint32))
        while not (cursor[0] >= corpus.tokens and cursor[2] >= cursor[3]):
            train_chunk(
                WindowChunk(
                    full_stream,
                    piece,
                    cursor,
                    corpus.tokens,
                    windows,
                    state,
                    0.1,
                    0.0,
                    0.0,
                    totals,
                ),
                only,
                W,
                C,
                scratch,
            )
        states.append((W, C, totals[:2]))
    for W, C, totals in states[:-1]:
        np.testing.assert_allclose(W, states[-1][0], atol=1e-7)
        np.testing.assert_allclose(C, states[-1][1], atol=1e-7)
        np.testing.assert_allclose(totals, states[-1][2])


@pytest.mark.parametrize("tokens", [30, 400, 5_000])
def test_even_a_short_corpus_gives_twenty_points(tokens):
    run = JobControl()
    SGNS(SGNSParams(dim=4, min_count=1, sample=0.0)).fit(make_corpus([(WORDS * 300)[:tokens]]), run)
    assert len(run.trace) >= 20
    assert (np.diff(run.trace.progress) > 0).all()
    assert run.trace.progress[-1] == 1.0


def test_the_loss_is_a_sample_of_the_whole_corpus_with_its_standard_error(chain):
    """With learning rate 0, all points estimate the same number within their errors."""
    run = JobControl()
    params = SGNSParams(dim=16, min_count=1, epochs=20, learning_rate=0.0, threads=1, seed=3)
    SGNS(params).fit(chain, run)
    trace = run.trace
    # C is 0 at the start, so every pair costs exactly (1 + k) log 2.
    np.testing.assert_allclose(trace.loss, 6 * np.log(2), rtol=1e-6)
    job = JobControl()
    SGNS(SGNSParams(dim=16, min_count=1, epochs=60, threads=1, learning_rate=0.05)).fit(chain, job)
    late = job.trace.progress > 0.8
    loss, error = job.trace.loss[late], job.trace.error[late]
    assert (error > 0).all()
    distance = (loss - loss.mean()) / error
    assert 0.3 < distance.std() < 3


def test_divergence_is_one_sentence():
    with pytest.raises(UserError, match="diverged") as error:
        SGNS(
            SGNSParams(dim=20, min_count=1, learning_rate=10.0, epochs=50, threads=1, sample=0.0)
        ).fit(markov_corpus(20_000), JobControl())
    assert "learning_rate" in error.value.hint


def test_a_snapshot_is_a_copy_taken_while_training():
    corpus = markov_corpus(60_000)
    run = JobControl()
    run.request_snapshot()
    before = threading.active_count()
    final = SGNS(SGNSParams(dim=10, min_count=1, epochs=3, threads=2)).fit(corpus, run)
    early = run.latest("embeddings")
    assert early.vectors.shape == final.vectors.shape
    assert np.abs(early.vectors - final.vectors).max() > 0
    assert threading.active_count() == before


def test_the_estimate_grows_with_what_costs():
    corpus = markov_corpus(20_000)
    small = SGNS(SGNSParams(min_count=1, threads=1)).estimate(corpus)
    assert small.vocabulary == 40
    assert 0 < small.kept_tokens <= 20_000
    more = SGNS(SGNSParams(min_count=1, threads=1, dim=400, epochs=10)).estimate(corpus)
    assert more.memory_bytes > small.memory_bytes
    assert more.seconds > 4 * small.seconds


def test_kernels_mean_the_same_without_the_compiler(tmp_path):
    """Kernels run as plain Python give the same results as compiled ones."""
    values = {"dim": 6, "window": 2, "negative": 3, "sample": 0.2, "epochs": 2}
    here = assert_same_uncompiled("sgns", values, tmp_path, 1e-6)
    assert np.abs(here[1]).max() > 0


def test_the_learning_rate_ends_at_a_ten_thousandth(chain, monkeypatch):
    """Kernels get this value as their minimum rate, and it is the rate shown at the end."""
    rates_seen = []

    def train_chunk(chunk, *arguments):
        rates_seen.append((chunk.rate, chunk.fall, chunk.least))
        return kernel_of_sgns(chunk, *arguments)

    kernel_of_sgns = sgns.train_chunk
    monkeypatch.setattr(sgns, "train_chunk", train_chunk)
    run = JobControl()
    SGNS(SGNSParams(dim=4, min_count=1, epochs=1, threads=1, learning_rate=0.04)).fit(chain, run)
    # Stretches that are read again for the error of the loss have the rate 0.
    rates_seen = [seen for seen in rates_seen[1:] if seen[0] > 0]
    assert all(least == pytest.approx(4e-6) for _, _, least in rates_seen)
    rates = [rate for rate, _, _ in rates_seen]
    assert rates[0] == 0.04
    assert 0 < rates[-1] < 0.002
    assert run.progress.details["learning_rate"] == pytest.approx(4e-6)
