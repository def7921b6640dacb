from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus
from reference.naive_counts import naive_counts
from reference.naive_effective import long_effective, naive_effective

from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts import cooccurrence_kernel
from workbench.counts.association import associate
from workbench.counts.cooccurrence import WEIGHTINGS, cooccurrence
from workbench.counts.cooccurrence_kernel import Scanner
from workbench.counts.expected_counts import SampledWindow, effective_counts, target
from workbench.counts.sampling import keep_probabilities

SENTENCES = [
    ["a", "b", "a", "c", "a", "d", "b", "a"],
    ["c", "a", "a", "b", "e", "a"],
    ["b"],
    ["a", "a", "b", "f", "c", "a", "b", "b", "a", "d"],
]


def small() -> Corpus:
    return make_corpus(SENTENCES)


def ids_of(corpus: Corpus) -> list[list[int]]:
    return [[corpus.words.index(word) for word in sentence] for sentence in SENTENCES]


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("window", [1, 2, 4])
@pytest.mark.parametrize("formula", ["word2vec", "paper"])
def test_every_way_of_dropping_tokens(weighting: str, window: int, formula: str) -> None:
    corpus = small()
    vocabulary = corpus.vocabulary()
    keep = keep_probabilities(vocabulary.counts, 0.05, formula)
    assert keep.min() < 0.6
    expected = naive_effective(ids_of(corpus), keep.tolist(), window, weighting)
    matrix = effective_counts(
        corpus, vocabulary, SampledWindow(window, weighting, 0.05, formula), threads=2
    )
    assert matrix.nnz == len(expected)
    for (word, context), count in expected.items():
        assert matrix[word, context] == pytest.approx(count, rel=1e-7)
    assert abs(matrix - matrix.T).max() < 1e-12


def long_corpus(words: int, tokens: int) -> Corpus:
    random = np.random.default_rng(4)
    share = 1.0 / np.arange(1, words + 1)
    return make_corpus(
        [[f"w{word}" for word in random.choice(words, tokens, p=share / share.sum())]]
    )


