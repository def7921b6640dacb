"""Hierarchical softmax, compared with plain steps with numeric gradients and with the distribution
it learns.
"""

from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_windows
from uncompiled import assert_same_uncompiled

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.counts.huffman import huffman_tree, log_probabilities
from workbench.models.base import preset_params
from workbench.models.predict.cbow_hs import CBOWHS, CBOWHSParams
from workbench.models.predict.hierarchical_softmax import (
    copy_near,
    make_scratch,
    merge_near,
    node_weights,
    train_chunk,
)
from workbench.models.predict.skipgram_hs import SkipGramHS, SkipGramHSParams
from workbench.models.predict.stream_trainer import (
    TokenStream,
    WindowChunk,
    initial_weights,
    open_stream,
    own_pieces,
)

TEXT = "the cat saw a dog and the dog saw the cat under a tree by the old old house"
WORDS = TEXT.split()
KINDS = {False: (SkipGramHS, SkipGramHSParams), True: (CBOWHS, CBOWHSParams)}


def kernel_pass(corpus, params, W, U, rate, seed, near):
    """One pass over the corpus by the kernel. Returns (loss, terms, stream, tree)."""
    vocabulary = corpus.vocabulary(params.min_count)
    stream, tree = open_stream(corpus, vocabulary, params), huffman_tree(vocabulary.counts)
    state, totals = np.zeros(8, np.uint64), np.zeros(16)
    state[0] = seed
    train_chunk(
        isinstance(params, CBOWHSParams),
        WindowChunk(
            stream,
            own_pieces(),
            np.zeros(4, np.int64),
            corpus.tokens,
            10**6,
            state,
            rate,
            0.0,
            0.0,
            totals,
        ),
        tree,
        W,
        U,
        make_scratch(params, tree, near),
    )
    return totals[0], totals[1], stream, tree


def one_pass(params, rate, near=0, seed=77):
    """A pass by the kernel and one by the oracle from the same start: both (W, U, loss, terms)."""
    corpus = make_corpus([WORDS, WORDS[::-1], WORDS[3:9]])
    vocabulary = corpus.vocabulary(params.min_count)
    V, dim = len(vocabulary), params.dim
    W, U = node_weights(V, dim, 1, near)
    random = np.random.default_rng(2)
    W[:, :dim] = random.normal(scale=0.6, size=(V, dim))
    U[: V - 1, :dim] = random.normal(scale=0.6, size=(V - 1, dim))
    naive_w, naive_u = W[:, :dim].astype(np.float64), U[:V, :dim].astype(np.float64)
    loss, terms, stream, _ = kernel_pass(corpus, params, W, U, rate, seed, near)
    sentences = [corpus.ids[a:b].tolist() for a, b in pairwise(corpus.sentences)]
    cbow = isinstance(params, CBOWHSParams)
    naive_loss, naive_terms = naive_windows.train(
        sentences,
        V,
        naive_w,
        naive_u,
        stream.keep,
        stream.reach.tolist(),
        seed,
        rate,
        cbow=cbow,
        mean=cbow and params.hidden == "mean",
        full=cbow and params.gradient == "word2vec",
        paths=naive_windows.word2vec_paths(vocabulary.counts),
    )
    return (W[:, :dim], U[:V, :dim], loss, terms), (naive_w, naive_u, naive_loss, naive_terms)


@pytest.mark.parametrize("near", [0, 3, 1000])
@pytest.mark.parametrize(
    ("cbow", "values"),
    [
        (False, {"dim": 5, "window": 2}),
        (False, {"dim": 18, "window": 4, "window_weighting": "harmonic"}),
        (False, {"dim": 4, "window": 1, "sample": 0.08, "min_count": 2}),
        (True, {"dim": 5, "window": 2}),
        (True, {"dim": 17, "window": 4, "window_weighting": "fixed", "gradient": "corrected"}),
        (True, {"dim": 4, "window": 3, "sample": 0.08, "min_count": 2, "hidden": "sum"}),
    ],
)
def test_one_pass_equals_plain_steps_with_numeric_gradients(cbow, values, near):
    params = KINDS[cbow][1].from_mapping({"min_count": 1, "sample": 0.0, **values})
    (W, U, loss, terms), (naive_w, naive_u, naive_loss, naive_terms) = one_pass(params, 0.1, near)
    assert terms == naive_terms
    assert terms > 10
    assert loss == pytest.approx(naive_loss, rel=1e-5)
    np.testing.assert_allclose(W, naive_w, atol=2e-5)
    np.testing.assert_allclose(U, naive_u, atol=2e-5)


def test_copies_of_nodes_add_up():
    """Changes by two threads to the same nodes are both kept, in whatever order they are merged."""
    random = np.random.default_rng(4)
    # Eight inner nodes, an unused row, and two threads’ copies of the last three nodes.
    U = random.normal(size=(9 + 2 * 3, 16)).astype(np.float32)
    wanted = U[:9].copy()
    copies = [(9, np.empty((3, 16), np.float32)), (12, np.empty((3, 16), np.float32))]
    for begin, then in copies:
        copy_near(U, 5, begin, then)
    for _ in range(3):
        for begin, then in copies:
            change = random.normal(size=(3, 16)).astype(np.float32)
            U[begin : begin + 3] += change
            wanted[5:8] += change
            merge_near(U, 5, begin, then)
            np.testing.assert_allclose(U[:9], wanted, atol=1e-5)


