from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference.naive_association import naive_association
from reference.naive_counts import naive_counts

from workbench.core.errors import ParameterError, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.count.svd import SVD, SVDParams


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(6000, words=60, sentence=30)


def sppmi(corpus: Corpus, shift: float, alpha: float) -> np.ndarray:
    """M as a dense table, for window 5 with dynamic weighting."""
    ends = corpus.sentences
    sentences = [corpus.ids[ends[i] : ends[i + 1]].tolist() for i in range(len(ends) - 1)]
    counts = np.zeros((corpus.types, corpus.types))
    for cell, count in naive_counts(sentences, corpus.types, 5, "dynamic").items():
        counts[cell] = count
    return naive_association(counts, "sppmi", shift, alpha)


def fit(corpus: Corpus, **values: object) -> tuple[np.ndarray, np.ndarray | None, list[float]]:
    embeddings = SVD(SVDParams.from_mapping({"min_count": 1, **values})).fit(corpus, JobControl())
    assert isinstance(embeddings.vectors, np.ndarray)
    assert embeddings.vectors.dtype == np.float32
    return embeddings.vectors, embeddings.contexts, embeddings.metadata["singular_values"]


@pytest.mark.parametrize("eig", [0.0, 0.5, 1.0])
def test_it_is_the_dense_svd(corpus: Corpus, eig: float) -> None:
    U, s, Vt = np.linalg.svd(sppmi(corpus, 1.0, 0.75))
    vectors, contexts, values = fit(corpus, dim=10, eig=eig)
    assert contexts is not None
    np.testing.assert_allclose(values, s[:10], rtol=1e-10)
    sign = np.sign(np.sum(vectors * U[:, :10], axis=0))
    np.testing.assert_allclose(vectors * sign, U[:, :10] * s[:10] ** eig, atol=1e-5)
    np.testing.assert_allclose(contexts * sign, Vt[:10].T * s[:10] ** (1 - eig), atol=1e-5)


@pytest.mark.parametrize("eig", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("dim", [5, 25])
def test_products_are_the_best_approximation_for_every_power(
    corpus: Corpus, eig: float, dim: int
) -> None:
    matrix = sppmi(corpus, 2.0, 1.0)
    s = np.linalg.svd(matrix, compute_uv=False)
    vectors, contexts, _ = fit(corpus, dim=dim, eig=eig, shift=2, context_smoothing=1)
    assert contexts is not None
    error = np.linalg.norm(matrix - vectors @ contexts.T)
    assert error == pytest.approx(math.sqrt((s[dim:] ** 2).sum()), rel=1e-6)


def test_words_plus_contexts(corpus: Corpus) -> None:
    words, contexts, values = fit(corpus, dim=8, eig=0.5)
    assert contexts is not None
    both, kept, _ = fit(corpus, dim=8, eig=0.5, result="w+c")
    np.testing.assert_array_equal(kept, contexts)
    np.testing.assert_allclose(both, words + contexts, atol=1e-6)
    tilted_sum, rest, _ = fit(corpus, dim=8, eig=0.2, result="w+c")
    np.testing.assert_allclose(tilted_sum, both * np.asarray(values) ** -0.3, atol=1e-5)
    np.testing.assert_allclose(rest, contexts * np.asarray(values) ** 0.3, atol=1e-5)
    beside, _, _ = fit(corpus, dim=8, eig=0.2, result="concatenation")
    np.testing.assert_allclose(beside[:, :8] + beside[:, 8:], tilted_sum, atol=1e-5)


def test_subsampling_changes_the_counts(corpus: Corpus) -> None:
    _, _, plain = fit(corpus, dim=8)
    _, _, thinned_values = fit(corpus, dim=8, sample=1e-3)
    assert not np.allclose(plain, thinned_values, rtol=1e-3)


def test_more_dimensions_than_the_matrix_has() -> None:
    corpus = make_corpus([["a", "b"], ["c", "d"]] * 3)
    vectors, contexts, values = fit(corpus, dim=50, context_smoothing=1)
    assert contexts is not None
    assert vectors.shape == contexts.shape == (4, 4)
    # each word co-occurs with one other word, with PMI log 4
    np.testing.assert_allclose(values, math.log(4))
    estimate = SVD(SVDParams(dim=50, min_count=1)).estimate(corpus)
    assert "4 words" in estimate.warning


def test_no_pair_above_chance() -> None:
    corpus = make_corpus([["a", "a", "a"]])
    with pytest.raises(UserError, match="chance"):
        SVD(SVDParams(min_count=1)).fit(corpus, JobControl())


def test_a_shift_below_one_is_refused() -> None:
    with pytest.raises(ParameterError, match="shift"):
        SVDParams(shift=0.5)
