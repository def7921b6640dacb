"""fastText, compared with plain steps with numeric gradients, with SGNS and with the theoretical
optimum.
"""

from itertools import pairwise

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference import naive_fasttext
from reference.sgns_fit import compare
from uncompiled import assert_same_uncompiled

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import alias_table, noise_distribution
from workbench.counts.subword_rows import Merging
from workbench.counts.subwords import subword_table
from workbench.models.checkpointing import ResumeState
from workbench.models.fasttext import cbow_kernel
from workbench.models.fasttext.cbow import FastTextCBOW
from workbench.models.fasttext.fasttext_base import FastTextParams
from workbench.models.fasttext.skipgram import FastText
from workbench.models.kernels.gemm import aligned_rows
from workbench.models.predict import sgns
from workbench.models.predict.stream_trainer import WindowChunk, Worker, open_stream, own_pieces
from workbench.vectors.subwords import compose

TEXT = "the cat saw a dog and the Dogge saw the käte under a banana tree by the old old house"
WORDS = TEXT.split()
BOTH = pytest.mark.parametrize("kind", [FastText, FastTextCBOW], ids=lambda kind: kind.key)


def one_pass(kind, params, rate, seed=77):
    """One pass by the kernel and one by the oracle from the same start, each as (rows by name, C,
    loss, terms).
    """
    corpus = make_corpus([WORDS, WORDS[::-1], WORDS[3:9]])
    vocabulary = corpus.vocabulary(params.min_count)
    V, dim = len(vocabulary), params.dim
    stream = open_stream(corpus, vocabulary, params)
    noise = alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))
    table = subword_table(vocabulary.words, params.min_n, params.max_n, params.buckets)
    merging = Merging(table)
    names = [*vocabulary.words, *((int(bucket),) for bucket in table.buckets)]
    random = np.random.default_rng(2)
    rows = random.normal(scale=0.6, size=(len(names), dim)).astype(np.float32)
    trainer = kind(params).trainer(vocabulary, ResumeState())
    C = trainer.C
    merging.total([(0, rows)], trainer.W)
    C[:, :dim] = random.normal(scale=0.6, size=(V, dim))
    Z, naive_c = (
        dict(zip(names, rows.astype(np.float64), strict=True)),
        C[:, :dim].astype(np.float64),
    )
    worker = Worker(0, seed)
    worker.begin(stream, 0, corpus.tokens)
    trainer.step(worker, worker.chunk(stream, 10**6, rate, 0.0, rate))
    word_rows = np.empty_like(rows)
    merging.spread([(0, rows)], trainer.W, word_rows)
    lists = naive_fasttext.row_lists(
        vocabulary.words, max(params.min_n, 1), params.max_n, params.buckets
    )
    rest = (
        [corpus.ids[a:b].tolist() for a, b in pairwise(corpus.sentences)],
        lists,
        Z,
        naive_c,
        stream.keep,
        stream.reach.tolist(),
        noise.threshold,
        noise.alias,
        params.negative,
        seed,
        rate,
    )
    loss, terms = (
        naive_fasttext.train_bag(*rest)
        if kind.bag
        else naive_fasttext.train_blocks(*rest, shares=6, block=8)
    )
    return (word_rows, C[:, :dim], *worker.totals[:2]), (
        np.array([Z[n] for n in names]),
        naive_c,
        loss,
        terms,
    )


@BOTH
@pytest.mark.parametrize(
    "values",
    [
        {"dim": 5, "window": 2, "negative": 3, "min_n": 2, "max_n": 3},
        {"dim": 3, "window": 4, "negative": 7, "window_weighting": "harmonic", "buckets": 13},
        {
            "dim": 18,
            "window": 1,
            "negative": 1,
            "window_weighting": "fixed",
            "min_n": 1,
            "max_n": 2,
        },
        {
            "dim": 4,
            "window": 3,
            "negative": 2,
            "sample": 0.08,
            "min_count": 2,
            "min_n": 0,
            "max_n": 0,
        },
    ],
)
def test_one_pass_equals_plain_steps_with_numeric_gradients(values, kind):
    params = FastTextParams.from_mapping({"min_count": 1, "sample": 0.0, "buckets": 500, **values})
    (W, C, loss, terms), (naive_w, naive_c, naive_loss, naive_terms) = one_pass(
        kind, params, rate=0.05
    )
    assert terms == naive_terms
    assert terms > 10
    assert loss == pytest.approx(naive_loss, rel=1e-5)
    np.testing.assert_allclose(W, naive_w, atol=3e-5)
    np.testing.assert_allclose(C, naive_c, atol=3e-5)


@BOTH
def test_with_learning_rate_0_the_loss_is_a_frozen_evaluation(kind):
    params = FastTextParams(
        dim=8, window=3, negative=4, min_count=1, sample=0.0, buckets=500, learning_rate=1e-6
    )
    (W, _, loss, terms), (naive_W, _, naive_loss, _) = one_pass(kind, params, rate=0.0)
    np.testing.assert_allclose(W, naive_W, atol=1e-7)
    assert loss / terms == pytest.approx(naive_loss / terms, rel=1e-6)