@pytest.mark.parametrize("block", [1 << 25, 40])
def test_sentences_longer_than_the_search_limit(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """The search for context words stops once hardly any are left to find, and no earlier; with one
    block or many.
    """
    corpus = long_corpus(12, 300)
    vocabulary = corpus.vocabulary()
    keep = keep_probabilities(vocabulary.counts, 0.01, "word2vec")
    assert 0.05 < keep.min() < 0.3
    weights = [1.0, 0.8, 0.6, 0.4, 0.2]
    expected = long_effective(corpus.ids.tolist(), keep.tolist(), weights)
    add_pairs = cooccurrence_kernel.add_pairs

    def in_blocks(*arguments: object, **options: object) -> object:
        return add_pairs(*arguments, **options, block_tokens=block)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.counts.expected_counts.add_pairs", in_blocks)
    matrix = effective_counts(corpus, vocabulary, SampledWindow(5, "dynamic", 0.01), threads=1)
    assert matrix.nnz == len(expected)
    for (word, context), count in expected.items():
        assert matrix[word, context] == pytest.approx(count, rel=1e-7)


def test_the_mean_of_many_thinned_corpora() -> None:
    """Compare with what a trainer does: drop tokens at random, then count."""
    random = np.random.default_rng(1)
    share = 1.0 / np.arange(1, 9)
    words = random.choice(8, 400, p=share / share.sum())
    corpus = make_corpus([[f"w{word}" for word in words]])
    vocabulary = corpus.vocabulary()
    keep = keep_probabilities(vocabulary.counts, 0.02, "word2vec")
    passes = 300
    tables = np.zeros((passes, 8, 8))
    for number in range(passes):
        kept = corpus.ids[random.random(len(corpus.ids)) < keep[corpus.ids]]
        for cell, count in naive_counts([kept.tolist()], 8, 3, "dynamic").items():
            tables[number][cell] = count
    error = tables.std(axis=0) / math.sqrt(passes)
    matrix = effective_counts(corpus, vocabulary, SampledWindow(3, "dynamic", 0.02)).toarray()
    apart = (matrix - tables.mean(axis=0)) / np.maximum(error, 1e-9)
    assert np.abs(apart).max() < 4.5
    assert 0.6 < np.sqrt((apart**2).mean()) < 1.4


def test_without_subsampling_they_are_plain_counts() -> None:
    corpus = small()
    vocabulary = corpus.vocabulary(2)
    plain = cooccurrence(corpus, vocabulary, 3, "harmonic")
    assert (
        effective_counts(corpus, vocabulary, SampledWindow(3, "harmonic", 0.0)) != plain
    ).nnz == 0
    # By the other way of counting, with probabilities that are all 0 or 1.
    everything = np.arange(len(vocabulary))
    through = effective_counts(
        corpus, vocabulary, SampledWindow(3, "harmonic", 0.0), words=everything
    )
    np.testing.assert_allclose(through.toarray(), plain.toarray(), rtol=1e-14)


@pytest.mark.parametrize(("block", "weighting"), [(3, "dynamic"), (3, "linear"), (11, "harmonic")])
def test_blocks_and_small_pieces_change_nothing(
    monkeypatch: pytest.MonkeyPatch, block: int, weighting: str
) -> None:
    corpus = make_corpus([[word for sentence in SENTENCES * 4 for word in sentence], *SENTENCES])
    vocabulary = corpus.vocabulary()
    whole = effective_counts(corpus, vocabulary, SampledWindow(2, weighting, 0.1), threads=1)
    add_pairs = cooccurrence_kernel.add_pairs

    def in_blocks(corpus: Corpus, size: int, scanner: Scanner, **options: object) -> object:
        options.update(block_tokens=block)
        return add_pairs(corpus, size, scanner._replace(budget=1), **options)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.counts.expected_counts.add_pairs", in_blocks)
    parts = effective_counts(corpus, vocabulary, SampledWindow(2, weighting, 0.1), threads=2)
    np.testing.assert_allclose(parts.toarray(), whole.toarray(), rtol=1e-12)


def test_chosen_words_alone() -> None:
    corpus = small()
    vocabulary = corpus.vocabulary()
    whole = effective_counts(corpus, vocabulary, SampledWindow(2, "dynamic", 0.05)).toarray()
    matrix = effective_counts(
        corpus, vocabulary, SampledWindow(2, "dynamic", 0.05), words=np.array([3, 1])
    ).toarray()
    np.testing.assert_array_equal(matrix[[1, 3]], whole[[1, 3]])
    assert not matrix[[0, 2, 4, 5]].any()


def test_cancel() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        effective_counts(small(), small().vocabulary(), SampledWindow(sample=0.01), run=run)


# -- x*


def test_the_target_is_where_the_likelihood_peaks() -> None:
    """The derivative of A·log σ(x) + B·log σ(−x), A = #(w, c), B = k·#(w)·P_n(c), is 0 at x*."""
    corpus = small()
    vocabulary = corpus.vocabulary()
    effective = effective_counts(corpus, vocabulary, SampledWindow(2, "dynamic", 0.05))
    targets = target(effective, vocabulary, 7, 0.75)
    assert targets.nnz == effective.nnz
    noise = vocabulary.counts**0.75 / (vocabulary.counts**0.75).sum()
    for word in range(len(vocabulary)):
        total = effective[word].sum()
        for at in range(effective.indptr[word], effective.indptr[word + 1]):
            x = targets.data[at]
            seen = effective.data[at] / (1.0 + math.exp(x))
            unseen = 7 * total * noise[effective.indices[at]] / (1.0 + math.exp(-x))
            assert seen == pytest.approx(unseen, rel=1e-12)


def test_in_the_plain_setting_the_target_is_shifted_pmi() -> None:
    """True except at sentence edges, which have fewer contexts; here there is one long sentence."""
    random = np.random.default_rng(2)
    corpus = make_corpus([[f"w{word}" for word in random.integers(0, 12, 20_000)]])
    vocabulary = corpus.vocabulary()
    counts = effective_counts(corpus, vocabulary, SampledWindow(3, "fixed", 0.0))
    targets = target(counts, vocabulary, 5, 1.0)
    expected = associate(counts, "pmi").toarray() - math.log(5)
    np.testing.assert_allclose(targets.toarray(), expected, atol=2e-3)


def test_no_setting_is_given_the_counts_of_another(tmp_path: Path) -> None:
    corpus = dataclasses.replace(small(), folder=tmp_path)
    vocabulary = corpus.vocabulary()
    usual = (2, "harmonic", 0.05, "word2vec")
    others = [
        (3, *usual[1:]),
        (2, "fixed", *usual[2:]),
        (*usual[:2], 0.02, "word2vec"),
        (*usual[:3], "paper"),
    ]
    for window, weighting, sample, formula in (usual, *others, usual, *others):
        keep = keep_probabilities(vocabulary.counts, sample, formula)
        expected = naive_effective(ids_of(corpus), keep.tolist(), window, weighting)
        matrix = effective_counts(
            corpus, vocabulary, SampledWindow(window, weighting, sample, formula)
        )
        assert {pair: matrix[pair] for pair in expected} == pytest.approx(dict(expected), rel=1e-7)
    assert len(list(tmp_path.glob("counts-*.npz"))) == 5


def test_words_far_apart_keep_an_unlikely_pair() -> None:
    between = 35
    corpus = make_corpus([["a", *["x"] * between, "b"], *[["x"] * 20] * 40])
    vocabulary = corpus.vocabulary()
    settings = SampledWindow(1, "fixed", 0.14, "word2vec")
    keep = keep_probabilities(vocabulary.counts, settings.sample, settings.sample_formula)
    a, b, x = (corpus.words.index(word) for word in "abx")
    probability = keep[a] * keep[b] * (1 - keep[x]) ** between
    assert 1e-14 < probability < 1e-9
    matrix = effective_counts(corpus, vocabulary, settings)
    assert matrix[a, b] == pytest.approx(probability, rel=1e-6)
    assert matrix[b, a] == pytest.approx(probability, rel=1e-6)


@pytest.mark.parametrize("sample", [1e-2, 1e-4])
def test_every_counted_pair_has_an_expected_count(sample: float) -> None:
    corpus = long_corpus(300, 20_000)
    vocabulary = corpus.vocabulary()
    counted = cooccurrence(corpus, vocabulary, 5, "dynamic")
    expected = effective_counts(corpus, vocabulary, SampledWindow(5, "dynamic", sample))
    assert (expected[counted.nonzero()] > 0).all()
