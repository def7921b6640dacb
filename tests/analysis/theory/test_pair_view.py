"""One pair, against sums by hand: subsampled windows, the curve, and its maximum by search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import make_corpus
from reference.naive_effective import naive_effective
from scipy.optimize import minimize_scalar

from workbench.analysis.matrix.values import MatrixRequest
from workbench.analysis.theory.pair_view import look_at_pair, product_of, propose_pair
from workbench.core.errors import UnknownWord
from workbench.core.job_control import JobControl
from workbench.counts.sampling import keep_probabilities
from workbench.vectors.embeddings import Embeddings

SENTENCES = [list("abcab"), list("acd"), list("bdaac"), list("dcab")]


def test_the_numbers_and_the_maximum() -> None:
    corpus = make_corpus(SENTENCES)
    random = np.random.default_rng(3)
    size = corpus.types
    model = Embeddings(
        corpus.words,
        random.normal(size=(size, 5)).astype(np.float32),
        contexts=random.normal(size=(size, 5)).astype(np.float32),
    )
    request = MatrixRequest(window=2, sample=0.2, negative=3)
    view = look_at_pair(corpus, request, "a", "c", model, JobControl())
    keep = keep_probabilities(corpus.counts, 0.2)
    index = {word: row for row, word in enumerate(corpus.words)}
    sentences = [[index[word] for word in sentence] for sentence in SENTENCES]
    cells = naive_effective(sentences, keep.tolist(), 2, "dynamic")
    a, c = index["a"], index["c"]
    A, total = cells[a, c], sum(count for (row, _), count in cells.items() if row == a)
    noise = corpus.counts[c] ** 0.75 / (corpus.counts**0.75).sum()
    B = 3 * total * noise
    assert view.observed == pytest.approx(A, rel=1e-6)
    assert view.expected_negatives == pytest.approx(B, rel=1e-6)
    assert view.best == pytest.approx(math.log(A / B), rel=1e-6)

    def ell(x: float) -> float:
        return A * math.log(1 / (1 + math.exp(-x))) + B * math.log(1 / (1 + math.exp(x)))

    assert view.likelihood(0.7) == pytest.approx(ell(0.7), rel=1e-6)
    found = minimize_scalar(
        lambda x: -ell(x), bounds=(-9, 9), method="bounded", options={"xatol": 1e-10}
    )
    assert found.x == pytest.approx(view.best, abs=1e-5)
    assert view.product == pytest.approx(
        float(model.vectors[a].astype(float) @ model.contexts[c]), rel=1e-6
    )
    first, second = view.parts(np.array([0.7]))
    assert first[0] + second[0] == pytest.approx(view.likelihood(0.7))
    # Occurrences of a with a c at most two words away.
    near = sum(
        "c" in s[max(i - 2, 0) : i + 3]
        for s in SENTENCES
        for i, word in enumerate(s)
        if word == "a"
    )
    assert len(view.lines) == near


def test_a_pair_that_was_never_seen_and_one_that_is_proposed() -> None:
    corpus = make_corpus([list("ab"), list("cd"), list("cd")])
    view = look_at_pair(corpus, MatrixRequest(window=2, sample=0.0), "a", "d", None, JobControl())
    assert view.observed == 0
    assert view.best == -math.inf
    assert view.product is None
    assert np.all(np.diff(view.parts(np.linspace(-5, 5, 50))[1]) < 0)
    assert (
        look_at_pair(
            corpus, MatrixRequest(window=2, sample=0.0), "c", "", None, JobControl()
        ).context
        == "d"
    )
    with pytest.raises(UnknownWord):
        look_at_pair(corpus, MatrixRequest(), "a", "z", None, JobControl())


def test_a_model_of_other_words_has_no_place_on_the_curve() -> None:
    model = Embeddings(
        ["x", "y"], np.ones((2, 2), np.float32), contexts=np.ones((2, 2), np.float32)
    )
    assert product_of(model, "x", "z", (0, 1)) is None
    assert product_of(model, "y", "x", (7, 7)) == 2.0


def test_the_pair_that_is_proposed_co_occurs_often_and_shares_contexts() -> None:
    """So few words are all content words: the association of every pair is computed by hand."""
    among = [list("ab")] * 9 + [list("ac")] * 11 + [list("ad")] * 10 + [list("bc")] * 13
    sentences = [*among, *[list("bd")] * 14, *[list("cd")] * 7]
    sentences += [list("ef")] * 4 + [list("gh")] * 12 + [list("gi"), list("hj")] * 30
    corpus = make_corpus(sentences)
    counts = np.zeros((10, 10))
    for sentence in sentences:
        w, c = ("abcdefghij".index(word) for word in sentence)
        counts[w, c] += 1
        counts[c, w] += 1
    sums = counts.sum(axis=1)
    # Pairs seen only four times are too rare, even though e and f have the highest PMI.
    ppmi = np.zeros((10, 10))
    for w, c in zip(*np.nonzero(counts >= 5), strict=True):
        ppmi[w, c] = max(math.log(counts[w, c] * sums.sum() / (sums[w] * sums[c])), 0)
    best, best_pair = -1.0, ""
    for w, c in zip(*np.nonzero(ppmi), strict=True):
        cosine = ppmi[w] @ ppmi[c] / (np.linalg.norm(ppmi[w]) * np.linalg.norm(ppmi[c]))
        if cosine > best:
            best, best_pair = float(cosine), "abcdefghij"[w] + "abcdefghij"[c]
    request = MatrixRequest(window=2, sample=0.0)
    found = propose_pair(corpus, request, None, JobControl())
    assert found is not None
    assert set(found) == set(best_pair)
    # A model that lacks one of these words gets a pair from its own vocabulary.
    known = [word for word in corpus.words if word != found[0]]
    model = Embeddings(known, np.ones((len(known), 2), np.float32))
    other = propose_pair(corpus, request, model, JobControl())
    assert other is not None
    assert set(other) <= set(known)
    alone = make_corpus([["a"], ["b"], ["c"]])
    assert propose_pair(alone, request, None, JobControl()) is None