def test_without_n_grams_every_update_of_cbow_is_skip_grams():
    """In sentences of two words, a centre has one context, which in skip-gram’s kernel also
    predicts the centre.
    """
    random = np.random.default_rng(5)
    corpus = make_corpus(
        [[f"w{word}" for word in pair] for pair in random.integers(0, 30, (400, 2))]
    )
    params = FastTextParams(dim=20, window=1, negative=5, min_count=1, sample=0.0, min_n=0, max_n=0)
    vocabulary = corpus.vocabulary(1)
    V = len(vocabulary)
    noise = alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))
    merged_table = Merging(subword_table(vocabulary.words, 0, 0, 100)).merged
    start = np.random.default_rng(6).normal(scale=0.3, size=(2, V, 20)).astype(np.float32)
    stream = open_stream(corpus, vocabulary, params)
    calls = []
    for plain in (False, True):
        W, C = aligned_rows(V, 20), aligned_rows(V, 20)
        W[:, :20], C[:, :20] = start
        rest = (
            own_pieces(),
            np.zeros(4, np.int64),
            corpus.tokens,
            10**6,
            np.ones(8, np.uint64),
        )
        totals = np.zeros(16)
        chunk = WindowChunk(stream, *rest, 0.05, 1e-5, 0.0, totals)
        if plain:
            sgns.train_chunk(chunk, noise, W, C, sgns.make_scratch(params))
        else:
            scratch = cbow_kernel.make_scratch(params, 1)
            cbow_kernel.train_chunk(chunk, merged_table, noise, W, C, scratch)
        calls.append((W, C, totals))
    # The same sums, apart from the order of rounding.
    np.testing.assert_allclose(calls[0][0], calls[1][0], atol=5e-6)
    np.testing.assert_allclose(calls[0][1], calls[1][1], atol=5e-6)
    np.testing.assert_allclose(calls[0][2], calls[1][2], rtol=1e-6)
    assert np.abs(calls[0][0][:, :20] - start[0]).max() > 0.01


def test_without_n_grams_it_reaches_the_optimum_of_levy_and_goldberg():
    corpus = markov_corpus(100_000)
    params = FastTextParams(
        dim=48,
        epochs=40,
        window=3,
        threads=1,
        min_count=1,
        min_n=0,
        max_n=0,
        sample=1e-3,
        learning_rate=0.025,
    )
    run = JobControl()
    embeddings = FastText(params).fit(corpus, run)
    vocabulary = corpus.vocabulary(1)
    effective = effective_counts(corpus, vocabulary, params)
    report = compare(embeddings, effective, vocabulary.counts, params.negative, params.ns_exponent)
    assert report.pairs > 500
    assert report.pearson > 0.99
    assert abs(report.slope - 1) < 0.05
    assert abs(report.mean_difference) < 0.03
    assert report.mean_absolute_difference < 0.06


@BOTH
def test_the_result_contains_rows_of_n_grams(kind):
    corpus = make_corpus([WORDS, WORDS[::-1]] * 5)
    params = FastTextParams(dim=9, min_count=1, sample=0.0, epochs=2, threads=1, buckets=1000)
    embeddings = kind(params).fit(corpus, JobControl())
    for word in embeddings.words:
        assert compose(embeddings, word).seen
        np.testing.assert_allclose(
            compose(embeddings, word).vector, embeddings.vectors[embeddings.row(word)], atol=1e-6
        )
    assert embeddings.ngram_vectors.shape == (len(embeddings.ngram_buckets), 9)
    assert (np.diff(embeddings.ngram_buckets) > 0).all()
    unseen = compose(embeddings, "bananas")
    assert not unseen.seen
    assert unseen.vector.any()


def test_an_unseen_word_is_near_words_of_its_stem():
    random = np.random.default_rng(1)
    topics = (("singing", "song", "choir"), ("boiling", "water", "kettle"))
    sentences = [
        [topics[topic][i] for i in random.integers(0, 3, 8)] for topic in random.integers(0, 2, 800)
    ]
    embeddings = FastText(FastTextParams(dim=16, min_count=1, sample=0.0, threads=1)).fit(
        make_corpus(sentences), JobControl()
    )

    def cosine(unseen, word):
        vector = compose(embeddings, unseen).vector
        return float(vector @ embeddings.unit[embeddings.row(word)] / np.linalg.norm(vector))

    assert cosine("sings", "choir") > cosine("sings", "kettle") + 0.3
    assert cosine("boiled", "kettle") > cosine("boiled", "choir") + 0.3


def test_an_n_gram_range_without_n_grams_is_refused():
    with pytest.raises(ParameterError, match="max_n must be 0 or at least min_n"):
        FastTextParams(min_n=4, max_n=3)
    assert FastTextParams(min_n=3, max_n=0).max_n == 0


@BOTH
def test_divergence_is_one_sentence(kind):
    with pytest.raises(UserError, match="diverged"):
        kind(
            FastTextParams(
                dim=20, min_count=1, learning_rate=10.0, epochs=50, threads=1, sample=0.0
            )
        ).fit(markov_corpus(20_000), JobControl())


@BOTH
def test_the_estimate_grows_with_what_costs(kind):
    corpus = make_corpus([[f"word{i}ish" for i in range(300)]] * 40)
    params = FastTextParams(min_count=1, threads=1, sample=0.0)
    small, plain = (
        kind(params).estimate(corpus),
        kind(params.replace(min_n=0, max_n=0)).estimate(corpus),
    )
    bucket_count = len(subword_table(corpus.words, 3, 6, 2_000_000).buckets)
    extra = small.memory_bytes - plain.memory_bytes
    assert 0.7 < extra / (4 * bucket_count * (112 + 200)) < 1.4
    assert small.seconds > 1.5 * plain.seconds
    assert kind(params.replace(buckets=50)).estimate(corpus).memory_bytes < small.memory_bytes


@BOTH
def test_kernels_mean_the_same_without_the_compiler(kind, tmp_path):
    sentences = [["abc", "bcd", "ü", "abc"], ["bcd", "abc", "dädä", "ü", "bcd"]] * 6
    values = {"dim": 6, "window": 2, "negative": 3, "sample": 0.2, "epochs": 2, "buckets": 99}
    assert len(assert_same_uncompiled(kind.key, values, tmp_path, 1e-6, sentences)) == 3