@pytest.mark.parametrize("cbow", [False, True])
def test_with_learning_rate_0_the_loss_is_a_frozen_evaluation(cbow):
    params = KINDS[cbow][1](dim=8, window=3, min_count=1, sample=0.0)
    (W, _, loss, terms), (naive_W, _, naive_loss, _) = one_pass(params, 0.0)
    np.testing.assert_allclose(W, naive_W, atol=1e-7)
    assert loss / terms == pytest.approx(naive_loss / terms, rel=1e-6)


def test_paths_longer_than_a_vector():
    """Counts that double make a chain with 24 decisions for the rarest words, more than a cache
    line.
    """
    params = SkipGramHSParams(dim=3, window=2, min_count=1, sample=0.0)
    counts = np.array([2**n for n in range(24, -1, -1)], dtype=np.int64)
    tree = huffman_tree(counts)
    assert tree.lengths.max() == 24
    random = np.random.default_rng(5)
    W, U = initial_weights(len(counts), 3, 1)
    W[:, :3], U[:, :3] = random.normal(size=(25, 3)), random.normal(size=(25, 3))
    everything = np.full(25, 2**32 - 1, np.uint32)
    ids, sentences = np.array([3, 24], np.int32), np.array([0, 2])
    ids.flags.writeable = sentences.flags.writeable = False
    pair = TokenStream(ids, sentences, everything, everything[:2])
    wanted = sum(
        -log_probabilities(tree, U[:24, :3].astype(np.float64) @ W[other, :3])[centre]
        for centre, other in ((3, 24), (24, 3))
    )
    totals = np.zeros(16)
    train_chunk(
        False,
        WindowChunk(
            pair,
            own_pieces(),
            np.zeros(4, np.int64),
            2,
            9,
            np.ones(8, np.uint64),
            0.0,
            0.0,
            0.0,
            totals,
        ),
        tree,
        W,
        U,
        make_scratch(params, tree),
    )
    assert totals[1] == 2
    assert totals[0] == pytest.approx(wanted, rel=1e-5)


def test_it_learns_the_distribution_of_neighbours():
    """A converged tree with enough dimensions gives the corpus’s conditional frequencies: its loss
    falls to their entropy, Σ X_i·H(P_i), a lower limit for every model.
    """
    corpus = markov_corpus(100_000, words=12)
    params = SkipGramHSParams(
        dim=16,
        window=1,
        min_count=1,
        sample=0.0,
        epochs=20,
        learning_rate=0.05,
        threads=1,
        window_weighting="fixed",
    )
    ids, edges = corpus.ids, set(corpus.sentences.tolist())
    pairs = np.zeros((12, 12))
    for place in range(1, len(ids)):
        if place not in edges:
            pairs[ids[place - 1], ids[place]] += 1
            pairs[ids[place], ids[place - 1]] += 1
    conditional = pairs / pairs.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        floor = -np.nansum(pairs * np.log(conditional)) / pairs.sum()
    run = JobControl()
    SkipGramHS(params).fit(corpus, run)
    loss = run.trace.loss[-25:].mean()
    assert floor - 0.01 < loss < floor + 0.03


def test_one_word_alone_is_certain():
    run = JobControl()
    embeddings = SkipGramHS(SkipGramHSParams(dim=4, min_count=1, sample=0.0)).fit(
        make_corpus([["a"] * 400]), run
    )
    assert embeddings.vectors.shape == (1, 4)
    assert not run.trace.loss.any()


def test_the_programs_defaults():
    """word2vec.c -hs 1 has 0.025 for skip-gram and 0.05 for CBOW; gensim has 0.025 for both."""
    assert SkipGramHSParams().learning_rate == 0.025
    assert CBOWHSParams().learning_rate == 0.05
    assert preset_params(CBOWHS, "gensim").learning_rate == 0.025


@pytest.mark.parametrize("cbow", [False, True])
def test_divergence_is_one_sentence(cbow):
    kind, params = KINDS[cbow]
    with pytest.raises(UserError, match="diverged"):
        kind(params(dim=20, min_count=1, learning_rate=10.0, epochs=50, threads=1, sample=0.0)).fit(
            markov_corpus(20_000), JobControl()
        )


@pytest.mark.parametrize("key", ["skipgram-hs", "cbow-hs"])
def test_kernels_mean_the_same_without_the_compiler(key, tmp_path):
    values = {"dim": 6, "window": 2, "sample": 0.2, "epochs": 2, "learning_rate": 0.2}
    here = assert_same_uncompiled(key, values, tmp_path, 1e-6)
    assert not np.allclose(here[0], initial_weights(4, 6, 1)[0][:, :6], atol=1e-3)
